package engine_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

func TestAJourneyHappensOnceAndIsShared(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	var begun atomic.Int32
	base := engine.NewJourney("the base", func(c *engine.C) string {
		begun.Add(1)
		c.Expect(list(c)).To(right)
		return "value"
	})
	upper := engine.NewJourney("the upper", func(c *engine.C) string { return base.In(c) + "!" }, base)
	var rows []engine.Requirement
	var cases []*engine.Case
	for i := range 30 {
		rows = append(rows, row(fmt.Sprintf("M-%d", i), result.Must))
		cases = append(cases, case_(fmt.Sprintf("M-%d", i), "x", func(c *engine.C) {
			c.Observe("%s %s", base.In(c), upper.In(c))
			c.Expect(list(c)).To(right)
		}, engine.Using(base, upper)))
	}
	e := mustNew(t, rows, cases)
	for runs := range 2 { // each run has its own
		r, _ := run(t, e, server.setup())
		g.Expect(begun.Load()).To(BeEquivalentTo(runs + 1))
		for _, q := range r.Requirements {
			c := q.Cases[0]
			g.Expect(c.Outcome).To(Equal(result.Passed), c.Reason)
			g.Expect(c.Observations).To(Equal([]string{"value value!"}))
			g.Expect(c.Journeys).To(ContainElements("the base", "the upper"))
		}
		byName := map[string]result.Journey{}
		for _, j := range r.Journeys {
			byName[j.Name] = j
		}
		g.Expect(byName["the base"].Outcome).To(Equal(result.Passed))
		g.Expect(byName["the base"].Reason).To(BeEmpty())
		g.Expect(byName["the base"].Exchanges).To(HaveLen(1))
		g.Expect(byName["the upper"].Journeys).To(Equal([]string{"the base"}))
		g.Expect(r.Find(byName["the base"].Exchanges[0]).Tags.Case).To(Equal("the base"))
	}
}

func TestWhatComesOfAJourneyComesToItsUsers(t *testing.T) {
	for name, test := range map[string]struct {
		body func(*engine.C)
		want string
	}{
		"passes":         {func(c *engine.C) { c.Expect(list(c)).To(right) }, "passed"},
		"judges nothing": {func(*engine.C) {}, "passed"},
		"observes":       {func(c *engine.C) { c.Observe("seen") }, "passed"},
		"warns":          {func(c *engine.C) { c.Expect(list(c)).To(soft) }, "passed"},
		"warns softly":   {func(c *engine.C) { c.Expect(list(c)).Softly().To(wrong) }, "passed"},
		"fails":          {func(c *engine.C) { c.Expect(list(c)).To(wrong) }, "blocked flow: expected status 401, got 200 OK (application/a2a+json)"},
		"blocks":         {func(c *engine.C) { c.Block("no contextId") }, "blocked flow: no contextId"},
		"sees a control fail": {func(c *engine.C) { c.Control(list(c)).To(wrong) },
			"blocked flow: the control failed: expected status 401, got 200 OK (application/a2a+json)"},
		"is at fault":          {func(c *engine.C) { c.Fault(fmt.Errorf("no role")) }, "blocked flow: no role"},
		"lacks set-up":         {func(c *engine.C) { c.NotRun("no second Brand") }, "not-run no second Brand"},
		"is not applicable":    {func(c *engine.C) { c.NotApplicable("nothing declared") }, "not-applicable nothing declared"},
		"undeclared use in it": {func(c *engine.C) { stranger.In(c) }, `blocked flow: uses the journey "a stranger" without declaring it`},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			server := newTiny(t, nil)
			flow := engine.NewJourney("flow", func(c *engine.C) int { test.body(c); return 7 })
			over := engine.NewJourney("over", func(c *engine.C) int { return flow.In(c) + 1 }, flow)
			rows := []engine.Requirement{row("A", result.Must), row("B", result.Must)}
			r, _ := run(t, mustNew(t, rows, []*engine.Case{
				case_("A", "x", func(c *engine.C) { c.Observe("%d", flow.In(c)); c.Expect(list(c)).To(right) }, engine.Using(flow)),
				case_("B", "x", func(c *engine.C) { c.Observe("%d", over.In(c)); c.Expect(list(c)).To(right) }, engine.Using(over)),
			}), server.setup())
			g.Expect(outcome(t, r, "A/x")).To(Equal(test.want))
			if test.want == "passed" {
				g.Expect(find(t, r, "A/x").Observations).To(Equal([]string{"7"}))
				g.Expect(find(t, r, "B/x").Observations).To(Equal([]string{"8"}))
				return
			}
			g.Expect(find(t, r, "B/x").Outcome).To(Equal(find(t, r, "A/x").Outcome))
			g.Expect(find(t, r, "B/x").Reason).To(HaveSuffix(find(t, r, "A/x").Reason))
			g.Expect(find(t, r, "A/x").Observations).To(BeEmpty())
		})
	}
}

var stranger = engine.NewJourney("a stranger", func(*engine.C) int { return 1 })

func TestAJourneyThatWasNotDeclaredIsAnError(t *testing.T) {
	rows, cases := one(func(c *engine.C) { c.Observe("%d", stranger.In(c)) })
	r, _ := run(t, mustNew(t, rows, cases), newTiny(t, nil).setup())
	NewWithT(t).Expect(outcome(t, r, "M-1/case")).To(Equal(`error uses the journey "a stranger" without declaring it`))
}

// ring of journeys that wait for one another: Go lets only a list that is filled later have one.
type late struct{ engine.Dependency }

func TestJourneysThatWaitForOneAnotherAreRefused(t *testing.T) {
	g := NewWithT(t)
	hole := &late{}
	first := engine.NewJourney("first", func(*engine.C) int { return 1 }, hole)
	second := engine.NewJourney("second", func(*engine.C) int { return 1 }, first)
	hole.Dependency = second
	body := func(*engine.C) {}
	for _, d := range []engine.Dependency{first, second} {
		_, err := engine.New([]engine.Requirement{row("M", result.Must)}, []*engine.Case{case_("M", "x", body, engine.Using(d))})
		g.Expect(err).To(MatchError(MatchRegexp(`the journey "(first|second)" waits for itself`)))
	}
	hole.Dependency = first
	_, err := engine.New([]engine.Requirement{row("M", result.Must)}, []*engine.Case{case_("M", "x", body, engine.Using(first))})
	g.Expect(err).To(MatchError(`the journey "first" waits for itself`))
}

func TestACardThatCannotBeReadBlocks(t *testing.T) {
	for name, test := range map[string]struct {
		handle http.HandlerFunc
		want   string
	}{
		"no JSON": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<h1>")) }, "blocked the Brand's card: the card is no JSON object"},
		"a 404":   {status(http.StatusNotFound), "blocked the Brand's card: expected status 200, got 404 Not Found"},
		"no interface": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) },
			"blocked the Brand's card: the card lists no supportedInterfaces entry with protocolBinding HTTP+JSON, protocolVersion 1.0 and a url"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			server := newTiny(t, map[string]http.HandlerFunc{"GET /card": test.handle})
			rows, cases := one(func(c *engine.C) { c.Expect(c.Interface().Tasks("")).To(right) })
			r, _ := run(t, mustNew(t, rows, cases), server.setup())
			g.Expect(outcome(t, r, "M-1/case")).To(Equal(test.want))
			g.Expect(r.Brand.Interface).To(BeEmpty())
		})
	}
}

func TestAnUnmatchedInterfaceBlocks(t *testing.T) {
	server := newTiny(t, map[string]http.HandlerFunc{"GET /tasks": status(http.StatusNotFound)})
	rows, cases := one(func(c *engine.C) { c.Expect(c.Brand().Tasks("")).To(judge.BeNoRoute()) })
	r, _ := run(t, mustNew(t, rows, cases), server.setup())
	NewWithT(t).Expect(outcome(t, r, "M-1/case")).To(HavePrefix("blocked a right token is let through: expected an answer of the operation"))
}
