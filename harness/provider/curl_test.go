package provider

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
)

// shell runs a command line in sh, where curl prints its arguments, a NUL after each, and
// pact-conform prints its own between brackets.
func shell(t *testing.T, line string) []string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	for name, script := range map[string]string{
		"curl":         "#!/bin/sh\nprintf '%s\\0' \"$@\"\n",
		"pact-conform": "#!/bin/sh\nprintf '[%s]' \"$@\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(sh, "-c", line)
	cmd.Env = []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"),
		"DELEGATION_TOKEN=a delegation token", "REFRESH_TOKEN=a refresh token", "DEVICE_CODE=a device code"}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("%s: %v %s", line, err, complaints.String())
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestACurlLineRepeatsTheRequest(t *testing.T) {
	odd := `it's "quoted" $HOME $(touch x) ` + "`id`" + ` \ \\ ! * ? & | ; < > é` + "\n\ttwo lines"
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	caller := newBench(t).caller(t.Context(), server.URL)
	right := "Authorization: Bearer [token][right][--agent][primary][--sub][jane]"
	version := "A2a-Version: 1.0"
	for name, test := range map[string]struct {
		answer *Answer
		want   []string
	}{
		"a GET": {caller.Tasks("pageSize=1&x=a'b"), []string{"-sS", "-i", "-H", version, "-H", right, server.URL + "/tasks?pageSize=1&x=a'b"}},
		"a body with everything that a shell knows": {caller.SendBody("text/plain", []byte(odd)), []string{
			"-sS", "-i", "-X", "POST", "-H", version, "-H", right, "-H", "Content-Type: text/plain", "--data-raw", odd, server.URL + "/message:send",
		}},
		"a body that curl would take for a file": {caller.SendBody("text/plain", []byte("@/etc/passwd")), []string{
			"-sS", "-i", "-X", "POST", "-H", version, "-H", right, "-H", "Content-Type: text/plain", "--data-raw", "@/etc/passwd", server.URL + "/message:send",
		}},
		"a body without a type": {caller.SendBody("", []byte("x")), []string{
			"-sS", "-i", "-X", "POST", "-H", version, "-H", right, "-H", "Content-Type:", "--data-raw", "x", server.URL + "/message:send",
		}},
		"no body": {caller.SendBody("", nil), []string{"-sS", "-i", "-X", "POST", "-H", version, "-H", right, server.URL + "/message:send"}},
		"a body that is no text": {caller.SendBody("", []byte{0xff}), []string{
			"-sS", "-i", "-X", "POST", "-H", version, "-H", right, "-H", "Content-Type:", "--data-binary", "@body", server.URL + "/message:send",
		}},
		"a body with a zero byte": {caller.SendBody("", []byte("a\x00b")), []string{
			"-sS", "-i", "-X", "POST", "-H", version, "-H", right, "-H", "Content-Type:", "--data-binary", "@body", server.URL + "/message:send",
		}},
		"a long body": {caller.SendBody("", bytes.Repeat([]byte("a"), longestCurlBody+1)), []string{
			"-sS", "-i", "-X", "POST", "-H", version, "-H", right, "-H", "Content-Type:", "--data-binary", "@body", server.URL + "/message:send",
		}},
		"no token":      {caller.WithoutToken().Tasks(""), []string{"-sS", "-i", "-H", version, server.URL + "/tasks"}},
		"a wrong token": {caller.With(agent.NoKid()).Tasks(""), []string{"-sS", "-i", "-H", version, "-H", strings.Replace(right, "right", "PACT-0-01/case", 1), server.URL + "/tasks"}},
		"a header around the token": {
			caller.Authorization("odd", func(s string) string { return `b'e"a$r ` + s + "`" }).Tasks(""),
			[]string{"-sS", "-i", "-H", version, "-H", "Authorization: b'e\"a$r " + strings.TrimPrefix(right, "Authorization: Bearer ") + "`", server.URL + "/tasks"},
		},
		"a token in the query": {
			caller.Authorization("in the query", func(string) string { return "" }).
				Editing(func(r *http.Request, token string) { r.URL.RawQuery = "access_token=" + token }).Tasks(""),
			[]string{"-sS", "-i", "-H", version, server.URL + "/tasks?access_token=" + strings.TrimPrefix(right, "Authorization: Bearer ")},
		},
		"a sub with spaces": {caller.As("it's me").Tasks(""), []string{"-sS", "-i", "-H", version, "-H", strings.Replace(right, "jane", "it's me", 1), server.URL + "/tasks"}},
		"a journey": {
			func() *Answer {
				journey := caller.With(agent.RS256())
				journey.Tags.Case = "the Brand's card"
				return journey.Tasks("")
			}(),
			[]string{"-sS", "-i", "-H", version, "-H", right, server.URL + "/tasks"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			NewWithT(t).Expect(shell(t, test.answer.Exchange.Curl)).To(Equal(test.want))
		})
	}
}

// What a grant gave stands in no curl line: there is a variable to set, and the line is the same request again.
func TestACurlLineNamesWhatAGrantGave(t *testing.T) {
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	caller := newBench(t).caller(t.Context(), server.URL)
	const secret = "s3cret'of+the/grant="
	minted, err := caller.Mint()
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	right := "Authorization: Bearer [token][right][--agent][primary][--sub][jane]"
	own := strings.TrimPrefix(right, "Authorization: Bearer ")
	version := "A2a-Version: 1.0"
	d := &Delegation{TokenURL: server.URL + "/token"}
	revoke := Metadata{RevocationEndpoint: server.URL + "/revoke"}
	tasks := func(delegation string) []string {
		return []string{"-sS", "-i", "-H", version, "-H", right, "-H", "X-A2A-User-Delegation: " + delegation, server.URL + "/tasks"}
	}
	form := func(path string, data ...string) []string {
		return append(append([]string{"-sS", "-i", "-X", "POST", "-H", version, "-H", right, "-H", "Content-Type: " + mediaForm}, data...), server.URL+path)
	}
	client := "client_id=" + url.QueryEscape("https://pa.example")
	for name, test := range map[string]struct {
		answer *Answer
		want   []string
	}{
		"a delegation token":           {caller.Delegated(minted.Compact).Tasks(""), tasks("Bearer a delegation token")},
		"one that is opaque":           {caller.Delegated(secret).Tasks(""), tasks("Bearer a delegation token")},
		"one without a scheme":         {caller.Header(DelegationHeader, secret).Tasks(""), tasks("a delegation token")},
		"garbage":                      {caller.Delegated("garbage").Tasks(""), tasks("Bearer garbage")},
		"garbage without a scheme":     {caller.Header(DelegationHeader, "garbage").Tasks(""), tasks("garbage")},
		"the personal-agent JWT twice": {caller.WithToken(minted.Compact, "").Delegated(minted.Compact).Tasks(""), slices.Replace(tasks("Bearer "+strings.Replace(own, "right", "PACT-0-01/case", 1)), 5, 6, strings.Replace(right, "right", "PACT-0-01/case", 1))},
		"a device code": {caller.Redeem(d, secret), form("/token",
			"--data-raw", client, "--data-urlencode", "device_code=a device code", "--data-raw", "grant_type="+url.QueryEscape(GrantDeviceCode))},
		"a refresh token": {caller.Refresh(d, secret, "orders:read"), form("/token",
			"--data-raw", client+"&grant_type=refresh_token", "--data-urlencode", "refresh_token=a refresh token", "--data-raw", "scope=orders%3Aread")},
		"no refresh token": {caller.Refresh(d, ""), form("/token", "--data-raw", client+"&grant_type=refresh_token&refresh_token=")},
		"a revocation": {caller.Revoke(revoke, secret), form("/revoke",
			"--data-raw", client, "--data-urlencode", "token=a refresh token", "--data-raw", "token_type_hint=refresh_token")},
		"the revocation of a token": {caller.Form(OperationRevocation, revoke.RevocationEndpoint, url.Values{"token": {secret}, "token_type_hint": {"access_token"}}), form("/revoke",
			"--data-raw", client, "--data-urlencode", "token=a delegation token", "--data-raw", "token_type_hint=access_token")},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			g.Expect(shell(t, test.answer.Exchange.Curl)).To(Equal(test.want))
			for _, part := range []string{"s3cret", strings.Split(minted.Compact, ".")[2]} {
				g.Expect(test.answer.Exchange.Curl).NotTo(ContainSubstring(part))
			}
		})
	}
}
