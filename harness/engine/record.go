package engine

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// record is what becomes of a case or a journey while it runs.
type record struct {
	mu      sync.Mutex
	result  result.Case
	started time.Time
	decided bool
	// serverError and journeyError say that it, or a journey that it joined, met a 5xx or a cut connection.
	serverError, journeyError bool
}

func newRecord(name string, at time.Time) *record {
	return &record{result: result.Case{Name: name, Outcome: result.Passed}, started: at}
}

// controlPassed takes the judgement of a control, which decides nothing when it passes.
func (r *record) controlPassed(j result.Judgement) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(j)
}

func (r *record) note(j result.Judgement) {
	r.result.Judgements = append(r.result.Judgements, j)
	for _, id := range j.Exchanges {
		r.exchange(id)
	}
}

// judged takes a judgement; the worst decides.
func (r *record) judged(j result.Judgement) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(j)
	if !r.decided || j.Outcome.Worse(r.result.Outcome) {
		r.decided = true
		r.result.Outcome, r.result.Judge, r.result.Expected, r.result.Got = j.Outcome, j.Judge, j.Expected, j.Got
	}
}

// settle sets an outcome that no judge gave, unless a worse one stands.
func (r *record) settle(o result.Outcome, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	better := r.decided && r.result.Outcome != result.Passed && r.result.Outcome.Worse(o)
	if better || r.result.Outcome == o && r.result.Reason != "" {
		return
	}
	r.decided = true
	r.result.Outcome, r.result.Reason = o, reason
}

// beside notes why the case, not being run, stands beside the verdict.
func (r *record) beside(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Beside = reason
}

func (r *record) observed(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Observations = append(r.result.Observations, text)
}

func (r *record) joined(journey string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Journeys = append(r.result.Journeys, journey)
}

func (r *record) controlled(ids ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Controls = append(r.result.Controls, ids...)
}

// answered takes an exchange that the case made.
func (r *record) answered(a *provider.Answer, tolerant bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.Exchange != nil {
		r.exchange(a.Exchange.ID)
	}
	r.serverError = r.serverError || !tolerant && a.Met5xxOrCut()
}

// made takes an exchange that the User's browser made.
func (r *record) made(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exchange(id)
}

// step takes what the User did.
func (r *record) step(s result.Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Steps = append(r.result.Steps, s)
}

// troubled marks that the means failed, not the Provider: it deserves a second look.
func (r *record) troubled() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serverError = true
}

func (r *record) exchange(id string) {
	for _, known := range r.result.Exchanges {
		if known == id {
			return
		}
	}
	r.result.Exchanges = append(r.result.Exchanges, id)
}

// meet marks that a journey met a server error or a cut connection.
func (r *record) meet() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.journeyError = true
}

// deservesLook reports whether a case met a server error or a cut connection itself, or came out
// badly on a journey that did.
func (r *record) deservesLook() (own, journeys bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.serverError, r.journeyError && r.result.Outcome.Worse(result.Observed)
}

func (r *record) met() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.serverError || r.journeyError
}

// state is the outcome so far, and why.
func (r *record) state() (result.Outcome, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	reason := r.result.Reason
	if reason == "" && r.result.Got != "" {
		reason = strings.TrimSpace("expected " + r.result.Expected + ", got " + r.result.Got)
	}
	return r.result.Outcome, reason
}

// end closes the record. A case that judged and observed nothing has shown nothing.
func (r *record) end(start, now time.Time, level result.Level, journey bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Started, r.result.Duration = r.started.Sub(start).Seconds(), now.Sub(r.started).Seconds()
	switch {
	case journey && !r.decided:
		r.decided = true
	case !r.decided && len(r.result.Observations) > 0:
		r.result.Outcome = result.Observed
	case !r.decided:
		r.result.Outcome, r.result.Reason = result.Errored, "the case judged nothing"
	case level == result.Info && (r.result.Outcome == result.Passed || r.result.Outcome == result.Warning):
		r.result.Outcome = result.Observed
	}
}

func (r *record) done() result.Case {
	r.mu.Lock()
	defer r.mu.Unlock()
	done := r.result
	done.Steps = slices.Clone(done.Steps)
	return done
}
