package view

import (
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Clause is the part of a run that belongs to one clause of the specification.
type Clause struct {
	Number, Title string
	Profile       string
	Rows          []*result.Requirement
	Counts        map[result.Outcome]int
}

// Clauses sorts a run's requirements by clause, in the order of the catalogue. Rows of a clause that
// the catalogue does not have (a results.json of another version) follow in the order of the run.
func Clauses(run *result.Run) []Clause {
	var all []Clause
	place := map[string]int{}
	add := func(number, title string) {
		place[number] = len(all)
		all = append(all, Clause{Number: number, Title: title, Counts: map[result.Outcome]int{}})
	}
	for _, c := range catalog.Clauses() {
		add(c.Number, c.Title)
	}
	for i := range run.Requirements {
		row := &run.Requirements[i]
		if _, known := place[row.Clause]; !known {
			add(row.Clause, "")
		}
		c := &all[place[row.Clause]]
		c.Profile = row.Profile
		c.Rows = append(c.Rows, row)
		c.Counts[row.Outcome]++
	}
	used := all[:0]
	for _, c := range all {
		if len(c.Rows) > 0 {
			used = append(used, c)
		}
	}
	return used
}

// Finding is a case together with its requirement.
type Finding struct {
	Row  *result.Requirement
	Case *result.Case
}

// Findings returns the cases with the outcome, in the order of clauses.
func Findings(run *result.Run, o result.Outcome) []Finding {
	var found []Finding
	for _, clause := range Clauses(run) {
		for _, row := range clause.Rows {
			for i := range row.Cases {
				if row.Cases[i].Outcome == o {
					found = append(found, Finding{row, &row.Cases[i]})
				}
			}
		}
	}
	return found
}
