package provider

import (
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/clock"
	"github.com/pact-conform/pact-conform/harness/evidence"
	"github.com/pact-conform/pact-conform/harness/result"
)

var quiet = log.New(io.Discard, "", 0)

func TestAnExchangeTellsTheWholeStory(t *testing.T) {
	g := NewWithT(t)
	var got *http.Request
	var body string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		got, body = r, string(raw)
		w.Header().Set("Content-Type", "application/a2a+json")
		_, _ = w.Write([]byte(`{"message":{"messageId":"r-1","contextId":"c-1"}}`))
	})
	b := newBench(t)
	answer := b.caller(t.Context(), server.URL).With(agent.RS256()).Expecting(result.ExpectSuccess).Send("Hi", MessageID("m-1"))
	x := answer.Exchange
	g.Expect(x.Tags).To(Equal(result.Tags{
		Case: "PACT-0-01/case", Operation: "message:send", Brand: "brand", Agent: "primary", User: "jane",
		Credential: "RS256", Expect: result.ExpectSuccess,
	}))
	g.Expect(got.Header.Get("User-Agent")).To(Equal("pact-conform/1.2.3"))
	g.Expect(got.Header.Get("A2A-Version")).To(Equal("1.0"))
	g.Expect(got.Header.Get("Content-Type")).To(Equal("application/json"))
	g.Expect(got.Header.Get("Traceparent")).To(Equal(x.TraceParent))
	g.Expect(x.TraceParent).To(MatchRegexp(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`))
	g.Expect(got.URL.Path).To(Equal("/message:send"))
	g.Expect(body).To(MatchJSON(`{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"Hi"}]}}`))
	g.Expect(x.Request.Body).To(Equal(body))
	g.Expect(x.Request.BodyBytes).To(Equal(len(body)))
	g.Expect(x.Request.Header).To(HaveKey("User-Agent"))
	g.Expect(x.Response.Proto).To(Equal("HTTP/1.1"))
	g.Expect(x.Response.MediaType()).To(Equal("application/a2a+json"))
	g.Expect(x.Response.FinalURL).To(BeEmpty())
	g.Expect(x.Turn).To(BeTrue())
	g.Expect(answer.ContextID()).To(Equal("c-1"))
	g.Expect(answer.Recorded()).To(HaveExactElements(x))

	again := b.caller(t.Context(), server.URL).Send("Hi", MessageID("m-1"))
	g.Expect(again.Exchange.Replay).To(BeTrue())
	g.Expect(again.Exchange.TraceParent).NotTo(Equal(x.TraceParent))
}

func TestTheCredentialIsNamed(t *testing.T) {
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	b := newBench(t)
	caller := b.caller(t.Context(), server.URL)
	for want, c := range map[string]Caller{
		"ES256":                           caller,
		"alg none":                        caller.With(agent.None("none", false)),
		"no token":                        caller.WithoutToken(),
		"ES256, no jti, scheme in lower":  caller.With(agent.NoJTI()).Authorization("scheme in lower", func(s string) string { return "bearer " + s }),
		"the very same":                   caller.WithToken("a.b.c", "the very same"),
		"ES256, expired 40s ago":          caller.With(agent.Expired(40 * time.Second)),
		"no token, put elsewhere by hand": caller.WithoutToken().Authorization("put elsewhere by hand", nil),
	} {
		if got := c.Tasks("").Exchange.Tags.Credential; !strings.EqualFold(got, want) {
			t.Errorf("credential %q, want %q", got, want)
		}
	}
}

func TestNothingIsSentThatCannotBeMade(t *testing.T) {
	g := NewWithT(t)
	b := newBench(t)
	answer := b.caller(t.Context(), "http://127.0.0.1:1").With(agent.Algorithm("PS512")).Tasks("")
	g.Expect(answer.Err).To(HaveOccurred(), "the ring has no extra keys")
	g.Expect(answer.Exchange).To(BeNil())
	g.Expect(answer.Recorded()).To(BeEmpty())
	g.Expect(b.slots.free).To(Equal(8))
	g.Expect(b.caller(t.Context(), "http://bad host").Tasks("").Err).To(HaveOccurred())
	g.Expect(b.recorder.All()).To(BeEmpty())
}

func TestTheBodyIsBounded(t *testing.T) {
	for name, size := range map[string]int{"as long as is read": MaxAnswer, "longer": MaxAnswer + 1} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(make([]byte, size))
			})
			answer := newBench(t).caller(t.Context(), server.URL).Tasks("")
			g.Expect(answer.Body).To(HaveLen(MaxAnswer))
			if size > MaxAnswer {
				g.Expect(answer.Exchange.Error).To(Equal("the answer is longer than 4194304 bytes"))
			} else {
				g.Expect(answer.Err).NotTo(HaveOccurred())
			}
		})
	}
}

func TestRedirectsThatKeepTheRequestAreFollowed(t *testing.T) {
	for _, test := range []struct {
		status int
		method string
		follow bool
	}{
		{301, "GET", true}, {302, "GET", true}, {303, "GET", true}, {307, "GET", true}, {308, "GET", true},
		{301, "POST", false}, {302, "POST", false}, {303, "POST", false}, {307, "POST", true}, {308, "POST", true},
	} {
		t.Run(test.method+http.StatusText(test.status), func(t *testing.T) {
			g := NewWithT(t)
			var bodies []string
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				bodies = append(bodies, r.Method+string(body)+r.Header.Get("Authorization"))
				if !strings.HasPrefix(r.URL.Path, "/moved") {
					http.Redirect(w, r, "/moved"+r.URL.Path, test.status)
				}
			})
			caller := newBench(t).caller(t.Context(), server.URL)
			answer := caller.Do(OperationNone, test.method, "here", "text/plain", map[string][]byte{"POST": []byte("body")}[test.method])
			if !test.follow {
				g.Expect(answer.Status).To(Equal(test.status))
				g.Expect(bodies).To(HaveLen(1))
				return
			}
			g.Expect(answer.Status).To(Equal(200))
			g.Expect(bodies).To(HaveLen(2))
			g.Expect(bodies[1]).To(Equal(bodies[0]), "method, body and token go along")
			g.Expect(answer.Exchange.Request.URL).To(Equal(server.URL + "/here"))
			g.Expect(answer.Exchange.Response.FinalURL).To(Equal(server.URL + "/moved/here"))
		})
	}
}

func TestRedirectsWithoutEndEnd(t *testing.T) {
	g := NewWithT(t)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	answer := newBench(t).caller(t.Context(), server.URL).Tasks("")
	g.Expect(answer.Err).NotTo(HaveOccurred())
	g.Expect(answer.Status).To(Equal(http.StatusFound))
}

func TestAnotherHostGetsNoCredential(t *testing.T) {
	g := NewWithT(t)
	var there http.Header
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { there = r.Header })
	_, port, _ := net.SplitHostPort(other.Listener.Addr().String())
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://localhost:"+port+"/", http.StatusTemporaryRedirect)
	})
	b := newBench(t, func(o *Options) { o.Headers = http.Header{"X-Gateway": {"pass"}} })
	answer := b.caller(t.Context(), here.URL).Delegated("a.b.c").Ask()
	g.Expect(answer.Status).To(Equal(200))
	g.Expect(answer.Exchange.Request.Header).To(HaveKey("X-Gateway"))
	for _, name := range []string{"Authorization", DelegationHeader, "X-Gateway"} {
		g.Expect(there.Get(name)).To(BeEmpty(), name)
	}
}

// Whatever the server does with the token, its signature is in no record.
func TestNoSignatureIsRecorded(t *testing.T) {
	g := NewWithT(t)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		w.Header().Set("Set-Cookie", "session="+token)
		w.Header().Set("WWW-Authenticate", `Bearer realm="a2a", error_description="`+token+`"`)
		if r.URL.Path != "/moved" {
			http.Redirect(w, r, "/moved?auth="+url.QueryEscape("Bearer "+token), http.StatusTemporaryRedirect)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"header": r.Header, "quoted": `"` + token + `"`})
	})
	b := newBench(t)
	caller := b.caller(t.Context(), server.URL)
	for _, c := range []Caller{
		caller, caller.With(agent.RS256()), caller.With(agent.FourSegments()), caller.With(agent.HeaderNotJSON()),
		caller.With(agent.BadBase64()), caller.With(agent.PayloadList()), caller.With(agent.DERSignature()), caller.With(agent.None("none", true)),
		caller.Authorization("Basic", func(s string) string { return "Basic " + s }),
		caller.Authorization("no scheme", func(s string) string { return s }),
		caller.Editing(func(r *http.Request, token string) { r.URL.RawQuery = "access_token=" + token }),
	} {
		answer := c.Send("Hi")
		g.Expect(answer.Status).To(Equal(200))
		segments := strings.Split(answer.Token, ".")
		g.Expect(len(segments)).To(BeNumerically(">=", 3))
		record, err := json.Marshal(answer.Exchange)
		g.Expect(err).NotTo(HaveOccurred())
		for _, segment := range segments[2:] {
			if len(segment) >= 16 {
				g.Expect(string(record)).NotTo(ContainSubstring(segment), answer.Exchange.Tags.Credential)
			}
		}
	}
}

func TestFullSignaturePattern(t *testing.T) {
	g := NewWithT(t)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.Header.Get("Authorization"))) })
	x := newBench(t).caller(t.Context(), server.URL).Tasks("").Exchange
	record, _ := json.Marshal(x)
	g.Expect(regexp.MustCompile(`eyJ[\w-]+\.[\w-]+\.[\w-]+`).Find(record)).To(BeNil())
	g.Expect(x.Response.Body).To(HavePrefix("Bearer eyJ"))
	g.Expect(x.Response.Body).To(HaveSuffix("." + evidence.SignatureMasked))
}

func TestACutAnswerDeservesASecondLook(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"before the answer": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"in the answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("a part"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"in a chunk": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("a part"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
	} {
		for _, two := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " over HTTP/2"}[two], func(t *testing.T) {
				g := NewWithT(t)
				server := httptest.NewUnstartedServer(handler)
				server.Config.ErrorLog = quiet
				server.EnableHTTP2 = two
				server.StartTLS()
				defer server.Close()
				b := newBench(t, func(o *Options) { o.Transport = server.Client().Transport })
				answer := b.caller(t.Context(), server.URL).Send("Hi")
				g.Expect(answer.Exchange.Error).To(Equal("the connection was cut before the answer was complete"))
				g.Expect(answer.Met5xxOrCut()).To(BeTrue())
			})
		}
	}
}

func TestServerErrorsDeserveASecondLook(t *testing.T) {
	g := NewWithT(t)
	for status, want := range map[int]bool{200: false, 401: false, 404: false, 429: false, 500: true, 503: true} {
		g.Expect((&Answer{Status: status}).Met5xxOrCut()).To(Equal(want), "%d", status)
	}
}

func TestHTTP2(t *testing.T) {
	g := NewWithT(t)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(append([]byte(r.Proto+" "), body...))
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	b := newBench(t, func(o *Options) { o.Transport = server.Client().Transport })
	x := b.caller(t.Context(), server.URL).SendBody("text/plain", []byte("hello")).Exchange
	g.Expect(x.Response.Proto).To(Equal("HTTP/2.0"))
	g.Expect(x.Response.Body).To(Equal("HTTP/2.0 hello"))
}

func TestAnIdleConnectionThatWasCutIsNoFailure(t *testing.T) {
	g := NewWithT(t)
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	caller := newBench(t).caller(t.Context(), server.URL)
	for range 3 {
		g.Expect(caller.Tasks("").Err).NotTo(HaveOccurred())
		server.CloseClientConnections()
	}
}

func TestTheClockIsMeasuredByTheBrandsCard(t *testing.T) {
	at := newManual().Now()
	for name, test := range map[string]struct {
		ask    func(Caller, string) *Answer
		header http.Header
		ahead  bool
	}{
		"the card":            {func(c Caller, at string) *Answer { return c.Get(OperationCard, at) }, nil, true},
		"a cached card":       {func(c Caller, at string) *Answer { return c.Get(OperationCard, at) }, http.Header{"Age": {"55"}}, false},
		"another Brand's":     {func(c Caller, at string) *Answer { return c.Calling(Interface{}, "other").Get(OperationCard, at) }, nil, false},
		"another operation's": {func(c Caller, _ string) *Answer { return c.Tasks("") }, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				for name, values := range test.header {
					w.Header()[name] = values
				}
				w.Header().Set("Date", at.Add(time.Minute).Format(http.TimeFormat))
			})
			c := clock.NewMeasured(newManual())
			b := newBench(t, func(o *Options) { o.Clock = c })
			g.Expect(test.ask(b.caller(t.Context(), server.URL), server.URL).Err).NotTo(HaveOccurred())
			g.Expect(c.Offset() > 59*time.Second).To(Equal(test.ahead), "offset %s", c.Offset())
		})
	}
}

func TestGatewayHeadersGoWithEveryRequest(t *testing.T) {
	g := NewWithT(t)
	var got http.Header
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	b := newBench(t, func(o *Options) { o.Headers = http.Header{"X-Gateway": {"pass"}} })
	caller := b.caller(t.Context(), server.URL)
	for _, ask := range []func() *Answer{
		func() *Answer { return caller.Get(OperationCard, server.URL) },
		func() *Answer { return caller.Ask() },
		func() *Answer { return caller.Header("X-Case", "own").Tasks("") },
	} {
		g.Expect(ask().Err).NotTo(HaveOccurred())
		g.Expect(got.Get("X-Gateway")).To(Equal("pass"))
	}
	g.Expect(got.Get("X-Case")).To(Equal("own"))
	caller.Header("X-Gateway", "").Tasks("")
	g.Expect(got).NotTo(HaveKey("X-Gateway"))
	g.Expect(b.options.Headers.Get("X-Gateway")).To(Equal("pass"))
}
