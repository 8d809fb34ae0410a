// Package browser plays the User: it signs in at a Brand's login and decides on a Provider's consent
// page in a real Chromium (§5.3), and does with the requests of that conversation what a forger would.
//
// It knows how pages are found, read and worked; what must be true of them is for others to say. In
// particular nothing here claims that the User approved: only the token endpoint says that.
//
// A Browser is one Chromium, started when the first session is opened. A Session is one User's
// browser: its own cookies, one page, and every request recorded.
package browser

import (
	"context"
	"sync"
	"time"
)

// Options are how a Browser runs. The zero value works.
type Options struct {
	// Chromium is the program to run, by path or name; empty to take what is installed.
	Chromium string
	// StartTimeout bounds the start of Chromium; 90 s when zero.
	StartTimeout time.Duration
	// StepTimeout bounds each step of a session (opening a page, signing in, deciding); 45 s when zero.
	StepTimeout time.Duration
	// Mask takes secrets out of every text that leaves a session; nil for none besides the session's own.
	Mask func(string) string
	// Headers are the headers to add to requests to an origin, of a gateway before the Provider for
	// instance; nil for none. It is called for every request and must be quick.
	Headers func(origin string) map[string]string

	// isolate keeps each site in a process of its own.
	isolate bool
}

// Browser is one Chromium that sessions share. It is safe for concurrent use.
type Browser struct {
	options Options

	mu      sync.Mutex
	running *chromium
	closed  bool
}

// New makes a Browser; nothing is started before the first session.
func New(options Options) *Browser {
	if options.StartTimeout <= 0 {
		options.StartTimeout = startTimeout
	}
	if options.StepTimeout <= 0 {
		options.StepTimeout = 45 * time.Second
	}
	if options.Mask == nil {
		options.Mask = func(s string) string { return s }
	}
	return &Browser{options: options}
}

// Start starts Chromium unless it runs. Sessions do it by themselves; a run calls it first to learn
// early whether there is one. After a crash it starts another.
func (b *Browser) Start(ctx context.Context) error {
	_, err := b.start(ctx)
	return err
}

func (b *Browser) start(ctx context.Context) (*chromium, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, &Error{Kind: Closed, Saw: "the browser was closed"}
	}
	if b.running != nil && !b.running.alive() {
		_ = b.running.end()
		b.running = nil
	}
	if b.running == nil {
		running, err := launch(ctx, b.options)
		if err != nil {
			return nil, err
		}
		b.running = running
	}
	return b.running, nil
}

func (b *Browser) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// Close ends Chromium and all its sessions, and removes its profile folder. Nothing of it runs
// afterwards. It may be called more than once.
func (b *Browser) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.running == nil {
		return nil
	}
	err := b.running.end()
	b.running = nil
	return err
}
