package result

import "slices"

// Outcome is what came of a case or a requirement.
type Outcome string

// The outcomes, worst first.
const (
	// Failed: the Provider broke the rule.
	Failed Outcome = "failed"
	// Errored: the harness or the network failed; nothing is said about the Provider.
	Errored Outcome = "error"
	// Blocked: the positive control or a journey failed, so the case shows nothing.
	Blocked Outcome = "blocked"
	// NotRun: set-up is missing, with the reason.
	NotRun Outcome = "not-run"
	// Warning: a SHOULD was broken, or a MUST was met in a way that the row only warns about.
	Warning Outcome = "warning"
	// Observed: recorded, never judged.
	Observed Outcome = "observed"
	// Passed: the rule was seen kept.
	Passed Outcome = "passed"
	// NotApplicable: the Provider rightly lacks what the row is about.
	NotApplicable Outcome = "not-applicable"
)

// Outcomes lists all outcomes, worst first.
var Outcomes = []Outcome{Failed, Errored, Blocked, NotRun, Warning, Observed, Passed, NotApplicable}

// Rank is the place in the order of Outcomes: 0 is the worst. An unknown outcome ranks as an error.
func (o Outcome) Rank() int {
	if rank := slices.Index(Outcomes, o); rank >= 0 {
		return rank
	}
	return slices.Index(Outcomes, Errored)
}

// Worse reports whether o stands before other in the order of Outcomes.
func (o Outcome) Worse(other Outcome) bool { return o.Rank() < other.Rank() }

// WorstOf is the outcome of a requirement with these cases: the worst, where an optional case
// that was not run does not count, and one that only recorded something does not count beside one that
// was passed: the row was seen kept. Without a case that counts it is not-run. A case that came to
// no known outcome is an error: nothing that was left undecided may look harmless.
func WorstOf(cases []Case) Outcome {
	worst, counted, kept := NotApplicable, false, false
	for _, c := range cases {
		kept = kept || c.Outcome == Passed
		if c.Optional && c.Outcome == NotRun {
			continue
		}
		counted = true
		if c.Outcome.Worse(worst) {
			worst = c.Outcome
		}
	}
	switch {
	case !counted:
		return NotRun
	case !slices.Contains(Outcomes, worst):
		return Errored
	case worst == Observed && kept:
		return Passed
	}
	return worst
}
