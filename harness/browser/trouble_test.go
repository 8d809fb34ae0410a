package browser

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// serve is a server of pages, each by its path.
func serve(t *testing.T, handlers map[string]http.HandlerFunc) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	for path, handler := range handlers {
		mux.HandleFunc(path, handler)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server
}

func text(page string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { html(w, page) }
}

// hang answers when the test is over.
func hang(t *testing.T) http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-t.Context().Done():
		}
	}
}

const signInForm = `<form method="post"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>`

// Each kind of trouble ends by itself, with its kind, one line that says what was seen, and a step.
func TestTrouble(t *testing.T) {
	tls := httptest.NewUnstartedServer(text("secure"))
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	t.Cleanup(tls.Close)
	gone := httptest.NewServer(nil)
	gone.Close()
	web := serve(t, map[string]http.HandlerFunc{
		"/hang": hang(t),
		"/login": func(w http.ResponseWriter, r *http.Request) {
			html(w, `<title>In</title><p role=alert>`+r.FormValue("p")+`</p>`+signInForm)
		},
		"POST /stuck": hang(t),
		"GET /stuck":  text(signInForm),
		"GET /inert":  text(`<form onsubmit="return false"><label>User <input></label><label>Password <input type=password></label><button>Sign in</button></form>`),
		"/empty":      text(`<title>Nothing</title><p>Nothing to see here.`),
		"/file": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="grant.bin"`)
			_, _ = w.Write([]byte("data"))
		},
		"/tofile": text(`<title>T</title><p>Your file comes.<script>location.href = '/file'</script>`),
		"/code":   text(`<form><label>Code from your authenticator <input name=otp autocomplete=one-time-code></label><button>Verify</button></form>`),
		"/consent": text(`<p>https://pa.example.test wants <label><input type=checkbox name=scope value="orders:read" checked disabled>Look up your orders</label></p>
			<form><button disabled>Allow</button><button>Deny</button></form>`),
		"/stubborn": text(`<form><label><input type=checkbox name=scope value="orders:read" checked onclick="return false">Look up your orders</label><button>Allow</button><button>Deny</button></form>`),
		"/silent":   text(`<label><input type=checkbox name=scope value="orders:read" checked>Look up your orders</label><button type=button>Allow</button><button type=button>Deny</button>`),
	})
	signIn := func(path string) func(context.Context, *Session) error {
		return func(ctx context.Context, s *Session) error {
			_, _, err := s.Reach(ctx, web.URL+path, Credentials{Username: "ada", Password: "a secret 123"})
			return err
		}
	}
	decide := func(path string, decision Decision) func(context.Context, *Session) error {
		return func(ctx context.Context, s *Session) error {
			if _, _, err := s.Reach(ctx, web.URL+path, Credentials{}); err != nil {
				return fmt.Errorf("not reached: %v", err)
			}
			_, err := s.Decide(ctx, decision)
			return err
		}
	}
	visit := func(link string) func(context.Context, *Session) error {
		return func(ctx context.Context, s *Session) error {
			_, err := s.Open(ctx, link)
			return err
		}
	}
	for name, c := range map[string]struct {
		do   func(context.Context, *Session) error
		kind Kind
		saw  []string
	}{
		"a server that does not answer":    {visit(web.URL + "/hang"), NotSettled, []string{"still waiting for GET", "/hang"}},
		"no server":                        {visit(gone.URL), Unreachable, []string{"ERR_CONNECTION_REFUSED", gone.URL}},
		"a certificate nobody trusts":      {visit(tls.URL), Certificate, []string{"ERR_CERT"}},
		"a file":                           {visit(web.URL + "/file"), Download, []string{"grant.bin"}},
		"a page that becomes a file":       {signIn("/tofile"), Download, []string{"grant.bin"}},
		"a refused login":                  {signIn("/login"), LoginRefused, []string{"login page", "[masked]", `button "Sign in"`}},
		"a login that is never answered":   {signIn("/stuck"), NotSettled, []string{"POST", "/stuck"}},
		"a login that does nothing":        {signIn("/inert"), NotSettled, []string{`button "Sign in"`}},
		"no login and no consent":          {signIn("/empty"), ConsentNotFound, []string{"Nothing to see here.", "no controls"}},
		"a code that nobody can make":      {signIn("/code"), LoginNotFound, []string{"one-time code"}},
		"an approval that is disabled":     {decide("/consent", ApproveAll()), ApproveDisabled, []string{`disabled button "Allow"`}},
		"a box that cannot be unticked":    {decide("/stubborn", ApproveNone()), CheckboxNotFound, []string{"Look up your orders"}},
		"a control that does nothing":      {decide("/silent", Deny()), NotSettled, []string{`button "Deny"`}},
		"a decision on a page without one": {func(ctx context.Context, s *Session) error { _, err := s.Decide(ctx, Deny()); return err }, ConsentNotFound, nil},
		"a held decision that never comes": {func(ctx context.Context, s *Session) error {
			if _, _, err := s.Reach(ctx, web.URL+"/silent", Credentials{}); err != nil {
				return err
			}
			_, err := s.HoldDecision(ctx, Deny())
			return err
		}, NotHeld, []string{`button "Deny"`}},
		"an assertion that is never posted": {func(ctx context.Context, s *Session) error {
			_, err := s.HoldAssertion(ctx, web.URL+"/login", Credentials{Username: "ada", Password: "a secret 123"}, nil)
			return err
		}, NotHeld, []string{"login page"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gomega(t)
			s, err := shared.NewSession(t.Context(), SessionOptions{Name: t.Name(), Scopes: []Scope{readScope}, Sink: album})
			g.Expect(err).NotTo(HaveOccurred())
			defer func() { g.Expect(s.Close()).To(Succeed()) }()
			limit := 20 * time.Second
			if c.kind == NotSettled {
				limit = 4 * time.Second
			}
			err = c.do(within(t, limit), s)
			g.Expect(KindOf(err)).To(Equal(c.kind), "%v", err)
			g.Expect(err.Error()).NotTo(ContainSubstring("\n"))
			g.Expect(err.Error()).NotTo(ContainSubstring("a secret 123"))
			for _, part := range c.saw {
				g.Expect(err.Error()).To(ContainSubstring(part))
			}
			steps := album.of(t.Name())
			g.Expect(steps).NotTo(BeEmpty())
			last := steps[len(steps)-1]
			g.Expect(last.Name).To(HavePrefix("trouble: "))
		})
	}
}

// Dialogs are answered, a window that opens is worked, and both are told.
func TestDialogsAndWindows(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := serve(t, map[string]http.HandlerFunc{
		"GET /":       text(`<title>Start</title><button onclick="alert('Mind the gap'); window.open('/window')">Continue</button>`),
		"GET /window": text(`<title>Window</title><form method=post action=/done>` + signInForm[len(`<form method="post">`):]),
		"POST /done":  text(`<title>Grant</title><form method=post action=/end><label><input type=checkbox value="orders:read" name=s checked>Orders</label><button name=d value=y>Allow</button><button>Deny</button></form>`),
		"POST /end":   text(`<title>End</title><p>All done.<script>window.close()</script>`),
	})
	s := open(t, readScope)
	c, _, err := s.Reach(t.Context(), web.URL, ada)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Title).To(Equal("Grant"))
	g.Expect(c.Dialogs).To(ConsistOf(`alert "Mind the gap"`))
	g.Expect(c.Windows).To(HaveLen(1))
	o, err := s.Decide(t.Context(), ApproveAll())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(o.Request.URL).To(HaveSuffix("/end"))
	g.Expect(o.Request.Fields).To(ConsistOf(Field{"s", "orders:read"}, Field{"d", "y"}))
}

// A Chromium that dies takes its sessions with it, and the next session gets another; one whose page
// dies is told so.
func TestCrashes(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := serve(t, map[string]http.HandlerFunc{"/": text("<title>Here</title>"), "/hang": hang(t)})
	b := New(Options{Chromium: shared.options.Chromium, StepTimeout: 20 * time.Second})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	page := openWith(t, b, SessionOptions{})
	_, err := page.Open(t.Context(), "chrome://crash")
	g.Expect(KindOf(err)).To(Equal(Crashed), "%v", err)

	s := openWith(t, b, SessionOptions{})
	first := b.running
	opened := make(chan error, 1)
	go func() { _, err := s.Open(t.Context(), web.URL+"/hang"); opened <- err }()
	g.Eventually(func() []Request { return s.Requests() }).WithTimeout(15 * time.Second).ShouldNot(BeEmpty())
	endGroup(first.group)
	g.Eventually(opened).WithTimeout(15 * time.Second).Should(Receive(MatchError(ContainSubstring(string(Crashed)))))
	g.Eventually(first.alive).WithTimeout(15 * time.Second).Should(BeFalse())

	again := openWith(t, b, SessionOptions{})
	p, err := again.Open(t.Context(), web.URL)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.Title).To(Equal("Here"))
	g.Expect(first.profile.dir).NotTo(BeADirectory())
}

// What does not start says why, soon.
func TestChromiumThatDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		program string
		kind    Kind
		saw     string
	}{
		"no such program": {filepath.Join(dir, "nothing"), NoChromium, "browser.chromium names"},
		"one that fails":  {script("fails", "echo cannot open shared object libfoo >&2; exit 3"), NotStarted, "libfoo"},
		"one that hangs":  {script("hangs", "exec sleep 600"), NotStarted, "no answer within 2s"},
	} {
		t.Run(name, func(t *testing.T) {
			g := gomega(t)
			b := New(Options{Chromium: c.program, StartTimeout: 2 * time.Second})
			_, err := b.NewSession(t.Context(), SessionOptions{})
			g.Expect(KindOf(err)).To(Equal(c.kind), "%v", err)
			g.Expect(err.Error()).To(ContainSubstring(c.saw))
			g.Expect(strings.Count(err.Error(), "\n")).To(BeZero())
			g.Expect(b.Close()).To(Succeed())
		})
	}
}

// Without any Chromium one line says how to install it.
func TestNoChromiumAtAll(t *testing.T) {
	g := gomega(t)
	t.Setenv("PATH", t.TempDir())
	for system := range places {
		kept := places[system]
		places[system] = nil
		defer func() { places[system] = kept }()
	}
	_, err := Find("")
	g.Expect(KindOf(err)).To(Equal(NoChromium))
	g.Expect(err.Error()).To(ContainSubstring("chromium-headless-shell"))
	g.Expect(err.Error()).To(ContainSubstring("install"))
}

// A closed session, and a closed browser, say so.
func TestClosed(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	s := open(t)
	g.Expect(s.Close()).To(Succeed())
	_, err := s.Open(t.Context(), "http://127.0.0.1:1/")
	g.Expect(KindOf(err)).To(Equal(Closed), "%v", err)
	b := New(Options{})
	g.Expect(b.Close()).To(Succeed())
	_, err = b.NewSession(t.Context(), SessionOptions{})
	g.Expect(KindOf(err)).To(Equal(Closed))
}
