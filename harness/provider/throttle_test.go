package provider

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for name, test := range map[string]struct {
		value string
		want  time.Duration
	}{
		"missing":                {"", time.Second},
		"seconds":                {"7", 7 * time.Second},
		"no wait":                {"0", 0},
		"seconds beyond the cap": {"86400", longestPause},
		"seconds beyond 31 bits": {"99999999999", longestPause},
		"a date":                 {date(30 * time.Second), 30 * time.Second},
		"a date in RFC 850":      {now.Add(9 * time.Second).Format("Monday, 02-Jan-06 15:04:05 GMT"), 9 * time.Second},
		"a date in the past":     {date(-time.Hour), 0},
		"a date beyond the cap":  {date(time.Hour), longestPause},
		"negative":               {"-5", time.Second},
		"nonsense":               {"soon", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			NewWithT(t).Expect(retryAfter(http.Header{"Retry-After": {test.value}}, now)).To(Equal(test.want))
		})
	}
}

// limiter answers 429 until the clock has reached a time, and keeps the tokens that it saw.
type limiter struct {
	mu     sync.Mutex
	open   func() bool
	after  func() string
	tokens []string
}

func (l *limiter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tokens = append(l.tokens, r.Header.Get("Authorization"))
	if l.open() {
		return
	}
	w.Header().Set("Retry-After", l.after())
	w.WriteHeader(http.StatusTooManyRequests)
}

func TestA429PausesEveryoneAndIsRepeatedWithAFreshToken(t *testing.T) {
	for _, form := range []string{"seconds", "date"} {
		t.Run(form, func(t *testing.T) {
			g := NewWithT(t)
			c := newManual()
			end := c.Now().Add(30 * time.Second)
			l := &limiter{open: func() bool { return !c.Now().Before(end) }, after: func() string {
				if form == "date" {
					return end.Format(http.TimeFormat)
				}
				return "30"
			}}
			server := serve(t, l.ServeHTTP)
			b := newBench(t, on(c))
			caller := b.caller(t.Context(), server.URL)

			first, second := make(chan *Answer), make(chan *Answer)
			go func() { first <- caller.Tasks("") }()
			eventually(t, c.waiting).Should(Equal([]time.Duration{30 * time.Second}))
			go func() { second <- caller.As("ada").Tasks("") }()
			eventually(t, c.waiting).Should(HaveLen(2), "everyone waits")
			g.Expect(b.recorder.All()).To(HaveLen(1))

			c.advance(29 * time.Second)
			g.Expect(c.waiting()).To(HaveLen(2))
			c.advance(time.Second)
			g.Expect((<-first).Status).To(Equal(200))
			g.Expect((<-second).Status).To(Equal(200))
			g.Expect(b.recorder.All()).To(HaveLen(3), "the 429 is kept too")
			g.Expect(b.Paused()).To(Equal(30 * time.Second))
			l.mu.Lock()
			defer l.mu.Unlock()
			g.Expect(l.tokens[0]).NotTo(BeElementOf(l.tokens[1], l.tokens[2]))
		})
	}
}

func TestPausesThatOverlapAreCountedOnce(t *testing.T) {
	g := NewWithT(t)
	c := newManual()
	p := &pause{clock: c}
	p.extend(10 * time.Second)
	p.extend(4 * time.Second)
	p.extend(15 * time.Second)
	g.Expect(p.total()).To(Equal(15 * time.Second))
	c.advance(15 * time.Second)
	g.Expect(p.wait(t.Context())).To(Succeed())
}

func TestAPauseThatGrowsIsWaitedForToItsEnd(t *testing.T) {
	g := NewWithT(t)
	c := newManual()
	p := &pause{clock: c}
	p.extend(10 * time.Second)
	over := make(chan error, 1)
	go func() { over <- p.wait(t.Context()) }()
	eventually(t, c.waiting).Should(HaveLen(1))
	p.extend(20 * time.Second)
	c.advance(10 * time.Second)
	eventually(t, c.waiting).Should(Equal([]time.Duration{10 * time.Second}))
	g.Expect(over).To(BeEmpty())
	c.advance(10 * time.Second)
	g.Expect(<-over).To(Succeed())
}

func TestWhatIsStill429IsNoAnswer(t *testing.T) {
	g := NewWithT(t)
	l := &limiter{open: func() bool { return false }, after: func() string { return "0" }}
	server := serve(t, l.ServeHTTP)
	b := newBench(t, on(newManual()))
	answer := b.caller(t.Context(), server.URL).Tasks("")
	g.Expect(answer.Err).To(MatchError("still 429 after 6 attempts"))
	g.Expect(answer.Status).To(Equal(429))
	g.Expect(b.recorder.All()).To(HaveLen(1 + mostRepeats))
	g.Expect(b.stopped).To(BeEmpty(), "a limit is no silence")
}

func TestAPauseEndsWithTheRun(t *testing.T) {
	g := NewWithT(t)
	c := newManual()
	l := &limiter{open: func() bool { return false }, after: func() string { return "60" }}
	server := serve(t, l.ServeHTTP)
	b := newBench(t, on(c))
	ctx, cancel := contextWithCause(t)
	done := make(chan *Answer)
	go func() { done <- b.caller(ctx, server.URL).Tasks("") }()
	eventually(t, c.waiting).Should(HaveLen(1))
	cancel(ErrStopped)
	g.Expect((<-done).Err).To(MatchError(ErrStopped))
}

// A Provider that lets one request through per second, whoever asks, is got through by everyone:
// every 429 makes the harness ask less side by side.
func TestAStrictLimitIsGotThrough(t *testing.T) {
	g := NewWithT(t)
	c := newManual()
	var last time.Time
	l := &limiter{after: func() string { return "1" }}
	l.open = func() bool {
		if now := c.Now(); now.Sub(last) >= time.Second {
			last = now
			return true
		}
		return false
	}
	server := serve(t, l.ServeHTTP)
	b := newBench(t, on(c))
	caller := b.caller(t.Context(), server.URL)
	const requests = 40
	var served, ended atomic.Int32
	for range requests {
		go func() {
			defer ended.Add(1)
			if caller.Tasks("").Status == 200 {
				served.Add(1)
			}
		}()
	}
	for ended.Load() < requests {
		eventually(t, func() bool { return len(c.waiting()) > 0 || ended.Load() == requests }).Should(BeTrue())
		c.advance(time.Second)
	}
	g.Expect(served.Load()).To(BeEquivalentTo(requests))
}

func TestRateSpacesRequests(t *testing.T) {
	g := NewWithT(t)
	c := newManual()
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	b := newBench(t, on(c), func(o *Options) { o.Rate = 4 })
	caller := b.caller(t.Context(), server.URL)
	done := make(chan *Answer, 3)
	for range 3 {
		go func() { done <- caller.Tasks("") }()
	}
	g.Expect((<-done).Err).NotTo(HaveOccurred())
	eventually(t, c.waiting).Should(ConsistOf(250*time.Millisecond, 500*time.Millisecond))
	c.advance(250 * time.Millisecond)
	g.Expect((<-done).Err).NotTo(HaveOccurred())
	c.advance(250 * time.Millisecond)
	g.Expect((<-done).Err).NotTo(HaveOccurred())

	c.advance(time.Hour) // a pause in asking earns nothing
	go func() { done <- caller.Tasks("") }()
	g.Expect((<-done).Err).NotTo(HaveOccurred())
	ctx, cancel := contextWithCause(t)
	go func() { done <- b.caller(ctx, server.URL).Tasks("") }()
	eventually(t, c.waiting).Should(Equal([]time.Duration{250 * time.Millisecond}))
	cancel(ErrStopped)
	g.Expect((<-done).Err).To(MatchError(ErrStopped))
}
