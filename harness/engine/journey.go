package engine

import (
	"fmt"
	"slices"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Journey is a flow that cases share: it happens once in a run, when the first case asks for it,
// and everyone gets what it returned. If it fails, those who asked are blocked.
type Journey[T any] struct{ *journey }

// Dependency is a journey, whatever it returns.
type Dependency interface{ inner() *journey }

type journey struct {
	name string
	uses []Dependency
	body func(*C) any
}

func (j *journey) inner() *journey { return j }

// NewJourney declares a journey, with the journeys that it takes part in itself.
func NewJourney[T any](name string, body func(*C) T, uses ...Dependency) *Journey[T] {
	return &Journey[T]{&journey{name: name, uses: uses, body: func(c *C) any { return body(c) }}}
}

// In is what the journey returned. It waits for it, and blocks the case when there is nothing.
func (j *Journey[T]) In(c *C) T {
	value, _ := c.join(j.journey).(T)
	return value
}

// started is a journey of one run.
type started struct {
	done   chan struct{}
	record *record
	value  any
	// secondLook is set for one that happened again.
	secondLook bool
}

// join starts the journey if nobody has, and waits for it.
func (c *C) join(j *journey) any {
	if !slices.ContainsFunc(c.uses, func(d Dependency) bool { return d.inner() == j }) {
		c.stop(result.Errored, fmt.Sprintf("uses the journey %q without declaring it", j.name))
	}
	s := c.run.journey(j, c.secondLook)
	c.record.joined(j.name)
	select {
	case <-s.done:
	case <-c.ctx.Done():
		c.stop(result.Errored, c.run.stopped())
	}
	if s.record.met() {
		c.record.meet()
	}
	switch outcome, reason := s.record.state(); outcome {
	case result.Passed, result.Warning:
	case result.NotRun, result.NotApplicable: // what it lacks, its users lack
		c.record.beside(s.record.done().Beside)
		c.stop(outcome, reason)
	default:
		c.stop(result.Blocked, fmt.Sprintf("%s: %s", j.name, reason))
	}
	return s.value
}

// journey is the run's one instance. On a second look, one that met a server error happens once more.
func (r *run) journey(j *journey, secondLook bool) *started {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.journeys[j]
	if s != nil && !(secondLook && !s.secondLook && s.ended() && s.record.met()) {
		return s
	}
	s = &started{done: make(chan struct{}), record: newRecord(j.name, r.now()), secondLook: secondLook}
	r.journeys[j] = s
	r.order = append(r.order, s)
	c := r.newC(j.name, s.record, j.uses, r.priority[j], secondLook)
	c.isJourney = true
	r.spawn(func() {
		defer close(s.done)
		c.do(func() { s.value = j.body(c) })
	})
	return s
}

func (s *started) ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// What waits for a time starts before what waits for turns, and the cards before everything.
const (
	waiting = 100
	first   = 1000
)

// priorities gives every journey the length of the longest chain that waits for it, so that the
// longest chain goes first. It fails when journeys wait for one another.
func priorities(cases []*Case) (map[*journey]int, map[*Case]int, error) {
	journeys, own := map[*journey]int{}, map[*Case]int{}
	var visit func(uses []Dependency, depth int, path []*journey) error
	visit = func(uses []Dependency, depth int, path []*journey) error {
		for _, d := range uses {
			j := d.inner()
			if slices.Contains(path, j) {
				return fmt.Errorf("the journey %q waits for itself", j.name)
			}
			journeys[j] = max(journeys[j], depth+1)
			if err := visit(j.uses, depth+1, append(path[:len(path):len(path)], j)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, c := range cases {
		own[c] = 1 + c.turns
		if c.wait != nil {
			own[c] = waiting
		}
		if err := visit(c.uses, own[c], nil); err != nil {
			return nil, nil, err
		}
	}
	return journeys, own, nil
}
