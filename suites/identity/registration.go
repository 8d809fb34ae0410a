package identity

import (
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §3.1 Registration
var _ = Clause("3.1", func() {
	ExactIssuer("PACT-3.1-01", "trailing-slash", agent.IssuerTrailingSlash())
	ExactIssuer("PACT-3.1-01", "scheme-case", agent.IssuerLetterCase(agent.Scheme))
	ExactIssuer("PACT-3.1-01", "host-case", agent.IssuerLetterCase(agent.Host))
	ExactIssuer("PACT-3.1-01", "path-case", agent.IssuerLetterCase(agent.Path))
	ExactIssuer("PACT-3.1-01", "default-port", agent.IssuerDefaultPort())

	Case("PACT-3.1-02", "rotation", func(c *engine.C) {
		v := RightToken.In(c)
		owner := rotating(c.Setup())
		caller := v.As(c).By(owner)
		c.Control(provider.Steady(func() *provider.Answer { return v.Ask(caller.With(agent.SecondKey())) })).To(judge.BeAccepted())
		rotated := caller.With(agent.SignedBySpare(agent.RotationSpare))
		c.Control(provider.Steady(func() *provider.Answer { return v.Ask(rotated.Expecting(result.ExpectUnauthorized)) })).
			To(judge.BeUnauthorized())
		publish(c, owner, agent.RotationSpare)
		c.Expect(until(c, c.Setup().Limits.RotationWait, judge.BeAccepted(), func() *provider.Answer { return v.Ask(rotated) })).
			To(judge.BeAccepted())
		c.Expect(provider.Steady(func() *provider.Answer { return v.Ask(caller) })).To(judge.BeAccepted())
	}, engine.Using(RightToken), engine.Waits(rotationWait), engine.ToleratesServerErrors())

	Case("PACT-3.1-03", "withdrawn", func(c *engine.C) {
		v := RightToken.In(c)
		withdrawn := v.As(c).With(agent.SignedBySpare(agent.WithdrawalSpare))
		publish(c, c.Setup().Primary, agent.WithdrawalSpare)
		c.Control(until(c, c.Setup().Limits.RotationWait, judge.BeAccepted(), func() *provider.Answer { return v.Ask(withdrawn) })).
			To(judge.BeAccepted())
		if err := c.Setup().Server.Withdraw(c.Setup().Primary.Role, agent.WithdrawalSpare); err != nil {
			c.Fault(err)
		}
		c.Expect(until(c, c.Setup().Limits.WithdrawalWait, judge.BeUnauthorized(), func() *provider.Answer {
			return v.Ask(withdrawn)
		})).To(judge.BeUnauthorized())
	}, engine.Using(RightToken), engine.Alone(),
		engine.Waits(func(l engine.Limits) time.Duration { return l.RotationWait + l.WithdrawalWait }))

	for _, op := range []Operation{Tasks, Send} {
		Case("PACT-3.1-04", op.Name, func(c *engine.C) {
			c.Controlled(letThrough[op.Name].In(c))
			c.Expect(op.Ask(c.Brand().By(c.Setup().Disabled).Expecting(result.ExpectUnauthorized))).To(judge.BeUnauthorized())
			c.Observe("that %s is registered, and disabled, is attested by the configuration", c.Setup().Disabled.Issuer)
		}, engine.Using(letThrough[op.Name]))
	}

	Case("PACT-3.1-04", "device-authorization", func(c *engine.C) {
		offer := c.Card().Delegation
		if offer == nil {
			c.NotApplicable("the card offers no delegated authority")
		}
		c.Controlled(RightToken.In(c).Control)
		c.Expect(c.Brand().By(c.Setup().Disabled).Expecting(result.ExpectUnauthorized).Authorize(offer, offer.FirstScope())).
			To(judge.BeUnauthorized())
	}, engine.Using(RightToken))

	Case("PACT-3.1-05", "both-brands", func(c *engine.C) {
		v := RightToken.In(c)
		token := c.Mint(v.As(c).With(agent.NoJTI())) // a Provider may refuse a jti that it has seen
		c.Control(v.Ask(v.As(c).WithToken(token.Compact, token.Credential))).To(judge.BeAccepted())
		c.Expect(v.Ask(c.OtherBrand().WithToken(token.Compact, token.Credential+", the same"))).To(judge.BeAccepted())
	}, engine.Using(RightToken))

	Case("PACT-3.1-06", "assigned", func(c *engine.C) {
		c.Expect(Card(c)).To(judge.DifferFromURLs(c.Setup().Audience))
	})
	FromURL("PACT-3.1-06", "interface-url", func(c *engine.C) string { return c.Brand().At.URL })
	FromURL("PACT-3.1-06", "card-url", func(c *engine.C) string { return c.Setup().Brand.Card })

	ForeignKey("PACT-3.1-07", "its-kid", agent.KeyOf)
	ForeignKey("PACT-3.1-07", "own-kid", agent.KeyOfUnderOwnKid)

	Case("PACT-3.1-08", "new-sub", func(c *engine.C) {
		known := opened.In(c)
		c.Control(Tasks.Ask(known.owner(c))).To(judge.BeOK())
		c.Expect(Tasks.Ask(c.Brand().Expecting(result.ExpectSuccess))).To(judge.BeOK())
	}, engine.Using(opened))

	Case("PACT-3.1-09", "twenty", func(c *engine.C) {
		const tokens, few = 20, 5
		v := RightToken.In(c)
		since := time.Now()
		var made []*result.Exchange
		for range tokens {
			answer := v.Ask(v.As(c))
			c.Control(answer).To(judge.BeAccepted())
			made = append(made, answer.Exchange)
		}
		c.Judge(append(made, c.Fetches(after(since))...)...).To(judge.HaveFetchedAtMost(engine.KeySetFetch, few))

		since = time.Now()
		for range 3 {
			v.Ask(v.As(c).With(agent.UnpublishedKey()).Expecting(result.ExpectUnauthorized))
		}
		c.Observe("three tokens of unknown kids: %d requests to the issuer", len(c.Fetches(after(since))))
	}, engine.Using(RightToken), engine.Alone())

	WithoutKeySet("PACT-3.1-10", "status-500", agent.Status500)
	WithoutKeySet("PACT-3.1-10", "not-json", agent.NotJSON)
})

func rotationWait(l engine.Limits) time.Duration { return l.RotationWait }

// ExactIssuer is a token of an iss that is almost the registered one. An open Provider may know the
// other issuer too, as somebody else: then the registered agent's conversation must be none of theirs.
func ExactIssuer(id, name string, change agent.Change) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		answer := Refused(c, v, change)
		if !c.Setup().Open || !judge.WasAccepted(answer.Exchange) {
			c.Expect(answer).To(judge.BeUnauthorized())
			return
		}
		owner := v.As(c).Ask()
		c.Control(owner).To(judge.BeOK())
		c.Expect(v.As(c).With(change).Ask(provider.InContext(owner.ContextID()))).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(RightToken), Changing(change))
}

// FromURL is a token whose aud is a URL of the card, which an audience is never derived from.
func FromURL(id, name string, from func(*engine.C) string) {
	Case(id, name, func(c *engine.C) {
		c.Expect(Refused(c, RightToken.In(c), agent.AudienceValue(from(c)))).To(judge.BeUnauthorized())
	}, engine.Using(RightToken))
}

// ForeignKey is a token of the primary agent that the second agent's key signed.
func ForeignKey(id, name string, change func(*agent.Agent) agent.Change) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		second := c.Setup().Second
		c.Control(v.Ask(v.As(c).By(second))).To(judge.BeAccepted())
		c.Expect(Refused(c, v, change(second))).To(judge.BeUnauthorized())
	}, engine.Using(RightToken), engine.WithToken(func(s *engine.Setup) []agent.Change {
		if s.Second == nil {
			return nil
		}
		return []agent.Change{change(s.Second)}
	}))
}

// WithoutKeySet is a token of a key that cannot be fetched, because the JWKS fails in that way.
func WithoutKeySet(id, name string, failure agent.Failure) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		answer := failing(c, failure, func() *provider.Answer { return v.Ask(v.As(c).With(agent.UnpublishedKey())) })
		c.Control(until(c, c.Setup().Limits.RotationWait, judge.BeAccepted(), func() *provider.Answer { return v.Ask(v.As(c)) })).
			To(judge.BeAccepted())
		c.Expect(answer).To(judge.SoftStatus([]int{401}, []int{500, 502, 503, 504}))
	}, engine.Using(RightToken), engine.Alone(), engine.Waits(rotationWait), engine.ToleratesServerErrors(), Changing(agent.UnpublishedKey()))
}

// failing asks while the JWKS of the primary agent fails.
func failing(c *engine.C, failure agent.Failure, ask func() *provider.Answer) *provider.Answer {
	role := c.Setup().Primary.Role
	if err := c.Setup().Server.Fail(role, failure); err != nil {
		c.Fault(err)
	}
	defer func() { _ = c.Setup().Server.Fail(role, agent.Healthy) }() // the role is known: it just was
	return ask()
}

// after keeps the fetches since a time on this machine's clock.
func after(since time.Time) func(agent.Fetch) bool {
	return func(f agent.Fetch) bool { return !f.Time.Before(since) }
}

// rotating is the agent whose keys are rotated: one for whom nobody sends unknown kids meanwhile, so
// that nothing but the new key can make the Provider fetch.
func rotating(s *engine.Setup) *agent.Agent {
	if s.Second != nil {
		return s.Second
	}
	return s.Primary
}

// publish adds a spare key of an agent to its JWKS.
func publish(c *engine.C, owner *agent.Agent, spare agent.Spare) {
	if err := c.Setup().Server.Publish(owner.Role, spare); err != nil {
		c.Fault(err)
	}
}

// until asks again, ever more seldom, until the judge passes or the time is over, and returns the last answer.
func until(c *engine.C, longest time.Duration, j judge.Judge, ask func() *provider.Answer) *provider.Answer {
	const first, seldom = 100 * time.Millisecond, 5 * time.Second
	end := c.Now().Add(longest)
	for pause := first; ; pause = min(2*pause, seldom) {
		answer := ask()
		left := end.Sub(c.Now())
		if left <= 0 || j.Find(answer.Recorded()...).Outcome == result.Passed {
			return answer
		}
		c.Wait(min(pause, left))
	}
}
