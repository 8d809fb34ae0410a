package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Answer is what a request got. Its exchange is masked; the rest is as it came, for whoever goes on with it.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// Err says why there is no whole answer; nil when there is one, whatever it says.
	Err error
	// Exchange is the record; nil when the request was never made.
	Exchange *result.Exchange
	// Token is the bearer token that the request carried.
	Token string

	proto    string
	finalURL string
	// whole is set when the body came to its end.
	whole bool
}

// Recorded are the exchanges that judges look at.
func (a *Answer) Recorded() []*result.Exchange {
	if a == nil || a.Exchange == nil {
		return nil
	}
	return []*result.Exchange{a.Exchange}
}

// Object is the body as a JSON object; nil when it is none.
func (a *Answer) Object() map[string]any {
	var object map[string]any
	if json.Unmarshal(a.Body, &object) != nil {
		return nil
	}
	return object
}

// Message is the member message of a message:send answer; nil when there is none.
func (a *Answer) Message() map[string]any {
	message, _ := a.Object()["message"].(map[string]any)
	return message
}

// Task is the member task of a message:send answer; nil when there is none.
func (a *Answer) Task() map[string]any {
	task, _ := a.Object()["task"].(map[string]any)
	return task
}

// ContextID is the conversation that a message:send answer belongs to (§4.2); empty when it says none.
func (a *Answer) ContextID() string {
	for _, of := range []map[string]any{a.Message(), a.Task()} {
		if id, _ := of["contextId"].(string); id != "" {
			return id
		}
	}
	return ""
}

// reply identifies the agent's reply in the answer, to tell turns from replays.
func (a *Answer) reply(c call) string {
	if !c.turn || a.Status != http.StatusOK {
		return ""
	}
	if id, _ := a.Message()["messageId"].(string); id != "" {
		return a.ContextID() + "\x00" + id
	}
	if id, _ := a.Task()["id"].(string); id != "" {
		return a.ContextID() + "\x00" + id
	}
	return string(a.Body)
}

// Met5xxOrCut reports whether the answer is one that deserves a second look: a server error, or a
// connection that ended before the answer did.
func (a *Answer) Met5xxOrCut() bool {
	return a.Status >= 500 || a.Err != nil && Cut(a.Err)
}

// Steady asks again, a few times, while a server error or a cut connection comes back: for what
// everything else waits for, and for what cannot be tried a second time.
func Steady(ask func() *Answer) *Answer {
	const tries = 4
	answer := ask()
	for try := 1; try < tries && answer.Met5xxOrCut(); try++ {
		answer = ask()
	}
	return answer
}

// Cut reports whether an error is a connection, or a stream of HTTP/2, that ended early.
func Cut(err error) bool {
	var reset streamReset
	return errors.As(err, &reset) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// streamReset has the form of the error of an HTTP/2 stream that net/http keeps to itself, and that
// errors.As fills in by its fields.
type streamReset struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamReset) Error() string { return fmt.Sprintf("stream %d was reset", e.StreamID) }

// Plain says in plain words what went wrong on the network.
func Plain(err error) string {
	var (
		asURL  *url.Error
		lookup *net.DNSError
	)
	if errors.As(err, &asURL) {
		err = asURL.Err
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer before the deadline"
	case errors.As(err, &lookup):
		return fmt.Sprintf("the name %s cannot be resolved", lookup.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case Cut(err):
		return "the connection was cut before the answer was complete"
	}
	return err.Error()
}
