package provider

import (
	"net/http"
	"slices"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/harness/agent"
)

// forge sends every forgery of a token and returns the names of those that are let through. The rest gets 401
// invalid_token, and the token itself is accepted before and after (§5.5).
func (made *target) forge(t *testing.T) (accepted []string) {
	t.Helper()
	g := NewWithT(t)
	token := made.grant(t, "orders:read").AccessToken
	for _, f := range agent.Forgeries() {
		forged, err := made.Agent.Forge(f.Name, token, made.keys)
		g.Expect(err).NotTo(HaveOccurred(), f.Name)
		answer := made.Delegated(forged.Compact).Ask()
		if answer.Status == http.StatusOK {
			accepted = append(accepted, f.Name)
			continue
		}
		g.Expect(answer.Status).To(Equal(http.StatusUnauthorized), f.Name)
		g.Expect(answer.Header.Get("WWW-Authenticate")).To(Equal(`Bearer realm="a2a", error="invalid_token"`), f.Name)
		g.Expect(made.Delegated(token).Ask().Status).To(Equal(http.StatusOK))
	}
	return accepted
}

func TestForgeriesAreRefused(t *testing.T) {
	NewWithT(t).Expect(delegating(t).forge(t)).To(BeEmpty())
}

// Each way to trust too much lets its own forgeries through.
func TestForgeriesAreAcceptedByWhomTheyAreFor(t *testing.T) {
	hmac := []string{"hs256-pem", "hs256-der", "hs256-jwk", "hs256-coordinate", "hs256-coordinate-text"}
	var all []string
	for _, f := range agent.Forgeries() {
		all = append(all, f.Name)
	}
	for name, want := range map[string][]string{
		"delegation-unverified":   all,
		"delegation-alg-none":     {"alg-none"},
		"delegation-hs256-pem":    {"hs256-pem"},
		"delegation-hs256-public": hmac,
		"delegation-jwk-trusted":  {"jwk", "jwk-provider-kid"},
		"delegation-x5c-trusted":  {"x5c", "x5c-provider-kid"},
		"delegation-jku-trusted":  {"jku", "jku-provider-kid"},
		"delegation-x5u-trusted":  {"x5u", "x5u-provider-kid"},
		"delegation-by-agent":     {"agent-kid", "provider-kid", "no-kid"},
	} {
		t.Run(name, func(t *testing.T) {
			defect, found := defects.Find(name)
			NewWithT(t).Expect(found).To(BeTrue())
			accepted := delegating(t, defect.Apply).forge(t)
			slices.Sort(accepted)
			NewWithT(t).Expect(accepted).To(Equal(slices.Sorted(slices.Values(want))))
		})
	}
}
