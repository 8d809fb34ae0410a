package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	. "github.com/onsi/gomega"
)

// Right tokens pass another library's verification with the published key set and every claim of §3.2.
func TestRightTokensVerify(t *testing.T) {
	a := testAgent(t)
	g := NewWithT(t)
	raw, err := a.Ring.Public()
	g.Expect(err).NotTo(HaveOccurred())
	var set jose.JSONWebKeySet
	g.Expect(json.Unmarshal(raw, &set)).To(Succeed())
	cases := []Change{
		{}, ES256(), RS256(), SecondKey(), Typ("JWT"), NoTyp(), NoJTI(), Extension(), Subject("another"),
		Lifetime(MaxLifetime), IssuedAt(20 * time.Second), NotBefore(-time.Minute), Claim("nonce", 1),
		LifetimeShifted(MaxLifetime, 200*time.Second), ExpiresIn(5 * time.Second),
	}
	for _, c := range cases {
		t.Run(c.String(), func(t *testing.T) {
			g := NewWithT(t)
			minted, err := a.Mint(testParams(), c)
			g.Expect(err).NotTo(HaveOccurred())
			parsed, err := jwt.ParseSigned(minted.Compact, []jose.SignatureAlgorithm{jose.ES256, jose.RS256})
			g.Expect(err).NotTo(HaveOccurred())
			var claims jwt.Claims
			g.Expect(parsed.Claims(set, &claims)).To(Succeed())
			g.Expect(claims.ValidateWithLeeway(jwt.Expected{
				Issuer: testIssuer, AnyAudience: jwt.Audience{testAudience}, Time: testNow,
			}, 30*time.Second)).To(Succeed())
			g.Expect(claims.Subject).NotTo(BeEmpty())
			g.Expect(claims.Expiry.Time().Sub(claims.IssuedAt.Time())).To(BeNumerically("<=", MaxLifetime))
			g.Expect(claims.Expiry.Time()).To(BeTemporally("==", minted.Expires))
			if c.String() != "" {
				g.Expect(c.Right()).To(BeTrue())
			}
		})
	}
}

func TestRight(t *testing.T) {
	g := NewWithT(t)
	for _, c := range []Change{
		Lifetime(MaxLifetime + time.Second), LifetimeShifted(301*time.Second, 200*time.Second), LifetimeShifted(MaxLifetime, MaxLifetime),
		IssuedAt(31 * time.Second), Expired(time.Second), NotBefore(time.Second), Subject(""), Subject(1), Claim("aud", "x"),
		Algorithm("ES384"), None("none", false), HS256(PublicPEM), Crit(), TamperedPayload(), Without("sub"), StringTime("iat"),
	} {
		g.Expect(c.Right()).To(BeFalse(), c.String())
	}
	g.Expect(NoKid().Right()).To(BeTrue())
}

// A wrong token's twin is right, and as near to it as can be.
func TestRightTwin(t *testing.T) {
	names := func(changes []Change) string {
		var all []string
		for _, c := range changes {
			g := NewWithT(t)
			g.Expect(c.Right()).To(BeTrue())
			all = append(all, c.String())
		}
		return strings.Join(all, " ")
	}
	for _, row := range []struct {
		changes []Change
		twin    string
	}{
		{nil, ""},
		{[]Change{RS256(), Lifetime(301 * time.Second)}, "RS256"},
		{[]Change{Crit()}, "Extension"},
		{[]Change{NotBefore(120 * time.Second)}, "NotBefore(-60s)"},
		{[]Change{Algorithm("PS512")}, "RS256"},
		{[]Change{Algorithm("RS384")}, "RS256"},
		{[]Change{Algorithm("ES512")}, "ES256"},
		{[]Change{Algorithm("EdDSA")}, "ES256"},
		{[]Change{AlgorithmLetterCase("rs256")}, "RS256"},
		{[]Change{SwappedKid()}, "SecondKey"},
		{[]Change{HeaderJWK(), PublishedKid()}, ""},
		{[]Change{NoTyp(), TamperedSignature()}, "NoTyp"},
	} {
		NewWithT(t).Expect(names(RightTwin(row.changes...))).To(Equal(row.twin), "%v", row.changes)
	}
}

// What is changed on top of RS256 stays RS256, with the RSA keys.
func TestChangesOverRS256(t *testing.T) {
	a := testAgent(t)
	keys := publicKeys(t, a)
	main := keys["rs256-"+a.Ring.id]
	attacker, err := a.Ring.attackerRS256()
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	for _, row := range []struct {
		change Change
		kid    string
		key    any
	}{
		{Lifetime(301 * time.Second), main.KeyID, main.Key},
		{UnpublishedKid(), "", main.Key},
		{WrongKeySameKid(), main.KeyID, attacker.private.Public()},
		{UnpublishedKey(), "", attacker.private.Public()},
		{HeaderJWK(), attacker.kid, attacker.private.Public()},
		{HeaderX5C(), attacker.kid, attacker.private.Public()},
		{TamperedSignature(), main.KeyID, nil},
		{ForeignSignature(), main.KeyID, nil},
	} {
		t.Run(row.change.String(), func(t *testing.T) {
			g := NewWithT(t)
			minted, err := a.Mint(testParams(), RS256(), row.change)
			g.Expect(err).NotTo(HaveOccurred())
			p := take(t, minted.Compact)
			header := members(t, p.header)
			g.Expect(header).To(HaveKeyWithValue("alg", "RS256"))
			if row.kid != "" {
				g.Expect(header).To(HaveKeyWithValue("kid", row.kid))
			}
			g.Expect(verifies("RS256", main.Key, p.input, p.signature)).To(Equal(row.key == main.Key))
			if row.key != nil {
				g.Expect(verifies("RS256", row.key, p.input, p.signature)).To(BeTrue())
			}
		})
	}
	t.Run("HS256 over the modulus", func(t *testing.T) {
		g := NewWithT(t)
		minted, err := a.Mint(testParams(), RS256(), HS256(PublicCoordinateText))
		g.Expect(err).NotTo(HaveOccurred())
		p := take(t, minted.Compact)
		raw, err := main.MarshalJSON()
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(members(t, p.header)).To(HaveKeyWithValue("kid", main.KeyID))
		g.Expect(verifies("HS256", []byte(members(t, raw)["n"].(string)), p.input, p.signature)).To(BeTrue())
	})
}

func TestChangesCombine(t *testing.T) {
	g := NewWithT(t)
	a := testAgent(t)
	minted, err := a.Mint(testParams(), HeaderJWK(), PublishedKid(), IssuedAt(-100*time.Second), Lifetime(301*time.Second))
	g.Expect(err).NotTo(HaveOccurred())
	p := take(t, minted.Compact)
	g.Expect(members(t, p.header)).To(HaveKeyWithValue("kid", a.Ring.es256.kid))
	g.Expect(members(t, p.header)).To(HaveKey("jwk"))
	g.Expect(members(t, p.payload)).To(HaveKeyWithValue("iat", json.Number("1789999900")))
	g.Expect(members(t, p.payload)).To(HaveKeyWithValue("exp", json.Number("1790000201")))
	g.Expect(verifies("ES256", a.Ring.attackerES256.private.Public(), p.input, p.signature)).To(BeTrue())
}

// A variation that the value does not have, or a key that the ring does not have, is said, not skipped.
func TestUnavailable(t *testing.T) {
	ring := otherAgent(t).Ring
	for _, row := range []struct {
		issuer, audience string
		change           Change
		setup            bool
	}{
		{"http://127.0.0.1:8700/primary", "a", IssuerLetterCase(Host), false},
		{"https://pa.example/123", "a", IssuerLetterCase(Path), false},
		{"https://pa.example", "a", IssuerLetterCase(Path), false},
		{"http://127.0.0.1:8700/primary", "a", IssuerDefaultPort(), false},
		{"no URL", "a", UnknownIssuer(), false},
		{"https://pa.example", "4711", AudienceLetterCase(), false},
		{"https://pa.example", "a", AudiencePrefix(), false},
		{"https://pa.example", "a", Algorithm("ES384"), true},
		{"https://pa.example", "a", Algorithm("PS256"), true},
	} {
		g := NewWithT(t)
		_, err := New("second", row.issuer, ring).Mint(Params{Subject: "s", Audience: row.audience, Now: testNow}, row.change)
		var unavailable *Unavailable
		g.Expect(errors.As(err, &unavailable)).To(BeTrue(), "%s: %v", row.change, err)
		g.Expect(unavailable.Setup).To(Equal(row.setup), row.change.String())
		g.Expect(unavailable.Reason).NotTo(BeEmpty())
	}
}

// Variations take a thing away where it is already there.
func TestVariationsTakeAway(t *testing.T) {
	a := New("primary", "http://pa.example:80/p/", testAgent(t).Ring)
	for _, row := range []struct {
		change      Change
		claim, want string
	}{
		{IssuerTrailingSlash(), "iss", "http://pa.example:80/p"},
		{IssuerDefaultPort(), "iss", "http://pa.example/p/"},
		{AudienceTrailingSlash(), "aud", "https://aud"},
	} {
		g := NewWithT(t)
		minted, err := a.Mint(Params{Subject: "s", Audience: "https://aud/", Now: testNow}, row.change)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(minted.Claims).To(HaveKeyWithValue(row.claim, row.want))
	}
}

func TestSenselessChangesAreErrors(t *testing.T) {
	a := testAgent(t)
	for _, changes := range [][]Change{
		{RS256(), DERSignature()},
		{Without("iat"), Lifetime(time.Minute)},
		{Without("exp"), StringTime("exp")},
		{None("none", false), TamperedSignature()},
		{PayloadList(), TamperedPayload()},
		{IssuedAt(-DefaultLifetime)},
		{Without("aud"), AudienceLonger()},
		{HS256("no such secret")},
		{SignedBySpare("no such spare")},
		{Claim("f", func() {})},
	} {
		_, err := a.Mint(testParams(), changes...)
		NewWithT(t).Expect(err).To(HaveOccurred(), "%v", changes)
	}
}

func TestTokensAreUnlike(t *testing.T) {
	g := NewWithT(t)
	a := testAgent(t)
	seen := map[any]bool{}
	for range 50 {
		minted, err := a.Mint(testParams())
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(seen).NotTo(HaveKey(minted.Claims["jti"]))
		seen[minted.Claims["jti"]] = true
	}
}

// However a token is printed, its signature is not.
func TestTokenIsPrintedWithoutSignature(t *testing.T) {
	a := testAgent(t)
	for _, c := range []Change{ES256(), RS256(), HS256(PublicPEM), FourSegments(), TamperedSignature(), ForeignSignature()} {
		g := NewWithT(t)
		minted, err := a.Mint(testParams(), c)
		g.Expect(err).NotTo(HaveOccurred())
		asJSON, err := json.Marshal(map[string]any{"token": minted, "pointer": &minted})
		g.Expect(err).NotTo(HaveOccurred())
		printed := fmt.Sprintf("%v %+v %#v %s %q %v %+v", minted, minted, minted, minted, minted, &minted, struct{ T Token }{minted}) + string(asJSON)
		secrets := []string{strings.Split(minted.Compact, ".")[2]}
		if minted.Lender != nil {
			secrets = append(secrets, strings.Split(minted.Lender.Compact, ".")[2])
		}
		for _, secret := range secrets {
			g.Expect(secret).NotTo(BeEmpty())
			g.Expect(printed).NotTo(ContainSubstring(secret))
			g.Expect(printed).NotTo(ContainSubstring(secret[:20]))
		}
		g.Expect(printed).To(ContainSubstring(strings.Split(minted.Compact, ".")[1] + ".***"))
	}
	junk, err := a.Mint(testParams(), Junk(100))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	NewWithT(t).Expect(junk.Masked()).To(HaveLen(11))
}
