package proof

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Fallen are the rows that did not come out well, but for what --max-wait leaves out.
func Fallen(run *result.Run) map[string]result.Outcome {
	rows := map[string]result.Outcome{}
	for _, q := range run.Requirements {
		switch q.Outcome {
		case result.Passed, result.Observed, result.NotApplicable:
		case result.NotRun:
			if q.Beside == "" {
				rows[q.ID] = q.Outcome
			}
		default:
			rows[q.ID] = q.Outcome
		}
	}
	return rows
}

// Explain shows where expected and actual differ, with the case that decided.
func Explain(run *result.Run, got, want map[string]result.Outcome) string {
	var b strings.Builder
	for _, q := range run.Requirements {
		if got[q.ID] == want[q.ID] {
			continue
		}
		fmt.Fprintf(&b, "  %s is %s, expected %s\n", q.ID, q.Outcome, cmp.Or(want[q.ID], "nothing"))
		for _, c := range q.Cases {
			if c.Outcome == q.Outcome {
				fmt.Fprintf(&b, "    %s: %s expected %q got %q\n", c.Name, c.Reason, c.Expected, c.Got)
				break
			}
		}
	}
	return b.String()
}
