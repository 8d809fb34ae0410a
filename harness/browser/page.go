package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Page is what the User sees at one moment. Its texts are masked, what its methods compare is not.
type Page struct {
	Kind  PageKind
	URL   string
	Title string
	// Text is the visible text, Content all text of the document whether it is laid out or not; the
	// latter has all white space folded.
	Text, Content string
	// Alert is what the page says in the place for errors, if it has one.
	Alert string
	// Status and Header are of the response that brought the document. Status is 0 without one.
	Status int
	Header http.Header
	// Controls lists the controls that were considered, in a line.
	Controls string
	// Dialogs, Windows and Downloads are what happened in the session so far: texts of dialogs that
	// were answered, URLs of windows that were opened, names of files that were refused.
	Dialogs, Windows, Downloads []string

	session *Session
	sight   *sight
	// loaded are the downloads since the link was opened.
	loaded []string
}

// Link is the page's URL, unmasked, to be opened again.
func (p *Page) Link() string { return p.sight.URL }

// Origin is scheme, host and port of the page.
func (p *Page) Origin() string { return originOf(p.sight.URL) }

// AsksToSignIn reports whether the page is a step of the login.
func (p *Page) AsksToSignIn() bool { return p.Kind == PageLogin || p.Kind == PageCode }

// Shows reports whether the visible text holds the text, white space folded.
func (p *Page) Shows(text string) bool {
	return strings.Contains(fold(p.sight.Text), fold(text))
}

// Holds reports whether the document's text content holds the text, white space folded. Letter case
// counts, and what a style sheet makes of the letters does not.
func (p *Page) Holds(text string) bool {
	return strings.Contains(p.sight.Content, fold(text))
}

// HoldsInAlternative reports whether a text for those who do not see (alt, aria-label, title) holds it.
func (p *Page) HoldsInAlternative(text string) bool {
	for _, alternative := range p.sight.Alternatives {
		if strings.Contains(alternative, fold(text)) {
			return true
		}
	}
	return false
}

// Seen says in a line what the page is: for messages.
func (p *Page) Seen() string {
	parts := []string{fmt.Sprintf("%s page %s", p.Kind, withoutQuery(p.URL))}
	if p.Status >= 400 {
		parts[0] += fmt.Sprintf(" (HTTP %d)", p.Status)
	}
	if p.Alert != "" {
		parts = append(parts, fmt.Sprintf("says %q", excerpt(p.Alert, 120)))
	}
	if text := excerpt(p.Text, 160); text != "" {
		parts = append(parts, fmt.Sprintf("shows %q", text))
	} else {
		parts = append(parts, "shows no text")
	}
	parts = append(parts, "has "+p.Controls)
	for what, list := range map[string][]string{"dialog": p.Dialogs, "window opened": p.Windows, "download refused": p.Downloads} {
		if len(list) > 0 {
			parts = append(parts, what+": "+list[len(list)-1])
		}
	}
	return strings.Join(parts, "; ")
}

// pageOf makes the public view of what was seen.
func (s *Session) pageOf(v *sight) *Page {
	p := &Page{
		Kind: v.kind, URL: s.mask(v.URL), Title: s.mask(v.Title), Text: s.mask(v.Text), Content: s.mask(v.Content),
		Alert: s.mask(v.Alert), Controls: s.mask(v.considered() + v.unmatched()), session: s, sight: v,
	}
	s.mu.Lock()
	if r := s.documentOf(v); r != nil {
		p.Status, p.Header = r.status, r.responseHeader.Clone()
	}
	dialogs, windows, downloads, loaded := s.dialogs, s.windows, s.downloads, s.downloads[min(s.loaded, len(s.downloads)):]
	s.mu.Unlock()
	for name, values := range p.Header {
		for i, value := range values {
			p.Header[name][i] = s.mask(value)
		}
	}
	p.Dialogs, p.Windows, p.Downloads = s.maskAll(dialogs), s.maskAll(windows), s.maskAll(downloads)
	p.loaded = s.maskAll(loaded)
	return p
}

func (s *Session) maskAll(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, s.mask(text))
	}
	return all
}

// documentOf is the request that brought the document. The session's mutex is held.
func (s *Session) documentOf(v *sight) *record {
	for i := len(s.records) - 1; i >= 0; i-- {
		if r := s.records[i]; r.document() && r.loader == v.loader && r.frame == v.frame {
			return r
		}
	}
	return nil
}

// Open goes to a URL, as a User who follows a link, and returns the page on which it settles. An
// HTTP error with a page is a page.
func (s *Session) Open(ctx context.Context, link string) (*Page, error) {
	var p *Page
	err := s.step(ctx, "open "+s.mask(withoutQuery(link)), func(ctx context.Context) error {
		s.follows(link)
		if err := s.navigate(ctx, link); err != nil {
			return err
		}
		v, err := s.await(ctx, settled)
		if err != nil {
			return err
		}
		p = s.pageOf(v)
		if v.kind == PageOther || v.kind == PageContinue {
			s.shootPage(ctx, "opened", p) // of the others a picture is taken when they are worked
		}
		return nil
	})
	return p, err
}

// follows notes that a link is opened.
func (s *Session) follows(link string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.signedAt, s.loaded, s.password = link, len(s.records), len(s.downloads), ""
}

// navigate goes to a URL and waits until its document is there.
func (s *Session) navigate(ctx context.Context, link string) error {
	s.mu.Lock()
	downloads := len(s.downloads)
	s.act(s.main, "", false)
	s.mu.Unlock()
	result, err := cdp.Call(ctx, s.main.target, page.Navigate, page.NavigateParams{URL: link})
	if err != nil {
		return err
	}
	refused := func() bool { return s.crashed || len(s.downloads) > downloads }
	if result.IsDownload || result.ErrorText == "net::ERR_ABORTED" {
		s.eventually(ctx, refused) // the reason comes by another way, a little later
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.crashed:
		return &Error{Kind: Crashed, Saw: "the page's process ended"}
	case result.IsDownload || refused():
		return &Error{Kind: Download, Saw: strings.Join(s.downloads[min(downloads, len(s.downloads)):], ", ") + " at " + originOf(link)}
	case strings.Contains(result.ErrorText, "CERT") || strings.Contains(result.ErrorText, "SSL"):
		return &Error{Kind: Certificate, Saw: result.ErrorText + " at " + originOf(link)}
	case result.ErrorText == "net::ERR_HTTP_RESPONSE_CODE_FAILURE":
		return nil // an error without a page
	case result.ErrorText != "":
		return &Error{Kind: Unreachable, Saw: result.ErrorText + " at " + originOf(link)}
	}
	return nil
}

// eventually waits at most a glance until something that Chromium tells later is so. The condition is
// asked with the session's mutex held.
func (s *Session) eventually(ctx context.Context, so func() bool) {
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		s.mu.Lock()
		is := so()
		s.mu.Unlock()
		if is {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Page is what the session shows now, once it has settled.
func (s *Session) Page(ctx context.Context) (*Page, error) {
	var p *Page
	err := s.step(ctx, "look at the page", func(ctx context.Context) error {
		v, err := s.await(ctx, settled)
		if err == nil {
			p = s.pageOf(v)
		}
		return err
	})
	return p, err
}

// lastSeen says in a line what the session shows, for an error. It stops what still loads: Chromium
// tells nothing of a page that waits for another.
func (s *Session) lastSeen(ctx context.Context) string {
	if ctx.Err() != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	busy := s.busy()
	_, _ = cdp.Call(ctx, s.main.target, page.StopLoading, cdp.Empty{})
	seen, err := s.see(ctx)
	v := s.foremost(seen)
	switch {
	case err != nil:
		return "the page does not answer" + busy
	case v == nil:
		return "no page" + busy
	}
	return s.pageOf(v).Seen() + busy
}

// busy names what the session is waiting for.
func (s *Session) busy() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.active {
		return "; still waiting for " + r.method + " " + withoutQuery(r.url)
	}
	return ""
}

// withoutQuery shortens a URL to what names the page.
func withoutQuery(link string) string {
	link, _, _ = strings.Cut(link, "#")
	link, _, _ = strings.Cut(link, "?")
	return link
}
