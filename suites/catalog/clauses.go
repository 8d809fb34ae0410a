package catalog

import "slices"

// Clause is a clause of the specification that has requirements.
type Clause struct {
	// Number is "3.2", Title the clause's heading.
	Number, Title string
}

// The order is the catalogue's: what both profiles share comes first, hence §6 before §5.
var clauses = []Clause{
	{"2", "Transport"},
	{"2.1", "Agent Card"},
	{"2.2", "Operations"},
	{"3.1", "Registration"},
	{"3.2", "Personal-agent JWT"},
	{"3.4", "Failure"},
	{"4.1", "Request"},
	{"4.2", "Context"},
	{"4.3", "Retries"},
	{"6", "Errors"},
	{"5.1", "Card"},
	{"5.2", "Scopes"},
	{"5.3", "Getting a token"},
	{"5.4", "Delegation token"},
	{"5.5", "Sending with it"},
	{"5.6", "Receipts"},
}

// Clauses returns the clauses that have requirements, in the order of the catalogue.
func Clauses() []Clause { return slices.Clone(clauses) }

// Title is the heading of a clause; empty for one without requirements.
func Title(number string) string {
	for _, c := range clauses {
		if c.Number == number {
			return c.Title
		}
	}
	return ""
}
