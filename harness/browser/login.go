package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Credentials are what a Brand user signs in with.
type Credentials struct {
	Username, Password string
	// TOTP makes a one-time code; nil when the login asks for none.
	TOTP func() (string, error)
}

// SignIn signs in on the page that is open, on one page or several, and returns the page on which it
// settles: a consent, the login again (wrong password), or anything else. A page between with
// nothing but a control to go on is passed. When the session is signed in already it returns the
// page as it is. It fails only when the login cannot be worked; whether it went well is in the Kind.
func (s *Session) SignIn(ctx context.Context, user Credentials) (*Page, error) {
	var p *Page
	err := s.step(ctx, "sign in", func(ctx context.Context) error {
		v, err := s.signIn(ctx, user)
		if err == nil {
			p = s.pageOf(v)
			if v.kind != PageConsent {
				s.shootPage(ctx, "after signing in", p)
			}
		}
		return err
	})
	return p, err
}

// The steps of a login, each of which is done once: a step that is asked for again was refused.
const (
	stepUsername = "user name"
	stepPassword = "password"
	stepCode     = "one-time code"
)

// maxContinues is the most pages with a control to go on that are passed in a row.
const maxContinues = 4

// signIn works the login until there is nothing more to fill in.
func (s *Session) signIn(ctx context.Context, user Credentials) (*sight, error) {
	s.AddSecret(user.Password)
	done := map[string]bool{}
	continues := 0
	ready := settled
	for {
		v, err := s.await(ctx, ready)
		if err != nil {
			return nil, err
		}
		ready = settled
		if v.unreachable != "" {
			return nil, s.unreached(v)
		}
		var pressed error
		sent := v
		switch v.kind {
		case PageLogin, PageCode:
			parts := v.loginParts()
			step := stepOf(parts, v.kind)
			if done[step] {
				return v, nil
			}
			done[step] = true
			if step == stepPassword {
				done[stepUsername] = true
			}
			sent, pressed = s.enter(ctx, v, parts, step, user)
		case PageContinue:
			if continues++; continues > maxContinues {
				return v, nil
			}
			pressed = v.click(ctx, v.continues().N)
		default:
			return v, nil
		}
		if pressed != nil && !errors.Is(pressed, errGone) {
			return nil, pressed
		}
		ready = s.beyond(sent, done)
	}
}

func stepOf(parts loginParts, kind PageKind) string {
	switch {
	case kind == PageCode:
		return stepCode
	case parts.password != nil:
		return stepPassword
	}
	return stepUsername
}

// beyond accepts a settled page once something has come of what was done to v. The same document
// that asks for the same again is given time: its script may yet make something of an answer.
func (s *Session) beyond(v *sight, done map[string]bool) func(*sight, time.Duration) bool {
	s.mu.Lock()
	mark := s.acted
	s.mu.Unlock()
	before := v.says()
	return func(now *sight, still time.Duration) bool {
		asksAgain := now.kind == v.kind && (now.kind == PageContinue || done[stepOf(now.loginParts(), now.kind)])
		if now.loader != v.loader || !asksAgain {
			return settled(now, still)
		}
		s.mu.Lock()
		sent := slices.ContainsFunc(s.records[min(mark, len(s.records)):], func(r *record) bool { return r.document() || r.scripted() && !r.beats })
		s.mu.Unlock()
		return (sent || now.says() != before) && still >= stillUnknown
	}
}

// enter fills in one page of the login and sends it. It returns the page as it was when it was sent.
func (s *Session) enter(ctx context.Context, v *sight, parts loginParts, step string, user Credentials) (*sight, error) {
	last := 0
	fill := func(f *field, text string) error {
		last = f.N
		return v.fill(ctx, f.N, text)
	}
	var err error
	if parts.username != nil && step != stepCode && user.Username != "" {
		err = fill(parts.username, user.Username)
	}
	if err == nil && step == stepPassword {
		err = fill(parts.password, user.Password)
		s.mu.Lock()
		s.signedAt, s.password = len(s.records), user.Password
		s.mu.Unlock()
	}
	if err == nil && len(parts.code) > 0 && (step == stepCode || step == stepPassword && user.TOTP != nil) {
		err = s.enterCode(v, parts.code, user, fill)
	}
	switch {
	case err != nil:
		return v, err
	case last == 0:
		return v, s.trouble("", LoginNotFound, "nothing to fill in: "+s.pageOf(v).Seen(), nil)
	}
	s.shootPage(ctx, step+" filled in", s.pageOf(v))
	return s.send(ctx, v, step, last)
}

// enterCode fills in a one-time code: into its field, or digit by digit into a row of them.
func (s *Session) enterCode(v *sight, fields []field, user Credentials, fill func(*field, string) error) error {
	if user.TOTP == nil {
		return s.trouble("", LoginNotFound, "the login asks for a one-time code and the configuration has no secret for it: "+s.pageOf(v).Seen(), nil)
	}
	code, err := user.TOTP()
	if err != nil {
		return s.trouble("", LoginNotFound, "no one-time code", err)
	}
	s.AddSecret(code)
	if len(fields) == 1 {
		return fill(&fields[0], code)
	}
	digits := []rune(code)
	for i := range min(len(digits), len(fields)) {
		if err := fill(&fields[i], string(digits[i])); err != nil {
			return err
		}
	}
	return nil
}

// send presses the button that sends the login, or Enter in the last field where there is none. It
// returns the page as it was just before.
func (s *Session) send(ctx context.Context, v *sight, step string, last int) (*sight, error) {
	var sender *button
	now, err := s.await(ctx, func(now *sight, still time.Duration) bool {
		sender = now.sender(step, last)
		return now.loader != v.loader || sender != nil && sender.Enabled || still >= 2*stillKnown
	})
	switch {
	case err != nil:
		return v, err
	case now.loader != v.loader:
		return v, errGone // a page that sends itself when the last letter is typed
	case sender != nil && sender.Enabled:
		return now, now.click(ctx, sender.N)
	}
	if err := v.tab.run(ctx, v.frame, fmt.Sprintf("pact.focus(%d)", last), nil); err != nil {
		return now, err
	}
	s.touch(now)
	return now, v.key(ctx, '\r')
}

// sender is the button that sends a step of the login whose last field is given.
func (l *look) sender(step string, last int) *button {
	form := 0
	for _, f := range l.Fields {
		if f.N == last {
			form = f.Form
		}
	}
	part, wanted := partSubmit, []meaning{signIn, proceed}
	if step == stepUsername {
		part, wanted = partNext, []meaning{proceed, signIn}
	}
	for _, part := range []string{part, partSubmit} {
		if n := l.Recipe[part]; n > 0 {
			return l.byNumber(n)
		}
	}
	return l.submits(form, wanted...)
}

// unreached is the error for a page that the network did not bring.
func (s *Session) unreached(v *sight) *Error {
	s.mu.Lock()
	reason := ""
	for _, r := range s.records {
		if r.failed != "" && r.document() && r.frame == v.frame {
			reason = r.failed
		}
	}
	s.mu.Unlock()
	kind := Unreachable
	if strings.Contains(reason, "CERT") || strings.Contains(reason, "SSL") {
		kind = Certificate
	}
	return s.trouble("", kind, strings.TrimSpace(reason+" at "+originOf(v.unreachable)), nil)
}

// Reach opens a link and signs in unless that is skipped: the way to the consent page. It fails with
// LoginRefused, LoginNotFound or ConsentNotFound when it ends elsewhere; the page is returned with
// the error then, where there is one.
func (s *Session) Reach(ctx context.Context, link string, user Credentials) (*Consent, *Page, error) {
	if done, err := s.turn(ctx); err == nil {
		defer done() // one turn for the whole way; without one the first step says why
	}
	p, err := s.Open(ctx, link)
	if err == nil && p.Kind != PageConsent {
		p, err = s.SignIn(ctx, user)
	}
	if err != nil {
		return nil, p, err
	}
	if err := p.mustBeConsent(); err != nil {
		bounded, cancel := context.WithTimeout(ctx, s.aftermath())
		defer cancel()
		s.shoot(bounded, "trouble: "+err.Error())
		return nil, p, err
	}
	consent, err := s.Consent(ctx)
	return consent, p, err
}

// mustBeConsent is the error that tells what the page is instead.
func (p *Page) mustBeConsent() error {
	switch {
	case p.Kind == PageConsent:
		return nil
	case len(p.loaded) > 0:
		return &Error{Kind: Download, Step: "sign in", Saw: p.Seen()}
	case p.AsksToSignIn():
		return &Error{Kind: LoginRefused, Step: "sign in", Saw: p.Seen()}
	}
	return &Error{Kind: ConsentNotFound, Step: "sign in", Saw: p.Seen()}
}
