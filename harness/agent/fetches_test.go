package agent

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestServerHangs(t *testing.T) {
	hanging := func(t *testing.T, s *Server, url string, ctx context.Context) <-chan error {
		t.Helper()
		before := len(s.Fetches())
		ended := make(chan error, 1)
		httpClient := client(t)
		go func() {
			_, _, err := get(t, ctx, httpClient, http.MethodGet, url)
			ended <- err
		}()
		fetches, err := s.WaitFor(t.Context(), func(f []Fetch) bool { return len(f) > before })
		NewWithT(t).Expect(err).NotTo(HaveOccurred())
		NewWithT(t).Expect(fetches[before].Status).To(Equal(0))
		return ended
	}
	t.Run("until the caller gives up", func(t *testing.T) {
		g := NewWithT(t)
		s, primary, _ := serve(t)
		g.Expect(s.Fail("primary", Hang)).To(Succeed())
		ctx, cancel := context.WithCancel(t.Context())
		ended := hanging(t, s, primary.JWKSURI(), ctx)
		cancel()
		g.Expect(<-ended).To(MatchError(context.Canceled))
	})
	t.Run("until it is restored", func(t *testing.T) {
		g := NewWithT(t)
		s, primary, _ := serve(t)
		g.Expect(s.Fail("primary", Hang)).To(Succeed())
		ended := hanging(t, s, primary.JWKSURI(), t.Context())
		g.Expect(s.Fail("primary", Healthy)).To(Succeed())
		g.Expect(<-ended).To(MatchError(io.EOF))
		resp, _ := fetched(t, primary.JWKSURI())
		g.Expect(resp.StatusCode).To(Equal(200))
	})
	t.Run("until the server closes", func(t *testing.T) {
		g := NewWithT(t)
		s, err := StartServer(ServerOptions{Address: "127.0.0.1:0"})
		g.Expect(err).NotTo(HaveOccurred())
		a := New("primary", s.BaseURL(), testAgent(t).Ring)
		g.Expect(s.Add(a)).To(Succeed())
		g.Expect(s.Fail("primary", Hang)).To(Succeed())
		ended := hanging(t, s, a.JWKSURI(), t.Context())
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		g.Expect(s.Close(ctx)).To(Succeed())
		g.Expect(<-ended).To(MatchError(io.EOF))
	})
}

func TestServerLog(t *testing.T) {
	g := NewWithT(t)
	s, primary, second := serve(t)
	start := time.Now()
	fetched(t, primary.JWKSURI())
	fetched(t, second.Issuer+".well-known/openid-configuration")
	fetched(t, s.BaseURL()+"/nothing?secret=1")
	fetches := s.Fetches()
	g.Expect(fetches).To(HaveLen(3))
	for i, want := range []Fetch{
		{Agent: "primary", Document: KeySet, Path: "/primary/.well-known/jwks.json", Status: 200},
		{Agent: "second", Document: Discovery, Path: "/deep/second/.well-known/openid-configuration", Status: 200},
		{Path: "/nothing", Status: 404},
	} {
		got := fetches[i]
		g.Expect(got.Time).To(BeTemporally("~", start, time.Minute))
		host, _, err := net.SplitHostPort(got.RemoteAddr)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(host).To(Equal("127.0.0.1"))
		want.Time, want.RemoteAddr, want.Method, want.UserAgent = got.Time, got.RemoteAddr, "GET", "a Provider"
		g.Expect(got).To(Equal(want))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.WaitFor(ctx, func([]Fetch) bool { return false })
	g.Expect(err).To(MatchError(context.Canceled))
}

// Many fetch while keys are published and tokens minted, and someone waits for the last of them.
func TestServerConcurrently(t *testing.T) {
	g := NewWithT(t)
	s, primary, _ := serve(t)
	const callers, each = 8, 5
	var wg sync.WaitGroup
	httpClient := client(t)
	for range callers {
		wg.Go(func() {
			for range each {
				if _, _, err := get(t, t.Context(), httpClient, http.MethodGet, primary.JWKSURI()); err != nil {
					t.Error(err)
				}
				if _, err := primary.Mint(testParams(), UnpublishedKey()); err != nil {
					t.Error(err)
				}
				if err := errors.Join(s.Publish("primary", RotationSpare), s.Withdraw("primary", RotationSpare)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	fetches, err := s.WaitFor(t.Context(), func(f []Fetch) bool { return len(f) == callers*each && f[len(f)-1].Status != 0 })
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(fetches).To(HaveLen(callers * each))
	wg.Wait()
}

func TestFetchLogForgetsTheOldest(t *testing.T) {
	g := NewWithT(t)
	var l fetchLog
	first := l.begin(Fetch{Path: "first"})
	for range maxFetches - 1 {
		l.begin(Fetch{Path: "middle"})
	}
	last := l.begin(Fetch{Path: "last"})
	first(200)
	last(404)
	entries, _ := l.snapshot()
	g.Expect(entries).To(HaveLen(maxFetches/2 + 1))
	g.Expect(entries[0]).To(And(HaveField("Path", "middle"), HaveField("Status", 0)))
	g.Expect(entries[len(entries)-1]).To(And(HaveField("Path", "last"), HaveField("Status", 404)))
}
