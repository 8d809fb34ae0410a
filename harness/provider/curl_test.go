package provider

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
	cmd.Env = []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
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
