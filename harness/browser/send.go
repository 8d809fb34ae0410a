package browser

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// blankPage is what a request is sent from when the page that would send it is not to be opened.
const blankPage = `<!doctype html><title>blank</title>`

// Send sends a request from a blank page of its origin, with the cookies that the session has there:
// a form that was recorded in another session, a decision once more. The blank page is made up; no
// server is asked for it. A navigation settles on the page that it brings, a script's request leaves
// the blank page open.
func (s *Session) Send(ctx context.Context, d Draft) (*Outcome, error) {
	var o *Outcome
	name := "send " + s.mask(d.String())
	err := s.step(ctx, name, func(ctx context.Context) error {
		origin := d.Origin
		if origin == "" {
			origin = originOf(d.URL)
		}
		if err := s.openMadeUp(ctx, origin+"/", blankPage); err != nil {
			return err
		}
		var err error
		o, err = s.sendFrom(ctx, d, name, "_self")
		return err
	})
	return o, err
}

// PostForm sends a recorded form as Send does, which is the same but for its name: the request must
// be a navigation.
func (s *Session) PostForm(ctx context.Context, d Draft) (*Outcome, error) {
	d.Navigation = true
	return s.Send(ctx, d)
}

// openMadeUp opens a page that is made up, at any URL.
func (s *Session) openMadeUp(ctx context.Context, link, html string) error {
	remove, err := s.addRule(ctx, madeUp(link, html))
	if err != nil {
		return err
	}
	defer remove()
	if err := s.navigate(ctx, link); err != nil {
		return err
	}
	_, err = s.await(ctx, func(v *sight, _ time.Duration) bool { return v.main() && v.URL == link && v.Ready == "complete" })
	return err
}

// madeUp answers requests for a URL with a page of ours.
func madeUp(link, html string) *rule {
	return &rule{
		matches: func(p *pausedRequest) bool { return p.draft.Navigation && p.draft.URL == link },
		act:     func(ctx context.Context, p *pausedRequest) { _ = p.answer(ctx, html) },
	}
}

// sendFrom lets the page that is open, one of ours, send the request, and waits for what comes of it.
// A navigation goes into the window or frame of that name.
func (s *Session) sendFrom(ctx context.Context, d Draft, name, window string) (*Outcome, error) {
	v, err := s.await(ctx, func(v *sight, _ time.Duration) bool { return v.main() })
	if err != nil {
		return nil, err
	}
	// What the page sends stands for the draft, which takes its place byte by byte on its way.
	standIn := withoutFragment(d.URL)
	h, err := s.hold(ctx, func(p *pausedRequest) bool {
		return p.draft.Navigation == d.Navigation && withoutFragment(p.draft.URL) == standIn
	})
	if err != nil {
		return nil, err
	}
	defer h.remove()
	// The script is not waited for longer than the request: a navigation may end it.
	if err := v.tab.run(ctx, v.frame, script(d, window), nil); err != nil {
		return nil, err
	}
	held, err := h.wait(ctx, name)
	if err != nil {
		return nil, err
	}
	changed := d
	if err := held.paused.pass(ctx, &changed); err != nil {
		return nil, err
	}
	h.remove()
	return s.answered(ctx, held.paused, name)
}

func withoutFragment(link string) string {
	link, _, _ = strings.Cut(link, "#")
	return link
}

// script makes a page send a request.
func script(d Draft, window string) string {
	switch {
	case !d.Navigation:
		options := map[string]any{"method": d.Method, "credentials": "include"}
		if len(d.Header) > 0 {
			headers := map[string]string{}
			for header := range d.Header {
				headers[header] = d.Header.Get(header)
			}
			options["headers"] = headers
		}
		body := ""
		if len(d.Body) > 0 && d.Method != http.MethodGet {
			body = fmt.Sprintf("o.body = Uint8Array.from(atob(%s), c => c.charCodeAt(0));", jsValue(base64.StdEncoding.EncodeToString(d.Body)))
		}
		return fmt.Sprintf("{ const o = %s; %s void fetch(%s, o).catch(() => {}); }", jsValue(options), body, jsValue(d.URL))
	case d.Method == http.MethodGet:
		return fmt.Sprintf(`{ const a = document.createElement('a'); a.href = %s; a.target = %s; document.body.append(a); a.click(); }`, jsValue(d.URL), jsValue(window))
	}
	return fmt.Sprintf(`{ const f = document.createElement('form'); f.method = 'post'; f.action = %s; f.target = %s; const i = document.createElement('input'); i.name = 'x'; f.append(i); document.body.append(f); f.submit(); }`,
		jsValue(d.URL), jsValue(window))
}
