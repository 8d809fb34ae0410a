package browser

import (
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// A recipe names what nobody could find.
func TestARecipeOverridesWhatIsFound(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := newSite(t, design{login: "odd", consent: "unknown"})
	s := openWith(t, shared, SessionOptions{
		Scopes:  []Scope{readScope, cancelScope},
		Login:   LoginRecipe{Username: "input.one", Password: ".two", Submit: "span.three"},
		Consent: ConsentRecipe{Scope: `p[data-scope="{scope}"] input`, Approve: ".btn-2", Deny: ".btn-1"},
	})
	code, link := web.ask(readScope, cancelScope)
	c := reach(t, s, link)
	g.Expect(c.Approve.Text).To(Equal("Blip"))
	g.Expect(c.Deny.Text).To(Equal("Zorb"))
	_, err := s.Decide(t.Context(), ApproveOnly(readScope.ID))
	g.Expect(err).NotTo(HaveOccurred())
	decision, approved := web.decided(code)
	g.Expect(decision).To(Equal("approved"))
	g.Expect(approved).To(ConsistOf(readScope.ID))
}

// A login in a frame that Chromium runs in a process of its own is worked, and its requests are
// recorded and held as any other's.
func TestAFrameInAProcessOfItsOwn(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	b := New(Options{Chromium: shared.options.Chromium, isolate: true})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	web := newSite(t, design{login: "framed", consent: "plain"})
	s := openWith(t, b, SessionOptions{Scopes: []Scope{readScope}, Sink: album})
	_, link := web.ask(readScope)
	p, err := s.Open(t.Context(), link)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.Kind).To(Equal(PageLogin))
	g.Expect(p.sight.tab.frameOnly).To(BeTrue())
	p, err = s.SignIn(t.Context(), Credentials{Username: testUser, Password: "wrong wrong"})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.Kind).To(Equal(PageLogin), p.Seen())
	p, err = s.SignIn(t.Context(), ada)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.Kind).To(Equal(PageConsent), p.Seen())
	c, err := s.Consent(t.Context())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.Crossing(c).Request.Method).To(Equal(http.MethodPost))
	g.Expect(album.of(t.Name())).NotTo(BeEmpty())
	for _, step := range album.of(t.Name()) {
		g.Expect(step.PNG).NotTo(BeEmpty(), step.Name)
	}

	_, link = web.ask(readScope)
	held, err := s.HoldAssertion(t.Context(), link, ada, nil)
	g.Expect(err).NotTo(HaveOccurred())
	o, err := held.Continue(t.Context())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(o.Page.Kind).To(Equal(PageConsent), o.Page.Seen())
}

// Headers of a gateway go to its origin, with every request and with nothing else.
func TestHeadersForAnOrigin(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	seen := map[string]http.Header{}
	page := func(w http.ResponseWriter, r *http.Request) { seen[r.Host] = r.Header; html(w, "<title>ok</title>ok") }
	gated, other := serve(t, map[string]http.HandlerFunc{"/": page}), serve(t, map[string]http.HandlerFunc{"/": page})
	b := New(Options{Chromium: shared.options.Chromium, Headers: func(origin string) map[string]string {
		if origin == gated.URL {
			return map[string]string{"X-Gateway-Key": "open sesame"}
		}
		return nil
	}})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	s := openWith(t, b, SessionOptions{})
	for _, link := range []string{gated.URL, other.URL} {
		p, err := s.Open(t.Context(), link)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(p.Title).To(Equal("ok"))
	}
	g.Expect(seen[strings.TrimPrefix(gated.URL, "http://")].Get("X-Gateway-Key")).To(Equal("open sesame"))
	g.Expect(seen[strings.TrimPrefix(gated.URL, "http://")].Get("User-Agent")).NotTo(BeEmpty())
	g.Expect(seen[strings.TrimPrefix(other.URL, "http://")]).NotTo(HaveKey("X-Gateway-Key"))
	for _, r := range s.Requests() {
		g.Expect(r.Status).To(Equal(http.StatusOK))
	}
}
