package session_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/session"
)

func TestChromiumIsStartedWhereItIsNeededAndLeavesNothing(t *testing.T) {
	g := NewWithT(t)
	t.Setenv("TMPDIR", t.TempDir())
	c := load(t, "agents: {listen: \"ADDRESS\"}\nusers: [{username: jane, password: open-sesame}]\n")
	idle := playingWith(t, c, func(o *session.Options) { o.User = false })
	g.Expect(idle.Setup.Chromium).To(BeNil())
	g.Expect(idle.Close()).To(Succeed())

	s := playingWith(t, c)
	g.Expect(s.Setup.Chromium).NotTo(BeNil(), s.Setup.NoPages)
	g.Expect(os.ReadDir(os.TempDir())).To(ContainElement(HaveField("Name()", HavePrefix("pact-conform-chromium-"))))
	visit, err := s.Setup.Chromium.NewSession(t.Context(), browser.SessionOptions{})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.Close()).To(Succeed())
	g.Expect(visit.Close()).To(Succeed())
	g.Expect(os.ReadDir(os.TempDir())).NotTo(ContainElement(HaveField("Name()", HavePrefix("pact-conform-chromium-"))))
}

func TestAChromiumThatIsNamedMustBeThere(t *testing.T) {
	g := NewWithT(t)
	c := load(t, "agents: {listen: \"ADDRESS\"}\nbrowser: {chromium: /nowhere/chromium}\n")
	_, err := session.Open(t.Context(), c, session.Options{User: true})
	g.Expect(err).To(MatchError(And(ContainSubstring(`browser.chromium names "/nowhere/chromium"`), Not(ContainSubstring("\n")))))
	_, err = session.Open(t.Context(), c, session.Options{})
	g.Expect(err).NotTo(HaveOccurred(), "nobody needs it")
}

func TestAChromiumThatDoesNotStartIsNoEndOfTheRun(t *testing.T) {
	g := NewWithT(t)
	program := filepath.Join(t.TempDir(), "chromium")
	g.Expect(os.WriteFile(program, []byte("#!/bin/sh\necho a library is missing\nexit 127\n"), 0o700)).To(Succeed())
	s := playing(t, "browser: {chromium: "+program+"}")
	g.Expect(s.Setup.Chromium).To(BeNil())
	g.Expect(s.Setup.NoPages).To(And(HavePrefix("Chromium does not start"), ContainSubstring("a library is missing"), Not(ContainSubstring("\n"))))
}

// What is for the gateway goes with Chromium's requests to where the run itself sends it, and not to
// the Brand's own site.
func TestChromiumPassesTheGateway(t *testing.T) {
	g := NewWithT(t)
	seen := make(chan string, 20)
	page := func(name string) *httptest.Server {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/favicon.ico" {
				seen <- name + " got " + r.Header.Get("X-Gateway")
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<p>Hello"))
		}))
		t.Cleanup(server.Close)
		return server
	}
	provider, brand, other := page("Provider"), page("Brand"), page("other")
	c := load(t, "agents: {listen: \"ADDRESS\"}\ngateway: {headers: {X-Gateway: open-sesame}}\n")
	c.Brand.Domain = config.Some(strings.TrimPrefix(brand.URL, "http://"))
	s := playingWith(t, c)
	for _, url := range []string{provider.URL, brand.URL} { // as the run itself asks
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		g.Expect(err).NotTo(HaveOccurred())
		request.Header = s.Setup.Headers.Clone()
		answer, err := (&http.Client{Transport: s.Setup.Transport}).Do(request)
		g.Expect(err).NotTo(HaveOccurred())
		_ = answer.Body.Close()
		g.Expect(<-seen).To(HaveSuffix("got open-sesame"))
	}
	visit, err := s.Setup.Chromium.NewSession(t.Context(), browser.SessionOptions{})
	g.Expect(err).NotTo(HaveOccurred())
	defer visit.Close()
	for _, url := range []string{provider.URL + "/consent", brand.URL + "/login", other.URL} {
		_, err := visit.Open(t.Context(), url)
		g.Expect(err).NotTo(HaveOccurred())
	}
	g.Expect([]string{<-seen, <-seen, <-seen}).To(Equal([]string{"Provider got open-sesame", "Brand got ", "other got "}))
}
