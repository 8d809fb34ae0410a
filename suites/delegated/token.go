package delegated

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/harness/verify"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §5.3 Getting a token: token answers
var _ = Clause("5.3", func() {
	Case("PACT-5.3-15", "answer", func(c *engine.C) {
		g := narrow.In(c)
		c.Judge(g.answer).To(judge.BeTokenAnswer())
		c.Judge(g.answer).To(judge.ExpireNoLater(c.ClockOffset().Seconds()))
	}, engine.Using(narrow))
	Case("PACT-5.3-16", "token", func(c *engine.C) {
		c.Judge(narrow.In(c).answer).To(judge.NotBeStored())
	}, engine.Using(narrow))
	Case("PACT-5.3-16", "refresh", func(c *engine.C) {
		r := refreshed.In(c)
		if judge.GiveAToken().Find(r.plain[0]).Outcome != result.Passed {
			c.NotApplicable("a refresh gives no token, which PACT-5.3-21 says")
		}
		c.Judge(r.plain[0]).To(judge.NotBeStored())
	}, engine.Using(refreshed))
	Case("PACT-5.3-18", "redeemed-again", func(c *engine.C) {
		f := spent.In(c)
		c.Control(f.first).To(judge.GiveAToken())
		c.Expect(f.again).To(judge.BeAnyOAuthError())
	}, engine.Using(spent), engine.Alone())

	Case("PACT-5.3-21", "refreshed", func(c *engine.C) {
		r := refreshed.In(c)
		c.ControlOver(r.answer).To(judge.ListTheGrantedScopes())
		c.Judge(append([]*result.Exchange{r.answer}, r.plain...)...).To(judge.ContinueTheGrant(chosen.In(c).asked()))
	}, engine.Using(chosen, refreshed))
	Case("PACT-5.3-21", "two-scopes", func(c *engine.C) {
		twoScopes(c)
		g := both.In(c)
		c.ControlOver(g.answer).To(judge.ListTheGrantedScopes())
		g.refreshToken(c)
		again := g.refresh(c)
		c.Judge(g.answer, again.Exchange).To(judge.ContinueTheGrant(cardScopes(g)))
	}, engine.Using(chosen, both))
	Case("PACT-5.3-22", "used-again", func(c *engine.C) {
		r := refreshed.In(c)
		rotated := "the refresh token stays the same"
		if r.renewal() != r.spent {
			rotated = "refresh tokens rotate"
		}
		c.Observe("%s; the used one gets %s", rotated, judge.Told(reused.In(c).Exchange))
	}, engine.Using(refreshed, reused), engine.Alone())
	Case("PACT-5.3-24", "unticked", func(c *engine.C) {
		twoScopes(c)
		r, s := refreshed.In(c), chosen.In(c)
		if slices.Contains(r.held(), s.second) {
			c.Block("the grant has %s before it is refreshed, which PACT-5.3-17 says", s.second)
		}
		c.ControlOver(r.plain[0]).To(judge.GiveAToken())
		c.Expect(r.wider).To(judge.GrantWithin([]string{s.first}, nil))
	}, engine.Using(chosen, refreshed))
	Case("PACT-5.3-45", "refresh-token", func(c *engine.C) {
		c.Judge(narrow.In(c).answer).To(judge.GiveARefreshToken())
	}, engine.Using(narrow))
})

// §5.3 Getting a token: to whom codes and tokens belong
var _ = Clause("5.3", func() {
	Case("PACT-5.3-12", "second-agent", func(c *engine.C) {
		c.ControlOver(narrow.In(c).answer).To(judge.GiveAToken())
		c.Expect(contestedCode.In(c).agent).To(judge.BeAnyOAuthError())
	}, engine.Using(narrow, contestedCode), engine.Alone())
	Case("PACT-5.3-13", "another-sub", func(c *engine.C) {
		c.Observe("another sub of the same personal agent gets %s", judge.Told(otherSubs.In(c).Exchange))
	}, engine.Using(otherSubs), engine.Alone())
	Case("PACT-5.3-23", "second-agent", func(c *engine.C) {
		c.ControlOver(refreshed.In(c).plain[0]).To(judge.GiveAToken())
		c.Expect(contestedRefresh.In(c).agent).To(judge.BeAnyOAuthError())
	}, engine.Using(refreshed, contestedRefresh), engine.Alone())
	Case("PACT-5.3-40", "device-code", func(c *engine.C) { mustHaveKept(c, contestedCode.In(c)) },
		engine.Using(contestedCode), engine.Alone())
	Case("PACT-5.3-40", "refresh-token", func(c *engine.C) {
		c.ControlOver(refreshed.In(c).plain[0]).To(judge.GiveAToken())
		mustHaveKept(c, contestedRefresh.In(c))
	}, engine.Using(refreshed, contestedRefresh), engine.Alone())
	Case("PACT-5.3-44", "device-code", func(c *engine.C) {
		c.ControlOver(narrow.In(c).answer).To(judge.GiveAToken())
		c.Expect(elsewhere(c, contestedCode.In(c))).To(judge.BeAnyOAuthError())
	}, engine.Using(narrow, contestedCode), engine.Alone())
	Case("PACT-5.3-44", "refresh-token", func(c *engine.C) {
		c.ControlOver(refreshed.In(c).plain[0]).To(judge.GiveAToken())
		c.Expect(elsewhere(c, contestedRefresh.In(c))).To(judge.BeAnyOAuthError())
	}, engine.Using(refreshed, contestedRefresh), engine.Alone())
})

// mustHaveKept judges that attempts of others, which were refused, have not spent what is the owner's.
func mustHaveKept(c *engine.C, a contested) {
	c.ControlOver(a.attempts()...).To(judge.GiveNoToken())
	c.Expect(a.owner).To(judge.GiveAToken())
}

// elsewhere is the attempt at the second Brand. It shows nothing where the second agent's attempt
// before it has spent what is the owner's.
func elsewhere(c *engine.C, a contested) *provider.Answer {
	if a.brand == nil {
		c.Lacks("the card of the other Brand offers no delegated authority")
	}
	if a.agent != nil && !gave(a.brand) && !gave(a.owner) {
		c.Block("the second personal agent's attempt has spent it, which PACT-5.3-40 says")
	}
	return a.brand
}

// §5.3 Getting a token: clients that do as RFC 8628 says
var _ = Clause("5.3", func() {
	Case("PACT-5.3-41", "x-oauth2", func(c *engine.C) {
		c.ControlOver(narrow.In(c).answer).To(judge.GiveAToken())
		answer, err := stockClient(c)
		refusal := ""
		if err != nil {
			refusal = strings.Join(strings.Fields(err.Error()), " ") + ", after " + judge.Told(answer.Exchange)
		}
		c.Expect(answer).To(judge.Witness("golang.org/x/oauth2 gets a token, with nothing added but the Authorization header", refusal))
	}, engine.Using(server, chosen, narrow))
	Case("PACT-5.3-42", "two-polls", func(c *engine.C) {
		p := polled.In(c)
		c.Expect(p.before...).To(judge.StillPending())
		if pending(p.after) { // whether decisions reach their requests at all another tells
			c.ControlOver(narrow.In(c).answer).To(judge.GiveAToken())
		}
		c.Expect(p.after).To(judge.GiveAToken())
	}, engine.Using(narrow, polled))
	Case("PACT-5.3-42", "after-slow-down", func(c *engine.C) {
		c.Expect(slowedDown(c)).To(judge.BeOAuthError(undecidedYet))
	}, engine.Using(hurried))
	Case("PACT-5.3-43", "slow-down", func(c *engine.C) {
		later := slowedDown(c)
		c.Control(later).To(judge.BeOAuthError(undecidedYet))
		c.Expect(later).To(judge.BeOAuthError([]string{errPending}))
	}, engine.Using(hurried))
})

// stockClient has golang.org/x/oauth2 get a token with nothing added but the Authorization header, and
// returns the last answer that it got and what it made of it.
func stockClient(c *engine.C) (*provider.Answer, error) {
	s, scope := server.In(c), chosen.In(c).first
	r := &request{party: primary(c), scopes: chosen.In(c).asked()}
	var last *provider.Answer
	caller := r.caller(c)
	seen := caller.Seen
	caller.Seen = func(answer *provider.Answer) {
		last = answer
		seen(answer)
	}
	client := oauth2.Config{ClientID: r.agent.Issuer, Scopes: r.scopes, Endpoint: oauth2.Endpoint{
		DeviceAuthURL: s.DeviceAuthorizationURL, TokenURL: s.TokenURL, AuthStyle: oauth2.AuthStyleInParams,
	}}
	ctx := context.WithValue(c.Context(), oauth2.HTTPClient, caller.Client(provider.OperationDevice))
	code, err := client.DeviceAuth(ctx)
	if err != nil {
		return last, err
	}
	r.asked = last.Exchange
	last.Into(&r.code)
	r.interval = defaultInterval
	if code.Interval == 0 {
		code.Interval = int64(defaultInterval.Seconds())
	}
	r.approve(c, nil, scope)
	ctx = context.WithValue(c.Context(), oauth2.HTTPClient, caller.Client(provider.OperationToken))
	// It polls until the code expires, which is longer than a decision that was made takes to be known.
	ctx, cancel := context.WithTimeout(ctx, mostPolls*(time.Duration(code.Interval)*time.Second+slowDown))
	defer cancel()
	_, err = client.DeviceAccessToken(ctx, code)
	r.leave(c, last)
	return last, err
}

// polls are two polls an interval apart before the User decides, and the answer after; nil where the
// polls have ended the request, so that there is nothing to decide.
type polls struct {
	before []*provider.Answer
	after  *provider.Answer
}

// polled is a request that is polled before the User decides.
var polled = engine.NewJourney("a request that is polled before the decision", func(c *engine.C) polls {
	c.After(narrow)
	s := chosen.In(c)
	r := primary(c).ask(c, s.asked()...)
	r.polled = c.Now() // so that the first poll is spaced as well
	p := polls{before: []*provider.Answer{r.poll(c), r.poll(c)}}
	if !pending(p.before[1]) {
		r.leave(c, p.before[1])
		return p
	}
	p.after = r.decide(c, nil, decision{approve: []string{s.first}})
	r.leave(c, p.after)
	return p
}, server, chosen)

// slowedDown is the poll of a client that did as slow_down told it.
func slowedDown(c *engine.C) *provider.Answer {
	h := hurried.In(c)
	if h.later == nil {
		c.NotApplicable("the Provider says slow_down nowhere")
	}
	return h.later
}

// §5.4 Delegation token
var _ = Clause("5.4", func() {
	Case("PACT-5.4-01", "signature", func(c *engine.C) {
		g := narrow.In(c)
		c.Judge(g.answer).To(judge.VerifySignature("the access_token", problem(c, g.token.AccessToken)))
	}, engine.Using(narrow, signingKeys))
	Case("PACT-5.4-02", "iss", func(c *engine.C) {
		g := narrow.In(c)
		if g.server.Issuer == "" {
			c.Block("the metadata names no issuer, which PACT-5.1-04 says")
		}
		c.Judge(g.answer).To(judge.HaveTokenIssuer(g.server.Issuer))
	}, engine.Using(narrow))
	Case("PACT-5.4-03", "aud", func(c *engine.C) {
		c.Judge(narrow.In(c).answer).To(judge.HaveTokenAudience(c.Card().Interface.URL))
	}, engine.Using(narrow))
	Case("PACT-5.4-03", "other-brand", func(c *engine.C) {
		c.Judge(secondBrands.In(c).answer).To(judge.HaveTokenAudience(c.OtherCard().Interface.URL))
	}, engine.Using(secondBrands), engine.WhereSetUp(engine.NeedSecondDelegatedBrand))
	Case("PACT-5.4-04", "sub", func(c *engine.C) {
		g := narrow.In(c)
		c.Judge(g.answer).To(judge.HaveTokenSubject(g.user.ID, g.sub))
	}, engine.Using(narrow))
	Case("PACT-5.4-04", "two-grants", func(c *engine.C) {
		g, r := narrow.In(c), refreshed.In(c)
		c.Judge(answers(g, r.grant)...).To(judge.ShareTheSubject())
	}, engine.Using(narrow, refreshed))
	Case("PACT-5.4-04", "second-agent", func(c *engine.C) {
		c.Judge(answers(narrow.In(c), secondAgents.In(c))...).To(judge.ShareTheSubject())
	}, engine.Using(narrow, secondAgents), engine.WhereSetUp(engine.NeedSecondAgent))
	Case("PACT-5.4-04", "second-user", func(c *engine.C) {
		g := secondUsers.In(c)
		c.Judge(g.answer).To(judge.HaveTokenSubject(g.user.ID, g.sub))
	}, engine.Using(secondUsers), engine.WhereSetUp(engine.NeedSecondUser))
	Case("PACT-5.4-05", "client-id", func(c *engine.C) {
		g := narrow.In(c)
		c.Judge(g.answer).To(judge.HaveTokenClient(g.agent.Issuer))
	}, engine.Using(narrow))
	Case("PACT-5.4-06", "one-scope", func(c *engine.C) {
		withScope(c, narrow.In(c))
		c.Judge(narrow.In(c).answer).To(judge.ListTheGrantedScopes())
	}, engine.Using(narrow))
	Case("PACT-5.4-06", "two-scopes", func(c *engine.C) {
		twoScopes(c)
		withScope(c, both.In(c))
		c.Judge(both.In(c).answer).To(judge.ListTheGrantedScopes())
	}, engine.Using(chosen, both))
	Case("PACT-5.4-07", "grant-id", func(c *engine.C) {
		c.Judge(narrow.In(c).answer).To(judge.HaveGrantID())
	}, engine.Using(narrow))
	Case("PACT-5.4-07", "two-users", func(c *engine.C) {
		c.ControlOver(narrow.In(c).answer).To(judge.HaveGrantID())
		c.Judge(answers(narrow.In(c), secondUsers.In(c))...).To(judge.HaveGrantIDsOfTheirOwn())
	}, engine.Using(narrow, secondUsers), engine.WhereSetUp(engine.NeedSecondUser))
	Case("PACT-5.4-08", "times", func(c *engine.C) {
		c.Judge(narrow.In(c).answer).To(judge.HaveTokenTimes(c.ClockOffset().Seconds()))
	}, engine.Using(narrow))
	Case("PACT-5.4-09", "lifetime", func(c *engine.C) {
		withTimes(c, narrow.In(c))
		c.Judge(narrow.In(c).answer).To(judge.LiveAnHourAtMost())
	}, engine.Using(narrow))
	Case("PACT-5.4-10", "expires-in", func(c *engine.C) {
		narrow.In(c).expiry(c)
		if narrow.In(c).token.ExpiresIn <= 0 {
			c.Block("the token answer does not say when its token expires, which PACT-5.3-15 says")
		}
		c.Judge(narrow.In(c).answer).To(judge.AgreeOnExpiry(c.ClockOffset().Seconds()))
	}, engine.Using(narrow))
})

// withScope blocks where the answer does not say what was granted.
func withScope(c *engine.C, g *grant) {
	if judge.Member(g.answer, "scope") == "" {
		c.Block("the token answer names no scope, which PACT-5.3-15 says")
	}
}

// expiry is when the token expires.
func (g *grant) expiry(c *engine.C) time.Time {
	exp, ok := g.claims["exp"].(float64)
	if !ok {
		c.Block("exp of the token is no number, which PACT-5.4-08 says")
	}
	return time.Unix(int64(exp), 0)
}

// withTimes blocks where the token does not say when it was issued and when it expires.
func withTimes(c *engine.C, g *grant) {
	c.ControlOver(g.answer).To(judge.HaveTokenTimes(c.ClockOffset().Seconds()))
}

// problem says what is wrong with the signature of what the authorization server signed; empty for nothing.
func problem(c *engine.C, compact string) string {
	if err := verify.Signed(compact, signingKeys.In(c)); err != nil {
		return err.Error()
	}
	return ""
}

// scopeTexts are the texts of the configuration with the scope that each needs.
func scopeTexts(c *engine.C) map[string]string {
	texts := map[string]string{}
	for _, p := range c.Setup().Prompts.Scopes {
		texts[p.Text] = p.Needs
	}
	if p := c.Setup().Prompts.StepUp; p != nil {
		texts[p.Text] = p.Needs
	}
	return texts
}
