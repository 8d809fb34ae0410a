package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/terminal"
)

// watch follows a run: it tells the terminal, and lets others wait for the outcome of a case.
type watch struct {
	reporter *terminal.Reporter
	settings result.Settings
	// over is closed when the run has ended.
	over chan struct{}

	mu      sync.Mutex
	running []string
	cases   map[string]*watched
	done    int
}

// watched is a case while it runs and afterwards.
type watched struct {
	ended chan struct{}
	last  result.Case
}

func newWatch(reporter *terminal.Reporter, e *engine.Engine, settings result.Settings) *watch {
	w := &watch{reporter: reporter, settings: settings, over: make(chan struct{}), cases: map[string]*watched{}}
	for _, c := range e.Cases() {
		w.cases[c.FullName()] = &watched{ended: make(chan struct{})}
	}
	return w
}

// Started shows that a case runs.
func (w *watch) Started(_ engine.Requirement, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = append(w.running, name)
	w.progress()
}

// Ended takes what came of a case. It comes twice for a case that gets a second look.
func (w *watch) Ended(q engine.Requirement, c result.Case) {
	row := result.Requirement{ID: q.ID, Profile: q.Profile, Level: q.Level, Basis: q.Basis, Clause: q.Clause, Text: q.Text}
	c = judged(row, c, w.settings)
	w.mu.Lock()
	defer w.mu.Unlock()
	if at := slices.Index(w.running, c.Name); at >= 0 {
		w.running = slices.Delete(w.running, at, at+1)
	}
	known := w.cases[c.Name]
	before := known.last.Outcome
	known.last = c
	if before == "" {
		w.done++
		close(known.ended)
	}
	w.reporter.CaseFinished(row, c)
	if c.SecondLook && before != c.Outcome {
		w.reporter.Say(fmt.Sprintf("%s: %s at a second look, alone", c.Name, c.Outcome))
	}
	w.progress()
}

func (w *watch) progress() { w.reporter.Progress(w.done, len(w.cases), w.running) }

// judged is the case as the verdict will have it: --strict lets warnings fail.
func judged(row result.Requirement, c result.Case, settings result.Settings) result.Case {
	row.Cases = []result.Case{c}
	one := result.Run{Settings: settings, Requirements: []result.Requirement{row}}
	one.Conclude()
	return one.Requirements[0].Cases[0]
}

// outcome waits for what comes of a case. What did not go well may still get a second look, so that
// it is known only when the run is over. A case that the end of the run overtook has no name.
func (w *watch) outcome(ctx context.Context, name string) result.Case {
	select {
	case <-w.cases[name].ended:
	case <-w.over:
	case <-ctx.Done():
	}
	c := w.last(name)
	switch c.Outcome {
	case result.Failed, result.Errored, result.Blocked, result.Warning:
		select {
		case <-w.over:
		case <-ctx.Done():
		}
		c = w.last(name)
	}
	return c
}

func (w *watch) last(name string) result.Case {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cases[name].last
}
