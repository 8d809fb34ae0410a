package main

import (
	"bytes"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/terminal"
)

// Ginkgo runs once in a process, so that one test shows all of it.
func TestGinkgoShowsWhatTheEngineFound(t *testing.T) {
	g := NewWithT(t)
	outcomes := map[string]result.Outcome{
		"passed": result.Passed, "observed": result.Observed, "warning": result.Warning,
		"failed": result.Failed, "error": result.Errored,
		"blocked": result.Blocked, "not-run": result.NotRun, "not-applicable": result.NotApplicable,
	}
	rows := []engine.Requirement{
		{ID: "PACT-1-01", Level: result.Must, Basis: "stated", Clause: "1"},
		{ID: "PACT-1-02", Level: result.Should, Basis: "stated", Clause: "1"},
	}
	var cases []*engine.Case
	for name := range outcomes {
		cases = append(cases, &engine.Case{Requirement: "PACT-1-01", Name: name, Body: func(*engine.C) {}})
	}
	for _, name := range []string{"looked-at-again", "strict", "never-ended"} {
		cases = append(cases, &engine.Case{Requirement: "PACT-1-02", Name: name, Body: func(*engine.C) {}})
	}
	e, err := engine.New(rows, cases)
	g.Expect(err).NotTo(HaveOccurred())

	var out bytes.Buffer
	reporter := terminal.New(terminal.Screen{Out: &out, Width: func() int { return 80 }}, terminal.Options{})
	w := newWatch(reporter, e, result.Settings{Strict: true})
	states := map[string]types.SpecState{}
	ginkgo.ReportAfterSuite("the test", func(r ginkgo.Report) {
		for _, s := range r.SpecReports.WithLeafNodeType(types.NodeTypeIt) {
			states[s.LeafNodeText] = s.State
		}
	})
	made := &result.Run{}
	got := show(e, w, func(o engine.Observer) *result.Run {
		for name, outcome := range outcomes {
			o.Started(rows[0], "PACT-1-01/"+name)
			o.Ended(rows[0], result.Case{Name: "PACT-1-01/" + name, Outcome: outcome})
		}
		o.Ended(rows[1], result.Case{Name: "PACT-1-02/looked-at-again", Outcome: result.Errored})
		o.Ended(rows[1], result.Case{Name: "PACT-1-02/looked-at-again", Outcome: result.Passed, SecondLook: true})
		o.Ended(rows[1], result.Case{Name: "PACT-1-02/strict", Outcome: result.Warning})
		return made
	})
	g.Expect(got).To(BeIdenticalTo(made))
	g.Expect(states).To(Equal(map[string]types.SpecState{
		"PACT-1-01/passed": types.SpecStatePassed, "PACT-1-01/observed": types.SpecStatePassed, "PACT-1-01/warning": types.SpecStatePassed,
		"PACT-1-01/failed": types.SpecStateFailed, "PACT-1-01/error": types.SpecStateFailed,
		"PACT-1-01/blocked": types.SpecStateSkipped, "PACT-1-01/not-run": types.SpecStateSkipped, "PACT-1-01/not-applicable": types.SpecStateSkipped,
		"PACT-1-02/looked-at-again": types.SpecStatePassed, "PACT-1-02/strict": types.SpecStateFailed, "PACT-1-02/never-ended": types.SpecStateSkipped,
	}))
	g.Expect(out.String()).To(ContainSubstring("PACT-1-02/looked-at-again: passed at a second look, alone"))
}
