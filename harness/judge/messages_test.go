package judge_test

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// ask is a message with those ids, and its answer.
func ask(messageID, contextID string, answer *result.Exchange) *result.Exchange {
	answer.Request.Body = fmt.Sprintf(`{"message":{"messageId":%q,"contextId":%q,"role":"ROLE_USER","parts":[{"text":"Hi"}]}}`, messageID, contextID)
	answer.Tags.Operation = "message:send"
	return answer
}

// says is a reply of the agent.
func reply(messageID, contextID, text string) *result.Exchange {
	return x(200, a2a, fmt.Sprintf(`{"message":{"messageId":%q,"contextId":%q,"role":"ROLE_AGENT","parts":[{"text":%q}]}}`, messageID, contextID, text), on("message:send"))
}

func message(members string) *result.Exchange {
	return x(200, a2a, `{"message":{`+members+`}}`, on("message:send"))
}

const (
	stepUp  = `{"task":{"id":"t-1","contextId":"c-1","status":{"state":"TASK_STATE_AUTH_REQUIRED"},"metadata":{"pact.missingScopes":["a"]}}}`
	ownID   = "a message with a messageId of its own and at least one part"
	stored  = "the stored reply: the same messageId, contextId and parts"
	aReply  = "a reply of its own for each"
	aStart  = "200 with a contextId of its own for each"
	aConvo  = "200 with the contextId of the request"
	exactly = "200 with exactly one of message and task"
	noTask  = "200 with a message, no task and no taskId"
)

var _ = add(
	passes("a message", judge.BeMessageOrTask(), message(``)),
	passes("a task", judge.BeMessageOrTask(), x(200, a2a, stepUp)),
	passes("a message and null", judge.BeMessageOrTask(), x(200, a2a, `{"message":{},"task":null}`)),
	fails("both", judge.BeMessageOrTask(), exactly, `200 OK (application/a2a+json) {"message":{},"task":{}} (x1)`, x(200, a2a, `{"message":{},"task":{}}`)),
	fails("neither", judge.BeMessageOrTask(), exactly, `200 OK (application/json) {"messageId":"r"} (x1)`, x(200, plain, `{"messageId":"r"}`)),
	fails("a message that is a list", judge.BeMessageOrTask(), exactly, `200 OK (application/a2a+json) {"message":[]} (x1)`, x(200, a2a, `{"message":[]}`)),
	fails("another status", judge.BeMessageOrTask(), exactly, `201 Created (application/a2a+json) {"message":{}} (x1)`, x(201, a2a, `{"message":{}}`)),

	passes("a message", judge.BeOrdinaryMessage(), reply("r", "c", "Hi")),
	passes("an empty taskId", judge.BeOrdinaryMessage(), message(`"taskId":""`)),
	fails("a task", judge.BeOrdinaryMessage(), noTask, "200 OK (application/a2a+json) "+stepUp+" (x1)", x(200, a2a, stepUp)),
	fails("a task beside", judge.BeOrdinaryMessage(), noTask, "a task beside the message (x1)", x(200, a2a, `{"message":{},"task":{}}`)),
	fails("a taskId", judge.BeOrdinaryMessage(), noTask, `taskId "t-1" in the message (x2)`, reply("r", "c", "Hi"), named("x2", message(`"taskId":"t-1"`))),

	passes("a message", judge.BeReply(), reply("r", "c", "Hi")),
	fails("a task", judge.BeReply(), "200 with a message", "200 OK (application/a2a+json) "+stepUp+" (x1)", x(200, a2a, stepUp)),
	fails("another status", judge.BeReply(), "200 with a message", `201 Created (application/a2a+json) {"message":{}} (x1)`, x(201, a2a, `{"message":{}}`)),

	passes("the agent", judge.ComeFromTheAgent(), reply("r", "c", "Hi")),
	fails("the user", judge.ComeFromTheAgent(), "a message with role ROLE_AGENT", `role "ROLE_USER" (x1)`, message(`"role":"ROLE_USER"`)),
	fails("an older name", judge.ComeFromTheAgent(), "a message with role ROLE_AGENT", `role "agent" (x1)`, message(`"role":"agent"`)),
	fails("nobody", judge.ComeFromTheAgent(), "a message with role ROLE_AGENT", `role missing (x1)`, x(200, a2a, stepUp)),

	passes("one", judge.HaveContextID(), reply("r", "c", "Hi")),
	fails("an empty one", judge.HaveContextID(), "a message with a non-empty contextId", `contextId "" (x1)`, reply("r", "", "Hi")),
	fails("a number", judge.HaveContextID(), "a message with a non-empty contextId", `contextId 7 (x1)`, message(`"contextId":7`)),
	fails("none", judge.HaveContextID(), "a message with a non-empty contextId", `contextId missing (x1)`, message(``)),

	passes("replies of their own", judge.BeMessages(), ask("m-1", "", reply("r-1", "c", "Hi")), ask("m-2", "c", reply("r-2", "c", "Ho"))),
	passes("a stored reply again, its receipt signed anew", judge.BeMessages(), ask("m-1", "c", reply("r-1", "c", "Hi")),
		ask("m-1", "c", message(`"messageId":"r-1","contextId":"c","parts":[{"text":"Hi"}],"metadata":{"pact.receipt":{}}`))),
	passes("the same id in two conversations", judge.BeMessages(), ask("m-1", "", reply("r-1", "c", "Hi")), ask("m-2", "", reply("r-1", "d", "Ho"))),
	passes("a request's id in another conversation", judge.BeMessages(), ask("m-1", "", reply("r-1", "c", "Hi")), ask("m-2", "", reply("m-1", "d", "Ho"))),
	warns("no text", judge.BeMessages(), ownID+" with text", `parts [{"data":{}}] (x1)`, message(`"messageId":"r","parts":[{"data":{}}]`)),
	warns("an empty text", judge.BeMessages(), ownID+" with text", `parts [{"text":" "}] (x1)`, message(`"messageId":"r","parts":[{"text":" "}]`)),
	fails("no messageId", judge.BeMessages(), ownID, `messageId missing (x1)`, message(`"parts":[{"text":"Hi"}]`)),
	fails("a number for it", judge.BeMessages(), ownID, `messageId 7 (x1)`, message(`"messageId":7,"parts":[{"text":"Hi"}]`)),
	fails("no parts", judge.BeMessages(), ownID, `parts [] (x1)`, message(`"messageId":"r","parts":[]`)),
	fails("the id of the request", judge.BeMessages(), ownID, `the messageId "m-1" of a request (x1)`, ask("m-1", "", reply("m-1", "c", "Hi"))),
	fails("the id of a later request", judge.BeMessages(), ownID, `the messageId "m-2" of a request (x1)`, ask("m-1", "", reply("m-2", "c", "Hi")), ask("m-2", "c", reply("r", "c", "Ho"))),
	fails("two replies of one id", judge.BeMessages(), ownID, `the messageId "r-1" for two different replies (x2)`, ask("m-1", "", reply("r-1", "c", "Hi")), named("x2", ask("m-2", "c", reply("r-1", "c", "Ho")))),
	fails("a warning hides no failure", judge.BeMessages(), ownID, `parts missing (x2)`, message(`"messageId":"r","parts":[{"text":""}]`), named("x2", message(`"messageId":"q"`))),
)

var _ = add(
	passes("the same", judge.ContinueContext(), ask("m", "c", reply("r", "c", "Hi"))),
	passes("the same, in a step-up", judge.ContinueContext(), ask("m", "c-1", x(200, a2a, stepUp))),
	fails("another", judge.ContinueContext(), aConvo, `200 OK (application/a2a+json), contextId "d" for "c" (x1)`, ask("m", "c", reply("r", "d", "Hi"))),
	fails("an error", judge.ContinueContext(), aConvo, `400 Bad Request, reason "INVALID_PARAMS", contextId "" for "c" (x1)`, ask("m", "c", x(400, a2a, invalidParams))),
	fails("none for none", judge.ContinueContext(), aConvo, `200 OK (application/a2a+json), contextId "" for "" (x1)`, ask("m", "", reply("r", "", "Hi"))),

	passes("two", judge.StartContexts(), reply("r", "c", "Hi"), reply("r", "d", "Hi")),
	fails("one for two", judge.StartContexts(), aStart, `200 OK (application/a2a+json), contextId "c" (x2, as in x1)`, reply("r", "c", "Hi"), named("x2", reply("q", "c", "Hi"))),
	fails("none", judge.StartContexts(), aStart, `200 OK (application/a2a+json), contextId "" (x1)`, reply("r", "", "Hi")),
	fails("an error", judge.StartContexts(), aStart, `400 Bad Request, reason "INVALID_PARAMS", contextId "" (x1)`, x(400, a2a, invalidParams)),

	passes("opaque", judge.HideInContext("user-1", "https://pa.example"), reply("r", "f0c12e6b-231e-4d92-a610-2518a0f27d20", "Hi")),
	fails("plain", judge.HideInContext("user-1"), "a contextId that does not carry sub or iss", `contextId "ctx:user-1:7" carries "user-1" (x1)`, reply("r", "ctx:user-1:7", "Hi")),
	fails("in base64url", judge.HideInContext("nobody", "https://pa.example"), "a contextId that does not carry sub or iss",
		fmt.Sprintf(`contextId %q carries "https://pa.example" (x1)`, "7."+coded("https://pa.example|user-1")), reply("r", "7."+coded("https://pa.example|user-1"), "Hi")),
	fails("none", judge.HideInContext("user-1"), "a contextId that does not carry sub or iss", "no contextId (x1)", message(``)),

	passes("the same", judge.BeSameReply(), reply("r", "c", "Hi"), reply("r", "c", "Hi")),
	passes("with a receipt signed anew", judge.BeSameReply(), reply("r", "c", "Hi"),
		message(`"messageId":"r","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"Hi"}],"metadata":{"pact.receipt":{"jws":"x"}}`)),
	fails("another reply", judge.BeSameReply(), stored, `messageId "r", then "q" (x1, x2)`, reply("r", "c", "Hi"), named("x2", reply("q", "c", "Hi"))),
	fails("another conversation", judge.BeSameReply(), stored, `contextId "c", then "d" (x1, x2)`, reply("r", "c", "Hi"), named("x2", reply("r", "d", "Hi"))),
	fails("another text", judge.BeSameReply(), stored, `parts [{"text":"Hi"}], then [{"text":"Ho"}] (x1, x2)`, reply("r", "c", "Hi"), named("x2", reply("r", "c", "Ho"))),
	fails("an error", judge.BeSameReply(), stored, `400 Bad Request, reason "INVALID_PARAMS" (x1, x2)`, reply("r", "c", "Hi"), x(400, a2a, invalidParams, id("x2"))),

	passes("two", judge.BeRepliesOfTheirOwn(), reply("r", "c", "Hi"), reply("q", "d", "Hi")),
	fails("one for two", judge.BeRepliesOfTheirOwn(), aReply, `200 OK (application/a2a+json), reply "r" (x2, as in x1)`, reply("r", "c", "Hi"), named("x2", reply("r", "d", "Hi"))),
	fails("an error", judge.BeRepliesOfTheirOwn(), aReply, `400 Bad Request, reason "INVALID_PARAMS", reply missing (x1)`, x(400, a2a, invalidParams)),

	passes("somewhere in the text", judge.MatchText(regexp.MustCompile("(?i)ada")), message(`"parts":[{"data":1},{"text":"Hello"},{"text":"You are ADA."}]`)),
	fails("nowhere", judge.MatchText(regexp.MustCompile("(?i)ada")), "a text that matches (?i)ada", `"Hello" (x1)`, reply("r", "c", "Hello")),
	fails("an error", judge.MatchText(regexp.MustCompile("ada")), "a text that matches ada", "404 Not Found (text/html) (x1)", x(404, html, "ada")),
	passes("nowhere, as it should", judge.NotMatchText(regexp.MustCompile("Ada")), reply("r", "c", "I do not know.")),
	fails("known to a stranger", judge.NotMatchText(regexp.MustCompile("Ada")), "a text that does not match Ada", `"Ada" (x1)`, reply("r", "c", "Ada")),
	fails("an error is no ignorance", judge.NotMatchText(regexp.MustCompile("Ada")), "a text that does not match Ada", `400 Bad Request, reason "INVALID_PARAMS" (x1)`, x(400, a2a, invalidParams)),
)

func coded(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

const (
	once      = "one reply; INVALID_PARAMS or the same reply for the other, and the same reply afterwards"
	sides     = "a reply of its own for each, or an A2A error for one"
	alikeSaid = "the same status, envelope and text"
)

// unknownContext is an error that names the context, as some do.
func unknownContext(requested, text string) *result.Exchange {
	body := strings.Replace(invalidParams, "No.", text, 1)
	return ask("m-1", requested, x(400, a2a, body))
}

var _ = add(
	passes("both get it", judge.BeAnsweredOnce(), reply("r", "c", "Hi"), reply("r", "c", "Hi"), reply("r", "c", "Hi")),
	passes("one is told to wait", judge.BeAnsweredOnce(), x(400, a2a, invalidParams), reply("r", "c", "Hi"), reply("r", "c", "Hi")),
	fails("two replies", judge.BeAnsweredOnce(), once, `messageId "r", then "q" (x1, x2)`, reply("r", "c", "Hi"), named("x2", reply("q", "c", "Hi")), reply("r", "c", "Hi")),
	fails("another error", judge.BeAnsweredOnce(), once, "500 Internal Server Error (x2)", reply("r", "c", "Hi"), x(500, "", "", id("x2")), reply("r", "c", "Hi")),
	fails("another reply afterwards", judge.BeAnsweredOnce(), once, `messageId "r", then "q" (x1, x3)`, reply("r", "c", "Hi"), x(400, a2a, invalidParams), named("x3", reply("q", "c", "Hi"))),
	fails("an error afterwards", judge.BeAnsweredOnce(), once, `400 Bad Request, reason "INVALID_PARAMS" to the repeat (x3)`, reply("r", "c", "Hi"), reply("r", "c", "Hi"), x(400, a2a, invalidParams, id("x3"))),
	fails("no reply", judge.BeAnsweredOnce(), once, "no reply at all", x(400, a2a, invalidParams), x(400, a2a, invalidParams)),

	passes("both", judge.BeServedSideBySide(), reply("r", "c", "Hi"), reply("q", "c", "Hi")),
	passes("one and an error", judge.BeServedSideBySide(), reply("r", "c", "Hi"), x(400, a2a, unsupported)),
	fails("one reply for both", judge.BeServedSideBySide(), sides, "the same reply for two messages (x1, x2)", reply("r", "c", "Hi"), named("x2", reply("r", "c", "Hi"))),
	fails("a server error", judge.BeServedSideBySide(), sides, `500 Internal Server Error, reason "INTERNAL" (x1)`, x(500, a2a, internal), reply("r", "c", "Hi")),
	fails("a plain conflict", judge.BeServedSideBySide(), sides, "409 Conflict (x1)", x(409, "", ""), reply("r", "c", "Hi")),
	fails("two errors", judge.BeServedSideBySide(), sides, "no reply at all", x(400, a2a, invalidParams), x(400, a2a, invalidParams)),

	passes("alike", judge.BeAnsweredAlike(), unknownContext("c-1", "Unknown contextId"), unknownContext("c-2", "Unknown contextId")),
	passes("but for the ids", judge.BeAnsweredAlike(), unknownContext("c-one", "No context c-one for m-1"), unknownContext("c-two", "No context c-two for m-1")),
	fails("another text", judge.BeAnsweredAlike(), alikeSaid,
		alikeText("Unknown contextId")+" (x1), and "+alikeText("Not your contextId")+" (x2)", unknownContext("c-1", "Unknown contextId"), named("x2", unknownContext("c-2", "Not your contextId"))),
	fails("another status", judge.BeAnsweredAlike(), alikeSaid,
		alikeText("No.")+" (x1), and # Not Found missing (x2)", unknownContext("c-1", "No."), x(404, "", "", id("x2"))),

	passes("a reply, 413 and an error", judge.BeAnswered(), reply("r", "c", "Hi"), x(413, html, "<h1>"), x(400, a2a, invalidParams)),
	fails("a server error", judge.BeAnswered(), "200, 413 or an A2A error", `500 Internal Server Error, reason "INTERNAL" (x1)`, x(500, a2a, internal)),
	fails("a plain refusal", judge.BeAnswered(), "200, 413 or an A2A error", `400 Bad Request (text/html) (x1)`, x(400, html, "<h1>")),
	fails("a cut connection", judge.BeAnswered(), "200, 413 or an A2A error", "the connection was cut (x1)", &result.Exchange{ID: "x1", Error: "the connection was cut"}),
)

// alikeText is how an INVALID_PARAMS with that text is compared, and shown in the first 160 characters.
func alikeText(text string) string {
	whole := fmt.Sprintf(`# Bad Request, reason "INVALID_PARAMS" code # status "INVALID_ARGUMENT" message %q details `, text) +
		`[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","domain":"a#a-protocol.org","reason":"INVALID_PARAMS"}]`
	return whole[:160] + "…"
}

const (
	wantsEmpty = `200 with tasks [], nextPageToken "" and totalSize 0`
	emptyList  = `{"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0}`
)

var _ = add(
	passes("empty", judge.BeEmptyTaskList(), x(200, a2a, emptyList)),
	fails("members missing", judge.BeEmptyTaskList(), wantsEmpty, "nextPageToken missing, totalSize missing (x1)", x(200, a2a, `{"tasks":[]}`)),
	fails("a task", judge.BeEmptyTaskList(), wantsEmpty, `tasks [{"id":"t"}], totalSize 1 (x1)`, x(200, a2a, `{"tasks":[{"id":"t"}],"nextPageToken":"","totalSize":1}`)),
	fails("null for the list", judge.BeEmptyTaskList(), wantsEmpty, "tasks missing (x1)", x(200, a2a, `{"tasks":null,"nextPageToken":"","totalSize":0}`)),
	fails("no object", judge.BeEmptyTaskList(), wantsEmpty, "a body that is no JSON object (x1)", x(200, a2a, `[]`)),
	fails("an error", judge.BeEmptyTaskList(), wantsEmpty, "501 Not Implemented (x1)", x(501, "", "")),

	passes("an empty list", judge.ListNoTasks(), x(200, a2a, `{"tasks":[]}`)),
	passes("no list", judge.ListNoTasks(), x(200, a2a, `{}`)),
	fails("a task", judge.ListNoTasks(), "200 without a task", `200 OK (application/a2a+json), tasks [{"id":"t"}] (x1)`, x(200, a2a, `{"tasks":[{"id":"t"}]}`)),
	fails("another type", judge.ListNoTasks(), "200 without a task", `200 OK (application/a2a+json), tasks {"t":{}} (x1)`, x(200, a2a, `{"tasks":{"t":{}}}`)),
	fails("a page", judge.ListNoTasks(), "200 without a task", "200 OK (text/html), tasks missing (x1)", x(200, html, "<h1>")),
	fails("an error", judge.ListNoTasks(), "200 without a task", "401 Unauthorized, tasks missing (x1)", x(401, "", "")),

	passes("as asked", judge.HavePageSize(50), x(200, a2a, emptyList)),
	fails("another", judge.HavePageSize(1), "200 with pageSize 1", "200 OK (application/a2a+json), pageSize 50 (x1)", x(200, a2a, emptyList)),
	fails("a text", judge.HavePageSize(50), "200 with pageSize 50", `200 OK (application/a2a+json), pageSize "50" (x1)`, x(200, a2a, `{"pageSize":"50"}`)),
	fails("none", judge.HavePageSize(50), "200 with pageSize 50", "200 OK (application/a2a+json), pageSize missing (x1)", x(200, a2a, `{"tasks":[]}`)),
)

func TestAPatternThatIsNoneIsTheHarnesssFault(t *testing.T) {
	g := NewWithT(t)
	j, err := judge.New("MatchText", judge.Args{"pattern": "("})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(j.Find(reply("r", "c", "Hi")).Outcome).To(Equal(result.Errored))
}

func TestIsReplyAndIsStepUp(t *testing.T) {
	g := NewWithT(t)
	g.Expect(judge.IsReply(reply("r", "c", "Hi"))).To(BeTrue())
	g.Expect(judge.IsReply(x(200, a2a, stepUp))).To(BeFalse())
	g.Expect(judge.IsReply(x(201, a2a, `{"message":{}}`))).To(BeFalse())
	g.Expect(judge.IsReply(&result.Exchange{Error: "cut"})).To(BeFalse())
	g.Expect(judge.IsStepUp(x(200, a2a, stepUp))).To(BeTrue())
	g.Expect(judge.IsStepUp(x(200, a2a, `{"task":{"status":{"state":"TASK_STATE_AUTH_REQUIRED"}}}`))).To(BeTrue(), "the state alone says so")
	g.Expect(judge.IsStepUp(x(200, a2a, `{"task":{"status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}`))).To(BeFalse())
	g.Expect(judge.IsStepUp(x(200, a2a, `{"task":[]}`))).To(BeFalse())
	g.Expect(judge.IsStepUp(reply("r", "c", "Hi"))).To(BeFalse())
}
