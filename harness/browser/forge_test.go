package browser

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// PACT-5.3-33: a scope that was not asked for, put into the decision, whatever its body type.
func TestADecisionIsHeldAndChanged(t *testing.T) {
	for name, consent := range map[string]string{
		"multipart": "portuguese", "names tell the scopes": "confirm", "JSON": "french",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gomega(t)
			web := newSite(t, design{login: "plain", consent: consent})
			s := open(t, readScope)
			code, link := web.ask(readScope)
			reach(t, s, link)

			held, err := s.HoldDecision(t.Context(), ApproveAll())
			g.Expect(err).NotTo(HaveOccurred())
			decision, _ := web.decided(code)
			g.Expect(decision).To(BeEmpty(), "a held decision has not been sent")
			g.Expect(held.Draft().Method).To(Equal(http.MethodPost))
			g.Expect(decoded(string(held.Draft().Body))).To(ContainSubstring(readScope.ID))

			forged, err := held.Draft().AddScope([]Scope{readScope}, refundScope.ID)
			g.Expect(err).NotTo(HaveOccurred())
			o, err := held.Send(t.Context(), forged)
			g.Expect(err).NotTo(HaveOccurred())
			decision, approved := web.decided(code)
			g.Expect(decision).To(Equal("approved"), o.Page.Seen())
			g.Expect(approved).To(ConsistOf(readScope.ID, refundScope.ID))
			g.Expect(o.Request.Status).To(BeNumerically("<", 400))
		})
	}
}

// PACT-5.3-34: the decision held back, sent bare from a fresh browser, then sent whole.
func TestADecisionIsHeldSentBareAndContinued(t *testing.T) {
	for name, consent := range map[string]string{"form": "plain", "JSON": "french"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gomega(t)
			web := newSite(t, design{login: "plain", consent: consent})
			s, stranger := open(t, readScope), open(t)
			code, link := web.ask(readScope)
			reach(t, s, link)
			held, err := s.HoldDecision(t.Context(), ApproveAll())
			g.Expect(err).NotTo(HaveOccurred())

			bare := held.Draft().Bare(code, readScope.ID)
			g.Expect(bare.Header).NotTo(HaveKey("X-Csrf-Token"))
			g.Expect(bare.Field("csrf")).To(BeEmpty())
			g.Expect(decoded(string(bare.Body))).To(ContainSubstring(code))
			g.Expect(decoded(string(bare.Body))).To(ContainSubstring(readScope.ID))
			g.Expect(decoded(string(bare.Body))).To(ContainSubstring("approve"))
			o, err := stranger.Send(t.Context(), bare)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(o.Request.Status).To(Equal(http.StatusForbidden))
			g.Expect(o.Request.From).To(Equal(originOf(web.provider.URL)), "it comes from the same origin")
			decision, _ := web.decided(code)
			g.Expect(decision).To(BeEmpty())

			_, err = held.Continue(t.Context())
			g.Expect(err).NotTo(HaveOccurred())
			decision, _ = web.decided(code)
			g.Expect(decision).To(Equal("approved"))
		})
	}
}

// PACT-5.3-35: an approval taken off its way, then a denial, then the approval after all; and an
// approval sent twice.
func TestADecisionIsDroppedAndSentLater(t *testing.T) {
	for name, consent := range map[string]string{"form": "plain", "JSON": "french"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gomega(t)
			web := newSite(t, design{login: "plain", consent: consent})
			s := open(t, readScope)
			code, link := web.ask(readScope)
			c := reach(t, s, link)
			held, err := s.HoldDecision(t.Context(), ApproveAll())
			g.Expect(err).NotTo(HaveOccurred())
			approval := held.Draft()
			g.Expect(held.Drop(t.Context())).To(Succeed())
			p, err := s.Open(t.Context(), c.Link())
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(p.Kind).To(Equal(PageConsent), p.Seen())
			_, err = s.Decide(t.Context(), Deny())
			g.Expect(err).NotTo(HaveOccurred())
			decision, _ := web.decided(code)
			g.Expect(decision).To(Equal("denied"))
			o, err := s.Send(t.Context(), approval)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(o.Request.Status).To(Equal(http.StatusForbidden), "the site takes one decision only")

			code, link = web.ask(readScope)
			reach(t, s, link)
			decided, err := s.Decide(t.Context(), ApproveAll())
			g.Expect(err).NotTo(HaveOccurred())
			decision, _ = web.decided(code)
			g.Expect(decision).To(Equal("approved"))
			again := decided.Request.Draft()
			g.Expect(decoded(string(again.Body))).To(ContainSubstring(code))
			o, err = s.Send(t.Context(), again)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(o.Request.Status).To(Equal(http.StatusForbidden))
			g.Expect(o.Request.Body).To(Equal(decided.Request.Body), "byte by byte the same")
		})
	}
}

// PACT-5.3-27 and 5.3-28: the assertion taken unsent, sent from a fresh browser, once more, altered,
// and in another request's flow.
func TestAnAssertionIsHeldReplayedAlteredAndSwapped(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := newSite(t, design{login: "plain", consent: "plain"})
	s := open(t, readScope)
	hold := func(like *Crossing) (code string, form Draft) {
		code, link := web.ask(readScope)
		held, err := s.HoldAssertion(t.Context(), link, ada, like)
		g.Expect(err).NotTo(HaveOccurred())
		form = held.Draft()
		f, ok := held.Assertion()
		g.Expect(ok).To(BeTrue())
		g.Expect(f.Name).To(Equal("assertion"))
		g.Expect(form.Field("user_code")).To(Equal(code))
		g.Expect(form.Origin).To(Equal(web.brand.URL))
		g.Expect(held.Drop(t.Context())).To(Succeed())
		return code, form
	}
	post := func(form Draft) *Page {
		fresh := open(t, readScope)
		o, err := fresh.PostForm(t.Context(), form)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(o.Request.From).To(Equal(web.brand.URL))
		return o.Page
	}

	_, unused := hold(nil)
	g.Expect(post(unused).Kind).To(Equal(PageConsent), "the control: an unused assertion reaches consent")
	g.Expect(post(unused).Kind).To(Equal(PageOther), "a used one does not")

	_, link := web.ask(readScope)
	crossing := s.Crossing(reach(t, s, link))
	_, altered := hold(crossing)
	f, _ := altered.Assertion(link)
	variants := Altered(f.Value)
	g.Expect(variants).To(HaveLen(3), "one for each part")
	g.Expect(post(altered.With(f.Name, variants[1])).Kind).To(Equal(PageOther))

	_, mine := hold(crossing)
	_, theirs := hold(crossing)
	g.Expect(post(theirs.With("assertion", mine.Field("assertion"))).Kind).To(Equal(PageOther))
}

// PACT-5.3-26: an assertion that comes in the URL of a redirect is found there, and one that is posted
// is told without its value. The designs show the other ways.
func TestTheCrossingIsFound(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := newSite(t, design{login: "plain", consent: "plain", between: "get"})
	s := open(t, readScope)
	_, link := web.ask(readScope)
	crossing := s.Crossing(reach(t, s, link))
	g.Expect(crossing).NotTo(BeNil())
	g.Expect(crossing.Request.Method).To(Equal(http.MethodGet))
	g.Expect(crossing.Request.URL).To(HavePrefix(web.provider.URL + "/return"))
	g.Expect(crossing.Assertion).To(BeZero())

	posts := newSite(t, design{login: "framed", consent: "plain"})
	_, link = posts.ask(readScope)
	crossing = s.Crossing(reach(t, s, link))
	g.Expect(crossing.Request.Method).To(Equal(http.MethodPost))
	g.Expect(crossing.Request.From).To(Equal(posts.brand.URL))
	text, err := json.Marshal(crossing)
	g.Expect(err).NotTo(HaveOccurred())
	raw, found := crossing.Request.Draft().Assertion(link)
	g.Expect(found).To(BeTrue())
	g.Expect(string(text)).NotTo(ContainSubstring(raw.Value))
	g.Expect(strings.Count(string(text), "[masked]")).To(BeNumerically(">", 1))
}

// PACT-5.3-25: the consent's own URL in a fresh browser shows no consent; a session that is live
// needs no login (PACT-5.5-21).
func TestAConsentURLInAFreshAndInALiveSession(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := newSite(t, design{login: "plain", consent: "plain"})
	s, fresh := open(t, readScope), open(t, readScope)
	_, link := web.ask(readScope)
	c := reach(t, s, link)
	p, err := fresh.Open(t.Context(), c.Link())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.Kind).To(Equal(PageOther))
	g.Expect(p.Status).To(Equal(http.StatusForbidden))
	p, err = s.Open(t.Context(), c.Link())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.Kind).To(Equal(PageConsent))

	cookies, err := s.Cookies(t.Context(), c.Origin())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(cookies).To(ConsistOf(Cookie{Name: "sid", Domain: "127.0.0.1", Path: "/", HTTPOnly: true, SameSite: "Lax", Session: true}))
}

// PACT-5.3-32: a page of another origin frames the consent.
func TestAConsentIsFramed(t *testing.T) {
	for name, c := range map[string]struct {
		design
		shown bool
	}{
		"frame-ancestors": {design{login: "plain", consent: "plain"}, false},
		"X-Frame-Options": {design{login: "plain", consent: "plain", legacy: true}, false},
		"no header":       {design{login: "plain", consent: "plain", frameable: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gomega(t)
			web := newSite(t, c.design)
			s := open(t, readScope)
			_, link := web.ask(readScope)
			consent := reach(t, s, link)
			f, err := s.Frame(t.Context(), Get(consent.Link()))
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(f.Control).To(BeTrue(), "a page without a header is shown")
			g.Expect(f.Shown).To(Equal(c.shown), f.Reason+f.Text)
			if c.shown {
				g.Expect(f.Kind).To(Equal(PageConsent))
				g.Expect(f.Text).To(ContainSubstring(readScope.Description))
			} else {
				g.Expect(f.Reason).NotTo(BeEmpty())
				g.Expect(consent.Header).To(Or(HaveKeyWithValue("Content-Security-Policy", []string{"frame-ancestors 'none'"}), HaveKeyWithValue("X-Frame-Options", []string{"DENY"})))
			}

			if c.legacy {
				return
			}
			_, link = web.ask(readScope)
			held, err := s.HoldAssertion(t.Context(), link, ada, nil)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(held.Drop(t.Context())).To(Succeed())
			f, err = s.Frame(t.Context(), held.Draft())
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(f.Shown).To(Equal(c.shown), "an unused assertion, posted into the frame")
		})
	}
}
