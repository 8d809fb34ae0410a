package engine

import (
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Visit is a User's browser, fresh and with cookies of its own, for one body. Its methods end the
// body where the page cannot be worked; what they see and send is recorded.
type Visit struct {
	c       *C
	session *browser.Session
	scopes  []browser.Scope
	sink    *stepSink
	// seen counts the requests that are recorded; bodies that go on with the visit share it.
	seen *int
}

// Visit opens a browser; name says whose it is or what it is for. It ends with the body that opened it.
func (c *C) Visit(name string, scopes []browser.Scope) *Visit {
	v := c.open(name, scopes)
	c.closers = append(c.closers, v.close)
	return v
}

// LastingVisit is a Visit that ends with the run, for other bodies to go on with its live session.
func (c *C) LastingVisit(name string) *Visit {
	v := c.open(name, nil)
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	c.run.closers = append(c.run.closers, v.close)
	return v
}

func (c *C) open(name string, scopes []browser.Scope) *Visit {
	sink := &stepSink{run: c.run}
	sink.into(c.record)
	options := browser.SessionOptions{Name: name, Scopes: scopes}
	if !c.run.setup.NoPictures {
		options.Sink = sink
	}
	s, err := c.run.setup.Chromium.NewSession(c.ctx, options)
	if err != nil {
		c.played(err)
	}
	return &Visit{c: c, session: s, scopes: scopes, sink: sink, seen: new(int)}
}

func (v *Visit) close() { _ = v.session.Close() }

// By hands a visit that a journey opened to the body of c, which must be the only one to use it.
func (v *Visit) By(c *C) *Visit {
	taken := *v
	taken.c = c
	taken.sink.into(c.record)
	return &taken
}

// Expecting says which scopes the next consent asks for, and which code it is about.
func (v *Visit) Expecting(scopes []browser.Scope, userCode string) *Visit {
	v.session.Expect(scopes...)
	v.session.AddSecret(userCode)
	v.scopes = scopes
	return v
}

// played ends the body: the User's part could not be played. What the pages lack blocks; what is the
// matter with Chromium itself is an error, and gets a second look.
func (c *C) played(err error) {
	switch browser.KindOf(err) {
	case browser.Crashed, browser.Closed, browser.NotStarted, browser.NoChromium, "":
		c.record.troubled()
		c.stop(result.Errored, err.Error())
	}
	c.stop(result.Blocked, err.Error())
}

func (v *Visit) must(err error) {
	v.flush()
	if err != nil {
		v.c.played(err)
	}
}

// done passes on what a method of the session returned, unless that was an error.
func done[T any](v *Visit) func(T, error) T {
	return func(value T, err error) T {
		v.must(err)
		return value
	}
}

// Open follows a link and returns the page on which it settles.
func (v *Visit) Open(link string) *browser.Page {
	return done[*browser.Page](v)(v.session.Open(v.c.ctx, link))
}

// SignIn signs in on the page that is open.
func (v *Visit) SignIn(user User) *browser.Page {
	return done[*browser.Page](v)(v.session.SignIn(v.c.ctx, user.Credentials))
}

// Reach follows a link and signs in where it is asked to. The consent is nil where the way ends on
// another page.
func (v *Visit) Reach(link string, user User) (*browser.Consent, *browser.Page) {
	consent, page, err := v.session.Reach(v.c.ctx, link, user.Credentials)
	if kind := browser.KindOf(err); page != nil && (kind == browser.ConsentNotFound || kind == browser.LoginRefused) {
		err = nil
	}
	v.must(err)
	return consent, page
}

// Consent follows a link to the consent page; a body whose way ends elsewhere is blocked.
func (v *Visit) Consent(link string, user User) *browser.Consent {
	consent, _, err := v.session.Reach(v.c.ctx, link, user.Credentials)
	v.must(err)
	return consent
}

// GoOn signs in on the page that is open, where it asks to, and reads the consent; a body whose way
// ends elsewhere is blocked.
func (v *Visit) GoOn(user User) *browser.Consent {
	page := v.SignIn(user)
	if page.AsksToSignIn() {
		v.c.Block("the login was refused: %s", page.Seen())
	}
	return done[*browser.Consent](v)(v.session.Consent(v.c.ctx))
}

// Decide decides on the consent page that is open.
func (v *Visit) Decide(decision browser.Decision) *browser.Outcome {
	return done[*browser.Outcome](v)(v.session.Decide(v.c.ctx, decision))
}

// TryDecide is Decide where the page may rightly refuse: it reports whether it let the User decide.
func (v *Visit) TryDecide(decision browser.Decision) bool {
	_, err := v.session.Decide(v.c.ctx, decision)
	if browser.KindOf(err) == browser.ApproveDisabled {
		v.flush()
		return false
	}
	v.must(err)
	return true
}

// HoldDecision decides, and keeps the request that carries the decision from being sent.
func (v *Visit) HoldDecision(decision browser.Decision) *browser.Held {
	return done[*browser.Held](v)(v.session.HoldDecision(v.c.ctx, decision))
}

// HoldAssertion signs in, and keeps the request that carries the assertion from being sent.
func (v *Visit) HoldAssertion(link string, user User, like *browser.Crossing) *browser.Held {
	return done[*browser.Held](v)(v.session.HoldAssertion(v.c.ctx, link, user.Credentials, like))
}

// Release sends a held request on, changed where a draft is given.
func (v *Visit) Release(held *browser.Held, changed ...browser.Draft) *browser.Outcome {
	if len(changed) > 0 {
		return done[*browser.Outcome](v)(held.Send(v.c.ctx, changed[0]))
	}
	return done[*browser.Outcome](v)(held.Continue(v.c.ctx))
}

// Drop ends a held request without sending it.
func (v *Visit) Drop(held *browser.Held) { v.must(held.Drop(v.c.ctx)) }

// Send sends a request as the page that is open would, PostForm from a page of the form's own origin.
func (v *Visit) Send(d browser.Draft) *browser.Outcome {
	return done[*browser.Outcome](v)(v.session.Send(v.c.ctx, d))
}

// PostForm is Send from a page of the draft's own, as a form on another site would.
func (v *Visit) PostForm(d browser.Draft) *browser.Outcome {
	return done[*browser.Outcome](v)(v.session.PostForm(v.c.ctx, d))
}

// Frame shows a page inside a frame of a page of another origin.
func (v *Visit) Frame(d browser.Draft) *browser.Framing {
	return done[*browser.Framing](v)(v.session.Frame(v.c.ctx, d))
}

// Cookies are those of an origin.
func (v *Visit) Cookies(origin string) []browser.Cookie {
	return done[[]browser.Cookie](v)(v.session.Cookies(v.c.ctx, origin))
}

// Crossing is how the User came from the login to the consent; nil where both share an origin.
func (v *Visit) Crossing(consent *browser.Consent) *browser.Crossing {
	return v.session.Crossing(consent)
}

// AddSecret masks a text in pages and pictures.
func (v *Visit) AddSecret(text string) { v.session.AddSecret(text) }

// See records what a page shows, as the exchange that brought its document.
func (v *Visit) See(p *browser.Page) *result.Exchange { return v.show(p, pageOf(p)) }

// SeeConsent is See with the controls of a consent page.
func (v *Visit) SeeConsent(consent *browser.Consent) *result.Exchange {
	p := pageOf(&consent.Page)
	owner := map[*browser.Checkbox]string{}
	for id, box := range consent.Boxes(v.scopes) {
		owner[box] = id
	}
	for i := range consent.Checkboxes {
		box := &consent.Checkboxes[i]
		p.Checkboxes = append(p.Checkboxes, result.Checkbox{
			Scope: owner[box], Label: box.Label, Checked: box.Checked, Enabled: box.Enabled, Required: box.Required,
		})
	}
	if consent.Approve != nil {
		p.Approve = consent.Approve.Text
	}
	if consent.Deny != nil {
		p.Deny = consent.Deny.Text
	}
	return v.show(&consent.Page, p)
}

func pageOf(p *browser.Page) *result.Page {
	return &result.Page{Kind: string(p.Kind), URL: p.URL, Title: p.Title, Text: p.Text, Content: p.Content}
}

// show records a page with the exchange that brought it. A script may have given the page another
// URL since; it is then an exchange of its own.
func (v *Visit) show(seen *browser.Page, p *result.Page) *result.Exchange {
	requests := v.session.Requests()
	x := result.Exchange{
		Started: v.c.run.now(), Request: result.Request{Method: http.MethodGet, URL: p.URL},
		Response: &result.Response{Status: seen.Status, Header: seen.Header},
	}
	for i := range requests {
		if r := &requests[i]; r.Type == document && r.URL == p.URL && r.Status != 0 && (r.Status < 300 || r.Status >= 400) {
			x = r.Exchange()
		}
	}
	return v.keep(x, p)
}

// document is the type of a request that brings a page.
const document = "Document"

// flush records the requests since the last time: documents, and what scripts sent.
func (v *Visit) flush() {
	requests := v.session.Requests()
	for i := *v.seen; i < len(requests); i++ {
		r := &requests[i]
		if r.Type != document && r.Method == http.MethodGet || r.Method == http.MethodOptions {
			continue
		}
		v.keep(r.Exchange(), nil)
	}
	*v.seen = len(requests)
}

func (v *Visit) keep(x result.Exchange, p *result.Page) *result.Exchange {
	x.Page = p
	x.Tags = result.Tags{
		Case: v.c.name, Operation: provider.OperationPage, Credential: "the User", Expect: result.ExpectAny,
		Browser: true, SecondLook: v.c.secondLook,
	}
	kept := v.c.run.recorder.Record(x, "")
	v.c.record.made(kept.ID)
	return kept
}

// Scopes are scopes with the descriptions of a card, as a browser looks for them.
func Scopes(d *provider.Delegation, ids ...string) []browser.Scope {
	var all []browser.Scope
	for _, id := range ids {
		all = append(all, browser.Scope{ID: id, Description: d.Scopes[id]})
	}
	return all
}

// stepSink takes the steps of a visit into the record of the body that has it.
type stepSink struct {
	run    *run
	record atomic.Pointer[record]
}

func (s *stepSink) into(r *record) { s.record.Store(r) }

// Step keeps one step and its picture.
func (s *stepSink) Step(step browser.Step) {
	kept := result.Step{
		Session: step.Session, Name: s.run.recorder.Text(step.Name), At: step.Time.Sub(s.run.start).Seconds(),
		URL: s.run.recorder.Text(step.URL), Title: s.run.recorder.Text(step.Title), Text: s.run.recorder.Text(step.Text),
	}
	if len(step.PNG) > 0 {
		kept.Picture = s.run.keepPicture(step.Session, step.PNG)
	}
	s.record.Load().step(kept)
}

// plainName keeps of a text what a file name may hold.
func plainName(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(text)), "-")
}
