package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// environment is a Lookup over fixed variables.
func environment(variables map[string]string) Lookup {
	return func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

var nothingSet = environment(nil)

var fullEnvironment = map[string]string{
	"GATEWAY_KEY": "gw-key-1", "BRAND_USER": "jane@brand.example", "BRAND_PASSWORD": "correct horse", "BRAND_PASSWORD_2": "battery",
}

// write puts a file with the content into a fresh folder and makes that the working directory.
func write(t *testing.T, content string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(DefaultFile, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoadTakesEveryKey(t *testing.T) {
	g := NewWithT(t)
	c, err := Load("testdata/full.yaml", environment(fullEnvironment), nil)
	g.Expect(err).NotTo(HaveOccurred())

	g.Expect(c.File).To(Equal("testdata/full.yaml"))
	g.Expect(c.Dir).To(Equal("testdata"))
	g.Expect(c.Provider).To(Equal(Provider{Name: "Example Provider", Version: "2026.10", Audience: "aud-123", Policy: Open}))
	g.Expect(c.Brand).To(Equal(Brand{
		Card:        "https://provider.example.com/a2a/01J/.well-known/agent-card.json",
		Name:        "Example Co.",
		Domain:      Some("brand.example"),
		UnknownCard: "https://provider.example.com/a2a/01X/.well-known/agent-card.json",
	}))
	g.Expect(c.OtherBrand).To(Equal(Some(OtherBrand{
		Card: "https://provider.example.com/a2a/01K/.well-known/agent-card.json", Name: "Other Co.",
	})))
	g.Expect(c.Gateway).To(Equal(Gateway{Headers: map[string]Secret{"X-Staging-Key": "gw-key-1"}}))
	g.Expect(c.Agents).To(Equal(Agents{
		Mode:      Served,
		Listen:    "0.0.0.0:8700",
		PublicURL: "https://agents.example.com",
		TLS:       TLS{Cert: filepath.Join("testdata", "tls", "cert.pem"), Key: "/etc/tls/key.pem"},
		Keys:      filepath.Join("testdata", "pact-keys.json"),
		ExtraKeys: false,
		Primary:   Agent{Issuer: "https://agents.example.com/one"},
		Second:    Some(Agent{Issuer: "https://agents.example.com/two"}),
		Disabled:  Some(Agent{Issuer: "https://agents.example.com/off"}),
		Register:  Some(Register{URL: "https://provider.example.com/register"}),
	}))
	g.Expect(c.Users).To(Equal([]User{
		{Username: "jane@brand.example", Password: "correct horse", TOTP: "JBSWY3DPEHPK3PXP", ID: "jane-4471"},
		{Username: "joe", Password: "joe-battery-${x}"},
	}))
	memory, ok := c.Prompts.Memory.Get()
	g.Expect(ok).To(BeTrue())
	g.Expect(memory.Expect.MatchString("You are ADA.")).To(BeTrue())
	c.Prompts.Memory = Optional[MemoryPrompt]{}
	g.Expect([]string{memory.Tell, memory.Ask}).To(Equal([]string{"My name is Ada.", "What is my name?"}))
	g.Expect(c.Prompts).To(Equal(Prompts{
		Plain:  "Hello.",
		Scopes: []ScopePrompt{{Needs: "orders:read", Text: "What is the status of my last order?"}},
		StepUp: Some(ScopePrompt{Needs: "refunds:issue", Text: "Please refund my last order."}),
		Close:  Some(ClosePrompt{Text: "Goodbye."}),
	}))
	g.Expect(c.Revoke).To(Equal(Some(Revoke{Command: []string{"./revoke.sh", "Hello."}})))
	g.Expect(c.Browser).To(Equal(Browser{
		Chromium: filepath.Join("testdata", "bin", "chromium"),
		User:     BrowserUser{Hook: []string{"./approve.sh"}},
	}))
	g.Expect(c.Limits).To(Equal(Limits{
		Concurrency: 4, Rate: 2.5, TurnTimeout: 90 * time.Second, RequestTimeout: 10 * time.Second,
		MaxWait: time.Minute, RotationWait: 45 * time.Second, WithdrawalWait: 20 * time.Minute,
	}))
	g.Expect(c.Report).To(Equal(Report{Dir: filepath.Join("testdata", "out", "report")}))
}

func TestLoadWithoutAFile(t *testing.T) {
	g := NewWithT(t)
	t.Chdir(t.TempDir())
	card := "https://provider.example.com/a2a/01J/.well-known/agent-card.json"
	c, err := Load("", nothingSet, Overrides{"card": card, "audience": "aud-123"})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Secrets()).To(BeEmpty())
	c.secrets = nil
	g.Expect(c).To(Equal(&Config{
		Provider: Provider{Audience: "aud-123", Policy: Allowlist},
		Brand:    Brand{Card: card},
		Agents: Agents{
			Mode: Served, Listen: "127.0.0.1:8700", PublicURL: "http://127.0.0.1:8700", ExtraKeys: true,
			Primary: Agent{Issuer: "http://127.0.0.1:8700/primary"},
		},
		Prompts: Prompts{Plain: "Hello, what can you help me with?"},
		Revoke:  Some(Revoke{}),
		Limits: Limits{
			Concurrency: 8, TurnTimeout: 2 * time.Minute, RequestTimeout: 20 * time.Second,
			MaxWait: 100 * time.Second, RotationWait: 90 * time.Second, WithdrawalWait: 11 * time.Minute,
		},
		Report: Report{Dir: "pact-conform-report"},
	}))
}

func TestUnsetIsNotNone(t *testing.T) {
	const least = "version: 1\nprovider: {audience: aud-123}\nbrand: {card: \"https://p.example/card\""
	states := func(c *Config) []State {
		return []State{
			c.OtherBrand.State(), c.Agents.Second.State(), c.Agents.Disabled.State(), c.Brand.Domain.State(),
			c.Prompts.Close.State(), c.Prompts.Memory.State(), c.Agents.Register.State(), c.Revoke.State(),
		}
	}
	for name, test := range map[string]struct {
		content string
		want    []State
	}{
		"left out": {least + "}\n", []State{Unset, Unset, Unset, Unset, Unset, Unset, Unset, Set}},
		"left empty": {
			least + ", domain: }\notherBrand:\nagents: {second: , disabled: ~, register: \"\"}\nprompts: {close: , memory: null}\nrevoke:\n",
			[]State{Unset, Unset, Unset, Unset, Unset, Unset, Unset, Set},
		},
		"none": {
			least + ", domain: none}\notherBrand: none\nagents: {second: none, disabled: none, register: none}\nprompts: {close: none, memory: none}\nrevoke: none\n",
			[]State{None, None, None, None, None, None, None, None},
		},
		"none from a variable": {
			least + ", domain: \"${IT}\"}\notherBrand: ${IT}\nagents: {second: none, disabled: none, register: none}\nprompts: {close: none, memory: none}\nrevoke: ${IT}\n",
			[]State{None, None, None, None, None, None, None, None},
		},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, test.content)
			c, err := Load("", environment(map[string]string{"IT": "none"}), nil)
			g := NewWithT(t)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(states(c)).To(Equal(test.want))
			g.Expect(c.Secrets()).To(BeEmpty(), "none is no secret, wherever it came from")
		})
	}
}

func TestFlagsWinOverEnvironmentOverFile(t *testing.T) {
	g := NewWithT(t)
	write(t, `version: 1
provider: {audience: from-file, name: From File}
brand: {card: "https://p.example/file"}
otherBrand: none
browser: {user: {hook: [./approve.sh]}}
limits: {maxWait: 1m, concurrency: 2, turnTimeout: 30s}
`)
	env := environment(map[string]string{
		"PACT_CONFORM_PROVIDER_AUDIENCE": "from-environment", "PACT_CONFORM_BRAND_CARD": "https://p.example/environment",
		"PACT_CONFORM_LIMITS_MAX_WAIT": "2m", "PACT_CONFORM_LIMITS_CONCURRENCY": "3", "PACT_CONFORM_BROWSER_USER": "manual",
		"PACT_CONFORM_AGENTS_SECOND_ISSUER": "http://127.0.0.1:8700/second", "PACT_CONFORM_BRAND_NAME": "",
	})
	c, err := Load("", env, Overrides{
		"card": "https://p.example/flag", "other-card": "https://p.example/other", "concurrency": "1", "report-dir": "elsewhere",
	})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Provider).To(Equal(Provider{Name: "From File", Audience: "from-environment", Policy: Allowlist}))
	g.Expect(c.Brand.Card).To(Equal("https://p.example/flag"))
	g.Expect(c.OtherBrand).To(Equal(Some(OtherBrand{Card: "https://p.example/other"})), "a flag replaces the file's none")
	g.Expect(c.Browser.User).To(Equal(BrowserUser{Manual: true}), "a word replaces the file's section")
	g.Expect(c.Agents.Second).To(Equal(Some(Agent{Issuer: "http://127.0.0.1:8700/second"})))
	g.Expect(c.Limits.Concurrency).To(Equal(1))
	g.Expect(c.Limits.MaxWait).To(Equal(2 * time.Minute))
	g.Expect(c.Limits.TurnTimeout).To(Equal(30 * time.Second))
	g.Expect(c.Report.Dir).To(Equal("elsewhere"))
}

func TestPublicURLFollowsTheAddress(t *testing.T) {
	const least = "version: 1\nprovider: {audience: aud-123}\nbrand: {card: \"https://p.example/card\"}\n"
	for agents, want := range map[string]string{
		"{listen: \"localhost:9000\"}":                                "http://localhost:9000",
		"{listen: \"[::1]:9000\"}":                                    "http://[::1]:9000",
		"{listen: \"localhost:9000\", tls: {cert: c.pem, key: k}}":    "https://localhost:9000",
		"{listen: \":9000\", publicUrl: \"https://a.example/base/\"}": "https://a.example/base",
	} {
		t.Run(agents, func(t *testing.T) {
			g := NewWithT(t)
			write(t, least+"agents: "+agents+"\n")
			c, err := Load("", nothingSet, nil)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(c.Agents.PublicURL).To(Equal(want))
			g.Expect(c.Agents.Primary.Issuer).To(Equal(want + "/primary"))
		})
	}
}

func TestSecretsAreCollectedAndNeverPrinted(t *testing.T) {
	g := NewWithT(t)
	write(t, `version: 1
provider: {audience: aud-123, name: "${SHORT}"}
brand: {card: "https://${HOST}/card"}
gateway: {headers: {X-Key: literal-key, X-Env: qa}}
agents: {keys: keys.json, tls: {cert: cert.pem, key: key.pem}, mode: "${MODE}", extraKeys: "${SWITCH}"}
limits: {rate: "${RATE}", maxWait: "${WAIT}", turnTimeout: "${WAIT}"}
revoke: {command: [./revoke.sh, "${ARGUMENT}"]}
users: [{username: jane, password: literal-password, totp: JBSWY3DPEHPK3PXP}]
`)
	g.Expect(os.WriteFile("keys.json", []byte(`{"primary": {"keys": [{"kty": "EC", "x": "public-x", "d": "private-d"}]}}`), 0o600)).To(Succeed())
	g.Expect(os.WriteFile("key.pem", []byte("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\nAg==\n-----END PRIVATE KEY-----\n"), 0o600)).To(Succeed())
	c, err := Load("", environment(map[string]string{
		"HOST": "staging.p.example", "SHORT": "abc", "ARGUMENT": "argument",
		"MODE": "served", "SWITCH": "true", "RATE": "1000", "WAIT": "1000s", // never secret
	}), nil)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Secrets()).To(ConsistOf(
		"staging.p.example", "argument", "literal-key", "literal-password", "JBSWY3DPEHPK3PXP", "private-d", "MIGHAgEAMBMGByqGSM49"))
	for i := 1; i < len(c.Secrets()); i++ {
		g.Expect(len(c.Secrets()[i-1])).To(BeNumerically(">=", len(c.Secrets()[i])), "longest first")
	}

	encoded, err := json.Marshal(c)
	g.Expect(err).NotTo(HaveOccurred())
	for _, printed := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), fmt.Sprintf("%+v", *c), string(encoded)} {
		for _, secret := range []string{"literal-key", "literal-password", "JBSWY3DPEHPK3PXP", "private-d"} {
			g.Expect(printed).NotTo(ContainSubstring(secret))
		}
		g.Expect(printed).To(ContainSubstring(stars))
	}
}

func TestProblemsCanBeReadOneByOne(t *testing.T) {
	g := NewWithT(t)
	write(t, "version: 1\nprovider: {audience: a, policy: shut}\nbrand: {card: ftp://x}\n")
	_, err := Load("", nothingSet, nil)
	var problems Problems
	g.Expect(errors.As(err, &problems)).To(BeTrue())
	g.Expect(problems).To(HaveLen(2))
	g.Expect(problems[0].File).To(Equal(DefaultFile))
	g.Expect(problems[0].Line).To(Equal(2))
	g.Expect(strings.Count(err.Error(), "\n")).To(Equal(1))
}
