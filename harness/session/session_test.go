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
	c, err := config.Load(file, func(string) (string, bool) { return "", false }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t *testing.T, c *config.Config) *session.Session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	s, err := session.Open(ctx, c, "test")
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
prompts: {close: {text: Bye}, memory: none}
limits: {maxWait: 7s}
`))
	g.Expect(s.Setup.Audience).To(Equal("aud-123"))
	g.Expect(s.Setup.Headers.Get("X-Gateway")).To(Equal("open-sesame"))
	g.Expect(s.Setup.Secrets).To(ContainElement("open-sesame"))
	g.Expect(s.Setup.Second).NotTo(BeNil())
	g.Expect(s.Setup.Disabled).To(BeNil())
	g.Expect(s.Setup.Prompts.Close).To(Equal("Bye"))
	g.Expect(s.Setup.Limits.MaxWait).To(Equal(7 * time.Second))
	g.Expect(s.Setup.Absent).To(HaveLen(3))
	g.Expect(s.Setup.Absent).To(HaveKeyWithValue(engine.NeedSecondBrand, "the configuration says otherBrand: none"))

	answer, err := http.Get(s.Setup.Primary.JWKSURI())
	g.Expect(err).NotTo(HaveOccurred())
	defer answer.Body.Close()
	g.Expect(answer.StatusCode).To(Equal(http.StatusOK))
}

func TestAPortInUseIsOneLine(t *testing.T) {
	g := NewWithT(t)
	c := load(t, `agents: {listen: "ADDRESS", publicUrl: "http://ADDRESS"}`)
	open(t, c)
	_, err := session.Open(context.Background(), c, "test")
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
	_, err := session.Open(context.Background(), c, "test")
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
	_, err = session.Open(context.Background(), c, "test")
	g.Expect(err).To(MatchError(And(ContainSubstring("exit status 3"), ContainSubstring("no such tenant"))))
}
