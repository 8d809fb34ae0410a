package delegated

import (
	"net/url"
	"strings"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// The journeys of this file show pages and decide nothing, or against the grant: they go before all
// that leaves a grant behind, since an earlier grant may lawfully skip consent (§5.3).

// consentPage is a consent page that was reached and left undecided.
type consentPage struct {
	*request
	// first is the page that the link opened, shown the consent, each as it was seen.
	first, shown *result.Exchange
	consent      *browser.Consent
	// crossing is how the User came from the Brand's login; nil where login and consent share an origin.
	crossing *browser.Crossing
	cookies  []browser.Cookie
}

// seenConsent follows the link of a request, signs in, looks at the consent and decides nothing.
var seenConsent = engine.NewJourney("a consent page", func(c *engine.C) consentPage {
	r := primary(c).ask(c, chosen.In(c).asked()...)
	v := r.visit(c, nil)
	page := v.Open(r.link(c))
	p := consentPage{request: r, first: v.See(page)}
	p.consent = v.GoOn(r.user)
	p.shown = v.SeeConsent(p.consent)
	p.crossing = v.Crossing(p.consent)
	p.cookies = v.Cookies(p.consent.Origin())
	return p
}, server, chosen)

// framedConsent shows the consent page inside a page of another origin.
var framedConsent = engine.NewJourney("a framed consent page", func(c *engine.C) *browser.Framing {
	r := primary(c).ask(c, chosen.In(c).asked()...)
	v := r.visit(c, nil)
	consent := v.Consent(r.link(c), r.user)
	return v.Frame(browser.Get(consent.Link()))
}, server, chosen)

// stranger is what a browser that never signed in gets to see.
type stranger struct {
	// cut is the consent page's own URL, cut to its user_code; nil where it has none. wrong is what
	// follows a wrong password.
	cut, wrong *result.Exchange
}

// unknownVisitor looks at the request of seenConsent without being the User.
var unknownVisitor = engine.NewJourney("a visitor without the password", func(c *engine.C) stranger {
	p := seenConsent.In(c)
	v := p.visit(c, nil)
	var s stranger
	if cut := cutTo(p.consent.Link(), p.code.UserCode); cut != "" {
		s.cut = v.See(v.Open(cut))
	}
	wrong := p.user
	wrong.Password = "not-" + c.AnotherUser()
	wrong.TOTP = nil
	if page := v.Open(p.link(c)); page.Kind == browser.PageConsent {
		s.wrong = v.See(page)
	} else {
		s.wrong = v.See(v.SignIn(wrong))
	}
	return s
}, seenConsent)

// cutTo is a URL with what carries the code alone in its query; empty where nothing does.
func cutTo(link, code string) string {
	at, err := url.Parse(link)
	if err != nil {
		return ""
	}
	kept := url.Values{}
	for name, values := range at.Query() {
		for _, value := range values {
			if strings.Contains(value, code) {
				kept.Add(name, value)
			}
		}
	}
	if len(kept) == 0 && !strings.Contains(at.Path, code) {
		return ""
	}
	at.RawQuery, at.Fragment = kept.Encode(), ""
	return at.String()
}

// assertions is what came of one assertion of the Brand's, sent in several ways.
type assertions struct {
	// altered are the pages that it brought with one character changed, own the one that it brought
	// unchanged from a browser that had not signed in, again the one that it brought once more.
	altered    []*result.Exchange
	own, again *result.Exchange
}

// sentAssertions holds an assertion back and sends it altered, as it is, and again.
var sentAssertions = engine.NewJourney("an assertion is altered, used and replayed", func(c *engine.C) assertions {
	like := crossed(c)
	r := primary(c).ask(c, chosen.In(c).asked()...)
	v := r.visit(c, nil)
	held := v.HoldAssertion(r.link(c), r.user, like)
	field, draft := assertionOf(c, held), held.Draft()
	v.Drop(held)
	var a assertions
	for _, value := range browser.Altered(field.Value) {
		a.altered = append(a.altered, v.See(v.PostForm(draft.With(field.Name, value)).Page))
	}
	// The browsers that post it open the link first, as a browser that signs in has.
	post := func() *result.Exchange {
		another := r.visit(c, nil)
		another.AddSecret(field.Value)
		another.Open(r.link(c))
		return another.See(another.PostForm(draft).Page)
	}
	a.own = post()
	a.again = post()
	return a
}, seenConsent, server, chosen)

// crossed is how the User crossed from login to consent; where he did not there is no assertion.
func crossed(c *engine.C) *browser.Crossing {
	crossing := seenConsent.In(c).crossing
	switch {
	case crossing == nil:
		c.NotApplicable("login and consent share an origin, so that no assertion goes between them")
	case crossing.Assertion.Name == "":
		c.Block("the request from the login to the consent posts no assertion, which PACT-5.3-26 says")
	}
	return crossing
}

func assertionOf(c *engine.C, held *browser.Held) browser.Field {
	field, ok := held.Assertion()
	if !ok {
		c.Block("the request from the login carries nothing that could be an assertion")
	}
	return field
}

// swap is what came of one request's assertion in another request's flow.
type swap struct {
	page *result.Exchange
	// poll is what the token endpoint said of the other request, once the consent that was shown was denied.
	poll *provider.Answer
}

// swappedAssertion posts an unused assertion of one request in the flow of another. The consent that
// it may bring is rightly that of its own request: which one it is, the token endpoint says.
var swappedAssertion = engine.NewJourney("an assertion in another request's flow", func(c *engine.C) swap {
	like := crossed(c)
	scopes := chosen.In(c).asked()
	p := primary(c)
	one, other := p.ask(c, scopes...), p.ask(c, scopes...)
	v := one.visit(c, nil)
	v.AddSecret(other.code.UserCode)
	first := v.HoldAssertion(one.link(c), one.user, like)
	value := assertionOf(c, first).Value
	v.Drop(first)
	w := other.visit(c, nil)
	w.AddSecret(value)
	second := w.HoldAssertion(other.link(c), other.user, like)
	swapped := second.Draft().With(assertionOf(c, second).Name, value)
	page := w.Release(second, swapped).Page
	s := swap{page: w.See(page)}
	if page.Kind == browser.PageConsent {
		w.Decide(browser.Deny())
		s.poll = other.poll(c)
	}
	return s
}, seenConsent, server, chosen)

// denial is a request that was denied.
type denial struct {
	poll *provider.Answer
	// approved is what the token endpoint said after an approval that came too late; nil where pages
	// cannot be read.
	approved *provider.Answer
}

// denied has the User deny, and then sends the approval that he held back before.
var denied = engine.NewJourney("a denial", func(c *engine.C) denial {
	scopes := chosen.In(c).asked()
	r := primary(c).ask(c, scopes...)
	if c.Setup().Chromium == nil {
		return denial{poll: r.decide(c, nil, decision{deny: true})}
	}
	v := r.visit(c, nil)
	v.Consent(r.link(c), r.user)
	held := v.HoldDecision(browser.ApproveAll())
	approval := held.Draft()
	v.Drop(held)
	d := denial{poll: r.redeemAfterDenial(c, v)}
	v.Send(approval)
	d.approved = r.poll(c)
	return d
}, server, chosen)

// redeemAfterDenial opens the consent again, denies and asks what came of it.
func (r *request) redeemAfterDenial(c *engine.C, v *engine.Visit) *provider.Answer {
	v.SeeConsent(v.Consent(r.link(c), r.user))
	v.Decide(browser.Deny())
	return r.redeem(c)
}

// nothing is what came of a consent on which every box was unticked.
var nothing = engine.NewJourney("a consent with every box unticked", func(c *engine.C) *provider.Answer {
	r := primary(c).ask(c, chosen.In(c).asked()...)
	answer := r.decide(c, nil, decision{})
	r.leave(c, answer)
	return answer
}, server, chosen)

// undecided are the journeys that go before the first grant.
var undecided = []engine.Dependency{seenConsent, framedConsent, unknownVisitor, sentAssertions, swappedAssertion, denied, nothing}
