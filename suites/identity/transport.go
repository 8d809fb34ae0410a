package identity

import (
	"encoding/json"

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
		c.Judge(opened.In(c).first).To(judge.BeOK())
	}, engine.Using(opened))
	Case("PACT-2-03", "application-a2a-json", func(c *engine.C) {
		c.Expect(c.Brand().Header("Content-Type", "application/a2a+json").Ask()).To(judge.BeOK())
	}, engine.Using(opened))
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
	}, engine.Using(opened))
})

// a2aAnswer is an answer that an operation gave in A2A's terms: a result or an A2A error. The card,
// 401, 429, 413 and 431, unmatched routes and empty answers are none, and a declared stream has
// its own media type.
func a2aAnswer(x *result.Exchange) bool {
	if x.Tags.Operation == provider.OperationCard || x.Response.Body == "" || x.Response.MediaType() == "text/event-stream" {
		return false
	}
	success := x.Response.Status == 200 && x.Tags.Expect != result.ExpectNoRoute && json.Valid([]byte(x.Response.Body))
	return success || judge.IsA2AError(x)
}
