package provider

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/pact-conform/pact-conform/harness/clock"
)

// throttle spaces requests evenly, at most rate a second.
type throttle struct {
	clock clock.Clock
	space time.Duration

	mu   sync.Mutex
	next time.Time
}

func newThrottle(c clock.Clock, rate float64) *throttle {
	t := &throttle{clock: c}
	if rate > 0 {
		t.space = time.Duration(float64(time.Second) / rate)
	}
	return t
}

func (t *throttle) wait(ctx context.Context) error {
	if t.space == 0 {
		return nil
	}
	t.mu.Lock()
	now := t.clock.Now()
	if t.next.Before(now) {
		t.next = now
	}
	left := t.next.Sub(now)
	t.next = t.next.Add(t.space)
	t.mu.Unlock()
	if left <= 0 {
		return nil
	}
	return t.clock.Wait(ctx, left)
}

// retryAfter is how long a 429 asks to wait: seconds or a date (RFC 9110 §10.2.3), a second where
// it does not say, and never longer than longestPause.
func retryAfter(h http.Header, now time.Time) time.Duration {
	wait := time.Second
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(value); err == nil {
		wait = date.Sub(now)
	}
	return min(max(wait, 0), longestPause)
}
