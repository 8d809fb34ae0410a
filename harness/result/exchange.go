package result

import (
	"net/http"
	"strings"
	"time"
)

// Exchange is one recorded HTTP request and its answer, masked, with the tags it was made with.
type Exchange struct {
	ID   string `json:"id"`
	Tags Tags   `json:"tags"`
	// TraceParent is the W3C trace context that the request carried, to find it in the Provider's logs.
	TraceParent string    `json:"traceparent,omitempty"`
	Started     time.Time `json:"started"`
	// Duration is the time from sending to the last byte of the answer, in seconds.
	Duration float64   `json:"duration"`
	Request  Request   `json:"request"`
	Response *Response `json:"response,omitempty"`
	// Error says why there is no (whole) answer: a timeout, a cut connection, TLS.
	Error string `json:"error,omitempty"`
	// Turn is set when the answer is a message:send that made the agent run, Replay when it is a stored reply.
	Turn   bool `json:"turn,omitempty"`
	Replay bool `json:"replay,omitempty"`
	// Curl is a command line that repeats the request.
	Curl string `json:"curl,omitempty"`
	// Page is what the User saw, where the exchange brought a page to the browser that was read.
	Page *Page `json:"page,omitempty"`
}

// Tags say what an exchange was for; judges over a whole run choose by them.
type Tags struct {
	// Case is the case or the journey that made the request.
	Case string `json:"case"`
	// Operation is the A2A operation or endpoint: card, message:send, tasks, tasks/{id}, …
	Operation string `json:"operation"`
	// Brand is "brand", "other" or "unknown".
	Brand string `json:"brand,omitempty"`
	// Agent is the role of the personal agent, User the sub it spoke for.
	Agent string `json:"agent,omitempty"`
	User  string `json:"user,omitempty"`
	// Credential describes the bearer token: "ES256", "alg none", "no token".
	Credential string `json:"credential"`
	// Expect is the class of answer that the specification asks for.
	Expect Expect `json:"expect"`
	// Inbound is set for a request that the Provider made to the harness, to fetch keys.
	Inbound bool `json:"inbound,omitempty"`
	// Browser is set for a request that the User's browser made.
	Browser bool `json:"browser,omitempty"`
	// SecondLook is set for requests of a case that runs again, alone.
	SecondLook bool `json:"secondLook,omitempty"`
}

// Expect is the class of answer that the specification asks for.
type Expect string

// The classes of answers.
const (
	// ExpectAny asks for nothing in particular: the answer is recorded.
	ExpectAny Expect = "any"
	// ExpectSuccess is a 200 with a result.
	ExpectSuccess Expect = "success"
	// ExpectUnauthorized is the 401 of §3.4: the request was made to fail authentication.
	ExpectUnauthorized Expect = "unauthorized"
	// ExpectError is an A2A error of §6.
	ExpectError Expect = "a2a-error"
	// ExpectNoRoute is the 404 or 405 of §2.2, without an A2A body.
	ExpectNoRoute Expect = "no-route"
)

// Request is what was sent.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
	// BodyBytes is the length of the body before it was cut for the record.
	BodyBytes int `json:"bodyBytes,omitempty"`
}

// Response is what came back.
type Response struct {
	Proto  string      `json:"proto,omitempty"`
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
	// BodyBytes is the length of the body before it was cut for the record.
	BodyBytes int `json:"bodyBytes,omitempty"`
	// FinalURL is the URL that answered, where redirects were followed.
	FinalURL string `json:"finalUrl,omitempty"`
}

// MediaType is the media type of the answer, in lower case and without parameters; empty without the header.
func (r *Response) MediaType() string {
	value, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(value))
}
