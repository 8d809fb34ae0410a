package identity

import (
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §3.4 Failure
var _ = Clause("3.4", func() {
	WithoutToken("PACT-3.4-01", judge.BeUnauthorized())
	Throughout("PACT-3.4-01", "every-failure", authenticationFailure, judge.BeUnauthorized())
	WithoutToken("PACT-3.4-02", judge.HaveChallenge())
	Throughout("PACT-3.4-02", "every-401", unauthorized, judge.HaveChallenge())
	WithoutToken("PACT-3.4-03", judge.HaveNoA2ABody())
	Throughout("PACT-3.4-03", "every-401", unauthorized, judge.HaveNoA2ABody())

	Case("PACT-3.4-04", "truncated-body", func(c *engine.C) {
		const truncated = `{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"Hel`
		c.Control(c.Brand().Expecting(result.ExpectError).SendBody(mediaJSON, []byte(truncated))).
			To(judge.BeA2AError(judge.InvalidParams))
		c.Expect(c.Brand().WithoutToken().SendBody(mediaJSON, []byte(truncated))).To(judge.BeUnauthorized())
	})

	Throughout("PACT-3.4-05", "alike", func(x *result.Exchange) bool {
		return unauthorized(x) && authenticationFailure(x)
	}, judge.BeAlike())

	Case("PACT-3.4-06", "unknown-brand", func(c *engine.C) {
		answer := Tasks.Ask(unknownBrandCaller(c).WithoutToken())
		c.Observe("an unknown Brand without a token: %s", judge.Answered(answer.Exchange))
	})
})

// WithoutToken judges the answer to a request that carries no token, beside one that does.
func WithoutToken(id string, j judge.Judge) {
	Case(id, "no-token", func(c *engine.C) {
		c.Controlled(RightToken.In(c).Control)
		for _, op := range Operations {
			answer := op.Ask(c.Brand().WithoutToken().Expecting(result.ExpectUnauthorized))
			if !judge.WasAccepted(answer.Exchange) && judge.BeAnOperation().Find(answer.Exchange).Outcome == result.Passed {
				c.Expect(answer).To(j)
				return
			}
		}
		c.Block("every operation is served without a token, which PACT-3.2-30 says")
	}, engine.Using(RightToken))
}

// authenticationFailure is an exchange in which authentication was made to fail, and did: what was
// served in spite of it is for the row about that credential. A 429 came before authentication, and
// a server error counts where it came again when asked alone.
func authenticationFailure(x *result.Exchange) bool {
	status := x.Response.Status
	answered := status != http.StatusTooManyRequests && (status < 500 || x.Tags.SecondLook)
	return x.Tags.Expect == result.ExpectUnauthorized && answered && !judge.WasAccepted(x) && !ofDelegation(x)
}

// unauthorized is a 401 of any operation.
func unauthorized(x *result.Exchange) bool {
	return x.Response.Status == 401 && x.Tags.Operation != provider.OperationCard && !ofDelegation(x)
}

// ofDelegation is an exchange whose failures §5 has rules of its own for: with a delegation token, or
// at an OAuth endpoint.
func ofDelegation(x *result.Exchange) bool {
	for name := range x.Request.Header { // which a case may have written otherwise
		if strings.EqualFold(name, provider.DelegationHeader) {
			return true
		}
	}
	return ofOAuth(x)
}

// ofOAuth is an exchange with an OAuth endpoint.
func ofOAuth(x *result.Exchange) bool {
	switch x.Tags.Operation {
	case provider.OperationMetadata, provider.OperationKeys, provider.OperationDevice, provider.OperationToken, provider.OperationRevocation:
		return true
	}
	return false
}

// unknownBrandCaller calls the operations of a Brand that does not exist: the interface URL with
// another id in the place where the card's URL has the Brand's.
func unknownBrandCaller(c *engine.C) provider.Caller {
	brand := c.Brand()
	own, unknown, ok := unknownBrand(c.Setup())
	at := brand.At.URL + "/"
	if !ok || !strings.Contains(at, own) {
		c.NotRun("the interface URL has no segment that names the Brand")
	}
	return brand.Calling(provider.Interface{URL: strings.Replace(at, own, unknown, 1), Tenant: brand.At.Tenant}, "unknown").
		Expecting(result.ExpectAny)
}
