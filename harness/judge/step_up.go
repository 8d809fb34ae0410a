package judge

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

const authRequired = "TASK_STATE_AUTH_REQUIRED"

// taskOf is the task of a message:send answer; nil when it has none.
func taskOf(x *result.Exchange) map[string]any {
	task, _ := object(x)["task"].(map[string]any)
	return task
}

// stepUpMetadata is a member of the metadata of the task.
func stepUpMetadata(x *result.Exchange, member string) any {
	metadata, _ := taskOf(x)["metadata"].(map[string]any)
	return metadata[member]
}

// BeStepUp passes a 200 with a task, and no message, that has an id, a contextId and the state
// TASK_STATE_AUTH_REQUIRED; a task that says nothing to the User is a warning (§5.5).
func BeStepUp() Judge { return beStepUp(none{}) }

var beStepUp = define("BeStepUp", func(_ none, xs []*result.Exchange) Finding {
	const expected = "200 with a task that has an id, a contextId, the state " + authRequired + " and a message"
	return each(expected, xs, func(x *result.Exchange) shortfall {
		task := taskOf(x)
		switch {
		case x.Response.Status != http.StatusOK || task == nil:
			return failing("%s %s", Answered(x), shorten(x.Response.Body))
		case object(x)["message"] != nil:
			return failing("a message beside the task")
		}
		var short []string
		for _, name := range []string{"id", "contextId"} {
			if id, _ := task[name].(string); id == "" {
				short = append(short, name+" "+show(task[name]))
			}
		}
		status, _ := task["status"].(map[string]any)
		if status["state"] != authRequired {
			short = append(short, "status.state "+show(status["state"]))
		}
		if _, said := status["message"].(map[string]any); !said && len(short) == 0 {
			return warning("status.message %s", show(status["message"]))
		}
		return failing("%s", strings.Join(short, ", "))
	})
})

// NameMissingScopes passes step-ups whose pact.missingScopes lists scopes of the card that the token
// does not hold, with the wanted one where it is not empty (§5.5).
func NameMissingScopes(card, held []string, wanted string) Judge {
	return nameMissingScopes(missingArgs{Card: card, Held: held, Wanted: wanted})
}

type missingArgs struct {
	Card   []string `json:"card"`
	Held   []string `json:"held"`
	Wanted string   `json:"wanted,omitempty"`
}

var nameMissingScopes = define("NameMissingScopes", func(a missingArgs, xs []*result.Exchange) Finding {
	expected := "pact.missingScopes with ids of the card that the token lacks"
	if a.Wanted != "" {
		expected += ", " + a.Wanted + " among them"
	}
	return each(expected, xs, func(x *result.Exchange) shortfall { return failing("%s", a.short(x)) })
})

// short says in what the missing scopes of an answer fall short.
func (a missingArgs) short(x *result.Exchange) string {
	if taskOf(x) == nil {
		return Answered(x) + " without a task"
	}
	value := stepUpMetadata(x, "pact.missingScopes")
	list, _ := value.([]any)
	if len(list) == 0 {
		return "pact.missingScopes " + show(value)
	}
	for _, element := range list {
		id, text := element.(string)
		switch {
		case !text:
			return "pact.missingScopes " + show(value)
		case !slices.Contains(a.Card, id):
			return fmt.Sprintf("%q, which is not on the card", id)
		case slices.Contains(a.Held, id):
			return fmt.Sprintf("%q, which the token has", id)
		}
	}
	if a.Wanted != "" && !slices.Contains(list, any(a.Wanted)) {
		return "pact.missingScopes " + show(value)
	}
	return ""
}

// HaveANewLink judges step-ups beside the device authorizations of the run, in any order: the link of
// each step-up is an absolute URL, and no other step-up or device authorization has the same, be it
// as verification_uri (§5.5). A step-up that a retry gets again is no other.
func HaveANewLink() Judge { return haveANewLink(none{}) }

// link is one that the personal agent was given, with the turn that it came from.
type link struct {
	url, member, turn, exchange string
}

const stepUpLink = "pact.verificationUriComplete"

var haveANewLink = define("HaveANewLink", func(_ none, xs []*result.Exchange) Finding {
	const expected = "another absolute URL in pact.verificationUriComplete of each step-up"
	var fresh, all []link
	for _, x := range xs {
		if taskOf(x) == nil && object(x)["verification_uri"] == nil && object(x)["verification_uri_complete"] == nil {
			return failed(expected, "%s without a task (%s)", Answered(x), x.ID)
		}
		if taskOf(x) != nil {
			value := stepUpMetadata(x, stepUpLink)
			if !absolute(value) {
				return failed(expected, "%s %s (%s)", stepUpLink, show(value), x.ID)
			}
			fresh = append(fresh, link{value.(string), stepUpLink, turnOf(x), x.ID})
			continue
		}
		for _, member := range []string{"verification_uri", "verification_uri_complete"} {
			if text, ok := object(x)[member].(string); ok {
				all = append(all, link{text, member, "", x.ID})
			}
		}
	}
	if len(fresh) == 0 {
		return failed(expected, "no step-up")
	}
	all = append(all, fresh...)
	for _, one := range fresh {
		for _, other := range all {
			if one.url == other.url && one.exchange != other.exchange && (one.turn == "" || one.turn != other.turn) {
				return failed(expected, "%q (%s), the %s of %s", shorten(one.url), one.exchange, other.member, other.exchange)
			}
		}
	}
	return passed(expected)
})

// turnOf is what a step-up shares with the answer to a retry: the ids of task and message; empty
// where one is not known.
func turnOf(x *result.Exchange) string {
	task, _ := taskOf(x)["id"].(string)
	message, _ := sent(x)["messageId"].(string)
	if task == "" || message == "" {
		return ""
	}
	return task + "\x00" + message
}

// StayInContext passes 200s in the conversation with that id, in any where it is empty (§5.5).
func StayInContext(contextID string) Judge {
	return stayInContext(contextArgs{ContextID: contextID})
}

type contextArgs struct {
	ContextID string `json:"contextId"`
}

var stayInContext = define("StayInContext", func(a contextArgs, xs []*result.Exchange) Finding {
	expected := fmt.Sprintf("200 with the contextId %q", a.ContextID)
	if a.ContextID == "" {
		expected = "200 with a contextId"
	}
	return each(expected, xs, func(x *result.Exchange) shortfall {
		id := contextOf(x)
		if x.Response.Status != http.StatusOK || id == "" || a.ContextID != "" && id != a.ContextID {
			return failing("%s, contextId %q", Answered(x), id)
		}
		return shortfall{}
	})
})

// AskForAuthority passes a 200 with a task in TASK_STATE_AUTH_REQUIRED, whatever else it lacks (§5.5).
func AskForAuthority() Judge { return askForAuthority(none{}) }

var askForAuthority = define("AskForAuthority", eachAnswer("200 with a task in the state "+authRequired, func(x *result.Exchange) string {
	if x.Response.Status != http.StatusOK || !IsStepUp(x) {
		return fmt.Sprintf("%s %s", Answered(x), shorten(x.Response.Body))
	}
	return ""
}))

// StepUpOrSpare passes step-ups: a turn that needs the scope, which the token lacks, is neither
// served with it nor answered without (§5.5).
func StepUpOrSpare(scope string) Judge { return stepUpOrSpare(scopeArgs{Scope: scope}) }

var stepUpOrSpare = define("StepUpOrSpare", func(a scopeArgs, xs []*result.Exchange) Finding {
	return each("a step-up, since the token lacks "+a.Scope, xs, func(x *result.Exchange) shortfall {
		switch {
		case IsReply(x) && receiptSparesScope(a).Find(x).Outcome == result.Failed:
			return failing("a receipt that uses %s", a.Scope)
		case IsStepUp(x) && x.Response.Status == http.StatusOK:
			return shortfall{}
		case IsReply(x):
			return failing("a reply without %s, and no step-up", a.Scope)
		}
		return failing("%s", Answered(x))
	})
})

// BeStoredReplyOrRefusal judges a reply under delegation, and then the answer to a retry without the
// delegation token: a refusal, or the same reply, with or without a receipt (§5.5).
func BeStoredReplyOrRefusal() Judge { return beStoredReplyOrRefusal(none{}) }

var beStoredReplyOrRefusal = define("BeStoredReplyOrRefusal", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the stored reply, 401 or an A2A error for a retry without the delegation token"
	if len(xs) != 2 {
		return failed(expected, "%d exchanges", len(xs))
	}
	first, retry := xs[0], xs[1]
	switch {
	case !IsReply(first):
		return failed(expected, "%s to begin with (%s)", Answered(first), first.ID)
	case IsUnauthorized(retry), IsA2AError(retry) && retry.Response.Status < 500:
		return passed(expected)
	case taskOf(retry) != nil:
		return failed(expected, "a task (%s)", retry.ID)
	case !IsReply(retry):
		return failed(expected, "%s (%s)", Answered(retry), retry.ID)
	}
	for _, name := range []string{"messageId", "parts"} {
		if one, other := reply(first)[name], reply(retry)[name]; !reflect.DeepEqual(one, other) {
			return failed(expected, "%s %s, then %s (%s, %s)", name, show(one), show(other), first.ID, retry.ID)
		}
	}
	return passed(expected)
})
