package terminal

import (
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// inFull is how many findings are told in full; a Provider that fails everything needs no longer list.
const inFull = 20

// findings tells the cases with the outcome, those of one requirement together.
func (s *summary) findings(title string, o result.Outcome) {
	found := view.Findings(s.run, o)
	if len(found) == 0 {
		return
	}
	s.title(title, len(found))
	var last *result.Requirement
	for i, f := range found {
		if i >= inFull && !s.options.Verbose {
			if i == inFull {
				s.line("")
			}
			s.oneLine(f)
			continue
		}
		if f.Row != last {
			s.requirement(f.Row, o)
			last = f.Row
		}
		s.finding(f.Case)
	}
}

func (s *summary) requirement(row *result.Requirement, o result.Outcome) {
	s.line("\n%s %s  %s", s.screen.paint(view.Glyph(o), bold, colour(o)), s.screen.paint(row.ID, bold),
		wrap(view.Line(row.Text), s.width-len(row.ID)-2, "  "))
	s.line("  %s", s.screen.paint(fmt.Sprintf("%s, %s, §%s %s", row.Level, row.Basis, row.Clause, catalog.Title(row.Clause)), dim))
}

// finding is a case in full: what was expected, what came, and how to see it again.
func (s *summary) finding(c *result.Case) {
	s.line("  %s", s.screen.paint(view.Line(c.Name), bold))
	// What is to be copied is never broken into lines.
	field := func(name, value string, broken bool) {
		if value == "" {
			return
		}
		if broken {
			value = wrap(value, s.width, strings.Repeat(" ", 14))
		}
		s.line("    %s %s", s.screen.paint(fmt.Sprintf("%-9s", name), dim), value)
	}
	field("reason", view.Reason(c.Reason), true)
	field("expected", view.Line(c.Expected), true)
	field("got", view.Line(c.Got), true)
	if e := s.index.Showing(c); e != nil {
		field("exchange", view.Arrow(e)+" ("+e.ID+")", false)
		field("page", s.steps.Page(e), true)
		field("trace", view.Line(e.TraceParent), false)
		field("curl", view.Visible(e.Curl), false)
	}
}

// oneLine is a case on one line. What came stands before what was expected: the end may be cut.
func (s *summary) oneLine(f view.Finding) {
	o, why := f.Case.Outcome, view.Why(f.Case)
	if f.Case.Got != "" && f.Case.Expected != "" {
		why = view.Line(f.Case.Got) + ", expected " + view.Line(f.Case.Expected)
	}
	s.line("%s %s  %s", s.screen.paint(view.Glyph(o), bold, colour(o)), view.Line(f.Case.Name),
		view.Clip(why, max(s.width-len(f.Case.Name)-4, 20)))
}

func (s *summary) warnings() {
	if s.options.Verbose {
		s.findings("Warnings", result.Warning)
		return
	}
	found := view.Findings(s.run, result.Warning)
	if len(found) == 0 {
		return
	}
	s.title("Warnings", len(found))
	for _, f := range found {
		s.oneLine(f)
	}
}

// short is what --quiet leaves of it.
func (s *summary) short() {
	for _, o := range []result.Outcome{result.Failed, result.Errored} {
		for _, f := range view.Findings(s.run, o) {
			s.oneLine(f)
		}
	}
}
