package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

func TestWhatIsWrongIsSaidInOneLine(t *testing.T) {
	s := serving(t, nil)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"an unknown command":         {[]string{"lst"}, `did you mean list?`},
		"an unknown flag":            {[]string{"--ony", "3.2"}, `did you mean --only?`},
		"a flag without its value":   {[]string{"--only"}, `--only`},
		"an unknown profile":         {[]string{"--profile", "identify"}, `did you mean identity?`},
		"an unknown requirement":     {[]string{"--only", "PACT-3.2-99"}, `did you mean PACT-3.2-`},
		"an unknown case":            {[]string{"--skip", "PACT-3.2-04/pen"}, `did you mean PACT-3.2-04/pem?`},
		"an unknown clause":          {[]string{"--only", "3.1,3.9"}, `"3.9"`},
		"an empty selector":          {[]string{"--only", "3.1,"}, `empty selector`},
		"a clause of no profile":     {[]string{"--only", "5.3"}, `it is of --profile delegated`},
		"a selection of nothing":     {[]string{"--only", "3.2", "--skip", "3"}, `leaves nothing to run`},
		"results that are not there": {[]string{"--rerun-failed", "none.json"}, `none.json`},
		"a file that is no results":  {[]string{"--rerun-failed", "pact-conform.yaml"}, `pact-conform.yaml`},
		"a duration without a unit":  {[]string{"--max-wait", "90"}, `--max-wait`},
		"a configuration not there":  {[]string{"--config", "other.yaml"}, `other.yaml`},
		"an argument too many":       {[]string{"list", "3.2"}, `list takes no argument "3.2"`},
		"a token of no case":         {[]string{"token", "PACT-3.2-04/pen"}, `did you mean PACT-3.2-04/pem?`},
		"a token of several cases":   {[]string{"token", "PACT-3.2-04"}, `PACT-3.2-04/pem`},
		"a token of no agent":        {[]string{"token", "right", "--agent", "secnd"}, `did you mean second?`},
		"an explanation of nothing":  {[]string{"explain", "PACT-4.2-99"}, `did you mean PACT-4.2-`},
		"an unknown defect":          {[]string{"provider", "--defect", "aud-prefx"}, `did you mean aud-prefix?`},
		"an unknown dialect":         {[]string{"provider", "--dialect", "interface-elswhere"}, `did you mean interface-elsewhere?`},
		"an unknown look":            {[]string{"demo", "--look", "germany"}, `did you mean german?`},
		"polls too often":            {[]string{"provider", "--interval", "500ms"}, `--interval: 500ms`},
		"a Provider for everybody":   {[]string{"provider", "--listen", "0.0.0.0:0"}, `this machine alone`},
		"a Provider at no address":   {[]string{"provider", "--listen", "8800"}, `no address`},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			ran := call(t, s.dir, nil, c.args...)
			g.Expect(ran.code).To(Equal(result.ExitUsage), ran.stdout+ran.stderr)
			g.Expect(ran.stdout).To(BeEmpty())
			g.Expect(lines(ran.stderr)).To(ConsistOf(ContainSubstring(c.says)))
		})
	}
	NewWithT(t).Expect(s.count()).To(BeZero(), "nothing was sent")
}

func TestEveryProblemOfTheConfigurationIsALine(t *testing.T) {
	g := NewWithT(t)
	dir := t.TempDir()
	text := "version: 1\nprovider: {audiance: aud}\nbrand: {card: not-a-url}\nlimits: {concurrency: none}\n"
	g.Expect(os.WriteFile(filepath.Join(dir, "pact-conform.yaml"), []byte(text), 0o600)).To(Succeed())
	ran := call(t, dir, nil)
	g.Expect(ran.code).To(Equal(result.ExitUsage))
	g.Expect(lines(ran.stderr)).To(ContainElements(
		And(HavePrefix("pact-conform.yaml:2: "), ContainSubstring(`did you mean "audience"?`)),
		HavePrefix("pact-conform.yaml:3: brand.card"),
		HavePrefix("pact-conform.yaml:4: limits.concurrency"),
	))
}

func TestEveryOverridingFlagIsThere(t *testing.T) {
	g := NewWithT(t)
	flags := newRoot().Flags()
	offered := 0
	for _, field := range config.Fields {
		if field.Flag != "" {
			offered++
			g.Expect(flags.Lookup(field.Flag)).NotTo(BeNil(), field.Flag)
			g.Expect(overriding[field.Flag]).NotTo(BeEmpty(), field.Flag)
		}
	}
	g.Expect(overriding).To(HaveLen(offered))
}

func TestHelpIsReadableAt80Columns(t *testing.T) {
	g := NewWithT(t)
	root := newRoot()
	for _, c := range append(root.Commands(), root) {
		g.Expect(c.Short).NotTo(BeEmpty(), c.Name())
		for _, line := range lines(c.Long + "\n" + c.UsageString()) {
			g.Expect(len([]rune(line))).To(BeNumerically("<=", 80), line)
		}
	}
}

func TestListIsReadableAt80Columns(t *testing.T) {
	g := NewWithT(t)
	ran := call(t, t.TempDir(), nil, "list", "--only", "3.2,4", "--skip", "PACT-3.2-01")
	g.Expect(ran.code).To(Equal(0))
	g.Expect(ran.stdout).To(And(ContainSubstring("§3.2 Personal-agent JWT"), ContainSubstring("PACT-4.2-11"), Not(ContainSubstring("PACT-3.2-01 "))))
	for _, line := range lines(ran.stdout) {
		g.Expect(len([]rune(line))).To(BeNumerically("<=", 80), line)
	}
}

func TestListAsJSON(t *testing.T) {
	g := NewWithT(t)
	ran := call(t, t.TempDir(), nil, "list", "--json")
	var all []listed
	g.Expect(json.Unmarshal([]byte(ran.stdout), &all)).To(Succeed())
	g.Expect(all).To(HaveLen(len(catalog.All())))
	for _, row := range all {
		g.Expect(row.Cases).NotTo(BeEmpty(), row.ID)
		g.Expect(row.Cases).To(HaveEach(HavePrefix(row.ID + "/")))
	}
}

func TestExplain(t *testing.T) {
	g := NewWithT(t)
	ran := call(t, t.TempDir(), nil, "explain", "PACT-4.2-10")
	g.Expect(ran.code).To(Equal(0))
	for _, said := range []string{
		"A context of another personal agent gets INVALID_PARAMS", "§4.2 Context", "a Provider that breaks it does not conform",
		"The second agent with the same sub string.", "The owner's turns before and after", "set agents.second", "PACT-4.2-10/",
	} {
		g.Expect(strings.Join(strings.Fields(ran.stdout), " ")).To(ContainSubstring(said))
	}
	clause := call(t, t.TempDir(), nil, "explain", "3.4")
	g.Expect(strings.Count(clause.stdout, "\nlevel ")).To(Equal(6))
	delegated := call(t, t.TempDir(), nil, "explain", "PACT-5.5-12")
	for _, said := range []string{"of the profile delegated", "install Chromium", "set prompts.stepUp", "PACT-5.5-12/", "step-up"} {
		g.Expect(strings.Join(strings.Fields(delegated.stdout), " ")).To(ContainSubstring(said))
	}
}

func TestVariantsAreListed(t *testing.T) {
	g := NewWithT(t)
	for flag, names := range map[string][]string{"--list-defects": {"aud-prefix", "PACT-3.2-15"}, "--list-dialects": {"interface-elsewhere", "receipt-more-claims"}, "--list-looks": {"german"}} {
		ran := call(t, t.TempDir(), nil, "provider", flag)
		g.Expect(ran.code).To(Equal(0))
		for _, name := range names {
			g.Expect(ran.stdout).To(ContainSubstring(name))
		}
		for _, line := range lines(ran.stdout) {
			g.Expect(len([]rune(line))).To(BeNumerically("<=", 80), line)
		}
	}
}

func TestVersion(t *testing.T) {
	g := NewWithT(t)
	ran := call(t, t.TempDir(), nil, "version")
	g.Expect(ran.stdout).To(And(HavePrefix("pact-conform "), ContainSubstring(catalog.SHA256())))
}
