// Package clock is the time that a run lives by: injectable, and measured against the Provider's.
package clock

import (
	"context"
	"sync/atomic"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Wait returns after d, or earlier with the context's error.
	Wait(ctx context.Context, d time.Duration) error
}

// System is the machine's clock.
type System struct{}

// Now is the local time.
func (System) Now() time.Time { return time.Now() }

// Wait waits for d of real time.
func (System) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Measured is a clock moved by the difference to another machine's, so that what is said to that
// machine ("issued now", "expired 40 s ago") is true on its side.
type Measured struct {
	Clock
	offset atomic.Int64
}

// NewMeasured starts with no difference to base.
func NewMeasured(base Clock) *Measured { return &Measured{Clock: base} }

// Now is the time as the measured machine has it.
func (m *Measured) Now() time.Time { return m.Clock.Now().Add(m.Offset()) }

// Local is the time of the clock underneath.
func (m *Measured) Local() time.Time { return m.Clock.Now() }

// Offset is what the other machine is ahead.
func (m *Measured) Offset() time.Duration { return time.Duration(m.offset.Load()) }

// Observe takes the other machine's Date, read in an answer to a request sent and received at
// local times. A Date has whole seconds and the answer took time: a difference that these explain
// is none, otherwise it is the middle of what is possible.
func (m *Measured) Observe(date, sent, received time.Time) {
	least, most := date.Sub(received), date.Add(time.Second).Sub(sent)
	if least <= 0 && most >= 0 {
		m.offset.Store(0)
		return
	}
	m.offset.Store(int64((least + most) / 2))
}
