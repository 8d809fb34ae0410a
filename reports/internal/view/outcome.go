package view

import (
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Glyph is a sign for an outcome that needs no colour and one column.
func Glyph(o result.Outcome) string {
	switch o {
	case result.Failed:
		return "✗"
	case result.Errored:
		return "E"
	case result.Blocked:
		return "#"
	case result.NotRun:
		return "-"
	case result.Warning:
		return "!"
	case result.Observed:
		return "i"
	case result.Passed:
		return "✓"
	case result.NotApplicable:
		return "○"
	}
	return "?"
}

// Label is an outcome in words.
func Label(o result.Outcome) string {
	switch o {
	case result.NotRun:
		return "not run"
	case result.NotApplicable:
		return "not applicable"
	}
	return string(o)
}

// Meaning says what an outcome means, for a legend.
func Meaning(o result.Outcome) string {
	switch o {
	case result.Failed:
		return "The Provider broke the rule."
	case result.Errored:
		return "The harness or the network failed; nothing is said about the Provider."
	case result.Blocked:
		return "The positive control or a journey failed, so the case shows nothing."
	case result.NotRun:
		return "Set-up is missing."
	case result.Warning:
		return "A SHOULD was broken, or a MUST was met in a way that is only warned about."
	case result.Observed:
		return "Recorded, never judged."
	case result.Passed:
		return "The rule was seen kept."
	case result.NotApplicable:
		return "The Provider rightly lacks what the rule is about."
	}
	return ""
}

// Counted writes counts in words, worst first and without zeros: "2 failed, 1 warning, 12 passed".
func Counted(counts map[result.Outcome]int, separator string) string {
	var parts []string
	for _, o := range result.Outcomes {
		if n := counts[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, Label(o)))
		}
	}
	return strings.Join(parts, separator)
}

// Target is what was tested, in one line: the Provider's name and version, and the Brand's name.
func Target(run *result.Run) string {
	var parts []string
	if name := strings.TrimSpace(run.Provider.Name + " " + run.Provider.Version); name != "" {
		parts = append(parts, name)
	}
	if run.Brand.Name != "" {
		parts = append(parts, run.Brand.Name)
	}
	if len(parts) == 0 {
		parts = append(parts, run.Brand.Card)
	}
	return Line(strings.Join(parts, " · "))
}

// ProfileName is a profile as the specification calls it (§7).
func ProfileName(name string) string {
	switch name {
	case "identity":
		return "PACT Identity"
	case "delegated":
		return "PACT Delegated"
	}
	return name
}
