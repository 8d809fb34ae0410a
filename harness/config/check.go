package config

import (
	"fmt"
	"strings"
	"time"
)

// where is the source of a key's value, or of the nearest section around it that is there.
func (s *settings) where(place string) source {
	for ; place != ""; place = parent(place) {
		if v, ok := s.values[place]; ok && v.source != (source{}) {
			return v.source
		}
		if at, ok := s.sections[place]; ok {
			return at
		}
	}
	return source{file: s.file}
}

// missing reports whether a key has no value, and not because of a problem with the one that it was given.
func (s *settings) missing(place string) bool {
	_, there := s.values[place]
	return !there && !s.mentioned[place]
}

// check notes what is wrong between keys that are right by themselves.
func (s *settings) check(c *Config) {
	if other, ok := c.OtherBrand.Get(); ok && other.Card != "" && other.Card == c.Brand.Card {
		s.problem(s.where("otherBrand.card"), "otherBrand.card is brand.card: the second Brand must be another one (or none)")
	}
	if s.missing("agents.tls.cert") != s.missing("agents.tls.key") {
		s.problem(s.where("agents.tls"), "agents.tls needs cert and key together")
	}
	s.checkStatic(c.Agents)
	s.checkIssuers(c.Agents)
	s.checkUsers(c)
	if s.there("agents.register") {
		url, command := s.missing("agents.register.url"), s.missing("agents.register.command")
		if url == command {
			s.problem(s.where("agents.register"), "agents.register needs either url or command")
		}
	}
	// A Provider may cache a JWKS for ten minutes: a shorter wait would wrong it.
	const shortest = 10 * time.Minute
	if wait := c.Limits.WithdrawalWait; wait > 0 && wait <= shortest {
		s.problem(s.where("limits.withdrawalWait"), "limits.withdrawalWait must be more than %.0fs, for which a Provider may cache keys", shortest.Seconds())
	}
}

func (s *settings) checkStatic(a Agents) {
	if a.Mode != Static {
		return
	}
	if s.missing("agents.keys") {
		s.problem(s.where("agents.mode"), "agents.keys is missing: static mode signs with the key ring that `pact-conform keys` wrote")
	}
	if s.missing("agents.primary.issuer") {
		s.problem(s.where("agents.mode"), "agents.primary.issuer is missing: static mode needs the issuer whose JWKS you have published")
	}
}

// checkIssuers notes agents that share an issuer, and served ones that the server could not serve.
func (s *settings) checkIssuers(a Agents) {
	second, _ := a.Second.Get()
	disabled, _ := a.Disabled.Get()
	taken := map[string]string{}
	for _, agent := range []struct{ place, issuer string }{
		{"agents.primary.issuer", a.Primary.Issuer},
		{"agents.second.issuer", second.Issuer},
		{"agents.disabled.issuer", disabled.Issuer},
	} {
		if agent.issuer == "" {
			continue
		}
		if other, ok := taken[agent.issuer]; ok {
			s.problem(s.where(agent.place), "%s is %s: each agent needs an issuer of its own", agent.place, other)
		}
		taken[agent.issuer] = agent.place
		if a.Mode == Served && a.PublicURL != "" && agent.issuer != a.PublicURL && !strings.HasPrefix(agent.issuer, a.PublicURL+"/") {
			s.problem(s.where(agent.place), "%s must begin with agents.publicUrl, under which its keys are served", agent.place)
		}
	}
}

// checkUsers notes users whom Chromium cannot sign in, and such as are the same.
func (s *settings) checkUsers(c *Config) {
	taken := map[string]string{}
	for i, user := range c.Users {
		place := fmt.Sprintf("users[%d]", i)
		if !s.there(place) {
			continue
		}
		if !c.Browser.User.Manual && len(c.Browser.User.Hook) == 0 && s.missing(place+".password") {
			at, what := s.where(place), "missing"
			if empty, is := s.empty[place+".password"]; is {
				at, what = empty, "empty"
			}
			s.problem(at, "%s.password is %s: Chromium signs in with it (a person or a hook needs none)", place, what)
		}
		if other, ok := taken[user.Username]; ok && user.Username != "" {
			s.problem(s.where(place+".username"), "%s.username is that of %s: each must be somebody else", place, other)
		}
		taken[user.Username] = place
	}
}
