// Package dsl is the language that the clauses of a suite are written in: cases and what most of
// them have in common. Suites import it with a dot.
package dsl

import (
	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// cases are filled by the clauses, in the order of the files.
var cases []*engine.Case

// CasesOf are the cases of a profile, as far as its package is part of the program.
func CasesOf(profile string) []*engine.Case {
	var own []*engine.Case
	for _, c := range cases {
		if q, _ := catalog.Find(c.Requirement); q.Profile == profile {
			own = append(own, c)
		}
	}
	return own
}

// RequirementsOf are the rows of a profile.
func RequirementsOf(profile string) []engine.Requirement {
	var rows []engine.Requirement
	for _, q := range catalog.All() {
		if q.Profile == profile {
			rows = append(rows, engine.Requirement{
				ID: q.ID, Profile: q.Profile, Basis: q.Basis, Clause: q.Clause, Text: q.Text, Level: q.Level, Needs: q.Needs,
			})
		}
	}
	return rows
}

// Clause holds the cases of one clause.
func Clause(number string, declare func()) struct{} {
	declare()
	return struct{}{}
}

// Case is one observation for the requirement id.
func Case(id, name string, body func(*engine.C), options ...engine.Option) {
	c := &engine.Case{Requirement: id, Name: name, Body: body}
	for _, option := range options {
		option(c)
	}
	cases = append(cases, c)
}

// Changing declares the token that a case is about.
func Changing(changes ...agent.Change) engine.Option {
	return engine.WithToken(func(*engine.Setup) []agent.Change { return changes })
}

// Accepts is a token that must be accepted.
func Accepts(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		c.Expect(v.Ask(v.As(c).With(changes...).Expecting(result.ExpectSuccess))).To(judge.BeAccepted())
	}, engine.Using(RightToken), Changing(changes...))
}

// RejectsFrom is Rejects with a token that depends on the set-up.
func RejectsFrom(id, name string, changes func(*engine.Setup) []agent.Change) {
	Case(id, name, func(c *engine.C) {
		c.Expect(Refused(c, RightToken.In(c), changes(c.Setup())...)).To(judge.BeUnauthorized())
	}, engine.Using(RightToken), engine.WithToken(changes))
}

// Rejects is a token that must be refused, beside its right twin that is accepted.
func Rejects(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		c.Expect(Refused(c, RightToken.In(c), changes...)).To(judge.BeUnauthorized())
	}, engine.Using(RightToken), Changing(changes...))
}

// RejectsSoftly is a token whose acceptance is only a warning.
func RejectsSoftly(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		c.Expect(Refused(c, RightToken.In(c), changes...)).Softly().To(judge.BeUnauthorized())
	}, engine.Using(RightToken), Changing(changes...))
}

// Records is a token of which it is only recorded what it gets.
func Records(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		v := RightToken.In(c)
		answer := v.Ask(v.As(c).With(changes...))
		c.Observe("%s: %s", answer.Exchange.Tags.Credential, judge.Answered(answer.Exchange))
	}, engine.Using(RightToken), Changing(changes...))
}

// Throughout judges all exchanges of the run that which chooses, at its end.
func Throughout(id, name string, which func(*result.Exchange) bool, j judge.Judge) {
	Case(id, name, func(c *engine.C) {
		chosen := Choose(c.Exchanges(), which)
		if len(chosen) == 0 {
			c.Block("the run saw no exchange that this is about")
		}
		c.Judge(chosen...).To(j)
	}, engine.Overall())
}

// Choose are the personal agent's exchanges with a whole answer that which chooses. What the User's
// browser met is none: a Brand's login may well answer 401 in its own way.
func Choose(xs []*result.Exchange, which func(*result.Exchange) bool) []*result.Exchange {
	var chosen []*result.Exchange
	for _, x := range xs {
		if x.Response != nil && x.Error == "" && !x.Tags.Inbound && !x.Tags.Browser && which(x) {
			chosen = append(chosen, x)
		}
	}
	return chosen
}

// WhereMet judges what the run may or may not have met.
func WhereMet(id, name string, which func(*result.Exchange) bool, none string, j judge.Judge) {
	Case(id, name, func(c *engine.C) {
		chosen := Choose(c.Exchanges(), which)
		if len(chosen) == 0 {
			c.NotApplicable("%s", none)
		}
		c.Judge(chosen...).To(j)
	}, engine.Overall())
}
