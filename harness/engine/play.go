package engine

import (
	"context"
	"time"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Play has the Player decide, and asks poll once it has, or, where it takes longer (a person), each
// time that every has passed: until poll says that the decision is known. A Player that fails blocks
// the body.
func (c *C) Play(task browser.Task, user User, every time.Duration, poll func() (known bool)) {
	decided := make(chan struct{})
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	c.run.spawn(func() { ended <- c.run.setup.Player.Decide(ctx, task, user, decided) })
	for {
		elapsed := make(chan struct{})
		c.run.spawn(func() {
			if c.run.clock.Wait(ctx, every) == nil {
				close(elapsed)
			}
		})
		select {
		case err := <-ended:
			if err != nil {
				c.played(err)
			}
			poll()
			return
		case <-ctx.Done():
			<-ended
			c.stop(result.Errored, c.run.stopped())
		case <-elapsed:
			if poll() {
				close(decided)
				if err := <-ended; err != nil {
					c.played(err)
				}
				return
			}
		}
	}
}

// After waits until journeys have ended, whatever came of them. Those that no case of the run takes
// part in do not take place for it.
func (c *C) After(journeys ...Dependency) {
	for _, d := range journeys {
		if !c.run.wanted[d.inner()] {
			continue
		}
		select {
		case <-c.run.journey(d.inner(), c.secondLook).done:
		case <-c.ctx.Done():
			c.stop(result.Errored, c.run.stopped())
		}
	}
}

// want marks the journeys that a case takes part in.
func (r *run) want(uses []Dependency) {
	for _, d := range uses {
		if j := d.inner(); !r.wanted[j] {
			r.wanted[j] = true
			r.want(j.uses)
		}
	}
}

// Name is the case's or journey's.
func (c *C) Name() string { return c.name }

// ClockOffset is what the Provider's clock is ahead of ours.
func (c *C) ClockOffset() time.Duration { return c.run.clock.Offset() }
