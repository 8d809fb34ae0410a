package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// patience bounds the waiting for a condition; nothing is expected to take this long.
const patience = 20 * time.Second

var ring = sync.OnceValue(func() *agent.KeyRing {
	made, err := agent.NewKeyRing(false)
	if err != nil {
		panic(err)
	}
	return made
})

// tiny is a Provider of a few lines: a card, an empty list of tasks, and what else a test handles.
type tiny struct {
	*httptest.Server
	mu      sync.Mutex
	handle  map[string]http.HandlerFunc
	counted map[string]int
}

// newTiny starts one; handle is by method and path below the interface, such as "GET /tasks".
func newTiny(t testing.TB, handle map[string]http.HandlerFunc) *tiny {
	t.Helper()
	server := &tiny{handle: handle, counted: map[string]int{}}
	server.Server = httptest.NewServer(server)
	t.Cleanup(server.Close)
	return server
}

func (s *tiny) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/a2a")
	s.mu.Lock()
	s.counted[name]++
	handle := s.handle[name]
	s.mu.Unlock()
	switch {
	case handle != nil:
		handle(w, r)
	case strings.HasSuffix(name, "card"):
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"name":"Tiny","supportedInterfaces":[{"url":%q,"protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]}`, s.URL+"/a2a")
	case name == "GET /tasks":
		w.Header().Set("Content-Type", "application/a2a+json")
		_, _ = w.Write([]byte(`{"tasks":[]}`))
	default:
		http.NotFound(w, r)
	}
}

func (s *tiny) count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted[name]
}

// setup is what a run against the server needs.
func (s *tiny) setup() engine.Setup {
	return engine.Setup{
		Version: "test", Brand: engine.Brand{Card: s.URL + "/card", Name: "Tiny"}, Audience: "aud-1",
		Primary: agent.New("primary", "https://pa.example", ring()),
		Prompts: engine.Prompts{Plain: "Hello"},
		Limits: engine.Limits{
			Concurrency: 8, TurnTimeout: patience, RequestTimeout: patience, MaxWait: time.Minute,
		},
	}
}

// status answers with a status and nothing else.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// log is an observer that keeps what it is told.
type log struct {
	mu             sync.Mutex
	started, ended []string
}

func (l *log) Started(_ engine.Requirement, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.started = append(l.started, name)
}

func (l *log) Ended(q engine.Requirement, c result.Case) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !strings.HasPrefix(c.Name, q.ID+"/") {
		c.Name = "the case of another row: " + c.Name
	}
	l.ended = append(l.ended, c.Name+" "+string(c.Outcome))
}

func row(id string, level result.Level, needs ...string) engine.Requirement {
	return engine.Requirement{ID: id, Profile: "identity", Clause: "0", Text: "Text of " + id, Basis: "stated", Level: level, Needs: needs}
}

func case_(id, name string, body func(*engine.C), options ...engine.Option) *engine.Case {
	c := &engine.Case{Requirement: id, Name: name, Body: body}
	for _, option := range options {
		option(c)
	}
	return c
}

// one makes a suite of musts, one for each body, named M-1, M-2, …
func one(bodies ...func(*engine.C)) ([]engine.Requirement, []*engine.Case) {
	var rows []engine.Requirement
	var cases []*engine.Case
	for i, body := range bodies {
		id := fmt.Sprintf("M-%d", i+1)
		rows, cases = append(rows, row(id, result.Must)), append(cases, case_(id, "case", body))
	}
	return rows, cases
}

func mustNew(t testing.TB, rows []engine.Requirement, cases []*engine.Case) *engine.Engine {
	t.Helper()
	e, err := engine.New(rows, cases)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// run runs a suite and checks that it leaves no goroutine behind.
func run(t testing.TB, e *engine.Engine, setup engine.Setup) (*result.Run, *log) {
	t.Helper()
	return runIn(t, context.Background(), e, setup)
}

func runIn(t testing.TB, ctx context.Context, e *engine.Engine, setup engine.Setup) (*result.Run, *log) {
	t.Helper()
	told := &log{}
	r := e.Run(ctx, setup, told)
	nothingLeft(t)
	return r, told
}

// nothingLeft waits until no goroutine of the engine or the client is left.
func nothingLeft(t testing.TB) {
	t.Helper()
	NewWithT(t).Eventually(func() string {
		stacks := make([]byte, 4<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		for _, stack := range strings.Split(string(stacks), "\n\n") {
			ours := strings.Contains(stack, "/harness/engine.") || strings.Contains(stack, "/harness/provider.")
			if ours && !strings.Contains(stack, "testing.tRunner") {
				return stack
			}
		}
		return ""
	}, patience, time.Millisecond).Should(BeEmpty(), "goroutines that go on")
}

func find(t testing.TB, r *result.Run, name string) result.Case {
	t.Helper()
	for _, q := range r.Requirements {
		for _, c := range q.Cases {
			if c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("the run has no case %s", name)
	return result.Case{}
}

func outcome(t testing.TB, r *result.Run, name string) string {
	t.Helper()
	c := find(t, r, name)
	return strings.TrimSpace(string(c.Outcome) + " " + c.Reason)
}

// list asks for the tasks.
func list(c *engine.C) *provider.Answer { return c.Brand().Tasks("") }

// waiting waits until so many goroutines wait for a slot.
func waiting(t testing.TB, n int) {
	t.Helper()
	NewWithT(t).Eventually(func() int {
		stacks := make([]byte, 4<<20)
		return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "provider.(*slots).await(")
	}, patience, time.Millisecond).Should(Equal(n))
}
