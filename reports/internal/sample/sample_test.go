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

func TestTheUserIsShownPages(t *testing.T) {
	g := NewWithT(t)
	for _, run := range []*result.Run{Run(), Delegated()} {
		steps, pages := 0, 0
		for _, j := range run.Journeys {
			for _, s := range j.Steps {
				if s.Picture != "" {
					steps++
					g.Expect(run.Pictures).To(HaveKey(s.Picture))
				}
			}
		}
		for _, e := range run.Exchanges {
			if e.Page != nil {
				pages++
				g.Expect(e.Tags.Browser).To(BeTrue())
			}
		}
		g.Expect(steps).To(BeNumerically(">=", 10))
		g.Expect(pages).To(BeNumerically(">=", 4))
	}
	g.Expect(Delegated().ExitCode).To(Equal(result.ExitConformant))
	without := WithoutPages()
	g.Expect(without.ExitCode).To(Equal(result.ExitIncomplete))
	g.Expect(without.Profiles[1].Beside).NotTo(BeEmpty())
	outcomes := map[result.Outcome]bool{}
	for _, j := range Run().Journeys {
		outcomes[j.Outcome] = true
	}
	for _, o := range []result.Outcome{result.Passed, result.Warning, result.NotApplicable, result.NotRun, result.Blocked, result.Errored, result.Failed} {
		g.Expect(outcomes).To(HaveKey(o))
	}
}
