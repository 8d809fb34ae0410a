package identity

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/provider"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// pushConfigs are the push-notification configuration operations (A2A 1.0 §11.3).
var pushConfigs = []Operation{
	{Name: "list-push-configs", Ask: func(c provider.Caller) *provider.Answer { return pushConfig(c, http.MethodGet, "") }},
	{Name: "create-push-config", Ask: func(c provider.Caller) *provider.Answer { return pushConfig(c, http.MethodPost, "") }},
	{Name: "get-push-config", Ask: func(c provider.Caller) *provider.Answer { return pushConfig(c, http.MethodGet, "/c-1") }},
	{Name: "delete-push-config", Ask: func(c provider.Caller) *provider.Answer { return pushConfig(c, http.MethodDelete, "/c-1") }},
}

// undeclared are operations that the card need not declare. They need the token all the same.
var undeclared = append([]Operation{
	{Name: "stream", Ask: stream}, {Name: "subscribe", Ask: subscribe}, {Name: "extended-card", Ask: extendedCard},
}, pushConfigs...)

const (
	someMessage = `{"message":{"messageId":"m-stream","role":"ROLE_USER","parts":[{"text":"Hello"}]}}`
	somePush    = `{"url":"https://pa.example/push","token":"t-1"}`
)

func stream(c provider.Caller) *provider.Answer {
	return c.Do(provider.OperationStream, http.MethodPost, "message:stream", mediaJSON, []byte(someMessage))
}

func extendedCard(c provider.Caller) *provider.Answer {
	return c.Do(provider.OperationExtended, http.MethodGet, "extendedAgentCard", "", nil)
}

// subscribe asks by POST, as A2A's text has it, and by GET, as its proto has it, and returns the
// answer of the method that the Provider knows.
func subscribe(c provider.Caller) *provider.Answer {
	path := "tasks/" + uuid.NewString() + ":subscribe"
	post := c.Do(provider.OperationSubscribe, http.MethodPost, path, mediaJSON, []byte("{}"))
	if !isNoRoute(post) {
		return post
	}
	if get := c.Do(provider.OperationSubscribe, http.MethodGet, path, "", nil); !isNoRoute(get) {
		return get
	}
	return post
}

// isNoRoute tells the answer of an unmatched route from TASK_NOT_FOUND, which is a 404 too.
func isNoRoute(a *provider.Answer) bool {
	_, isError := a.Object()["error"].(map[string]any)
	return a.Status == http.StatusMethodNotAllowed || a.Status == http.StatusNotFound && !isError
}

func pushConfig(c provider.Caller, method, id string) *provider.Answer {
	var body []byte
	contentType := ""
	if method == http.MethodPost {
		body, contentType = []byte(somePush), mediaJSON
	}
	return c.Do(provider.OperationPushConfig, method, "tasks/"+uuid.NewString()+"/pushNotificationConfigs"+id, contentType, body)
}
