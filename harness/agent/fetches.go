package agent

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Document names what was fetched from a Server.
type Document string

// The documents.
const (
	KeySet    Document = "jwks"
	Discovery Document = "discovery"
	// Attacker is a document at a URL of HeaderJKU or HeaderX5U.
	Attacker Document = "attacker"
)

// Fetch is one request that a Server got.
type Fetch struct {
	Time time.Time
	// Agent is the role of the agent whose document it was; empty for a path that belongs to none.
	Agent string
	// Document is empty for a path where nothing is served.
	Document              Document
	Method, Path          string
	RemoteAddr, UserAgent string
	// Status is 0 while there is no answer, and stays so for a request that hung.
	Status int
}

// maxFetches bounds the log of a server that stays up for long; beyond it the older half is forgotten.
const maxFetches = 20000

// fetchLog is the log of a server.
type fetchLog struct {
	mu sync.Mutex
	// forgotten counts the entries that were dropped before entries[0].
	forgotten int
	entries   []Fetch
	// changed is closed, and replaced, at every change.
	changed chan struct{}
}

// begin logs a request on arrival; the function it returns notes the status.
func (l *fetchLog) begin(f Fetch) (done func(status int)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f.Time = time.Now()
	if len(l.entries) == maxFetches {
		half := maxFetches / 2
		l.entries = slices.Clone(l.entries[half:])
		l.forgotten += half
	}
	l.entries = append(l.entries, f)
	number := l.forgotten + len(l.entries) - 1
	l.notify()
	return func(status int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if i := number - l.forgotten; i >= 0 {
			l.entries[i].Status = status
		}
		l.notify()
	}
}

// notify wakes whoever waits. The lock is held.
func (l *fetchLog) notify() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// snapshot is the log so far and a channel that is closed at its next change.
func (l *fetchLog) snapshot() ([]Fetch, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return slices.Clone(l.entries), l.changed
}

// Fetches are the requests that the server got so far, in order of arrival.
func (s *Server) Fetches() []Fetch {
	fetches, _ := s.fetches.snapshot()
	return fetches
}

// WaitFor waits until condition holds for the log, and returns the log of that moment. The error is that of ctx.
func (s *Server) WaitFor(ctx context.Context, condition func([]Fetch) bool) ([]Fetch, error) {
	for {
		fetches, changed := s.fetches.snapshot()
		if condition(fetches) {
			return fetches, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fetches, fmt.Errorf("waiting for a request to the JWKS server: %w", ctx.Err())
		}
	}
}
