package browser

import (
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
)

// Every design of a login with every text and build of a consent: what is approved, in part, and
// what is denied arrives as the User meant it.
func TestDesigns(t *testing.T) {
	for name, d := range map[string]design{
		"plain form, English":                        {login: "plain", consent: "plain"},
		"two steps, German, hidden inputs":           {login: "twostep", consent: "german", wrong: http.StatusUnauthorized},
		"rendered by script, French, JSON":           {login: "scripted", consent: "french"},
		"crowded page, Portuguese, multipart":        {login: "crowded", consent: "portuguese", between: "continue"},
		"two steps in one page, Japanese consent":    {login: "samepage", consent: "japanese", between: "slow"},
		"Japanese login, Italian role boxes":         {login: "japanese", consent: "radix"},
		"shadow DOM, dialogs and a Continue":         {login: "shadow", consent: "confirm"},
		"frame of another site":                      {login: "framed", consent: "plain"},
		"one-time code in six fields":                {login: "code", consent: "plain", wrong: http.StatusUnauthorized},
		"one origin, no assertion, unknown language": {login: "plain", consent: "unknown", oneOrigin: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			web := newSite(t, d)
			s := open(t, readScope, cancelScope)

			g := NewWithT(t)
			code, link := web.ask(readScope, cancelScope)
			p, err := s.Open(t.Context(), link)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(p.Kind).To(Equal(PageLogin), p.Seen())
			p, err = s.SignIn(t.Context(), Credentials{Username: testUser, Password: "not the password 1"})
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(p.Kind).To(Equal(PageLogin), p.Seen())

			p, err = s.SignIn(t.Context(), ada)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(p.Kind).To(Equal(PageConsent), p.Seen())
			c, err := s.Consent(t.Context())
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(c.Boxes(s.options.Scopes)).To(HaveLen(2), c.Seen())
			g.Expect(c.Shows(testIssuer)).To(BeTrue(), c.Text)
			for _, text := range []string{testBrand, readScope.Description, cancelScope.Description} {
				g.Expect(c.Holds(text)).To(BeTrue(), c.Content)
			}
			crossing := s.Crossing(c)
			if d.oneOrigin {
				g.Expect(crossing).To(BeNil())
			} else {
				g.Expect(crossing).NotTo(BeNil())
				g.Expect(crossing.Request.Method).To(Equal(http.MethodPost))
				g.Expect(crossing.Request.URL).To(Equal(web.provider.URL + "/return"))
				g.Expect(crossing.Assertion).To(Equal(Field{"assertion", "[masked]"}))
				g.Expect(crossing.InURL).To(BeEmpty())
			}
			o, err := s.Decide(t.Context(), ApproveOnly(cancelScope.ID))
			g.Expect(err).NotTo(HaveOccurred())
			decision, approved := web.decided(code)
			g.Expect(decision).To(Equal("approved"), o.Page.Seen())
			g.Expect(approved).To(ConsistOf(cancelScope.ID))
			g.Expect(o.Request).NotTo(BeNil())
			g.Expect(o.Request.Origin).To(Equal(originOf(web.provider.URL)))

			code, _ = web.ask(readScope, cancelScope)
			p, err = s.Open(t.Context(), web.provider.URL+"/consent?user_code="+code)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(p.Kind).To(Equal(PageConsent), "the session with the Provider is live")
			c, err = s.Consent(t.Context())
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(c.Deny).NotTo(BeNil(), c.Controls)
			o, err = s.Decide(t.Context(), Deny())
			g.Expect(err).NotTo(HaveOccurred())
			decision, _ = web.decided(code)
			g.Expect(decision).To(Equal("denied"), o.Page.Seen())
		})
	}
}
