package session_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/session"
)

// load reads a configuration whose agents listen on a free port, with lines of its own behind.
func load(t *testing.T, lines string) *config.Config {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	file := filepath.Join(t.TempDir(), "pact-conform.yaml")
	text := "version: 1\nprovider: {audience: aud-123}\nbrand: {card: \"http://127.0.0.1:1/card\"}\n" +
		strings.ReplaceAll(lines, "ADDRESS", address)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{"NAME": "omar-the-secret"}
	c, err := config.Load(file, func(name string) (string, bool) { text, set := variables[name]; return text, set }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t *testing.T, c *config.Config) *session.Session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	s, err := session.Open(ctx, c, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestSetupFollowsTheConfiguration(t *testing.T) {
	g := NewWithT(t)
	s := open(t, load(t, `
otherBrand: none
gateway: {headers: {X-Gateway: open-sesame}}
agents: {listen: "ADDRESS", publicUrl: "http://ADDRESS", second: {issuer: "http://ADDRESS/second"}, disabled: none}
prompts: {close: {text: Bye}, memory: none, scopes: [{needs: "a:read", text: Read.}], stepUp: {needs: "a:write", text: Write.}}
revoke: none
limits: {maxWait: 7s}
`))
	g.Expect(s.Setup.Audience).To(Equal("aud-123"))
	g.Expect(s.Setup.Headers.Get("X-Gateway")).To(Equal("open-sesame"))
	g.Expect(s.Setup.Secrets).To(ContainElement("open-sesame"))
	g.Expect(s.Setup.Second).NotTo(BeNil())
	g.Expect(s.Setup.Disabled).To(BeNil())
	g.Expect(s.Setup.Prompts.Close).To(Equal("Bye"))
	g.Expect(s.Setup.Limits.MaxWait).To(Equal(7 * time.Second))
	g.Expect(s.Setup.Prompts.Scopes).To(Equal([]engine.ScopePrompt{{Needs: "a:read", Text: "Read."}}))
	g.Expect(s.Setup.Prompts.StepUp).To(Equal(&engine.ScopePrompt{Needs: "a:write", Text: "Write."}))
	g.Expect(s.Setup.Absent).To(HaveLen(4))
	g.Expect(s.Setup.Absent).To(HaveKeyWithValue(engine.NeedRevoke, "the configuration says revoke: none"))
	g.Expect(s.Setup.Absent).To(HaveKeyWithValue(engine.NeedSecondBrand, "the configuration says otherBrand: none"))

	answer, err := http.Get(s.Setup.Primary.JWKSURI())
	g.Expect(err).NotTo(HaveOccurred())
	defer answer.Body.Close()
	g.Expect(answer.StatusCode).To(Equal(http.StatusOK))
}

func TestAConnectionThatNobodyUsesKeepsNothingOpen(t *testing.T) {
	g := NewWithT(t)
	c := load(t, `agents: {listen: "ADDRESS"}`)
	s := open(t, c)
	unused, err := net.Dial("tcp", c.Agents.Listen)
	g.Expect(err).NotTo(HaveOccurred())
	defer unused.Close()
	// The server has accepted it once it answers another one.
	answer, err := http.Get(s.Setup.Primary.JWKSURI())
	g.Expect(err).NotTo(HaveOccurred())
	_ = answer.Body.Close()
	g.Expect(s.Close()).To(Succeed())
}

func TestAPortInUseIsOneLine(t *testing.T) {
	g := NewWithT(t)
	c := load(t, `agents: {listen: "ADDRESS", publicUrl: "http://ADDRESS"}`)
	open(t, c)
	_, err := session.Open(context.Background(), c, session.Options{})
	g.Expect(err).To(MatchError(And(ContainSubstring("in use"), ContainSubstring("agents.listen"), Not(ContainSubstring("\n")))))
}

// registrations is an endpoint where agents register themselves.
func registrations(t *testing.T, status int) (string, func() []map[string]string) {
	var seen []map[string]string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var members map[string]string
		_ = json.Unmarshal(body, &members)
		members["authorization"] = r.Header.Get("Authorization")
		seen = append(seen, members)
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []map[string]string { return seen }
}

func TestAgentsRegisterThemselves(t *testing.T) {
	g := NewWithT(t)
	url, seen := registrations(t, http.StatusCreated)
	s := open(t, load(t, `agents: {listen: "ADDRESS", publicUrl: "http://ADDRESS", second: {issuer: "http://ADDRESS/second"}, register: {url: "`+url+`"}}`))
	g.Expect(seen()).To(HaveLen(2))
	g.Expect(seen()[0]).To(HaveKeyWithValue("issuer", s.Setup.Primary.Issuer))
	g.Expect(seen()[0]).To(HaveKeyWithValue("jwksUri", s.Setup.Primary.JWKSURI()))
	g.Expect(seen()[0]["authorization"]).To(HavePrefix("Bearer ey"))
}

func TestARefusedRegistrationIsOneLine(t *testing.T) {
	g := NewWithT(t)
	url, _ := registrations(t, http.StatusForbidden)
	c := load(t, `agents: {listen: "ADDRESS", publicUrl: "http://ADDRESS", register: {url: "`+url+`"}}`)
	_, err := session.Open(context.Background(), c, session.Options{})
	g.Expect(err).To(MatchError(And(ContainSubstring("agents.register: the agent primary"), ContainSubstring("403"))))
}

func TestACommandRegistersTheAgents(t *testing.T) {
	g := NewWithT(t)
	out := filepath.Join(t.TempDir(), "seen")
	s := open(t, load(t, `agents: {listen: "ADDRESS", publicUrl: "http://ADDRESS", register: {command: [tee, `+out+`]}}`))
	seen, err := os.ReadFile(out)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(seen)).To(ContainSubstring(s.Setup.Primary.Issuer))

	c := load(t, `agents: {listen: "ADDRESS", publicUrl: "http://ADDRESS", register: {command: [sh, -c, "echo no such tenant; exit 3"]}}`)
	_, err = session.Open(context.Background(), c, session.Options{})
	g.Expect(err).To(MatchError(And(ContainSubstring("exit status 3"), ContainSubstring("no such tenant"))))
}

func TestACommandRevokesGrants(t *testing.T) {
	g := NewWithT(t)
	out := filepath.Join(t.TempDir(), "seen")
	grant := engine.Revocation{Issuer: "https://pa.example", User: "jane", GrantID: "g-1", RefreshToken: "rt_1"}
	s := open(t, load(t, "agents: {listen: \"ADDRESS\"}\nrevoke: {command: [tee, "+out+"]}"))
	g.Expect(s.Setup.Revoke(t.Context(), grant)).To(Succeed())
	seen, err := os.ReadFile(out)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(seen).To(MatchJSON(`{"issuer": "https://pa.example", "user": "jane", "grantId": "g-1", "refreshToken": "rt_1"}`))

	c := load(t, `
agents: {listen: "ADDRESS"}
users: [{username: jane, password: open-sesame}]
revoke: {command: [sh, -c, "echo open-sesame is wrong; exit 3"]}
`)
	err = open(t, c).Setup.Revoke(t.Context(), grant)
	g.Expect(err).To(MatchError(And(HavePrefix("revoke.command: sh: exit status 3: "), HaveSuffix("is wrong"), Not(ContainSubstring("sesame")))))

	g.Expect(open(t, load(t, `agents: {listen: "ADDRESS"}`)).Setup.Revoke).To(BeNil(), "the metadata says where")
}
