package agent

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// serve starts a server with two agents, and closes it after the test.
func serve(t *testing.T) (s *Server, primary, second *Agent) {
	t.Helper()
	g := NewWithT(t)
	s, err := StartServer(ServerOptions{Address: "127.0.0.1:0"})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		NewWithT(t).Expect(s.Close(ctx)).To(Succeed())
	})
	primary = New("primary", s.BaseURL()+"/primary", testAgent(t).Ring)
	second = New("second", s.BaseURL()+"/deep/second/", otherAgent(t).Ring)
	g.Expect(s.Add(primary, second)).To(Succeed())
	return s, primary, second
}

// get fetches a URL on a connection of its own.
func get(t *testing.T, ctx context.Context, client *http.Client, method, url string) (*http.Response, []byte, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	req.Header.Set("User-Agent", "a Provider")
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, body, err
}

func client(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

func fetched(t *testing.T, url string) (*http.Response, []byte) {
	t.Helper()
	resp, body, err := get(t, t.Context(), client(t), http.MethodGet, url)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return resp, body
}

func TestServerDocuments(t *testing.T) {
	s, primary, second := serve(t)
	for _, a := range []*Agent{primary, second} {
		t.Run(a.Role, func(t *testing.T) {
			g := NewWithT(t)
			resp, body := fetched(t, a.JWKSURI())
			g.Expect(resp.StatusCode).To(Equal(200))
			g.Expect(resp.Header.Get("Content-Type")).To(Equal("application/json"))
			g.Expect(resp.Header.Get("Cache-Control")).To(Equal("public, max-age=10"))
			want, err := a.Ring.Public()
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(body).To(Equal(want))
			keysIn(t, body)

			resp, body = fetched(t, a.Issuer+"/.well-known/openid-configuration")
			if a.Role == "second" { // its issuer ends with a slash, which the well-known path does not double
				g.Expect(resp.StatusCode).To(Equal(404))
				resp, body = fetched(t, a.Issuer+".well-known/openid-configuration")
			}
			g.Expect(resp.StatusCode).To(Equal(200))
			document := members(t, body)
			g.Expect(document).To(HaveKeyWithValue("issuer", a.Issuer))
			g.Expect(document).To(HaveKeyWithValue("jwks_uri", a.JWKSURI()))
			for _, required := range []string{"authorization_endpoint", "response_types_supported", "subject_types_supported"} {
				g.Expect(document).To(HaveKey(required))
			}
			g.Expect(document["id_token_signing_alg_values_supported"]).To(ContainElement("RS256"))
		})
	}
	for _, path := range []string{"/", "/primary", "/primary/", "/other/.well-known/jwks.json", "/.well-known/jwks.json",
		"/primary/.well-known/jwks.json/x", "/primary/attacker/", "/primary/attacker//jwks.json", "/primary/attacker/a/none.pem", "/primaryx/.well-known/jwks.json"} {
		resp, _ := fetched(t, s.BaseURL()+path)
		NewWithT(t).Expect(resp.StatusCode).To(Equal(404), path)
	}
	resp, _, err := get(t, t.Context(), client(t), http.MethodPost, primary.JWKSURI())
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	NewWithT(t).Expect(resp.StatusCode).To(Equal(405))
	NewWithT(t).Expect(resp.Header.Get("Allow")).To(Equal("GET, HEAD"))
	resp, body, err := get(t, t.Context(), client(t), http.MethodHead, primary.JWKSURI())
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	NewWithT(t).Expect(resp.StatusCode).To(Equal(200))
	NewWithT(t).Expect(body).To(BeEmpty())
}

// What jku and x5u of a minted token name is served, and verifies that very token.
func TestServerOffersAttackersDocuments(t *testing.T) {
	s, primary, _ := serve(t)
	for _, base := range []Change{ES256(), RS256()} {
		t.Run(base.String(), func(t *testing.T) {
			g := NewWithT(t)
			byJKU, err := primary.Mint(testParams(), base, HeaderJKU(""))
			g.Expect(err).NotTo(HaveOccurred())
			again, err := primary.Mint(testParams(), base, HeaderJKU(""))
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(again.Header["jku"]).NotTo(Equal(byJKU.Header["jku"]))
			_, body := fetched(t, byJKU.Header["jku"].(string))
			keys := keysIn(t, body)
			published, err := primary.Ring.published(base.String())
			g.Expect(err).NotTo(HaveOccurred())
			p := take(t, byJKU.Compact)
			for _, kid := range []string{byJKU.Header["kid"].(string), published.kid} {
				g.Expect(keys).To(HaveKey(kid))
				g.Expect(verifies(base.String(), keys[kid].Key, p.input, p.signature)).To(BeTrue())
			}

			byX5U, err := primary.Mint(testParams(), base, HeaderX5U(""))
			g.Expect(err).NotTo(HaveOccurred())
			resp, body := fetched(t, byX5U.Header["x5u"].(string))
			g.Expect(resp.Header.Get("Content-Type")).To(Equal("application/pem-certificate-chain"))
			block, rest := pem.Decode(body)
			g.Expect(block).NotTo(BeNil())
			g.Expect(rest).To(BeEmpty())
			certificate, err := x509.ParseCertificate(block.Bytes)
			g.Expect(err).NotTo(HaveOccurred())
			p = take(t, byX5U.Compact)
			g.Expect(verifies(base.String(), certificate.PublicKey, p.input, p.signature)).To(BeTrue())
		})
	}
	offers := 0
	for _, f := range s.Fetches() {
		if f.Document == Attacker && f.Agent == "primary" && f.Status == 200 {
			offers++
		}
	}
	NewWithT(t).Expect(offers).To(Equal(4))
}

func TestServerPublishesAndWithdraws(t *testing.T) {
	g := NewWithT(t)
	s, primary, second := serve(t)
	spare := primary.Ring.spares[WithdrawalSpare].kid
	kids := func(a *Agent) map[string]bool {
		_, body := fetched(t, a.JWKSURI())
		found := map[string]bool{}
		for kid := range keysIn(t, body) {
			found[kid] = true
		}
		return found
	}
	before := kids(primary)
	g.Expect(before).NotTo(HaveKey(spare))
	for range 2 { // publishing twice is publishing once
		g.Expect(s.Publish("primary", WithdrawalSpare)).To(Succeed())
	}
	g.Expect(kids(primary)).To(HaveKey(spare))
	g.Expect(kids(primary)).To(HaveLen(len(before) + 1))
	g.Expect(s.Publish("primary", RotationSpare)).To(Succeed())
	g.Expect(s.Withdraw("primary", WithdrawalSpare)).To(Succeed())
	g.Expect(kids(primary)).NotTo(HaveKey(spare))
	g.Expect(kids(primary)).To(HaveKey(primary.Ring.spares[RotationSpare].kid))
	g.Expect(kids(second)).To(HaveLen(3))
	g.Expect(s.Publish("nobody", RotationSpare)).NotTo(Succeed())
}

func TestServerFails(t *testing.T) {
	g := NewWithT(t)
	s, primary, second := serve(t)
	want, err := primary.Ring.Public()
	g.Expect(err).NotTo(HaveOccurred())

	g.Expect(s.Fail("primary", Status500)).To(Succeed())
	resp, _ := fetched(t, primary.JWKSURI())
	g.Expect(resp.StatusCode).To(Equal(500))
	g.Expect(resp.Header.Get("Cache-Control")).To(Equal("no-store"))

	g.Expect(s.Fail("primary", NotJSON)).To(Succeed())
	resp, body := fetched(t, primary.JWKSURI())
	g.Expect(resp.StatusCode).To(Equal(200))
	g.Expect(resp.Header.Get("Cache-Control")).To(Equal("no-store"))
	g.Expect(json.Valid(body)).To(BeFalse())

	// Another agent's documents and one's own discovery are untouched.
	resp, _ = fetched(t, second.JWKSURI())
	g.Expect(resp.StatusCode).To(Equal(200))
	resp, _ = fetched(t, primary.Issuer+"/.well-known/openid-configuration")
	g.Expect(resp.StatusCode).To(Equal(200))

	g.Expect(s.Fail("primary", Healthy)).To(Succeed())
	_, body = fetched(t, primary.JWKSURI())
	g.Expect(body).To(Equal(want))
	g.Expect(s.Fail("nobody", Hang)).NotTo(Succeed())
}

func TestServerSpeaksTLS(t *testing.T) {
	g := NewWithT(t)
	authority := httptest.NewUnstartedServer(nil)
	authority.StartTLS() // for its certificate alone
	defer authority.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	g.Expect(err).NotTo(HaveOccurred())
	s, err := StartServer(ServerOptions{Listener: listener, Certificate: &authority.TLS.Certificates[0]})
	g.Expect(err).NotTo(HaveOccurred())
	defer func() { g.Expect(s.Close(context.Background())).To(Succeed()) }()
	a := New("primary", s.BaseURL()+"/p", testAgent(t).Ring)
	g.Expect(a.Issuer).To(HavePrefix("https://127.0.0.1:"))
	g.Expect(s.Add(a)).To(Succeed())
	pool := x509.NewCertPool()
	pool.AddCert(authority.Certificate())
	httpClient := client(t)
	httpClient.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool}
	httpClient.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	resp, _, err := get(t, t.Context(), httpClient, http.MethodGet, a.JWKSURI())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(resp.StatusCode).To(Equal(200))
	g.Expect(resp.ProtoMajor).To(Equal(2))

	// Over HTTP/2 a hanging request ends with its caller too.
	g.Expect(s.Fail("primary", Hang)).To(Succeed())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, _, err := get(t, ctx, httpClient, http.MethodGet, a.JWKSURI())
		ended <- err
	}()
	_, err = s.WaitFor(t.Context(), func(f []Fetch) bool { return len(f) == 2 })
	g.Expect(err).NotTo(HaveOccurred())
	cancel()
	g.Expect(<-ended).To(MatchError(context.Canceled))
}

func TestServerErrors(t *testing.T) {
	g := NewWithT(t)
	s, primary, _ := serve(t)
	address := s.listener.Addr().String()
	_, err := StartServer(ServerOptions{Address: address})
	g.Expect(err).To(MatchError("JWKS server: " + address + " is in use by another process"))
	_, err = StartServer(ServerOptions{Address: "nonsense"})
	g.Expect(err).To(MatchError(HavePrefix("JWKS server: ")))
	g.Expect(s.Add(New("third", primary.Issuer+"/", primary.Ring))).To(MatchError(ContainSubstring("same path")))
	g.Expect(s.Add(New("primary", s.BaseURL()+"/elsewhere", primary.Ring))).To(MatchError(ContainSubstring("role primary")))
	g.Expect(s.Add(New("third", "nonsense", primary.Ring))).To(MatchError(ContainSubstring("no absolute URL")))
}
