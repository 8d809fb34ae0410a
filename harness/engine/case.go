// Package engine runs cases against a Provider: it starts them all, lets journeys happen once and
// be shared, limits the requests in flight, and turns what judges say into outcomes. It knows no
// requirement: rows and cases are given to it.
package engine

import (
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Requirement is one row of the catalogue, as far as the engine needs it.
type Requirement struct {
	ID, Profile, Basis, Clause, Text string
	Level                            result.Level
	// Needs is the set-up without which the row cannot be judged.
	Needs []string
}

// Case is one executed observation for a requirement.
type Case struct {
	// Requirement is the id of the row, Name the case's own name within it.
	Requirement, Name string
	// Body does it. It runs in a goroutine of its own; an unmet expectation ends it.
	Body func(*C)

	needs    []string
	optional bool
	uses     []Dependency
	wait     func(Limits) time.Duration
	turns    int
	phase    phase
	token    func(*Setup) []agent.Change
	tolerant bool
}

// FullName names the case as reports do: PACT-3.2-04/pem.
func (c *Case) FullName() string { return c.Requirement + "/" + c.Name }

// TokenChanges are the changes to a right token that the case is about, in this set-up; none for
// a case whose tokens are right.
func (c *Case) TokenChanges(s *Setup) []agent.Change {
	if c.token == nil {
		return nil
	}
	return c.token(s)
}

// phase is when a case runs.
type phase int

const (
	// beside others, at once.
	phaseMain phase = iota
	// alone, after the others: what would disturb them.
	phaseAlone
	// overall, at the end: judges over all exchanges of the run.
	phaseOverall
)

// Option says how a case is to be run.
type Option func(*Case)

// Using declares the journeys that the body takes part in.
func Using(journeys ...Dependency) Option {
	return func(c *Case) { c.uses = append(c.uses, journeys...) }
}

// WhereSetUp makes the case optional: it runs only with this set-up, and does not count without.
func WhereSetUp(needs ...string) Option {
	return func(c *Case) { c.optional, c.needs = true, append(c.needs, needs...) }
}

// Waits declares how long the case waits at most. Beyond --max-wait it is not run.
func Waits(longest func(Limits) time.Duration) Option {
	return func(c *Case) { c.wait = longest }
}

// WaitsFor is Waits for a time that does not depend on the configuration.
func WaitsFor(longest time.Duration) Option {
	return Waits(func(Limits) time.Duration { return longest })
}

// Turns declares how many agent turns the body takes one after the other, so that it starts in time.
func Turns(n int) Option {
	return func(c *Case) { c.turns = n }
}

// Alone runs the case after the others, with nobody beside it.
func Alone() Option {
	return func(c *Case) { c.phase = phaseAlone }
}

// Overall runs the case at the end, over the exchanges of the whole run.
func Overall() Option {
	return func(c *Case) { c.phase = phaseOverall }
}

// WithToken declares the changes to a right token that the case is about.
func WithToken(changes func(*Setup) []agent.Change) Option {
	return func(c *Case) { c.token = changes }
}

// ToleratesServerErrors spares the case the second look that a 5xx otherwise gets: it provokes one knowingly.
func ToleratesServerErrors() Option {
	return func(c *Case) { c.tolerant = true }
}
