package judge_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

var _ = add(
	passes("any of the statuses", judge.HaveStatus(401, 404), x(401, "", ""), x(404, "", "")),
	passes("a 404 for no route", judge.BeNoRoute(), x(404, html, "<h1>Not found</h1>")),
	passes("a 405 for no route", judge.BeNoRoute(), x(405, "", "")),
	fails("another status", judge.HaveStatus(401, 404), "status 401 or 404", "403 Forbidden", x(401, "", ""), x(403, "", "")),
	fails("a 200 for a wrong token", judge.BeUnauthorized(), "status 401", "200 OK (application/a2a+json)", x(200, a2a, `{"tasks":[]}`)),
	fails("an A2A error in place of 401", judge.BeUnauthorized(), "status 401", `400 Bad Request, reason "INVALID_PARAMS"`, x(400, a2a, invalidParams)),
	fails("a status that nobody named", judge.BeOK(), "status 200", "299", x(299, "", "")),
	fails("an error without a reason", judge.BeOK(), "status 200", `400 Bad Request, reason ""`, x(400, plain, `{"error":{"message":"no"}}`)),

	passes("the status", judge.SoftStatus([]int{401}, []int{500}), x(401, "", "")),
	warns("a tolerated status", judge.SoftStatus([]int{401}, []int{500}), "status 401", "500 Internal Server Error", x(500, "", ""), x(401, "", "")),
	fails("another status", judge.SoftStatus([]int{401}, []int{500}), "status 401", "200 OK", x(500, "", ""), x(200, "", "")),

	passes("from 400", judge.BeRefusedAtAll(), x(400, "", "")),
	passes("to 499", judge.BeRefusedAtAll(), x(499, "", "")),
	fails("500", judge.BeRefusedAtAll(), "a 4xx status", "500 Internal Server Error", x(500, "", "")),
	fails("a redirect", judge.BeRefusedAtAll(), "a 4xx status", "302 Found", x(302, "", "")),
)

var _ = add(
	passes("a list", judge.BeAccepted(), x(200, a2a, `{"tasks":[]}`)),
	passes("a task that does not exist", judge.BeAccepted(), x(404, a2a, notFound, on("tasks/{id}"))),
	fails("no such route", judge.BeAccepted(), "the token accepted: 200, or TASK_NOT_FOUND for a task", "404 Not Found (text/html) to tasks", x(404, html, "<h1>")),
	fails("refused", judge.BeAccepted(), "the token accepted: 200, or TASK_NOT_FOUND for a task", "401 Unauthorized to tasks", x(200, "", ""), x(401, "", "")),
	fails("TASK_NOT_FOUND under another status", judge.BeAccepted(), "the token accepted: 200, or TASK_NOT_FOUND for a task", `400 Bad Request, reason "TASK_NOT_FOUND" to tasks`, x(400, a2a, notFound)),

	passes("a result", judge.BeLetThrough(), x(200, a2a, `{}`)),
	passes("an error of the operation", judge.BeLetThrough(), x(400, a2a, invalidParams), x(404, a2a, notFound)),
	fails("refused", judge.BeLetThrough(), "an answer of the operation to a caller that it knows", "401 Unauthorized to tasks", x(401, "", "")),
	fails("forbidden", judge.BeLetThrough(), "an answer of the operation to a caller that it knows", "403 Forbidden to tasks", x(403, "", "")),
	fails("a server error", judge.BeLetThrough(), "an answer of the operation to a caller that it knows", `500 Internal Server Error, reason "INTERNAL" to tasks`, x(500, a2a, internal)),
	fails("no such route", judge.BeLetThrough(), "an answer of the operation to a caller that it knows", "405 Method Not Allowed to tasks", x(405, "", "")),
	fails("no such route, in JSON", judge.BeLetThrough(), "an answer of the operation to a caller that it knows", `404 Not Found, reason "" to tasks`, x(404, plain, `{"error":{"code":404,"message":"no route"}}`)),

	passes("a result", judge.BeAcceptedOr(judge.VersionNotSupported), x(200, a2a, "{}")),
	passes("the error", judge.BeAcceptedOr(judge.VersionNotSupported), x(400, a2a, failure(400, "FAILED_PRECONDITION", judge.VersionNotSupported))),
	fails("another error", judge.BeAcceptedOr(judge.VersionNotSupported), "an answer of the operation, or the A2A error VERSION_NOT_SUPPORTED", `400 Bad Request, reason "INVALID_PARAMS"`, x(400, a2a, invalidParams)),
	fails("a server error", judge.BeAcceptedOr(judge.VersionNotSupported), "an answer of the operation, or the A2A error VERSION_NOT_SUPPORTED", "500 Internal Server Error", x(500, "", "")),

	passes("a result", judge.BeOKOr(judge.ExtendedAgentCardNotConfigured), x(200, a2a, "{}")),
	passes("the error", judge.BeOKOr(judge.ExtendedAgentCardNotConfigured), x(400, a2a, failure(400, "FAILED_PRECONDITION", judge.ExtendedAgentCardNotConfigured))),
	fails("a task that does not exist", judge.BeOKOr(judge.ExtendedAgentCardNotConfigured), "200, or the A2A error EXTENDED_AGENT_CARD_NOT_CONFIGURED", `404 Not Found, reason "TASK_NOT_FOUND"`, x(404, a2a, notFound)),
)

func TestWasAccepted(t *testing.T) {
	g := NewWithT(t)
	g.Expect(judge.WasAccepted(x(200, a2a, "{}"))).To(BeTrue())
	g.Expect(judge.WasAccepted(x(404, a2a, notFound))).To(BeTrue())
	g.Expect(judge.WasAccepted(x(401, "", ""))).To(BeFalse())
	g.Expect(judge.WasAccepted(&result.Exchange{Error: "cut"})).To(BeFalse())
}

func TestAnswered(t *testing.T) {
	g := NewWithT(t)
	g.Expect(judge.Answered(x(404, a2a, notFound))).To(Equal(`404 Not Found, reason "TASK_NOT_FOUND"`))
	g.Expect(judge.Answered(x(502, "Text/HTML; charset=utf-8", "<h1>"))).To(Equal("502 Bad Gateway (text/html)"))
	g.Expect(judge.Answered(x(401, html, ""))).To(Equal("401 Unauthorized"))
	g.Expect(judge.Answered(&result.Exchange{Error: "connection refused"})).To(Equal("connection refused"))
}

func sent(of string) *result.Exchange { return x(401, "", "", id(of)) }

func fetch(document, at string) *result.Exchange {
	fetched := x(200, "", "", on("fetch of "+document), tagged(func(t *result.Tags) { t.Inbound = true }))
	fetched.Request.URL = at
	return fetched
}

func hung(document string) *result.Exchange {
	fetched := fetch(document, "https://pa.example/hung")
	fetched.Response, fetched.Error = nil, "left without an answer, on purpose"
	return fetched
}

var _ = add(
	passes("none", judge.HaveFetchedAtMost("fetch of attacker", 0), sent("x1"), fetch("jwks", "https://pa.example/jwks")),
	passes("as many as allowed", judge.HaveFetchedAtMost("fetch of jwks", 2), sent("x1"), fetch("jwks", "a"), fetch("jwks", "b"), fetch("attacker", "c")),
	fails("one", judge.HaveFetchedAtMost("fetch of attacker", 0), "no fetch of attacker", "1 beside 2 requests, the last of https://pa.example/evil", sent("x1"), sent("x2"), fetch("attacker", "https://pa.example/evil")),
	fails("too many", judge.HaveFetchedAtMost("fetch of jwks", 1), "at most 1 × fetch of jwks", "2 beside 1 requests, the last of https://pa.example/hung", sent("x1"), fetch("jwks", "a"), hung("jwks")),
)
