package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

// The places where a run is told.
func ciLog(out *bytes.Buffer) Screen { return Screen{Out: out, Width: func() int { return 100 }} }

func plainTerminal(out *bytes.Buffer) Screen {
	return Screen{Out: out, Terminal: true, Width: func() int { return 80 }}
}

func fullTerminal(out *bytes.Buffer) Screen {
	return Screen{Out: out, Terminal: true, Decorated: true, Width: func() int { return 80 }}
}

func told(t *testing.T, screen func(*bytes.Buffer) Screen, options Options, run *result.Run) (live, summary string) {
	t.Helper()
	var out bytes.Buffer
	r := New(screen(&out), options)
	for _, q := range run.Requirements {
		for _, c := range q.Cases {
			r.CaseFinished(q, c)
			r.Progress(1, 2, []string{c.Name})
		}
	}
	live = out.String()
	out.Reset()
	if err := r.Summary(run, "pact-conform-report"); err != nil {
		t.Fatal(err)
	}
	return live, out.String()
}

func cases(run *result.Run) int {
	n := 0
	for _, q := range run.Requirements {
		n += len(q.Cases)
	}
	return n
}

func TestALogShowsOnlyWhatWentWrong(t *testing.T) {
	g := NewWithT(t)
	live, _ := told(t, ciLog, Options{}, sample.Run())
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^(\S) (PACT-\S+)`).FindAllStringSubmatch(live, -1) {
		names = append(names, match[1]+match[2])
	}
	g.Expect(names).To(Equal([]string{"✗PACT-2.2-06/10x", "✗PACT-3.2-04/pem", "✗PACT-3.2-04/der", "EPACT-4.1-13/256k", "✗PACT-5.3-31/each"}))
	g.Expect(live).To(ContainSubstring("  expected 400 with the A2A error INVALID_PARAMS, got 502 text/html: no A2A error envelope\n"))
	clean, _ := told(t, ciLog, Options{}, sample.Clean())
	g.Expect(clean).To(BeEmpty())
}

func TestATerminalShowsALinePerCase(t *testing.T) {
	for name, c := range map[string]struct {
		screen  func(*bytes.Buffer) Screen
		options Options
	}{"terminal": {plainTerminal, Options{}}, "verbose log": {ciLog, Options{Verbose: true}}} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			run := sample.Clean()
			live, _ := told(t, c.screen, c.options, run)
			g.Expect(strings.Count(live, "\n")).To(Equal(cases(run)))
			g.Expect(live).To(MatchRegexp(`(?m)^✓ PACT-3\.2-01/plain +ES256 is accepted\. +50 ms$`))
		})
	}
}

func TestQuietSaysLittle(t *testing.T) {
	g := NewWithT(t)
	live, summary := told(t, fullTerminal, Options{Quiet: true}, sample.Run())
	g.Expect(live).To(BeEmpty())
	_, log := told(t, ciLog, Options{Quiet: true}, sample.Run())
	lines := strings.Split(strings.TrimSpace(log), "\n")
	g.Expect(lines).To(HaveLen(5 + 2 + 1 + 2))
	g.Expect(lines[1]).To(HavePrefix("✗ PACT-3.2-04/pem  200 application/a2a+json: the token was accepted, expected 401"))
	g.Expect(summary).To(ContainSubstring("NOT CONFORMANT"))
}

func TestSummary(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	_, text := told(t, plainTerminal, Options{}, run)
	for _, part := range []string{
		"PACT 1.0 · Example Provider 2026.11 · Example Co.\n",
		"  §3.2 Personal-agent JWT    ✗ 1                      i 2  ✓ 33\n",
		"✗ PACT-3.2-04  HS256 is rejected, whatever the secret.\n  must, stated, §3.2 Personal-agent JWT\n  PACT-3.2-04/pem\n",
		"    expected  401 with WWW-Authenticate: Bearer realm=\"a2a\" and no A2A body\n",
		"    got       200 application/a2a+json: the token was accepted\n",
		"    exchange  GET https://provider.example.com/a2a/01JDMZ6Q0Q8W3S5T7V9X1Y2Z3A/tasks → 200 (x0184)\n",
		"    curl      curl -sS -i -H \"Authorization: Bearer $(pact-conform token PACT-3.2-04/pem)\"",
		"Errors of the harness or the network (1)\n",
		"! PACT-2.1-07/scheme  scheme \"bearer\": right but for the letter case, expected",
		"- 2 requirements not run: needs a fact to tell the agent and to ask for: set\n  prompts.memory, or none\n    PACT-4.2-19 PACT-4.2-21\n",
		"    page      consent page \"Approve access · Example Co.\",\n              screenshots/002-user.png\n",
		"○ 3 requirements: prompts.close is declared none\n",
		"PACT Identity  NOT CONFORMANT  2 requirements failed (PACT-2.2-06, PACT-3.2-04)\n",
		"Report: pact-conform-report/report.html\n        beside it results.json, junit.xml, summary.md, screenshots/\n",
		" requests, ",
	} {
		g.Expect(text).To(ContainSubstring(part))
	}
	g.Expect(strings.Count(text, "HS256 is rejected")).To(Equal(1), "two cases of a requirement stand together")
}

func TestVerboseTellsWarningsInFull(t *testing.T) {
	g := NewWithT(t)
	_, text := told(t, plainTerminal, Options{Verbose: true}, sample.Run())
	g.Expect(text).To(ContainSubstring("  PACT-3.4-05/alike\n    expected  the same body for every failure\n"))
}

func TestACleanSummaryIsShort(t *testing.T) {
	g := NewWithT(t)
	_, text := told(t, plainTerminal, Options{}, sample.Clean())
	g.Expect(text).To(ContainSubstring("PACT Identity  CONFORMANT  "))
	g.Expect(strings.Count(text, "\n")).To(BeNumerically("<", 30))
	for _, title := range []string{"Failures", "Warnings", "Not judged", "Beside", "Notes"} {
		g.Expect(text).NotTo(ContainSubstring(title))
	}
}

// Where no page can be read many requirements lack the same: that is said once.
func TestWhatNoBrowserCanShowIsToldOnce(t *testing.T) {
	g := NewWithT(t)
	_, text := told(t, ciLog, Options{}, sample.WithoutPages())
	g.Expect(strings.Count(text, "there is no Chromium")).To(Equal(2), "beside the verdict, and not judged")
	_, beside, found := strings.Cut(text, "Beside the verdict\n")
	g.Expect(found).To(BeTrue())
	g.Expect(beside).To(MatchRegexp(`^- \d\d requirements: there is no Chromium: none of [^\n]+\n    PACT-5\.2-02 PACT-5\.3-25 (PACT-\S+\s+)+needs a browser that reads the pages: install Chromium\n`))
	g.Expect(beside).NotTo(ContainSubstring("add a login under users"), "which are there")
	g.Expect(text).NotTo(ContainSubstring("screenshots/"))
}

func TestManyFailuresAreToldInFullOnlyAtFirst(t *testing.T) {
	g := NewWithT(t)
	run := sample.Clean()
	for i := range 30 {
		c := &run.Requirements[2*i].Cases[0]
		c.Outcome, c.Got = result.Failed, "something else"
	}
	run.Conclude("identity")
	_, text := told(t, plainTerminal, Options{}, run)
	g.Expect(strings.Count(text, "    got       something else\n")).To(Equal(inFull))
	g.Expect(text).To(MatchRegexp(`(?m)^✗ PACT-\S+  something else, expected`))
	_, text = told(t, plainTerminal, Options{Verbose: true}, run)
	g.Expect(strings.Count(text, "    got       something else\n")).To(Equal(30))
}

func TestWhatABrokenOffRunSays(t *testing.T) {
	g := NewWithT(t)
	run := sample.Clean()
	run.Stopped, run.Stats.Waited = "the Provider stopped answering", 12
	run.Conclude("identity")
	var out bytes.Buffer
	g.Expect(New(plainTerminal(&out), Options{}).Summary(run, "")).To(Succeed())
	g.Expect(out.String()).To(ContainSubstring("The run broke off: the Provider stopped answering\n"))
	g.Expect(out.String()).To(ContainSubstring("12.0 s of it waiting as the Provider asked\n"))
	g.Expect(out.String()).NotTo(ContainSubstring("Report:"))
}

// Lines fit on 80 columns; only what is to be copied (URLs, curl) is left whole.
func TestLinesFitTheScreen(t *testing.T) {
	live, summary := told(t, plainTerminal, Options{}, sample.Run())
	for _, line := range strings.Split(live+summary, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 && !strings.Contains(line, "https://") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// ours are the only sequences that the reporter writes, and only on a decorated screen.
var ours = regexp.MustCompile("\x1b\\[(0|[0-9;]+)m|\r\x1b\\[K")

func TestProvidersTextCannotDriveTheTerminal(t *testing.T) {
	for name, screen := range map[string]func(*bytes.Buffer) Screen{"log": ciLog, "plain terminal": plainTerminal, "full terminal": fullTerminal} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			live, summary := told(t, screen, Options{Verbose: true}, sample.Hostile())
			text := live + summary
			if name == "full terminal" {
				text = ours.ReplaceAllString(text, "")
			}
			g.Expect(utf8.ValidString(text)).To(BeTrue())
			for _, r := range text {
				g.Expect(r == '\n' || r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f) && r != 0x202e).To(BeTrue(), "%U", r)
			}
			g.Expect(text).To(ContainSubstring(`\x1b[2J\x1b[1;31mowned\a\x9b2J`))
		})
	}
}

func TestStatusLineIsWrittenOver(t *testing.T) {
	g := NewWithT(t)
	var out bytes.Buffer
	r := New(fullTerminal(&out), Options{})
	r.Progress(3, 257, []string{"PACT-3.2-35/late", "conversation"})
	g.Expect(out.String()).To(Equal("\r\x1b[K\x1b[2m3 of 257 · 2 running: PACT-3.2-35/late conversation\x1b[0m"))
	out.Reset()
	r.Say("open https://brand.example/\x1b[2J")
	g.Expect(out.String()).To(HavePrefix("\r\x1b[Kopen https://brand.example/\\x1b[2J\n\x1b[2m3 of 257"), "the status line moves down")
	out.Reset()
	r.Close()
	r.Close()
	g.Expect(out.String()).To(Equal("\r\x1b[K"))
	out.Reset()
	r.Progress(4, 257, []string{strings.Repeat("PACT-3.2-04/pem ", 50)})
	g.Expect(utf8.RuneCountInString(ours.ReplaceAllString(out.String(), ""))).To(Equal(79), "a full line would wrap")
}

func TestNoStatusLineWithoutDecoration(t *testing.T) {
	for _, screen := range []func(*bytes.Buffer) Screen{ciLog, plainTerminal} {
		g := NewWithT(t)
		var out bytes.Buffer
		r := New(screen(&out), Options{})
		r.Progress(1, 2, []string{"PACT-2-01/all"})
		r.Close()
		g.Expect(out.String()).To(BeEmpty())
		r.Say("a line")
		g.Expect(out.String()).To(Equal("a line\n"))
	}
}

func TestLinesOfManyGoroutinesStayWhole(t *testing.T) {
	g := NewWithT(t)
	run := sample.Clean()
	var out bytes.Buffer
	r := New(fullTerminal(&out), Options{})
	var group sync.WaitGroup
	for _, q := range run.Requirements {
		group.Go(func() {
			for _, c := range q.Cases {
				r.CaseFinished(q, c)
				r.Progress(1, 2, []string{c.Name})
			}
		})
	}
	group.Wait()
	r.Close()
	lines := regexp.MustCompile(`(?m)PACT-\S+ .* \d+ ms$`).FindAllString(ours.ReplaceAllString(out.String(), ""), -1)
	g.Expect(lines).To(HaveLen(cases(run)))
}

func TestDetectWithoutATerminal(t *testing.T) {
	g := NewWithT(t)
	file, err := os.CreateTemp(t.TempDir(), "log")
	g.Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	s := Detect(file, func(string) string { return "" })
	g.Expect(s.Terminal).To(BeFalse())
	g.Expect(s.Decorated).To(BeFalse())
	g.Expect(s.Width()).To(Equal(100))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestASummaryThatCannotBeWrittenIsAnError(t *testing.T) {
	g := NewWithT(t)
	r := New(Screen{Out: broken{}, Width: func() int { return 80 }}, Options{})
	r.CaseFinished(result.Requirement{}, result.Case{Outcome: result.Failed})
	g.Expect(r.Summary(sample.Clean(), "")).To(MatchError("no space left"))
}

func TestWrap(t *testing.T) {
	g := NewWithT(t)
	g.Expect(wrap("one two three four", 9, "  ")).To(Equal("one two\n  three\n  four"))
	g.Expect(wrap("a "+strings.Repeat("x", 20)+" b", 10, "")).To(Equal("a\n" + strings.Repeat("x", 20) + "\nb"))
	g.Expect(wrap("", 10, "  ")).To(BeEmpty())
	g.Expect(pad("ü", 3)).To(Equal("ü  "))
	g.Expect(fmt.Sprintf("[%s]", pad("long", 2))).To(Equal("[long]"))
}
