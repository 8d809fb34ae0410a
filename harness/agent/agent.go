// Package agent plays a personal agent of PACT: it holds key rings, mints the personal-agent JWT of
// §3.2, right or with one named thing wrong, and serves the issuer's key set and discovery document.
//
// The package knows how a token is made wrong, never which requirement asks for it.
package agent

import (
	"crypto/rand"
	"fmt"
	"sync/atomic"
	"time"
)

// Agent is one personal agent: an issuer and the keys that it signs with (§3.1). It may mint from many
// goroutines at once.
type Agent struct {
	// Role is primary, second or disabled.
	Role string
	// Issuer is the URL that goes into iss, character for character.
	Issuer string
	// Ring holds the keys.
	Ring *KeyRing
	// served is set once a Server answers at the issuer.
	served atomic.Bool
}

// New makes the personal agent with that role, issuer URL and key ring.
func New(role, issuer string, ring *KeyRing) *Agent {
	return &Agent{Role: role, Issuer: issuer, Ring: ring}
}

// Params are what a token is minted for.
type Params struct {
	// Subject is the User's sub, Audience the string that the Provider assigned (§3.1).
	Subject, Audience string
	// Now is the time as the Provider sees it; fractions of a second are dropped.
	Now time.Time
}

// DefaultLifetime is the time from iat to exp unless a change says otherwise, the reference signer's of §3.2.
const DefaultLifetime = 120 * time.Second

// MaxLifetime is the longest time from iat to exp that §3.2 allows.
const MaxLifetime = 300 * time.Second

// Mint makes a token for one request. Without changes it is a right one: ES256 with kid and typ JWT,
// and the claims iss, sub, aud (one string), iat, exp (iat plus DefaultLifetime) and a random jti.
//
// Changes apply in the order given; what is said last about the same thing holds. The token is signed
// after them, so that it is wrong in what they name and in nothing else.
//
// The error is an *Unavailable when this agent cannot make such a token, and says why.
func (a *Agent) Mint(p Params, changes ...Change) (Token, error) {
	d := &draft{
		agent: a,
		now:   p.Now,
		header: map[string]any{
			"typ": "JWT",
		},
		claims: map[string]any{
			"iss": a.Issuer,
			"sub": p.Subject,
			"aud": p.Audience,
			"jti": rand.Text(),
		},
	}
	d.lives(d.now, DefaultLifetime)
	d.use(a.Ring.es256)
	for _, c := range changes {
		if err := c.apply(d); err != nil {
			return Token{}, fmt.Errorf("%s: %w", c, err)
		}
		d.describe(c)
	}
	return d.token()
}

// Unavailable is the error of Mint and Forge when an agent cannot make a token.
type Unavailable struct {
	// Reason says why, in words for the report.
	Reason string
	// Setup is set when other keys, or a Server at the issuer, would make the token possible. It is unset
	// when what is to be varied has no such variation: an audience of digits has no other letter case.
	Setup bool
}

// Error gives the reason.
func (u *Unavailable) Error() string { return u.Reason }
