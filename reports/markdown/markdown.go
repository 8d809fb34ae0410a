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
	failures(&b, run)
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
		view.Count(run.Stats.Requests, "request"), view.Count(run.Stats.Turns, "agent turn"), view.Count(run.Stats.Replays, "stored reply replayed"))
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

func failures(b *strings.Builder, run *result.Run) {
	findings(b, "Failures", run, result.Failed)
}

// longestFinding is how much of what was expected and got fits on a line, in characters.
const longestFinding = 400

// findings are the cases with the outcome, a line each.
func findings(b *strings.Builder, title string, run *result.Run, o result.Outcome) {
	found := view.Findings(run, o)
	if len(found) == 0 {
		return
	}
	index := view.Index(run)
	fmt.Fprintf(b, "## %s (%d)\n\n", title, len(found))
	for _, f := range found {
		fmt.Fprintf(b, "- **%s** %s %s", plain(f.Case.Name), plain(f.Row.Text), code(view.Clip(view.Why(f.Case), longestFinding)))
		if e := index.Showing(f.Case); e != nil {
			fmt.Fprintf(b, " on %s", code(view.Clip(view.Arrow(e), longestFinding)))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

func gaps(b *strings.Builder, run *result.Run) {
	all := view.Gaps(run)
	if len(all) > 0 {
		b.WriteString("## Not judged\n\n")
	}
	for _, g := range all {
		fmt.Fprintf(b, "- %s %s: %s (%s)", view.Count(len(g.IDs), "requirement"), view.Label(g.Outcome), code(view.Clip(g.Reason, longestFinding)), plain(strings.Join(g.IDs, ", ")))
		if g.Beside {
			b.WriteString("; beside the verdict")
		}
		var how []string
		for _, n := range g.Needs {
			how = append(how, plain(n.What+": "+n.How))
		}
		if len(how) > 0 {
			fmt.Fprintf(b, ". Needs %s", strings.Join(how, "; "))
		}
		b.WriteString(".\n")
	}
	if len(all) > 0 {
		b.WriteString("\n")
	}
	beside(b, run)
}

// beside names what stands beside the verdict; the profiles of a run share most of it, so that it comes once.
func beside(b *strings.Builder, run *result.Run) {
	told := map[string]bool{}
	for _, p := range run.Profiles {
		for _, row := range p.Beside {
			if told[row.ID] {
				continue
			}
			if len(told) == 0 {
				b.WriteString("## Beside the verdict\n\n")
			}
			told[row.ID] = true
			fmt.Fprintf(b, "- **%s** %s\n", plain(row.ID), code(row.Reason))
		}
	}
	if len(told) > 0 {
		b.WriteString("\n")
	}
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
