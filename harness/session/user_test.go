package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/session"
)

// playing opens a session for a run that needs the User.
func playing(t *testing.T, lines string, change ...func(*session.Options)) *session.Session {
	t.Helper()
	return playingWith(t, load(t, "agents: {listen: \"ADDRESS\"}\n"+lines), change...)
}

func playingWith(t *testing.T, c *config.Config, change ...func(*session.Options)) *session.Session {
	t.Helper()
	o := session.Options{User: true}
	for _, set := range change {
		set(&o)
	}
	s, err := session.Open(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// hand is a clock that is moved by those who wait.
type hand struct {
	mu  sync.Mutex
	now time.Time
}

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hand) Wait(ctx context.Context, d time.Duration) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	h.now = h.now.Add(d)
	return nil
}

func TestOneTimeCodesAreThoseOfTheTimeAndUsedOnce(t *testing.T) {
	g := NewWithT(t)
	// The secret, times and codes of RFC 6238, appendix B (the last six digits).
	at := &hand{now: time.Unix(59, 0)}
	users := playing(t, `
browser: {user: manual}
users: [{username: jane, totp: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq", id: jane-4471}, {username: omar}]
`, func(o *session.Options) { o.Clock = at }).Setup.Users
	g.Expect(users).To(HaveLen(2))
	g.Expect(users[0].ID).To(Equal("jane-4471"))
	g.Expect(users[1].TOTP).To(BeNil())
	g.Expect(users[0].TOTP()).To(Equal("287082"))
	again, err := users[0].TOTP()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(again).NotTo(Equal("287082"))
	g.Expect(at.Now()).To(Equal(time.Unix(60, 0)), "it waited for the next time step, and no longer")
	at.now = time.Unix(1111111109, 0)
	g.Expect(users[0].TOTP()).To(Equal("081804"))
}

func TestWaitingForACodeEndsWithTheRun(t *testing.T) {
	g := NewWithT(t)
	ctx, interrupt := context.WithCancel(t.Context())
	c := load(t, "agents: {listen: \"ADDRESS\"}\nbrowser: {user: manual}\nusers: [{username: jane, totp: GEZDGNBV}]\n")
	s, err := session.Open(ctx, c, session.Options{User: true})
	g.Expect(err).NotTo(HaveOccurred())
	defer s.Close()
	_, err = s.Setup.Users[0].TOTP()
	g.Expect(err).NotTo(HaveOccurred())
	interrupt()
	// A time step may have begun since.
	_, err = s.Setup.Users[0].TOTP()
	if err == nil {
		_, err = s.Setup.Users[0].TOTP()
	}
	g.Expect(err).To(MatchError(context.Canceled))
}

func TestSomebodyPlaysTheUserWhoIsInNoFile(t *testing.T) {
	g := NewWithT(t)
	for _, lines := range []string{"browser: {user: manual}", "browser: {user: {hook: [cat]}}"} {
		s := playing(t, lines)
		g.Expect(s.Setup.Users).To(Equal([]engine.User{{}}), lines)
		g.Expect(s.Setup.Player).NotTo(BeNil(), lines)
		g.Expect(s.Setup.Chromium).To(BeNil(), lines)
		g.Expect(s.Setup.NoPages).To(ContainSubstring("no page is read"), lines)
	}
}

func TestAPersonIsToldWhatToDo(t *testing.T) {
	g := NewWithT(t)
	out := gbytes.NewBuffer()
	s := playing(t, `
browser: {user: manual}
users: [{username: jane}, {username: "${NAME}"}]
`, func(o *session.Options) { o.Out = out })
	task := browser.Task{Link: "https://brand.example/login", UserCode: "WDJB-MJHT", Decision: browser.TaskApprove, Scopes: []string{"a:read"}, Expires: time.Now().Add(time.Minute)}
	for i, called := range []string{"jane", `users\[1\]`} {
		decided, ended := make(chan struct{}), make(chan error, 1)
		go func() { ended <- s.Setup.Player.Decide(t.Context(), task, s.Setup.Users[i], decided) }()
		for _, said := range []string{"https://brand.example/login", "WDJB-MJHT", "sign in as " + called + "\n", "tick a:read and nothing else", "left"} {
			g.Eventually(out, "20s").Should(gbytes.Say(said))
		}
		close(decided)
		g.Eventually(ended, "20s").Should(Receive(BeNil()))
	}
	g.Expect(string(out.Contents())).NotTo(ContainSubstring("omar-the-secret"))
}

func TestACommandPlaysTheUser(t *testing.T) {
	g := NewWithT(t)
	out := filepath.Join(t.TempDir(), "task")
	task := browser.Task{Link: "https://brand.example/login", User: "jane", Decision: browser.TaskDeny, Expires: time.Now().Add(time.Minute)}
	s := playing(t, "browser: {user: {hook: [tee, "+out+"]}}")
	g.Expect(s.Setup.Player.Decide(t.Context(), task, engine.User{}, make(chan struct{}))).To(Succeed())
	seen, err := os.ReadFile(out)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(seen)).To(And(ContainSubstring(`"link":"https://brand.example/login"`), ContainSubstring(`"user":"jane"`), ContainSubstring(`"decision":"deny"`)))

	s = playing(t, `
users: [{username: jane, password: open-sesame}]
browser: {user: {hook: [sh, -c, "echo open-sesame is wrong; exit 1"]}}
`)
	err = s.Setup.Player.Decide(t.Context(), task, engine.User{}, make(chan struct{}))
	g.Expect(browser.KindOf(err)).To(Equal(browser.HookFailed))
	g.Expect(err).To(MatchError(And(ContainSubstring("is wrong"), Not(ContainSubstring("sesame")))))
}

// A command that has decided may still be cleaning up when the token endpoint knows.
func TestACommandMayEndByItselfOnceItsDecisionIsKnown(t *testing.T) {
	g := NewWithT(t)
	dir := t.TempDir()
	s := playing(t, `
limits: {concurrency: 1}
browser: {user: {hook: [sh, -c, "touch `+dir+`/started; while ! [ -e `+dir+`/leave ]; do sleep 0.01; done; touch `+dir+`/left; exit 1"]}}
`)
	decided, ended := make(chan struct{}), make(chan error, 1)
	task := browser.Task{Expires: time.Now().Add(time.Minute)}
	go func() { ended <- s.Setup.Player.Decide(t.Context(), task, engine.User{}, decided) }()
	g.Eventually(filepath.Join(dir, "started"), "20s").Should(BeAnExistingFile())

	full, interrupt := context.WithCancelCause(t.Context())
	interrupt(errors.New("interrupted"))
	g.Expect(s.Setup.Player.Decide(full, task, engine.User{}, nil)).To(MatchError("interrupted"), "there is one at a time, and the other waits")
	close(decided)
	g.Expect(os.WriteFile(filepath.Join(dir, "leave"), nil, 0o600)).To(Succeed())
	g.Eventually(ended, "20s").Should(Receive(BeNil()))
	g.Expect(filepath.Join(dir, "left")).To(BeAnExistingFile(), "nobody ended it before")
}
