package identity

import (
	"net/http"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

const mediaJSON = "application/json"

// §2 Transport
var _ = Clause("2", func() {
	Case("PACT-2-01", "provoked", func(c *engine.C) {
		c.Judge(Choose(append(provokedErrors.In(c), RightToken.In(c).Control), a2aAnswer)...).To(judge.HaveA2AMediaType())
	}, engine.Using(provokedErrors, RightToken))
	Throughout("PACT-2-01", "every-answer", a2aAnswer, judge.HaveA2AMediaType())

	Case("PACT-2-02", "application-json", func(c *engine.C) {
		c.Judge(firstMessage.In(c).reply).To(judge.BeOK())
	}, engine.Using(firstMessage))
	Case("PACT-2-03", "application-a2a-json", func(c *engine.C) {
		c.Expect(c.Brand().Header("Content-Type", "application/a2a+json").Ask()).To(judge.BeOK())
	})
	Case("PACT-2-04", "no-version", func(c *engine.C) {
		v := RightToken.In(c)
		c.Expect(v.Ask(v.As(c).Header("A2A-Version", ""))).To(judge.BeAcceptedOr(judge.VersionNotSupported))
	}, engine.Using(RightToken))
	Case("PACT-2-05", "version-99", func(c *engine.C) {
		v := RightToken.In(c)
		answer := v.Ask(v.As(c).Header("A2A-Version", "99.0"))
		c.Observe("A2A-Version 99.0: %s", judge.Answered(answer.Exchange))
	}, engine.Using(RightToken))
	Case("PACT-2-06", "no-content-type", func(c *engine.C) {
		c.Expect(c.Brand().Header("Content-Type", "").Ask()).To(judge.BeOK())
	})
})

// a2aAnswer is what an operation answered, success or error, as far as §2 speaks of it. Not meant are
// the card, 401, 429, 413 and 431, unmatched routes and unknown Brands, answers without a body and a
// declared stream; nor is a server error that did not come again when asked alone.
func a2aAnswer(x *result.Exchange) bool {
	if x.Response.Body == "" || x.Response.MediaType() == "text/event-stream" ||
		x.Tags.Expect == result.ExpectNoRoute || !isA2AOperation(x.Tags.Operation) {
		return false
	}
	switch status := x.Response.Status; status {
	case http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusRequestEntityTooLarge, http.StatusRequestHeaderFieldsTooLarge:
		return false
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return judge.IsA2AError(x)
	default:
		return status < 500 || x.Tags.SecondLook
	}
}

// isA2AOperation tells the operations of the interface from cards, pages and OAuth endpoints.
func isA2AOperation(operation string) bool {
	switch operation {
	case provider.OperationSend, provider.OperationTasks, provider.OperationTask, provider.OperationCancel,
		provider.OperationStream, provider.OperationSubscribe, provider.OperationPushConfig, provider.OperationExtended:
		return true
	}
	return false
}
