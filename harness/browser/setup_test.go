package browser

import (
	"flag"
	"os"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// shared is the one Chromium of the tests; every test has sessions of its own in it.
var (
	shared *Browser
	album  = &steps{}
)

func TestMain(m *testing.M) {
	// Sessions wait for pages more than they compute: more of them than cores keep the cores busy.
	if parent := os.Getenv(parentVariable); parent != "" {
		runToBeKilled(parent)
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	// Nothing waits for the machine to be quick: what a test awaits comes in the end, or never.
	SetDefaultEventuallyTimeout(time.Minute)
	shared = New(Options{Chromium: os.Getenv("PACT_TEST_CHROMIUM"), StepTimeout: time.Minute})
	code := m.Run()
	if err := shared.Close(); err != nil && code == 0 {
		code = 1
	}
	os.Exit(code)
}

// steps keeps the steps of all sessions.
type steps struct {
	all chan []Step
}

func init() { album.all = make(chan []Step, 1); album.all <- nil }

func (s *steps) Step(step Step) { s.all <- append(<-s.all, step) }

// of are the steps of one session.
func (s *steps) of(session string) []Step {
	all := <-s.all
	s.all <- all
	var own []Step
	for _, step := range all {
		if step.Session == session {
			own = append(own, step)
		}
	}
	return own
}

// open is a session for the test; without Chromium the test fails with the line that says how to get it.
func open(t *testing.T, scopes ...Scope) *Session {
	t.Helper()
	return openWith(t, shared, SessionOptions{Scopes: scopes})
}

func openWith(t *testing.T, b *Browser, options SessionOptions) *Session {
	t.Helper()
	options.Name = t.Name()
	s, err := b.NewSession(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ada is the User of the tests.
var ada = Credentials{Username: testUser, Password: testPassword, TOTP: func() (string, error) { return testTOTP, nil }}

// reach takes the session to the consent page.
func reach(t *testing.T, s *Session, link string) *Consent {
	t.Helper()
	c, _, err := s.Reach(t.Context(), link, ada)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func gomega(t *testing.T) *WithT { return NewWithT(t) }
