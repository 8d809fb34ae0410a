package delegated

import (
	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// The grants of a run come one after the other where an earlier one could change what a later one
// shows: grants of one User and personal agent may add up, and may skip consent (§5.3).

// forged is a decision into which a scope was written that was not asked for. It goes first: what it
// asks for could be covered later.
var forged = engine.NewJourney("a decision with a scope too many", func(c *engine.C) *provider.Answer {
	c.After(undecided...)
	twoScopes(c)
	s := chosen.In(c)
	r := primary(c).ask(c, s.first)
	v := r.visit(c, nil)
	v.SeeConsent(v.Consent(r.link(c), r.user))
	held := v.HoldDecision(browser.ApproveAll())
	draft, err := held.Draft().AddScope(engine.Scopes(r.server.Delegation, s.first), s.extra)
	if err != nil {
		v.Drop(held)
		c.NotApplicable("the decision names no scope in a way in which another could be added: %v", err)
	}
	v.Release(held, draft)
	answer := r.redeem(c)
	r.leave(c, answer)
	return answer
}, server, chosen)

// leave has a token that a journey took revoked at the end, where there is one.
func (r *request) leave(c *engine.C, answer *provider.Answer) {
	if gave(answer) {
		r.take(c, answer)
	}
}

// bareDecision is a decision that was sent without the User's session before it was sent whole.
type bareDecision struct {
	// before is what the token endpoint said after the bare one, after what it said after the whole one.
	before, after *provider.Answer
}

var bare = engine.NewJourney("a decision without the User's session", func(c *engine.C) bareDecision {
	c.After(append(undecided, forged)...)
	s := chosen.In(c)
	r := primary(c).ask(c, s.asked()...)
	v := r.visit(c, nil)
	v.SeeConsent(v.Consent(r.link(c), r.user))
	held := v.HoldDecision(browser.ApproveOnly(s.first))
	another := r.visit(c, nil)
	another.Send(held.Draft().Bare(append(r.scopes, r.code.UserCode)...))
	d := bareDecision{before: r.poll(c)}
	if !pending(d.before) {
		v.Drop(held)
		d.after = d.before
	} else {
		v.Release(held)
		d.after = r.redeem(c)
	}
	r.leave(c, d.after)
	return d
}, server, chosen)

// home is the browser in which the User gave the first grant, and whose session stays live; nil where
// no page is read. One journey after the other goes on with it.
var home = engine.NewJourney("the User's browser", func(c *engine.C) *engine.Visit {
	if c.Setup().Chromium == nil {
		return nil
	}
	return c.LastingVisit("the User's browser")
})

// narrow is the grant that most of §5 is about: of two scopes one was unticked.
var narrow = engine.NewJourney("a grant of one scope", func(c *engine.C) *grant {
	c.After(append(undecided, forged, bare)...)
	s := chosen.In(c)
	return primary(c).obtain(c, home.In(c), s.asked(), []string{s.first})
}, server, chosen, home)

// unasked is what came of a request in the browser of an earlier grant.
type unasked struct {
	// before is what the token endpoint said before any decision, after what it said after one.
	before, after *provider.Answer
	// skipped says that the Provider showed no consent, page what it showed.
	skipped bool
	page    *result.Exchange
}

// covered asks again for what the first grant covers, and decides nothing.
var covered = engine.NewJourney("a request that a grant covers", func(c *engine.C) unasked {
	g := narrow.In(c)
	if home.In(c) == nil {
		c.Lacks("pages are not read, so that it cannot be seen whether one is skipped")
	}
	r := g.ask(c, chosen.In(c).first)
	u := r.look(c, home.In(c))
	if u.skipped {
		r.leave(c, u.before)
	}
	return u
}, chosen, narrow, home)

// look follows the link of a request in a browser that is open, as far as a consent, and polls.
func (r *request) look(c *engine.C, open *engine.Visit) unasked {
	v := r.visit(c, open)
	consent, page := v.Reach(r.link(c), r.user)
	if consent == nil {
		return unasked{skipped: true, page: v.See(page), before: r.poll(c)}
	}
	return unasked{page: v.SeeConsent(consent), before: r.poll(c)}
}

// decided goes on from look: the User approves.
func (u unasked) decided(c *engine.C, r *request, open *engine.Visit, scopes ...string) unasked {
	switch {
	case !pending(u.before):
		r.leave(c, u.before)
	case u.skipped:
		c.Block("no consent was found: the page shows %q", u.page.Page.Text)
	default:
		open.By(c).Decide(browser.ApproveOnly(scopes...))
		u.after = r.redeem(c)
		r.leave(c, u.after)
	}
	return u
}

// uncovered asks in the same browser for a scope more than the first grant has.
var uncovered = engine.NewJourney("a request that no grant covers", func(c *engine.C) unasked {
	g, s := narrow.In(c), chosen.In(c)
	c.After(covered)
	twoScopes(c)
	r := g.ask(c, s.asked()...)
	return r.look(c, home.In(c)).decided(c, r, home.In(c), s.first)
}, chosen, narrow, home)

// otherAgents asks in the same browser for another personal agent.
var otherAgents = engine.NewJourney("another personal agent's request", func(c *engine.C) unasked {
	g, s := narrow.In(c), chosen.In(c)
	c.After(covered, uncovered)
	p := g.party
	p.agent, p.sub = c.Setup().Second, c.AnotherUser()
	r := p.ask(c, s.first)
	return r.look(c, home.In(c)).decided(c, r, home.In(c), s.first)
}, chosen, narrow, home)

// secondAgents is a grant of the same User to the second personal agent.
var secondAgents = engine.NewJourney("a grant to a second personal agent", func(c *engine.C) *grant {
	c.After(otherAgents)
	p := primary(c)
	p.agent = c.Setup().Second
	return p.obtain(c, nil, []string{chosen.In(c).first}, []string{chosen.In(c).first})
}, server, chosen)

// secondUsers is a grant of the second Brand user, of all that is asked for, to the same personal agent
// for the same sub.
var secondUsers = engine.NewJourney("a grant of a second User", func(c *engine.C) *grant {
	p, scopes := narrow.In(c).party, chosen.In(c).asked()
	p.user = c.Setup().Users[1]
	return p.obtain(c, nil, scopes, scopes)
}, chosen, narrow)

// both is a grant of both scopes: another User's, whose grants cover nothing of the first one's.
var both = engine.NewJourney("a grant of two scopes", func(c *engine.C) *grant {
	if len(c.Setup().Users) > 1 {
		return secondUsers.In(c)
	}
	g, scopes := narrow.In(c), chosen.In(c).asked()
	c.After(covered, uncovered, otherAgents, stepLink, refreshed)
	return g.obtain(c, nil, scopes, scopes)
}, chosen, narrow, secondUsers)

// secondBrands is a grant at the second Brand.
var secondBrands = engine.NewJourney("a grant at a second Brand", func(c *engine.C) *grant {
	p := primary(c)
	p.other, p.server = true, otherServer.In(c)
	first := choose(p.server.Delegation, c.Setup().Prompts).first
	return p.obtain(c, nil, []string{first}, []string{first})
}, server, otherServer)

// another is one more grant like the first, for what would disturb that one.
func another(c *engine.C) *grant { return narrow.In(c).again(c, nil) }

// again asks for a grant as this request did, and has the same decided, in a browser that is open or
// else in a fresh one.
func (r *request) again(c *engine.C, open *engine.Visit) *grant {
	s := chosen.In(c)
	return r.obtain(c, open, s.asked(), []string{s.first})
}

// refreshing is a grant whose refresh token was used.
type refreshing struct {
	*grant
	// spent is the refresh token that was used first.
	spent string
	// plain are the answers to refreshes without scope, wider is the one to a refresh that asks for what was unticked.
	plain []*result.Exchange
	wider *provider.Answer
}

var refreshed = engine.NewJourney("a grant that is refreshed", func(c *engine.C) refreshing {
	g := another(c)
	token := g.refreshToken(c)
	r := refreshing{grant: g, spent: token}
	for range 2 {
		answer := g.caller(c).Refresh(g.server.Delegation, g.renewal())
		r.plain = append(r.plain, answer.Exchange)
		g.refreshed(answer)
	}
	if s := chosen.In(c); s.second != "" {
		r.wider = g.caller(c).Refresh(g.server.Delegation, g.renewal(), s.first, s.second)
		g.refreshed(r.wider)
	}
	return r
}, chosen, narrow)

// refreshToken is the grant's; without one there is nothing to refresh.
func (g *grant) refreshToken(c *engine.C) string {
	if g.token.RefreshToken == "" {
		c.NotApplicable("the token answer has no refresh_token")
	}
	return g.renewal()
}
