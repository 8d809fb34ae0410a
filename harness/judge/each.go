package judge

import (
	"fmt"

	"github.com/pact-conform/pact-conform/harness/result"
)

// shortfall is what falls short in one answer, and how much that counts; the zero value is nothing.
type shortfall struct {
	outcome result.Outcome
	got     string
}

func failing(got string, args ...any) shortfall {
	return shortfall{result.Failed, fmt.Sprintf(got, args...)}
}

func warning(got string, args ...any) shortfall {
	return shortfall{result.Warning, fmt.Sprintf(got, args...)}
}

// erring is for what the harness cannot judge, through no fault of the Provider.
func erring(got string, args ...any) shortfall {
	return shortfall{result.Errored, fmt.Sprintf(got, args...)}
}

// each judges every answer by itself; the first of the worst shortfalls is what the judge says.
func each(expected string, xs []*result.Exchange, say func(*result.Exchange) shortfall) Finding {
	worst := passed(expected)
	for _, x := range xs {
		if short := say(x); short.got != "" && short.outcome.Worse(worst.Outcome) {
			worst = Finding{Outcome: short.outcome, Expected: expected, Got: fmt.Sprintf("%s (%s)", short.got, x.ID)}
		}
	}
	return worst
}

// or is the worse of two shortfalls, the first of equals.
func (s shortfall) or(other shortfall) shortfall {
	if other.got != "" && (s.got == "" || other.outcome.Worse(s.outcome)) {
		return other
	}
	return s
}
