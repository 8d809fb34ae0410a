package identity

import (
	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// operation is one of §2.2, as a request that any token can be tried on.
type operation struct {
	name string
	ask  func(provider.Caller) *provider.Answer
}

// The operations of §2.2. With a token that is refused none of them costs an agent turn.
var (
	tasks  = operation{"tasks", func(c provider.Caller) *provider.Answer { return c.Tasks("") }}
	task   = operation{"task", func(c provider.Caller) *provider.Answer { return c.Task(uuid.NewString()) }}
	cancel = operation{"cancel", func(c provider.Caller) *provider.Answer { return c.Cancel(uuid.NewString()) }}
	send   = operation{"send", func(c provider.Caller) *provider.Answer { return c.Ask() }}

	operations = []operation{tasks, task, cancel, send}
)

// vehicle is a request on which a right token is seen accepted: what every wrong token is tried on.
type vehicle struct {
	operation
	algorithm agent.Change
	control   *result.Exchange
}

// as calls the Brand with the vehicle's right token.
func (v vehicle) as(c *engine.C) provider.Caller { return c.Brand().With(v.algorithm) }

// rightToken finds the vehicle. Where an operation or an algorithm is broken, which rows of their
// own say, another carries the negatives: ES256 before RS256, what costs no turn before what does.
var rightToken = engine.NewJourney("a right token is accepted", func(c *engine.C) vehicle {
	var first *provider.Answer
	for _, op := range []operation{tasks, task, send} {
		for _, algorithm := range []agent.Change{agent.ES256(), agent.RS256()} {
			answer := op.ask(c.Brand().With(algorithm))
			if answer.Exchange != nil && judge.WasAccepted(answer.Exchange) {
				c.Expect(answer).To(judge.BeAccepted())
				return vehicle{op, algorithm, answer.Exchange}
			}
			if first == nil {
				first = answer
			}
		}
	}
	c.Expect(first).To(judge.BeAccepted())
	return vehicle{}
})

// refused is the answer to a wrong token, beside the positive twin that only the change tells from it.
func refused(c *engine.C, v vehicle, changes ...agent.Change) *provider.Answer {
	right := v.as(c)
	wrong := right.With(changes...).Expecting(result.ExpectUnauthorized)
	token := c.Mint(wrong)
	twin := agent.RightTwin(changes...)
	switch {
	case token.Lender != nil:
		c.Control(v.ask(right.WithToken(token.Lender.Compact, "the right token that it was made of"))).To(judge.BeAccepted())
		return v.ask(wrong.WithToken(token.Compact, token.Credential))
	case len(twin) > 0:
		c.Control(v.ask(right.With(twin...))).To(judge.BeAccepted())
	default:
		c.Controlled(v.control)
	}
	return v.ask(wrong)
}
