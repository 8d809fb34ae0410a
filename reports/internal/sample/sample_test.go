package sample

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
)

func TestEveryOutcomeOccurs(t *testing.T) {
	g := NewWithT(t)
	run := Run()
	cases, rows := map[result.Outcome]int{}, map[result.Outcome]int{}
	for _, q := range run.Requirements {
		rows[q.Outcome]++
		for _, c := range q.Cases {
			cases[c.Outcome]++
		}
	}
	for _, o := range result.Outcomes {
		g.Expect(cases).To(HaveKey(o))
		g.Expect(rows).To(HaveKey(o))
	}
	g.Expect(len(run.Exchanges)).To(BeNumerically(">", 700))
	g.Expect(run.ExitCode).To(Equal(result.ExitNotConformant))
	g.Expect(Clean().ExitCode).To(Equal(result.ExitConformant))
	g.Expect(Hostile().ExitCode).To(Equal(result.ExitNotConformant))
}
