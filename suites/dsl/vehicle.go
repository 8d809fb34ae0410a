package dsl

import (
	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Operation is one of §2.2, as a request that any token can be tried on.
type Operation struct {
	Name string
	Ask  func(provider.Caller) *provider.Answer
}

// The operations of §2.2. With a token that is refused none of them costs an agent turn.
var (
	Tasks  = Operation{"tasks", func(c provider.Caller) *provider.Answer { return c.Tasks("") }}
	Task   = Operation{"task", func(c provider.Caller) *provider.Answer { return c.Task(uuid.NewString()) }}
	Cancel = Operation{"cancel", func(c provider.Caller) *provider.Answer { return c.Cancel(uuid.NewString()) }}
	Send   = Operation{"send", func(c provider.Caller) *provider.Answer { return c.Ask() }}

	Operations = []Operation{Tasks, Task, Cancel, Send}
)

// Vehicle is a request on which a right token is seen accepted: what every wrong token is tried on.
type Vehicle struct {
	Operation
	// Algorithm is the right token's, Control the exchange in which it was accepted.
	Algorithm agent.Change
	Control   *result.Exchange
}

// As calls the Brand with the vehicle's right token.
func (v Vehicle) As(c *engine.C) provider.Caller { return c.Brand().With(v.Algorithm) }

// RightToken finds the vehicle. Where an operation or an algorithm is broken, which rows of their
// own say, another carries the negatives: ES256 before RS256, what costs no turn before what does.
var RightToken = engine.NewJourney("a right token is accepted", func(c *engine.C) Vehicle {
	var first *provider.Answer
	for _, op := range []Operation{Tasks, Task, Send} {
		for _, algorithm := range []agent.Change{agent.ES256(), agent.RS256()} {
			answer := op.Ask(c.Brand().With(algorithm))
			if answer.Exchange != nil && judge.WasAccepted(answer.Exchange) {
				c.Expect(answer).To(judge.BeAccepted())
				return Vehicle{op, algorithm, answer.Exchange}
			}
			if first == nil {
				first = answer
			}
		}
	}
	c.Expect(first).To(judge.BeAccepted())
	return Vehicle{}
})

// Refused is the answer to a wrong token, beside the positive twin that only the change tells from it.
func Refused(c *engine.C, v Vehicle, changes ...agent.Change) *provider.Answer {
	right := v.As(c)
	wrong := right.With(changes...).Expecting(result.ExpectUnauthorized)
	token := c.Mint(wrong)
	twin := agent.RightTwin(changes...)
	switch {
	case token.Lender != nil:
		c.Control(v.Ask(right.WithToken(token.Lender.Compact, "the right token that it was made of"))).To(judge.BeAccepted())
		return v.Ask(wrong.WithToken(token.Compact, token.Credential))
	case len(twin) > 0:
		c.Control(v.Ask(right.With(twin...))).To(judge.BeAccepted())
	default:
		c.Controlled(v.Control)
	}
	return v.Ask(wrong)
}
