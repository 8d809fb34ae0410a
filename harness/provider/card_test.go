package provider

import (
	"encoding/json"
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
)

func TestOperation(t *testing.T) {
	for _, test := range []struct {
		at   Interface
		path string
		want string
	}{
		{Interface{URL: "https://p.example/a2a/1"}, "tasks", "https://p.example/a2a/1/tasks"},
		{Interface{URL: "https://p.example/a2a/1/"}, "tasks", "https://p.example/a2a/1/tasks"},
		{Interface{URL: "https://p.example/a2a/1//"}, "tasks", "https://p.example/a2a/1//tasks"},
		{Interface{URL: "https://p.example"}, "message:send", "https://p.example/message:send"},
		{Interface{URL: "https://p.example/a/../b"}, "tasks", "https://p.example/a/../b/tasks"},
		{Interface{URL: "https://p.example/a2a", Tenant: "acme"}, "tasks", "https://p.example/a2a/acme/tasks"},
		{Interface{URL: "https://p.example/a2a/", Tenant: "a b/c"}, "tasks", "https://p.example/a2a/a%20b%2Fc/tasks"},
	} {
		NewWithT(t).Expect(test.at.Operation(test.path)).To(Equal(test.want))
	}
}

func TestPathsArriveAsTheyWereWritten(t *testing.T) {
	g := NewWithT(t)
	var got string
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.RequestURI })
	caller := newBench(t).caller(t.Context(), server.URL+"/a2a/")
	for want, ask := range map[string]func(Caller) *Answer{
		"/a2a/tasks":                      func(c Caller) *Answer { return c.Tasks("") },
		"/a2a/tasks?pageSize=-1":          func(c Caller) *Answer { return c.Tasks("pageSize=-1") },
		"/a2a/tasks/a%2Fb":                func(c Caller) *Answer { return c.Task("a/b") },
		"/a2a/tasks/t%C3%A4sk":            func(c Caller) *Answer { return c.Task("täsk") },
		"/a2a/tasks/..":                   func(c Caller) *Answer { return c.Task("..") },
		"/a2a/tasks/a%3Fb:cancel":         func(c Caller) *Answer { return c.Cancel("a?b") },
		"/a2a/message:send":               func(c Caller) *Answer { return c.Ask() },
		"/a2a/acme%20inc/message:send":    func(c Caller) *Answer { return c.Calling(Interface{server.URL + "/a2a/", "acme inc"}, "x").Ask() },
		"/a2a/message:send?alt=json&x=%2": func(c Caller) *Answer { return c.Do(OperationSend, "POST", "message:send?alt=json&x=%2", "", nil) },
	} {
		g.Expect(ask(caller).Err).NotTo(HaveOccurred(), want)
		g.Expect(got).To(Equal(want))
	}
}

func TestParseCard(t *testing.T) {
	const right = `{"url":"https://p.example/a","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}`
	for name, test := range map[string]struct {
		body string
		want Interface
		err  string
	}{
		"the only one":                {`{"supportedInterfaces":[` + right + `]}`, Interface{URL: "https://p.example/a"}, ""},
		"the last one":                {`{"supportedInterfaces":[{"url":"https://x","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"https://y","protocolBinding":"HTTP+JSON","protocolVersion":"0.3"},` + right + `]}`, Interface{URL: "https://p.example/a"}, ""},
		"a tenant":                    {`{"supportedInterfaces":[{"url":"https://p.example/a","tenant":"acme","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]}`, Interface{"https://p.example/a", "acme"}, ""},
		"odd members beside":          {`{"name":7,"capabilities":[],"supportedInterfaces":["x",7,null,` + right + `]}`, Interface{URL: "https://p.example/a"}, ""},
		"a url that is no text":       {`{"supportedInterfaces":[{"url":7,"protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]}`, Interface{}, ErrNoInterface.Error()},
		"a version that is none":      {`{"supportedInterfaces":[{"url":"https://x","protocolBinding":"HTTP+JSON","protocolVersion":1.0}]}`, Interface{}, ErrNoInterface.Error()},
		"no interfaces":               {`{}`, Interface{}, ErrNoInterface.Error()},
		"interfaces that are no list": {`{"supportedInterfaces":` + right + `}`, Interface{}, ErrNoInterface.Error()},
		"a list":                      {`[]`, Interface{}, "the card is no JSON object"},
		"null":                        {`null`, Interface{}, "the card is no JSON object"},
		"no JSON":                     {`<html>`, Interface{}, "the card is no JSON object"},
		"nothing":                     {``, Interface{}, "the card is no JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			card, err := ParseCard([]byte(test.body))
			g.Expect(card.Interface).To(Equal(test.want))
			if test.err == "" {
				g.Expect(err).NotTo(HaveOccurred())
			} else {
				g.Expect(err).To(MatchError(test.err))
			}
		})
	}
	g := NewWithT(t)
	card, err := ParseCard([]byte(`{"name":"Support","capabilities":{"streaming":true,"extendedAgentCard":true},"supportedInterfaces":[` + right + `]}`))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(card.Name).To(Equal("Support"))
	g.Expect(card.Capabilities.Streaming).To(BeTrue())
	g.Expect(card.Capabilities.PushNotifications).To(BeFalse())
	g.Expect(card.Capabilities.ExtendedAgentCard).To(BeTrue())
}

func TestMessages(t *testing.T) {
	g := NewWithT(t)
	var body map[string]any
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		body = nil
		_ = json.NewDecoder(r.Body).Decode(&body)
	})
	caller := newBench(t).caller(t.Context(), server.URL)
	caller.Send("Hi", InContext("c"), MessageID("m"), Member("role", nil), Member("metadata", map[string]any{"a": 1}),
		RequestMember("configuration", map[string]any{"historyLength": 1}), Parts(TextPart("x"), map[string]any{"url": "u"}))
	g.Expect(body).To(Equal(map[string]any{
		"configuration": map[string]any{"historyLength": 1.0},
		"message": map[string]any{
			"contextId": "c", "messageId": "m", "metadata": map[string]any{"a": 1.0},
			"parts": []any{map[string]any{"text": "x"}, map[string]any{"url": "u"}},
		},
	}))
	caller.Ask(Parts())
	g.Expect(body["message"]).To(HaveKeyWithValue("parts", []any{}))
	first := body["message"].(map[string]any)["messageId"]
	caller.Ask()
	g.Expect(body["message"].(map[string]any)["messageId"]).NotTo(Equal(first))
	g.Expect(body["message"]).To(HaveKeyWithValue("parts", []any{map[string]any{"text": "Hello"}}))
	caller.Ask(RequestMember("message", nil))
	g.Expect(body).To(BeEmpty())
	g.Expect(caller.Ask(Member("role", func() {})).Err).To(HaveOccurred(), "JSON cannot hold it")
}

// A Caller that was changed leaves the one it was made of as it was.
func TestCallersDoNotShareChanges(t *testing.T) {
	g := NewWithT(t)
	var got http.Header
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	base := newBench(t).caller(t.Context(), server.URL).Header("X-A", "1")
	one, two := base.Header("X-B", "one"), base.Header("X-C", "two")
	one.Tasks("")
	g.Expect(got).To(HaveKey("X-B"))
	g.Expect(got).NotTo(HaveKey("X-C"))
	two.Tasks("")
	g.Expect(got).NotTo(HaveKey("X-B"))
	g.Expect(got.Get("X-A")).To(Equal("1"))
}
