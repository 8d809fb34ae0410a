package catalog

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Match returns the rows that a selector of --only or --skip names, in the order of the catalogue:
//
//	PACT-3.2-04      that row
//	PACT-3.2-04/pem  the row of that case; Covers tells its cases apart
//	3.2              the rows of the clause
//	2                the rows of the clause and of its sub-clauses 2.1 and 2.2
//
// A selector that names nothing is an error that offers the nearest one that does.
func Match(selector string) ([]Requirement, error) {
	if normal(selector) == "" {
		return nil, errors.New("an empty selector names no requirement")
	}
	var found []Requirement
	for _, row := range catalogue().rows {
		if covers(normal(selector), row.ID, row.Clause) {
			found = append(found, row)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%q is no requirement, case or clause: did you mean %s?", selector, nearest(normal(selector)))
	}
	return found, nil
}

// Covers reports whether a selector takes the case with the name PACT-3.2-04/pem.
// A selector that is itself a case name takes just that case.
func Covers(selector, caseName string) bool {
	id, _, _ := strings.Cut(caseName, "/")
	clause, ok := clauseOf(id)
	s := normal(selector)
	if !ok || s == "" {
		return false
	}
	if strings.Contains(s, "/") {
		return s == caseName
	}
	return covers(s, id, clause)
}

// covers reports whether the selector takes a case of the row.
func covers(selector, id, clause string) bool {
	if row, name, isCase := strings.Cut(selector, "/"); isCase {
		return row == id && name != ""
	}
	return selector == id || selector == clause || strings.HasPrefix(clause, selector+".")
}

// normal lets a clause be written with its sign: §3.2.
func normal(selector string) string {
	return strings.TrimPrefix(strings.TrimSpace(selector), "§")
}

// nearest is the valid selector with the fewest changes from the given one; letter case costs nothing.
// Of equally near ones it is the one with the longest common beginning: people err towards the end.
func nearest(selector string) string {
	row, name, _ := strings.Cut(selector, "/")
	row = strings.ToLower(row)
	best, least, longest := "", -1, 0
	try := func(candidate string) {
		lower := strings.ToLower(candidate)
		changes, common := levenshtein.ComputeDistance(row, lower), commonPrefix(row, lower)
		if least < 0 || changes < least || changes == least && common > longest {
			best, least, longest = candidate, changes, common
		}
	}
	for _, r := range catalogue().rows {
		try(r.ID)
	}
	for _, c := range clauses {
		parent, _, _ := strings.Cut(c.Number, ".")
		try(parent)
		try(c.Number)
	}
	if _, isRow := catalogue().byID[best]; isRow && name != "" {
		return best + "/" + name
	}
	return best
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
