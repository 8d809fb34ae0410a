package view

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Who is the party that sent an exchange's request.
func Who(e *result.Exchange) string {
	switch {
	case e.Tags.Inbound:
		return "Provider"
	case e.Tags.Browser:
		return "User"
	}
	return "personal agent"
}

// Doing says in a few words what an exchange did in a journey, and what came of it where that has a
// name: "poll: authorization_pending", "message: reply with a receipt". It is empty where the operation
// and the status say it all.
func Doing(e *result.Exchange) string {
	switch e.Tags.Operation {
	case "page":
		return page(e)
	case "device authorization":
		return outcome("ask for a code", e, "", "")
	case "token":
		if strings.Contains(e.Request.Body, "grant_type=refresh_token") {
			return outcome("refresh", e, "a token", "access_token")
		}
		return outcome("poll", e, "a token", "access_token")
	case "revocation":
		return outcome("revoke", e, "", "")
	case "message:send":
		return message(e)
	}
	return Line(e.Tags.Operation)
}

func page(e *result.Exchange) string {
	switch {
	case e.Page != nil:
		return Line(e.Page.Kind) + " page"
	case e.Response != nil && e.Response.Status >= 300 && e.Response.Status < 400:
		return "redirect"
	case e.Request.Method != http.MethodGet:
		return "send"
	}
	return "open"
}

// outcome tells the OAuth error of an answer, or that it has a member.
func outcome(doing string, e *result.Exchange, has, member string) string {
	answer := members(e)
	if code, ok := answer["error"].(string); ok {
		return doing + ": " + Line(code)
	}
	if answer[member] != nil {
		return doing + ": " + has
	}
	return doing
}

// message tells the kind of reply, as far as it can be seen from outside of any judge.
func message(e *result.Exchange) string {
	answer := members(e)
	reply, _ := answer["message"].(map[string]any)
	task, _ := answer["task"].(map[string]any)
	status, _ := task["status"].(map[string]any)
	metadata, _ := reply["metadata"].(map[string]any)
	problem, _ := answer["error"].(map[string]any)
	details, _ := problem["details"].([]any)
	switch {
	case metadata[receiptMember] != nil:
		return "message: reply with a receipt"
	case reply != nil:
		return "message: reply"
	case status["state"] == "TASK_STATE_AUTH_REQUIRED":
		return "message: step-up"
	case task != nil:
		return "message: task"
	case len(details) > 0:
		if first, ok := details[0].(map[string]any); ok {
			if reason, ok := first["reason"].(string); ok {
				return "message: " + Line(reason)
			}
		}
	}
	return "message"
}

// members are those of an answer that is a JSON object; none of any other.
func members(e *result.Exchange) map[string]any {
	var all map[string]any
	if e.Response != nil {
		_ = json.Unmarshal([]byte(e.Response.Body), &all) // what is no object has none
	}
	return all
}
