package provider

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/clock"
	"github.com/pact-conform/pact-conform/harness/evidence"
	"github.com/pact-conform/pact-conform/harness/result"
)

// patience bounds the waiting for a condition; nothing is expected to take this long.
const patience = 20 * time.Second

// manual is a clock that stands still until a test moves it on.
type manual struct {
	mu    sync.Mutex
	now   time.Time
	waits []*wait
}

type wait struct {
	until time.Time
	over  chan struct{}
}

func newManual() *manual { return &manual{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func (m *manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *manual) Wait(ctx context.Context, d time.Duration) error {
	m.mu.Lock()
	w := &wait{m.now.Add(d), make(chan struct{})}
	m.waits = append(m.waits, w)
	m.mu.Unlock()
	select {
	case <-w.over:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// advance moves the clock on and lets go whoever has waited long enough.
func (m *manual) advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
	var left []*wait
	for _, w := range m.waits {
		if w.until.After(m.now) {
			left = append(left, w)
		} else {
			close(w.over)
		}
	}
	m.waits = left
}

// waiting is for how long each waiter still waits.
func (m *manual) waiting() []time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := []time.Duration{}
	for _, w := range m.waits {
		left = append(left, w.until.Sub(m.now))
	}
	return left
}

var ring = sync.OnceValue(func() *agent.KeyRing {
	made, err := agent.NewKeyRing(false)
	if err != nil {
		panic(err)
	}
	return made
})

// bench is a Link, what it records, and why it was stopped.
type bench struct {
	*Link
	recorder *evidence.Recorder
	stopped  chan error
}

// newBench makes a Link on the machine's clock, changed by the changes.
func newBench(t testing.TB, changes ...func(*Options)) *bench {
	t.Helper()
	b := &bench{recorder: evidence.NewRecorder(evidence.NewMasker()), stopped: make(chan error, 1)}
	o := Options{
		Recorder: b.recorder, Clock: clock.NewMeasured(clock.System{}), Version: "1.2.3", Concurrency: 8,
		TurnTimeout: patience, RequestTimeout: patience, Stop: func(err error) { b.stopped <- err },
	}
	for _, change := range changes {
		change(&o)
	}
	b.recorder = o.Recorder
	b.Link = NewLink(o)
	t.Cleanup(b.Close)
	return b
}

// on puts a Link on a clock.
func on(c clock.Clock) func(*Options) {
	return func(o *Options) { o.Clock = clock.NewMeasured(c) }
}

// caller calls a server as the User jane of the primary agent.
func (b *bench) caller(ctx context.Context, at string) Caller {
	return NewCaller(ctx, b.Link, CallerOptions{
		Tags: result.Tags{Case: "PACT-0-01/case", Brand: "brand", Expect: result.ExpectAny},
		At:   Interface{URL: at}, Agent: agent.New("primary", "https://pa.example", ring()),
		User: "jane", Audience: "aud-1", Plain: "Hello",
	})
}

func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// eventually waits for a condition.
func eventually(t testing.TB, condition any) AsyncAssertion {
	t.Helper()
	return NewWithT(t).Eventually(condition, patience, time.Millisecond)
}

func contextWithCause(t testing.TB) (context.Context, context.CancelCauseFunc) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	t.Cleanup(func() { cancel(nil) })
	return ctx, cancel
}
