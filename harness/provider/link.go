// Package provider is the typed client of the target: its cards, its A2A operations, its OAuth
// endpoints, and free-form requests. Every request goes through a Link, which bounds it, tags it
// and records it.
package provider

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/pact-conform/pact-conform/harness/clock"
	"github.com/pact-conform/pact-conform/harness/evidence"
	"github.com/pact-conform/pact-conform/harness/result"
)

// MaxAnswer is the longest answer that is read, in bytes.
const MaxAnswer = 4 << 20

const (
	// longestPause caps what a Retry-After can ask for.
	longestPause = 2 * time.Minute
	// mostRepeats is how often a request is repeated after a 429.
	mostRepeats = 5
	// ahead is more than any priority that a caller gives.
	ahead = 1 << 20
)

// Options of a Link.
type Options struct {
	// Transport makes the requests; nil is a transport of its own.
	Transport http.RoundTripper
	// Headers go with every request.
	Headers  http.Header
	Recorder *evidence.Recorder
	Clock    *clock.Measured
	// Version goes into the User-Agent.
	Version string
	// Concurrency is the most requests in flight at once.
	Concurrency int
	// Rate is the most requests a second; 0 is no limit.
	Rate float64
	// TurnTimeout bounds a message:send, RequestTimeout anything else.
	TurnTimeout, RequestTimeout time.Duration
	// Stop ends the run; the breaker calls it with ErrStopped.
	Stop func(error)
}

// Link is the one way to the target.
type Link struct {
	options Options
	client  *http.Client
	// direct follows no redirect.
	direct   *http.Client
	slots    *slots
	pause    *pause
	breaker  *breaker
	throttle *throttle
}

// NewLink makes a Link.
func NewLink(o Options) *Link {
	if o.Transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConnsPerHost = max(o.Concurrency, 2)
		o.Transport = own
	}
	return &Link{
		options:  o,
		client:   &http.Client{Transport: o.Transport, CheckRedirect: redirecting(o.Headers)},
		direct:   &http.Client{Transport: o.Transport, CheckRedirect: stay},
		slots:    newSlots(o.Concurrency),
		pause:    &pause{clock: o.Clock.Clock},
		breaker:  &breaker{open: o.Stop},
		throttle: newThrottle(o.Clock.Clock, o.Rate),
	}
}

// Close lets idle connections go.
func (l *Link) Close() { l.client.CloseIdleConnections() }

// Paused is the time for which a 429 held the run back.
func (l *Link) Paused() time.Duration { return l.pause.total() }

// redirecting follows redirects as long as they repeat the request as it was: a POST that would
// turn into a GET is no longer the operation that was asked for. Another host gets no credential:
// net/http keeps Authorization back, and this the delegation token and what is for the gateway.
func redirecting(gateway http.Header) func(next *http.Request, via []*http.Request) error {
	return func(next *http.Request, via []*http.Request) error {
		if len(via) >= 10 || next.Method != via[0].Method {
			return http.ErrUseLastResponse
		}
		if next.URL.Hostname() != via[0].URL.Hostname() {
			next.Header.Del(DelegationHeader)
			for name := range gateway {
				next.Header.Del(name)
			}
		}
		return nil
	}
}

// stay follows no redirect.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// call is one request to make.
type call struct {
	tags     result.Tags
	priority int
	// conversation names the one that the request must have for itself; empty for none.
	conversation string
	turn         bool
	// direct leaves redirects to whoever asked.
	direct bool
	// build makes the request when it is about to be sent, so that its token is fresh. It returns the curl line beside.
	build func(ctx context.Context, now time.Time) (*built, error)
}

type built struct {
	request *http.Request
	body    []byte
	curl    string
	// token is the one that the request carries, credential the words for it.
	token, credential string
}

// do makes the request, repeats it after a 429 as told (§6), and records every attempt. A target that
// fails gets fewer requests at once, for there are some that bear no parallel ones. It does not fail
// itself: what went wrong is in the Answer.
func (l *Link) do(ctx context.Context, c call) *Answer {
	if err := l.slots.acquire(ctx, c.priority, c.conversation); err != nil {
		return &Answer{Err: err}
	}
	for attempt := 1; ; attempt++ {
		wave := l.slots.wave()
		answer := l.once(ctx, c)
		if answer.Met5xxOrCut() {
			l.slots.strained(wave)
		} else {
			l.slots.relieved()
		}
		limited := answer.Err == nil && answer.Status == http.StatusTooManyRequests
		if limited {
			l.pause.extend(retryAfter(answer.Header, l.options.Clock.Now()))
		}
		if !limited || attempt > mostRepeats {
			l.slots.release(c.conversation)
			if limited {
				answer.Err = fmt.Errorf("still 429 after %d attempts", attempt)
			}
			return answer
		}
		if err := l.slots.again(ctx, c.priority+ahead, c.conversation); err != nil {
			return &Answer{Err: err}
		}
	}
}

// once waits until the run is not paused and the rate allows a request, and makes it. The caller holds a slot.
func (l *Link) once(ctx context.Context, c call) *Answer {
	if err := l.throttle.wait(ctx); err != nil {
		return &Answer{Err: err}
	}
	if err := l.pause.wait(ctx); err != nil {
		return &Answer{Err: err}
	}
	if ctx.Err() != nil { // nothing is sent any more
		return &Answer{Err: context.Cause(ctx)}
	}
	timeout := l.options.RequestTimeout
	if c.turn {
		timeout = l.options.TurnTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	b, err := c.build(ctx, l.options.Clock.Now())
	if err != nil {
		return &Answer{Err: err}
	}
	return l.send(b, c)
}

// send makes the round trip and records it.
func (l *Link) send(b *built, c call) *Answer {
	trace := traceParent()
	if b.request.Header.Get("User-Agent") == "" { // a client under test may have one of its own
		b.request.Header.Set("User-Agent", "pact-conform/"+l.options.Version)
	}
	b.request.Header.Set("traceparent", trace)
	x := result.Exchange{
		Tags: c.tags, TraceParent: trace, Curl: b.curl,
		Request: result.Request{Method: b.request.Method, URL: b.request.URL.String(), Header: b.request.Header.Clone(), Body: string(b.body)},
	}
	x.Tags.Credential = b.credential
	answer := &Answer{Token: b.token}
	local := l.options.Clock.Local
	x.Started = local()
	client := l.client
	if c.direct {
		client = l.direct
	}
	answer.read(client.Do(b.request))
	received := local()
	x.Duration = received.Sub(x.Started).Seconds()
	if answer.Err != nil {
		x.Error = Plain(answer.Err)
		if cause := context.Cause(b.request.Context()); cause != nil && errors.Is(answer.Err, context.Canceled) {
			x.Error = Plain(cause)
		}
		l.breaker.unanswered(answer.Err)
	} else {
		l.breaker.answered()
	}
	if answer.Status != 0 {
		x.Response = &result.Response{Proto: answer.proto, Status: answer.Status, Header: answer.Header, Body: string(answer.Body)}
		if answer.finalURL != x.Request.URL {
			x.Response.FinalURL = answer.finalURL
		}
		// A cache gives the Date at which it stored the answer, and says so by an Age.
		cached := answer.Header.Get("Age") != ""
		if date, err := http.ParseTime(answer.Header.Get("Date")); err == nil && !cached && c.tags.Operation == OperationCard && c.tags.Brand == "brand" {
			l.options.Clock.Observe(date, x.Started, received)
		}
	}
	answer.Exchange = l.options.Recorder.Record(x, answer.reply(c), b.token)
	return answer
}

// read takes what the HTTP client returned.
func (a *Answer) read(response *http.Response, err error) {
	if err != nil {
		a.Err = err
		return
	}
	defer response.Body.Close()
	a.Status, a.Header, a.proto = response.StatusCode, response.Header, response.Proto
	a.finalURL = response.Request.URL.String()
	var body bytes.Buffer
	_, err = io.Copy(&body, io.LimitReader(response.Body, MaxAnswer+1))
	a.Body = body.Bytes()
	switch {
	case err != nil:
		a.Err = err
	case len(a.Body) > MaxAnswer:
		a.Body, a.Err = a.Body[:MaxAnswer], fmt.Errorf("the answer is longer than %d bytes", MaxAnswer)
	default:
		a.whole = true
	}
}

// traceParent is a fresh W3C trace context, flagged as sampled so that the Provider may trace it.
func traceParent() string {
	var id [24]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return "00-" + hex.EncodeToString(id[:16]) + "-" + hex.EncodeToString(id[16:]) + "-01"
}
