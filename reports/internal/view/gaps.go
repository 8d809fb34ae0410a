package view

import (
	"slices"
	"sort"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Gap is what was not judged for one reason.
type Gap struct {
	// Outcome is blocked or not-run.
	Outcome result.Outcome
	Reason  string
	// IDs are the requirements, in the order of clauses; Musts counts those of level must.
	IDs   []string
	Musts int
	// Needs is the set-up that the catalogue asks for where the reason is set-up; empty otherwise.
	Needs []catalog.Need
	// Beside is set when none of it makes the verdict incomplete.
	Beside bool
}

// noReason stands for a requirement that has no case in the run, or a case that gives no reason.
const noReason = "no case was run"

// Gaps collects what was blocked and what was not run, by reason: gaps that leave the verdict open
// first, then those with the most requirements. Optional cases are left out.
func Gaps(run *result.Run) []Gap {
	type key struct {
		outcome result.Outcome
		reason  string
	}
	gaps := map[key]*Gap{}
	add := func(o result.Outcome, reason, beside string, row *result.Requirement) {
		if reason == "" {
			reason = noReason
		}
		k := key{o, Line(reason)}
		g := gaps[k]
		if g == nil {
			g = &Gap{Outcome: o, Reason: k.reason, Beside: true}
			gaps[k] = g
		}
		g.Beside = g.Beside && beside != ""
		if slices.Contains(g.IDs, row.ID) {
			return
		}
		g.IDs = append(g.IDs, row.ID)
		if row.Level == result.Must {
			g.Musts++
		}
		if o == result.NotRun {
			g.needs(row.ID)
		}
	}
	for _, clause := range Clauses(run) {
		for _, row := range clause.Rows {
			if len(row.Cases) == 0 && row.Outcome == result.NotRun {
				add(row.Outcome, "", row.Beside, row)
			}
			for _, c := range row.Cases {
				if c.Outcome == result.Blocked || c.Outcome == result.NotRun && !c.Optional {
					add(c.Outcome, c.Reason, c.Beside, row)
				}
			}
		}
	}
	sorted := make([]Gap, 0, len(gaps))
	for _, g := range gaps {
		sorted = append(sorted, *g)
	}
	sort.Slice(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		switch {
		case a.Beside != b.Beside:
			return !a.Beside
		case len(a.IDs) != len(b.IDs):
			return len(a.IDs) > len(b.IDs)
		case a.Outcome != b.Outcome:
			return a.Outcome.Worse(b.Outcome)
		}
		return a.Reason < b.Reason
	})
	return sorted
}

// needs keeps the set-up that every requirement of the gap asks for: what only some of them need
// cannot be why the others did not run.
func (g *Gap) needs(id string) {
	row, _ := catalog.Find(id)
	if len(g.IDs) == 1 {
		for _, name := range row.Needs {
			if need, ok := catalog.FindNeed(name); ok {
				g.Needs = append(g.Needs, need)
			}
		}
		return
	}
	g.Needs = slices.DeleteFunc(g.Needs, func(n catalog.Need) bool { return !slices.Contains(row.Needs, n.Name) })
}
