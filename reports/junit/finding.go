package junit

import (
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// longestMessage keeps a message readable in the lists that CI systems show, in characters.
const longestMessage = 300

// message stands alone: CI systems show it without the name of the case.
func message(c *result.Case) string {
	return view.Clip(c.Name+": "+view.Why(c), longestMessage)
}

func kind(c *result.Case) string {
	if c.Judge != "" {
		return view.Line(c.Judge)
	}
	return string(c.Outcome)
}

func reason(c *result.Case) string {
	if c.Reason == "" {
		return "no reason given"
	}
	return view.Reason(c.Reason)
}

// evidence is what a run kept of exchanges and pages.
type evidence struct {
	exchanges view.Exchanges
	steps     view.Steps
}

// body tells the finding in full: the rule, what was expected, what came, and how to see it again.
func body(kept evidence, row *result.Requirement, c *result.Case) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", name+":", value)
		}
	}
	b.WriteString("\n")
	line("requirement", view.Line(row.Text))
	line("level", fmt.Sprintf("%s, %s, §%s", row.Level, row.Basis, row.Clause))
	line("reason", view.Reason(c.Reason))
	line("expected", view.Line(c.Expected))
	line("got", view.Line(c.Got))
	for _, o := range c.Observations {
		line("observed", view.Line(o))
	}
	if e := kept.exchanges.Showing(c); e != nil {
		line("exchange", e.ID+" "+view.Arrow(e))
		line("page", kept.steps.Page(e))
		line("traceparent", view.Line(e.TraceParent))
		line("curl", view.Visible(e.Curl))
	}
	return b.String()
}

func observed(c *result.Case) string {
	var b strings.Builder
	for _, o := range c.Observations {
		b.WriteString("observed: " + view.Line(o) + "\n")
	}
	return b.String()
}
