package engine_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Judges of the answer of GET tasks, which is a 200.
var (
	right = judge.HaveStatus(200)
	wrong = judge.HaveStatus(401)
	soft  = judge.SoftStatus([]int{401}, []int{200})
)

func TestOutcomesByLevel(t *testing.T) {
	expect := func(j judge.Judge) func(*engine.C) {
		return func(c *engine.C) { c.Expect(list(c)).To(j) }
	}
	softly := func(c *engine.C) { c.Expect(list(c)).Softly().To(wrong) }
	both := func(first, second judge.Judge) func(*engine.C) {
		return func(c *engine.C) {
			answer := list(c)
			c.Expect(answer).To(first)
			c.Expect(answer).To(second)
		}
	}
	for name, test := range map[string]struct {
		body               func(*engine.C)
		must, should, info string
		judgements         int
	}{
		"passes":                            {expect(right), "passed", "passed", "observed", 1},
		"falls short":                       {expect(wrong), "failed", "warning", "observed", 1},
		"falls short softly":                {softly, "warning", "warning", "observed", 1},
		"warns":                             {expect(soft), "warning", "warning", "observed", 1},
		"passes after a warning":            {both(soft, right), "warning", "warning", "observed", 2},
		"warns after a pass":                {both(right, soft), "warning", "warning", "observed", 2},
		"observes":                          {func(c *engine.C) { c.Observe("seen") }, "observed", "observed", "observed", 0},
		"passes and observes":               {func(c *engine.C) { expect(right)(c); c.Observe("seen") }, "passed", "passed", "observed", 1},
		"does nothing":                      {func(*engine.C) {}, "error the case judged nothing", "error the case judged nothing", "error the case judged nothing", 0},
		"asks and judges nothing":           {func(c *engine.C) { list(c) }, "error the case judged nothing", "error the case judged nothing", "error the case judged nothing", 0},
		"judges no exchange":                {func(c *engine.C) { c.Judge().To(right) }, "error", "error", "error", 1},
		"sees a control pass, and ends":     {func(c *engine.C) { c.Control(list(c)).To(right) }, "error the case judged nothing", "error the case judged nothing", "error the case judged nothing", 1},
		"sees a control warn":               {func(c *engine.C) { c.Control(list(c)).To(soft); expect(right)(c) }, "passed", "passed", "observed", 2},
		"sees a control fail":               {func(c *engine.C) { c.Control(list(c)).To(wrong); expect(right)(c) }, blockedByControl, blockedByControl, blockedByControl, 1},
		"blocks":                            {func(c *engine.C) { c.Block("no %s", "contextId") }, "blocked no contextId", "blocked no contextId", "blocked no contextId", 0},
		"is not applicable":                 {func(c *engine.C) { c.NotApplicable("the card declares it") }, "not-applicable the card declares it", "not-applicable the card declares it", "not-applicable the card declares it", 0},
		"is not run":                        {func(c *engine.C) { c.NotRun("no segment") }, "not-run no segment", "not-run no segment", "not-run no segment", 0},
		"is slow":                           {func(c *engine.C) { c.Slow("too long") }, "not-run too long", "not-run too long", "not-run too long", 0},
		"is at fault":                       {func(c *engine.C) { c.Fault(errors.New("no such role")) }, "error no such role", "error no such role", "error no such role", 0},
		"blocks after a pass":               {func(c *engine.C) { expect(right)(c); c.Block("later") }, "blocked later", "blocked later", "blocked later", 1},
		"blocks after a warning":            {func(c *engine.C) { expect(soft)(c); c.Block("later") }, "blocked later", "blocked later", "blocked later", 1},
		"is not applicable after a warning": {func(c *engine.C) { expect(soft)(c); c.NotApplicable("later") }, "warning", "warning", "observed", 1},
		"a token that needs other keys":     {func(c *engine.C) { c.Expect(c.Brand().With(agent.Algorithm("PS256")).Tasks("")).To(right) }, notRunPS, notRunPS, notRunPS, 0},
		"a token that cannot be varied":     {func(c *engine.C) { c.Mint(c.Brand().With(agent.Claim("iss", "1"), agent.IssuerLetterCase(agent.Host))) }, "", "", "", -1},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			server := newTiny(t, nil)
			rows := []engine.Requirement{row("M", result.Must), row("S", result.Should), row("I", result.Info)}
			r, _ := run(t, mustNew(t, rows, []*engine.Case{case_("M", "x", test.body), case_("S", "x", test.body), case_("I", "x", test.body)}), server.setup())
			if test.judgements < 0 {
				g.Expect(find(t, r, "M/x").Outcome).To(Equal(result.NotApplicable), find(t, r, "M/x").Reason)
				return
			}
			g.Expect(outcome(t, r, "M/x")).To(Equal(test.must))
			g.Expect(outcome(t, r, "S/x")).To(Equal(test.should))
			g.Expect(outcome(t, r, "I/x")).To(Equal(test.info))
			g.Expect(find(t, r, "M/x").Judgements).To(HaveLen(test.judgements))
		})
	}
}

const (
	blockedByControl = "blocked the control failed: expected status 401, got 200 OK (application/a2a+json)"
	notRunPS         = "not-run the key ring has no PS256 key"
)

func TestACaseShowsTheJudgementThatDecided(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	rows, cases := one(
		func(c *engine.C) {
			c.Control(list(c)).To(judge.BeAccepted())
			c.Expect(list(c)).To(right)
		},
		func(c *engine.C) {
			c.Control(list(c)).To(judge.BeAccepted())
			c.Expect(list(c)).To(judge.BeUnauthorized())
			c.Expect(list(c)).To(right) // never reached
		},
		func(c *engine.C) {
			c.Control(list(c)).To(judge.BeUnauthorized())
		},
	)
	r, _ := run(t, mustNew(t, rows, cases), server.setup())
	passed, failed, blocked := find(t, r, "M-1/case"), find(t, r, "M-2/case"), find(t, r, "M-3/case")
	g.Expect([]string{passed.Judge, passed.Expected, passed.Got}).To(Equal([]string{"HaveStatus", "status 200", ""}))
	g.Expect(passed.Controls).To(Equal(passed.Exchanges[:1]))
	g.Expect([]string{failed.Judge, failed.Expected, failed.Got}).To(Equal([]string{"HaveStatus", "status 401", "200 OK (application/a2a+json)"}))
	g.Expect(failed.Exchanges).To(HaveLen(2))
	g.Expect(failed.Judgements).To(HaveLen(2))
	g.Expect([]string{blocked.Judge, blocked.Expected, blocked.Got}).To(Equal([]string{"HaveStatus", "status 401", "200 OK (application/a2a+json)"}))
	g.Expect(blocked.Judgements[0].Outcome).To(Equal(result.Blocked))
}

func TestSetUpThatIsMissing(t *testing.T) {
	server := newTiny(t, nil)
	body := func(c *engine.C) { c.Expect(list(c)).To(right) }
	for _, test := range []struct {
		name, outcome, beside string
		requirement           engine.Requirement
		options               []engine.Option
		setup                 func(*engine.Setup)
	}{
		{"missing", "not-run needs second-brand: set otherBrand.card, or otherBrand: none", "", row("M", result.Must, engine.NeedSecondBrand), nil, nil},
		{"there", "passed", "", row("M", result.Must, engine.NeedSecondBrand), nil, func(s *engine.Setup) { s.OtherBrand.Card = server.URL + "/other-card" }},
		{"declared absent", "not-applicable declared absent: pact-conform.yaml:7", "declared absent: pact-conform.yaml:7", row("M", result.Must, engine.NeedSecondBrand), nil,
			func(s *engine.Setup) { s.Absent = map[string]string{engine.NeedSecondBrand: "pact-conform.yaml:7"} }},
		{"there, though declared absent", "passed", "", row("M", result.Must, engine.NeedSecondBrand), nil, func(s *engine.Setup) {
			s.OtherBrand.Card = server.URL + "/other-card"
			s.Absent = map[string]string{engine.NeedSecondBrand: "x"}
		}},
		{"in static mode", "not-run in static mode the harness does not serve the JWKS", "in static mode the harness does not serve the JWKS", row("M", result.Must, engine.NeedServedJWKS), nil, nil},
		{"an agent", "not-run needs second-agent: set agents.second, or none", "", row("M", result.Must, engine.NeedSecondAgent), nil, nil},
		{"a disabled agent", "not-run needs disabled-agent: set agents.disabled, or none", "", row("M", result.Must, engine.NeedDisabledAgent), nil, nil},
		{"a domain", "not-run needs brand-domain: set brand.domain, or none", "", row("M", result.Must, engine.NeedBrandDomain), nil, nil},
		{"a text that closes", "not-run needs prompt:close: set prompts.close, or none", "", row("M", result.Must, engine.NeedPromptClose), nil, nil},
		{"a fact", "not-run needs prompt:memory: set prompts.memory, or none", "", row("M", result.Must, engine.NeedPromptMemory), nil, nil},
		{"what nobody knows", "not-run needs a-unicorn: this version cannot set it up", "", row("M", result.Must, "a-unicorn"), nil, nil},
		{"an optional case", "not-run needs second-agent: set agents.second, or none", "", row("M", result.Must), []engine.Option{engine.WhereSetUp(engine.NeedSecondAgent)}, nil},
		{"as long as allowed", "passed", "", row("M", result.Must, engine.NeedSlow), []engine.Option{engine.WaitsFor(time.Minute)}, nil},
		{"longer than allowed", "not-run waits 1m1s, which is more than --max-wait 1m0s", "waits 1m1s, which is more than --max-wait 1m0s", row("M", result.Must), []engine.Option{engine.WaitsFor(61 * time.Second)}, nil},
		{"as long as the configuration says", "not-run waits 2m0s, which is more than --max-wait 1m0s", "waits 2m0s, which is more than --max-wait 1m0s", row("M", result.Must),
			[]engine.Option{engine.Waits(func(l engine.Limits) time.Duration { return l.RotationWait })}, func(s *engine.Setup) { s.Limits.RotationWait = 2 * time.Minute }},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := NewWithT(t)
			setup := server.setup()
			if test.setup != nil {
				test.setup(&setup)
			}
			r, told := run(t, mustNew(t, []engine.Requirement{test.requirement}, []*engine.Case{case_("M", "x", body, test.options...)}), setup)
			g.Expect(outcome(t, r, "M/x")).To(Equal(test.outcome))
			c := find(t, r, "M/x")
			g.Expect(c.Beside).To(Equal(test.beside))
			g.Expect(c.Optional).To(Equal(test.name == "an optional case"))
			g.Expect(told.ended).To(HaveLen(1))
			if c.Outcome != result.Passed {
				g.Expect(told.started).To(BeEmpty())
				g.Expect(r.Exchanges).To(BeEmpty())
			}
		})
	}
}

func TestWhatASlowCaseSaysStandsBesideTheVerdict(t *testing.T) {
	g := NewWithT(t)
	rows, cases := one(func(c *engine.C) { c.Slow("longer than %s", "1m") }, func(c *engine.C) { c.Expect(list(c)).To(right) })
	r, _ := run(t, mustNew(t, rows, cases), newTiny(t, nil).setup())
	g.Expect(find(t, r, "M-1/case").Beside).To(Equal("longer than 1m"))
	r.Conclude("identity")
	g.Expect(r.Profiles[0].Verdict).To(Equal(result.Conformant))
}

func TestAPanicIsAnErrorOfItsCase(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	setup := server.setup()
	setup.Secrets = []string{"hunter2-secret"}
	var nobody *result.Exchange
	rows, cases := one(
		func(c *engine.C) { c.Expect(list(c)).To(right); panic("it broke on hunter2-secret") },
		func(c *engine.C) { c.Observe("%s", nobody.ID) },
		func(c *engine.C) { fill(nil) },
		func(c *engine.C) { c.Expect(list(c)).To(right) },
		func(c *engine.C) {
			brand := c.Brand()
			c.Expect(c.AtOnce(func() *provider.Answer { return brand.Tasks("") }, func() *provider.Answer { panic(errors.New("in an ask")) })...).To(right)
		},
		func(c *engine.C) { panicking.In(c); c.Observe("unreached") },
	)
	cases[5] = case_("M-6", "case", cases[5].Body, engine.Using(panicking))
	r, _ := run(t, mustNew(t, rows, cases), setup)
	g.Expect(outcome(t, r, "M-1/case")).To(MatchRegexp(`^error the harness panicked: it broke on \[masked\] \(engine_test\.\S+, outcomes_test\.go:\d+\)$`))
	g.Expect(outcome(t, r, "M-2/case")).To(MatchRegexp(`^error the harness panicked: runtime error: invalid memory address or nil pointer dereference \(engine_test\.\S+, outcomes_test\.go:\d+\)$`))
	g.Expect(outcome(t, r, "M-3/case")).To(MatchRegexp(`^error the harness panicked: assignment to entry in nil map \(engine_test\.\S+, outcomes_test\.go:\d+\)$`))
	g.Expect(outcome(t, r, "M-4/case")).To(Equal("passed"))
	g.Expect(outcome(t, r, "M-5/case")).To(MatchRegexp(`^error the harness panicked: in an ask \(engine_test\.\S+, outcomes_test\.go:\d+\)$`))
	g.Expect(outcome(t, r, "M-6/case")).To(MatchRegexp(`^blocked panicking: the harness panicked: oh \(engine_test\.\S+, outcomes_test\.go:\d+\)$`))
}

func fill(m map[string]int) { m["x"] = 1 }

var panicking = engine.NewJourney("panicking", func(*engine.C) int { panic("oh") })

func TestAtOnce(t *testing.T) {
	g := NewWithT(t)
	both := make(chan struct{}, 2)
	met := make(chan struct{})
	server := newTiny(t, map[string]http.HandlerFunc{"POST /message:send": func(w http.ResponseWriter, r *http.Request) {
		both <- struct{}{}
		if len(both) == 2 {
			close(met)
		}
		<-met
		w.Header().Set("Retry-After", "0")
	}})
	rows, cases := one(
		func(c *engine.C) {
			brand := c.Brand().AtOnce()
			answers := c.AtOnce(
				func() *provider.Answer { return brand.Send("one", provider.InContext("c")) },
				func() *provider.Answer { return brand.Send("two", provider.InContext("c")) },
			)
			c.Expect(answers...).To(right)
			for i, text := range []string{"one", "two"} {
				c.Observe("%d %s %t", i, text, answers[i].Exchange.Request.Body != "")
			}
		},
		func(c *engine.C) {
			brand := c.Brand()
			c.AtOnce(
				func() *provider.Answer { return brand.Tasks("") },
				func() *provider.Answer { return brand.With(agent.Algorithm("PS256")).Tasks("") },
			)
			c.Observe("unreached")
		},
	)
	r, _ := run(t, mustNew(t, rows, cases), server.setup())
	g.Expect(outcome(t, r, "M-1/case")).To(Equal("passed"))
	g.Expect(find(t, r, "M-1/case").Observations).To(Equal([]string{"0 one true", "1 two true"}))
	g.Expect(outcome(t, r, "M-2/case")).To(Equal(notRunPS))
	g.Expect(find(t, r, "M-2/case").Observations).To(BeEmpty())
}

func TestALimitThatDoesNotEndIsAnError(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, map[string]http.HandlerFunc{"GET /tasks": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusTooManyRequests)
	}})
	rows, cases := one(func(c *engine.C) { c.Expect(c.Interface().Tasks("")).To(right) })
	r, _ := run(t, mustNew(t, rows, cases), server.setup())
	g.Expect(outcome(t, r, "M-1/case")).To(Equal("error still 429 after 6 attempts"))
}

func TestTokenChangesOfACase(t *testing.T) {
	g := NewWithT(t)
	c := case_("M", "x", func(*engine.C) {})
	g.Expect(c.TokenChanges(&engine.Setup{})).To(BeEmpty())
	c = case_("M", "x", func(*engine.C) {}, engine.WithToken(func(s *engine.Setup) []agent.Change { return []agent.Change{agent.AudienceValue(s.Audience + "x")} }))
	g.Expect(fmt.Sprint(c.TokenChanges(&engine.Setup{Audience: "a"}))).To(ContainSubstring("ax"))
}
