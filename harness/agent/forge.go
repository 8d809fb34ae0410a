package agent

import (
	"fmt"
	"slices"
	"strconv"
)

// Forgery is a way to forge a delegation token (§5.4) that the Provider signed.
type Forgery struct {
	// Name is what Forge takes, and stable; Words says it for people.
	Name, Words string
	// Served is set where the forgery names a URL at which a Server has to answer.
	Served bool
	edit   func(*draft, *original) error
}

// Forgeries are all ways to forge a delegation token. What offers the attacker's key does so under a kid of its
// own, which nobody published, and once more under the Provider's, for a Provider that looks up the kid first and
// then trusts the key in the token.
func Forgeries() []Forgery {
	all := []Forgery{
		{Name: "payload", Words: "exp a minute later, signature kept", edit: laterExpiry},
		{Name: "signature", Words: "last signature byte changed", edit: otherSignature},
		{Name: "alg-none", Words: "alg none, signature empty", edit: unsigned},
	}
	for _, secret := range []Secret{PublicPEM, PublicDER, PublicJWK, PublicCoordinate, PublicCoordinateText} {
		all = append(all, Forgery{Name: "hs256-" + string(secret), Words: "HS256 with " + secretWords[secret], edit: keyedBy(secret)})
	}
	offers := []struct {
		name, words string
		served      bool
		put         func(*draft, *key) error
	}{
		{"jwk", "attacker's key in jwk", false, carryJWK},
		{"x5c", "attacker's certificate in x5c", false, carryX5C},
		{"jku", "attacker's key set in jku", true, pointJKU},
		{"x5u", "attacker's certificate in x5u", true, pointX5U},
	}
	for _, o := range offers {
		all = append(all,
			Forgery{Name: o.name, Words: o.words, Served: o.served, edit: signedByAttacker(o.put, false)},
			Forgery{Name: o.name + "-provider-kid", Words: o.words + ", the Provider's kid", Served: o.served, edit: signedByAttacker(o.put, true)})
	}
	return append(all,
		Forgery{Name: "agent-kid", Words: "signed by the personal agent, its kid", edit: signedByAgent},
		Forgery{Name: "provider-kid", Words: "signed by the personal agent, the Provider's kid", edit: signedUnderProvidersKid},
		Forgery{Name: "no-kid", Words: "signed by the personal agent, no kid", edit: signedWithoutKid})
}

// Forge makes the forgery of that name out of a delegation token: a compact JWS, ES256 or RS256, that verifies
// with a key of the JWK Set. What the forgery does not name stays: the claims byte for byte, and typ and every
// other header parameter. The token itself is the Lender.
//
// The error is an *Unavailable when the forgery cannot be made of this token, or by this agent.
func (a *Agent) Forge(name, compact string, keySet []byte) (Token, error) {
	forgeries := Forgeries()
	i := slices.IndexFunc(forgeries, func(f Forgery) bool { return f.Name == name })
	if i < 0 {
		return Token{}, fmt.Errorf("there is no forgery %q", name)
	}
	f := forgeries[i]
	if f.Served && !a.served.Load() {
		return Token{}, &Unavailable{Reason: "nothing is served at the issuer of the personal agent", Setup: true}
	}
	o, err := readOriginal(compact, keySet)
	if err != nil {
		return Token{}, err
	}
	d := &draft{agent: a, header: o.members(), rawPayload: o.payload}
	if err := f.edit(d, o); err != nil {
		return Token{}, fmt.Errorf("forgery %s: %w", name, err)
	}
	forged, err := d.signed()
	if err != nil {
		return Token{}, fmt.Errorf("forgery %s: %w", name, err)
	}
	t := asToken(forged.compact(), f.Words)
	lender := asToken(compact, "delegation token")
	t.Lender = &lender
	return t, nil
}

// laterExpiry changes one claim that matters, and no more than it must: exp.
func laterExpiry(d *draft, o *original) error {
	payload, ok := replaced(o.payload, "exp", func(exp string) (string, bool) {
		seconds, err := strconv.ParseFloat(exp, 64)
		return strconv.FormatInt(int64(seconds)+60, 10), err == nil
	})
	if !ok {
		return &Unavailable{Reason: "the token has no exp that is a number"}
	}
	d.rawPayload = payload
	return o.keep(d, o.signature)
}

// otherSignature changes the last byte of the signature.
func otherSignature(d *draft, o *original) error {
	signature := slices.Clone(o.signature)
	signature[len(signature)-1] ^= 1
	return o.keep(d, signature)
}

// keep leaves the header as it is, byte for byte, and sets the signature.
func (o *original) keep(d *draft, signature []byte) error {
	d.rawHeader = o.header
	d.sign = func([]byte) ([]byte, error) { return signature, nil }
	return nil
}

func unsigned(d *draft, _ *original) error { return None("none", false).apply(d) }

// keyedBy signs with an HMAC whose secret is the Provider's public key, under the kid that the token had.
func keyedBy(secret Secret) func(*draft, *original) error {
	return func(d *draft, o *original) error {
		var err error
		if d.key, err = o.key(); err != nil {
			return err
		}
		return HS256(secret).apply(d)
	}
}

// signedByAttacker signs with the attacker's key, and puts into the header where the key is to be had: under its own kid,
// or disguised under the Provider's.
func signedByAttacker(put func(*draft, *key) error, disguised bool) func(*draft, *original) error {
	return func(d *draft, o *original) error {
		if err := o.supported(); err != nil {
			return err
		}
		k, err := d.agent.Ring.attacker(o.alg)
		if err != nil {
			return err
		}
		if disguised {
			kid, err := o.providersKid()
			if err != nil {
				return err
			}
			if k, err = k.as(kid, o.alg); err != nil {
				return err
			}
		}
		d.use(k)
		return put(d, k)
	}
}

// pointJKU names a URL where Server serves the key, alone and under its kid.
func pointJKU(d *draft, k *key) error {
	d.header["jku"] = offered(d.agent, "", attackerJWKSUnder(k.alg, k.kid))
	return nil
}

// pointX5U names a URL where Server serves a certificate for the key.
func pointX5U(d *draft, k *key) error {
	d.header["x5u"] = offered(d.agent, "", attackerPEM(k.alg))
	return nil
}

// signedByAgent signs with the personal agent's published key.
func signedByAgent(d *draft, o *original) error {
	if err := o.supported(); err != nil {
		return err
	}
	k, err := d.agent.Ring.published(o.alg)
	if err != nil {
		return err
	}
	d.use(k)
	return nil
}

func signedUnderProvidersKid(d *draft, o *original) error {
	kid, err := o.providersKid()
	if err != nil {
		return err
	}
	if err := signedByAgent(d, o); err != nil {
		return err
	}
	d.header["kid"] = kid
	return nil
}

func signedWithoutKid(d *draft, o *original) error {
	if err := signedByAgent(d, o); err != nil {
		return err
	}
	delete(d.header, "kid")
	return nil
}
