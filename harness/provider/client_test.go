package provider

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"

	"github.com/pact-conform/pact-conform/harness/result"
)

// golang.org/x/oauth2's device flow gets a token with nothing added but the Authorization header (§5).
func TestAStockDeviceFlow(t *testing.T) {
	g := NewWithT(t)
	made := delegating(t)
	config := oauth2.Config{ClientID: made.Agent.Issuer, Scopes: []string{"orders:read"}, Endpoint: oauth2.Endpoint{
		DeviceAuthURL: made.delegation.DeviceAuthorizationURL, TokenURL: made.delegation.TokenURL, AuthStyle: oauth2.AuthStyleInParams,
	}}
	through := func(operation string) context.Context {
		return context.WithValue(t.Context(), oauth2.HTTPClient, made.Client(operation))
	}
	before := len(made.recorder.All())
	code, err := config.DeviceAuth(through(OperationDevice))
	g.Expect(err).NotTo(HaveOccurred())
	var token *oauth2.Token
	got := make(chan error, 1)
	go func() {
		var err error
		token, err = config.DeviceAccessToken(through(OperationToken), code)
		got <- err
	}()
	eventually(t, func() int { return len(made.recorder.All()) - before }).Should(BeNumerically(">=", 2), "a pending poll")
	approve(t, code.VerificationURIComplete)
	eventually(t, got).Should(Receive(BeNil()))
	g.Expect(token.AccessToken).To(HavePrefix("eyJ"))
	g.Expect(token.RefreshToken).NotTo(BeEmpty())

	exchanges := made.recorder.All()[before:]
	operations, tokens := []string{}, map[string]bool{}
	for _, x := range exchanges {
		operations = append(operations, x.Tags.Operation)
		tokens[x.Request.Header.Get("Authorization")] = true
		g.Expect(x.Tags.Credential).To(Equal("ES256"))
		for _, secret := range []string{code.DeviceCode, code.UserCode, token.RefreshToken} {
			g.Expect(x.Request.Body + x.Response.Body + x.Curl).NotTo(ContainSubstring(secret))
		}
	}
	g.Expect(slices.Compact(operations)).To(Equal([]string{OperationDevice, OperationToken}))
	g.Expect(tokens).To(HaveLen(len(exchanges)), "each request has a token of its own")
	g.Expect(exchanges[1].Response.Status).To(Equal(http.StatusBadRequest))
	g.Expect(exchanges[1].Response.Body).To(ContainSubstring("authorization_pending"))
	g.Expect(exchanges[len(exchanges)-1].Response.Status).To(Equal(http.StatusOK))
}

// A client keeps what it set, but for Authorization, and what it holds is not changed under its hands.
func TestAClientsRequestStaysAsItWas(t *testing.T) {
	g := NewWithT(t)
	var got *http.Request
	var sent string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, sent = r, string(body)
		w.Header().Set("X-Answer", "yes")
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte("short and stout"))
	})
	b := newBench(t, func(o *Options) { o.Headers = http.Header{"X-Gateway": {"pass"}, "Accept": {"*/*"}} })
	caller := b.caller(t.Context(), "https://elsewhere.example")
	var seen []*Answer
	caller.Seen = func(a *Answer) { seen = append(seen, a) }
	body := &closing{Reader: strings.NewReader("a=b")}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL+"/path?q=1", body)
	g.Expect(err).NotTo(HaveOccurred())
	request.Header = http.Header{"Accept": {"application/json"}, "User-Agent": {"stock/1"}, "Authorization": {"Basic eDp5"}, "X-Own": {"1", "2"}}
	was := request.Header.Clone()

	response, err := caller.Client(OperationToken).Do(request)
	g.Expect(err).NotTo(HaveOccurred())
	answered, err := io.ReadAll(response.Body)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(response.Body.Close()).To(Succeed())
	g.Expect(string(answered)).To(Equal("short and stout"))
	g.Expect(response.Status).To(Equal("418 I'm a teapot"))
	g.Expect(response.Proto).To(Equal("HTTP/1.1"))
	g.Expect(response.ContentLength).To(BeEquivalentTo(15))
	g.Expect(response.Header.Get("X-Answer")).To(Equal("yes"))
	g.Expect(response.Request).To(BeIdenticalTo(request))

	g.Expect(got.Method + " " + got.RequestURI + " " + sent).To(Equal("PUT /path?q=1 a=b"))
	g.Expect(got.Header.Get("Authorization")).To(HavePrefix("Bearer ey"))
	g.Expect(got.Header.Get("Traceparent")).NotTo(BeEmpty())
	for _, name := range []string{"Authorization", "Traceparent", "Accept-Encoding", "Content-Length"} {
		got.Header.Del(name)
	}
	g.Expect(got.Header).To(Equal(http.Header{
		"Accept": {"application/json"}, "User-Agent": {"stock/1"}, "X-Own": {"1", "2"}, "X-Gateway": {"pass"},
	}))
	g.Expect(request.Header).To(Equal(was))
	g.Expect(body.closed).To(BeTrue())
	g.Expect(seen).To(HaveLen(1))
	g.Expect(seen[0].Exchange.Tags).To(Equal(result.Tags{
		Case: "PACT-0-01/case", Brand: "brand", Expect: result.ExpectAny, Operation: OperationToken,
		User: "jane", Agent: "primary", Credential: "ES256",
	}))
}

// closing notes that it was closed; its error, where set, comes in place of what is read.
type closing struct {
	io.Reader
	err    error
	closed bool
}

func (c *closing) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	return c.Reader.Read(p)
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

func TestAClientIsRedirectedLikeTheCaller(t *testing.T) {
	for _, test := range []struct {
		status, want, requests int
	}{{http.StatusFound, http.StatusFound, 1}, {http.StatusTemporaryRedirect, http.StatusOK, 2}} {
		t.Run(http.StatusText(test.status), func(t *testing.T) {
			g := NewWithT(t)
			var bodies []string
			var tokens []string
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				bodies, tokens = append(bodies, r.Method+" "+string(body)), append(tokens, r.Header.Get("Authorization"))
				if r.URL.Path == "/" {
					http.Redirect(w, r, "/moved", test.status)
				}
			})
			b := newBench(t)
			response, err := b.caller(t.Context(), "").Client(OperationToken).PostForm(server.URL+"/", url.Values{"a": {"b"}})
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(response.Body.Close()).To(Succeed())
			g.Expect(response.StatusCode).To(Equal(test.want))
			g.Expect(bodies).To(Equal(slices.Repeat([]string{"POST a=b"}, test.requests)))
			g.Expect(tokens).To(HaveEach(HavePrefix("Bearer ey")))
			g.Expect(b.recorder.All()).To(HaveLen(test.requests), "each hop is a request of its own")
			g.Expect(b.recorder.All()[0].Response.Status).To(Equal(test.status))
		})
	}
}

func TestAClientsCredentialStaysAtItsHost(t *testing.T) {
	g := NewWithT(t)
	headers := map[string]http.Header{}
	var here, other *httptest.Server
	at := func(s *httptest.Server, host, path string) string {
		_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
		return "http://" + host + ":" + port + path
	}
	other = serve(t, func(w http.ResponseWriter, r *http.Request) {
		headers["there"] = r.Header
		http.Redirect(w, r, at(here, "127.0.0.1", "/back"), http.StatusTemporaryRedirect)
	})
	here = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if headers[r.URL.Path] = r.Header; r.URL.Path == "/" {
			http.Redirect(w, r, at(other, "localhost", "/"), http.StatusTemporaryRedirect)
		}
	})
	b := newBench(t, func(o *Options) { o.Headers = http.Header{"X-Gateway": {"pass"}} })
	response, err := b.caller(t.Context(), "").Delegated("a.b.c").Client(OperationToken).PostForm(here.URL+"/", nil)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(response.Body.Close()).To(Succeed())
	for _, name := range []string{"Authorization", DelegationHeader, "X-Gateway"} {
		g.Expect(headers["/"].Get(name)).NotTo(BeEmpty(), name)
		g.Expect(headers["there"].Get(name)).To(BeEmpty(), name)
		g.Expect(headers["/back"].Get(name)).To(BeEmpty(), "nor whom the other host names: "+name)
	}
}

func TestAClientsRequestIsRepeatedAfterA429(t *testing.T) {
	g := NewWithT(t)
	var bodies []string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bodies = append(bodies, string(body)); len(bodies) == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	response, err := newBench(t).caller(t.Context(), "").Client(OperationToken).PostForm(server.URL, url.Values{"a": {"b"}})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(response.Body.Close()).To(Succeed())
	g.Expect(response.StatusCode).To(Equal(http.StatusOK))
	g.Expect(bodies).To(Equal([]string{"a=b", "a=b"}))
}

func TestAClientIsToldOfTrouble(t *testing.T) {
	t.Run("nobody there", func(t *testing.T) {
		g := NewWithT(t)
		_, err := newBench(t).caller(t.Context(), "").Client(OperationToken).Get("http://127.0.0.1:1/")
		g.Expect(err).To(MatchError(ContainSubstring("connection refused")))
		g.Expect(strings.Count(err.Error(), "127.0.0.1:1/")).To(Equal(1), err.Error())
	})
	t.Run("a body that ends early", func(t *testing.T) {
		g := NewWithT(t)
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("a part"))
		})
		response, err := newBench(t).caller(t.Context(), "").Client(OperationToken).Get(server.URL)
		g.Expect(err).NotTo(HaveOccurred())
		body, err := io.ReadAll(response.Body)
		g.Expect(string(body)).To(Equal("a part"))
		g.Expect(err).To(MatchError(io.ErrUnexpectedEOF))
		g.Expect(response.Body.Close()).To(Succeed())
	})
	t.Run("429 without end", func(t *testing.T) {
		g := NewWithT(t)
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "later", http.StatusTooManyRequests)
		})
		response, err := newBench(t).caller(t.Context(), "").Client(OperationToken).Get(server.URL)
		g.Expect(err).NotTo(HaveOccurred())
		body, err := io.ReadAll(response.Body)
		g.Expect(err).NotTo(HaveOccurred(), "the answer is whole")
		g.Expect(string(body)).To(Equal("later\n"))
		g.Expect(response.StatusCode).To(Equal(http.StatusTooManyRequests))
		g.Expect(response.Body.Close()).To(Succeed())
	})
	t.Run("a request body that cannot be read", func(t *testing.T) {
		g := NewWithT(t)
		b := newBench(t)
		body := &closing{err: errors.New("no more")}
		_, err := b.caller(t.Context(), "").Client(OperationToken).Post("http://127.0.0.1:1/", "text/plain", body)
		g.Expect(err).To(MatchError(body.err))
		g.Expect(body.closed).To(BeTrue())
		g.Expect(b.recorder.All()).To(BeEmpty())
	})
}

// A request ends with its own context and with that of the caller.
func TestAClientsRequestEndsWithEitherContext(t *testing.T) {
	for _, whose := range []string{"the request's", "the caller's"} {
		t.Run(whose, func(t *testing.T) {
			g := NewWithT(t)
			arrived := make(chan bool, 1)
			server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				arrived <- true
				<-r.Context().Done()
			})
			callers, endCaller := contextWithCause(t)
			requests, endRequest := contextWithCause(t)
			request, err := http.NewRequestWithContext(requests, http.MethodGet, server.URL, nil)
			g.Expect(err).NotTo(HaveOccurred())
			ended, client, enough := make(chan error, 1), newBench(t).caller(callers, "").Client(OperationToken), errors.New("enough")
			go func() {
				response, err := client.Do(request)
				if err == nil {
					_ = response.Body.Close()
				}
				ended <- err
			}()
			eventually(t, arrived).Should(Receive())
			map[string]context.CancelCauseFunc{"the request's": endRequest, "the caller's": endCaller}[whose](enough)
			eventually(t, ended).Should(Receive(MatchError(enough)))
		})
	}
}
