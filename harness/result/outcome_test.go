package result

import (
	"testing"

	"github.com/onsi/gomega"
)

func TestOutcomesAreOrderedWorstFirst(t *testing.T) {
	g := gomega.NewWithT(t)
	g.Expect(Outcomes).To(gomega.Equal([]Outcome{"failed", "error", "blocked", "not-run", "warning", "observed", "passed", "not-applicable"}))
	for i, o := range Outcomes {
		g.Expect(o.Rank()).To(gomega.Equal(i))
		for j, other := range Outcomes {
			g.Expect(o.Worse(other)).To(gomega.Equal(i < j), "%s worse than %s", o, other)
		}
	}
	g.Expect(Outcome("").Rank()).To(gomega.Equal(Errored.Rank()))
}

func TestWorstOf(t *testing.T) {
	optional := Case{Outcome: NotRun, Optional: true}
	for _, c := range []struct {
		name  string
		cases []Case
		want  Outcome
	}{
		{"no case", nil, NotRun},
		{"one passed", outcomes(Passed), Passed},
		{"failed beats all", outcomes(NotApplicable, Passed, Observed, Warning, NotRun, Blocked, Errored, Failed), Failed},
		{"error beats blocked", outcomes(Blocked, Errored), Errored},
		{"blocked beats not-run", outcomes(NotRun, Blocked), Blocked},
		{"not-run beats warning", outcomes(Warning, NotRun), NotRun},
		{"what was only recorded does not count beside what was passed", outcomes(Observed, Passed, NotApplicable), Passed},
		{"warning beats observed", outcomes(Observed, Warning, Passed), Warning},
		{"passed beats not-applicable", outcomes(NotApplicable, Passed), Passed},
		{"all not-applicable", outcomes(NotApplicable, NotApplicable), NotApplicable},
		{"an optional case that was not run does not count", append(outcomes(Passed), optional), Passed},
		{"only optional cases, none run", []Case{optional, optional}, NotRun},
		{"an optional case that failed counts", append(outcomes(Passed), Case{Outcome: Failed, Optional: true}), Failed},
		{"no outcome at all", outcomes(""), Errored},
		{"an undecided case beside a passed one", outcomes(Passed, ""), Errored},
		{"an undecided case does not hide a failure", outcomes("odd", Failed), Failed},
		{"a failure before an undecided case stands", outcomes(Failed, "odd"), Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			gomega.NewWithT(t).Expect(WorstOf(c.cases)).To(gomega.Equal(c.want))
		})
	}
}

func outcomes(all ...Outcome) []Case {
	var cases []Case
	for _, o := range all {
		cases = append(cases, Case{Outcome: o})
	}
	return cases
}
