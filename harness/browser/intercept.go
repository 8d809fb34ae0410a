package browser

import (
	"context"
	"net/http"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// rule is what happens to a request that matches on its way: the first rule that matches has it.
type rule struct {
	// matches is called with the session's mutex held.
	matches func(p *pausedRequest) bool
	// act answers, changes, drops or keeps the request.
	act func(ctx context.Context, p *pausedRequest)
}

// pausedRequest is a request that Chromium holds until it is told what to do.
type pausedRequest struct {
	tab   *tab
	id    fetch.RequestID
	draft Draft
	// from is the URL of the document, or of the redirect, that it came from.
	from string
	// header has everything that is about to be sent but cookies.
	header http.Header
	frame  cdp.FrameID
	kind   network.ResourceType
	// changed is what is sent in its place; nil for the request itself.
	changed *Draft
	// record is what is kept of it; nil until Chromium has told of the request in the record's way too.
	record *record
}

// intercept turns the holding of requests on or off, as rules and headers need it.
func (t *tab) intercept(ctx context.Context) error {
	t.session.mu.Lock()
	wanted := len(t.session.rules) > 0 || t.session.browser.options.Headers != nil
	was := t.intercepted
	t.intercepted = wanted
	t.session.mu.Unlock()
	var err error
	switch {
	case wanted && !was:
		_, err = cdp.Call(ctx, t.target, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*"}}})
	case !wanted && was:
		_, err = cdp.Call(ctx, t.target, fetch.Disable, cdp.Empty{})
	}
	return err
}

// addRule puts a rule before the others, until the returned function is called. Whatever is held then
// goes on.
func (s *Session) addRule(ctx context.Context, r *rule) (remove func(), err error) {
	s.mu.Lock()
	s.rules = append([]*rule{r}, s.rules...)
	s.mu.Unlock()
	remove = func() {
		s.mu.Lock()
		for i, other := range s.rules {
			if other == r {
				s.rules = append(s.rules[:i:i], s.rules[i+1:]...)
				break
			}
		}
		s.mu.Unlock()
		_ = s.interceptAll(s.ctx)
	}
	if err := s.interceptAll(ctx); err != nil {
		remove()
		return nil, err
	}
	return remove, nil
}

func (s *Session) interceptAll(ctx context.Context) error {
	s.mu.Lock()
	var joined []*tab
	for _, t := range s.tabs {
		if t.target != nil {
			joined = append(joined, t)
		}
	}
	s.mu.Unlock()
	var first error
	for _, t := range joined {
		if err := t.intercept(ctx); err != nil && first == nil && t == s.main {
			first = err
		}
	}
	return first
}

// paused decides about a request that is held. One that is gone with its document needs no answer.
func (s *Session) paused(ctx context.Context, t *tab, ev *fetch.EventRequestPaused) {
	p := &pausedRequest{tab: t, id: ev.RequestID, header: headerOf(ev.Request.Headers), frame: ev.FrameID, kind: ev.ResourceType}
	s.mu.Lock()
	p.from = t.initiator(ev.FrameID, p.header, p.kind)
	if p.record = s.active[ev.NetworkID]; p.record == nil {
		s.unrecorded[ev.NetworkID] = p
	} else if before := p.record.before; before != nil {
		p.from = before.url
	}
	p.draft = Draft{
		Method: ev.Request.Method, URL: ev.Request.URL + ev.Request.URLFragment, Origin: originOf(p.from),
		Header: sendable(p.header), Body: bodyOf(ev.Request), Navigation: p.kind == network.ResourceTypeDocument,
	}
	var fits *rule
	if p.draft.Navigation || p.kind == network.ResourceTypeXHR || p.kind == network.ResourceTypeFetch {
		for _, r := range s.rules {
			if r.matches(p) {
				fits = r
				break
			}
		}
	}
	s.mu.Unlock()
	if fits != nil {
		fits.act(ctx, p)
		return
	}
	_ = p.pass(ctx, nil)
}

// asRecord is the paused request as the functions that judge records take it.
func (p *pausedRequest) asRecord() *record {
	return &record{kind: p.kind, frame: p.frame, method: p.draft.Method, url: p.draft.URL, from: p.from, header: p.header, body: p.draft.Body}
}

// pass lets the request go on, changed into another one where that is given, with the headers that
// its origin is to get.
func (p *pausedRequest) pass(ctx context.Context, changed *Draft) error {
	params := fetch.ContinueRequestParams{RequestID: p.id}
	header := p.header.Clone()
	if changed != nil {
		p.tab.session.mu.Lock()
		p.changed = changed
		p.note()
		p.tab.session.mu.Unlock()
		params.URL, params.Method, params.PostData = changed.URL, changed.Method, changed.Body
		for name := range sendable(header) {
			header.Del(name)
		}
		for name, values := range changed.Header {
			header[name] = values
		}
		params.Headers = entries(header)
	}
	if headers := p.tab.session.browser.options.Headers; headers != nil {
		for name, value := range headers(originOf(p.draft.URL)) {
			header.Set(name, value)
			params.Headers = entries(header)
		}
	}
	_, err := cdp.Call(ctx, p.tab.target, fetch.ContinueRequest, params)
	return err
}

// note puts what is sent in the request's place into the record. The session's mutex is held.
func (p *pausedRequest) note() {
	if r := p.record; r != nil && p.changed != nil {
		r.method, r.url, r.body = p.changed.Method, p.changed.URL, p.changed.Body
		for name, values := range p.changed.Header {
			r.header[name] = values
		}
	}
}

// answer gives the request a page of ours, which no server sees.
func (p *pausedRequest) answer(ctx context.Context, html string) error {
	_, err := cdp.Call(ctx, p.tab.target, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: p.id, ResponseCode: http.StatusOK, Body: []byte(html),
		ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
	})
	return err
}

// drop lets the request fail, as if the User had pressed Escape: the page stays where it is.
func (p *pausedRequest) drop(ctx context.Context) error {
	_, err := cdp.Call(ctx, p.tab.target, fetch.FailRequest, fetch.FailRequestParams{RequestID: p.id, ErrorReason: network.ErrorReasonAborted})
	return err
}

func entries(header http.Header) []*fetch.HeaderEntry {
	var all []*fetch.HeaderEntry
	for name, values := range header {
		for _, value := range values {
			all = append(all, &fetch.HeaderEntry{Name: name, Value: value})
		}
	}
	return all
}
