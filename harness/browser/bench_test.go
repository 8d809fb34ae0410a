package browser

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/agent"
)

// besides is how many journeys a run has beside each other.
const besides = 20

// BenchmarkJourneys plays the User of many requests at once with the embedded Provider: a session,
// the way to the consent, the decision. It tells what a journey costs the machine, in CPU time of
// Chromium and of this process with the Provider in it, and how long it takes.
func BenchmarkJourneys(b *testing.B) {
	for name, sink := range map[string]Sink{"pictures": album, "no pictures": nil} {
		b.Run(name, func(b *testing.B) {
			links := asker(b)
			chromium := New(Options{Chromium: shared.options.Chromium})
			b.Cleanup(func() { _ = chromium.Close() })
			journey(b, chromium, links(), sink) // the first finds Chromium cold
			var longest time.Duration
			before, ownBefore := groupTime(b, chromium.running.group), ownTime(b)
			for b.Loop() {
				start := time.Now()
				var all sync.WaitGroup
				for range besides {
					link := links()
					all.Go(func() { journey(b, chromium, link, sink) })
				}
				all.Wait()
				longest = max(longest, time.Since(start))
			}
			journeys := float64(b.N * besides)
			b.ReportMetric(float64((groupTime(b, chromium.running.group)-before).Milliseconds())/journeys, "chromium-cpu-ms/journey")
			b.ReportMetric(float64((ownTime(b)-ownBefore).Milliseconds())/journeys, "own-cpu-ms/journey")
			b.ReportMetric(float64(longest.Milliseconds()), "ms/round")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func journey(b *testing.B, chromium *Browser, link string, sink Sink) {
	s, err := chromium.NewSession(b.Context(), SessionOptions{Name: b.Name(), Sink: sink, Scopes: []Scope{{ID: "orders:read"}, {ID: "orders:cancel"}}})
	if err != nil {
		b.Error(err)
		return
	}
	defer func() { _ = s.Close() }()
	if _, _, err = s.Reach(b.Context(), link, Credentials{Username: "jane", Password: "secret"}); err == nil {
		_, err = s.Decide(b.Context(), ApproveOnly("orders:read"))
	}
	if err != nil {
		b.Error(err)
	}
}

// asker asks the embedded Provider for scopes; each call is a device authorization request (§5.2),
// and what it returns the link for the User.
func asker(b *testing.B) func() string {
	b.Helper()
	ring, err := agent.NewKeyRing(false)
	if err != nil {
		b.Fatal(err)
	}
	keys, err := ring.Public()
	if err != nil {
		b.Fatal(err)
	}
	site := serve(b, map[string]http.HandlerFunc{"/.well-known/jwks.json": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(keys) }})
	server, err := provider.Start("127.0.0.1:0", provider.Options{
		Agents: []provider.Registration{{Issuer: site.URL, Enabled: true}}, Delegation: &provider.Delegation{},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = server.Close() })
	me := agent.New("primary", site.URL, ring)
	return func() string {
		token, err := me.Mint(agent.Params{Subject: "user-1", Audience: provider.DefaultAudience, Now: time.Now()})
		if err != nil {
			b.Fatal(err)
		}
		form := url.Values{"client_id": {site.URL}, "scope": {"orders:read orders:cancel"}}
		request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, server.Issuer(server.Brands()[0].ID)+"/device_authorization", strings.NewReader(form.Encode()))
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Authorization", "Bearer "+token.Compact)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		var answer struct {
			Link string `json:"verification_uri_complete"`
		}
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Link == "" {
			b.Fatalf("no link: %d %v", response.StatusCode, err)
		}
		return answer.Link
	}
}

// groupTime is the CPU time that a process group has used, with what has ended in it.
func groupTime(b *testing.B, group int) time.Duration {
	b.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	if len(stats) == 0 {
		b.Skip("CPU times are read from /proc")
	}
	const perSecond = 100 // clock ticks of /proc
	ticks := 0
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// What comes after the name in brackets: state ppid pgrp … utime stime cutime cstime.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if fields[2] != strconv.Itoa(group) {
			continue
		}
		for _, field := range fields[11:15] {
			n, _ := strconv.Atoi(field)
			ticks += n
		}
	}
	return time.Duration(ticks) * time.Second / perSecond
}

// ownTime is the CPU time that this process has used.
func ownTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
