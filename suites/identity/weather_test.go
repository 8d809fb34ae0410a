package identity_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

// TestProvidersInTheWeather runs the profile against a correct Provider behind what staging puts in
// front of one. What that may cost is named; everything else comes out well.
func TestProvidersInTheWeather(t *testing.T) {
	for name, w := range map[string]struct {
		front  func(t *testing.T, target *proof.Target, inner http.Handler) http.Handler
		start  func(*httptest.Server)
		expect map[string]result.Outcome
		check  func(*testing.T, *result.Run)
	}{
		"429 per sub, Retry-After in seconds": {
			front: limiting(25, func(w http.ResponseWriter) { w.Header().Set("Retry-After", "1") }),
			check: met(429),
		},
		"429 per agent, Retry-After as a date": {
			front: limiting(50, func(w http.ResponseWriter) {
				w.Header().Set("Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
			}),
			check: met(429),
		},
		"5xx under parallel requests": {
			front:  overloaded(4),
			expect: map[string]result.Outcome{"PACT-6-08": result.Warning}, // it does not recur when asked alone
			check:  met(503),
		},
		"connections cut after each answer": {
			front: func(_ *testing.T, _ *proof.Target, inner http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Connection", "close")
					inner.ServeHTTP(w, r)
				})
			},
		},
		"HTTP/2": {
			start: func(s *httptest.Server) {
				s.EnableHTTP2 = true
				s.StartTLS()
			},
			check: func(t *testing.T, run *result.Run) {
				for _, x := range run.Exchanges {
					if x.Response != nil && !x.Tags.Inbound && x.Tags.Brand != "domain" && x.Response.Proto != "HTTP/2.0" {
						t.Fatalf("%s went over %s", x.ID, x.Response.Proto)
					}
				}
			},
		},
		"a redirect that keeps the method": {
			front: func(_ *testing.T, _ *proof.Target, inner http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if rest, moved := strings.CutPrefix(r.URL.Path, "/moved"); moved {
						r.URL.Path, r.URL.RawPath = rest, strings.TrimPrefix(r.URL.RawPath, "/moved")
						inner.ServeHTTP(w, r)
						return
					}
					w.Header().Set("Location", "/moved"+r.URL.RequestURI())
					w.WriteHeader(http.StatusTemporaryRedirect)
				})
			},
		},
		"a gateway that wants a header and adds some": {
			front: func(_ *testing.T, target *proof.Target, inner http.Handler) http.Handler {
				const name, value = "X-Gateway-Key", "open-sesame"
				target.Setup.Headers, target.Setup.Secrets = http.Header{name: {value}}, []string{value}
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get(name) != value {
						w.WriteHeader(http.StatusForbidden)
						return
					}
					w.Header().Set("Via", "1.1 gateway")
					w.Header().Set("X-Request-Id", strconv.FormatInt(time.Now().UnixNano(), 36))
					w.Header().Set("X-Echo", r.Header.Get(name))
					inner.ServeHTTP(w, r)
				})
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := suite.Run(t, inFront(t, w.front, w.start))
			if got := proof.Fallen(run); !maps.Equal(got, w.expect) {
				t.Errorf("a correct Provider raised:\n%s", proof.Explain(run, got, w.expect))
			}
			if w.check != nil {
				w.check(t, run)
			}
		})
	}
}

// TestSlowTurns: a turn may take longer than any other request may.
func TestSlowTurns(t *testing.T) {
	t.Parallel()
	target := proof.New(t, func(o *provider.Options) { o.AgentLatency, o.KeyTTL = 700*time.Millisecond, time.Second })
	target.Setup.Limits.RequestTimeout = 500 * time.Millisecond
	run := suite.Run(t, target)
	if got := proof.Fallen(run); len(got) > 0 {
		t.Errorf("slow turns raised:\n%s", proof.Explain(run, got, nil))
	}
}

// inFront is a target whose Provider is reached through something else.
func inFront(t *testing.T, front func(*testing.T, *proof.Target, http.Handler) http.Handler, start func(*httptest.Server)) *proof.Target {
	t.Helper()
	var handler atomic.Value
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.Load().(http.Handler).ServeHTTP(w, r)
	}))
	if start == nil {
		start = (*httptest.Server).Start
	}
	start(server)
	t.Cleanup(server.Close)
	target := proof.New(t, func(o *provider.Options) {
		o.BaseURL, o.KeyTTL, o.AgentLatency = server.URL, time.Second, thinking
	})
	inner := http.Handler(httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: target.Provider.Addr.String()}))
	if front != nil {
		inner = front(t, target, inner)
	}
	handler.Store(http.HandlerFunc(inner.ServeHTTP))
	target.Setup.Transport = server.Client().Transport
	return target
}

// limiting answers 429 to whoever asked so often within a second.
func limiting(most int, tell func(http.ResponseWriter)) func(*testing.T, *proof.Target, http.Handler) http.Handler {
	return func(_ *testing.T, _ *proof.Target, inner http.Handler) http.Handler {
		var mu sync.Mutex
		var window int64
		count := 0
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if now := time.Now().Unix(); now != window {
				window, count = now, 0
			}
			count++
			over := count > most
			mu.Unlock()
			if over {
				tell(w)
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			inner.ServeHTTP(w, r)
		})
	}
}

// overloaded answers 503 to what comes while so many requests are under way.
func overloaded(most int32) func(*testing.T, *proof.Target, http.Handler) http.Handler {
	return func(_ *testing.T, _ *proof.Target, inner http.Handler) http.Handler {
		var under atomic.Int32
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer under.Add(-1)
			if under.Add(1) > most {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			inner.ServeHTTP(w, r)
		})
	}
}

// met checks that the weather was there at all.
func met(status int) func(*testing.T, *result.Run) {
	return func(t *testing.T, run *result.Run) {
		for _, x := range run.Exchanges {
			if x.Response != nil && x.Response.Status == status {
				return
			}
		}
		t.Errorf("the run met no %d", status)
	}
}

// TestKeysOfAnEarlierRun: a Provider that has just fetched the keys of an earlier run, and fetches
// seldom, refuses every token of the next one until it fetches again.
func TestKeysOfAnEarlierRun(t *testing.T) {
	t.Parallel()
	target := proof.New(t, func(o *provider.Options) { o.AgentLatency, o.KeyRefetch = thinking, 3*time.Second })
	setup := &target.Setup
	earlier := setup.Server
	request, err := http.NewRequest(http.MethodGet, target.Provider.InterfaceURL(target.Provider.Brands()[0].ID)+"/tasks", nil)
	if err != nil {
		t.Fatal(err)
	}
	token, err := setup.Primary.Mint(agent.Params{Subject: "u-1", Audience: setup.Audience, Now: time.Now()}, agent.UnpublishedKey())
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token.Compact)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if err := earlier.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	if setup.Server, err = agent.StartServer(agent.ServerOptions{Address: strings.TrimPrefix(earlier.BaseURL(), "http://")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = setup.Server.Close(context.Background()) })
	for _, a := range []*agent.Agent{setup.Primary, setup.Second, setup.Disabled} {
		fresh, err := agent.NewKeyRing(true)
		if err != nil {
			t.Fatal(err)
		}
		a.Ring = fresh
		if err := setup.Server.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	run := suite.Run(t, target)
	if got := proof.Fallen(run); len(got) > 0 {
		t.Errorf("keys of an earlier run raised:\n%s", proof.Explain(run, got, nil))
	}
	met(http.StatusUnauthorized)(t, &result.Run{Exchanges: slices.DeleteFunc(run.Exchanges, func(x result.Exchange) bool {
		return x.Tags.Case != "a right token is let through"
	})})
}
