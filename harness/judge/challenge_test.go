package judge_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

const (
	badToken      = `Bearer realm="a2a", error="invalid_token"`
	wantsBadToken = "401 with WWW-Authenticate: " + badToken
	wantsAgent    = `401 without error="invalid_token"`
)

var _ = add(
	passes("as it stands", judge.BeInvalidDelegation(), challenge(badToken)),
	passes("otherwise written", judge.BeInvalidDelegation(), challenge(`bearer ERROR=invalid_token , error_description="no, \"never\"", Realm = a2a`)),
	passes("among others", judge.BeInvalidDelegation(), challenge(`Basic realm="a2a", Bearer realm="a2a", Bearer realm="a2a", error="invalid_token"`), challenge(`Bearer realm="a2a"`, badToken)),
	fails("no error", judge.BeInvalidDelegation(), wantsBadToken, `401 with WWW-Authenticate: Bearer realm="a2a" (x1)`, challenge(`Bearer realm="a2a"`)),
	fails("no realm", judge.BeInvalidDelegation(), wantsBadToken, `401 with WWW-Authenticate: Bearer error="invalid_token" (x1)`, challenge(`Bearer error="invalid_token"`)),
	fails("apart", judge.BeInvalidDelegation(), wantsBadToken, `401 with WWW-Authenticate: Bearer realm="a2a", Bearer error="invalid_token" (x1)`, challenge(`Bearer realm="a2a"`, `Bearer error="invalid_token"`)),
	fails("another error", judge.BeInvalidDelegation(), wantsBadToken, `401 with WWW-Authenticate: Bearer realm="a2a", error="invalid_request" (x1)`, challenge(`Bearer realm="a2a", error="invalid_request"`)),
	fails("another scheme", judge.BeInvalidDelegation(), wantsBadToken, `401 with WWW-Authenticate: DPoP realm="a2a", error="invalid_token" (x1)`, challenge(`DPoP realm="a2a", error="invalid_token"`)),
	fails("no challenge", judge.BeInvalidDelegation(), wantsBadToken, "401 with no WWW-Authenticate (x2)", challenge(badToken), x(401, "", "", id("x2"))),
	fails("another status", judge.BeInvalidDelegation(), wantsBadToken, "403 Forbidden (x1)", x(403, "", "", header("WWW-Authenticate", badToken))),
	fails("served", judge.BeInvalidDelegation(), wantsBadToken, "200 OK (application/a2a+json) (x1)", reply("r", "c", "Hi")),

	passes("the 401", judge.BeInvalidDelegationOr(judge.InvalidParams), challenge(badToken)),
	passes("the error", judge.BeInvalidDelegationOr(judge.TaskNotFound, judge.InvalidParams), x(400, a2a, invalidParams)),
	fails("another 401", judge.BeInvalidDelegationOr(judge.InvalidParams), wantsBadToken+", or the A2A error INVALID_PARAMS (400)", `401 with WWW-Authenticate: Bearer realm="a2a" (x1)`, challenge(`Bearer realm="a2a"`)),
	fails("another error", judge.BeInvalidDelegationOr(judge.InvalidParams), wantsBadToken+", or the A2A error INVALID_PARAMS (400)", `404 Not Found, reason "TASK_NOT_FOUND" (x2)`, challenge(badToken), x(404, a2a, notFound, id("x2"))),
	fails("the error under another status", judge.BeInvalidDelegationOr(judge.InvalidParams), wantsBadToken+", or the A2A error INVALID_PARAMS (400)", `403 Forbidden, reason "INVALID_PARAMS" (x1)`, x(403, a2a, invalidParams)),

	passes("the challenge of a plain failure", judge.BeUnauthorizedAgent(), challenge(`Bearer realm="a2a"`), challenge(`Bearer realm="a2a", error="invalid_request"`)),
	passes("a challenge that others judge", judge.BeUnauthorizedAgent(), x(401, "", ""), challenge("Basic")),
	fails("the delegation token blamed", judge.BeUnauthorizedAgent(), wantsAgent, "401 with WWW-Authenticate: "+badToken+" (x1)", challenge(badToken)),
	fails("blamed in a second challenge", judge.BeUnauthorizedAgent(), wantsAgent, `401 with WWW-Authenticate: Bearer realm="a2a", Bearer error=invalid_token (x1)`, challenge(`Bearer realm="a2a"`, "Bearer error=invalid_token")),
	fails("served", judge.BeUnauthorizedAgent(), wantsAgent, "200 OK (application/a2a+json) (x1)", reply("r", "c", "Hi")),
)

func TestWhichUnauthorizedItIs(t *testing.T) {
	g := NewWithT(t)
	for _, bad := range []*result.Exchange{x(200, "", "", header("WWW-Authenticate", badToken)), {Error: "cut"}} {
		g.Expect(judge.IsUnauthorized(bad)).To(BeFalse())
		g.Expect(judge.IsInvalidDelegation(bad)).To(BeFalse())
	}
	g.Expect(judge.IsUnauthorized(challenge("Basic"))).To(BeTrue())
	g.Expect(judge.IsInvalidDelegation(challenge(`Bearer realm="a2a"`))).To(BeFalse())
	g.Expect(judge.IsUnauthorized(challenge(badToken))).To(BeTrue())
	g.Expect(judge.IsInvalidDelegation(challenge(badToken))).To(BeTrue())
}
