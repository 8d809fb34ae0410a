package sample

import (
	"fmt"
	"net/http"

	"github.com/pact-conform/pact-conform/harness/result"
)

// flow is a journey as it happens: what the personal agent and the User's browser send, and what the
// User sees.
type flow struct {
	b       *builder
	journey result.Journey
}

func (b *builder) flow(name string, after ...string) *flow {
	return &flow{b, result.Journey{Name: name, Outcome: result.Passed, Started: b.at, Journeys: after}}
}

// end gives the journey its outcome and keeps it.
func (f *flow) end(o result.Outcome, reason string) {
	f.journey.Outcome, f.journey.Reason = o, reason
	f.journey.Duration = f.b.at - f.journey.Started
	f.b.run.Journeys = append(f.b.run.Journeys, f.journey)
}

// agent records a request of the personal agent that was answered with the JSON.
func (f *flow) agent(operation, url string, status int, body, answered string) *result.Exchange {
	e := f.b.begin(f.journey.Name)
	e.Tags.Operation = operation
	e.Request.Method, e.Request.URL = http.MethodPost, url
	e.Request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	e.Request.Body, e.Request.BodyBytes = body, len(body)
	e.Response = &result.Response{Proto: "HTTP/2.0", Status: status, Body: answered, BodyBytes: len(answered), Header: http.Header{"Content-Type": {"application/json"}}}
	e.Curl = ""
	f.made(e.ID, 0.3)
	return e
}

// user records a request of the User's browser; page is what it was shown, nil where nobody looked.
func (f *flow) user(method, url string, status int, page *result.Page) string {
	e := f.b.begin(f.journey.Name)
	*e = result.Exchange{
		ID: e.ID, Started: e.Started, Duration: e.Duration, Page: page,
		Tags:     result.Tags{Case: f.journey.Name, Operation: "page", Credential: "the User", Expect: result.ExpectAny, Browser: true},
		Request:  result.Request{Method: method, URL: url, Header: http.Header{"Accept": {"text/html"}}},
		Response: &result.Response{Status: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}},
	}
	if method == http.MethodPost {
		e.Request.Body, e.Request.BodyBytes = "decision=approve&csrf=[masked]", 44
	}
	f.made(e.ID, 0.3)
	return e.ID
}

func (f *flow) made(id string, took float64) {
	f.journey.Exchanges = append(f.journey.Exchanges, id)
	f.b.at += took
}

// see keeps a moment of the User's part, with a picture where one was taken.
func (f *flow) see(name string, page *result.Page, png []byte) {
	f.journey.Steps = append(f.journey.Steps, f.b.step(f.journey.Name, name, page, png))
}

func (b *builder) step(session, name string, page *result.Page, png []byte) result.Step {
	s := result.Step{Session: session, Name: name, At: b.at + 0.2, URL: page.URL, Title: page.Title, Text: page.Text}
	b.at += 0.4
	if png != nil {
		if b.run.Pictures == nil {
			b.run.Pictures = map[string][]byte{}
		}
		s.Picture = fmt.Sprintf("%03d-user.png", len(b.run.Pictures)+1)
		b.run.Pictures[s.Picture] = png
	}
	return s
}
