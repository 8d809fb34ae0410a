package browser

import (
	"context"
	"fmt"
	"time"
)

// Framing is what came of a page that another origin framed.
type Framing struct {
	// Shown is set when the frame showed the page; Reason says why not: what Chromium reported, or
	// that the page broke out of its frame.
	Shown  bool
	Reason string
	// Kind and Text are of the page in the frame, as of a Page.
	Kind PageKind
	Text string
	// Request brought, or would have brought, the framed document.
	Request *Request
	// Control is set when a page of ours without any header was shown in a frame beside it, so that
	// a frame that stays empty says something.
	Control bool
}

// The pages of the framing are at names that no server has. They are http so that they may frame
// http and https alike.
const (
	framingPage = "http://framing.pact-conform.invalid/"
	controlPage = "http://framed.pact-conform.invalid/"
	controlText = "This page may be framed."
)

// Frame loads a request (Get of the consent's URL, or a recorded form) into a frame of a page of
// another origin, and tells whether anything shows. The session is that of the consent, so that its
// cookies are there for what lets them into frames.
func (s *Session) Frame(ctx context.Context, d Draft) (*Framing, error) {
	f := &Framing{}
	err := s.step(ctx, "frame "+s.mask(withoutQuery(d.URL)), func(ctx context.Context) error {
		remove, err := s.addRule(ctx, madeUp(controlPage, `<!doctype html><title>framed</title><p>`+controlText))
		if err != nil {
			return err
		}
		defer remove()
		page := fmt.Sprintf(`<!doctype html><title>framing</title><iframe name=subject width=1000 height=600></iframe><iframe src=%q></iframe>`, controlPage)
		if err := s.openMadeUp(ctx, framingPage, page); err != nil {
			return err
		}
		d.Navigation = true
		o, err := s.sendFrom(ctx, d, "framed", "subject")
		if err != nil {
			return err
		}
		f.Request = o.Request
		return s.readFraming(ctx, f)
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readFraming tells what the frames show, once they have settled.
func (s *Session) readFraming(ctx context.Context, f *Framing) error {
	if _, err := s.await(ctx, func(_ *sight, still time.Duration) bool { return still >= stillKnown }); err != nil {
		return err
	}
	seen, err := s.see(ctx)
	if err != nil {
		return err
	}
	framed := false
	for _, v := range seen {
		switch {
		case v.main() && v.URL == framingPage:
			framed = true
		case v.URL == controlPage:
			f.Control = v.Text == controlText
		case v.main() || v.unreachable != "" || v.URL == "about:blank" || originOf(v.URL) == "":
		default:
			f.Shown = f.Shown || v.Text != "" || len(v.Buttons)+len(v.Boxes) > 0
			if f.Kind == "" || rank[v.kind] > rank[f.Kind] {
				f.Kind, f.Text = v.kind, s.mask(v.Text)
			}
		}
	}
	switch {
	case !framed:
		f.Shown, f.Control, f.Reason = false, true, "the page broke out of its frame"
	case !f.Shown:
		f.Reason = firstOf(f.Request.Failed, "the frame is empty")
	}
	return nil
}
