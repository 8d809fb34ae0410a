package browser

import (
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// serve is a server of pages, each by its path.
func serve(t testing.TB, handlers map[string]http.HandlerFunc) *httptest.Server {
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

// hang answers when the test is over, or the client gone, which is noticed once the body is read.
func hang(t *testing.T) http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
		case <-t.Context().Done():
		}
	}
}

const signInForm = `<form method="post"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>`

// expiring is a context whose deadline passes when over is closed.
type expiring struct {
	context.Context
	over <-chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.over }

func (e expiring) Err() error {
	select {
	case <-e.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// Each kind of trouble ends by itself, with its kind, one line that says what was seen, and a step
// with a picture where there is a page.
func TestTrouble(t *testing.T) {
	tls := httptest.NewUnstartedServer(text("secure"))
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	t.Cleanup(tls.Close)
	gone := httptest.NewServer(nil)
	gone.Close()
	file := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="grant.bin"`)
		_, _ = w.Write([]byte("data"))
	}
	const ask = `<label><input type=checkbox name=scope value="orders:read" checked>Look up your orders</label>`
	site := map[string]http.HandlerFunc{
		"/hang": hang(t),
		"/login": func(w http.ResponseWriter, r *http.Request) {
			html(w, `<title>In</title><p role=alert>`+r.FormValue("p")+`</p>`+signInForm)
		},
		"/stuck":         text(signInForm),
		"POST /stuck":    hang(t),
		"/inert":         text(`<form onsubmit="fetch('/over'); return false"><label>User <input></label><label>Password <input type=password></label><button>Sign in</button></form>`),
		"/empty":         text(`<title>Nothing</title><p>Nothing to see here.`),
		"/file":          file,
		"/tofile":        text(`<title>T</title><p>Your file comes.<script>location.href = '/file'</script>`),
		"/granted":       text(signInForm),
		"POST /granted":  file,
		"/insecure":      text(signInForm),
		"POST /insecure": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, tls.URL, http.StatusSeeOther) },
		"/spinner":       text(`<p>Loading <span id=s></span><script>let n = 0; setInterval(() => { s.textContent = '|/-\\'[n++ % 4] + n }, 50); fetch('/hang')</script>`),
		"/restless":      text(`<p id=p></p><script>let n = 0; setInterval(() => { p.textContent = 'abcdefghij'[++n % 10]; if (n == 40) fetch('/over') }, 30)</script>`),
		"/alerts":        text(`<script>let n = 0; while (true) { alert('Again'); if (++n == 3) fetch('/over') }</script>`),
		"/code":          text(`<form><label>Code from your authenticator <input name=otp autocomplete=one-time-code></label><button>Verify</button></form>`),
		"/consent":       text(`<p>https://pa.example.test wants <label><input type=checkbox name=scope value="orders:read" checked disabled>Look up your orders</label></p><form><button disabled>Allow</button><button>Deny</button></form>`),
		"/stubborn":      text(`<form><label><input type=checkbox name=scope value="orders:read" checked onclick="return false">Look up your orders</label><button>Allow</button><button>Deny</button></form>`),
		"/silent":        text(ask + `<button type=button>Allow</button><button type=button onclick="fetch('/over')">Deny</button>`),
		"/frozen":        text(ask + `<button type=button>Allow</button><button type=button onclick="fetch('/over', {keepalive: true}); while (true);">Deny</button>`),
	}
	who := Credentials{Username: "ada", Password: "a secret 123"}
	type play func(ctx context.Context, s *Session, origin string) error
	visit := func(link string) play {
		return func(ctx context.Context, s *Session, _ string) error {
			_, err := s.Open(ctx, link)
			return err
		}
	}
	open := func(path string) play {
		return func(ctx context.Context, s *Session, origin string) error { return visit(origin+path)(ctx, s, origin) }
	}
	signIn := func(path string) play {
		return func(ctx context.Context, s *Session, origin string) error {
			_, _, err := s.Reach(ctx, origin+path, who)
			return err
		}
	}
	decide := func(path string, decision Decision) play {
		return func(ctx context.Context, s *Session, origin string) error {
			if _, _, err := s.Reach(ctx, origin+path, Credentials{}); err != nil {
				return fmt.Errorf("not reached: %v", err)
			}
			_, err := s.Decide(ctx, decision)
			return err
		}
	}
	for name, c := range map[string]struct {
		do   play
		kind Kind
		saw  []string
		// over is the path whose request makes the deadline pass; blind says that there is no page to picture.
		over  string
		blind bool
	}{
		"a server that does not answer":      {open("/hang"), NotSettled, []string{"still waiting for GET", "/hang"}, "/hang", false},
		"no server":                          {visit(gone.URL), Unreachable, []string{"ERR_CONNECTION_REFUSED", gone.URL}, "", false},
		"a certificate nobody trusts":        {visit(tls.URL), Certificate, []string{"ERR_CERT"}, "", false},
		"such a certificate after the login": {signIn("/insecure"), Certificate, []string{"ERR_CERT", tls.URL}, "", false},
		"a file":                             {open("/file"), Download, []string{"grant.bin"}, "", false},
		"a page that becomes a file":         {signIn("/tofile"), Download, []string{"grant.bin"}, "", false},
		"a file in place of the consent":     {signIn("/granted"), Download, []string{"grant.bin"}, "", false},
		"a refused login":                    {signIn("/login"), LoginRefused, []string{"login page", "[masked]", `button "Sign in"`}, "", false},
		"a login that is never answered":     {signIn("/stuck"), NotSettled, []string{"POST", "/stuck"}, "POST /stuck", false},
		"a login that does nothing":          {signIn("/inert"), NotSettled, []string{`button "Sign in"`}, "/over", false},
		"a login that spins for ever":        {signIn("/spinner"), ConsentNotFound, []string{"Loading"}, "", false},
		"a page that never rests":            {signIn("/restless"), NotSettled, []string{"other page"}, "/over", false},
		"a page that asks and asks":          {open("/alerts"), NotSettled, []string{"does not answer"}, "/over", true},
		"a page that freezes":                {decide("/frozen", Deny()), NotSettled, []string{"does not answer"}, "/over", true},
		"no login and no consent":            {signIn("/empty"), ConsentNotFound, []string{"Nothing to see here.", "no controls"}, "", false},
		"a code that nobody can make":        {signIn("/code"), LoginNotFound, []string{"one-time code"}, "", false},
		"an approval that is disabled":       {decide("/consent", ApproveAll()), ApproveDisabled, []string{`disabled button "Allow"`}, "", false},
		"a box that cannot be unticked":      {decide("/stubborn", ApproveNone()), CheckboxNotFound, []string{"Look up your orders"}, "", false},
		"a control that does nothing":        {decide("/silent", Deny()), NotSettled, []string{`button "Deny"`}, "/over", false},
		"a decision on a page without one":   {func(ctx context.Context, s *Session, _ string) error { _, err := s.Decide(ctx, Deny()); return err }, ConsentNotFound, nil, "", false},
		"a held decision that never comes": {func(ctx context.Context, s *Session, origin string) error {
			if _, _, err := s.Reach(ctx, origin+"/silent", Credentials{}); err != nil {
				return err
			}
			_, err := s.HoldDecision(ctx, ApproveAll())
			return err
		}, NotHeld, []string{`button "Allow"`}, "", false},
		"an assertion that is never posted": {func(ctx context.Context, s *Session, origin string) error {
			_, err := s.HoldAssertion(ctx, origin+"/login", who, nil)
			return err
		}, NotHeld, []string{"login page"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gomega(t)
			s, err := shared.NewSession(t.Context(), SessionOptions{Name: t.Name(), Scopes: []Scope{readScope}, Sink: album})
			g.Expect(err).NotTo(HaveOccurred())
			defer func() { g.Expect(s.Close()).To(Succeed()) }()
			over := make(chan struct{})
			pages := maps.Clone(site)
			if c.over != "" {
				end := sync.OnceFunc(func() { close(over) })
				goOn := pages[c.over]
				pages[c.over] = func(w http.ResponseWriter, r *http.Request) {
					go func() {
						// The session hears of a request beside the server; from a page that hangs it never does.
						heard := func(q Request) bool { return q.Method == r.Method && strings.HasSuffix(q.URL, r.URL.Path) }
						tick := time.NewTicker(again)
						defer tick.Stop()
						for !c.blind && t.Context().Err() == nil && !slices.ContainsFunc(s.Requests(), heard) {
							<-tick.C
						}
						end()
					}()
					if goOn != nil {
						goOn(w, r)
					}
				}
			}
			web := serve(t, pages)
			err = c.do(expiring{t.Context(), over}, s, web.URL)
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
			g.Expect(len(last.PNG) > 0).To(Equal(!c.blind), "a picture of %q", last.Title)
		})
	}
}

// A step ends within the step's time, however it is spent, with what went wrong.
func TestAStepEndsInTime(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := serve(t, map[string]http.HandlerFunc{"/": text(`<p>Here<script>setTimeout(() => { while (true); }, 20)</script>`), "/hang": hang(t)})
	b := New(Options{Chromium: shared.options.Chromium, StepTimeout: 3 * time.Second})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	for _, path := range []string{"/hang", "/"} {
		s := openWith(t, b, SessionOptions{Sink: album})
		begun := time.Now()
		_, err := s.Open(t.Context(), web.URL+path)
		g.Expect(time.Since(begun)).To(BeNumerically("<", 4*time.Second))
		g.Expect(KindOf(err)).To(Equal(NotSettled), "%v", err)
	}
	// What the caller ends, ends at once.
	s := openWith(t, b, SessionOptions{Sink: album})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := s.Open(ctx, web.URL+"/hang")
	g.Expect(err).To(MatchError(context.Canceled))
}

// Nobody works on a page without a turn; they come in order, and waiting for one costs a step nothing.
func TestTurns(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	var at, most atomic.Int32
	let := make(chan struct{})
	web := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		most.Store(max(most.Load(), at.Add(1)))
		<-let
		at.Add(-1)
		html(w, "<title>Done</title>Done")
	}})
	b := New(Options{Chromium: shared.options.Chromium, Parallel: 1, StepTimeout: 20 * time.Second})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	first, second, third := openWith(t, b, SessionOptions{}), openWith(t, b, SessionOptions{}), openWith(t, b, SessionOptions{})
	opened := make(chan error, 2)
	for _, s := range []*Session{first, second} {
		go func() { _, err := s.Open(t.Context(), web.URL); opened <- err }()
	}
	g.Eventually(at.Load).Should(BeEquivalentTo(1))
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() { _, err := third.Open(ctx, web.URL); waiting <- err }()
	cancel()
	var err error
	g.Eventually(waiting).Should(Receive(&err))
	g.Expect(err).To(MatchError(context.Canceled))
	go func() { _, err := third.Open(t.Context(), web.URL); waiting <- err }()
	g.Expect(third.Close()).To(Succeed())
	g.Eventually(waiting).Should(Receive(&err))
	g.Expect(KindOf(err)).To(Equal(Closed))
	close(let)
	g.Eventually(opened).Should(Receive(BeNil()))
	g.Eventually(opened).Should(Receive(BeNil()))
	g.Expect(most.Load()).To(BeEquivalentTo(1))
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

// A page that is busy for ever with what the User does not need is worked all the same: it asks the
// server again and again, waits for news, counts down, opens windows and dialogs, and wants to be kept.
func TestABusyPageIsWorked(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	const busy = `<p>This page ends in <b id=left>9999</b> s <i id=turns>-</i></p><script>
		alert('Welcome'); addEventListener('beforeunload', e => e.preventDefault()); let n = 9999;
		setInterval(() => { left.textContent = --n; turns.textContent = '-/|'[n % 3]; fetch('/beat?' + n); fetch('/news', {method: 'POST', body: 'x'}) }, 30);
		</script>`
	const hung = `<script>fetch('/hang'); fetch('/hang', {method: 'POST', body: 'x'}); new EventSource('/hang'); new WebSocket('ws://' + location.host + '/hang'); new Image().src = '/hang'; window.open('/ad')</script>
		<script async src=/hang></script><iframe src=/hang width=300></iframe>`
	web := serve(t, map[string]http.HandlerFunc{
		"/hang": hang(t), "/beat": text(""), "POST /news": text(""), "/ad": text(`<title>Ad</title><p>Buy this.<script>alert('Buy')</script>`),
		"GET /in":        text(`<title>In</title>` + signInForm + busy + hung),
		"POST /in":       text(`<title>Grant</title><form method=post action=/decision><label><input type=checkbox value="orders:read" name=s>Orders</label><button name=d value=y>Allow</button><button>Deny</button></form>` + busy),
		"POST /decision": text(`<title>End</title><p>All done.` + busy),
	})
	s := openWith(t, shared, SessionOptions{Scopes: []Scope{readScope}})
	c, _, err := s.Reach(t.Context(), web.URL+"/in", ada)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Title).To(Equal("Grant"))
	g.Expect(c.Dialogs).To(ContainElements(`alert "Welcome"`, HavePrefix("beforeunload")))
	g.Expect(c.Windows).To(HaveLen(1))
	o, err := s.Decide(t.Context(), ApproveAll())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(o.Request.Fields).To(ConsistOf(Field{"s", "orders:read"}, Field{"d", "y"}))
	g.Expect(o.Page.Title).To(Equal("End"))
	begun := time.Now()
	g.Expect(s.Close()).To(Succeed(), "no dialog keeps the page open")
	g.Expect(time.Since(begun)).To(BeNumerically("<", closeTimeout))
}

// What does not start says why, soon, and leaves nothing.
func TestChromiumThatDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := func(name, body string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		program string
		within  time.Duration
		kind    Kind
		saw     string
	}{
		"no such program":        {filepath.Join(dir, "nothing"), time.Minute, NoChromium, "browser.chromium names"},
		"one that is no program": {script("text", "exit 0", 0o600), time.Minute, NoChromium, "cannot be run"},
		"one that fails":         {script("fails", "echo cannot open shared object libfoo >&2; exit 3", 0o700), time.Minute, NotStarted, "libfoo (exit status 3)"},
		"one that ends at once":  {script("ends", "exit 0", 0o700), time.Minute, NotStarted, "printed nothing"},
		"one that crashes":       {script("crashes", "kill -SEGV $$", 0o700), time.Minute, Crashed, "segmentation fault"},
		"one that hangs":         {script("hangs", "sleep 600 & wait", 0o700), time.Second, NotStarted, "no answer within 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			g := gomega(t)
			parent := t.TempDir()
			b := New(Options{Chromium: c.program, StartTimeout: c.within, parent: parent})
			_, err := b.NewSession(t.Context(), SessionOptions{})
			g.Expect(KindOf(err)).To(Equal(c.kind), "%v", err)
			g.Expect(err.Error()).To(ContainSubstring(c.saw))
			g.Expect(strings.Count(err.Error(), "\n")).To(BeZero())
			g.Expect(filepath.Glob(filepath.Join(parent, "*"))).To(BeEmpty())
			g.Eventually(func() int { return processesWith(t, parent) }).Should(BeZero())
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
