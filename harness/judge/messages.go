package judge

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// sent is the message of a message:send request, as far as it can be read.
func sent(x *result.Exchange) map[string]any {
	var body struct {
		Message map[string]any `json:"message"`
	}
	_ = json.Unmarshal([]byte(x.Request.Body), &body)
	return body.Message
}

// reply is the message of a message:send answer; nil when it has none.
func reply(x *result.Exchange) map[string]any {
	message, _ := object(x)["message"].(map[string]any)
	return message
}

// contextOf is the conversation that the answer belongs to: of its message or of its task.
func contextOf(x *result.Exchange) string {
	for _, name := range []string{"message", "task"} {
		holder, _ := object(x)[name].(map[string]any)
		if id, _ := holder["contextId"].(string); id != "" {
			return id
		}
	}
	return ""
}

// IsReply reports whether an answer of message:send is a 200 with a message.
func IsReply(x *result.Exchange) bool {
	return x.Response != nil && x.Response.Status == http.StatusOK && reply(x) != nil
}

// HoldsMessageOrTask reports whether an answer has a message or a task.
func HoldsMessageOrTask(x *result.Exchange) bool {
	_, task := object(x)["task"].(map[string]any)
	return task || reply(x) != nil
}

// IsStepUp reports whether an answer is a task that asks for scopes (§5.5).
func IsStepUp(x *result.Exchange) bool {
	task, _ := object(x)["task"].(map[string]any)
	status, _ := task["status"].(map[string]any)
	return status["state"] == authRequired
}

// BeMessageOrTask passes a 200 with exactly one of message and task (§2.2).
func BeMessageOrTask() Judge { return beMessageOrTask(none{}) }

var beMessageOrTask = define("BeMessageOrTask", eachAnswer("200 with exactly one of message and task", func(x *result.Exchange) string {
	members := object(x)
	_, message := members["message"].(map[string]any)
	_, task := members["task"].(map[string]any)
	if x.Response.Status != http.StatusOK || message == task {
		return fmt.Sprintf("%s %s", Answered(x), shorten(x.Response.Body))
	}
	return ""
}))

// BeOrdinaryMessage passes a 200 with a message and no task (§4.2).
func BeOrdinaryMessage() Judge { return beOrdinaryMessage(none{}) }

var beOrdinaryMessage = define("BeOrdinaryMessage", eachAnswer("200 with a message, no task and no taskId", func(x *result.Exchange) string {
	if !IsReply(x) {
		return fmt.Sprintf("%s %s", Answered(x), shorten(x.Response.Body))
	}
	if task := object(x)["task"]; task != nil {
		return "a task beside the message"
	}
	if id, _ := reply(x)["taskId"].(string); id != "" {
		return fmt.Sprintf("taskId %q in the message", id)
	}
	return ""
}))

// BeReply passes a 200 with a message (§2.2).
func BeReply() Judge { return beReply(none{}) }

var beReply = define("BeReply", eachAnswer("200 with a message", func(x *result.Exchange) string {
	if !IsReply(x) {
		return fmt.Sprintf("%s %s", Answered(x), shorten(x.Response.Body))
	}
	return ""
}))

// ComeFromTheAgent passes replies with role ROLE_AGENT (§4.2).
func ComeFromTheAgent() Judge { return comeFromTheAgent(none{}) }

var comeFromTheAgent = define("ComeFromTheAgent", eachAnswer("a message with role ROLE_AGENT", func(x *result.Exchange) string {
	if role := reply(x)["role"]; role != "ROLE_AGENT" {
		return "role " + show(role)
	}
	return ""
}))

// HaveContextID passes replies with a non-empty contextId (§4.2).
func HaveContextID() Judge { return haveContextID(none{}) }

var haveContextID = define("HaveContextID", eachAnswer("a message with a non-empty contextId", func(x *result.Exchange) string {
	if id, ok := reply(x)["contextId"].(string); !ok || id == "" {
		return "contextId " + show(reply(x)["contextId"])
	}
	return ""
}))

// BeMessages passes replies that have a messageId and a part each; no text among the parts is a
// warning. Within a conversation no two different replies share a messageId, and none has that of a
// request (A2A 1.0 §4.1, PACT §4.1).
func BeMessages() Judge { return beMessages(none{}) }

var beMessages = define("BeMessages", func(_ none, xs []*result.Exchange) Finding {
	const expected = "a message with a messageId of its own and at least one part"
	worst := passed(expected)
	requested, given := map[string]bool{}, map[string]any{}
	for _, x := range xs {
		if id, _ := sent(x)["messageId"].(string); id != "" {
			requested[contextOf(x)+"\x00"+id] = true
		}
	}
	for _, x := range xs {
		message := reply(x)
		id, _ := message["messageId"].(string)
		parts, _ := message["parts"].([]any)
		key := contextOf(x) + "\x00" + id
		earlier, shared := given[key]
		switch {
		case id == "":
			return failed(expected, "messageId %s (%s)", show(message["messageId"]), x.ID)
		case len(parts) == 0:
			return failed(expected, "parts %s (%s)", show(message["parts"]), x.ID)
		case requested[key]:
			return failed(expected, "the messageId %q of a request (%s)", id, x.ID)
		case shared && !reflect.DeepEqual(earlier, message["parts"]):
			return failed(expected, "the messageId %q for two different replies (%s)", id, x.ID)
		case !sayText(parts):
			worst = warned(expected+" with text", "parts %s (%s)", show(message["parts"]), x.ID)
		}
		given[key] = message["parts"]
	}
	return worst
})

// sayText reports whether parts have text, and no empty one.
func sayText(parts []any) bool {
	said := false
	for _, part := range parts {
		members, _ := part.(map[string]any)
		text, isText := members["text"].(string)
		if isText && strings.TrimSpace(text) == "" {
			return false
		}
		said = said || isText
	}
	return said
}

// textOf are the texts of the parts of a message, a line each.
func textOf(message map[string]any) string {
	var lines []string
	parts, _ := message["parts"].([]any)
	for _, part := range parts {
		members, _ := part.(map[string]any)
		if text, ok := members["text"].(string); ok {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// ContinueContext passes a 200 in the conversation that the request named (§4.2).
func ContinueContext() Judge { return continueContext(none{}) }

var continueContext = define("ContinueContext", eachAnswer("200 with the contextId of the request", func(x *result.Exchange) string {
	wanted, _ := sent(x)["contextId"].(string)
	if got := contextOf(x); x.Response.Status != http.StatusOK || got == "" || got != wanted {
		return fmt.Sprintf("%s, contextId %q for %q", Answered(x), got, wanted)
	}
	return ""
}))

// StartContexts passes 200s that each have a contextId of their own (§4.2).
func StartContexts() Judge { return startContexts(none{}) }

var startContexts = define("StartContexts", func(_ none, xs []*result.Exchange) Finding {
	const expected = "200 with a contextId of its own for each"
	seen := map[string]string{}
	for _, x := range xs {
		id := contextOf(x)
		if earlier, known := seen[id]; x.Response.Status != http.StatusOK || id == "" || known {
			return failed(expected, "%s, contextId %q (%s%s)", Answered(x), id, x.ID, after(", as in ", earlier))
		}
		seen[id] = x.ID
	}
	return passed(expected)
})

// after is the words with the text behind, or nothing where there is no text.
func after(words, text string) string {
	if text == "" {
		return ""
	}
	return words + text
}

// HideInContext passes replies whose contextId carries none of the texts, plain or base64url (§4.2:
// it is opaque).
func HideInContext(texts ...string) Judge { return hideInContext(textsArgs{Texts: texts}) }

type textsArgs struct {
	Texts []string `json:"texts"`
}

var hideInContext = define("HideInContext", func(a textsArgs, xs []*result.Exchange) Finding {
	const expected = "a contextId that does not carry sub or iss"
	for _, x := range xs {
		id := contextOf(x)
		if id == "" {
			return failed(expected, "no contextId (%s)", x.ID)
		}
		forms := []string{id}
		for _, piece := range append(strings.FieldsFunc(id, func(r rune) bool { return r == '.' || r == ':' || r == '~' }), id) {
			if decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(piece, "=")); err == nil {
				forms = append(forms, string(decoded))
			}
		}
		for _, text := range a.Texts {
			for _, form := range forms {
				if strings.Contains(form, text) {
					return failed(expected, "contextId %q carries %q (%s)", id, text, x.ID)
				}
			}
		}
	}
	return passed(expected)
})

// BeSameReply passes answers that all are the reply of the first: messageId, contextId and parts (§4.3).
func BeSameReply() Judge { return beSameReply(none{}) }

var beSameReply = define("BeSameReply", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the stored reply: the same messageId, contextId and parts"
	for _, x := range xs {
		if difference := differ(xs[0], x); difference != "" {
			return failed(expected, "%s (%s, %s)", difference, xs[0].ID, x.ID)
		}
	}
	return passed(expected)
})

// differ says in what the second answer is not the first's reply; nothing when it is.
func differ(first, again *result.Exchange) string {
	if !IsReply(first) || !IsReply(again) {
		return Answered(again)
	}
	for _, name := range []string{"messageId", "contextId", "parts"} {
		if one, other := reply(first)[name], reply(again)[name]; !reflect.DeepEqual(one, other) {
			return fmt.Sprintf("%s %s, then %s", name, show(one), show(other))
		}
	}
	return ""
}

// BeRepliesOfTheirOwn passes replies none of which is another's: they differ in messageId or in
// parts, for a Provider may number its replies in each conversation anew (§4.3).
func BeRepliesOfTheirOwn() Judge { return beRepliesOfTheirOwn(none{}) }

var beRepliesOfTheirOwn = define("BeRepliesOfTheirOwn", func(_ none, xs []*result.Exchange) Finding {
	const expected = "a reply of its own for each"
	seen := map[string]string{}
	for _, x := range xs {
		id := whole(reply(x)["messageId"]) + whole(reply(x)["parts"])
		if earlier, known := seen[id]; !IsReply(x) || known {
			return failed(expected, "%s, reply %s (%s%s)", Answered(x), show(reply(x)["messageId"]), x.ID, after(", as in ", earlier))
		}
		seen[id] = x.ID
	}
	return passed(expected)
})

// MatchText passes replies whose text matches the pattern (RE2).
func MatchText(pattern *regexp.Regexp) Judge {
	return matchText(patternArgs{Pattern: pattern.String(), Match: true})
}

// NotMatchText passes replies whose text does not match the pattern (RE2).
func NotMatchText(pattern *regexp.Regexp) Judge {
	return matchText(patternArgs{Pattern: pattern.String()})
}

type patternArgs struct {
	Pattern string `json:"pattern"`
	Match   bool   `json:"match"`
}

var matchText = define("MatchText", func(a patternArgs, xs []*result.Exchange) Finding {
	expected := "a text that matches " + a.Pattern
	if !a.Match {
		expected = "a text that does not match " + a.Pattern
	}
	pattern, err := regexp.Compile(a.Pattern)
	if err != nil {
		return Finding{Outcome: result.Errored, Expected: expected, Got: err.Error()}
	}
	for _, x := range xs {
		if !IsReply(x) {
			return failed(expected, "%s (%s)", Answered(x), x.ID)
		}
		if text := textOf(reply(x)); pattern.MatchString(text) != a.Match {
			return failed(expected, "%q (%s)", shorten(text), x.ID)
		}
	}
	return passed(expected)
})

// eachAnswer judges every answer by itself; say returns what falls short, or nothing.
func eachAnswer(expected string, say func(*result.Exchange) string) func(none, []*result.Exchange) Finding {
	return func(_ none, xs []*result.Exchange) Finding {
		for _, x := range xs {
			if short := say(x); short != "" {
				return failed(expected, "%s (%s)", short, x.ID)
			}
		}
		return passed(expected)
	}
}
