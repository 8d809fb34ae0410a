package provider

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/google/uuid"
)

const mediaJSON = "application/json"

// Message is a message:send request in the making (§4.1).
type Message struct {
	// Body is the whole request; Message the member of that name.
	Body, Message map[string]any
}

// MessageOption changes a message before it is sent.
type MessageOption func(*Message)

// InContext continues a conversation.
func InContext(id string) MessageOption {
	return Member("contextId", id)
}

// MessageID sets the messageId, which is otherwise fresh.
func MessageID(id string) MessageOption {
	return Member("messageId", id)
}

// Member sets a member of the message; the value nil takes the member out.
func Member(name string, value any) MessageOption {
	return func(m *Message) { set(m.Message, name, value) }
}

// RequestMember sets a member of the request around the message; the value nil takes it out.
func RequestMember(name string, value any) MessageOption {
	return func(m *Message) { set(m.Body, name, value) }
}

// Parts replaces the parts of the message.
func Parts(parts ...any) MessageOption {
	if parts == nil {
		parts = []any{}
	}
	return Member("parts", parts)
}

// TextPart is a part with that text.
func TextPart(text string) map[string]any { return map[string]any{"text": text} }

func set(object map[string]any, name string, value any) {
	if value == nil {
		delete(object, name)
	} else {
		object[name] = value
	}
}

// NewMessageID is a messageId that nobody else has.
func NewMessageID() string { return "m-" + uuid.NewString() }

// Send asks the Brand's agent (§4): a message of the User with one text part and a fresh messageId.
func (c Caller) Send(text string, options ...MessageOption) *Answer {
	message := map[string]any{"messageId": NewMessageID(), "role": "ROLE_USER", "parts": []any{TextPart(text)}}
	m := Message{Body: map[string]any{"message": message}, Message: message}
	for _, option := range options {
		option(&m)
	}
	body, err := json.Marshal(m.Body)
	if err != nil {
		return &Answer{Err: err}
	}
	conversation, _ := message["contextId"].(string)
	return c.send(mediaJSON, body, conversation)
}

// Ask is Send with an ordinary question.
func (c Caller) Ask(options ...MessageOption) *Answer { return c.Send(c.Plain, options...) }

// SendBody posts any body to message:send.
func (c Caller) SendBody(contentType string, body []byte) *Answer {
	return c.send(contentType, body, "")
}

func (c Caller) send(contentType string, body []byte, conversation string) *Answer {
	return c.request(OperationSend, http.MethodPost, c.At.Operation("message:send"), contentType, body, conversation)
}

// Tasks lists the tasks (§2.2); query may be empty.
func (c Caller) Tasks(query string) *Answer {
	path := "tasks"
	if query != "" {
		path += "?" + query
	}
	return c.Do(OperationTasks, http.MethodGet, path, "", nil)
}

// Task reads a task; the id is escaped as one path segment.
func (c Caller) Task(id string) *Answer {
	return c.Do(OperationTask, http.MethodGet, "tasks/"+url.PathEscape(id), "", nil)
}

// Cancel cancels a task, with an empty JSON object as body.
func (c Caller) Cancel(id string) *Answer {
	return c.Do(OperationCancel, http.MethodPost, "tasks/"+url.PathEscape(id)+":cancel", mediaJSON, []byte("{}"))
}
