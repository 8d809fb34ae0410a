package provider

import (
	"context"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	embedded "github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/fixtures/scripteduser"
	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/result"
)

// target calls a Brand of the embedded Provider, which delegates.
type target struct {
	Caller
	*bench
	delegation *Delegation
	metadata   Metadata
	// keys is the Provider's JWK Set.
	keys []byte
}

// delegating starts an embedded Provider whose behaviour is changed by the changes, and a served personal agent
// that it knows.
func delegating(t *testing.T, vary ...func(*embedded.Behaviour)) *target {
	t.Helper()
	g := NewWithT(t)
	agents, err := agent.StartServer(agent.ServerOptions{Address: "127.0.0.1:0"})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { _ = agents.Close(context.Background()) })
	a := agent.New("primary", agents.BaseURL()+"/primary", ring())
	g.Expect(agents.Add(a)).To(Succeed())
	p, err := embedded.Start("127.0.0.1:0", embedded.Options{
		Agents:     []embedded.Registration{{Issuer: a.Issuer, Enabled: true}},
		Delegation: &embedded.Delegation{Interval: time.Second}, Vary: vary,
	})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { _ = p.Close() })
	b, brand := newBench(t), p.Brands()[0].ID
	made := &target{bench: b, Caller: NewCaller(t.Context(), b.Link, CallerOptions{
		Tags: result.Tags{Case: "PACT-0-01/case", Brand: "brand", Expect: result.ExpectAny},
		At:   Interface{URL: p.InterfaceURL(brand)}, Agent: a, User: "jane", Audience: p.Audience(), Plain: "Hello",
	})}
	made.delegation = ParseDelegation(made.Get(OperationCard, p.CardURL(brand)).Body)
	g.Expect(made.delegation).NotTo(BeNil())
	made.Get(OperationMetadata, made.delegation.MetadataURL).Into(&made.metadata)
	made.keys = made.Get(OperationKeys, made.metadata.JWKSURI).Body
	return made
}

// approve has the Brand's user jane allow what is asked for.
func approve(t *testing.T, link string) {
	t.Helper()
	NewWithT(t).Expect(scripteduser.New("jane", "secret").Approve(t.Context(), link)).To(Succeed())
}

// grant gets a token for scopes.
func (made *target) grant(t *testing.T, scopes ...string) TokenAnswer {
	t.Helper()
	var code DeviceCode
	made.Authorize(made.delegation, scopes...).Into(&code)
	approve(t, code.VerificationURIComplete)
	var token TokenAnswer
	made.Redeem(made.delegation, code.DeviceCode).Into(&token)
	NewWithT(t).Expect(token.Scope).To(Equal(strings.Join(scopes, " ")))
	return token
}
