package engine_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// page asks for tasks in a way that a test's server tells from other asks.
func page(c *engine.C, of string) *provider.Answer { return c.Brand().Tasks("page=" + of) }

// unsteady fails the first times requests of some pages, and serves them from then on. A page that
// is not named is served at once; -1 fails always, -2 cuts the connection the first time.
func unsteady(t testing.TB, times map[string]int) *tiny {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]int{}
	server := newTiny(t, nil)
	server.Config.ErrorLog = nil
	server.handle = map[string]http.HandlerFunc{"GET /tasks": func(w http.ResponseWriter, r *http.Request) {
		of := r.URL.Query().Get("page")
		mu.Lock()
		seen[of]++
		n := seen[of]
		mu.Unlock()
		switch most := times[of]; {
		case most == -2 && n == 1:
			w.Header().Set("Content-Length", "100") // more than comes: the connection is cut
			_, _ = w.Write([]byte("{"))
		case most == -1, n <= most:
			w.WriteHeader(http.StatusBadGateway)
		default:
			w.Header().Set("Content-Type", "application/a2a+json")
			_, _ = w.Write([]byte(`{"tasks":[]}`))
		}
	}}
	return server
}

// every5xx is a row about the failures of the whole run.
func every5xx() *engine.Case {
	return case_("E", "every-5xx", func(c *engine.C) {
		var met []*result.Exchange
		for _, x := range c.Exchanges() {
			if x.Response != nil && x.Response.Status >= 500 {
				met = append(met, x)
			}
		}
		if len(met) == 0 {
			c.NotApplicable("no 5xx was met")
		}
		c.Judge(met...).To(judge.BeInternalErrors())
	}, engine.Overall())
}

func TestWhatMetAServerErrorGetsASecondLook(t *testing.T) {
	expect := func(of string) func(*engine.C) { return func(c *engine.C) { c.Expect(page(c, of)).To(right) } }
	// The harness itself may ask more than once at the first look, so that what flaps fails long enough.
	for name, test := range map[string]struct {
		times      map[string]int
		want, e    string
		secondLook bool
	}{
		"never":     {nil, "passed", "not-applicable no 5xx was met", false},
		"once":      {map[string]int{"a": 1}, "passed", "warning", true},
		"cut once":  {map[string]int{"a": -2}, "passed", "not-applicable no 5xx was met", true},
		"always":    {map[string]int{"a": -1}, "failed", "failed", true},
		"at others": {map[string]int{"b": -1}, "passed", "not-applicable no 5xx was met", false},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			server := unsteady(t, test.times)
			r, told := run(t, mustNew(t, []engine.Requirement{row("A", result.Must), row("E", result.Must)}, []*engine.Case{
				case_("A", "x", expect("a")), every5xx(),
			}), server.setup())
			g.Expect(outcome(t, r, "A/x")).To(Equal(test.want))
			g.Expect(outcome(t, r, "E/every-5xx")).To(Equal(test.e))
			g.Expect(find(t, r, "A/x").SecondLook).To(Equal(test.secondLook))
			looks := 0
			for _, x := range r.Exchanges {
				if x.Tags.SecondLook {
					looks++
					g.Expect(x.Tags.Case).To(Equal("A/x"))
				}
			}
			g.Expect(looks > 0).To(Equal(test.secondLook))
			g.Expect(r.Stats.SecondLooks > 0).To(Equal(test.secondLook))
			if test.secondLook {
				g.Expect(strings.Count(strings.Join(told.ended, ","), "A/x ")).To(Equal(2), "told twice")
			}
		})
	}
}

func TestASecondLookIsTakenAlone(t *testing.T) {
	g := NewWithT(t)
	server := unsteady(t, map[string]int{"a": -1, "b": -1, "c": -1})
	var mu sync.Mutex
	now, most := 0, 0
	body := func(of string) func(*engine.C) {
		looks := 0
		return func(c *engine.C) {
			mu.Lock()
			looks++
			if looks == 2 {
				now++
				most = max(most, now)
			}
			mu.Unlock()
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				if looks == 2 {
					now--
				}
			}()
			c.Expect(page(c, of)).To(right)
		}
	}
	rows, cases := one(body("a"), body("b"), body("c"))
	r, _ := run(t, mustNew(t, rows, cases), server.setup())
	g.Expect(r.Stats.SecondLooks).To(Equal(3))
	g.Expect(most).To(Equal(1))
}

func TestSecondLooksAreCapped(t *testing.T) {
	g := NewWithT(t)
	times := map[string]int{}
	var bodies []func(*engine.C)
	for i := range 30 {
		of := fmt.Sprint(i)
		times[of] = -1
		bodies = append(bodies, func(c *engine.C) { c.Expect(page(c, of)).To(right) })
	}
	rows, cases := one(bodies...)
	r, _ := run(t, mustNew(t, rows, cases), unsteady(t, times).setup())
	g.Expect(r.Stats.SecondLooks).To(Equal(20))
	again := 0
	for _, q := range r.Requirements {
		g.Expect(q.Cases[0].Outcome).To(Equal(result.Failed), "also without a second look")
		if q.Cases[0].SecondLook {
			again++
		}
	}
	g.Expect(again).To(Equal(20))
}

func TestAJourneyThatMetAServerErrorHappensAgain(t *testing.T) {
	g := NewWithT(t)
	server := unsteady(t, map[string]int{"flow": 1})
	flow := engine.NewJourney("flow", func(c *engine.C) int { c.Expect(page(c, "flow")).To(right); return 7 })
	over := engine.NewJourney("over", func(c *engine.C) int { return flow.In(c) }, flow)
	fine := engine.NewJourney("fine", func(c *engine.C) int { c.Expect(page(c, "fine")).To(right); return 1 })
	uses := func(c *engine.C) {
		fine.In(c)
		c.Observe("%d", over.In(c))
		c.Expect(list(c)).To(right)
	}
	rows := []engine.Requirement{row("A", result.Must), row("B", result.Must)}
	r, _ := run(t, mustNew(t, rows, []*engine.Case{
		case_("A", "x", uses, engine.Using(over, fine)), case_("B", "x", uses, engine.Using(over, fine)),
	}), server.setup())
	for _, name := range []string{"A/x", "B/x"} {
		g.Expect(outcome(t, r, name)).To(Equal("passed"))
		g.Expect(find(t, r, name).SecondLook).To(BeTrue())
		g.Expect(find(t, r, name).Observations).To(Equal([]string{"7"}))
	}
	happened := map[string][]result.Outcome{}
	for _, j := range r.Journeys {
		happened[j.Name] = append(happened[j.Name], j.Outcome)
	}
	g.Expect(happened["flow"]).To(Equal([]result.Outcome{result.Failed, result.Passed}))
	g.Expect(happened["over"]).To(Equal([]result.Outcome{result.Blocked, result.Passed}))
	g.Expect(happened["fine"]).To(Equal([]result.Outcome{result.Passed}), "what was in order is kept")
}

func TestWhoProvokesServerErrorsGetsNoSecondLook(t *testing.T) {
	g := NewWithT(t)
	server := unsteady(t, map[string]int{"a": -1})
	provoke := func(c *engine.C) { c.Expect(page(c, "a")).To(judge.SoftStatus([]int{401}, []int{502})) }
	r, _ := run(t, mustNew(t, []engine.Requirement{row("A", result.Must)}, []*engine.Case{
		case_("A", "x", provoke, engine.ToleratesServerErrors()), case_("A", "alone", provoke, engine.Alone()),
	}), server.setup())
	g.Expect(outcome(t, r, "A/x")).To(Equal("warning"))
	g.Expect(outcome(t, r, "A/alone")).To(Equal("warning"), "it was alone the first time")
	g.Expect(r.Stats.SecondLooks).To(BeZero())
}

// stuck is a server that answers the page "slow" only when it is let go.
func stuck(t testing.TB) (server *tiny, arrived chan string) {
	t.Helper()
	arrived = make(chan string, 100)
	over := make(chan struct{})
	server = newTiny(t, map[string]http.HandlerFunc{"GET /tasks": func(_ http.ResponseWriter, r *http.Request) {
		if of := r.URL.Query().Get("page"); of != "" {
			arrived <- of
			<-over
		}
	}})
	t.Cleanup(func() { close(over) })
	return server, arrived
}

func TestAnInterruptionEndsTheRunInOrder(t *testing.T) {
	g := NewWithT(t)
	server, arrived := stuck(t)
	ctx, interrupt := context.WithCancelCause(context.Background())
	finished := make(chan struct{})
	slow := engine.NewJourney("slow", func(c *engine.C) int { c.Expect(page(c, "journey")).To(right); return 1 })
	const notRun = "not-run the run was interrupted"
	bodies := map[string]func(*engine.C){
		"passed":       func(c *engine.C) { c.Expect(list(c)).To(right); c.Observe("done") },
		"failed":       func(c *engine.C) { c.Expect(list(c)).To(wrong) },
		"in-a-request": func(c *engine.C) { c.Expect(page(c, "case")).To(right) },
		"after-a-pass": func(c *engine.C) { c.Expect(list(c)).To(right); c.Expect(page(c, "later")).To(right) },
		"in-a-control": func(c *engine.C) { c.Control(page(c, "control")).To(right); c.Expect(list(c)).To(right) },
		"observing":    func(c *engine.C) { c.Observe("%s", judge.Answered(page(c, "observed").Exchange)) },
		"at-once": func(c *engine.C) {
			b := c.Brand()
			c.AtOnce(func() *provider.Answer { return b.Tasks("page=once") })
			c.Observe("unreached")
		},
		"in-a-wait":      func(c *engine.C) { arrived <- "wait"; c.Wait(time.Hour); c.Observe("unreached") },
		"in-a-journey":   func(c *engine.C) { slow.In(c); c.Observe("unreached") },
		"before-another": func(c *engine.C) { arrived <- "before"; <-c.Context().Done(); c.Expect(list(c)).To(right) },
		"in-the-middle":  func(c *engine.C) { arrived <- "middle"; <-c.Context().Done(); c.Block("something else") },
		"last-moment": func(c *engine.C) {
			answer := list(c)
			arrived <- "last"
			<-c.Context().Done()
			c.Expect(answer).To(right)
		},
	}
	want := map[string]string{"passed": "passed", "failed": "failed", "last-moment": "passed", "never-begun": notRun, "overall": notRun}
	rows := []engine.Requirement{row("M", result.Must)}
	cases := []*engine.Case{
		case_("M", "never-begun", func(c *engine.C) { c.Observe("unreached") }, engine.Alone()),
		case_("M", "overall", func(c *engine.C) { c.Judge(c.Exchanges()...).To(right) }, engine.Overall()),
	}
	for name, body := range bodies {
		if want[name] == "" {
			want[name] = notRun
		}
		cases = append(cases, case_("M", name, body, engine.Using(slow)))
	}
	watch := &watcher{log: &log{}, after: func(l *log) {
		if len(l.ended) == 2 {
			close(finished)
		}
	}}
	e := mustNew(t, rows, cases)
	done := make(chan *result.Run)
	go func() { done <- e.Run(ctx, server.setupWith(20), watch) }()
	for range 10 {
		<-arrived
	}
	<-finished
	interrupt(engine.ErrInterrupted)
	r := <-done
	nothingLeft(t)

	g.Expect(r.Stopped).To(Equal("interrupted"))
	for name, outcomeWanted := range want {
		g.Expect(outcome(t, r, "M/"+name)).To(Equal(outcomeWanted), name)
	}
	g.Expect(find(t, r, "M/passed").Observations).To(Equal([]string{"done"}))
	g.Expect(find(t, r, "M/observing").Observations).To(BeEmpty())
	g.Expect(watch.ended).To(HaveLen(len(cases)), "everyone is told once")
	r.Conclude("identity")
	g.Expect(r.ExitCode).To(Equal(result.ExitNotConformant), "what failed stands")
}

// setupWith has room for so many requests at once.
func (s *tiny) setupWith(concurrency int) engine.Setup {
	setup := s.setup()
	setup.Limits.Concurrency = concurrency
	return setup
}

// watcher calls after whenever a case has ended, under the log's lock.
type watcher struct {
	*log
	after func(*log)
}

func (w *watcher) Ended(q engine.Requirement, c result.Case) {
	w.log.Ended(q, c)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.after(w.log)
}

func TestARunThatIsInterruptedBeforeItBeginsSendsNothing(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	ctx, interrupt := context.WithCancelCause(context.Background())
	interrupt(engine.ErrInterrupted)
	rows, cases := one(func(c *engine.C) { c.Expect(list(c)).To(right) }, func(c *engine.C) { c.Expect(list(c)).To(right) })
	r, told := runIn(t, ctx, mustNew(t, rows, cases), server.setup())
	g.Expect(outcome(t, r, "M-1/case")).To(Equal("not-run the run was interrupted"))
	g.Expect(server.count("GET /card")).To(BeZero())
	g.Expect(told.started).To(BeEmpty())
	r.Conclude("identity")
	g.Expect(r.ExitCode).To(Equal(result.ExitError))
}

func TestAnInterruptedSecondLookKeepsWhatWasSeenBefore(t *testing.T) {
	g := NewWithT(t)
	server := unsteady(t, map[string]int{"a": -1, "b": -1})
	ctx, interrupt := context.WithCancelCause(context.Background())
	var looks atomic.Int32
	body := func(of string) func(*engine.C) {
		return func(c *engine.C) {
			if looks.Add(1) == 3 {
				interrupt(engine.ErrInterrupted)
			}
			c.Expect(page(c, of)).To(right)
		}
	}
	rows, cases := one(body("a"), body("b"))
	r, _ := runIn(t, ctx, mustNew(t, rows, cases), server.setup())
	g.Expect(outcome(t, r, "M-1/case")).To(Equal("not-run the run was interrupted"), "its second look was begun")
	g.Expect(outcome(t, r, "M-2/case")).To(Equal("failed"))
	g.Expect(find(t, r, "M-2/case").SecondLook).To(BeFalse())
}

func TestATargetThatNeverAnswersEndsTheRun(t *testing.T) {
	g := NewWithT(t)
	over := make(chan struct{})
	server := newTiny(t, map[string]http.HandlerFunc{"GET /tasks": func(http.ResponseWriter, *http.Request) { <-over }})
	defer close(over)
	setup := server.setup()
	setup.Limits.RequestTimeout, setup.Limits.Concurrency = 50*time.Millisecond, 1
	var bodies []func(*engine.C)
	for range 50 {
		bodies = append(bodies, func(c *engine.C) { c.Expect(c.Interface().Tasks("")).To(right) })
	}
	rows, cases := one(bodies...)
	cases = append(cases, case_("M-1", "alone", bodies[0], engine.Alone()))
	r, _ := run(t, mustNew(t, rows, cases), setup)
	const why = "the target stopped answering: 3 requests in a row had no answer, the last: no answer before the deadline"
	g.Expect(r.Stopped).To(Equal(why))
	g.Expect(server.count("GET /tasks")).To(Equal(3), "soon after the third deadline")
	for i := range bodies {
		g.Expect(find(t, r, fmt.Sprintf("M-%d/case", i+1)).Outcome).To(Equal(result.Errored))
	}
	g.Expect(outcome(t, r, "M-50/case")).To(Equal("error " + why))
	g.Expect(outcome(t, r, "M-1/alone")).To(Equal("error " + why))
	r.Conclude("identity")
	g.Expect(r.ExitCode).To(Equal(result.ExitError))
	g.Expect(r.Profiles[0].Reason).To(Equal("the run broke off: " + why))
}

func TestATargetThatIsNotThereEndsTheRun(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	setup := server.setup()
	server.Close()
	var bodies []func(*engine.C)
	for range 20 {
		bodies = append(bodies, func(c *engine.C) {
			c.Expect(c.Anywhere().Get(provider.OperationCard, setup.Brand.Card)).To(right)
		})
	}
	rows, cases := one(bodies...)
	r, _ := run(t, mustNew(t, rows, cases), setup)
	g.Expect(r.Stopped).To(ContainSubstring("connection refused"))
	for _, q := range r.Requirements {
		g.Expect(q.Cases[0].Outcome).To(Equal(result.Errored))
	}
}

func TestAContextThatEndsForAnotherReasonSaysIt(t *testing.T) {
	g := NewWithT(t)
	server, arrived := stuck(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	rows, cases := one(func(c *engine.C) { c.Expect(page(c, "x")).To(right) })
	e := mustNew(t, rows, cases)
	done := make(chan *result.Run)
	go func() { done <- e.Run(ctx, server.setup(), &log{}) }()
	<-arrived
	cancel(errors.New("closed by its owner"))
	r := <-done
	g.Expect(r.Stopped).To(Equal("closed by its owner"))
	g.Expect(outcome(t, r, "M-1/case")).To(HavePrefix("not-run "))
}
