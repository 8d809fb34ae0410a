package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

func TestNewChecksTheSuite(t *testing.T) {
	body := func(*engine.C) {}
	a := engine.NewJourney("a", func(*engine.C) int { return 1 })
	for name, test := range map[string]struct {
		cases []*engine.Case
		err   string
	}{
		"a case without a row": {[]*engine.Case{case_("M-2", "x", body)}, "the case M-2/x has no requirement"},
		"a name twice":         {[]*engine.Case{case_("M-1", "x", body), case_("M-1", "x", body)}, "two cases are named M-1/x"},
		"no body":              {[]*engine.Case{case_("M-1", "x", nil)}, `the case "M-1/x" lacks a body or has no name of its own`},
		"no name":              {[]*engine.Case{case_("M-1", "", body)}, `the case "M-1/" lacks a body or has no name of its own`},
		"a name with a space":  {[]*engine.Case{case_("M-1", "a b", body)}, `the case "M-1/a b" lacks a body or has no name of its own`},
		"a journey shared":     {[]*engine.Case{case_("M-1", "x", body, engine.Using(a)), case_("M-1", "y", body, engine.Using(a, a))}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := engine.New([]engine.Requirement{row("M-1", result.Must)}, test.cases)
			if test.err == "" {
				NewWithT(t).Expect(err).NotTo(HaveOccurred())
			} else {
				NewWithT(t).Expect(err).To(MatchError(test.err))
			}
		})
	}
}

func TestSelect(t *testing.T) {
	g := NewWithT(t)
	body := func(*engine.C) {}
	e := mustNew(t, []engine.Requirement{row("M-1", result.Must), row("S-1", result.Should), row("M-2", result.Must)},
		[]*engine.Case{case_("M-2", "z", body), case_("M-1", "a", body), case_("M-1", "b", body), case_("S-1", "c", body)})
	names := func(e *engine.Engine) []string {
		var names []string
		for _, c := range e.Cases() {
			names = append(names, c.FullName())
		}
		return names
	}
	g.Expect(names(e)).To(Equal([]string{"M-1/a", "M-1/b", "S-1/c", "M-2/z"}), "in the order of the rows")
	selected := e.Select(func(q engine.Requirement, c *engine.Case) bool { return q.Level == result.Must && c.Name != "a" })
	g.Expect(names(selected)).To(Equal([]string{"M-1/b", "M-2/z"}))
	var rows []string
	for _, q := range selected.Requirements() {
		rows = append(rows, q.ID)
	}
	g.Expect(rows).To(Equal([]string{"M-1", "M-2"}))
	g.Expect(names(e)).To(HaveLen(4), "the engine itself is as it was")

	r, _ := run(t, e.Select(func(engine.Requirement, *engine.Case) bool { return false }), newTiny(t, nil).setup())
	g.Expect(r.Requirements).To(BeEmpty())
	r.Conclude("identity")
	g.Expect(r.ExitCode).To(Equal(result.ExitError), "nothing was executed")
}

func TestARunTellsWhatItWas(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	setup := server.setup()
	setup.Provider = result.Provider{Name: "P", Version: "1", Policy: "allowlist"}
	setup.OtherBrand = engine.Brand{Card: server.URL + "/other-card", Name: "Other"}
	setup.Second = agent.New("second", "https://second.example", ring())
	rows, cases := one(func(c *engine.C) {
		c.Expect(list(c)).To(judge.BeOK())
		c.Expect(c.OtherBrand().Tasks("")).To(judge.BeOK())
	})
	r, told := run(t, mustNew(t, rows, cases), setup)
	g.Expect(r.Tool).To(Equal(result.Tool{Name: "pact-conform", Version: "test"}))
	g.Expect(r.Provider).To(Equal(setup.Provider))
	g.Expect(r.Brand).To(Equal(result.Brand{Card: server.URL + "/card", Name: "Tiny", Interface: server.URL + "/a2a"}))
	g.Expect(r.OtherBrand).To(Equal(&result.Brand{Card: server.URL + "/other-card", Name: "Other", Interface: server.URL + "/a2a"}))
	g.Expect(r.Agents).To(Equal([]result.Agent{{Role: "primary", Issuer: "https://pa.example", Mode: "static"}, {Role: "second", Issuer: "https://second.example", Mode: "static"}}))
	g.Expect(r.Stopped).To(BeEmpty())
	g.Expect(r.Stats.Requests).To(Equal(len(r.Exchanges)))
	g.Expect(told.started).To(Equal([]string{"M-1/case"}))
	g.Expect(told.ended).To(Equal([]string{"M-1/case passed"}))
	c := find(t, r, "M-1/case")
	g.Expect(c.Judge).To(Equal("HaveStatus"))
	g.Expect(c.Judgements).To(HaveLen(2))
	for _, id := range c.Exchanges {
		g.Expect(r.Find(id).Tags.Case).To(Equal("M-1/case"))
	}
	g.Expect(r.Requirements[0].Text).To(Equal("Text of M-1"))
	r.Conclude("identity")
	g.Expect(r.ExitCode).To(Equal(result.ExitConformant))
}

func TestBodiesRunAtOnceAndRequestsAreLimited(t *testing.T) {
	g := NewWithT(t)
	var mu sync.Mutex
	now, most := 0, 0
	server := newTiny(t, map[string]http.HandlerFunc{"GET /tasks": func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		runtime.Gosched()
		mu.Lock()
		now--
		mu.Unlock()
	}})
	var all sync.WaitGroup
	all.Add(200)
	var bodies []func(*engine.C)
	for range 200 {
		bodies = append(bodies, func(c *engine.C) {
			all.Done()
			all.Wait() // until every body has begun
			for range 3 {
				c.Expect(list(c)).To(judge.BeOK())
				c.Observe("asked")
			}
		})
	}
	rows, cases := one(bodies...)
	r, _ := run(t, mustNew(t, rows, cases), server.setup())
	for _, q := range r.Requirements {
		g.Expect(q.Cases[0].Outcome).To(Equal(result.Passed), "%s", q.Cases[0].Reason)
		g.Expect(q.Cases[0].Exchanges).To(HaveLen(3))
	}
	g.Expect(most).To(BeNumerically("<=", 8))
	ids := map[string]bool{}
	users := map[string]bool{}
	for _, x := range r.Exchanges {
		ids[x.ID] = true
		if strings.HasPrefix(x.Tags.Case, "M-") {
			users[x.Tags.User] = true
		}
	}
	g.Expect(ids).To(HaveLen(len(r.Exchanges)))
	g.Expect(users).To(HaveLen(200), "every case speaks for a User of its own")
	g.Expect(server.count("GET /card")).To(Equal(1), "the card is read once")
}

func TestConcurrencyOneRunsInTheOrderOfTheClauses(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	setup := server.setup()
	setup.Limits.Concurrency = 1
	var order []string
	body := func(name string) func(*engine.C) {
		return func(c *engine.C) {
			order = append(order, name) // without a lock: nobody runs beside
			c.Expect(list(c)).To(judge.BeOK())
		}
	}
	long := engine.NewJourney("long", func(c *engine.C) int { return len(list(c).Body) })
	r, told := run(t, mustNew(t, []engine.Requirement{row("A", result.Must), row("B", result.Must)}, []*engine.Case{
		case_("B", "b", func(c *engine.C) { long.In(c); body("b")(c) }, engine.Using(long)),
		case_("A", "last", body("last"), engine.Overall()), case_("A", "a", body("a")),
		case_("B", "alone", body("alone"), engine.Alone()), case_("B", "waits", body("waits"), engine.WaitsFor(time.Second)),
	}), setup)
	g.Expect(order).To(Equal([]string{"a", "b", "waits", "alone", "last"}))
	g.Expect(told.started).To(Equal([]string{"A/a", "B/b", "B/waits", "B/alone", "A/last"}))
	for _, q := range r.Requirements {
		for _, c := range q.Cases {
			g.Expect(c.Outcome).To(Equal(result.Passed))
		}
	}
}

func TestAloneAndOverallCasesComeAfterAllOthers(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	var mu sync.Mutex
	running, beside := 0, 0
	body := func(c *engine.C) {
		mu.Lock()
		running++
		mu.Unlock()
		c.Expect(list(c)).To(judge.BeOK())
		mu.Lock()
		running--
		mu.Unlock()
	}
	alone := func(c *engine.C) {
		mu.Lock()
		beside += running
		mu.Unlock()
		body(c)
	}
	seen := map[string]int{}
	overall := func(c *engine.C) {
		alone(c)
		for _, x := range c.Exchanges() {
			seen[x.Tags.Case]++
		}
		c.Judge(c.Exchanges()...).To(judge.HaveStatus(200))
	}
	rows := []engine.Requirement{row("O", result.Must), row("M", result.Must), row("A", result.Must)}
	cases := []*engine.Case{case_("O", "1", overall, engine.Overall()), case_("A", "1", alone, engine.Alone()), case_("A", "2", alone, engine.Alone())}
	for i := range 20 {
		cases = append(cases, case_("M", fmt.Sprint(i), body))
	}
	r, told := run(t, mustNew(t, rows, cases), server.setup())
	g.Expect(beside).To(BeZero())
	g.Expect(told.ended[len(told.ended)-3:]).To(Equal([]string{"A/1 passed", "A/2 passed", "O/1 passed"}))
	g.Expect(seen).To(HaveKeyWithValue("M/7", 1))
	g.Expect(seen).To(HaveKeyWithValue("A/2", 1))
	g.Expect(seen).To(HaveKeyWithValue("the Brand's card", 1))
	g.Expect(find(t, r, "O/1").Judgements[1].Exchanges).To(HaveLen(len(r.Exchanges)))
}

func TestWhatWaitsStartsFirst(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	setup := server.setup()
	setup.Limits.Concurrency = 2
	busy, one, two := make(chan struct{}, 2), make(chan struct{}), make(chan struct{})
	server.handle = map[string]http.HandlerFunc{"GET /tasks": func(_ http.ResponseWriter, r *http.Request) {
		switch r.URL.RawQuery {
		case "pageSize=1":
			busy <- struct{}{}
			<-one
		case "pageSize=2":
			busy <- struct{}{}
			<-two
		}
	}}
	// Two hold both slots until four others wait for one; then one slot is left to them.
	asking := make(chan struct{})
	ask := func(c *engine.C) {
		c.Brand()
		<-asking
		c.Expect(list(c)).To(judge.BeOK())
	}
	hold := func(query string) func(*engine.C) {
		return func(c *engine.C) { c.Expect(c.Brand().Tasks(query)).To(judge.BeOK()) }
	}
	e := mustNew(t, []engine.Requirement{row("M", result.Must)}, []*engine.Case{
		case_("M", "plain-1", ask), case_("M", "plain-2", ask), case_("M", "waits", ask, engine.WaitsFor(time.Second)),
		case_("M", "turns", ask, engine.Turns(3)), case_("M", "hold-1", hold("pageSize=1")), case_("M", "hold-2", hold("pageSize=2")),
	})
	done := make(chan *result.Run)
	go func() { done <- e.Run(context.Background(), setup, &log{}) }()
	<-busy
	<-busy
	close(asking)
	waiting(t, 4)
	close(one)
	g.Eventually(func() int { return server.count("GET /tasks") }, patience, time.Millisecond).Should(Equal(1 + 2 + 4))
	close(two)
	r := <-done
	var order []string
	for _, x := range r.Exchanges {
		if strings.HasPrefix(x.Tags.Case, "M/") && !strings.Contains(x.Tags.Case, "hold") {
			order = append(order, x.Tags.Case)
		}
	}
	g.Expect(order[:2]).To(Equal([]string{"M/waits", "M/turns"}))
}
