package identity

import (
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// Signs is an algorithm that must be accepted, on whatever operation a right token is.
func Signs(id, name string, algorithm agent.Change) {
	Case(id, name, func(c *engine.C) {
		c.Approached()
		caller := c.Interface().With(algorithm).Expecting(result.ExpectSuccess)
		answer := Tasks.Ask(caller)
		for _, op := range []Operation{Task, Send} {
			if judge.WasAccepted(answer.Exchange) {
				break
			}
			if next := op.Ask(caller); judge.WasAccepted(next.Exchange) {
				answer = next
			}
		}
		c.Control(answer).To(judge.BeAnOperation())
		c.Expect(answer).To(judge.BeAccepted())
	}, Changing(algorithm))
}

// Again sends one token three times and hands the answers on.
func Again(id, name string, look func(*engine.C, []*provider.Answer), changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		token := c.Mint(v.As(c).With(changes...))
		var answers []*provider.Answer
		for range 3 {
			answers = append(answers, v.Ask(v.As(c).WithToken(token.Compact, token.Credential+", the same again")))
		}
		look(c, answers)
	}, engine.Using(RightToken), Changing(changes...))
}

// Carries sends a right token somewhere else than in the Authorization header.
func Carries(id, name, where string, put func(r *http.Request, token string)) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		c.Controlled(v.Control)
		caller := v.As(c).Expecting(result.ExpectUnauthorized).Authorization(where, func(string) string { return "" }).Editing(put)
		c.Expect(v.Ask(caller)).To(judge.BeUnauthorized())
	}, engine.Using(RightToken))
}

// Writes is an Authorization header that is none of a bearer token.
func Writes(id, name, words string, write func(token string) string) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		c.Controlled(v.Control)
		c.Expect(v.Ask(v.As(c).Expecting(result.ExpectUnauthorized).Authorization(words, write))).To(judge.BeUnauthorized())
	}, engine.Using(RightToken))
}

// Offers is a token that offers a URL where the attacker's keys are to be had: it is refused, and
// nobody goes there.
func Offers(refusedID, fetchedID, parameter string, change agent.Change) {
	Case(refusedID, parameter, func(c *engine.C) {
		c.Expect(Refused(c, RightToken.In(c), change)).To(judge.BeUnauthorized())
	}, engine.Using(RightToken), engine.WhereSetUp(engine.NeedServedJWKS), Changing(change))

	Case(fetchedID, parameter, func(c *engine.C) {
		v := RightToken.In(c)
		wrong := v.As(c).With(change).Expecting(result.ExpectUnauthorized)
		token := c.Mint(wrong)
		offered, _ := token.Header[parameter].(string)
		answer := v.Ask(wrong.WithToken(token.Compact, token.Credential))
		seen := false
		keySets := c.Fetches(func(f agent.Fetch) bool {
			first := f.Document == agent.KeySet && !seen
			seen = seen || first
			return first
		})
		if len(keySets) == 0 {
			c.Block("the agent's server saw no fetch of its JWKS, so its log shows nothing")
		}
		c.Controlled(keySets[0])
		fetched := c.Fetches(func(f agent.Fetch) bool {
			return f.Document == agent.Attacker && strings.HasSuffix(offered, f.Path)
		})
		c.Judge(append(fetched, answer.Exchange, keySets[0])...).To(judge.HaveFetchedAtMost(engine.AttackerFetch, 0))
	}, engine.Using(RightToken), Changing(change))
}

// letThrough is, for each operation, an exchange in which a right token was let through to it.
var letThrough = func() map[string]*engine.Journey[*result.Exchange] {
	all := map[string]*engine.Journey[*result.Exchange]{}
	for _, op := range Operations {
		all[op.Name] = engine.NewJourney("a right token is let through to "+op.Name, func(c *engine.C) *result.Exchange {
			answer := op.Ask(RightToken.In(c).As(c))
			c.Expect(answer).To(judge.BeLetThrough())
			return answer.Exchange
		}, RightToken)
	}
	return all
}()
