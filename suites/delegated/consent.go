package delegated

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §5.2 Scopes, §5.3 Getting a token: what login and consent show
var _ = Clause("5.3", func() {
	OnConsent("PACT-5.2-02", "descriptions", func(c *engine.C, p consentPage) judge.Judge {
		texts := map[string]string{}
		for _, id := range p.scopes {
			texts[id] = p.server.Scopes[id]
		}
		return judge.ShowVerbatim(texts)
	})
	Case("PACT-5.3-25", "fresh-browser", func(c *engine.C) {
		p := seenConsent.In(c)
		c.ControlOver(p.shown).To(judge.BeConsent())
		c.Judge(p.first).To(judge.BeLogin())
	}, engine.Using(seenConsent))
	Case("PACT-5.3-25", "wrong-password", func(c *engine.C) {
		c.ControlOver(seenConsent.In(c).shown).To(judge.BeConsent())
		c.Judge(unknownVisitor.In(c).wrong).To(judge.BeNoConsent())
	}, engine.Using(seenConsent, unknownVisitor))
	Case("PACT-5.3-25", "consent-url", func(c *engine.C) {
		c.ControlOver(seenConsent.In(c).shown).To(judge.BeConsent())
		cut := unknownVisitor.In(c).cut
		if cut == nil {
			c.NotApplicable("the consent page's URL does not carry the user_code")
		}
		c.Judge(cut).To(judge.BeNoConsent())
	}, engine.Using(seenConsent, unknownVisitor))
	OnConsent("PACT-5.3-29", "origin", func(c *engine.C, p consentPage) judge.Judge {
		return judge.ShowOrigin(originOf(p.agent.Issuer))
	})
	OnConsent("PACT-5.3-30", "brand", func(c *engine.C, p consentPage) judge.Judge {
		return judge.ShowBrand(c.Setup().Brand.Name, nameOf(p.server.card))
	})
	OnConsent("PACT-5.3-31", "checkboxes", func(c *engine.C, p consentPage) judge.Judge {
		return judge.OfferBoxes(p.scopes)
	})
	OnConsent("PACT-5.3-32", "header", func(*engine.C, consentPage) judge.Judge { return judge.ForbidFraming() })
	Case("PACT-5.3-32", "framed", func(c *engine.C) {
		p, framing := seenConsent.In(c), framedConsent.In(c)
		if !framing.Control {
			c.Block("a page of ours without the header did not show in a frame either")
		}
		problem := ""
		if framing.Shown && framing.Kind == browser.PageConsent {
			problem = "the frame shows the consent page"
		}
		c.Judge(p.shown).To(judge.Witness("a page of another origin that frames the consent shows nothing of it", problem))
	}, engine.Using(seenConsent, framedConsent))
	Case("PACT-5.3-37", "cookies", func(c *engine.C) {
		p := seenConsent.In(c)
		if len(p.cookies) == 0 {
			c.Observe("%s has set no cookie", p.consent.Origin())
		}
		for _, cookie := range p.cookies {
			c.Observe("%s: %s", cookie.Name, attributes(cookie))
		}
	}, engine.Using(seenConsent))
})

// OnConsent judges the consent page as the User saw it.
func OnConsent(id, name string, j func(*engine.C, consentPage) judge.Judge) {
	Case(id, name, func(c *engine.C) {
		p := seenConsent.In(c)
		c.Judge(p.shown).To(j(c, p))
	}, engine.Using(seenConsent))
}

// §5.3 Getting a token: the way from the Brand's login to the Provider
var _ = Clause("5.3", func() {
	Case("PACT-5.3-26", "posted", func(c *engine.C) {
		p := seenConsent.In(c)
		if p.crossing == nil {
			c.NotApplicable("login and consent share an origin, so that no assertion goes between them")
		}
		c.ControlOver(p.first).To(judge.BeLogin())
		const what = "the request from the login to the consent is a POST, and no URL on the way holds the assertion"
		problem := ""
		switch {
		case p.crossing.Request.Method != "POST":
			problem = p.crossing.Request.Method + " " + p.crossing.Request.URL
		case len(p.crossing.InURL) > 0:
			problem = "the assertion stands in " + p.crossing.InURL[0]
		case p.crossing.Assertion.Name == "" && assertionInQuery(p):
			problem = "what could be the assertion stands in the URL of the POST, and nothing in its body"
		case p.crossing.Assertion.Name == "":
			c.Block("the request from the login carries nothing that could be an assertion")
		}
		c.Judge(p.shown).To(judge.Witness(what, problem))
	}, engine.Using(seenConsent))
	Case("PACT-5.3-27", "replayed", func(c *engine.C) {
		a := sentAssertions.In(c)
		c.ControlOver(a.own).To(judge.BeConsent())
		c.Judge(a.again).To(judge.BeNoConsent())
	}, engine.Using(sentAssertions))
	Case("PACT-5.3-28", "swapped", func(c *engine.C) {
		c.ControlOver(seenConsent.In(c).shown).To(judge.BeConsent())
		s := swappedAssertion.In(c)
		if s.poll == nil {
			c.Judge(s.page).To(judge.BeNoConsent())
			return
		}
		c.Expect(s.poll).To(judge.BeOAuthError(undecidedYet))
	}, engine.Using(seenConsent, swappedAssertion))
	Case("PACT-5.3-28", "altered", func(c *engine.C) {
		a := sentAssertions.In(c)
		c.ControlOver(seenConsent.In(c).shown).To(judge.BeConsent())
		c.Judge(a.altered...).To(judge.BeNoConsent())
	}, engine.Using(seenConsent, sentAssertions))
})

// §5.3 Getting a token: decisions
var _ = Clause("5.3", func() {
	Case("PACT-5.3-17", "one-unticked", func(c *engine.C) {
		twoScopes(c)
		s := chosen.In(c)
		c.ControlOver(narrow.In(c).answer).To(judge.ListTheGrantedScopes())
		c.Judge(narrow.In(c).answer).To(judge.GrantExactly([]string{s.first}, nil))
	}, engine.Using(chosen, narrow))
	Case("PACT-5.3-19", "denied", func(c *engine.C) {
		d := denied.In(c)
		if pending(d.poll) { // whether decisions reach their requests at all an approval tells
			c.ControlOver(narrow.In(c).answer).To(judge.GiveAToken())
		}
		c.Expect(d.poll).To(judge.BeOAuthError([]string{"access_denied"}))
	}, engine.Using(denied, narrow))
	Case("PACT-5.3-33", "forged", func(c *engine.C) {
		answer := forged.In(c)
		c.Expect(answer).To(judge.GrantWithin([]string{chosen.In(c).first}, nil))
	}, engine.Using(chosen, forged))
	Case("PACT-5.3-34", "bare", func(c *engine.C) {
		d := bare.In(c)
		c.Control(d.after).To(judge.GiveAToken())
		c.Expect(d.before).To(judge.BeOAuthError(undecidedYet))
	}, engine.Using(bare))
	Case("PACT-5.3-35", "after-denial", func(c *engine.C) {
		d := denied.In(c)
		c.Control(d.poll).To(judge.GiveNoToken())
		c.Expect(d.approved).To(judge.GiveNoToken())
	}, engine.Using(denied))
	Case("PACT-5.3-35", "after-approval", func(c *engine.C) {
		f := spent.In(c)
		c.Control(f.first).To(judge.GiveAToken())
		c.Expect(f.again).To(judge.GiveNoToken())
		if f.redeemed == nil {
			c.Block("the request that carried the decision was not seen")
		}
		c.Expect(f.redeemed).To(judge.GiveNoToken())
	}, engine.Using(spent), engine.Alone())
	Case("PACT-5.3-38", "none", func(c *engine.C) {
		if pending(nothing.In(c)) {
			c.NotApplicable("an approval of nothing is not taken for a decision")
		}
		c.Expect(nothing.In(c)).To(judge.GrantWithin(nil, nil))
	}, engine.Using(nothing))

	Case("PACT-5.3-36", "covered", func(c *engine.C) {
		u := covered.In(c)
		switch {
		case !u.skipped:
			c.Observe("consent is asked for again")
		case pending(u.before):
			c.Observe("neither a consent nor a token: the page shows %q", u.page.Page.Text)
		default:
			c.Observe("consent is skipped: %s", judge.Told(u.before.Exchange))
		}
	}, engine.Using(covered))
	Case("PACT-5.3-46", "wider", func(c *engine.C) {
		u := uncovered.In(c)
		c.Expect(u.before).To(judge.GiveNoToken())
		c.Control(u.after).To(judge.GiveAToken())
	}, engine.Using(uncovered))
	Case("PACT-5.3-47", "second-agent", func(c *engine.C) {
		u := otherAgents.In(c)
		c.Expect(u.before).To(judge.GiveNoToken())
		c.Control(u.after).To(judge.GiveAToken())
	}, engine.Using(otherAgents))
})

// assertionInQuery reports whether the query of the request from the login holds what could be an assertion.
func assertionInQuery(p consentPage) bool {
	draft := p.crossing.Request.Draft()
	_, draft.Body, _ = bytes.Cut([]byte(draft.URL), []byte("?"))
	draft.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	_, ok := draft.Assertion(p.code.VerificationURIComplete)
	return ok
}

// originOf is scheme, host and port of a URL.
func originOf(link string) string {
	at, err := url.Parse(link)
	if err != nil {
		return link
	}
	return at.Scheme + "://" + at.Host
}

// nameOf is the name on a card.
func nameOf(card *result.Exchange) string { return judge.Member(card, "name") }

// attributes are those of a cookie, in words.
func attributes(cookie browser.Cookie) string {
	var all []string
	for _, attribute := range []struct {
		name string
		set  bool
	}{{"HttpOnly", cookie.HTTPOnly}, {"Secure", cookie.Secure}} {
		if !attribute.set {
			attribute.name = "not " + attribute.name
		}
		all = append(all, attribute.name)
	}
	if cookie.SameSite == "" {
		return strings.Join(append(all, "no SameSite"), ", ")
	}
	return strings.Join(append(all, fmt.Sprintf("SameSite=%s", cookie.SameSite)), ", ")
}
