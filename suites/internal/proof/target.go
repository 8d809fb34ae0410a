// Package proof is what the tests of the suites have in common: an embedded Provider to run them
// against, and what fell. Only tests import it.
package proof

import (
	"context"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
)

// rings are the keys of the personal agents. RSA keys take long to make, so that all runs share them.
var rings = sync.OnceValues(func() (map[string]*agent.KeyRing, error) {
	made := map[string]*agent.KeyRing{}
	for _, role := range []string{"primary", "second", "disabled"} {
		ring, err := agent.NewKeyRing(true)
		if err != nil {
			return nil, err
		}
		made[role] = ring
	}
	return made, nil
})

// Target is an embedded Provider and the personal agents that it knows, over real HTTP.
type Target struct {
	Setup    engine.Setup
	Provider *provider.Server
}

// How long keys may take in a run: much less than with a real Provider, and still long enough for the
// slowest of the correct ones.
const (
	RotationWait   = 7 * time.Second
	WithdrawalWait = 6 * time.Second
)

// New starts a Provider, changed by the changes, and what a run against it needs.
func New(t testing.TB, change func(*provider.Options)) *Target {
	t.Helper()
	keys, err := rings()
	if err != nil {
		t.Fatal(err)
	}
	server, err := agent.StartServer(agent.ServerOptions{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close(context.Background()) })
	agents := map[string]*agent.Agent{}
	options := provider.Options{}
	for _, role := range []string{"primary", "second", "disabled"} {
		a := agent.New(role, server.BaseURL()+"/"+role, keys[role])
		if err := server.Add(a); err != nil {
			t.Fatal(err)
		}
		agents[role] = a
		options.Agents = append(options.Agents, provider.Registration{Issuer: a.Issuer, Enabled: role != "disabled"})
	}
	if change != nil {
		change(&options)
	}
	p, err := provider.Start("127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	brands := p.Brands()
	site := httptest.NewServer(p.BrandSite(brands[0].ID))
	t.Cleanup(site.Close)
	return &Target{Provider: p, Setup: engine.Setup{
		Version:    "test",
		Provider:   result.Provider{Name: "embedded"},
		Brand:      engine.Brand{Card: p.CardURL(brands[0].ID), Name: brands[0].Name, Domain: strings.TrimPrefix(site.URL, "http://")},
		OtherBrand: engine.Brand{Card: p.CardURL(brands[1].ID), Name: brands[1].Name},
		Audience:   p.Audience(), Open: p.Policy() == provider.Open,
		Primary: agents["primary"], Second: agents["second"], Disabled: agents["disabled"], Server: server,
		Prompts: engine.Prompts{
			Plain: "Hello, what can you help me with?", Close: "Goodbye, please close this conversation.",
			Memory: &engine.Memory{Tell: "My name is Ada.", Ask: "What is my name?", Expect: regexp.MustCompile("(?i)ada")},
		},
		Limits: engine.Limits{
			Concurrency: 8, TurnTimeout: 20 * time.Second, RequestTimeout: 10 * time.Second,
			MaxWait: RotationWait, RotationWait: RotationWait, WithdrawalWait: WithdrawalWait,
		},
	}}
}

// nobody observes nothing.
type nobody struct{}

func (nobody) Started(engine.Requirement, string)    {}
func (nobody) Ended(engine.Requirement, result.Case) {}

// Run runs a profile's cases and concludes.
func (target *Target) Run(t testing.TB, profile string, requirements []engine.Requirement, cases []*engine.Case) *result.Run {
	t.Helper()
	e, err := engine.New(requirements, cases)
	if err != nil {
		t.Fatal(err)
	}
	run := e.Run(context.Background(), target.Setup, nobody{})
	run.Conclude(profile)
	return run
}
