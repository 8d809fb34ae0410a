package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// click presses an element with the mouse. Where something lies over it, or the mouse does not reach
// it, the element is told that it was clicked. A document that the click leaves is a click that worked.
func (v *sight) click(ctx context.Context, n int) error {
	v.tab.session.touch(v)
	var aim *struct {
		X, Y float64
		Hit  bool
	}
	if err := v.tab.run(ctx, v.frame, fmt.Sprintf("pact.aim(%d)", n), &aim); err != nil {
		return err
	}
	if aim == nil {
		return errGone
	}
	if aim.Hit {
		x, y, err := v.corner(ctx, n)
		if err == nil {
			var clicked bool
			if err = v.press(ctx, x+aim.X, y+aim.Y); err == nil {
				err = v.tab.run(ctx, v.frame, "pact.wasClicked()", &clicked)
			}
			if clicked || errors.Is(err, errGone) {
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err() // it may have been clicked: never twice
		}
	}
	err := v.tab.run(ctx, v.frame, fmt.Sprintf("pact.press(%d)", n), nil)
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}

// corner is where the element's first box starts, as the mouse counts.
func (v *sight) corner(ctx context.Context, n int) (x, y float64, err error) {
	object, err := v.tab.evaluate(ctx, v.frame, fmt.Sprintf("pact.get(%d)", n), false)
	if err != nil {
		return 0, 0, err
	}
	quads, err := call(ctx, v.tab, v.frame, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: object.ObjectID})
	if err != nil {
		return 0, 0, err
	}
	if len(quads.Quads) == 0 || len(quads.Quads[0]) < 2 {
		return 0, 0, errGone
	}
	return quads.Quads[0][0], quads.Quads[0][1], nil
}

// press moves the mouse to a point and presses its left button there.
func (v *sight) press(ctx context.Context, x, y float64) error {
	for _, what := range []input.DispatchMouseEventType{
		input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased,
	} {
		event := input.DispatchMouseEventParams{Type: what, X: x, Y: y}
		if what != input.DispatchMouseEventTypeMouseMoved {
			event.Button, event.ClickCount = input.MouseButtonLeft, 1
		}
		if _, err := call(ctx, v.tab, v.frame, input.DispatchMouseEvent, event); err != nil {
			return err
		}
	}
	return nil
}

// fill types a text into a field in place of what it holds. The last letter comes by key, for pages
// that wait for one.
func (v *sight) fill(ctx context.Context, n int, text string) error {
	v.tab.session.touch(v)
	defer v.tab.session.stirs()
	var focused bool
	if err := v.tab.run(ctx, v.frame, fmt.Sprintf("pact.focus(%d)", n), &focused); err != nil {
		return err
	}
	if !focused {
		return errGone
	}
	letters := []rune(text)
	if len(letters) == 0 {
		return nil
	}
	last := letters[len(letters)-1]
	if head := string(letters[:len(letters)-1]); head != "" {
		if _, err := call(ctx, v.tab, v.frame, input.InsertText, input.InsertTextParams{Text: head}); err != nil {
			return err
		}
	}
	if err := v.key(ctx, last); err != nil {
		return err
	}
	var holds bool
	if err := v.tab.run(ctx, v.frame, fmt.Sprintf("pact.holds(%d, %s)", n, jsValue(text)), &holds); err != nil || holds {
		return err
	}
	return v.tab.run(ctx, v.frame, fmt.Sprintf("pact.put(%d, %s)", n, jsValue(text)), nil)
}

// key presses the key of a letter.
func (v *sight) key(ctx context.Context, letter rune) error {
	for _, event := range kb.Encode(letter) {
		if _, err := call(ctx, v.tab, v.frame, input.DispatchKeyEvent, *event); err != nil {
			return err
		}
	}
	return nil
}
