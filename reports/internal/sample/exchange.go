package sample

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/harness/result"
)

// begin records a request of the case, without an answer; the pointer holds until the next one.
func (b *builder) begin(name string) *result.Exchange {
	number := len(b.run.Exchanges) + 1
	at := b.moment()
	b.run.Exchanges = append(b.run.Exchanges, result.Exchange{
		ID:          fmt.Sprintf("x%04d", number),
		Tags:        result.Tags{Case: name, Operation: "tasks", Brand: "brand", Agent: "primary", User: "u-7f3a", Credential: "ES256", Expect: result.ExpectSuccess},
		TraceParent: fmt.Sprintf("00-4bf92f3577b34da6a3ce929d0e%06d-00f067aa0b%06d-01", number, number),
		Started:     at,
		Duration:    0.031 + float64(number%7)*0.012,
		Request: result.Request{Method: http.MethodGet, URL: iface + "/tasks", Header: http.Header{
			"Authorization": {"Bearer " + token(at)},
			"A2a-Version":   {"1.0"},
			"User-Agent":    {"pact-conform/0.1.0"},
		}},
		Curl: fmt.Sprintf(`curl -sS -i -H "Authorization: Bearer $(pact-conform token %s)" -H 'A2A-Version: 1.0' '%s/tasks'`, name, iface),
	})
	return &b.run.Exchanges[number-1]
}

// moment is the time of the run as a date.
func (b *builder) moment() time.Time { return Started.Add(time.Duration(b.at * float64(time.Second))) }

// exchange records a request of the case that was answered with the status, and returns its id.
func (b *builder) exchange(name string, status int) string {
	e := b.begin(name)
	e.Response = answer(status)
	if number := len(b.run.Exchanges); status == 200 && number%9 == 0 {
		message(e, number)
	}
	if status == 401 {
		e.Tags.Credential, e.Tags.Expect = "HS256, the published PEM as the secret", result.ExpectUnauthorized
	}
	b.at += 0.025
	return e.ID
}

// message makes the exchange a message:send that the agent answered.
func message(e *result.Exchange, number int) {
	e.Tags.Operation = "message:send"
	e.Turn, e.Replay = number%2 == 1, number%2 == 0
	e.Duration = 2.4
	e.Request.Method, e.Request.URL = http.MethodPost, iface+"/message:send"
	e.Request.Header.Set("Content-Type", "application/json")
	e.Request.Body = fmt.Sprintf(`{"message":{"messageId":"m-%d","role":"ROLE_USER","parts":[{"text":"I need help with my order."}]}}`, number)
	e.Request.BodyBytes = len(e.Request.Body)
	e.Response.Body = fmt.Sprintf(`{"message":{"messageId":"r-%d","contextId":"f0c12e6b-231e-4d92-a610-2518a0f27d20","role":"ROLE_AGENT","parts":[{"text":"Sure, what is the order number?"}]}}`, number)
	e.Response.BodyBytes = len(e.Response.Body)
}

func answer(status int) *result.Response {
	r := &result.Response{Proto: "HTTP/2.0", Status: status, Header: http.Header{"Date": {Started.Format(http.TimeFormat)}}}
	switch status {
	case 200:
		r.Header.Set("Content-Type", "application/a2a+json")
		r.Body = `{"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0}`
	case 400:
		r.Header.Set("Content-Type", "application/a2a+json")
		r.Body = `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"pageSize is no integer","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"INVALID_PARAMS","domain":"a2a-protocol.org"}]}}`
	case 401:
		r.Header.Set("WWW-Authenticate", `Bearer realm="a2a"`)
	case 502:
		r.Header.Set("Content-Type", "text/html; charset=utf-8")
		r.Body = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1></body>\n</html>\n"
	}
	r.BodyBytes = len(r.Body)
	return r
}

// token is a personal-agent JWT as the record keeps it: header and claims as they were, the signature gone.
func token(at time.Time) string {
	return jws(`{"alg":"ES256","kid":"primary-es256","typ":"JWT"}`,
		fmt.Sprintf(`{"iss":%q,"sub":"u-7f3a","aud":"aud-123","iat":%d,"exp":%d,"jti":"c0ffee"}`, issuer, at.Unix(), at.Unix()+120), "[signature-masked]")
}

func jws(header, claims, signature string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return strings.Join([]string{encode([]byte(header)), encode([]byte(claims)), signature}, ".")
}
