package browser

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// Held is a request of the session that waits on its way: the page has sent it, the server has not
// seen it. End it with Continue, Send or Drop.
type Held struct {
	session *Session
	paused  *pausedRequest
	remove  func()
	name    string
}

// Draft is the request as the page sent it, unmasked.
func (h *Held) Draft() Draft { return h.paused.draft }

// Assertion is the field that carries the Brand's assertion, unmasked; see Draft.Assertion.
func (h *Held) Assertion() (Field, bool) {
	h.session.mu.Lock()
	defer h.session.mu.Unlock()
	return h.paused.draft.Assertion(h.session.link)
}

// HoldDecision sets the checkboxes, presses the control and keeps the request that carries the
// decision from being sent. It fails with NotHeld when the page settles without such a request.
func (s *Session) HoldDecision(ctx context.Context, decision Decision) (*Held, error) {
	var h *Held
	name := decision.String() + ", held back"
	err := s.step(ctx, name, func(ctx context.Context) error {
		v, err := s.await(ctx, settled)
		if err != nil {
			return err
		}
		hold, err := s.hold(ctx, func(p *pausedRequest) bool {
			return decisionScore(p.asRecord(), v, s.options.Scopes) >= sureDecision || p.draft.Navigation && originOf(p.from) == v.Origin
		})
		if err != nil {
			return err
		}
		// Chromium runs no script of ours in a page whose navigation is held.
		unheld, cancel := hold.until(ctx)
		defer cancel()
		if _, _, err = s.press(unheld, decision); err == nil || hold.has() {
			h, err = hold.wait(ctx, name)
		}
		if err != nil {
			hold.remove()
		}
		return err
	})
	return h, err
}

// HoldAssertion opens a link, signs in and keeps the request that carries the assertion from the
// Brand's login to the Provider from being sent. like is the crossing of an earlier, whole journey,
// by which the request is told from others; without one it is the first that posts something new to
// another origin once the password is typed.
func (s *Session) HoldAssertion(ctx context.Context, link string, user Credentials, like *Crossing) (*Held, error) {
	var h *Held
	const name = "sign in, assertion held back"
	err := s.step(ctx, name, func(ctx context.Context) error {
		hold, err := s.hold(ctx, func(p *pausedRequest) bool { return s.isAssertion(p, like) })
		if err != nil {
			return err
		}
		s.follows(link)
		var v *sight
		unheld, cancel := hold.until(ctx)
		defer cancel()
		if err = s.navigate(unheld, link); err == nil {
			v, err = s.signIn(unheld, user)
		}
		switch {
		case hold.has():
			h, err = hold.wait(ctx, name)
		case err == nil:
			err = s.trouble("", NotHeld, "nothing was posted from the login to another origin: "+s.pageOf(v).Seen(), nil)
		}
		if err != nil {
			hold.remove()
		}
		return err
	})
	return h, err
}

// isAssertion reports whether the request is the one from the login to the Provider. The session's
// mutex is held.
func (s *Session) isAssertion(p *pausedRequest, like *Crossing) bool {
	if p.draft.Method != http.MethodPost || originOf(p.from) == originOf(p.draft.URL) || s.holdsPassword(p.asRecord()) {
		return false
	}
	if _, posts := p.draft.Assertion(s.link); !posts {
		return false
	}
	if like != nil {
		return originOf(p.draft.URL) == like.Request.Origin && (like.Request.From == "" || originOf(p.from) == like.Request.From)
	}
	return s.password != ""
}

// hold is a rule that keeps the first request that matches.
type hold struct {
	session *Session
	remove  func()
	held    chan struct{} // closed once paused is set
	paused  *pausedRequest
}

func (s *Session) hold(ctx context.Context, matches func(*pausedRequest) bool) (*hold, error) {
	h := &hold{session: s, held: make(chan struct{})}
	var taken atomic.Bool
	remove, err := s.addRule(ctx, &rule{
		matches: func(p *pausedRequest) bool { return !taken.Load() && matches(p) && taken.CompareAndSwap(false, true) },
		act: func(_ context.Context, p *pausedRequest) {
			h.paused = p
			close(h.held)
		},
	})
	h.remove = remove
	return h, err
}

// has reports whether a request is held.
func (h *hold) has() bool {
	select {
	case <-h.held:
		return true
	default:
		return false
	}
}

// until is a context that ends when a request is held: what waits for the page need not wait longer.
func (h *hold) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	h.session.mu.Lock()
	h.session.background(func(context.Context) {
		select {
		case <-h.held:
			cancel()
		case <-ctx.Done():
		}
	})
	h.session.mu.Unlock()
	return ctx, cancel
}

// wait returns the held request, or fails once the page has settled without it. A page whose request
// is held is busy with it.
func (h *hold) wait(ctx context.Context, name string) (*Held, error) {
	s := h.session
	unheld, cancel := h.until(ctx)
	defer cancel()
	v, err := s.await(unheld, func(_ *sight, still time.Duration) bool { return still >= 2*stillUnknown })
	switch {
	case h.has():
	case err == nil:
		return nil, s.trouble("", NotHeld, s.pageOf(v).Seen(), nil)
	default:
		return nil, err
	}
	held := &Held{session: s, paused: h.paused, remove: h.remove, name: name}
	if secret, carries := held.Assertion(); carries && originOf(h.paused.from) != originOf(h.paused.draft.URL) {
		s.AddSecret(secret.Value)
	}
	return held, nil
}

// Continue sends the request as it is and returns when the session has settled.
func (h *Held) Continue(ctx context.Context) (*Outcome, error) { return h.release(ctx, "sent on", nil) }

// Send sends a changed request in its place and returns when the session has settled.
func (h *Held) Send(ctx context.Context, changed Draft) (*Outcome, error) {
	return h.release(ctx, "changed and sent on", &changed)
}

func (h *Held) release(ctx context.Context, how string, changed *Draft) (*Outcome, error) {
	s := h.session
	var o *Outcome
	err := s.step(ctx, h.name+", "+how, func(ctx context.Context) error {
		err := h.paused.pass(ctx, changed)
		h.remove()
		if err == nil {
			o, err = s.answered(ctx, h.paused, h.name+", "+how)
		}
		return err
	})
	return o, err
}

// Drop takes the request off its way: the server never sees it, and the page stays where it is.
func (h *Held) Drop(ctx context.Context) error {
	return h.session.step(ctx, h.name+", dropped", func(ctx context.Context) error {
		err := h.paused.drop(ctx)
		h.remove()
		if err == nil {
			_, err = h.session.await(ctx, func(_ *sight, still time.Duration) bool { return still >= stillKnown })
		}
		return err
	})
}

// answered waits until a request that was let go has its answer and the session has settled.
func (s *Session) answered(ctx context.Context, p *pausedRequest, name string) (*Outcome, error) {
	v, err := s.await(ctx, func(v *sight, still time.Duration) bool {
		s.mu.Lock()
		done := p.record != nil && (p.record.done() || p.record.status != 0)
		s.mu.Unlock()
		return done && still >= stillKnown && (settled(v, still) || !p.draft.Navigation)
	})
	if err != nil {
		return nil, err
	}
	shown := s.pageOf(v)
	s.shootPage(ctx, name, shown)
	s.mu.Lock()
	copied := *p.record
	s.mu.Unlock()
	return &Outcome{Page: shown, Request: s.requestOf(&copied)}, nil
}
