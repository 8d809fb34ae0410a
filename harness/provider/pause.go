package provider

import (
	"context"
	"sync"
	"time"

	"github.com/pact-conform/pact-conform/harness/clock"
)

// pause holds everyone back until a time, as a 429 with Retry-After asks (§6).
type pause struct {
	clock clock.Clock

	mu     sync.Mutex
	until  time.Time
	waited time.Duration
}

// extend moves the end of the pause to d from now, if that is later.
func (p *pause) extend(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	until := now.Add(d)
	if !until.After(p.until) {
		return
	}
	if p.until.After(now) {
		now = p.until
	}
	p.waited += until.Sub(now)
	p.until = until
}

// wait returns when no pause is on.
func (p *pause) wait(ctx context.Context) error {
	for {
		p.mu.Lock()
		left := p.until.Sub(p.clock.Now())
		p.mu.Unlock()
		if left <= 0 {
			return nil
		}
		if err := p.clock.Wait(ctx, left); err != nil {
			return err
		}
	}
}

func (p *pause) total() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waited
}
