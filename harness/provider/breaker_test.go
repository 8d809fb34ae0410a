package provider

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// hurried gives up on a request soon.
func hurried(o *Options) { o.RequestTimeout, o.TurnTimeout = 30*time.Millisecond, 30*time.Millisecond }

// moody is a server that answers only while it is told to.
type moody struct {
	mu     sync.Mutex
	silent bool
	over   chan struct{}
}

func newMoody(t testing.TB) (*moody, *httptest.Server) {
	m := &moody{silent: true, over: make(chan struct{})}
	server := serve(t, func(http.ResponseWriter, *http.Request) {
		m.mu.Lock()
		silent := m.silent
		m.mu.Unlock()
		if silent {
			<-m.over
		}
	})
	t.Cleanup(func() { close(m.over) })
	return m, server
}

func (m *moody) be(silent bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.silent = silent
}

func TestThreeTimeoutsInARowStopTheRun(t *testing.T) {
	g := NewWithT(t)
	_, server := newMoody(t)
	b := newBench(t, hurried)
	caller := b.caller(t.Context(), server.URL)
	for range 2 {
		answer := caller.Tasks("")
		g.Expect(answer.Exchange.Error).To(Equal("no answer before the deadline"))
		g.Expect(answer.Exchange.Response).To(BeNil())
		g.Expect(b.stopped).To(BeEmpty())
	}
	caller.Send("hello")
	stopped := <-b.stopped
	g.Expect(stopped).To(MatchError(ErrStopped))
	g.Expect(stopped).To(MatchError("the target stopped answering: 3 requests in a row had no answer, the last: no answer before the deadline"))
	caller.Tasks("")
	g.Expect(b.stopped).To(BeEmpty(), "it opens once")
}

func TestAnyAnswerStartsTheCountAnew(t *testing.T) {
	g := NewWithT(t)
	m, server := newMoody(t)
	// Long enough for an answer on a busy machine: here some requests have to get one.
	b := newBench(t, func(o *Options) { o.RequestTimeout = 700 * time.Millisecond })
	caller := b.caller(t.Context(), server.URL)
	for range 3 {
		m.be(true)
		caller.Tasks("")
		caller.Tasks("")
		m.be(false)
		g.Expect(caller.Tasks("").Err).NotTo(HaveOccurred())
	}
	g.Expect(b.stopped).To(BeEmpty())
}

func TestABodyThatDoesNotEndIsATimeout(t *testing.T) {
	g := NewWithT(t)
	over := make(chan struct{})
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"beginning":`))
		w.(http.Flusher).Flush()
		<-over
	})
	defer close(over)
	answer := newBench(t, hurried).caller(t.Context(), server.URL).Tasks("")
	g.Expect(answer.Err).To(HaveOccurred())
	g.Expect(answer.Exchange.Error).To(Equal("no answer before the deadline"))
	g.Expect(answer.Exchange.Response.Body).To(Equal(`{"beginning":`), "what came is kept")
}

func TestRefusedConnectionsStopTheRun(t *testing.T) {
	g := NewWithT(t)
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	b := newBench(t)
	caller := b.caller(t.Context(), server.URL)
	for range 3 {
		g.Expect(b.stopped).To(BeEmpty())
		g.Expect(caller.Tasks("").Exchange.Error).To(Equal("connection refused"))
	}
	g.Expect(<-b.stopped).To(MatchError(ErrStopped))
}

func TestANameThatCannotBeResolvedStopsTheRun(t *testing.T) {
	g := NewWithT(t)
	b := newBench(t)
	caller := b.caller(t.Context(), "http://no-such-host.invalid")
	for range 3 {
		g.Expect(caller.Tasks("").Exchange.Error).To(Equal("the name no-such-host.invalid cannot be resolved"))
	}
	g.Expect(<-b.stopped).To(MatchError(ErrStopped))
}

func TestWhatElseGoesWrongDoesNotStopTheRun(t *testing.T) {
	g := NewWithT(t)
	server := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quiet
	defer secure.Close()
	b := newBench(t)
	for range 4 {
		g.Expect(b.caller(t.Context(), server.URL).Send("x").Exchange.Error).To(Equal("the connection was cut before the answer was complete"))
		g.Expect(b.caller(t.Context(), secure.URL).Tasks("").Exchange.Error).To(ContainSubstring("certificate"))
	}
	ctx, cancel := contextWithCause(t)
	cancel(errors.New("interrupted"))
	for range 4 {
		g.Expect(b.caller(ctx, server.URL).Tasks("").Exchange).To(BeNil())
	}
	g.Expect(b.stopped).To(BeEmpty())
}

func TestAnInterruptedRequestSaysWhy(t *testing.T) {
	g := NewWithT(t)
	arrived, over := make(chan struct{}), make(chan struct{})
	server := serve(t, func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-over
	})
	defer close(over)
	b := newBench(t)
	ctx, cancel := contextWithCause(t)
	done := make(chan *Answer)
	go func() { done <- b.caller(ctx, server.URL).Tasks("") }()
	<-arrived
	cancel(errors.New("interrupted"))
	answer := <-done
	g.Expect(answer.Exchange.Error).To(Equal("interrupted"))
	g.Expect(b.stopped).To(BeEmpty())
}

func TestManyAtOnceStopTheRunOnce(t *testing.T) {
	g := NewWithT(t)
	_, server := newMoody(t)
	b := newBench(t, hurried)
	var group sync.WaitGroup
	for i := range 30 {
		group.Add(1)
		go func() {
			defer group.Done()
			b.caller(t.Context(), server.URL).As(fmt.Sprint(i)).Tasks("")
		}()
	}
	group.Wait()
	g.Expect(b.stopped).To(HaveLen(1))
}
