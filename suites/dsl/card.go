package dsl

import (
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Card reads the Brand's card, without a token.
func Card(c *engine.C) *provider.Answer {
	return c.Anywhere().Expecting(result.ExpectSuccess).Get(provider.OperationCard, c.Setup().Brand.Card)
}

// OnCard judges the Brand's card by itself. What is no JSON object at all fails PACT-2.1-01 and
// blocks the rest, and so does what falls short of the controls, which have rows of their own.
func OnCard(id, name string, j judge.Judge, controls ...judge.Judge) {
	Case(id, name, func(c *engine.C) {
		answer := Card(c)
		c.Control(answer).To(judge.BeCard())
		for _, control := range controls {
			c.Control(answer).To(control)
		}
		c.Expect(answer).To(j)
	})
}
