package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pact-conform/pact-conform/fixtures/provider"
)

// served is a target in the test's own process, so that a test can look into it and stand in its way.
type served struct {
	*httptest.Server
	// agents is the address at which the command has to serve its keys.
	agents string
	// dir holds a configuration that fits.
	dir string

	mu            sync.Mutex
	requests      int
	authorization []string
}

// serving starts a target; around, where it is not nil, gets every request first.
func serving(t *testing.T, around func(w http.ResponseWriter, r *http.Request, next http.Handler), vary ...func(*provider.Behaviour)) *served {
	t.Helper()
	agents, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	s := &served{agents: agents, dir: t.TempDir()}
	var next http.Handler
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests++
		if value := r.Header.Get("Authorization"); value != "" {
			s.authorization = append(s.authorization, value)
		}
		s.mu.Unlock()
		if around != nil {
			around(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	}))
	of := targetOptions{agents: agents}
	options := of.provider()
	// Nobody signs in there: the Brands have no sites.
	options.BaseURL, options.Vary, options.Delegation = s.URL, vary, nil
	p, err := provider.New(options)
	if err != nil {
		t.Fatal(err)
	}
	next = p.Handler()
	t.Cleanup(func() {
		s.CloseClientConnections()
		_ = p.Close()
		s.Close()
	})
	here := &target{Server: &provider.Server{Provider: p}, options: of}
	copyKeys(t, s.dir)
	s.configure(t, here.config(keysFile))
	return s
}

// configure writes the configuration of a run against the target.
func (s *served) configure(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, "pact-conform.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// add adds to the configuration.
func (s *served) add(t *testing.T, format string, args ...any) {
	t.Helper()
	configured(t, s.dir, fmt.Sprintf(format, args...))
}

// configured adds lines to the configuration in a folder.
func configured(t *testing.T, dir, lines string) {
	t.Helper()
	path := filepath.Join(dir, "pact-conform.yaml")
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(text, lines+"\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// count is the number of requests that came.
func (s *served) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// copyKeys spares a folder the making of keys.
func copyKeys(t *testing.T, dir string) {
	t.Helper()
	data, err := os.ReadFile(keys)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, keysFile), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// embedded is `pact-conform provider` in a process of its own, with the configuration that it wrote.
type embedded struct {
	*process
	dir, agents string
}

func providing(t *testing.T, args ...string) *embedded {
	t.Helper()
	agents, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	e := &embedded{dir: t.TempDir(), agents: agents}
	copyKeys(t, e.dir)
	e.process = start(t, e.dir, nil, append([]string{"provider", "--listen", "127.0.0.1:0", "--agents", agents, "--write-config", "."}, args...)...)
	e.until(t, "Next")
	return e
}
