package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

func TestCtrlCEndsTheRunInOrder(t *testing.T) {
	g := NewWithT(t)
	var once sync.Once
	asked, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	s := serving(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		// Messages hang, all else is answered: the run is in the middle.
		if strings.HasSuffix(r.URL.Path, "message:send") && r.Header.Get("Authorization") != "" {
			once.Do(func() { close(asked) })
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		next.ServeHTTP(w, r)
	})
	p := start(t, s.dir, nil, soon)
	p.until(t, "pact-conform ")
	select {
	case <-asked:
	case <-p.done:
		t.Fatal("the run ended before a message was sent")
	}
	p.interrupt(t)
	ran := p.end(t)
	g.Expect(ran.code).To(Equal(result.ExitError), ran.stdout+ran.stderr)
	g.Expect(ran.stdout).To(ContainSubstring("Interrupted"))
	g.Expect(ran.stdout).To(ContainSubstring("the run broke off: interrupted"))
	run := report(t, s.dir)
	g.Expect(run.Stopped).To(Equal("interrupted"))
	g.Expect(run.ExitCode).To(Equal(result.ExitError))
	var left []string
	for _, q := range run.Requirements {
		for _, c := range q.Cases {
			if c.Outcome == result.NotRun && c.Reason == "the run was interrupted" {
				left = append(left, c.Name)
			}
		}
	}
	g.Expect(left).NotTo(BeEmpty(), "the report says what was not done")
}

func TestAReportThatCannotBeWrittenAtTheEndIsAnError(t *testing.T) {
	g := NewWithT(t)
	var once sync.Once
	parent := filepath.Join(t.TempDir(), "reports")
	g.Expect(os.Mkdir(parent, 0o700)).To(Succeed())
	s := serving(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		once.Do(func() { // the folder is gone while the run goes on
			_ = os.Remove(parent)
			_ = os.WriteFile(parent, nil, 0o600)
		})
		next.ServeHTTP(w, r)
	})
	ran := call(t, s.dir, nil, "--only", "3.4", "--report-dir", filepath.Join(parent, "last"))
	g.Expect(ran.code).To(Equal(result.ExitError), ran.stdout+ran.stderr)
	g.Expect(lines(ran.stderr)).To(ConsistOf(ContainSubstring("reports/last")))
	g.Expect(ran.stdout).NotTo(ContainSubstring("Report:"))
}

func TestAnOldReportStaysUntilTheNewOne(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	g.Expect(call(t, s.dir, nil, "--only", "3.4").code).To(Equal(0))
	before := read(t, s.dir, "results.json")
	g.Expect(call(t, s.dir, nil, "--only", "nowhere").code).To(Equal(result.ExitUsage))
	g.Expect(read(t, s.dir, "results.json")).To(Equal(before))
}

func TestARegistrationThatFailsIsAnError(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	text, err := os.ReadFile(filepath.Join(s.dir, "pact-conform.yaml"))
	g.Expect(err).NotTo(HaveOccurred())
	// What the command leaves behind does not hold the run up.
	register := `  register: {command: [sh, -c, "sleep 20 & echo $REGISTRY_KEY is refused; exit 1"]}`
	s.configure(t, strings.Replace(string(text), "\nagents:\n", "\nagents:\n"+register+"\n", 1))
	s.add(t, `gateway: {headers: {X-Key: "${REGISTRY_KEY}"}}`)
	ran := call(t, s.dir, []string{"REGISTRY_KEY=key-of-the-registry"}, soon)
	g.Expect(ran.code).To(Equal(result.ExitError), ran.stdout+ran.stderr)
	g.Expect(lines(ran.stderr)).To(ConsistOf(And(ContainSubstring("agents.register"), ContainSubstring("is refused"), Not(ContainSubstring("key-of")))))
	g.Expect(s.count()).To(BeZero())
}

func TestARunWhoseTokensAreAllRefusedSaysWhatToLookAt(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	ran := call(t, s.dir, nil, soon, "--audience", "another")
	g.Expect(ran.code).To(Equal(result.ExitNotConformant))
	g.Expect(report(t, s.dir).Notes).To(ConsistOf(And(
		ContainSubstring("Has it registered http://"+s.agents+"/primary"), ContainSubstring("It did fetch the keys"),
	)))
	g.Expect(call(t, s.dir, nil, soon, "--only", "3.4").code).To(Equal(0))
	g.Expect(report(t, s.dir).Notes).To(BeEmpty())
}

func TestKeysThatTheProviderHasNotFetchedAreNamed(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil, func(b *provider.Behaviour) { b.Keys.Refetch = time.Hour })
	g.Expect(call(t, s.dir, nil, soon, "--only", "3.4").code).To(Equal(0))
	ran := call(t, s.dir, []string{"PACT_CONFORM_AGENTS_KEYS=other-keys.json"}, soon)
	g.Expect(ran.code).To(Equal(result.ExitUsage), "there is no such file")
	text, err := os.ReadFile(filepath.Join(s.dir, "pact-conform.yaml"))
	g.Expect(err).NotTo(HaveOccurred())
	s.configure(t, strings.Replace(string(text), "  keys:", "  # keys:", 1))
	call(t, s.dir, nil, soon)
	g.Expect(report(t, s.dir).Notes).To(ConsistOf(And(ContainSubstring("It did not fetch the keys"), ContainSubstring("agents.keys names a key file"))))
}

func TestNoSecretLeavesTheRun(t *testing.T) {
	g := NewWithT(t)
	const secret = "s3cret-of-the-gateway"
	s := serving(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Header.Get("X-Gateway-Key") != secret {
			http.Error(w, "the gateway's key is missing", http.StatusForbidden)
			return
		}
		// A careless gateway: it shows what it was sent.
		w.Header().Set("X-Seen", r.Header.Get("X-Gateway-Key")+" "+r.Header.Get("Authorization"))
		next.ServeHTTP(w, r)
	}, tooLong)
	s.add(t, "gateway: {headers: {X-Gateway-Key: \"${GATEWAY_KEY}\"}}")
	ran := call(t, s.dir, []string{"GATEWAY_KEY=" + secret}, soon, "--verbose")
	g.Expect(ran.code).To(Equal(result.ExitNotConformant), ran.stdout+ran.stderr)

	marks := map[string]string{secret: "key of the gateway"}
	for _, value := range s.authorization {
		token, _ := strings.CutPrefix(value, "Bearer ")
		if compact.MatchString(token) {
			marks[token[strings.LastIndexByte(token, '.')+1:]] = "token"
		}
	}
	g.Expect(len(marks)).To(BeNumerically(">", 100))
	private, err := os.ReadFile(filepath.Join(s.dir, keysFile))
	g.Expect(err).NotTo(HaveOccurred())
	for _, part := range privateParts(string(private)) {
		marks[part] = "private key"
	}
	nothingShows(t, s.dir, ran, marks)
}

// compact is a well-formed compact JWS with a signature that could be used.
var compact = regexp.MustCompile(`^ey[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{20,}$`)

// privateParts are the private members of the keys in a key file.
func privateParts(text string) []string {
	var parts []string
	for _, piece := range strings.Split(text, `"d": "`)[1:] {
		value, _, _ := strings.Cut(piece, `"`)
		parts = append(parts, value)
	}
	return parts
}
