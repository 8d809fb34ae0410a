package provider

import (
	"io"
	"net/http"
	"net/url"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
)

func TestParseDelegation(t *testing.T) {
	const flow = `{"oauth2SecurityScheme":{"flows":{"deviceCode":{"deviceAuthorizationUrl":"d","tokenUrl":"t","scopes":{"a":"A"}}},"oauth2MetadataUrl":"m"}}`
	want := &Delegation{DeviceAuthorizationURL: "d", TokenURL: "t", MetadataURL: "m", Scopes: map[string]string{"a": "A"}}
	for name, test := range map[string]struct {
		body string
		want *Delegation
	}{
		"a flow":             {`{"securitySchemes":{"paJwt":{"httpAuthSecurityScheme":{}},"d":` + flow + `}}`, want},
		"the first by name":  {`{"securitySchemes":{"z":{"oauth2SecurityScheme":{"flows":{"deviceCode":{"tokenUrl":"z"}}}},"d":` + flow + `}}`, want},
		"another flow":       {`{"securitySchemes":{"d":{"oauth2SecurityScheme":{"flows":{"implicit":{}}}}}}`, nil},
		"odd types about it": {`{"name":7,"securitySchemes":{"x":"odd","d":{"oauth2SecurityScheme":{"flows":{"deviceCode":{"tokenUrl":"t","scopes":{"a":7}}}}}}}`, &Delegation{TokenURL: "t", Scopes: map[string]string{"a": ""}}},
		"none":               {`{}`, nil},
		"no JSON":            {`<h1>`, nil},
	} {
		t.Run(name, func(t *testing.T) { NewWithT(t).Expect(ParseDelegation([]byte(test.body))).To(Equal(test.want)) })
	}
}

func TestFormsOfTheOAuthEndpoints(t *testing.T) {
	g := NewWithT(t)
	var got *http.Request
	var form url.Values
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r
		form, _ = url.ParseQuery(string(body))
	})
	b := newBench(t)
	caller := b.caller(t.Context(), "https://elsewhere.example")
	d := &Delegation{DeviceAuthorizationURL: server.URL + "/device", TokenURL: server.URL + "/token"}

	asked := caller.Authorize(d, "orders:read", "orders:cancel")
	g.Expect(form).To(Equal(url.Values{"client_id": {"https://pa.example"}, "scope": {"orders:read orders:cancel"}}))
	g.Expect(got.URL.Path).To(Equal("/device"))
	g.Expect(got.Header.Get("Content-Type")).To(Equal("application/x-www-form-urlencoded"))
	g.Expect(got.Header.Get("Authorization")).To(HavePrefix("Bearer ey"))
	g.Expect(asked.Exchange.Tags.Operation).To(Equal(OperationDevice))

	poll := caller.Redeem(d, "dc_9f3c-and-more").Exchange
	g.Expect(form).To(Equal(url.Values{"client_id": {"https://pa.example"}, "grant_type": {GrantDeviceCode}, "device_code": {"dc_9f3c-and-more"}}))
	g.Expect(poll.Request.Body).NotTo(ContainSubstring("dc_9f3c"))
	g.Expect(poll.Curl).NotTo(ContainSubstring("dc_9f3c"))
	g.Expect(poll.Turn).To(BeFalse())

	caller.Refresh(d, "rt_1")
	g.Expect(form).To(Equal(url.Values{"client_id": {"https://pa.example"}, "grant_type": {GrantRefresh}, "refresh_token": {"rt_1"}}))
	caller.Refresh(d, "rt_secret-of-the-grant", "orders:read")
	g.Expect(form.Get("scope")).To(Equal("orders:read"))
	revoked := caller.Revoke(Metadata{RevocationEndpoint: server.URL + "/revoke"}, "rt_secret-of-the-grant").Exchange
	g.Expect(form).To(Equal(url.Values{"client_id": {"https://pa.example"}, "token": {"rt_secret-of-the-grant"}, "token_type_hint": {"refresh_token"}}))
	g.Expect(revoked.Request.Body).NotTo(ContainSubstring("rt_secret"))

	caller.Form(OperationToken, d.TokenURL, url.Values{"client_id": {""}, "x": {"y"}})
	g.Expect(form).To(Equal(url.Values{"x": {"y"}}))
	caller.By(agent.New("second", "https://second.example", ring())).Form(OperationToken, d.TokenURL, nil)
	g.Expect(form).To(Equal(url.Values{"client_id": {"https://second.example"}}))
}
