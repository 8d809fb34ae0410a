package browser

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// mine is a site whose pages lead to a consent and on. Once it is laid, the next request for a path
// does something instead of being answered.
type mine struct {
	*http.ServeMux
	hang http.HandlerFunc
	path string
	does atomic.Pointer[func()]
}

func (m *mine) lay(path string, does func()) { m.path = path; m.does.Store(&does) }

func (m *mine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == m.path {
		if does := m.does.Swap(nil); does != nil {
			(*does)()
			m.hang(w, r)
			return
		}
	}
	m.ServeMux.ServeHTTP(w, r)
}

func layMine(t *testing.T) (m *mine, origin string) {
	m = &mine{ServeMux: http.NewServeMux(), hang: hang(t)}
	const boxes = `<label><input type=checkbox value="orders:read" name=s checked>Orders</label>`
	m.Handle("GET /login", text(`<title>Login</title>`+signInForm))
	m.Handle("POST /login", text(`<title>Grant</title><form method=post action=/decision>`+boxes+`<button name=d value=y>Allow</button><button>Deny</button></form>`))
	m.Handle("POST /decision", text(`<title>End</title><p>All done.`))
	m.Handle("GET /slow", text(`<title>Grant</title><form>`+boxes+`<button type=button onclick="fetch('/asked')">Allow</button><button type=button>Deny</button></form>`))
	return m, serve(t, map[string]http.HandlerFunc{"/": m.ServeHTTP}).URL
}

// deaths are the ways in which a session loses its page.
var deaths = map[string]func(t *testing.T, s *Session){
	"the page": func(t *testing.T, s *Session) { end(t, s.running.profile.dir, "--type=renderer") },
	"Chromium": func(_ *testing.T, s *Session) { endGroup(s.running.group) },
}

// end ends processes of the test: those of the group in which one has the text in its command line
// that themselves have the other.
func end(t *testing.T, of, text string) {
	t.Helper()
	groups := map[int]bool{}
	for _, p := range processes(t) {
		if strings.Contains(p.line, of) {
			groups[p.group] = true
		}
	}
	for _, p := range processes(t) {
		if groups[p.group] && strings.Contains(p.line, text) {
			if process, err := os.FindProcess(p.pid); err == nil {
				_ = process.Kill()
			}
		}
	}
}

// strikes are the moments at which it does: when a request comes of a step.
var strikes = map[string]struct {
	path   string
	before func(ctx context.Context, s *Session, origin string) error
	during func(ctx context.Context, s *Session, origin string) error
}{
	"open": {"/login", nothing, func(ctx context.Context, s *Session, origin string) error {
		_, err := s.Open(ctx, origin+"/login")
		return err
	}},
	"sign in": {"/login", func(ctx context.Context, s *Session, origin string) error {
		_, err := s.Open(ctx, origin+"/login")
		return err
	}, func(ctx context.Context, s *Session, _ string) error {
		_, err := s.SignIn(ctx, ada)
		return err
	}},
	"decide": {"/decision", reached, func(ctx context.Context, s *Session, _ string) error {
		_, err := s.Decide(ctx, ApproveAll())
		return err
	}},
	"hold a decision": {"/asked", func(ctx context.Context, s *Session, origin string) error {
		_, err := s.Open(ctx, origin+"/slow")
		return err
	}, func(ctx context.Context, s *Session, _ string) error {
		_, err := s.HoldDecision(ctx, ApproveAll())
		return err
	}},
	"hold an assertion": {"/login", nothing, func(ctx context.Context, s *Session, origin string) error {
		_, err := s.HoldAssertion(ctx, origin+"/login", ada, nil)
		return err
	}},
	"send": {"/decision", nothing, func(ctx context.Context, s *Session, origin string) error {
		_, err := s.Send(ctx, Draft{Method: http.MethodPost, URL: origin + "/decision", Navigation: true})
		return err
	}},
	"frame": {"/login", nothing, func(ctx context.Context, s *Session, origin string) error {
		_, err := s.Frame(ctx, Get(origin+"/login"))
		return err
	}},
}

func nothing(context.Context, *Session, string) error { return nil }

func reached(ctx context.Context, s *Session, origin string) error {
	_, _, err := s.Reach(ctx, origin+"/login", ada)
	return err
}

// A Chromium that dies takes its sessions with it, and one whose page dies is of no more use: whatever
// the session does then, or was doing, is told to have crashed. The next session gets another.
func TestCrashes(t *testing.T) {
	t.Parallel()
	for who, dies := range deaths {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			b := New(Options{Chromium: shared.options.Chromium})
			t.Cleanup(func() { NewWithT(t).Expect(b.Close()).To(Succeed()) })
			for when, c := range strikes {
				t.Run(when, func(t *testing.T) {
					g := gomega(t)
					web, origin := layMine(t)
					s := openWith(t, b, SessionOptions{Scopes: []Scope{readScope}, Sink: album})
					g.Expect(c.before(t.Context(), s, origin)).To(Succeed())
					web.lay(c.path, func() { dies(t, s) })
					hasCrashed(g, c.during(t.Context(), s, origin))
					hasCrashed(g, c.during(t.Context(), s, origin)) // and says so ever after
					steps := album.of(t.Name())
					g.Expect(steps[len(steps)-1].Name).To(HaveSuffix(string(Crashed)))
				})
			}
			t.Run("between steps", func(t *testing.T) {
				g := gomega(t)
				_, origin := layMine(t)
				s := openWith(t, b, SessionOptions{Scopes: []Scope{readScope}})
				g.Expect(reached(t.Context(), s, origin)).To(Succeed())
				held, err := s.HoldDecision(t.Context(), ApproveAll())
				g.Expect(err).NotTo(HaveOccurred())
				dies(t, s)
				for err == nil { // it strikes any one of these calls
					_, err = s.Cookies(t.Context(), origin)
				}
				hasCrashed(g, err)
				hasCrashed(g, held.Drop(t.Context()))
				_, err = held.Continue(t.Context())
				hasCrashed(g, err)
				_, err = s.Page(t.Context())
				hasCrashed(g, err)
				g.Expect(s.Close()).To(Succeed())
				_, err = s.Page(t.Context())
				g.Expect(KindOf(err)).To(Equal(Closed))
			})
			t.Run("while it closes", func(t *testing.T) {
				g := gomega(t)
				s := openWith(t, b, SessionOptions{})
				dies(t, s)
				g.Expect(s.Close()).To(Succeed())
			})
		})
	}
}

func hasCrashed(g *WithT, err error) {
	g.Expect(KindOf(err)).To(Equal(Crashed), "%v", err)
	g.Expect(err.Error()).NotTo(ContainSubstring("\n"))
}

// While a session is opened Chromium may die at any moment: the session is there, or is told to have
// crashed.
func TestCrashWhileASessionIsOpened(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	b := New(Options{Chromium: shared.options.Chromium})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	g.Expect(b.Start(t.Context())).To(Succeed())
	first := b.running
	begun := time.Now()
	g.Expect(openWith(t, b, SessionOptions{}).Close()).To(Succeed())
	usual := time.Since(begun)
	const moments = 4
	for i := range moments {
		g.Expect(b.Start(t.Context())).To(Succeed())
		struck := b.running
		strike := time.AfterFunc(usual*time.Duration(i)/moments, func() { endGroup(struck.group) })
		s, err := b.NewSession(t.Context(), SessionOptions{})
		strike.Stop()
		if err == nil { // it came too late, or before, and another was started
			g.Expect(s.Close()).To(Succeed())
			continue
		}
		hasCrashed(g, err)
	}
	g.Expect(openWith(t, b, SessionOptions{}).Close()).To(Succeed())
	g.Expect(b.running).NotTo(Equal(first))
	g.Expect(first.profile.dir).NotTo(BeADirectory())
}

// A Chromium that dies while it starts is told from one that does not start.
func TestCrashAtTheStart(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	parent := t.TempDir()
	b := New(Options{Chromium: shared.options.Chromium, parent: parent})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	started := make(chan error, 1)
	go func() { started <- b.Start(t.Context()) }()
	g.Eventually(func() int { return processesWith(t, parent) }).WithPolling(time.Millisecond).ShouldNot(BeZero())
	end(t, parent, parent)
	err := <-started
	hasCrashed(g, err)
	g.Expect(filepath.Glob(filepath.Join(parent, "*"))).To(BeEmpty())
	g.Expect(b.Start(t.Context())).To(Succeed(), "the next one starts")
}
