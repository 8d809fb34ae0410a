package main

import (
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
)

// tasks asks the Provider for tasks with the token, as somebody does who tries it out.
func tasks(t *testing.T, run *result.Run, token string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, run.Brand.Interface+"/tasks", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

func TestTokensOfARunAreMadeAgain(t *testing.T) {
	g := NewWithT(t)
	e := providing(t)
	g.Expect(call(t, e.dir, nil, "--only", "PACT-3.2-01,PACT-3.2-04").code).To(Equal(0))
	run := report(t, e.dir)

	right := call(t, e.dir, nil, "token", "right", "--sub", "u-1")
	g.Expect(right.code).To(Equal(0), right.stderr)
	g.Expect(right.stderr).To(BeEmpty())
	g.Expect(tasks(t, run, right.stdout)).To(Equal(http.StatusOK))
	g.Expect(tasks(t, run, call(t, e.dir, nil, "token", "PACT-3.2-04/pem").stdout)).To(Equal(http.StatusUnauthorized))
	g.Expect(tasks(t, run, call(t, e.dir, nil, "token", "PACT-5.3-04/hs256").stdout)).To(Equal(http.StatusUnauthorized), "a case of the other profile")
	g.Expect(tasks(t, run, call(t, e.dir, nil, "token", "PACT-3.2-01").stdout)).To(Equal(http.StatusOK), "it has one case")
	g.Expect(tasks(t, run, call(t, e.dir, nil, "token", "right", "--agent", "disabled").stdout)).To(Equal(http.StatusUnauthorized))

	t.Run("by the curl line of the report", func(t *testing.T) {
		g := NewWithT(t)
		if _, err := exec.LookPath("curl"); err != nil {
			t.Skip("there is no curl here")
		}
		for _, x := range run.Exchanges {
			if x.Tags.Case != "PACT-3.2-04/pem" || x.Tags.Expect != result.ExpectUnauthorized {
				continue
			}
			shell := command(t.Context(), e.dir, nil)
			shell.Path, shell.Args = "/bin/sh", []string{"sh", "-c", x.Curl}
			output, err := shell.CombinedOutput()
			g.Expect(err).NotTo(HaveOccurred(), string(output))
			g.Expect(string(output)).To(HavePrefix("HTTP/1.1 401 "))
			return
		}
		t.Error("the run has no exchange with the token")
	})
}

func TestATokenNeedsNoServer(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	taken, err := net.Listen("tcp", s.agents)
	g.Expect(err).NotTo(HaveOccurred())
	defer taken.Close()
	g.Expect(call(t, s.dir, nil, "token", "right").stdout).To(HavePrefix("ey"))
	g.Expect(s.count()).To(BeZero())
}

func TestATokenWithoutAKeyFileIsWarnedAbout(t *testing.T) {
	g := NewWithT(t)
	made := call(t, t.TempDir(), nil, "token", "right", "--card", "http://127.0.0.1:1/card", "--audience", "aud")
	g.Expect(made.code).To(Equal(0), made.stderr)
	g.Expect(lines(made.stdout)).To(ConsistOf(HavePrefix("ey")))
	g.Expect(lines(made.stderr)).To(ConsistOf(ContainSubstring("agents.keys")))

	foreign := call(t, t.TempDir(), nil, "token", "PACT-3.1-07/own-kid", "--card", "http://127.0.0.1:1/card", "--audience", "aud")
	g.Expect(foreign.code).To(Equal(result.ExitUsage))
}
