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
	"runtime"
	"time"
)

// Options are how a Browser runs. The zero value works.
type Options struct {
	// Chromium is the program to run, by path or name; empty to take what is installed.
	Chromium string
	// StartTimeout bounds the start of Chromium; 90 s when zero.
	StartTimeout time.Duration
	// StepTimeout bounds each step of a session (opening a page, signing in, deciding), with the look
	// at what went wrong; 45 s when zero.
	StepTimeout time.Duration
	// Parallel bounds how many sessions work on pages at once; when zero it is three for each core of
	// GOMAXPROCS. The others wait for their turn, first come first served, which is no part of their
	// step's time.
	Parallel int
	// Mask takes secrets out of every text that leaves a session; nil for none besides the session's own.
	Mask func(string) string
	// Headers are the headers to add to requests to an origin, of a gateway before the Provider for
	// instance; nil for none. It is called for every request and must be quick.
	Headers func(origin string) map[string]string

	// isolate keeps each site in a process of its own.
	isolate bool
	// parent is the folder for the profile's folder; the system's for temporary files when empty.
	parent string
}

// Browser is one Chromium that sessions share. It is safe for concurrent use.
type Browser struct {
	options Options
	// ctx ends when the browser is closed.
	ctx   context.Context
	close func()
	// turns holds one value for each session that works on a page.
	turns chan struct{}
	// changing holds a value while Chromium is started or ended, and guards running.
	changing chan struct{}
	running  *chromium
}

// New makes a Browser; nothing is started before the first session.
func New(options Options) *Browser {
	if options.StartTimeout <= 0 {
		options.StartTimeout = startTimeout
	}
	if options.StepTimeout <= 0 {
		options.StepTimeout = 45 * time.Second
	}
	if options.Parallel <= 0 {
		options.Parallel = 3 * runtime.GOMAXPROCS(0)
	}
	if options.Mask == nil {
		options.Mask = func(s string) string { return s }
	}
	b := &Browser{options: options, turns: make(chan struct{}, options.Parallel), changing: make(chan struct{}, 1)}
	b.ctx, b.close = context.WithCancel(context.Background())
	return b
}

// Start starts Chromium unless it runs. Sessions do it by themselves; a run calls it first to learn
// early whether there is one. After a crash it starts another.
func (b *Browser) Start(ctx context.Context) error {
	_, err := b.start(ctx)
	return err
}

func (b *Browser) start(ctx context.Context) (*chromium, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.ctx, cancel)()
	select {
	case b.changing <- struct{}{}:
		defer func() { <-b.changing }()
	case <-ctx.Done():
		return nil, b.notStarted(&Error{Kind: NotStarted, Err: ctx.Err()})
	}
	if b.isClosed() {
		return nil, b.notStarted(nil)
	}
	if b.running != nil && !b.running.alive() {
		_ = b.running.end()
		b.running = nil
	}
	if b.running == nil {
		running, err := launch(ctx, b.options)
		if err != nil {
			return nil, b.notStarted(err)
		}
		b.running = running
	}
	return b.running, nil
}

// notStarted says why there is no Chromium: that the browser was closed comes before all else.
func (b *Browser) notStarted(err error) error {
	if b.isClosed() {
		return &Error{Kind: Closed, Saw: "the browser was closed"}
	}
	return err
}

func (b *Browser) isClosed() bool { return b.ctx.Err() != nil }

// turn waits until one more session may work on its page; done lets the next one. It fails when ctx
// ends, or the session.
func (b *Browser) turn(ctx, session context.Context) (done func(), err error) {
	select {
	case b.turns <- struct{}{}:
		return func() { <-b.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-session.Done():
		return nil, session.Err()
	}
}

// Close ends Chromium and all its sessions, and removes its profile folder. Nothing of it runs
// afterwards. It may be called more than once.
func (b *Browser) Close() error {
	b.close()
	b.changing <- struct{}{}
	defer func() { <-b.changing }()
	if b.running == nil {
		return nil
	}
	err := b.running.end()
	b.running = nil
	return err
}
