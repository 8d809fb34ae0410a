package config

import (
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// get is the value of a key; the zero value when it has none.
func get[T any](s *settings, place string) T {
	var zero T
	if v := s.values[place]; v.parsed != nil {
		return v.parsed.(T)
	}
	return zero
}

func (s *settings) text(place string) string { return get[string](s, place) }

func (s *settings) word(place string) string { return s.values[place].word }

func (s *settings) there(section string) bool { _, ok := s.sections[section]; return ok }

// optional is a section that can be left out or declared to be none.
func optional[T any](s *settings, place string, build func(place string) T) Optional[T] {
	switch {
	case s.word(place) == "none":
		return Nothing[T]()
	case s.there(place):
		return Some(build(place))
	}
	return Optional[T]{}
}

// build makes a Config of settings; what a problem was noted for stays empty in it.
func (s *settings) build() *Config {
	c := &Config{File: s.file, secrets: s.secrets}
	if dir := filepath.Dir(s.file); s.file != "" && dir != "." {
		c.Dir = dir
	}
	c.Provider = Provider{
		Name:     s.text("provider.name"),
		Version:  s.text("provider.version"),
		Audience: s.text("provider.audience"),
		Policy:   Policy(s.word("provider.policy")),
	}
	c.Brand = Brand{Card: s.text("brand.card"), Name: s.text("brand.name"), UnknownCard: s.text("brand.unknownCard")}
	if s.word("brand.domain") == "none" {
		c.Brand.Domain = Nothing[string]()
	} else if domain := s.text("brand.domain"); domain != "" {
		c.Brand.Domain = Some(domain)
	}
	c.OtherBrand = optional(s, "otherBrand", func(place string) OtherBrand {
		return OtherBrand{Card: s.text(place + ".card"), Name: s.text(place + ".name")}
	})
	c.Gateway.Headers = get[map[string]Secret](s, "gateway.headers")
	c.Agents = s.agents(c.Dir)
	for i := range s.counts["users"] {
		place := fmt.Sprintf("users[%d]", i)
		c.Users = append(c.Users, User{
			Username: s.text(place + ".username"),
			Password: Secret(s.text(place + ".password")),
			TOTP:     Secret(s.text(place + ".totp")),
			ID:       s.text(place + ".id"),
		})
	}
	c.Prompts = s.prompts()
	if s.word("revoke") == "auto" {
		c.Revoke = Some(Revoke{})
	} else {
		c.Revoke = optional(s, "revoke", func(place string) Revoke { return Revoke{Command: s.command(place)} })
	}
	c.Browser = s.browser(c.Dir)
	c.Limits = Limits{
		Concurrency:    get[int](s, "limits.concurrency"),
		Rate:           get[float64](s, "limits.rate"),
		TurnTimeout:    get[time.Duration](s, "limits.turnTimeout"),
		RequestTimeout: get[time.Duration](s, "limits.requestTimeout"),
		MaxWait:        get[time.Duration](s, "limits.maxWait"),
		RotationWait:   get[time.Duration](s, "limits.rotationWait"),
		WithdrawalWait: get[time.Duration](s, "limits.withdrawalWait"),
	}
	c.Report.Dir = s.path("report.dir", c.Dir)
	for _, keys := range []string{c.Agents.Keys, c.Agents.TLS.Key} {
		if keys != "" {
			s.secrets.addKeyFile(keys)
		}
	}
	return c
}

func (s *settings) command(section string) []string { return get[[]string](s, section+".command") }

func (s *settings) agent(place string) Agent { return Agent{Issuer: s.text(place + ".issuer")} }

func (s *settings) agents(dir string) Agents {
	a := Agents{
		Mode:      Mode(s.word("agents.mode")),
		Listen:    s.text("agents.listen"),
		PublicURL: strings.TrimSuffix(s.text("agents.publicUrl"), "/"),
		TLS:       TLS{Cert: s.path("agents.tls.cert", dir), Key: s.path("agents.tls.key", dir)},
		Keys:      s.path("agents.keys", dir),
		ExtraKeys: get[bool](s, "agents.extraKeys"),
		Primary:   s.agent("agents.primary"),
		Second:    optional(s, "agents.second", s.agent),
		Disabled:  optional(s, "agents.disabled", s.agent),
		Register: optional(s, "agents.register", func(place string) Register {
			return Register{URL: s.text(place + ".url"), Command: s.command(place)}
		}),
	}
	if a.Mode != Served {
		return a
	}
	if a.PublicURL == "" {
		a.PublicURL = s.derivePublicURL(a)
	}
	if a.Primary.Issuer == "" && a.PublicURL != "" {
		a.Primary.Issuer = a.PublicURL + "/primary"
	}
	return a
}

// derivePublicURL makes the public URL of the address that is listened on, where that is one address.
func (s *settings) derivePublicURL(a Agents) string {
	host, _, err := net.SplitHostPort(a.Listen)
	if err != nil || s.mentioned["agents.publicUrl"] {
		return ""
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		s.problem(s.where("agents.listen"), "agents.listen is every address of this machine: agents.publicUrl must say which URL the Provider reaches it by")
		return ""
	}
	if a.TLS.Cert != "" {
		return "https://" + a.Listen
	}
	return "http://" + a.Listen
}

func (s *settings) prompts() Prompts {
	scope := func(place string) ScopePrompt {
		return ScopePrompt{Needs: s.text(place + ".needs"), Text: s.text(place + ".text")}
	}
	p := Prompts{
		Plain:  s.text("prompts.plain"),
		StepUp: optional(s, "prompts.stepUp", scope),
		Close: optional(s, "prompts.close", func(place string) ClosePrompt {
			return ClosePrompt{Text: s.text(place + ".text")}
		}),
		Memory: optional(s, "prompts.memory", func(place string) MemoryPrompt {
			return MemoryPrompt{
				Tell:   s.text(place + ".tell"),
				Ask:    s.text(place + ".ask"),
				Expect: get[*regexp.Regexp](s, place+".expect"),
			}
		}),
	}
	for i := range s.counts["prompts.scopes"] {
		p.Scopes = append(p.Scopes, scope(fmt.Sprintf("prompts.scopes[%d]", i)))
	}
	return p
}

func (s *settings) browser(dir string) Browser {
	chromium := s.text("browser.chromium")
	if strings.ContainsRune(chromium, filepath.Separator) {
		chromium = s.path("browser.chromium", dir)
	}
	return Browser{
		Chromium: chromium,
		User: BrowserUser{
			Manual: s.word("browser.user") == "manual",
			Hook:   get[[]string](s, "browser.user.hook"),
		},
	}
}
