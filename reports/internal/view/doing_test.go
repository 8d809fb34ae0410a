package view

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
)

func TestDoing(t *testing.T) {
	answer := func(operation, request string, status int, body string) result.Exchange {
		return result.Exchange{
			Tags: result.Tags{Operation: operation}, Request: result.Request{Method: "POST", Body: request},
			Response: &result.Response{Status: status, Body: body},
		}
	}
	get := answer("page", "", 200, "")
	get.Request.Method = "GET"
	consent := get
	consent.Page = &result.Page{Kind: "consent"}
	for _, c := range []struct {
		want string
		e    result.Exchange
	}{
		{"ask for a code", answer("device authorization", "", 200, `{"device_code":"d"}`)},
		{"ask for a code: invalid_scope", answer("device authorization", "", 400, `{"error":"invalid_scope"}`)},
		{"ask for a code", answer("device authorization", "", 502, `<html>`)},
		{"poll: authorization_pending", answer("token", "grant_type=urn%3A", 400, `{"error":"authorization_pending"}`)},
		{"poll: a token", answer("token", "", 200, `{"access_token":"x"}`)},
		{"refresh: a token", answer("token", "grant_type=refresh_token&x=y", 200, `{"access_token":"x"}`)},
		{"poll", answer("token", "", 400, `{"error":7}`)},
		{"poll: bad error", answer("token", "", 400, `{"error":"bad\nerror"}`)},
		{"revoke", answer("revocation", "", 200, ``)},
		{"message: reply", answer("message:send", "", 200, `{"message":{"metadata":[]}}`)},
		{"message: reply with a receipt", answer("message:send", "", 200, `{"message":{"metadata":{"pact.receipt":{}}}}`)},
		{"message: step-up", answer("message:send", "", 200, `{"task":{"status":{"state":"TASK_STATE_AUTH_REQUIRED"}}}`)},
		{"message: task", answer("message:send", "", 200, `{"task":{"status":7}}`)},
		{"message: INVALID_PARAMS", answer("message:send", "", 400, `{"error":{"details":[{"reason":"INVALID_PARAMS"}]}}`)},
		{"message", answer("message:send", "", 400, `{"error":{"details":[7]}}`)},
		{"message", result.Exchange{Tags: result.Tags{Operation: "message:send"}}},
		{"tasks/{id}", answer("tasks/{id}", "", 200, "")},
		{"consent page", consent},
		{"open", get},
		{"send", answer("page", "", 200, "")},
		{"redirect", answer("page", "", 303, "")},
	} {
		NewWithT(t).Expect(Doing(&c.e)).To(Equal(c.want))
	}
}

func TestWhoSends(t *testing.T) {
	g := NewWithT(t)
	g.Expect(Who(&result.Exchange{})).To(Equal("personal agent"))
	g.Expect(Who(&result.Exchange{Tags: result.Tags{Browser: true}})).To(Equal("User"))
	g.Expect(Who(&result.Exchange{Tags: result.Tags{Inbound: true}})).To(Equal("Provider"))
}
