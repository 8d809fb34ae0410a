package judge

import (
	"net/http"

	"github.com/pact-conform/pact-conform/harness/result"
)

// BeAccepted passes an answer that shows that the bearer token was accepted: what the operation
// answers to a caller it knows. GET tasks and message:send give 200; the look-up of a task that
// does not exist gives TASK_NOT_FOUND.
func BeAccepted() Judge { return beAccepted(none{}) }

var beAccepted = define("BeAccepted", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the token accepted"
	for _, x := range xs {
		if !accepted(x) {
			return failed(expected+": 200, or TASK_NOT_FOUND for a task", "%s to %s", Answered(x), x.Tags.Operation)
		}
	}
	return passed(expected)
})

func accepted(x *result.Exchange) bool {
	if x.Response.Status == http.StatusOK {
		return true
	}
	e, ok := errorOf(x)
	return ok && x.Response.Status == http.StatusNotFound && e.reason() == TaskNotFound
}

// WasAccepted reports whether the answer shows an accepted token.
func WasAccepted(x *result.Exchange) bool { return x.Response != nil && accepted(x) }

// BeLetThrough passes an answer that the operation itself gave: no refusal of the token, no
// unmatched route, no failure of the Provider.
func BeLetThrough() Judge { return beLetThrough(none{}) }

var beLetThrough = define("BeLetThrough", func(_ none, xs []*result.Exchange) Finding {
	const expected = "an answer of the operation to a caller that it knows"
	for _, x := range xs {
		a2a := hasA2ABody(x)
		switch status := x.Response.Status; {
		case status == http.StatusUnauthorized, status == http.StatusForbidden, status >= 500,
			!a2a && (status == http.StatusNotFound || status == http.StatusMethodNotAllowed):
			return failed(expected, "%s to %s", Answered(x), x.Tags.Operation)
		}
	}
	return passed(expected)
})

// BeAcceptedOr is BeAccepted, or the A2A error with that reason.
func BeAcceptedOr(reason string) Judge { return beAcceptedOr(oneReason{Reason: reason}) }

type oneReason struct {
	Reason string `json:"reason"`
}

var beAcceptedOr = define("BeAcceptedOr", func(a oneReason, xs []*result.Exchange) Finding {
	expected := "an answer of the operation, or the A2A error " + a.Reason
	for _, x := range xs {
		if !accepted(x) && beA2AError(reasonArgs{Reasons: []string{a.Reason}}).Find(x).Outcome != result.Passed {
			return failed(expected, "%s", Answered(x))
		}
	}
	return passed(expected)
})

// BeOKOr passes a 200, or the A2A error with that reason.
func BeOKOr(reason string) Judge { return beOKOr(oneReason{Reason: reason}) }

var beOKOr = define("BeOKOr", func(a oneReason, xs []*result.Exchange) Finding {
	expected := "200, or the A2A error " + a.Reason
	for _, x := range xs {
		if x.Response.Status != http.StatusOK && beA2AError(reasonArgs{Reasons: []string{a.Reason}}).Find(x).Outcome != result.Passed {
			return failed(expected, "%s", Answered(x))
		}
	}
	return passed(expected)
})
