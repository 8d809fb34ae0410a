package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// soon leaves out what has to wait.
const soon = "--max-wait=1s"

// tooLong lets tokens live longer than §3.2 allows: it breaks PACT-3.2-22, a must.
func tooLong(b *provider.Behaviour) {
	b.Token.Claims.Lifetime = func(iat, exp *time.Time, _ time.Time) bool { return true }
}

// uncached leaves out the caching headers of the card and fetches keys for every token: it breaks PACT-3.1-09, a should.
func uncached(b *provider.Behaviour) { b.Keys.TTL = -1 }

func TestACleanProviderIsConformant(t *testing.T) {
	g := NewWithT(t)
	e := providing(t)
	ran := call(t, e.dir, nil, soon)
	g.Expect(ran.code).To(Equal(result.ExitConformant), ran.stdout+ran.stderr)
	g.Expect(ran.stdout).To(ContainSubstring("CONFORMANT"))
	g.Expect(ran.stdout).NotTo(Or(ContainSubstring("Ginkgo"), ContainSubstring("Random Seed"), ContainSubstring("\x1b")))
	g.Expect(ran.stderr).To(BeEmpty())

	run := report(t, e.dir)
	g.Expect(run.ExitCode).To(Equal(0))
	g.Expect(run.Catalogue.SHA256).To(HaveLen(64))
	g.Expect(run.Profiles).To(HaveLen(1))
	g.Expect(run.Profiles[0].Verdict).To(Equal(result.Conformant))
	g.Expect(run.Profiles[0].Beside).NotTo(BeEmpty(), "what waits longer than --max-wait stands beside the verdict")
	for _, name := range []string{"results.json", "junit.xml", "report.html", "summary.md"} {
		g.Expect(filepath.Join(e.dir, "pact-conform-report", name)).To(BeARegularFile())
	}
	g.Expect(read(t, e.dir, "junit.xml")).NotTo(ContainSubstring("<failure"))

	e.interrupt(t)
	g.Expect(e.end(t).code).To(Equal(0), "Ctrl-C ends the Provider in order")
}

func TestADialectIsConformant(t *testing.T) {
	g := NewWithT(t)
	e := providing(t, "--dialect", "interface-elsewhere,open", "--dialect", "scheme-platform-jwt")
	ran := call(t, e.dir, nil, soon)
	g.Expect(ran.code).To(Equal(result.ExitConformant), ran.stdout)
	run := report(t, e.dir)
	g.Expect(run.Brand.Interface).To(ContainSubstring("/brands/"))
	g.Expect(run.Provider.Policy).To(Equal("open"))
	g.Expect(with(run, result.Warning)).To(BeEmpty())
}

func TestABrokenMustIsNotConformant(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil, tooLong)
	ran := call(t, s.dir, nil, soon)
	g.Expect(ran.code).To(Equal(result.ExitNotConformant), ran.stdout)
	g.Expect(ran.stdout).To(ContainSubstring("NOT CONFORMANT"))
	run := report(t, s.dir)
	g.Expect(with(run, result.Failed)).To(ConsistOf("PACT-3.2-22", "PACT-3.2-33"))
	g.Expect(read(t, s.dir, "junit.xml")).To(ContainSubstring("<failure"))

	t.Run("what failed is run again, and nothing else", func(t *testing.T) {
		g := NewWithT(t)
		again := call(t, s.dir, nil, soon, "--rerun-failed", "pact-conform-report/results.json")
		g.Expect(again.code).To(Equal(result.ExitNotConformant))
		second := report(t, s.dir)
		g.Expect(second.Settings.RerunFailed).NotTo(BeEmpty())
		for _, q := range second.Requirements {
			g.Expect(q.ID).To(BeElementOf("PACT-3.2-22", "PACT-3.2-33"))
			g.Expect(q.Outcome).To(Equal(result.Failed))
		}
	})
}

func TestADefectFailsTheRowsThatItNames(t *testing.T) {
	g := NewWithT(t)
	e := providing(t, "--defect", "aud-prefix")
	ran := call(t, e.dir, nil, soon)
	g.Expect(ran.code).To(Equal(result.ExitNotConformant), ran.stdout)
	g.Expect(with(report(t, e.dir), result.Failed)).To(ConsistOf("PACT-3.2-15"))
	g.Expect(ran.stdout).To(And(ContainSubstring("PACT-3.2-15"), ContainSubstring("curl -sS")))
	explained := call(t, e.dir, nil, "explain", "PACT-3.2-15")
	g.Expect(explained.stdout).To(ContainSubstring("aud-prefix"))
}

func TestABrokenShouldOnlyWarns(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil, uncached)
	ran := call(t, s.dir, nil, soon)
	g.Expect(ran.code).To(Equal(result.ExitConformant), ran.stdout)
	g.Expect(outcome(t, report(t, s.dir), "PACT-3.1-09")).To(Equal(result.Warning))
	g.Expect(read(t, s.dir, "junit.xml")).NotTo(ContainSubstring("<failure"))

	strict := call(t, s.dir, nil, soon, "--strict")
	g.Expect(strict.code).To(Equal(result.ExitNotConformant), strict.stdout)
	g.Expect(outcome(t, report(t, s.dir), "PACT-3.1-09")).To(Equal(result.Failed))
	g.Expect(read(t, s.dir, "junit.xml")).To(ContainSubstring("<failure"))
}

func TestCardAndAudienceAloneAreIncomplete(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	dir := t.TempDir()
	// Both runs sign with the same keys: a Provider may take its time to fetch others.
	env := []string{"PACT_CONFORM_AGENTS_LISTEN=" + s.agents, "PACT_CONFORM_AGENTS_KEYS=" + keys}
	args := []string{soon, "--card", s.URL + "/a2a/" + provider.DefaultBrands()[0].ID + provider.WellKnownCard, "--audience", provider.DefaultAudience}
	ran := call(t, dir, env, args...)
	g.Expect(ran.code).To(Equal(result.ExitIncomplete), ran.stdout+ran.stderr)
	g.Expect(ran.stdout).To(ContainSubstring("INCOMPLETE"))
	run := report(t, dir)
	g.Expect(with(run, result.Failed)).To(BeEmpty())
	g.Expect(with(run, result.NotRun)).To(ContainElements("PACT-2.1-10", "PACT-4.2-10"), "they need a second Brand, and a second agent")

	allowed := call(t, dir, env, append(args, "--allow-incomplete")...)
	g.Expect(allowed.code).To(Equal(0), allowed.stdout)
	g.Expect(allowed.stdout).To(ContainSubstring("INCOMPLETE"))
}

func TestASelectionIsNeverConformant(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	ran := call(t, s.dir, nil, "--only", "3.4,PACT-3.2-01", "--skip", "PACT-3.4-01")
	g.Expect(ran.code).To(Equal(0), ran.stdout+ran.stderr)
	g.Expect(ran.stdout).To(ContainSubstring("a selection shows no conformance"))
	run := report(t, s.dir)
	g.Expect(run.Profiles[0].Verdict).To(Equal(result.Incomplete))
	for _, q := range run.Requirements {
		g.Expect(q.ID).To(Or(HavePrefix("PACT-3.4-"), Equal("PACT-3.2-01")))
		g.Expect(q.ID).NotTo(Equal("PACT-3.4-01"))
	}
	nothing := call(t, s.dir, nil, "--rerun-failed", "pact-conform-report/results.json")
	g.Expect(nothing.code).To(Equal(result.ExitUsage))
	g.Expect(lines(nothing.stderr)).To(ConsistOf(ContainSubstring("nothing to run again")))
}

func TestNothingExecutedIsNeverGreen(t *testing.T) {
	s := serving(t, nil)
	for name, args := range map[string][]string{
		"what has to wait":             {"--only", "PACT-3.1-03", "--max-wait", "0s"},
		"also when it may be":          {"--only", "PACT-3.1-03", "--max-wait", "0s", "--allow-incomplete"},
		"what judges others' requests": {"--only", "PACT-6-02/every-error"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			ran := call(t, s.dir, nil, args...)
			g.Expect(ran.code).To(Equal(result.ExitError), ran.stdout)
			g.Expect(ran.stdout).To(ContainSubstring("nothing was executed"))
		})
	}
}

func TestWhatCannotBeReachedIsAnError(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	s.Close()
	ran := call(t, s.dir, nil)
	g.Expect(ran.code).To(Equal(result.ExitError), ran.stdout)
	g.Expect(ran.stdout).To(ContainSubstring("the target stopped answering"))
	g.Expect(report(t, s.dir).ExitCode).To(Equal(result.ExitError))
}

func TestAPortInUseIsSaidInOneLine(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	taken, err := net.Listen("tcp", s.agents)
	g.Expect(err).NotTo(HaveOccurred())
	defer taken.Close()
	ran := call(t, s.dir, nil)
	g.Expect(ran.code).To(Equal(result.ExitUsage))
	g.Expect(lines(ran.stderr)).To(ConsistOf(And(ContainSubstring(s.agents), ContainSubstring("in use"))))
	g.Expect(s.count()).To(BeZero())
}

func TestAReportThatCannotBeWrittenIsFoundOutFirst(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	g.Expect(os.WriteFile(filepath.Join(s.dir, "file"), nil, 0o600)).To(Succeed())
	ran := call(t, s.dir, nil, "--report-dir", "file/report")
	g.Expect(ran.code).To(Equal(result.ExitUsage))
	g.Expect(lines(ran.stderr)).To(ConsistOf(ContainSubstring("file/report")))
	g.Expect(s.count()).To(BeZero(), "nothing was sent")
}

// read is a file of the report.
func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "pact-conform-report", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ToValidUTF8(string(data), "?")
}
