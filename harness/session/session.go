// Package session makes the set-up of a run out of its configuration, and keeps it up while the run
// lasts: the personal agents' keys, the server of their JWKS, their registration, and who plays the User.
package session

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/clock"
	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Session is an open set-up. Close ends it.
type Session struct {
	Setup engine.Setup
}

// Options are how a session is opened, besides the configuration.
type Options struct {
	// Version is the tool's, as requests name it.
	Version string
	// User is set where cases want the User to decide or pages to be read: only then is Chromium looked for.
	User bool
	// Out is where a person who plays the User is told what to do.
	Out io.Writer
	// Clock tells the time; nil is the machine's.
	Clock clock.Clock
}

// Open loads or makes the keys, starts the JWKS server in served mode, registers the agents where
// the configuration says how, and gets hold of who plays the User. The error is one line, made for the
// user. The context is that of the run.
func Open(ctx context.Context, c *config.Config, o Options) (*Session, error) {
	setup, err := Prepare(c, o.Version)
	if err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	setup.Clock, setup.Users = o.Clock, brandUsers(ctx, c, o.Clock)
	s := &Session{Setup: setup}
	if c.Agents.Mode == config.Served {
		if err := s.serve(c); err != nil {
			return nil, err
		}
	}
	if err := s.register(ctx, c); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if o.User {
		if err := s.play(ctx, c, o); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// Prepare is the set-up without anything that others could see: keys are loaded or made, but nothing
// is served and nobody is registered. It is enough to make tokens.
func Prepare(c *config.Config, version string) (engine.Setup, error) {
	setup := describe(c)
	setup.Version = version
	agents, err := loadAgents(c)
	if err != nil {
		return engine.Setup{}, err
	}
	setup.Primary, setup.Second, setup.Disabled = agents[rolePrimary], agents[roleSecond], agents[roleDisabled]
	return setup, nil
}

// Close ends Chromium and stops the JWKS server.
func (s *Session) Close() error {
	var closing []error
	if s.Setup.Chromium != nil {
		closing = append(closing, s.Setup.Chromium.Close())
	}
	if s.Setup.Server != nil {
		const patience = 2 * time.Second
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		closing = append(closing, s.Setup.Server.Close(ctx))
	}
	return errors.Join(closing...)
}

// describe is what of the set-up is plain data.
func describe(c *config.Config) engine.Setup {
	s := engine.Setup{
		Provider: result.Provider{Name: c.Provider.Name, Version: c.Provider.Version, Policy: string(c.Provider.Policy)},
		Brand:    engine.Brand{Card: c.Brand.Card, Name: c.Brand.Name}, UnknownCard: c.Brand.UnknownCard,
		Audience: c.Provider.Audience, Open: c.Provider.Policy == config.Open,
		Prompts: engine.Prompts{Plain: c.Prompts.Plain},
		Absent:  map[string]string{},
		Limits: engine.Limits{
			Concurrency: c.Limits.Concurrency, Rate: c.Limits.Rate,
			TurnTimeout: c.Limits.TurnTimeout, RequestTimeout: c.Limits.RequestTimeout,
			MaxWait: c.Limits.MaxWait, RotationWait: c.Limits.RotationWait, WithdrawalWait: c.Limits.WithdrawalWait,
		},
		Settings: result.Settings{Concurrency: c.Limits.Concurrency, MaxWait: c.Limits.MaxWait.Seconds()},
		Secrets:  c.Secrets(),
		Headers:  http.Header{},
		Revoke:   revoking(c),
	}
	for name, value := range c.Gateway.Headers {
		s.Headers.Set(name, string(value))
	}
	if domain, ok := c.Brand.Domain.Get(); ok {
		s.Brand.Domain = domain
	}
	if other, ok := c.OtherBrand.Get(); ok {
		s.OtherBrand = engine.Brand{Card: other.Card, Name: other.Name}
	}
	for _, scope := range c.Prompts.Scopes {
		s.Prompts.Scopes = append(s.Prompts.Scopes, engine.ScopePrompt(scope))
	}
	if stepUp, ok := c.Prompts.StepUp.Get(); ok {
		s.Prompts.StepUp = (*engine.ScopePrompt)(&stepUp)
	}
	if closing, ok := c.Prompts.Close.Get(); ok {
		s.Prompts.Close = closing.Text
	}
	if memory, ok := c.Prompts.Memory.Get(); ok {
		s.Prompts.Memory = &engine.Memory{Tell: memory.Tell, Ask: memory.Ask, Expect: memory.Expect}
	}
	absent(&s, engine.NeedBrandDomain, "brand.domain", c.Brand.Domain.State())
	absent(&s, engine.NeedSecondBrand, "otherBrand", c.OtherBrand.State())
	absent(&s, engine.NeedSecondAgent, "agents.second", c.Agents.Second.State())
	absent(&s, engine.NeedDisabledAgent, "agents.disabled", c.Agents.Disabled.State())
	absent(&s, engine.NeedRevoke, "revoke", c.Revoke.State())
	absent(&s, engine.NeedPromptClose, "prompts.close", c.Prompts.Close.State())
	absent(&s, engine.NeedPromptMemory, "prompts.memory", c.Prompts.Memory.State())
	return s
}

// absent notes what the configuration declares that the Provider has not.
func absent(s *engine.Setup, need, key string, state config.State) {
	if state == config.None {
		s.Absent[need] = "the configuration says " + key + ": none"
	}
}

// The roles of the personal agents.
const (
	rolePrimary  = "primary"
	roleSecond   = "second"
	roleDisabled = "disabled"
)

// loadAgents are the personal agents by role, with keys from the key file or fresh ones.
func loadAgents(c *config.Config) (map[string]*agent.Agent, error) {
	issuers := map[string]string{rolePrimary: c.Agents.Primary.Issuer}
	if second, ok := c.Agents.Second.Get(); ok {
		issuers[roleSecond] = second.Issuer
	}
	if disabled, ok := c.Agents.Disabled.Get(); ok {
		issuers[roleDisabled] = disabled.Issuer
	}
	var rings map[string]*agent.KeyRing
	if c.Agents.Keys != "" {
		loaded, err := agent.LoadKeyRings(c.Agents.Keys)
		if err != nil {
			return nil, err
		}
		rings = loaded
	}
	agents := map[string]*agent.Agent{}
	for role, issuer := range issuers {
		ring := rings[role]
		switch {
		case ring != nil && !c.Agents.ExtraKeys:
			ring = ring.WithoutExtraKeys()
		case ring == nil && rings != nil:
			return nil, fmt.Errorf("key file %s has no ring for the agent %s", c.Agents.Keys, role)
		case ring == nil:
			fresh, err := agent.NewKeyRing(c.Agents.ExtraKeys)
			if err != nil {
				return nil, fmt.Errorf("keys of the agent %s: %w", role, err)
			}
			ring = fresh
		}
		agents[role] = agent.New(role, issuer, ring)
	}
	return agents, nil
}

// serve starts the JWKS server for all agents.
func (s *Session) serve(c *config.Config) error {
	options := agent.ServerOptions{Address: c.Agents.Listen}
	if c.Agents.TLS.Cert != "" {
		pair, err := tls.LoadX509KeyPair(c.Agents.TLS.Cert, c.Agents.TLS.Key)
		if err != nil {
			return fmt.Errorf("agents.tls: %w", err)
		}
		options.Certificate = &pair
	}
	server, err := agent.StartServer(options)
	if err != nil {
		return fmt.Errorf("%w; agents.listen names another address", err)
	}
	s.Setup.Server = server
	for _, a := range []*agent.Agent{s.Setup.Primary, s.Setup.Second, s.Setup.Disabled} {
		if a != nil {
			if err := server.Add(a); err != nil {
				return errors.Join(err, s.Close())
			}
		}
	}
	return nil
}
