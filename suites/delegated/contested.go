package delegated

import (
	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// The journeys of this file try what a Provider may take for misuse, on grants of their own and after
// the others: it may lawfully end a grant, and grants of one User may be one.

// contested is a device code, or a refresh token, that others tried before its owner.
type contested struct {
	// agent is the second personal agent's attempt, brand the one at the second Brand; nil where they were not made.
	agent, brand *provider.Answer
	// owner is the owner's own attempt, after those.
	owner *provider.Answer
}

// attempts are those of others that were made.
func (a contested) attempts() []*result.Exchange {
	var made []*result.Exchange
	for _, attempt := range []*provider.Answer{a.agent, a.brand} {
		if attempt != nil {
			made = append(made, attempt.Exchange)
		}
	}
	return made
}

// contest has others try what use does before the owner does.
func contest(c *engine.C, p party, use func(provider.Caller, *provider.Delegation) *provider.Answer) contested {
	var a contested
	if second := c.Setup().Second; second != nil {
		a.agent = use(p.caller(c).By(second).As(c.AnotherUser()), p.server.Delegation)
	}
	if d := delegationOfOther(c); d != nil {
		elsewhere := p
		elsewhere.other = true
		a.brand = use(elsewhere.caller(c), d)
	}
	return a
}

// delegationOfOther is the delegated authority of the second Brand; nil where there is none.
func delegationOfOther(c *engine.C) *provider.Delegation {
	if c.Setup().OtherBrand.Card == "" {
		return nil
	}
	return c.OtherCard().Delegation
}

var contestedCode = engine.NewJourney("a device code that others try", func(c *engine.C) contested {
	s := chosen.In(c)
	r := narrow.In(c).ask(c, s.asked()...)
	r.approve(c, home.In(c), s.first)
	a := contest(c, r.party, func(caller provider.Caller, d *provider.Delegation) *provider.Answer {
		return caller.Redeem(d, r.code.DeviceCode)
	})
	a.owner = r.redeem(c)
	r.leave(c, a.owner)
	return a
}, chosen, narrow, home)

var contestedRefresh = engine.NewJourney("a refresh token that others try", func(c *engine.C) contested {
	g := narrow.In(c).again(c, home.In(c))
	token := g.refreshToken(c)
	a := contest(c, g.party, func(caller provider.Caller, d *provider.Delegation) *provider.Answer {
		return caller.Refresh(d, token)
	})
	a.owner = g.caller(c).Refresh(g.server.Delegation, token)
	g.refreshed(a.owner)
	return a
}, chosen, narrow, home)

// approve has the User approve, in a browser that is open or else in a fresh one, and leaves the code to
// be redeemed.
func (r *request) approve(c *engine.C, open *engine.Visit, scopes ...string) *browser.Outcome {
	link := r.link(c)
	if player := c.Setup().Player; player != nil && open == nil {
		if !player.Knows() {
			c.Lacks("a person decides, and when he has only a poll tells, which would redeem the code")
		}
		c.Play(decision{approve: scopes}.task(r, link), r.user, r.lifetime(), func() bool { return false })
		return nil
	}
	v := r.visit(c, open)
	consent, page := v.Reach(link, r.user)
	if consent == nil { // an earlier grant may cover the request; else the token endpoint will tell
		v.See(page)
		return nil
	}
	v.SeeConsent(consent)
	return v.Decide(browser.ApproveOnly(scopes...))
}

// otherSubs is a code that was approved and then polled by another sub of the same personal agent.
var otherSubs = engine.NewJourney("a device code that another sub tries", func(c *engine.C) *provider.Answer {
	s := chosen.In(c)
	r := narrow.In(c).ask(c, s.asked()...)
	r.approve(c, home.In(c), s.first)
	answer := r.caller(c).As(c.AnotherUser()).Redeem(r.server.Delegation, r.code.DeviceCode)
	r.leave(c, answer)
	return answer
}, chosen, narrow, home)

// finality is what came of a decision, and of a code, that was used again.
type finality struct {
	first, again *provider.Answer
	// redeemed is what the token endpoint said after the approval was sent once more when the code was
	// redeemed; nil where pages are not read.
	redeemed *provider.Answer
}

// spent is a grant whose approval was sent twice before its code was redeemed, and once after.
var spent = engine.NewJourney("a decision and a code that are used again", func(c *engine.C) finality {
	s := chosen.In(c)
	r := narrow.In(c).ask(c, s.asked()...)
	if c.Setup().Chromium == nil {
		f := finality{first: r.decide(c, nil, decision{approve: []string{s.first}})}
		r.leave(c, f.first)
		f.again = r.poll(c)
		return f
	}
	v := r.visit(c, home.In(c))
	consent, page := v.Reach(r.link(c), r.user)
	if consent == nil {
		v.See(page)
		c.Lacks("an earlier grant covers this, so that there is no decision to use again")
	}
	v.SeeConsent(consent)
	outcome := v.Decide(browser.ApproveOnly(s.first))
	var f finality
	repeat := func() {
		if outcome.Request != nil {
			v.Send(outcome.Request.Draft())
		}
	}
	repeat()
	f.first = r.redeem(c)
	r.leave(c, f.first)
	f.again = r.poll(c)
	if outcome.Request != nil {
		repeat()
		f.redeemed = r.poll(c)
	}
	return f
}, chosen, narrow, home)

// reused is a refresh token that was used a second time.
var reused = engine.NewJourney("a refresh token that is used again", func(c *engine.C) *provider.Answer {
	r := refreshed.In(c)
	answer := r.caller(c).Refresh(r.server.Delegation, r.spent)
	r.grant.refreshed(answer)
	return answer
}, refreshed)
