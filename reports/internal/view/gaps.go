package view

import (
	"regexp"
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
	// Needs is the set-up that is missing, where the reason does not say itself how to supply it.
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
	shown := Reason(reason)
	if shown == "" {
		shown = noReason
	}
	i := slices.IndexFunc(*all, func(g Gap) bool { return g.Outcome == o && g.Reason == shown })
	if i < 0 {
		i = len(*all)
		*all = append(*all, Gap{Outcome: o, Reason: shown})
		if o == result.NotRun {
			(*all)[i].Needs = missing(reason, row)
		}
	}
	g := &(*all)[i]
	if slices.Contains(g.IDs, row.ID) {
		return
	}
	g.IDs = append(g.IDs, row.ID)
	if row.Level == result.Must {
		g.Musts++
	}
}

func (all collection) sorted() []Gap {
	slices.SortStableFunc(all, func(a, b Gap) int { return len(b.IDs) - len(a.IDs) })
	return all
}

// named is how a run says that set-up is missing: by the catalogue's name for it, and why.
var named = regexp.MustCompile(`^needs ([a-z]+(?:[-:][a-z]+)*): (.*)$`)

// Reason is a reason on one line, in which set-up that is missing is called as people call it.
func Reason(reason string) string {
	reason = Line(reason)
	if parts := named.FindStringSubmatch(reason); parts != nil {
		if need, known := catalog.FindNeed(parts[1]); known {
			return "needs " + need.What + ": " + parts[2]
		}
	}
	return reason
}

// missing is the set-up whose lack is the reason, with how to supply it. Of all that a row needs a run
// tells the first that it misses: the rest may well be there.
func missing(reason string, row *result.Requirement) []catalog.Need {
	known, _ := catalog.Find(row.ID)
	parts := named.FindStringSubmatch(Line(reason))
	var all []catalog.Need
	for _, name := range known.Needs {
		lacks := false
		switch {
		case strings.Contains(reason, "--max-wait"):
			lacks = name == "slow"
		case parts != nil:
			lacks = name == parts[1] && !strings.HasPrefix(parts[2], "set ")
		case row.Beside != "": // of what the mode cannot show, these are not named
			lacks = name == "page" || name == "served-jwks"
		}
		if need, found := catalog.FindNeed(name); lacks && found {
			all = append(all, need)
		}
	}
	return all
}
