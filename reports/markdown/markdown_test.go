package markdown

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

func written(t *testing.T, run *result.Run) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSummary(t *testing.T) {
	g := NewWithT(t)
	text := written(t, sample.Run())
	for _, part := range []string{
		"# PACT 1.0: Example Provider 2026.11 · Example Co.\n",
		"**PACT Identity: not conformant.** 2 requirements failed (PACT-2.2-06, PACT-3.2-04).\n",
		"## Failures (4)\n",
		"- **PACT-3.2-04/pem** HS256 is rejected, whatever the secret. `expected 401 with WWW-Authenticate",
		" on `GET https://provider.example.com/a2a/01JDMZ6Q0Q8W3S5T7V9X1Y2Z3A/tasks → 200`\n",
		"## Warnings (2)\n",
		"| clause | failed | error | blocked | not run | warning | observed | passed | not applicable |\n",
		"| §3.2 Personal-agent JWT | 1 | | |",
		"| **all** | 3 | 1 | 2 |",
		"- 2 requirements not run: `needs a fact to tell the agent and to ask for: set prompts.memory, or none` (PACT-4.2-19, PACT-4.2-21).\n",
		", `consent page \"Approve access · Example Co.\", screenshots/002-user.png`\n",
		"## Beside the verdict\n",
		"- 1 requirement: `brand.domain is declared none` (PACT-2.1-11).\n",
		"- 3 requirements: `prompts.close is declared none` (PACT-4.2-13, PACT-4.2-14, PACT-4.2-18).\n",
		"- 1 requirement: `waits longer than --max-wait` (PACT-3.1-03). Needs more time than the run allows:",
	} {
		g.Expect(text).To(ContainSubstring(part))
	}
	g.Expect(strings.Count(text, "PACT-3.1-03")).To(Equal(1), "two profiles, one line")
}

func TestACleanRunIsShort(t *testing.T) {
	g := NewWithT(t)
	text := written(t, sample.Clean())
	g.Expect(text).To(ContainSubstring("**PACT Identity: conformant.**"))
	for _, title := range []string{"Failures", "Warnings", "Not judged", "Beside", "Notes", "Errors"} {
		g.Expect(text).NotTo(ContainSubstring("## " + title))
	}
	g.Expect(len(text)).To(BeNumerically("<", 2000))
}

func TestWhatNoBrowserCanShowIsToldOnce(t *testing.T) {
	g := NewWithT(t)
	text := written(t, sample.WithoutPages())
	g.Expect(strings.Count(text, "there is no Chromium")).To(Equal(2), "beside the verdict, and not judged")
	g.Expect(text).To(MatchRegexp(`(?m)^- \d\d requirements: .there is no Chromium: [^\n]+ \(PACT-5\.2-02, PACT-5\.3-25, [^\n]+\)\. Needs a browser that reads the pages: install Chromium\.$`))
}

func TestARunThatBrokeOffSaysWhy(t *testing.T) {
	g := NewWithT(t)
	run := sample.Clean()
	run.Stopped = "three timeouts in a row"
	run.Conclude("identity")
	g.Expect(written(t, run)).To(ContainSubstring("The run broke off: three timeouts in a row."))
}

func TestALongSummaryIsCutAtALine(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	row := &run.Requirements[0]
	for i := range 500 {
		row.Cases = append(row.Cases, result.Case{Name: fmt.Sprintf("%s/%d", row.ID, i), Outcome: result.Failed, Got: strings.Repeat("long ", 100)})
	}
	text := written(t, run)
	g.Expect(len(text)).To(BeNumerically("<=", Limit))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	g.Expect(lines[len(lines)-1]).To(MatchRegexp(`^\*\*Cut here: \d+ more lines are in report\.html\.\*\*$`))
	g.Expect(lines[len(lines)-3]).To(HavePrefix("- **PACT-"))
	g.Expect(lines[len(lines)-3]).To(HaveSuffix("`"), "the last line is whole")
}

func TestProviderTextIsEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"plain (text), 1.0: yes!": "plain (text), 1.0: yes!",
		"<script>x</script>":      `\<script\>x\</script\>`,
		"[a](javascript:b)":       `\[a\](javascript\:b)`,
		"**bold** _it_ `c` ~s~":   "\\*\\*bold\\*\\* \\_it\\_ \\`c\\` \\~s\\~",
		"a | b":                   `a \| b`,
		"@everyone #12":           `\@everyone \#12`,
		"http://evil.example/":    `http\://evil.example/`,
		"see WWW.evil.example":    `see WWW\.evil.example`,
		":smile:":                 `\:smile:`,
		"two\n# lines":            `two \# lines`,
		"\x1b[2J":                 `\\x1b\[2J`,
		"&lt;":                    `\&lt;`,
		"back\\slash":             `back\\slash`,
		"$x^2$":                   `\$x^2\$`,
	} {
		NewWithT(t).Expect(plain(in)).To(Equal(want))
	}
}

func TestCodeSpansCannotBeLeft(t *testing.T) {
	for in, want := range map[string]string{
		"simple":       "`simple`",
		"a `b` c":      "`` a `b` c ``",
		"``` x":        "```` ``` x ````",
		"two\nlines |": "`two lines |`",
		"":             "",
	} {
		NewWithT(t).Expect(code(in)).To(Equal(want))
	}
}

func TestHostileTextLeavesNoMarkup(t *testing.T) {
	g := NewWithT(t)
	text := written(t, sample.Hostile())
	// What remains outside of code spans must not hold an unescaped tag, link or control character.
	outside := withoutCode(text)
	g.Expect(outside).NotTo(MatchRegexp(`(^|[^\\])<`))
	g.Expect(outside).NotTo(MatchRegexp(`(^|[^\\])\]\(`))
	g.Expect(outside).NotTo(ContainSubstring("https://evil"))
	g.Expect(text).NotTo(MatchRegexp("[\x00-\x08\x0b-\x1f\x7f]"))
	g.Expect(text).NotTo(ContainSubstring("\u202e"))
	for _, line := range strings.Split(text, "\n") {
		g.Expect(line).NotTo(HavePrefix("# heading"))
	}
}

// withoutCode drops code spans as CommonMark finds them: from a run of backticks to the next of equal length.
func withoutCode(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		switch {
		case strings.HasPrefix(s, "\\") && len(s) > 1:
			b.WriteString(s[:2])
			s = s[2:]
		case s[0] == '`':
			run := len(s) - len(strings.TrimLeft(s, "`"))
			rest := s[run:]
			end := closing(rest, run)
			if end < 0 {
				b.WriteString(s[:run])
				s = rest
				continue
			}
			s = rest[end+run:]
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String()
}

func closing(s string, length int) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == length {
			return i
		}
		i += run
	}
	return -1
}
