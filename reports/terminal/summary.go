package terminal

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// Summary tells what came of the run; folder is where the reports are, empty when none were written.
func (r *Reporter) Summary(run *result.Run, folder string) error {
	r.Close()
	s := &summary{screen: r.screen, options: r.options, run: run, index: view.Index(run), steps: view.StepsOf(run), width: r.screen.readable()}
	if r.options.Quiet {
		s.short()
	} else {
		s.heading()
		s.clauses()
		s.findings("Failures", result.Failed)
		s.findings("Errors of the harness or the network", result.Errored)
		s.warnings()
		s.gaps()
		s.notes()
		s.rule()
	}
	s.verdicts()
	s.cost(folder)
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := io.WriteString(r.screen.Out, s.text.String())
	return err
}

// summary collects the text, so that it is written at once.
type summary struct {
	screen  Screen
	options Options
	run     *result.Run
	index   view.Exchanges
	steps   view.Steps
	width   int
	text    strings.Builder
}

func (s *summary) line(format string, args ...any) {
	s.text.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (s *summary) rule() { s.line("%s", s.screen.paint(strings.Repeat("─", s.width), dim)) }

func (s *summary) title(title string, count int) {
	if count > 0 {
		title = fmt.Sprintf("%s (%d)", title, count)
	}
	s.line("\n%s", s.screen.paint(title, bold))
}

func (s *summary) heading() {
	s.rule()
	s.line("%s", s.screen.paint(fmt.Sprintf("%s %s · %s", s.run.Specification.Name, s.run.Specification.Version, view.Target(s.run)), bold))
	s.line("%s", view.Line(s.run.Brand.Card))
	if s.run.Stopped != "" {
		s.line("%s", wrap("The run broke off: "+view.Line(s.run.Stopped), s.width, ""))
	}
	s.line("")
}

// clauses is a table of signs and numbers, with a legend below it.
func (s *summary) clauses() {
	all := view.Clauses(s.run)
	digits := map[result.Outcome]int{}
	for _, c := range all {
		for o, n := range c.Counts {
			digits[o] = max(digits[o], len(fmt.Sprint(n)))
		}
	}
	for _, c := range all {
		cells := fmt.Sprintf("  %-4s %s", "§"+c.Number, pad(c.Title, 20))
		for _, o := range result.Outcomes {
			n := c.Counts[o]
			switch {
			case digits[o] == 0:
			case n == 0:
				cells += strings.Repeat(" ", 3+1+digits[o])
			default:
				cells += "  " + s.screen.paint(fmt.Sprintf("%s %*d", view.Glyph(o), digits[o], n), colour(o))
			}
		}
		s.line("%s", cells)
	}
	var legend []string
	for _, o := range result.Outcomes {
		if digits[o] > 0 {
			legend = append(legend, view.Glyph(o)+" "+view.Label(o)+" ")
		}
	}
	s.line("\n  %s", s.screen.paint(flow(legend, s.width, "  "), dim))
}

// gaps tells what was not judged and leaves the verdict open, then what stands beside it, and what would make it run.
func (s *summary) gaps() {
	if open := view.Gaps(s.run); len(open) > 0 {
		s.title("Not judged", 0)
		for _, g := range open {
			s.gap(g, view.Count(len(g.IDs), "requirement")+" "+view.Label(g.Outcome))
		}
	}
	if beside := view.Beside(s.run); len(beside) > 0 {
		s.title("Beside the verdict", 0)
		for _, g := range beside {
			s.gap(g, view.Count(len(g.IDs), "requirement"))
		}
	}
}

func (s *summary) gap(g view.Gap, what string) {
	s.line("%s %s", s.screen.paint(view.Glyph(g.Outcome), bold, colour(g.Outcome)), wrap(what+": "+g.Reason, s.width, "  "))
	s.line("    %s", s.screen.paint(wrap(strings.Join(g.IDs, " "), s.width, "    "), dim))
	for _, n := range g.Needs {
		s.line("    %s", wrap("needs "+n.What+": "+n.How, s.width, "      "))
	}
}

func (s *summary) notes() {
	if len(s.run.Notes) == 0 {
		return
	}
	s.title("Notes", 0)
	for _, n := range s.run.Notes {
		s.line("  %s", wrap(view.Line(n), s.width, "  "))
	}
}

func (s *summary) verdicts() {
	for _, p := range s.run.Profiles {
		head := fmt.Sprintf("%-14s ", view.ProfileName(p.Name))
		verdict := strings.ToUpper(string(p.Verdict))
		s.line("%s%s  %s", head, s.screen.paint(verdict, bold, verdictColour(p.Verdict)),
			wrap(view.Line(p.Reason), s.width-len(verdict)-2, strings.Repeat(" ", len(head))))
	}
}

func (s *summary) cost(folder string) {
	stats := s.run.Stats
	cost := fmt.Sprintf("%s, %s", view.Count(stats.Requests, "request"), view.Count(stats.Turns, "agent turn"))
	if stats.Chain > 0 {
		cost += fmt.Sprintf(" (%d in the longest chain)", stats.Chain)
	}
	if stats.Replays > 0 {
		cost += fmt.Sprintf(" and %s", view.Count(stats.Replays, "replay"))
	}
	cost += " in " + view.Seconds(s.run.Duration)
	if stats.Waited >= 1 {
		cost += fmt.Sprintf(", %s of it waiting as the Provider asked", view.Seconds(stats.Waited))
	}
	s.line("%s", wrap(cost, s.width, ""))
	if folder != "" {
		s.line("Report: %s", filepath.Join(folder, "report.html"))
		beside := "beside it results.json, junit.xml, summary.md"
		if len(s.run.Pictures) > 0 {
			beside += ", screenshots/"
		}
		s.line("        %s", s.screen.paint(beside, dim))
	}
}
