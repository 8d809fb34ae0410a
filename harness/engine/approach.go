package engine

import (
	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
)

// approach finds out, once, how the Brand can be talked to: that something answers at its interface
// URL, and which of the two algorithms (§3.2) gets a right token accepted, so that one fault of a
// Provider does not hide what else can be seen. What is at fault has requirements of its own.
var approach = NewJourney("the interface answers", func(c *C) agent.Change {
	brand := c.caller(c.card(brandCard).Interface, "brand")
	first := brand.Tasks("")
	if judge.BeAnOperation().Find(first.Recorded()...).Outcome == "failed" {
		for _, other := range []*provider.Answer{brand.Task(uuid.NewString()), brand.WithoutToken().Ask()} {
			if judge.BeAnOperation().Find(other.Recorded()...).Outcome == "passed" {
				return agent.ES256()
			}
		}
	}
	c.Expect(first).To(judge.BeAnOperation())
	if first.Status != 401 {
		return agent.ES256()
	}
	if other := brand.With(agent.RS256()).Tasks(""); other.Exchange != nil && other.Status != 401 {
		return agent.RS256()
	}
	return agent.ES256()
})
