// Package markdown writes summary.md: the verdict and what led to it, short enough for the summary
// page of a CI run.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// Limit is the most bytes that Write writes; CI systems refuse summaries that are much longer.
const Limit = 60 << 10

// Write writes the summary of the run. What goes beyond Limit is cut, and a line says so.
func Write(w io.Writer, run *result.Run) error {
	var b strings.Builder
	head(&b, run)
	findings(&b, "Failures", run, result.Failed)
	clauses(&b, run)
	findings(&b, "Errors of the harness or the network", run, result.Errored)
	findings(&b, "Warnings", run, result.Warning)
	gaps(&b, run)
	notes(&b, run)
	_, err := io.WriteString(w, cut(b.String()))
	return err
}

func head(b *strings.Builder, run *result.Run) {
	fmt.Fprintf(b, "# PACT %s: %s\n\n", run.Specification.Version, plain(view.Target(run)))
	for _, p := range run.Profiles {
		fmt.Fprintf(b, "**%s: %s.** %s.\n\n", view.ProfileName(p.Name), p.Verdict, plain(sentence(p.Reason)))
	}
	if run.Stopped != "" {
		fmt.Fprintf(b, "The run broke off: %s.\n\n", plain(run.Stopped))
	}
	fmt.Fprintf(b, "%s on %s in %s: %s, %s, %s.\n", plain(run.Tool.Name+" "+run.Tool.Version),
		run.Started.UTC().Format("2006-01-02 15:04 MST"), view.Seconds(run.Duration),
		view.Count(run.Stats.Requests, "request"), view.Count(run.Stats.Turns, "agent turn"), view.Count(run.Stats.Replays, "replay"))
	fmt.Fprintf(b, "Card: %s\n\n", code(run.Brand.Card))
}

// clauses is the table of requirements by clause and outcome, without columns that are all zero.
func clauses(b *strings.Builder, run *result.Run) {
	all := view.Clauses(run)
	total := map[result.Outcome]int{}
	for _, c := range all {
		for o, n := range c.Counts {
			total[o] += n
		}
	}
	var columns []result.Outcome
	for _, o := range result.Outcomes {
		if total[o] > 0 {
			columns = append(columns, o)
		}
	}
	b.WriteString("## Requirements by clause\n\n| clause |")
	for _, o := range columns {
		fmt.Fprintf(b, " %s |", view.Label(o))
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(columns)) + "\n")
	row := func(name string, counts map[result.Outcome]int) {
		fmt.Fprintf(b, "| %s |", name)
		for _, o := range columns {
			if counts[o] == 0 {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(b, " %d |", counts[o])
		}
		b.WriteString("\n")
	}
	for _, c := range all {
		row(plain("§"+c.Number+" "+c.Title), c.Counts)
	}
	row("**all**", total)
	b.WriteString("\n")
}

// longestFinding is how much of what was expected and got fits on a line, in characters.
const longestFinding = 400

// findings are the cases with the outcome, a line each.
func findings(b *strings.Builder, title string, run *result.Run, o result.Outcome) {
	found := view.Findings(run, o)
	if len(found) == 0 {
		return
	}
	index, steps := view.Index(run), view.StepsOf(run)
	fmt.Fprintf(b, "## %s (%d)\n\n", title, len(found))
	for _, f := range found {
		fmt.Fprintf(b, "- **%s** %s %s", plain(f.Case.Name), plain(f.Row.Text), code(view.Clip(view.Why(f.Case), longestFinding)))
		if e := index.Showing(f.Case); e != nil {
			fmt.Fprintf(b, " on %s", code(view.Clip(view.Arrow(e), longestFinding)))
			if page := steps.Page(e); page != "" {
				fmt.Fprintf(b, ", %s", code(page))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// gaps tells what was not judged and leaves the verdict open, then what stands beside it.
func gaps(b *strings.Builder, run *result.Run) {
	open := view.Gaps(run)
	if len(open) > 0 {
		b.WriteString("## Not judged\n\n")
		for _, g := range open {
			gap(b, view.Count(len(g.IDs), "requirement")+" "+view.Label(g.Outcome), g)
		}
		b.WriteString("\n")
	}
	beside := view.Beside(run)
	if len(beside) > 0 {
		b.WriteString("## Beside the verdict\n\n")
		for _, g := range beside {
			gap(b, view.Count(len(g.IDs), "requirement"), g)
		}
		b.WriteString("\n")
	}
}

func gap(b *strings.Builder, what string, g view.Gap) {
	fmt.Fprintf(b, "- %s: %s (%s).", what, code(view.Clip(g.Reason, longestFinding)), plain(strings.Join(g.IDs, ", ")))
	var needs []string
	for _, n := range g.Needs {
		needs = append(needs, plain(n.What+": "+n.How))
	}
	if len(needs) > 0 {
		fmt.Fprintf(b, " Needs %s.", strings.Join(needs, "; "))
	}
	b.WriteString("\n")
}

func notes(b *strings.Builder, run *result.Run) {
	if len(run.Notes) > 0 {
		b.WriteString("## Notes\n\n")
		for _, n := range run.Notes {
			fmt.Fprintf(b, "- %s\n", plain(n))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "Catalogue version %d, SHA-256 %s.\n", run.Catalogue.Version, code(run.Catalogue.SHA256))
}
