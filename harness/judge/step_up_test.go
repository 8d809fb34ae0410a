package judge_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

const (
	fullStepUp = `{"task":{"id":"t-1","contextId":"c-1","status":{"state":"TASK_STATE_AUTH_REQUIRED","message":{"role":"ROLE_AGENT","parts":[{"text":"May I?"}]}},` +
		`"metadata":{"pact.missingScopes":["orders:cancel"],"pact.verificationUriComplete":"https://b.example/login?u=one"}}}`

	wantsTask      = "200 with a task that has an id, a contextId, the state TASK_STATE_AUTH_REQUIRED and a message"
	wantsMissing   = "pact.missingScopes with ids of the card that the token lacks, orders:cancel among them"
	wantsAny       = "pact.missingScopes with ids of the card that the token lacks"
	wantsNew       = "another absolute URL in pact.verificationUriComplete of each step-up"
	wantsStepUp    = "a step-up, since the token lacks orders:cancel"
	wantsAuthority = "200 with a task in the state TASK_STATE_AUTH_REQUIRED"
	wantsStored    = "the stored reply, 401 or an A2A error for a retry without the delegation token"
)

// asked is a step-up, changed by pairs of old and new texts.
func asked(changes ...string) *result.Exchange {
	return x(200, a2a, strings.NewReplacer(changes...).Replace(fullStepUp), on("message:send"))
}

// naming is a step-up with those missing scopes, in JSON.
func naming(scopes string) *result.Exchange { return asked(`["orders:cancel"]`, scopes) }

// linking is a step-up with that link.
func linking(link string) *result.Exchange {
	return asked(`"https://b.example/login?u=one"`, fmt.Sprintf("%q", link))
}

// using is a reply with a receipt of those members.
func using(members string) *result.Exchange {
	return message(`"messageId":"r","contextId":"c","parts":[{"text":"Hi"}],"metadata":{"pact.receipt":{` + members + `}}`)
}

// missing judges the missing scopes of a token with orders:read on a card with three.
func missing(wanted string) judge.Judge {
	return judge.NameMissingScopes([]string{read, cancel, "profile"}, []string{read}, wanted)
}

var _ = add(
	passes("all of it", judge.BeStepUp(), asked(), asked(`"task":`, `"message":null,"task":`)),
	warns("no message", judge.BeStepUp(), wantsTask, "status.message missing (x1)", x(200, a2a, stepUp)),
	warns("a text for a message", judge.BeStepUp(), wantsTask, `status.message "May I?" (x1)`, asked(`{"role":"ROLE_AGENT","parts":[{"text":"May I?"}]}`, `"May I?"`)),
	fails("members missing", judge.BeStepUp(), wantsTask, `id missing, contextId "" (x1)`, asked(`"id":"t-1",`, "", `"contextId":"c-1"`, `"contextId":""`)),
	fails("members of another kind", judge.BeStepUp(), wantsTask, `id 7, status.state missing (x1)`, x(200, a2a, `{"task":{"id":7,"contextId":"c-1","status":[]}}`)),
	fails("another state", judge.BeStepUp(), wantsTask, `status.state "TASK_STATE_INPUT_REQUIRED" (x2)`, asked(), named("x2", asked("AUTH_REQUIRED", "INPUT_REQUIRED"))),
	fails("a failure behind a warning", judge.BeStepUp(), wantsTask, `200 OK (application/a2a+json) {"task":null} (x2)`, x(200, a2a, stepUp), x(200, a2a, `{"task":null}`, id("x2"))),
	fails("a message, too", judge.BeStepUp(), wantsTask, "a message beside the task (x1)", asked(`"task":`, `"message":{},"task":`)),
	fails("a message", judge.BeStepUp(), wantsTask, `200 OK (application/a2a+json) {"message":{}} (x1)`, message("")),
	fails("another status", judge.BeStepUp(), wantsTask, `403 Forbidden (application/a2a+json) {"task":{}} (x1)`, x(403, a2a, `{"task":{}}`)),

	passes("the wanted one", missing(cancel), asked(), naming(`["profile","orders:cancel"]`)),
	passes("any, where none is wanted", missing(""), naming(`["profile"]`)),
	fails("not the wanted one", missing(cancel), wantsMissing, `pact.missingScopes ["profile"] (x2)`, asked(), named("x2", naming(`["profile"]`))),
	fails("one that the token has", missing(cancel), wantsMissing, `"orders:read", which the token has (x1)`, naming(`["orders:cancel","orders:read"]`)),
	fails("none of the card", missing(""), wantsAny, `"agent.tool.use", which is not on the card (x1)`, naming(`["agent.tool.use"]`)),
	fails("a text", missing(""), wantsAny, `pact.missingScopes "orders:cancel" (x1)`, naming(`"orders:cancel"`)),
	fails("a number among them", missing(""), wantsAny, `pact.missingScopes ["orders:cancel",7] (x1)`, naming(`["orders:cancel",7]`)),
	fails("an empty list", missing(""), wantsAny, `pact.missingScopes [] (x1)`, naming(`[]`)),
	fails("none", missing(""), wantsAny, `pact.missingScopes missing (x1)`, x(200, a2a, `{"task":{"metadata":[]}}`)),
	fails("a reply", missing(""), wantsAny, "200 OK (application/a2a+json) without a task (x1)", reply("r", "c", "Hi")),
)

var _ = add(
	passes("two of their own, among others", judge.HaveANewLink(), asked(), device(), linking("https://b.example/login?u=two"), device("user_code-2", "user_code-4")),
	passes("http on a loopback address", judge.HaveANewLink(), linking("http://localhost:8080/login?u=one")),
	passes("a retry that gets the same step-up", judge.HaveANewLink(), ask("m-1", "c-1", asked()), ask("m-1", "c-1", named("x2", asked()))),
	passes("device authorizations that others judge", judge.HaveANewLink(), device(), named("x2", device()), asked()),
	fails("one for two", judge.HaveANewLink(), wantsNew, `"https://b.example/login?u=one" (x1), the pact.verificationUriComplete of x2`, ask("m-1", "c-1", asked()), ask("m-2", "c-1", named("x2", asked()))),
	fails("one for two tasks of one id", judge.HaveANewLink(), wantsNew, `"https://b.example/login?u=one" (x1), the pact.verificationUriComplete of x2`, asked(), named("x2", asked())),
	fails("another task of the same turn", judge.HaveANewLink(), wantsNew, `"https://b.example/login?u=one" (x1), the pact.verificationUriComplete of x2`, ask("m-1", "c-1", asked()), ask("m-1", "c-1", named("x2", asked("t-1", "t-2")))),
	fails("an earlier one", judge.HaveANewLink(), wantsNew, `"https://b.example/login?u=[user_code-2:8]" (x1), the verification_uri_complete of x2`, linking("https://b.example/login?u=[user_code-2:8]"), named("x2", device())),
	fails("the login without a code", judge.HaveANewLink(), wantsNew, `"https://b.example/login" (x2), the verification_uri of x1`, device(), named("x2", linking("https://b.example/login"))),
	fails("a path", judge.HaveANewLink(), wantsNew, `pact.verificationUriComplete "/login?u=one" (x1)`, linking("/login?u=one")),
	fails("http", judge.HaveANewLink(), wantsNew, `pact.verificationUriComplete "http://b.example/login" (x1)`, linking("http://b.example/login")),
	fails("none", judge.HaveANewLink(), wantsNew, `pact.verificationUriComplete missing (x1)`, x(200, a2a, stepUp)),
	fails("no step-up", judge.HaveANewLink(), wantsNew, "no step-up", device()),
	fails("a reply", judge.HaveANewLink(), wantsNew, "200 OK (application/a2a+json) without a task (x2)", asked(), named("x2", reply("r", "c", "Hi"))),

	passes("a task's and a message's", judge.StayInContext("c-1"), asked(), reply("r", "c-1", "Hi")),
	passes("any", judge.StayInContext(""), asked()),
	fails("another", judge.StayInContext("c-1"), `200 with the contextId "c-1"`, `200 OK (application/a2a+json), contextId "d" (x1)`, asked("c-1", "d")),
	fails("none", judge.StayInContext(""), "200 with a contextId", `200 OK (application/a2a+json), contextId "" (x1)`, asked(`"c-1"`, "7")),
	fails("an error", judge.StayInContext("c-1"), `200 with the contextId "c-1"`, `400 Bad Request, reason "INVALID_PARAMS", contextId "" (x1)`, x(400, a2a, invalidParams)),
)

var _ = add(
	passes("a step-up, whatever else is missing", judge.AskForAuthority(), asked(), x(200, plain, `{"task":{"status":{"state":"TASK_STATE_AUTH_REQUIRED"}}}`)),
	fails("another state", judge.AskForAuthority(), wantsAuthority, `200 OK (application/a2a+json) {"task":{"status":{"state":"TASK_STATE_COMPLETED"}}} (x2)`, asked(), x(200, a2a, `{"task":{"status":{"state":"TASK_STATE_COMPLETED"}}}`, id("x2"))),
	fails("a status that is a text", judge.AskForAuthority(), wantsAuthority, `200 OK (application/a2a+json) {"task":{"status":"TASK_STATE_AUTH_REQUIRED"}} (x1)`, x(200, a2a, `{"task":{"status":"TASK_STATE_AUTH_REQUIRED"}}`)),
	fails("a reply", judge.AskForAuthority(), wantsAuthority, `200 OK (application/a2a+json) {"message":{}} (x1)`, message("")),
	fails("a step-up under another status", judge.AskForAuthority(), wantsAuthority, `401 Unauthorized (application/a2a+json) {"task":{"status":{"state":"TASK_STATE_AUTH_REQUIRED"}}} (x1)`, x(401, a2a, `{"task":{"status":{"state":"TASK_STATE_AUTH_REQUIRED"}}}`)),

	passes("a step-up", judge.StepUpOrSpare(cancel), asked(), x(200, a2a, stepUp)),
	passes("a step-up that names nothing, which others judge", judge.StepUpOrSpare(cancel), x(200, a2a, `{"task":{"status":{"state":"TASK_STATE_AUTH_REQUIRED"}}}`)),
	passes("a step-up whose own receipt others judge", judge.StepUpOrSpare(cancel), asked(`"metadata":{`, `"metadata":{"pact.receipt":{"claims":{"scopesUsed":["orders:cancel"]}},`)),
	fails("used", judge.StepUpOrSpare(cancel), wantsStepUp, "a receipt that uses orders:cancel (x2)", asked(), named("x2", using(`"claims":{"scopesUsed":["orders:read","orders:cancel"]}`))),
	fails("used, as the JWS says", judge.StepUpOrSpare(cancel), wantsStepUp, "a receipt that uses orders:cancel (x1)",
		using(fmt.Sprintf(`"jws":"e30.%s.[signature-masked]","claims":{"scopesUsed":[]}`, coded(`{"scopesUsed":["orders:cancel"]}`)))),
	fails("used beside a step-up", judge.StepUpOrSpare(cancel), wantsStepUp, "a receipt that uses orders:cancel (x1)", asked(`"task":`, `"message":{"metadata":{"pact.receipt":{"claims":{"scopesUsed":["orders:cancel"]}}}},"task":`)),
	fails("not used", judge.StepUpOrSpare(cancel), wantsStepUp, "a reply without orders:cancel, and no step-up (x1)", using(`"claims":{"scopesUsed":["orders:cancel:all"]}`)),
	fails("no receipt", judge.StepUpOrSpare(cancel), wantsStepUp, "a reply without orders:cancel, and no step-up (x1)", reply("r", "c", "Hi")),
	fails("an error", judge.StepUpOrSpare(cancel), wantsStepUp, `400 Bad Request, reason "UNSUPPORTED_OPERATION" (x1)`, x(400, a2a, unsupported)),
	fails("a step-up under another status", judge.StepUpOrSpare(cancel), wantsStepUp, "401 Unauthorized (application/a2a+json) (x1)", x(401, a2a, stepUp)),

	passes("the stored reply, with no receipt", judge.BeStoredReplyOrRefusal(), using(`"jws":"x"`), reply("r", "c", "Hi")),
	passes("401", judge.BeStoredReplyOrRefusal(), reply("r", "c", "Hi"), challenge(`Bearer realm="a2a"`)),
	passes("an error", judge.BeStoredReplyOrRefusal(), reply("r", "c", "Hi"), x(400, a2a, invalidParams)),
	fails("another reply", judge.BeStoredReplyOrRefusal(), wantsStored, `messageId "r", then "q" (x1, x2)`, reply("r", "c", "Hi"), named("x2", reply("q", "c", "Hi"))),
	fails("another text", judge.BeStoredReplyOrRefusal(), wantsStored, `parts [{"text":"Hi"}], then [{"text":"Ho"}] (x1, x2)`, reply("r", "c", "Hi"), named("x2", reply("r", "c", "Ho"))),
	fails("a step-up", judge.BeStoredReplyOrRefusal(), wantsStored, "a task (x2)", reply("r", "c", "Hi"), named("x2", asked())),
	fails("a server error", judge.BeStoredReplyOrRefusal(), wantsStored, `500 Internal Server Error, reason "INTERNAL" (x2)`, reply("r", "c", "Hi"), x(500, a2a, internal, id("x2"))),
	fails("no reply to begin with", judge.BeStoredReplyOrRefusal(), wantsStored, "200 OK (application/a2a+json) to begin with (x1)", asked(), reply("r", "c", "Hi")),
	fails("one exchange", judge.BeStoredReplyOrRefusal(), wantsStored, "1 exchanges", reply("r", "c", "Hi")),
)

func TestStillPending(t *testing.T) {
	g := NewWithT(t)
	pending, slow := oauthError(400, "authorization_pending"), oauthError(400, "slow_down")
	g.Expect(judge.StillPending().Find(pending, pending).Outcome).To(Equal(result.Passed))
	g.Expect(judge.StillPending().Find(pending, slow).Outcome).To(Equal(result.Warning))
	g.Expect(judge.StillPending().Find(slow, oauthError(400, "expired_token")).Outcome).To(Equal(result.Failed))
	g.Expect(judge.StillPending().Find(granted()).Outcome).To(Equal(result.Failed))
}
