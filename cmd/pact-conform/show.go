package main

import (
	"io"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
)

// show runs the engine and lets Ginkgo go through its cases: a spec for each, which waits for what
// came of it and ends likewise. What counts is the engine's result alone: Ginkgo's view of an
// interrupted suite is coarser. It can be called once in a process, as Ginkgo can.
func show(e *engine.Engine, w *watch, run func(engine.Observer) *result.Run) *result.Run {
	var done *result.Run
	go func() {
		defer close(w.over)
		done = run(w)
	}()
	ginkgo.Describe("PACT 1.0", func() {
		for _, c := range e.Cases() {
			ginkgo.It(c.FullName(), func(ctx ginkgo.SpecContext) { spec(w.outcome(ctx, c.FullName())) })
		}
	})
	// What a person sees comes from the reports.
	formatter.ColorableStdOut = io.Discard
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FailOnEmpty = true
	suite.Timeout = 365 * 24 * time.Hour // every request and every wait has a limit of its own
	reporter.NoColor = true
	ginkgo.RunSpecs(discarded{}, "pact-conform", suite, reporter)
	<-w.over
	return done
}

// spec ends the running spec as the case ended.
func spec(c result.Case) {
	why := c.Reason
	if why == "" {
		why = "expected " + c.Expected + ", got " + c.Got
	}
	switch c.Outcome {
	case result.Failed, result.Errored:
		ginkgo.Fail(why)
	case result.Blocked, result.NotRun, result.NotApplicable:
		ginkgo.Skip(string(c.Outcome) + ": " + why)
	case result.Warning:
		ginkgo.AddReportEntry(string(c.Outcome), why)
	case "":
		ginkgo.Skip("the run ended before the case")
	}
}

// discarded takes Ginkgo's verdict, which follows from the engine's.
type discarded struct{}

func (discarded) Fail() {}
