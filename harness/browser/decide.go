package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Decision is what the User decides; make one with ApproveAll, ApproveOnly, ApproveNone or Deny.
type Decision struct {
	deny bool
	all  bool
	only []string
}

// ApproveAll approves with the boxes of all scopes that were asked for ticked.
func ApproveAll() Decision { return Decision{all: true} }

// ApproveOnly approves with these scopes' boxes ticked and those of the others that were asked for unticked.
func ApproveOnly(scopes ...string) Decision { return Decision{only: scopes} }

// ApproveNone approves with every scope's box unticked.
func ApproveNone() Decision { return Decision{} }

// Deny denies, with the boxes as they are.
func Deny() Decision { return Decision{deny: true} }

func (d Decision) String() string {
	switch {
	case d.deny:
		return "deny"
	case d.all:
		return "approve all"
	case len(d.only) == 0:
		return "approve nothing"
	}
	return "approve only " + strings.Join(d.only, ", ")
}

func (d Decision) ticks(scope string) bool { return d.all || slices.Contains(d.only, scope) }

// Outcome is what was seen after a request. It does not say that the Provider took a decision: only
// the token endpoint does.
type Outcome struct {
	// Page is where the session settled.
	Page *Page
	// Request is the one that was sent, or that carried the decision; nil when none was seen.
	Request *Request
}

// Decide sets the checkboxes and presses the control, on the consent page that is open, and returns
// when the session has settled. It fails with CheckboxNotFound, ConsentNotFound or ApproveDisabled
// when the page does not let the User decide so.
func (s *Session) Decide(ctx context.Context, decision Decision) (*Outcome, error) {
	var d *Outcome
	err := s.step(ctx, decision.String(), func(ctx context.Context) error {
		v, mark, err := s.press(ctx, decision)
		if err == nil {
			d, err = s.outcome(ctx, v, mark, decision.String())
		}
		return err
	})
	return d, err
}

// press sets the boxes and presses the control. mark is the number of requests before.
func (s *Session) press(ctx context.Context, decision Decision) (v *sight, mark int, err error) {
	v, err = s.await(ctx, settled)
	if err != nil {
		return nil, 0, err
	}
	if v.kind != PageConsent {
		return nil, 0, &Error{Kind: ConsentNotFound, Saw: s.pageOf(v).Seen()}
	}
	if !decision.deny {
		before := v
		if v, err = s.tick(ctx, v, decision); err != nil {
			return nil, 0, err
		}
		if v != before {
			s.shootPage(ctx, "before: "+decision.String(), s.pageOf(v))
		}
	}
	c := s.consentOf(v)
	name := "approves"
	if decision.deny {
		name = "denies"
	}
	switch control := c.control(decision); {
	case control == nil:
		return nil, 0, &Error{Kind: ConsentNotFound, Saw: "no control that " + name + ": " + c.Seen()}
	case !control.Enabled:
		if v, err = s.enabled(ctx, decision); err != nil {
			return nil, 0, err
		}
		c = s.consentOf(v)
	}
	s.mu.Lock()
	mark = len(s.records)
	s.mu.Unlock()
	if err := v.click(ctx, c.control(decision).n); err != nil && !errors.Is(err, errGone) {
		return nil, 0, err
	}
	return v, mark, nil
}

// control is the one that decides so.
func (c *Consent) control(decision Decision) *Control {
	if decision.deny {
		return c.Deny
	}
	return c.Approve
}

// enabled waits for the control to become usable, as long as the page is not still.
func (s *Session) enabled(ctx context.Context, decision Decision) (*sight, error) {
	usable := func(v *sight) bool {
		control := s.consentOf(v).control(decision)
		return v.kind == PageConsent && control != nil && control.Enabled
	}
	v, err := s.await(ctx, func(v *sight, still time.Duration) bool { return usable(v) || still >= stillUnknown })
	if err == nil && !usable(v) {
		err = &Error{Kind: ApproveDisabled, Saw: s.pageOf(v).Seen()}
	}
	return v, err
}

// tick brings the boxes of all scopes into the state that the decision wants, and ticks what the page
// requires besides. It reads the page anew after each click: boxes may change others, or be drawn anew.
func (s *Session) tick(ctx context.Context, v *sight, decision Decision) (*sight, error) {
	for tries := 2 * (len(v.Boxes) + 1); ; tries-- {
		b, want, err := s.unlike(v, decision)
		if err != nil || b == nil {
			return v, err
		}
		if tries == 0 {
			return nil, &Error{Kind: CheckboxNotFound, Saw: fmt.Sprintf("%q does not stay as it is clicked: %s", firstOf(b.Label, b.Row, b.Name), s.pageOf(v).Seen())}
		}
		if err := s.toggle(ctx, v, *b, want); err != nil && !errors.Is(err, errGone) {
			return nil, err
		}
		if v, err = s.await(ctx, func(now *sight, _ time.Duration) bool { return now.kind == PageConsent }); err != nil {
			return nil, err
		}
	}
}

// unlike is the first box that is not as the decision wants it; nil when all are.
func (s *Session) unlike(v *sight, decision Decision) (b *box, want bool, err error) {
	found := assign(v.Boxes, s.options.Scopes, v.Recipe)
	taken := map[int]bool{}
	for _, scope := range s.options.Scopes {
		want := decision.ticks(scope.ID)
		i, has := found[scope.ID]
		if !has {
			if want {
				continue // a scope without a box is the page's to grant
			}
			return nil, false, &Error{Kind: CheckboxNotFound, Saw: fmt.Sprintf("no checkbox to untick for scope %s: %s", scope.ID, s.pageOf(v).Seen())}
		}
		taken[i] = true
		if v.Boxes[i].Checked != want {
			return &v.Boxes[i], want, nil
		}
	}
	for i := range v.Boxes {
		if v.Boxes[i].Required && !v.Boxes[i].Checked && !taken[i] && !v.Boxes[i].Cookie {
			return &v.Boxes[i], true, nil
		}
	}
	return nil, false, nil
}

// toggle clicks what a User would click to change a box: the box, its label, what is drawn for it.
// Each is tried until the box has changed.
func (s *Session) toggle(ctx context.Context, v *sight, b box, want bool) error {
	var handles []int
	if err := v.tab.run(ctx, v.frame, fmt.Sprintf("pact.handles(%d)", b.N), &handles); err != nil {
		return err
	}
	for _, n := range append(handles, b.N) {
		if err := v.click(ctx, n); err != nil {
			return err
		}
		if is, err := s.becomes(ctx, v, b.N, want); is || err != nil {
			return err
		}
	}
	state := map[bool]string{true: "tick", false: "untick"}
	return &Error{Kind: CheckboxNotFound, Saw: fmt.Sprintf("clicking does not %s %q: %s", state[want], firstOf(b.Label, b.Row, b.Name), s.pageOf(v).Seen())}
}

// becomes waits until the box is as wanted, which a script may do some time after the click.
func (s *Session) becomes(ctx context.Context, v *sight, n int, want bool) (bool, error) {
	deadline := time.Now().Add(2 * stillKnown)
	tick := time.NewTicker(again / 2)
	defer tick.Stop()
	for {
		var checked *bool
		err := v.tab.run(ctx, v.frame, fmt.Sprintf("pact.isChecked(%d)", n), &checked)
		if err != nil || checked == nil {
			return false, err
		}
		if *checked == want {
			return true, nil
		}
		if time.Now().After(deadline) {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-tick.C:
		}
	}
}

// outcome waits until the session has settled after a decision.
func (s *Session) outcome(ctx context.Context, before *sight, mark int, name string) (*Outcome, error) {
	said := before.says()
	v, err := s.await(ctx, func(now *sight, still time.Duration) bool {
		s.mu.Lock()
		sent := s.decisionSince(mark, before) != nil
		s.mu.Unlock()
		if now.unreachable != "" {
			return still >= stillKnown
		}
		if sent || now.loader != before.loader {
			return still >= stillKnown && !now.Leaving
		}
		return now.says() != said && still >= stillUnknown
	})
	if err != nil {
		return nil, err
	}
	p := s.pageOf(v)
	s.shootPage(ctx, "after: "+name, p)
	d := &Outcome{Page: p}
	s.mu.Lock()
	r := s.decisionSince(mark, before)
	s.mu.Unlock()
	if r != nil {
		d.Request = s.requestOf(r)
	}
	return d, nil
}
