package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/result"
)

const delegatedProfile = "--profile=delegated"

// verdicts are those of the profiles by name.
func verdicts(run *result.Run) map[string]result.Verdict {
	all := map[string]result.Verdict{}
	for _, p := range run.Profiles {
		all[p.Name] = p.Verdict
	}
	return all
}

// besides are the requirements that stand beside the verdict, with the reasons.
func besides(run *result.Run) map[string]string {
	all := map[string]string{}
	for _, q := range run.Requirements {
		if q.Beside != "" {
			all[q.ID] = q.Beside
		}
	}
	return all
}

// hosting is `pact-conform provider` in the test's own process, so that a test can look into it, and a
// folder with the configuration that fits.
func hosting(t *testing.T, vary ...func(*provider.Behaviour)) (*target, string) {
	t.Helper()
	agents, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	here, err := startTarget(targetOptions{
		listen: "127.0.0.1:0", agents: agents, interval: time.Second,
		variants: []variant{{apply: func(o *provider.Options) { o.Vary = append(o.Vary, vary...) }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = here.Close() })
	dir := t.TempDir()
	copyKeys(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "pact-conform.yaml"), []byte(here.config(keysFile)), 0o600); err != nil {
		t.Fatal(err)
	}
	return here, dir
}

// hideBrand has the Brand's name come from the variable BRAND, which makes it a secret: it is masked in
// what is shown, and judged all the same.
func hideBrand(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, "pact-conform.yaml")
	text, err := os.ReadFile(path)
	hidden := strings.Replace(string(text), strconv.Quote(name), `"${BRAND}"`, 1)
	if err != nil || hidden == string(text) {
		t.Fatalf("%s does not name the Brand: %v", path, err)
	}
	if err := os.WriteFile(path, []byte(hidden), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Once in Chromium, everything: both verdicts, the pictures, what is said of it, and that nothing is left or let out.
func TestDelegatedInChromium(t *testing.T) {
	g := NewWithT(t)
	loot := &loot{}
	here, dir := hosting(t, loot.watch)
	name := here.Brands()[0].Name
	hideBrand(t, dir, name)
	temporary := t.TempDir()
	// Forty visits of a browser keep a busy machine busy.
	ran := callWithin(t, 3*patience, dir, []string{"TMPDIR=" + temporary, "BRAND=" + name}, soon, delegatedProfile, "--verbose")
	marks := loot.marks(t)
	for _, kind := range []string{"password", "device_code", "user_code", "access_token", "refresh_token", "assertion", "cookie"} {
		g.Expect(marks).To(ContainElement(kind), "the run made none of these")
	}
	nothingShows(t, dir, ran, marks)

	run := report(t, dir)
	g.Expect(verdicts(run)).To(Equal(map[string]result.Verdict{"identity": result.Conformant, "delegated": result.Conformant}), ran.stdout)
	g.Expect(ran.code).To(Equal(result.ExitConformant))
	g.Expect(ran.stderr).To(BeEmpty())
	g.Expect(with(run, result.Warning)).To(BeEmpty())
	g.Expect(besides(run)).To(HaveEach(ContainSubstring("--max-wait")), "what waits longer, and nothing else")
	acts := strings.Index(ran.stdout, `"Please refund my last order." (prompts.stepUp, needs refunds:issue)`)
	g.Expect(acts).To(BeNumerically(">", 0))
	g.Expect(acts).To(BeNumerically("<", strings.Index(ran.stdout, "PACT-2")), "it is said before anything is sent")
	g.Expect(os.ReadDir(temporary)).To(BeEmpty(), "no profile of Chromium is left")
	g.Expect(os.ReadDir(filepath.Join(dir, "pact-conform-report", "screenshots"))).NotTo(BeEmpty())
}

func TestCtrlCLeavesNoChromium(t *testing.T) {
	g := NewWithT(t)
	opened := make(chan struct{}, 1)
	_, dir := hosting(t, func(b *provider.Behaviour) {
		b.Gateway = func(r *http.Request, a provider.Answer) provider.Answer {
			if strings.Contains(r.Header.Get("User-Agent"), "Chrom") {
				select {
				case opened <- struct{}{}:
				default:
				}
			}
			return a
		}
	})
	temporary := t.TempDir()
	p := start(t, dir, []string{"TMPDIR=" + temporary}, soon, delegatedProfile, "--only", "5.3,5.4")
	p.until(t, "pact-conform ")
	select {
	case <-opened:
	case <-p.done:
		t.Fatal("the run ended before a page was opened")
	}
	p.interrupt(t)
	ran := p.end(t)
	g.Expect(ran.code).To(Equal(result.ExitError), ran.stdout+ran.stderr)
	g.Expect(os.ReadDir(temporary)).To(BeEmpty())
	g.Expect(report(t, dir).Stopped).To(Equal("interrupted"))
}

func TestWithoutChromiumTheRunGoesOnAndSaysHowToInstallIt(t *testing.T) {
	g := NewWithT(t)
	e := providing(t, "--interval", "1s")
	if path, err := findWithoutPath(t); err == nil {
		t.Skip("a Chromium is found here without a PATH: " + path)
	}
	ran := call(t, e.dir, []string{"PATH=/nowhere"}, soon, delegatedProfile)
	g.Expect(ran.code).To(Equal(result.ExitIncomplete), ran.stdout+ran.stderr)
	g.Expect(lines(ran.stdout)).To(ContainElement(And(
		HavePrefix("Nobody can decide, and no page is read: there is no Chromium"), Or(ContainSubstring("apt-get install"), ContainSubstring("install")),
	)))
	run := report(t, e.dir)
	g.Expect(verdicts(run)).To(Equal(map[string]result.Verdict{"identity": result.Conformant, "delegated": result.Incomplete}))
	g.Expect(besides(run)).To(HaveKeyWithValue("PACT-5.3-25", ContainSubstring("there is no Chromium")), "it reads pages")
	g.Expect(besides(run)).NotTo(HaveKey("PACT-5.4-01"), "a person could decide")
	g.Expect(outcome(t, run, "PACT-5.4-01")).To(Equal(result.NotRun))
	g.Expect(outcome(t, run, "PACT-5.3-09")).To(Equal(result.Passed), "it needs nobody")
	g.Expect(with(run, result.Failed)).To(BeEmpty())

	// Who does not need one is not asked for one, and who names one means it.
	named := []string{"PACT_CONFORM_BROWSER_CHROMIUM=/nowhere/chromium"}
	g.Expect(call(t, e.dir, named, delegatedProfile, "--only", "3.4,5.1").code).To(Equal(0))
	wrong := call(t, e.dir, named, delegatedProfile, "--only", "5.4")
	g.Expect(wrong.code).To(Equal(result.ExitUsage))
	g.Expect(lines(wrong.stderr)).To(ConsistOf(ContainSubstring("browser.chromium names")))
}

// findWithoutPath looks where installers put Chromium without a name on the PATH.
func findWithoutPath(t *testing.T) (string, error) {
	path := os.Getenv("PATH")
	defer t.Setenv("PATH", path)
	t.Setenv("PATH", "")
	return browser.Find("")
}
