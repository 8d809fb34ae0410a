package provider

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Names of the operations, as exchanges are tagged.
const (
	OperationCard       = "card"
	OperationSend       = "message:send"
	OperationTasks      = "tasks"
	OperationTask       = "tasks/{id}"
	OperationCancel     = "tasks/{id}:cancel"
	OperationStream     = "message:stream"
	OperationSubscribe  = "tasks/{id}:subscribe"
	OperationPushConfig = "pushNotificationConfigs"
	OperationExtended   = "extendedAgentCard"
	OperationNone       = "no operation"
)

// Caller makes requests at one Brand, as one User of one personal agent. Its methods that change
// something return a changed copy, so a Caller reads like a sentence:
//
//	brand.As(user).With(agent.Expired(40 * time.Second)).Send("Hello")
type Caller struct {
	// A Caller belongs to the body of one case, whose context bounds all that it asks.
	ctx  context.Context
	link *Link
	CallerOptions

	changes  []agent.Change
	bearer   func(token string) string
	note     string
	noToken  bool
	token    string
	together bool
	edits    []func(r *http.Request, token string)
}

// CallerOptions say who calls whom, and for which case.
type CallerOptions struct {
	Tags result.Tags
	// Priority decides who goes first when requests wait for one another.
	Priority int
	// At is the interface that is called, Agent the personal agent, User the sub, Audience the aud.
	At             Interface
	Agent          *agent.Agent
	User, Audience string
	// Plain is an ordinary question, for Ask.
	Plain string
	// Seen, where set, gets every answer.
	Seen func(*Answer)
}

// NewCaller is a caller with a right token of the agent's for the user.
func NewCaller(ctx context.Context, link *Link, o CallerOptions) Caller {
	return Caller{ctx: ctx, link: link, CallerOptions: o}
}

// Calling calls another interface; label is how exchanges name it: brand, other or unknown.
func (c Caller) Calling(at Interface, label string) Caller {
	c.At, c.Tags.Brand = at, label
	return c
}

// As speaks for another User: user becomes the sub of the token.
func (c Caller) As(user string) Caller {
	c.User = user
	return c
}

// By is another personal agent calling.
func (c Caller) By(a *agent.Agent) Caller {
	c.Agent = a
	return c
}

// With changes the token.
func (c Caller) With(changes ...agent.Change) Caller {
	c.changes = append(c.changes[:len(c.changes):len(c.changes)], changes...)
	return c
}

// WithoutToken sends no Authorization header.
func (c Caller) WithoutToken() Caller {
	c.noToken = true
	return c
}

// WithToken sends this very token; note says which it is.
func (c Caller) WithToken(token, note string) Caller {
	c.token, c.note = token, note
	return c
}

// Authorization writes the header in another form than "Bearer <token>"; note says which. An empty
// value leaves the header out.
func (c Caller) Authorization(note string, write func(token string) string) Caller {
	c.bearer, c.note = write, note
	return c
}

// Expecting tags what the specification asks the answer to be.
func (c Caller) Expecting(class result.Expect) Caller {
	c.Tags.Expect = class
	return c
}

// Header sets a header of the requests; an empty value leaves the header out.
func (c Caller) Header(name, value string) Caller {
	return c.Editing(func(r *http.Request, _ string) {
		if value == "" {
			r.Header.Del(name)
		} else {
			r.Header.Set(name, value)
		}
	})
}

// Editing changes the requests just before they are sent; token is the one that they carry.
func (c Caller) Editing(edit func(r *http.Request, token string)) Caller {
	c.edits = append(c.edits[:len(c.edits):len(c.edits)], edit)
	return c
}

// AtOnce lets messages into a conversation side by side, which a client would not do.
func (c Caller) AtOnce() Caller {
	c.together = true
	return c
}

// Get reads a URL without any credential, as a card is read.
func (c Caller) Get(operation, url string) *Answer {
	return c.WithoutToken().request(operation, http.MethodGet, url, "", nil, "")
}

// GetWithToken reads a URL with the caller's token.
func (c Caller) GetWithToken(operation, url string) *Answer {
	return c.request(operation, http.MethodGet, url, "", nil, "")
}

// Post posts a body to a URL.
func (c Caller) Post(operation, url, contentType string, body []byte) *Answer {
	return c.request(operation, http.MethodPost, url, contentType, body, "")
}

// Do makes a request of an operation: its path is relative to the interface URL, contentType is
// left out when empty.
func (c Caller) Do(operation, method, path, contentType string, body []byte) *Answer {
	return c.request(operation, method, c.At.Operation(path), contentType, body, "")
}

func (c Caller) request(operation, method, url, contentType string, body []byte, conversation string) *Answer {
	if c.together {
		conversation = ""
	}
	build := func(ctx context.Context, now time.Time) (*built, error) {
		r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if contentType != "" {
			r.Header.Set("Content-Type", contentType)
		}
		r.Header.Set("A2A-Version", Version)
		for name, values := range c.link.options.Headers {
			r.Header[name] = values
		}
		return c.finish(r, body, now)
	}
	return c.do(c.ctx, operation, call{conversation: conversation, build: build})
}

// do makes a request of an operation through the link.
func (c Caller) do(ctx context.Context, operation string, request call) *Answer {
	request.tags = c.Tags
	request.tags.Operation, request.tags.User, request.tags.Agent = operation, c.User, c.Agent.Role
	request.priority, request.turn = c.Priority, operation == OperationSend
	answer := c.link.do(ctx, request)
	if c.Seen != nil {
		c.Seen(answer)
	}
	return answer
}

// finish gives a request its token and the caller's edits.
func (c Caller) finish(r *http.Request, body []byte, now time.Time) (*built, error) {
	token, words, err := c.credential(now)
	if err != nil {
		return nil, err
	}
	if value := c.authorization(token); token != "" && value != "" {
		r.Header.Set("Authorization", value)
	}
	for _, edit := range c.edits {
		edit(r, token)
	}
	return &built{request: r, body: body, token: token, credential: words, curl: curl(r, body, token, c.command())}, nil
}

// Mint makes the token that the caller would send, for a case that sends it more than once.
func (c Caller) Mint() (agent.Token, error) {
	return c.Agent.Mint(agent.Params{Subject: c.User, Audience: c.Audience, Now: c.link.options.Clock.Now()}, c.changes...)
}

// credential is the token, freshly made unless the caller has one, and what kind of credential it is.
func (c Caller) credential(now time.Time) (token, words string, err error) {
	switch {
	case c.noToken:
		return "", join("no token", c.note), nil
	case c.token != "":
		return c.token, c.note, nil
	}
	minted, err := c.Agent.Mint(agent.Params{Subject: c.User, Audience: c.Audience, Now: now}, c.changes...)
	return minted.Compact, join(minted.Credential, c.note), err
}

func (c Caller) authorization(token string) string {
	if c.bearer != nil {
		return c.bearer(token)
	}
	return "Bearer " + token
}

func join(words, note string) string {
	if note == "" {
		return words
	}
	return words + ", " + note
}

// command makes the token again, for a curl line: the case's own where something is changed about
// it, else a right one. What has a name with spaces is a journey, whose tokens are right.
func (c Caller) command() string {
	name := c.Tags.Case
	changed := slices.ContainsFunc(c.changes, func(change agent.Change) bool { return change.String() != agent.ES256().String() })
	if c.token == "" && !changed || strings.Contains(name, " ") {
		name = "right"
	}
	return fmt.Sprintf("$(pact-conform token %s --agent %s --sub %s)", name, c.Agent.Role, quoted(c.User))
}
