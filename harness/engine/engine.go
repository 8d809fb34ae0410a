package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pact-conform/pact-conform/harness/clock"
	"github.com/pact-conform/pact-conform/harness/evidence"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// mostSecondLooks caps how many cases run again because they met a server error.
const mostSecondLooks = 20

// ErrInterrupted is the cause with which a caller cancels the context of a run that is to end in order.
var ErrInterrupted = errors.New("interrupted")

// Engine is what can be run: rows and their cases.
type Engine struct {
	requirements []Requirement
	cases        map[string][]*Case
	ordered      []*Case
}

// New checks that rows and cases fit: every case has a row, names are unique, no journey waits for itself.
func New(requirements []Requirement, cases []*Case) (*Engine, error) {
	e := &Engine{requirements: requirements, cases: map[string][]*Case{}}
	known := map[string]bool{}
	for _, q := range requirements {
		known[q.ID] = true
	}
	names := map[string]bool{}
	for _, c := range cases {
		switch name := c.FullName(); {
		case !known[c.Requirement]:
			return nil, fmt.Errorf("the case %s has no requirement", name)
		case names[name]:
			return nil, fmt.Errorf("two cases are named %s", name)
		case c.Body == nil || c.Name == "" || strings.ContainsAny(c.Name, "/ "):
			return nil, fmt.Errorf("the case %q lacks a body or has no name of its own", name)
		default:
			names[name] = true
		}
		e.cases[c.Requirement] = append(e.cases[c.Requirement], c)
	}
	for _, q := range requirements {
		e.ordered = append(e.ordered, e.cases[q.ID]...)
	}
	_, _, err := priorities(e.ordered)
	return e, err
}

// Requirements are the rows, in order.
func (e *Engine) Requirements() []Requirement { return e.requirements }

// Cases are all cases in the order of their rows.
func (e *Engine) Cases() []*Case { return e.ordered }

// Select is the engine with what keep keeps; rows that are left without a case are left out.
func (e *Engine) Select(keep func(Requirement, *Case) bool) *Engine {
	selected := &Engine{cases: map[string][]*Case{}}
	for _, q := range e.requirements {
		for _, c := range e.cases[q.ID] {
			if keep(q, c) {
				selected.cases[q.ID] = append(selected.cases[q.ID], c)
			}
		}
		if kept := selected.cases[q.ID]; len(kept) > 0 {
			selected.requirements = append(selected.requirements, q)
			selected.ordered = append(selected.ordered, kept...)
		}
	}
	return selected
}

// Observer is told how a run goes on. Its methods are called from several goroutines.
type Observer interface {
	// Started says that a case began, Ended what came of it. A case that cannot be run only ends; one
	// that gets a second look begins and ends twice, and the last holds.
	Started(Requirement, string)
	Ended(Requirement, result.Case)
}

// run is one run of an engine.
type run struct {
	setup    Setup
	observer Observer
	ctx      context.Context
	cancel   context.CancelCauseFunc
	clock    *clock.Measured
	recorder *evidence.Recorder
	link     *provider.Link
	start    time.Time
	priority map[*journey]int
	own      map[*Case]int

	group sync.WaitGroup

	mu       sync.Mutex
	journeys map[*journey]*started
	order    []*started
	results  map[*Case]result.Case
	met      []*pending
	wanted   map[*journey]bool
	closers  []func()
	finally  map[string][]func(*C)
	pictures map[string][]byte
}

// pending is a case of a run.
type pending struct {
	requirement Requirement
	def         *Case
	// waited is set for one that met no server error itself, but waited for a journey that did.
	waited bool
}

// Run runs all cases and returns what came of them. It ends early, with what there is, when the
// context is cancelled (with ErrInterrupted as cause) or the target stops answering; every
// goroutine that it started has ended when it returns.
func (e *Engine) Run(ctx context.Context, setup Setup, observer Observer) *result.Run {
	if setup.Clock == nil {
		setup.Clock = clock.System{}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{
		setup: setup, observer: observer, ctx: ctx, cancel: cancel, clock: clock.NewMeasured(setup.Clock),
		recorder: evidence.NewRecorder(evidence.NewMasker(setup.Secrets...)),
		journeys: map[*journey]*started{}, wanted: map[*journey]bool{}, results: map[*Case]result.Case{},
	}
	r.priority, r.own, _ = priorities(e.ordered)
	for _, j := range []*journey{brandCard.journey, otherCard.journey, approach.journey} {
		r.priority[j] = first
	}
	r.link = provider.NewLink(provider.Options{
		Transport: setup.Transport, Headers: setup.Headers, Recorder: r.recorder, Clock: r.clock, Version: setup.Version,
		Concurrency: setup.Limits.Concurrency, Rate: setup.Limits.Rate,
		TurnTimeout: setup.Limits.TurnTimeout, RequestTimeout: setup.Limits.RequestTimeout, Stop: cancel,
	})
	defer r.link.Close()
	r.start = r.now()

	phases := r.plan(e)
	r.together(phases[phaseMain])
	looks := r.again()
	r.inTurn(phases[phaseAlone])
	r.inTurn(phases[phaseOverall])
	r.group.Wait()
	r.end()
	return r.finish(e, looks)
}

// plan sorts the cases into phases; what cannot be run in this set-up ends at once.
func (r *run) plan(e *Engine) map[phase][]*pending {
	phases := map[phase][]*pending{}
	for _, q := range e.requirements {
		for _, c := range e.cases[q.ID] {
			if lack := r.setup.refuse(q, c); lack != nil {
				r.ended(&pending{requirement: q, def: c}, result.Case{
					Name: c.FullName(), Outcome: lack.outcome, Optional: c.optional, Reason: lack.reason, Beside: lack.beside,
				})
				continue
			}
			r.want(c.uses)
			phases[c.phase] = append(phases[c.phase], &pending{requirement: q, def: c})
		}
	}
	return phases
}

// together starts all bodies at once, or one after the other where one request at a time is asked for.
func (r *run) together(all []*pending) {
	if r.setup.Limits.Concurrency <= 1 {
		r.inTurn(all)
		return
	}
	first := slices.Clone(all)
	slices.SortStableFunc(first, func(a, b *pending) int { return r.own[b.def] - r.own[a.def] })
	var group sync.WaitGroup
	for _, p := range first {
		group.Add(1)
		r.spawn(func() {
			defer group.Done()
			r.execute(p, false)
		})
	}
	group.Wait()
}

func (r *run) inTurn(all []*pending) {
	for _, p := range all {
		r.execute(p, false)
	}
}

// again gives the cases that met a server error their second look, alone, and returns how many. Cases
// that only waited for a journey that met one are no matter of the cap: without it they show nothing.
func (r *run) again() int {
	r.mu.Lock()
	met := r.met
	r.mu.Unlock()
	slices.SortFunc(met, func(a, b *pending) int { return strings.Compare(a.def.FullName(), b.def.FullName()) })
	looks, own := 0, 0
	for _, p := range met {
		if r.ctx.Err() != nil {
			break
		}
		if !p.waited {
			if own++; own > mostSecondLooks {
				continue
			}
		}
		r.execute(p, true)
		looks++
	}
	return looks
}

func (r *run) execute(p *pending, secondLook bool) {
	name := p.def.FullName()
	record := newRecord(name, r.now())
	record.result.Optional, record.result.SecondLook = p.def.optional, secondLook
	if r.ctx.Err() != nil {
		outcome, reason := r.brokenOff()
		record.settle(outcome, reason)
		r.ended(p, record.done())
		return
	}
	r.observer.Started(p.requirement, name)
	c := r.newC(name, record, p.def.uses, r.own[p.def], secondLook)
	c.level, c.tolerant = p.requirement.Level, p.def.tolerant
	c.do(func() { p.def.Body(c) })
	own, journeys := record.deservesLook()
	if (own || journeys) && !secondLook && p.def.phase == phaseMain {
		p.waited = !own
		r.mu.Lock()
		r.met = append(r.met, p)
		r.mu.Unlock()
	}
	r.ended(p, record.done())
}

func (r *run) newC(name string, record *record, uses []Dependency, priority int, secondLook bool) *C {
	return &C{run: r, ctx: r.ctx, name: name, record: record, uses: slices.Clone(uses), priority: priority, secondLook: secondLook}
}

func (r *run) ended(p *pending, c result.Case) {
	r.mu.Lock()
	r.results[p.def] = c
	r.mu.Unlock()
	r.observer.Ended(p.requirement, c)
}

func (r *run) spawn(f func()) {
	r.group.Add(1)
	go func() {
		defer r.group.Done()
		f()
	}()
}

func (r *run) now() time.Time { return r.setup.Clock.Now() }

// stopped says why the run broke off.
func (r *run) stopped() string {
	if cause := context.Cause(r.ctx); cause != nil {
		return cause.Error()
	}
	return ""
}

// brokenOff is the outcome of a case that the end of the run overtook.
func (r *run) brokenOff() (result.Outcome, string) {
	if errors.Is(context.Cause(r.ctx), provider.ErrStopped) {
		return result.Errored, r.stopped()
	}
	return result.NotRun, "the run was " + r.stopped()
}
