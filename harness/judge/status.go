package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// HaveStatus passes an answer with one of the HTTP statuses.
func HaveStatus(codes ...int) Judge { return haveStatus(statusArgs{Codes: codes}) }

// BeOK passes a 200.
func BeOK() Judge { return HaveStatus(http.StatusOK) }

// BeUnauthorized passes a 401. What else §3.4 asks of it, the challenge and the body, is judged
// over every 401 of a run by rows of its own, so that one fault is one failure.
func BeUnauthorized() Judge { return HaveStatus(http.StatusUnauthorized) }

// BeNoRoute passes a 404 or 405, as what is no operation gets (§2.2); the body is judged apart.
func BeNoRoute() Judge { return HaveStatus(http.StatusNotFound, http.StatusMethodNotAllowed) }

type statusArgs struct {
	Codes []int `json:"codes"`
}

var haveStatus = define("HaveStatus", func(a statusArgs, xs []*result.Exchange) Finding {
	expected := "status " + numbers(a.Codes)
	for _, x := range xs {
		if !slices.Contains(a.Codes, x.Response.Status) {
			return failed(expected, "%s", Answered(x))
		}
	}
	return passed(expected)
})

// SoftStatus passes the statuses pass, warns of those in warn, and fails the rest.
func SoftStatus(pass, warn []int) Judge { return softStatus(softStatusArgs{Pass: pass, Warn: warn}) }

type softStatusArgs struct {
	Pass []int `json:"pass"`
	Warn []int `json:"warn"`
}

var softStatus = define("SoftStatus", func(a softStatusArgs, xs []*result.Exchange) Finding {
	expected := "status " + numbers(a.Pass)
	worst := passed(expected)
	for _, x := range xs {
		switch {
		case slices.Contains(a.Pass, x.Response.Status):
		case slices.Contains(a.Warn, x.Response.Status):
			worst = warned(expected, "%s", Answered(x))
		default:
			return failed(expected, "%s", Answered(x))
		}
	}
	return worst
})

// BeRefusedAtAll passes any 4xx: for what must be answered, and is not said how.
func BeRefusedAtAll() Judge { return beRefusedAtAll(none{}) }

var beRefusedAtAll = define("BeRefusedAtAll", func(_ none, xs []*result.Exchange) Finding {
	const expected = "a 4xx status"
	for _, x := range xs {
		if x.Response.Status < 400 || x.Response.Status > 499 {
			return failed(expected, "%s", Answered(x))
		}
	}
	return passed(expected)
})

// Answered says in one line what came: the status and, where it is an A2A error, its reason.
func Answered(x *result.Exchange) string {
	if x.Response == nil {
		return x.Error
	}
	text := fmt.Sprintf("%d %s", x.Response.Status, http.StatusText(x.Response.Status))
	if e, ok := errorOf(x); ok {
		text += fmt.Sprintf(", reason %q", e.reason())
	} else if media := x.Response.MediaType(); media != "" && x.Response.Body != "" {
		text += " (" + media + ")"
	}
	return strings.TrimSpace(text)
}

func numbers(codes []int) string {
	words := make([]string, len(codes))
	for i, code := range codes {
		words[i] = fmt.Sprint(code)
	}
	return strings.Join(words, " or ")
}
