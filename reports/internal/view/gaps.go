package view

import (
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Gap is what was not judged for one reason.
type Gap struct {
	// Outcome is blocked or not-run; of what stands beside the verdict also not-applicable.
	Outcome result.Outcome
	Reason  string
	// IDs are the requirements, in the order of clauses; Musts counts those of level must.
	IDs   []string
	Musts int
	// Needs is the set-up that the catalogue asks for where it was not run; empty otherwise.
	Needs []catalog.Need
}

// noReason stands for a requirement that has no case in the run, or a case that gives no reason.
const noReason = "no case was run"

// Gaps collects what was blocked and what was not run, by reason, that with the most requirements
// first. What stands beside the verdict is left out, and so are optional cases.
func Gaps(run *result.Run) []Gap {
	var gaps collection
	for _, clause := range Clauses(run) {
		for _, row := range clause.Rows {
			if len(row.Cases) == 0 && row.Outcome == result.NotRun {
				gaps.add(row.Outcome, noReason, row)
			}
			for _, c := range row.Cases {
				if c.Outcome == result.Blocked || c.Outcome == result.NotRun && !c.Optional && row.Beside == "" {
					gaps.add(c.Outcome, c.Reason, row)
				}
			}
		}
	}
	return gaps.sorted()
}

// Beside collects what stands beside the verdict, by the reason why it may.
func Beside(run *result.Run) []Gap {
	var gaps collection
	for _, clause := range Clauses(run) {
		for _, row := range clause.Rows {
			if row.Beside != "" {
				gaps.add(row.Outcome, row.Beside, row)
			}
		}
	}
	return gaps.sorted()
}

// collection gathers gaps by outcome and reason.
type collection []Gap

func (all *collection) add(o result.Outcome, reason string, row *result.Requirement) {
	reason = Line(reason)
	if reason == "" {
		reason = noReason
	}
	i := slices.IndexFunc(*all, func(g Gap) bool { return g.Outcome == o && g.Reason == reason })
	if i < 0 {
		i = len(*all)
		*all = append(*all, Gap{Outcome: o, Reason: reason})
	}
	g := &(*all)[i]
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

func (all collection) sorted() []Gap {
	slices.SortStableFunc(all, func(a, b Gap) int { return len(b.IDs) - len(a.IDs) })
	return all
}

// needs keeps the set-up that every requirement of the gap asks for: what only some of them need
// cannot be why the others did not run.
func (g *Gap) needs(id string) {
	row, _ := catalog.Find(id)
	cut := strings.Contains(g.Reason, "--max-wait") // then it is time that is missing, and no other set-up
	if len(g.IDs) == 1 {
		for _, name := range row.Needs {
			if cut && name != "slow" {
				continue
			}
			if need, ok := catalog.FindNeed(name); ok {
				g.Needs = append(g.Needs, need)
			}
		}
		return
	}
	g.Needs = slices.DeleteFunc(g.Needs, func(n catalog.Need) bool { return !slices.Contains(row.Needs, n.Name) })
}
