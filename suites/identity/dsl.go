// Package identity is what PACT Identity is checked for (§2, §3, §4, §6): one file per clause,
// which reads top to bottom like the clause.
package identity

import (
	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Profile is the name of the profile (§7).
const Profile = "identity"

// cases are filled by the clauses, in the order of the files.
var cases []*engine.Case

// Cases are all cases of the profile.
func Cases() []*engine.Case { return cases }

// Requirements are the rows of the profile.
func Requirements() []engine.Requirement {
	var rows []engine.Requirement
	for _, q := range catalog.All() {
		if q.Profile == Profile {
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

// changing declares the token that a case is about.
func changing(changes ...agent.Change) engine.Option {
	return engine.WithToken(func(*engine.Setup) []agent.Change { return changes })
}

// Accepts is a token that must be accepted.
func Accepts(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		v := rightToken.In(c)
		c.Expect(v.ask(v.as(c).With(changes...).Expecting(result.ExpectSuccess))).To(judge.BeAccepted())
	}, engine.Using(rightToken), changing(changes...))
}

// Rejects is a token that must be refused, beside its right twin that is accepted.
func Rejects(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		c.Expect(refused(c, rightToken.In(c), changes...)).To(judge.BeUnauthorized())
	}, engine.Using(rightToken), changing(changes...))
}

// RejectsSoftly is a token whose acceptance is only a warning.
func RejectsSoftly(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		c.Expect(refused(c, rightToken.In(c), changes...)).Softly().To(judge.BeUnauthorized())
	}, engine.Using(rightToken), changing(changes...))
}

// Records is a token of which it is only recorded what it gets.
func Records(id, name string, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) {
		v := rightToken.In(c)
		answer := v.ask(v.as(c).With(changes...))
		c.Observe("%s: %s", answer.Exchange.Tags.Credential, judge.Answered(answer.Exchange))
	}, engine.Using(rightToken), changing(changes...))
}
