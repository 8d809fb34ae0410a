package browser

import (
	"net/http"
	"slices"
	"strings"
)

// Crossing is how the User came from the Brand's login to the Provider (§5.3).
type Crossing struct {
	// Request carried the User, and the assertion, from the login's origin to another.
	Request Request
	// Chain are the document requests from the login to the consent, masked, in order.
	Chain []Request
	// Assertion is the posted field that carries the assertion, its value masked; without a name when
	// the request posts nothing that could be one.
	Assertion Field
	// InURL lists, masked, the URLs of the chain that hold the value of that field.
	InURL []string
}

// Crossing is how the session came from the login to the consent page; nil when it never left the
// login's origin.
func (s *Session) Crossing(consent *Consent) *Crossing {
	s.mu.Lock()
	chain := s.wayTo(consent.sight)
	carrier := s.carrier(chain, consent.Origin())
	link := s.link
	s.mu.Unlock()
	if carrier == nil {
		return nil
	}
	c := &Crossing{}
	if f, ok := carrier.draft().Assertion(link); ok {
		s.AddSecret(f.Value)
		c.Assertion = Field{f.Name, s.mask(f.Value)}
		for _, r := range chain {
			if strings.Contains(decoded(decoded(r.url)), f.Value) {
				c.InURL = append(c.InURL, s.mask(r.url))
			}
		}
	}
	for _, r := range chain {
		c.Chain = append(c.Chain, *s.requestOf(r))
	}
	c.Request = *s.requestOf(carrier)
	return c
}

// wayTo are the document requests from the moment when the login was sent, or the link opened where
// no login was needed, to a document. The session's mutex is held.
func (s *Session) wayTo(v *sight) []*record {
	var chain []*record
	for _, r := range s.records[min(s.signedAt, len(s.records)):] {
		if r.document() {
			chain = append(chain, r)
		}
		if r.document() && r.loader == v.loader && r.frame == v.frame && r.status != 0 && (r.status < 300 || r.status >= 400) {
			return chain
		}
	}
	return chain
}

// cameFrom is the origin that sent the request on its way: that of the redirect, else of the document.
func (r *record) cameFrom() string {
	if r.before != nil {
		return originOf(r.before.url)
	}
	return originOf(r.from)
}

func (r *record) crosses() bool {
	from := r.cameFrom()
	return from != "" && from != originOf(r.url)
}

// carrier is the request that carried the User across: the last that posts an assertion, to the
// consent's own origin if one does; else the last that went there at all. A login whose form lies on
// another origin than its page carries the password across, and is none. The session's mutex is held.
func (s *Session) carrier(chain []*record, consent string) *record {
	var all []*record
	for _, r := range s.records[min(s.signedAt, len(s.records)):] {
		scripted := r.scripted() && r.method == http.MethodPost && originOf(r.url) == consent
		if (scripted || slices.Contains(chain, r)) && r.crosses() && !s.holdsPassword(r) {
			all = append(all, r)
		}
	}
	posts := func(r *record) bool {
		_, ok := r.draft().Assertion(s.link)
		return ok
	}
	there := func(r *record) bool { return originOf(r.url) == consent }
	for _, fits := range []func(*record) bool{
		func(r *record) bool { return posts(r) && there(r) },
		posts,
		there,
		func(*record) bool { return true },
	} {
		for _, r := range slices.Backward(all) {
			if fits(r) {
				return r
			}
		}
	}
	return nil
}

// holdsPassword reports whether a request carries the password that was typed. The session's mutex is held.
func (s *Session) holdsPassword(r *record) bool {
	return s.password != "" && slices.ContainsFunc(r.draft().Fields(), func(f Field) bool { return f.Value == s.password })
}
