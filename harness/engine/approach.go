package engine

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// approach finds out, once, how the Brand can be talked to: that something answers at its interface
// URL, and which of the two algorithms (§3.2) gets a right token through, so that one fault of a
// Provider does not hide what else can be seen. What is at fault has requirements of its own; where
// nothing gets through, nothing else can be judged.
var approach = NewJourney("a right token is let through", func(c *C) agent.Change {
	algorithms := []agent.Change{agent.ES256(), agent.RS256()}
	first := c.settled(func() *provider.Answer { return c.Interface().With(algorithms[0]).Tasks("") })
	through := func(a *provider.Answer) bool {
		return judge.BeLetThrough().Find(a.Recorded()...).Outcome == result.Passed
	}
	if through(first) {
		return algorithms[0]
	}
	for _, ask := range []func(provider.Caller) *provider.Answer{
		func(caller provider.Caller) *provider.Answer { return caller.Tasks("") },
		func(caller provider.Caller) *provider.Answer { return caller.Task(uuid.NewString()) },
		func(caller provider.Caller) *provider.Answer { return caller.Ask() },
	} {
		for _, algorithm := range algorithms {
			if through(ask(c.Interface().With(algorithm))) {
				return algorithm
			}
		}
	}
	c.Expect(first).To(judge.BeLetThrough())
	return algorithms[0]
})

// settled asks until a Provider that refuses the token has had its time to fetch new keys: with keys
// that are fresh in each run, one that fetches seldom refuses every token at first (the guide:
// refetch on unknown kid; libraries do so every half minute at most). Soon after it has fetched
// them, what it says is its answer.
func (c *C) settled(ask func() *provider.Answer) *provider.Answer {
	const soon, seldom, digests = 250 * time.Millisecond, 5 * time.Second, 3
	answer := ask()
	if c.run.setup.Server == nil {
		return answer
	}
	end := c.Now().Add(c.run.setup.Limits.RotationWait)
	pause := soon
	for known := 0; answer.Status == 401 && known < digests; pause = min(2*pause, seldom) {
		left := end.Sub(c.Now())
		if left <= 0 {
			break
		}
		c.Wait(min(pause, left))
		if c.fetched() {
			known++
		}
		answer = ask()
	}
	return answer
}

// fetched reports whether the Provider has fetched the primary agent's keys in this run.
func (c *C) fetched() bool {
	return slices.ContainsFunc(c.run.setup.Server.Fetches(), func(f agent.Fetch) bool {
		return f.Agent == c.run.setup.Primary.Role && f.Document == agent.KeySet
	})
}
