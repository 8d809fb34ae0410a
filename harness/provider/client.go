package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Client is an HTTP client for code that makes requests of its own, such as a stock OAuth client (§5.3). Each of
// them is one of the caller's: bounded, recorded, seen, repeated after a 429, and tagged with the operation. A
// fresh personal-agent JWT goes into Authorization; otherwise the request is as that code made it.
//
// Redirects are followed as for every request. Another host gets no credential.
func (c Caller) Client(operation string) *http.Client {
	return &http.Client{
		Transport:     transport{caller: c, operation: operation},
		CheckRedirect: redirecting(c.link.options.Headers),
	}
}

// transport makes requests of one operation through the caller's link.
type transport struct {
	caller    Caller
	operation string
}

// RoundTrip makes the request, and has read the whole answer when it returns, so that nothing outlives the slot.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := consumed(r)
	if err != nil {
		return nil, err
	}
	c, gateway := t.caller, t.caller.link.options.Headers
	if leftHost(r) {
		c, gateway = c.WithoutToken(), nil
		c.edits = nil
	}
	build := func(ctx context.Context, now time.Time) (*built, error) {
		own := r.Clone(ctx)
		own.ContentLength = int64(len(body))
		own.Body, own.GetBody = http.NoBody, nil
		if len(body) > 0 {
			own.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
			own.Body, _ = own.GetBody()
		}
		for name, values := range gateway {
			if own.Header[name] == nil {
				own.Header[name] = values
			}
		}
		return c.finish(own, body, now)
	}
	ctx, done := joined(r.Context(), c.ctx)
	defer done()
	return c.do(ctx, t.operation, call{direct: true, build: build}).response(r)
}

// consumed reads and closes the body of a request, which is sent again after a 429.
func consumed(r *http.Request) (body []byte, err error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err = io.ReadAll(r.Body)
	return body, errors.Join(err, r.Body.Close())
}

// leftHost reports whether redirects led to the request from another host.
func leftHost(r *http.Request) bool {
	for r.Response != nil && r.Response.Request != nil {
		from := r.Response.Request
		if from.URL.Hostname() != r.URL.Hostname() {
			return true
		}
		r = from
	}
	return false
}

// joined is a context that ends with either; done lets it go.
func joined(ctx, other context.Context) (both context.Context, done func()) {
	both, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return both, func() {
		stop()
		cancel(nil)
	}
}

// response is the answer as net/http has it. What cut the body short is found where the body ends.
func (a *Answer) response(r *http.Request) (*http.Response, error) {
	if a.Status == 0 {
		var wrapped *url.Error // the client that asked wraps it again
		if errors.As(a.Err, &wrapped) {
			return nil, wrapped.Err
		}
		return nil, a.Err
	}
	response := &http.Response{
		Status: fmt.Sprintf("%d %s", a.Status, http.StatusText(a.Status)), StatusCode: a.Status, Proto: a.proto,
		Header: a.Header.Clone(), Request: r,
		Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body)),
	}
	response.ProtoMajor, response.ProtoMinor, _ = http.ParseHTTPVersion(a.proto)
	if !a.whole {
		response.Body, response.ContentLength = io.NopCloser(io.MultiReader(bytes.NewReader(a.Body), broken{a.Err})), -1
	}
	return response, nil
}

// broken is what cannot be read.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }
