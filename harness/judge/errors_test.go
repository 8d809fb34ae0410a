package judge_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

const errorInfo = `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"INVALID_PARAMS","domain":"a2a-protocol.org"}`

// errorWith is a 400 whose error has these members.
func errorWith(members string) *result.Exchange {
	return x(400, a2a, `{"error":{`+members+`}}`)
}

func details(of string) *result.Exchange { return errorWith(`"details":` + of) }

var _ = add(
	passes("nothing", judge.HaveNoA2ABody(), x(401, "", "")),
	passes("nothing, under A2A's media type", judge.HaveNoA2ABody(), x(404, a2a, "")),
	passes("a page", judge.HaveNoA2ABody(), x(404, html, "<h1>Not found</h1>")),
	passes("small JSON", judge.HaveNoA2ABody(), x(404, plain, `{"error":"Not Found","statusCode":404}`)),
	passes("an error without A2A details", judge.HaveNoA2ABody(), x(401, plain, `{"error":{"code":401,"message":"Unauthorized","status":"UNAUTHENTICATED"}}`)),
	passes("details of another kind", judge.HaveNoA2ABody(), x(401, plain, `{"error":{"details":[{"reason":"token expired"},{"@type":"type.googleapis.com/google.rpc.Help"},"odd"]}}`)),
	passes("details of a gateway's domain", judge.HaveNoA2ABody(), x(401, plain,
		`{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"CREDENTIALS_MISSING","domain":"googleapis.com"}]}}`)),
	passes("a 429 with a text", judge.HaveNoA2ABody(), x(429, "text/plain", "slow down")),
	fails("A2A's media type", judge.HaveNoA2ABody(), "no A2A body", "404 with a body of type application/a2a+json (x1)", x(404, "Application/A2A+json; charset=utf-8", `{}`)),
	fails("A2A's domain", judge.HaveNoA2ABody(), "no A2A body", "401 with an error that has A2A details (x1)", x(401, plain, `{"error":{"details":[{"x":1},{"domain":"a2a-protocol.org"}]}}`)),
	fails("an ErrorInfo", judge.HaveNoA2ABody(), "no A2A body", "401 with an error that has A2A details (x1)", x(401, plain, `{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo"}]}}`)),
	fails("one of A2A's reasons", judge.HaveNoA2ABody(), "no A2A body", "404 with an error that has A2A details (x2)", x(404, "", ""), x(404, plain, `{"error":{"details":[{"reason":"TASK_NOT_FOUND"}]}}`, id("x2"))),

	passes("as it is written", judge.HaveA2AMediaType(), x(200, a2a, "{}")),
	passes("in another letter case, with a parameter", judge.HaveA2AMediaType(), x(400, "Application/A2A+JSON ; charset=utf-8", "{}")),
	fails("JSON", judge.HaveA2AMediaType(), "the media type application/a2a+json", `"application/json" on a 400 of message:send (x2)`, x(200, a2a, ""), x(400, plain, "{}", id("x2"), on("message:send"))),
	fails("none", judge.HaveA2AMediaType(), "the media type application/a2a+json", `"" on a 200 of tasks (x1)`, x(200, "", "{}")),
	fails("a name that only begins so", judge.HaveA2AMediaType(), "the media type application/a2a+json", `"application/a2a+json-seq" on a 200 of tasks (x1)`, x(200, "application/a2a+json-seq", "{}")),
)

const wantsChallenge = `WWW-Authenticate: Bearer realm="a2a"`

func challenge(values ...string) *result.Exchange {
	return x(401, "", "", header("WWW-Authenticate", values...))
}

var _ = add(
	passes("as it is written", judge.HaveChallenge(), challenge(`Bearer realm="a2a"`)),
	passes("the scheme and the name in another letter case", judge.HaveChallenge(), challenge(`bEARER Realm="a2a"`)),
	passes("a realm without quotes", judge.HaveChallenge(), challenge(`Bearer realm=a2a`)),
	passes("white space around the sign", judge.HaveChallenge(), challenge(`Bearer  realm = "a2a"`)),
	passes("an escaped character", judge.HaveChallenge(), challenge(`Bearer realm="a\2a"`)),
	passes("after another scheme in the same line", judge.HaveChallenge(), challenge(`Basic realm="x, Bearer y", Bearer realm="a2a"`)),
	passes("before another scheme in the same line", judge.HaveChallenge(), challenge(`Bearer realm="a2a", Basic realm="x", charset="UTF-8"`)),
	passes("beside a scheme alone and one with a token", judge.HaveChallenge(), challenge(`Negotiate, Digest abc==, Bearer realm="a2a"`)),
	passes("in a line of its own", judge.HaveChallenge(), challenge(`Basic realm="x"`, `Bearer realm="a2a"`)),
	passes("of two Bearer challenges", judge.HaveChallenge(), challenge(`Bearer realm="other", error="x"`, `Bearer realm="a2a"`)),
	passes("empty list elements", judge.HaveChallenge(), challenge(`, Bearer realm="a2a",`)),
	warns("another parameter", judge.HaveChallenge(), wantsChallenge+" and no other parameter", `WWW-Authenticate: Bearer realm="a2a", error="invalid_token" (x1)`, challenge(`Bearer realm="a2a", error="invalid_token"`), challenge(`Bearer realm="a2a"`)),
	warns("another parameter, with white space", judge.HaveChallenge(), wantsChallenge+" and no other parameter", `WWW-Authenticate: Bearer error = "a, b" , realm = "a2a" (x1)`, challenge(`Bearer error = "a, b" , realm = "a2a"`)),
	fails("none", judge.HaveChallenge(), wantsChallenge, "no WWW-Authenticate (x1)", x(401, "", "")),
	fails("no realm", judge.HaveChallenge(), wantsChallenge, "WWW-Authenticate: Bearer (x1)", challenge("Bearer")),
	fails("another realm", judge.HaveChallenge(), wantsChallenge, `WWW-Authenticate: Bearer realm="A2A" (x1)`, challenge(`Bearer realm="A2A"`)),
	fails("the realm of another scheme", judge.HaveChallenge(), wantsChallenge, `WWW-Authenticate: Bearer, Basic realm="a2a" (x1)`, challenge(`Bearer, Basic realm="a2a"`)),
	fails("a challenge in a quoted string", judge.HaveChallenge(), wantsChallenge, `WWW-Authenticate: Basic realm="x, Bearer realm=a2a" (x1)`, challenge(`Basic realm="x, Bearer realm=a2a"`)),
	fails("another scheme in another line", judge.HaveChallenge(), wantsChallenge, `WWW-Authenticate: Bearer, Basic realm="a2a" (x2)`, challenge(`Bearer realm="a2a"`), named("x2", challenge(`Bearer`, `Basic realm="a2a"`))),
	fails("a warning hides no failure", judge.HaveChallenge(), wantsChallenge, "no WWW-Authenticate (x2)", challenge(`Bearer realm="a2a", a=b`), x(401, "", "", id("x2"))),

	passes("the same", judge.BeAlike(), credited("expired", `Bearer realm="a2a"`), credited("no sub", `Bearer realm="a2a"`)),
	passes("ids and times", judge.BeAlike(),
		x(401, plain, `{"trace":"4bf92f3577b34da6a3ce929d0e0e4736","at":"2026-11-30T12:00:00Z","id":"f0c12e6b-231e-4d92-a610-2518a0f27d20","n":17}`),
		x(401, plain, `{"trace":"00000000000000000000000000000001","at":"2026-11-30T12:00:01.5+01:00","id":"a0c12e6b-231e-4d92-a610-2518a0f27d21","n":9}`)),
	passes("headers of one answer", judge.BeAlike(),
		x(401, "", "", header("Date", "Mon, 30 Nov 2026 12:00:00 GMT"), header("Set-Cookie", "a=b"), header("Content-Length", "0")),
		x(401, "", "", header("Date", "Tue, 01 Dec 2026 12:00:00 GMT"))),
	passes("a header that differs for one credential too", judge.BeAlike(), requested("expired", "kqx"), requested("expired", "zzt"), requested("no sub", "wvu")),
	fails("another text", judge.BeAlike(), likeHeaders, "x1 for : expired; x2 for : bad signature", x(401, "", "expired"), x(401, "", "bad signature", id("x2"))),
	fails("another challenge", judge.BeAlike(), likeHeaders, `x1 for expired: Www-Authenticate: Bearer realm="a#a" |; x2 for no sub: Www-Authenticate: Bearer realm="a#a", error="invalid_token" |`,
		credited("expired", `Bearer realm="a2a"`), named("x2", credited("no sub", `Bearer realm="a2a", error="invalid_token"`))),
	fails("another header", judge.BeAlike(), likeHeaders, `x1 for expired: X-Reason: expired |; x2 for no sub: X-Reason: sub |`, reasoned("expired", "expired"), reasoned("expired", "expired"), named("x2", reasoned("no sub", "sub"))),
)

const likeHeaders = "the same body and headers for every failure"

// credited is a refusal of that credential.
func credited(credential, value string) *result.Exchange {
	return x(401, "", "", header("WWW-Authenticate", value), tagged(func(t *result.Tags) { t.Credential = credential }))
}

func requested(credential, id string) *result.Exchange {
	return x(401, "", "", header("X-Request", id), tagged(func(t *result.Tags) { t.Credential = credential }))
}

func reasoned(credential, reason string) *result.Exchange {
	return x(401, "", "", header("X-Reason", reason), tagged(func(t *result.Tags) { t.Credential = credential }))
}

var _ = add(
	passes("the reason under its status", judge.BeA2AError(judge.InvalidParams), x(400, a2a, invalidParams)),
	passes("one of two", judge.BeA2AError(judge.UnsupportedOperation, judge.TaskNotFound), x(404, a2a, notFound), x(400, a2a, unsupported)),
	passes("in plain JSON, which is judged apart", judge.BeA2AError(judge.InvalidParams), x(400, plain, invalidParams)),
	passes("in the second detail, which is judged apart", judge.BeA2AError(judge.InvalidParams), details(`[{"@type":"x"},`+errorInfo+`]`)),
	warns("a tolerated reason", judge.BeA2AErrorOrWarn([]string{judge.TaskNotFound}, []string{judge.InvalidParams}), "the A2A error TASK_NOT_FOUND (404)",
		`400 Bad Request, reason "INVALID_PARAMS"`, x(400, a2a, invalidParams), x(404, a2a, notFound)),
	fails("another reason", judge.BeA2AError(judge.UnsupportedOperation, judge.TaskNotFound), "the A2A error UNSUPPORTED_OPERATION (400) or TASK_NOT_FOUND (404)",
		`400 Bad Request, reason "INVALID_PARAMS"`, x(400, a2a, invalidParams)),
	fails("under another status", judge.BeA2AError(judge.TaskNotFound), "the A2A error TASK_NOT_FOUND (404)", `400 Bad Request, reason "TASK_NOT_FOUND"`, x(400, a2a, notFound)),
	fails("in a 200", judge.BeA2AError(judge.InvalidParams), "the A2A error INVALID_PARAMS (400)", "200 OK (application/a2a+json)", x(200, a2a, invalidParams)),
	fails("no reason", judge.BeA2AError(judge.InvalidParams), "the A2A error INVALID_PARAMS (400)", `400 Bad Request, reason ""`, errorWith(`"code":400`)),
	fails("a page", judge.BeA2AError(judge.InvalidParams), "the A2A error INVALID_PARAMS (400)", "400 Bad Request (text/html)", x(400, html, "<h1>")),
	fails("a refusal", judge.BeA2AError(judge.InvalidParams), "the A2A error INVALID_PARAMS (400)", "401 Unauthorized", x(401, "", "")),
	fails("a warning hides no failure", judge.BeA2AErrorOrWarn([]string{judge.TaskNotFound}, []string{judge.InvalidParams}), "the A2A error TASK_NOT_FOUND (404)",
		"500 Internal Server Error", x(400, a2a, invalidParams), x(500, "", "")),

	passes("the status", judge.HaveErrorCode(), x(400, a2a, invalidParams), x(404, a2a, notFound)),
	passes("the status, written with a fraction", judge.HaveErrorCode(), errorWith(`"code":400.0`)),
	fails("another number", judge.HaveErrorCode(), "error.code repeats the HTTP status, as a number", "error.code 404 under HTTP status 400 (x1)", errorWith(`"code":404`)),
	fails("a fraction more", judge.HaveErrorCode(), "error.code repeats the HTTP status, as a number", "error.code 400.5 under HTTP status 400 (x1)", errorWith(`"code":400.5`)),
	fails("a text", judge.HaveErrorCode(), "error.code repeats the HTTP status, as a number", `error.code "400" under HTTP status 400 (x1)`, errorWith(`"code":"400"`)),
	fails("none", judge.HaveErrorCode(), "error.code repeats the HTTP status, as a number", "error.code missing under HTTP status 400 (x1)", errorWith(``)),
	fails("a body that is none", judge.HaveErrorCode(), "error.code repeats the HTTP status, as a number", "error.code missing under HTTP status 400 (x1)", x(400, a2a, "no")),

	passes("as listed", judge.HaveErrorStatus(), x(400, a2a, invalidParams), x(400, a2a, unsupported), x(404, a2a, notFound), x(500, a2a, internal)),
	passes("of a reason that nobody lists", judge.HaveErrorStatus(), x(403, a2a, failure(403, "PERMISSION_DENIED", "VENDOR_REASON"))),
	fails("another", judge.HaveErrorStatus(), "error.status is the one listed for the reason", `error.status "FAILED_PRECONDITION" for INVALID_PARAMS, where INVALID_ARGUMENT is listed (x1)`,
		x(400, a2a, failure(400, "FAILED_PRECONDITION", judge.InvalidParams))),
	fails("none", judge.HaveErrorStatus(), "error.status is the one listed for the reason", `error.status missing for INVALID_PARAMS, where INVALID_ARGUMENT is listed (x1)`, details(`[`+errorInfo+`]`)),
	fails("none, of no reason", judge.HaveErrorStatus(), "error.status is the one listed for the reason", `error.status missing (x1)`, errorWith(`"code":400`)),

	passes("as listed", judge.HaveErrorHTTPStatus(), x(400, a2a, invalidParams), x(404, a2a, notFound), x(500, a2a, internal)),
	passes("of a reason that nobody lists", judge.HaveErrorHTTPStatus(), x(403, a2a, failure(403, "PERMISSION_DENIED", "VENDOR_REASON")), errorWith(``)),
	fails("another", judge.HaveErrorHTTPStatus(), "the HTTP status is the one listed for the reason", "HTTP status 400 for TASK_NOT_FOUND, where 404 is listed (x1)", x(400, a2a, notFound)),
	fails("A2A's own", judge.HaveErrorHTTPStatus(), "the HTTP status is the one listed for the reason", "HTTP status 505 for VERSION_NOT_SUPPORTED, where 400 is listed (x1)",
		x(505, a2a, failure(505, "FAILED_PRECONDITION", judge.VersionNotSupported))),

	passes("first", judge.HaveErrorInfo(), x(400, a2a, invalidParams)),
	passes("with others behind", judge.HaveErrorInfo(), details(`[`+errorInfo+`,{"@type":"type.googleapis.com/google.rpc.BadRequest"},7]`)),
	fails("second", judge.HaveErrorInfo(), wantsInfo, `@type "type.googleapis.com/google.rpc.BadRequest" (x1)`, details(`[{"@type":"type.googleapis.com/google.rpc.BadRequest"},`+errorInfo+`]`)),
	fails("another type", judge.HaveErrorInfo(), wantsInfo, `@type "google.rpc.ErrorInfo" (x1)`, details(`[`+strings.Replace(errorInfo, "type.googleapis.com/", "", 1)+`]`)),
	fails("no reason", judge.HaveErrorInfo(), wantsInfo, `reason missing (x1)`, details(`[`+strings.Replace(errorInfo, `"reason":"INVALID_PARAMS",`, "", 1)+`]`)),
	fails("an empty reason", judge.HaveErrorInfo(), wantsInfo, `reason "" (x1)`, details(`[`+strings.Replace(errorInfo, `INVALID_PARAMS`, "", 1)+`]`)),
	fails("another domain", judge.HaveErrorInfo(), wantsInfo, `domain "a2a.example" (x1)`, details(`[`+strings.Replace(errorInfo, `a2a-protocol.org`, "a2a.example", 1)+`]`)),
	fails("no details", judge.HaveErrorInfo(), wantsInfo, `error.details missing (x1)`, errorWith(``)),
	fails("an object for the list", judge.HaveErrorInfo(), wantsInfo, `error.details {"reason":"x"} (x1)`, details(`{"reason":"x"}`)),
	fails("a text in the list", judge.HaveErrorInfo(), wantsInfo, `error.details[0] "INVALID_PARAMS" (x1)`, details(`["INVALID_PARAMS"]`)),

	passes("a text", judge.HaveErrorMessage(), x(400, a2a, invalidParams)),
	fails("blanks", judge.HaveErrorMessage(), "error.message is a non-empty text", `error.message " \t" (x1)`, errorWith(`"message":" \t"`)),
	fails("none", judge.HaveErrorMessage(), "error.message is a non-empty text", `error.message missing (x1)`, errorWith(``)),
	fails("an object", judge.HaveErrorMessage(), "error.message is a non-empty text", `error.message {} (x1)`, errorWith(`"message":{}`)),
)

const wantsInfo = "error.details[0] is a type.googleapis.com/google.rpc.ErrorInfo with a reason and the domain a2a-protocol.org"

var _ = add(
	passes("seconds", judge.HaveRetryAfter(), x(429, "", "", header("Retry-After", "120")), x(429, "", "", header("Retry-After", "0"))),
	passes("a date", judge.HaveRetryAfter(), x(429, "", "", header("Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT"))),
	passes("an old form of date", judge.HaveRetryAfter(), x(429, "", "", header("Retry-After", "Friday, 31-Dec-99 23:59:59 GMT")), x(429, "", "", header("Retry-After", "Fri Dec 31 23:59:59 1999"))),
	fails("none", judge.HaveRetryAfter(), "Retry-After with seconds or a date", `Retry-After "" (x1)`, x(429, "", "")),
	fails("a fraction", judge.HaveRetryAfter(), "Retry-After with seconds or a date", `Retry-After "1.5" (x1)`, x(429, "", "", header("Retry-After", "1.5"))),
	fails("a negative number", judge.HaveRetryAfter(), "Retry-After with seconds or a date", `Retry-After "-1" (x1)`, x(429, "", "", header("Retry-After", "-1"))),
	fails("another form of date", judge.HaveRetryAfter(), "Retry-After with seconds or a date", `Retry-After "2026-11-30T12:00:00Z" (x1)`, x(429, "", "", header("Retry-After", "2026-11-30T12:00:00Z"))),

	passes("INTERNAL", judge.BeInternalErrors(), x(500, a2a, internal, again)),
	warns("a page, once", judge.BeInternalErrors(), "the A2A error INTERNAL (500) for a failure of the Provider", "502 Bad Gateway (text/html) to tasks, once (x1)", x(502, html, "<h1>"), x(500, a2a, internal)),
	fails("a page, again", judge.BeInternalErrors(), "the A2A error INTERNAL (500) for a failure of the Provider", "502 Bad Gateway (text/html) to tasks, again when asked alone (x2)",
		x(502, html, "<h1>"), x(502, html, "<h1>", id("x2"), again)),
	fails("INTERNAL under 503, again", judge.BeInternalErrors(), "the A2A error INTERNAL (500) for a failure of the Provider", `503 Service Unavailable, reason "INTERNAL" to tasks, again when asked alone (x1)`,
		x(503, a2a, internal, again)),
	fails("another reason, again", judge.BeInternalErrors(), "the A2A error INTERNAL (500) for a failure of the Provider", `500 Internal Server Error, reason "INVALID_AGENT_RESPONSE" to tasks, again when asked alone (x1)`,
		x(500, a2a, failure(500, "INTERNAL", "INVALID_AGENT_RESPONSE"), again)),
)

func again(x *result.Exchange) { x.Tags.SecondLook = true }

func says(text string) *result.Exchange {
	return errorWith(fmt.Sprintf(`"message":%q`, text))
}

var _ = func() struct{} {
	j := judge.ShowNoInternals()
	for about, text := range map[string]string{
		"an everyday sentence":          "Please select a date from the list, then update your order and set a time.",
		"a URL with a path of a system": "See https://example.com/home/user and https://example.com/usr/local/bin.",
		"a path of a site":              "Open /home/orders or (/app/settings) to go on.",
		"a time of day":                 "We are open at 10:30 (UTC) and at noon: come.",
		"panic as a word":               "Do not panic: your order is safe.",
		"an exception as a word":        "Exception: no refunds after 30 days. There is one exception: gifts.",
		"and/or":                        "Send the order number and/or the e-mail address; 24/7, 1/2, n/a.",
		"a JSON path":                   "message.parts[0].text at $.message.parts(0) is blank",
		"the word from after select":    "You can select up to three items from /orders.",
		"a media type":                  "text/plain or application/json is expected at part 1",
		"the reference of an id":        "Unknown contextId f0c12e6b-231e-4d92-a610-2518a0f27d20",
	} {
		add(passes(about, j, says(text)))
	}
	for about, c := range map[string]struct{ text, found string }{
		"a Java frame":       {"boom\n\tat com.example.Handler.run(Handler.java:17)", "at com.example.Handler.run("},
		"a Node frame":       {"TypeError: x is undefined at Object.handle (/app/dist/server.js:10:3)", "at Object.handle (/app/dist/server.js:10:3"},
		"a Node module":      {"at async file:///srv/app/index.mjs:5:1", "at async file:///srv/app/index.mjs:5:1"},
		"a nameless frame":   {"    at file:///srv/app/index.mjs:5:1", "file:///s"},
		"a Python trace":     {"Traceback (most recent call last)", "Traceback (most recent call last)"},
		"a Go trace":         {"goroutine 17 [running]:", "goroutine 17 ["},
		"a Go panic":         {"panic: runtime error: index out of range", "panic:"},
		"a path of a system": {"open '/var/lib/pact/contexts.db': no such file", "'/var/lib/pact/contexts.db"},
		"a source file":      {"error in /home/ci/build/agent.py, line 3", "/home/ci/build/agent.py"},
		"a line of a file":   {"at /app/handler.vue:30", "/app/handler.vue:30"},
		"a Windows path":     {`cannot open C:\inetpub\wwwroot\app.config`, `C:\inetpub\wwwroot\app.config`},
		"SQL":                {"error near: SELECT id, text FROM messages WHERE 1", "SELECT id, text FROM"},
		"an SQL state":       {"SQLSTATE[42P01]: relation does not exist", "SQLSTATE"},
		"an Oracle code":     {"ORA-00942: table or view does not exist", "ORA-00942"},
		"a .NET exception":   {"NullReferenceException: Object reference not set", "NullReferenceException:"},
	} {
		add(fails(about, j, "no stack trace, file path or SQL", fmt.Sprintf("%q (x1)", c.found), says(c.text)))
	}
	add(
		passes("nothing", j, x(400, a2a, "")),
		fails("in a page", j, "no stack trace, file path or SQL", `"goroutine 1 [" (x1)`, x(500, html, "<pre>goroutine 1 [running]</pre>")),
		fails("in a detail, the first by name", j, "no stack trace, file path or SQL", `"SQLSTATE" (x1)`, errorWith(`"z":"goroutine 1 [x]","details":[{"metadata":{"a":"SQLSTATE"}}]`)),
	)
	return struct{}{}
}()

func TestIsA2AError(t *testing.T) {
	noRoute := tagged(func(t *result.Tags) { t.Expect = result.ExpectNoRoute })
	simple := `{"error":{"code":404,"message":"Not found"}}`
	for about, c := range map[string]struct {
		of   *result.Exchange
		want bool
	}{
		"an error":                       {x(400, a2a, invalidParams), true},
		"an error of a wrong form":       {x(400, plain, `{"error":{"message":"no"}}`), true},
		"a wrong body of the right type": {x(400, a2a, `no`), true},
		"a page":                         {x(400, html, `no`), false},
		"a 200":                          {x(200, a2a, invalidParams), false},
		"a 401":                          {x(401, a2a, invalidParams), false},
		"a 429":                          {x(429, a2a, invalidParams), false},
		"a body too long":                {x(413, plain, `{"error":{"message":"too large"}}`), false},
		"a header too long":              {x(431, plain, simple), false},
		"a route that is not matched":    {x(404, a2a, notFound, noRoute), false},
		"a task that does not exist":     {x(404, plain, notFound), true},
		"a gateway's 404":                {x(404, plain, simple), false},
		"a gateway's 502":                {x(502, plain, simple), false},
		"a 404 of A2A's type":            {x(404, a2a, simple), true},
		"INTERNAL":                       {x(500, plain, internal), true},
		"no answer":                      {&result.Exchange{Error: "cut"}, false},
		"a 403 with an error in JSON, odd as it is": {x(403, plain, simple), true},
	} {
		t.Run(about, func(t *testing.T) { NewWithT(t).Expect(judge.IsA2AError(c.of)).To(Equal(c.want)) })
	}
}
