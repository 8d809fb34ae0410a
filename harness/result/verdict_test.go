package result

import (
	"testing"

	"github.com/onsi/gomega"
)

// row is a requirement of the Identity profile with one case for each outcome.
func row(id string, level Level, all ...Outcome) Requirement {
	return Requirement{ID: id, Profile: "identity", Level: level, Basis: "stated", Cases: outcomes(all...)}
}

func delegated(q Requirement) Requirement { q.Profile = "delegated"; return q }

func practice(q Requirement) Requirement { q.Basis = "practice"; return q }

// beside is a requirement whose single case stands beside the verdict.
func beside(id string, level Level, o Outcome) Requirement {
	q := row(id, level, o)
	q.Cases[0].Beside = "none declared"
	return q
}

func TestVerdictOfOneProfile(t *testing.T) {
	passed := row("A", Must, Passed)
	for _, c := range []struct {
		name     string
		rows     []Requirement
		settings Settings
		stopped  string
		verdict  Verdict
		exit     int
		reason   string
	}{
		{name: "all passed", rows: []Requirement{passed}, verdict: Conformant, exit: 0, reason: "every one that counts was judged (1 requirement)"},
		{name: "observed and not applicable are fine", rows: []Requirement{passed, row("B", Info, Observed), row("C", Must, NotApplicable)}, verdict: Conformant},
		{name: "a must failed", rows: []Requirement{passed, row("B", Must, Passed, Failed)}, verdict: NotConformant, exit: 1, reason: "1 requirement failed (B)"},
		{name: "a should warns", rows: []Requirement{passed, row("B", Should, Warning)}, verdict: Conformant},
		{name: "a must that warns stands", rows: []Requirement{row("B", Must, Warning)}, verdict: Conformant},
		{name: "nothing at all", verdict: VerdictError, exit: 4, reason: "nothing was executed"},
		{name: "everything not applicable", rows: []Requirement{row("A", Must, NotApplicable)}, verdict: VerdictError, exit: 4, reason: "nothing was executed"},
		{name: "everything not run", rows: []Requirement{row("A", Must, NotRun)}, verdict: VerdictError, exit: 4},
		{name: "everything not run, incomplete allowed", rows: []Requirement{row("A", Must, NotRun)}, settings: Settings{AllowIncomplete: true}, verdict: VerdictError, exit: 4},
		{name: "a must without a case", rows: []Requirement{passed, row("B", Must)}, verdict: Incomplete, exit: 3, reason: "1 requirement could not be judged (B)"},
		{name: "a must not run", rows: []Requirement{passed, row("B", Must, Passed, NotRun)}, verdict: Incomplete, exit: 3},
		{name: "a must blocked", rows: []Requirement{passed, row("B", Must, Blocked)}, verdict: Incomplete, exit: 3},
		{name: "incomplete allowed", rows: []Requirement{passed, row("B", Must, Blocked)}, settings: Settings{AllowIncomplete: true}, verdict: Incomplete, exit: 0},
		{name: "incomplete allowed, failed", rows: []Requirement{passed, row("B", Must, Failed)}, settings: Settings{AllowIncomplete: true}, verdict: NotConformant, exit: 1},
		{name: "a should not run", rows: []Requirement{passed, row("B", Should, NotRun), row("C", Info, Blocked)}, verdict: Conformant},
		{name: "a must in error", rows: []Requirement{passed, row("B", Must, Errored)}, verdict: VerdictError, exit: 4, reason: "1 requirement ended in an error of the harness or the network (B)"},
		{name: "error and blocked", rows: []Requirement{passed, row("B", Must, Errored), row("C", Must, Blocked)}, verdict: VerdictError, exit: 4},
		{name: "failed and error", rows: []Requirement{row("A", Must, Failed), row("B", Must, Errored)}, verdict: NotConformant, exit: 1},
		{name: "an undecided case", rows: []Requirement{passed, row("B", Must, "")}, verdict: VerdictError, exit: 4},

		{name: "strict turns a warning into a failure", rows: []Requirement{passed, row("B", Should, Warning)}, settings: Settings{Strict: true}, verdict: NotConformant, exit: 1, reason: "1 requirement failed (B)"},
		{name: "strict leaves practice alone", rows: []Requirement{passed, practice(row("B", Should, Warning))}, settings: Settings{Strict: true}, verdict: Conformant},
		{name: "strict leaves the warning of a must alone", rows: []Requirement{passed, row("B", Must, Warning)}, settings: Settings{Strict: true}, verdict: Conformant},
		{name: "strict asks for no more rows", rows: []Requirement{passed, row("B", Should, NotRun), row("C", Should, Blocked)}, settings: Settings{Strict: true}, verdict: Conformant},

		{name: "broken off", rows: []Requirement{passed}, stopped: "interrupted", verdict: VerdictError, exit: 4, reason: "the run broke off: interrupted"},
		{name: "broken off after a failure", rows: []Requirement{row("A", Must, Failed)}, stopped: "interrupted", verdict: NotConformant, exit: 1},

		{name: "selection, nothing failed", rows: []Requirement{passed}, settings: Settings{Only: []string{"A"}}, verdict: Incomplete, exit: 0, reason: "a selection shows no conformance"},
		{name: "skip is a selection", rows: []Requirement{passed}, settings: Settings{Skip: []string{"B"}}, verdict: Incomplete, exit: 0},
		{name: "a rerun is a selection", rows: []Requirement{passed}, settings: Settings{RerunFailed: "results.json"}, verdict: Incomplete, exit: 0},
		{name: "selection, failed", rows: []Requirement{row("A", Must, Failed)}, settings: Settings{Only: []string{"A"}}, verdict: NotConformant, exit: 1},
		{name: "selection, nothing executed", rows: []Requirement{row("A", Must, NotRun)}, settings: Settings{Only: []string{"A"}}, verdict: VerdictError, exit: 4},
		{name: "selection, empty", settings: Settings{Only: []string{"A"}}, verdict: VerdictError, exit: 4},
		{name: "selection, error", rows: []Requirement{passed, row("B", Must, Errored)}, settings: Settings{Only: []string{"A"}}, verdict: VerdictError, exit: 4},

		{name: "beside the verdict", rows: []Requirement{passed, beside("B", Must, NotRun), beside("C", Must, NotApplicable)}, verdict: Conformant},
		{name: "certify counts a not-run row beside", rows: []Requirement{passed, beside("B", Must, NotRun)}, settings: Settings{Certify: true}, verdict: Incomplete, exit: 3, reason: "(B)"},
		{name: "certify counts what was declared none", rows: []Requirement{passed, beside("B", Must, NotApplicable)}, settings: Settings{Certify: true}, verdict: Incomplete, exit: 3, reason: "(B)"},
		{name: "certify leaves what the Provider rightly lacks", rows: []Requirement{passed, row("B", Must, NotApplicable)}, settings: Settings{Certify: true}, verdict: Conformant},
		{name: "certify asks for no should", rows: []Requirement{passed, beside("B", Should, NotRun)}, settings: Settings{Certify: true}, verdict: Conformant},
		{name: "another profile's failure is not ours", rows: []Requirement{passed, delegated(row("D", Must, Failed))}, verdict: Conformant},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			run := Run{Requirements: c.rows, Settings: c.settings, Stopped: c.stopped}
			run.Conclude("identity")
			g.Expect(run.Profiles).To(gomega.HaveLen(1))
			g.Expect(run.Profiles[0].Name).To(gomega.Equal("identity"))
			g.Expect(run.Profiles[0].Verdict).To(gomega.Equal(c.verdict), run.Profiles[0].Reason)
			g.Expect(run.Profiles[0].Reason).To(gomega.ContainSubstring(c.reason))
			g.Expect(run.ExitCode).To(gomega.Equal(c.exit))
		})
	}
}

func TestVerdictsOfTwoProfiles(t *testing.T) {
	for _, c := range []struct {
		name                    string
		identity, delegated     Outcome
		settings                Settings
		wantIdentity, wantOther Verdict
		exit                    int
	}{
		{"both conformant", Passed, Passed, Settings{}, Conformant, Conformant, 0},
		{"delegated is identity and more", Failed, Passed, Settings{}, NotConformant, NotConformant, 1},
		{"only §5 failed", Passed, Failed, Settings{}, Conformant, NotConformant, 1},
		{"error before incomplete", Passed, Errored, Settings{}, Conformant, VerdictError, 4},
		{"incomplete before conformant", Passed, Blocked, Settings{}, Conformant, Incomplete, 3},
		{"a failure before an error", Errored, Failed, Settings{}, VerdictError, NotConformant, 1},
		{"a selection of §5 alone", "", Passed, Settings{Only: []string{"5"}}, Incomplete, Incomplete, 0},
		{"a selection of §5 alone, nothing executed", "", NotRun, Settings{Only: []string{"5"}}, VerdictError, VerdictError, 4},
		{"a selection whose Identity part was not run", NotRun, Passed, Settings{Only: []string{"3", "5"}}, VerdictError, Incomplete, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			run := Run{Settings: c.settings, Requirements: []Requirement{delegated(row("D", Must, c.delegated))}}
			if c.identity != "" {
				run.Requirements = append(run.Requirements, row("A", Must, c.identity))
			}
			run.Conclude("identity", "delegated")
			g.Expect(run.Profiles).To(gomega.HaveLen(2))
			g.Expect(run.Profiles[0].Verdict).To(gomega.Equal(c.wantIdentity), run.Profiles[0].Reason)
			g.Expect(run.Profiles[1].Verdict).To(gomega.Equal(c.wantOther), run.Profiles[1].Reason)
			g.Expect(run.ExitCode).To(gomega.Equal(c.exit))
		})
	}
}

func TestNoProfileIsAnError(t *testing.T) {
	g := gomega.NewWithT(t)
	run := Run{Requirements: []Requirement{row("A", Must, Passed)}}
	run.Conclude()
	g.Expect(run.ExitCode).To(gomega.Equal(ExitError))
	g.Expect(run.Profiles).To(gomega.BeEmpty())
}

func TestCountsAndWhatStandsBeside(t *testing.T) {
	g := gomega.NewWithT(t)
	mixed := beside("C", Must, NotRun)
	mixed.Cases = append(mixed.Cases, Case{Outcome: NotRun})
	ran := beside("D", Must, NotRun)
	ran.Cases = append(ran.Cases, Case{Outcome: Passed})
	run := Run{Requirements: []Requirement{row("A", Must, Passed), beside("B", Should, NotApplicable), mixed, ran}}
	run.Conclude("identity")
	p := run.Profiles[0]
	g.Expect(p.Counts).To(gomega.Equal(map[Outcome]int{Passed: 1, NotApplicable: 1, NotRun: 2}))
	g.Expect(p.Beside).To(gomega.Equal([]Beside{{ID: "B", Reason: "none declared"}, {ID: "D", Reason: "none declared"}}))
	g.Expect(p.Verdict).To(gomega.Equal(Incomplete), "C has a case that counts and was not run")
	g.Expect(p.Reason).To(gomega.ContainSubstring("(C)"))
}

func TestConcludingTwiceChangesNothing(t *testing.T) {
	g := gomega.NewWithT(t)
	run := Run{Settings: Settings{Strict: true}, Requirements: []Requirement{row("A", Must, Passed), row("B", Should, Warning), beside("C", Must, NotRun)}}
	run.Conclude("identity")
	first := run.Profiles[0]
	run.Conclude("identity")
	g.Expect(run.Profiles).To(gomega.Equal([]Profile{first}))
	g.Expect(run.ExitCode).To(gomega.Equal(ExitNotConformant))
}

func TestAReasonNamesFiveRowsAtMost(t *testing.T) {
	g := gomega.NewWithT(t)
	var run Run
	for _, id := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		run.Requirements = append(run.Requirements, row(id, Must, Failed))
	}
	run.Conclude("identity")
	g.Expect(run.Profiles[0].Reason).To(gomega.Equal("7 requirements failed (A, B, C, D, E, …)"))
}
