package agent

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/gomega"
)

// signature says which key and algorithm the signature verifies with.
type signature func(b *bench) (alg string, key any)

// byKid is a right signature: alg and kid of the header, and the key set's key with that kid and alg.
func byKid(b *bench) (string, any) {
	alg, _ := b.header["alg"].(string)
	kid, _ := b.header["kid"].(string)
	NewWithT(b.t).Expect(b.keys).To(HaveKey(kid))
	NewWithT(b.t).Expect(b.keys[kid].Algorithm).To(Equal(alg))
	return alg, b.keys[kid].Key
}

func byES256(b *bench) (string, any) { return "ES256", b.keys[b.es256].Key }
func byRS256(b *bench) (string, any) { return "RS256", b.keys[b.rsa].Key }
func bySecond(b *bench) (string, any) {
	return "ES256", b.keys[strings.Replace(b.es256, "es256-", "es256-2-", 1)].Key
}
func byAttacker(b *bench) (string, any) { return "ES256", b.agent.Ring.attackerES256.private.Public() }
func byOther(b *bench) (string, any)    { return "ES256", b.otherKeys[b.other.Ring.es256.kid].Key }
func broken(*bench) (string, any)       { return "", nil }
func empty(*bench) (string, any)        { return "empty", nil }
func bySpare(s Spare) signature {
	return func(b *bench) (string, any) {
		keys := publicKeys(b.t, b.agent, s)
		kid, _ := b.header["kid"].(string)
		NewWithT(b.t).Expect(b.keys).NotTo(HaveKey(kid))
		return "ES256", keys[kid].Key
	}
}
func bySecret(secret func(public jose.JSONWebKey) []byte) signature {
	return func(b *bench) (string, any) { return "HS256", secret(b.keys[b.header["kid"].(string)]) }
}

type object = map[string]any

// row says what a change does to the token that Mint makes by default.
type row struct {
	change Change
	// stable and credential are the change's form for records and the token's words for people.
	stable, credential string
	// header and claims are the members that differ from the default's.
	header, claims object
	signed         signature
	// lent checks a token that borrowed from a lender; without it there is no lender.
	lent func(b *bench, lender parts)
}

// tableOfChanges has every exported change, what it alters in a default token, and how the token is signed.
func tableOfChanges(other *Agent) []row {
	const now = 1_790_000_000
	num := func(n int) json.Number { return json.Number(strconv.Itoa(n)) }
	der := func(k jose.JSONWebKey) []byte { d, _ := x509.MarshalPKIXPublicKey(k.Key); return d }
	x := func(k jose.JSONWebKey) []byte {
		raw, _ := k.Key.(*ecdsa.PublicKey).Bytes()
		return raw[1:33]
	}
	kidOf := func(prefix string) matching { return matching("^" + prefix + "-[a-z2-7]{10}$") }
	fresh := matching("^unpublished-[a-z2-7]{26}$")
	rows := []row{
		{change: ES256(), stable: "ES256", credential: "ES256", signed: byKid},
		{change: RS256(), stable: "RS256", credential: "RS256", header: object{"alg": "RS256", "kid": kidOf("rs256")}, signed: byRS256},
		{change: None("none", false), stable: "None(none, false)", credential: "alg none", header: object{"alg": "none"}, signed: empty},
		{change: None("NONE", true), stable: "None(NONE, true)", credential: "alg NONE with a signature", header: object{"alg": "NONE"}, signed: byES256},
		{change: AlgorithmLetterCase("es256"), stable: "AlgorithmLetterCase(es256)", credential: "alg written es256", header: object{"alg": "es256"}, signed: byES256},
		{change: AlgorithmLetterCase("Es256"), stable: "AlgorithmLetterCase(Es256)", credential: "alg written Es256", header: object{"alg": "Es256"}, signed: byES256},
		{change: AlgorithmLetterCase("rs256"), stable: "AlgorithmLetterCase(rs256)", credential: "alg written rs256", header: object{"alg": "rs256", "kid": kidOf("rs256")}, signed: byRS256},
		{change: HS256(RandomSecret), stable: "HS256(random)", credential: "HS256 with a random secret", header: object{"alg": "HS256"}, signed: broken},
		{change: HS256(PublicPEM), stable: "HS256(pem)", credential: "HS256 with the public PEM as secret", header: object{"alg": "HS256"}, signed: bySecret(func(k jose.JSONWebKey) []byte {
			return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der(k)})
		})},
		{change: HS256(PublicDER), stable: "HS256(der)", credential: "HS256 with the public DER as secret", header: object{"alg": "HS256"}, signed: bySecret(der)},
		{change: HS256(PublicJWK), stable: "HS256(jwk)", credential: "HS256 with the public JWK as secret", header: object{"alg": "HS256"}, signed: func(b *bench) (string, any) {
			set, _ := b.agent.Ring.Public()
			var raw struct{ Keys []json.RawMessage }
			NewWithT(b.t).Expect(json.Unmarshal(set, &raw)).To(Succeed())
			return "HS256", []byte(raw.Keys[0])
		}},
		{change: HS256(PublicCoordinate), stable: "HS256(coordinate)", credential: "HS256 with the modulus or x as secret", header: object{"alg": "HS256"}, signed: bySecret(x)},
		{change: HS256(PublicCoordinateText), stable: "HS256(coordinate-text)", credential: "HS256 with the modulus or x, base64url, as secret", header: object{"alg": "HS256"}, signed: bySecret(func(k jose.JSONWebKey) []byte {
			return []byte(base64.RawURLEncoding.EncodeToString(x(k)))
		})},

		{change: TamperedPayload(), stable: "TamperedPayload", credential: "ES256, payload changed after signing", signed: broken, lent: func(b *bench, lender parts) {
			g := NewWithT(b.t)
			g.Expect(b.parts.header).To(Equal(lender.header))
			g.Expect(b.parts.signature).To(Equal(lender.signature))
			before, after := members(b.t, lender.payload), members(b.t, b.parts.payload)
			g.Expect(before["jti"]).NotTo(Equal(after["jti"]))
			delete(before, "jti")
			delete(after, "jti")
			g.Expect(before).To(Equal(after))
		}},
		{change: TamperedSignature(), stable: "TamperedSignature", credential: "ES256, last signature byte changed", signed: broken, lent: func(b *bench, lender parts) {
			g := NewWithT(b.t)
			g.Expect(b.parts.input).To(Equal(lender.input))
			last := len(lender.signature) - 1
			g.Expect(b.parts.signature[:last]).To(Equal(lender.signature[:last]))
			g.Expect(b.parts.signature).To(HaveLen(last + 1))
			g.Expect(b.parts.signature[last]).NotTo(Equal(lender.signature[last]))
		}},
		{change: TruncatedSignature(), stable: "TruncatedSignature", credential: "ES256, signature truncated", signed: broken, lent: func(b *bench, lender parts) {
			g := NewWithT(b.t)
			g.Expect(b.parts.input).To(Equal(lender.input))
			g.Expect(b.parts.signature).To(Equal(lender.signature[:32]))
		}},
		{change: EmptySignature(), stable: "EmptySignature", credential: "ES256, signature empty", signed: empty, lent: func(b *bench, lender parts) {
			NewWithT(b.t).Expect(b.parts.input).To(Equal(lender.input))
		}},
		{change: ForeignSignature(), stable: "ForeignSignature", credential: "ES256, signature of another token", signed: broken, lent: func(b *bench, lender parts) {
			g := NewWithT(b.t)
			g.Expect(b.parts.signature).To(Equal(lender.signature))
			g.Expect(b.parts.header).To(Equal(lender.header))
			g.Expect(b.parts.payload).NotTo(Equal(lender.payload))
		}},
		{change: DERSignature(), stable: "DERSignature", credential: "ES256, signature in DER form", signed: func(b *bench) (string, any) {
			digest := sha256.Sum256([]byte(b.parts.input))
			_, key := byES256(b)
			NewWithT(b.t).Expect(ecdsa.VerifyASN1(key.(*ecdsa.PublicKey), digest[:], b.parts.signature)).To(BeTrue())
			return "", nil
		}},

		{change: WrongKeySameKid(), stable: "WrongKeySameKid", credential: "ES256, another key under the published kid", signed: byAttacker},
		{change: UnpublishedKey(), stable: "UnpublishedKey", credential: "ES256, unpublished key and kid", header: object{"kid": fresh}, signed: byAttacker},
		{change: UnpublishedKid(), stable: "UnpublishedKid", credential: "ES256, published key under an unpublished kid", header: object{"kid": fresh}, signed: byES256},
		{change: PublishedKid(), stable: "PublishedKid", credential: "ES256, the published kid", signed: byKid},
		{change: SwappedKid(), stable: "SwappedKid", credential: "ES256, kid of another published key", signed: bySecond},
		{change: SecondKey(), stable: "SecondKey", credential: "ES256 by the second published key", header: object{"kid": kidOf("es256-2")}, signed: bySecond},
		{change: NoKid(), stable: "NoKid", credential: "ES256, no kid", header: object{"kid": absent{}}, signed: byES256},
		{change: KeyOf(other), stable: "KeyOf(second)", credential: "ES256, key and kid of the agent second", header: object{"kid": other.Ring.es256.kid}, signed: byOther},
		{change: KeyOfUnderOwnKid(other), stable: "KeyOfUnderOwnKid(second)", credential: "ES256, key of the agent second under the own kid", signed: byOther},
		{change: SignedBySpare(RotationSpare), stable: "SignedBySpare(rotation)", credential: "ES256 by the rotation key", header: object{"kid": kidOf("es256-rotation")}, signed: bySpare(RotationSpare)},
		{change: SignedBySpare(WithdrawalSpare), stable: "SignedBySpare(withdrawal)", credential: "ES256 by the withdrawal key", header: object{"kid": kidOf("es256-withdrawal")}, signed: bySpare(WithdrawalSpare)},

		{change: Typ("at+jwt"), stable: "Typ(at+jwt)", credential: "ES256, typ at+jwt", header: object{"typ": "at+jwt"}, signed: byKid},
		{change: NoTyp(), stable: "NoTyp", credential: "ES256, no typ", header: object{"typ": absent{}}, signed: byKid},
		{change: Crit(), stable: "Crit", credential: "ES256, crit with an unknown extension", header: object{"crit": []any{extension}, extension: true}, signed: byKid},
		{change: Extension(), stable: "Extension", credential: "ES256, an unknown header parameter", header: object{extension: true}, signed: byKid},
		{change: HeaderJWK(), stable: "HeaderJWK", credential: "ES256, attacker's key in jwk", header: object{"kid": kidOf("attacker-es256"), "jwk": matching(".")}, signed: func(b *bench) (string, any) {
			raw, _ := json.Marshal(b.header["jwk"])
			var carried jose.JSONWebKey
			NewWithT(b.t).Expect(json.Unmarshal(raw, &carried)).To(Succeed())
			NewWithT(b.t).Expect(carried.IsPublic()).To(BeTrue())
			NewWithT(b.t).Expect(carried.KeyID).To(Equal(b.header["kid"]))
			return "ES256", carried.Key
		}},
		{change: HeaderX5C(), stable: "HeaderX5C", credential: "ES256, attacker's certificate in x5c", header: object{"kid": kidOf("attacker-es256"), "x5c": matching(".")}, signed: func(b *bench) (string, any) {
			chain := b.header["x5c"].([]any)
			NewWithT(b.t).Expect(chain).To(HaveLen(1))
			der, err := base64.StdEncoding.DecodeString(chain[0].(string))
			NewWithT(b.t).Expect(err).NotTo(HaveOccurred())
			carried, err := x509.ParseCertificate(der)
			NewWithT(b.t).Expect(err).NotTo(HaveOccurred())
			NewWithT(b.t).Expect(carried.CheckSignature(carried.SignatureAlgorithm, carried.RawTBSCertificate, carried.Signature)).To(Succeed())
			return "ES256", carried.PublicKey
		}},
		{change: HeaderJKU(""), stable: "HeaderJKU", credential: "ES256, attacker's key set in jku", header: object{"kid": kidOf("attacker-es256"), "jku": matching(`^https://Pa\.example\.com/Primary/attacker/[a-z2-7]{26}/jwks\.json$`)}, signed: byAttacker},
		{change: HeaderJKU("https://e.example/k?a=1&b=2"), stable: "HeaderJKU(https://e.example/k?a=1&b=2)", credential: "ES256, attacker's key set in jku", header: object{"kid": kidOf("attacker-es256"), "jku": "https://e.example/k?a=1&b=2"}, signed: byAttacker},
		{change: HeaderX5U(""), stable: "HeaderX5U", credential: "ES256, attacker's certificate in x5u", header: object{"kid": kidOf("attacker-es256"), "x5u": matching(`^https://Pa\.example\.com/Primary/attacker/[a-z2-7]{26}/es256\.pem$`)}, signed: byAttacker},

		{change: Claim("nonce", "n"), stable: `Claim(nonce, "n")`, credential: `ES256, nonce "n"`, claims: object{"nonce": "n"}, signed: byKid},
		{change: Issuer("https://x.example"), stable: `Issuer("https://x.example")`, credential: `ES256, iss "https://x.example"`, claims: object{"iss": "https://x.example"}, signed: byKid},
		{change: IssuerTrailingSlash(), stable: "IssuerTrailingSlash", credential: "ES256, iss with a trailing slash more or less", claims: object{"iss": testIssuer + "/"}, signed: byKid},
		{change: IssuerLetterCase(Scheme), stable: "IssuerLetterCase(scheme)", credential: "ES256, iss with another letter case in its scheme", claims: object{"iss": "HTTPS://Pa.example.com/Primary"}, signed: byKid},
		{change: IssuerLetterCase(Host), stable: "IssuerLetterCase(host)", credential: "ES256, iss with another letter case in its host", claims: object{"iss": "https://pA.EXAMPLE.COM/Primary"}, signed: byKid},
		{change: IssuerLetterCase(Path), stable: "IssuerLetterCase(path)", credential: "ES256, iss with another letter case in its path", claims: object{"iss": "https://Pa.example.com/pRIMARY"}, signed: byKid},
		{change: IssuerDefaultPort(), stable: "IssuerDefaultPort", credential: "ES256, iss with the default port more or less", claims: object{"iss": "https://Pa.example.com:443/Primary"}, signed: byKid},
		{change: UnknownIssuer(), stable: "UnknownIssuer", credential: "ES256, unknown iss", claims: object{"iss": matching(`^https://Pa\.example\.com/unknown-[a-z2-7]{26}$`)}, signed: byKid},
		{change: IssuerList(), stable: "IssuerList", credential: "ES256, iss as a list", claims: object{"iss": []any{testIssuer}}, signed: byKid},
		{change: Subject(nil), stable: "Subject(null)", credential: "ES256, sub null", claims: object{"sub": nil}, signed: byKid},
		{change: Subject(4711), stable: "Subject(4711)", credential: "ES256, sub 4711", claims: object{"sub": num(4711)}, signed: byKid},
		{change: AudienceValue("other"), stable: `AudienceValue("other")`, credential: `ES256, aud "other"`, claims: object{"aud": "other"}, signed: byKid},
		{change: AudiencePrefix(), stable: "AudiencePrefix", credential: "ES256, a prefix as aud", claims: object{"aud": "aud-Ab"}, signed: byKid},
		{change: AudienceLonger(), stable: "AudienceLonger", credential: "ES256, a longer aud", claims: object{"aud": "aud-Abcx"}, signed: byKid},
		{change: AudienceLetterCase(), stable: "AudienceLetterCase", credential: "ES256, aud in another letter case", claims: object{"aud": "AUD-aBC"}, signed: byKid},
		{change: AudienceTrailingSlash(), stable: "AudienceTrailingSlash", credential: "ES256, aud with a trailing slash more or less", claims: object{"aud": "aud-Abc/"}, signed: byKid},
		{change: AudienceList(), stable: "AudienceList()", credential: "ES256, aud as a list", claims: object{"aud": []any{testAudience}}, signed: byKid},
		{change: AudienceList("z"), stable: "AudienceList(z)", credential: "ES256, aud as a list with another value", claims: object{"aud": []any{testAudience, "z"}}, signed: byKid},
		{change: Without("sub"), stable: "Without(sub)", credential: "ES256, no sub", claims: object{"sub": absent{}}, signed: byKid},
		{change: NoJTI(), stable: "NoJTI", credential: "ES256, no jti", claims: object{"jti": absent{}}, signed: byKid},

		{change: ExpiresIn(5 * time.Second), stable: "ExpiresIn(5s)", credential: "ES256, exp in 5s", claims: object{"exp": num(now + 5)}, signed: byKid},
		{change: Lifetime(301 * time.Second), stable: "Lifetime(301s)", credential: "ES256, lifetime 301s", claims: object{"exp": num(now + 301)}, signed: byKid},
		{change: LifetimeShifted(301*time.Second, 200*time.Second), stable: "LifetimeShifted(301s, 200s)", credential: "ES256, lifetime 301s, issued 200s ago", claims: object{"iat": num(now - 200), "exp": num(now + 101)}, signed: byKid},
		{change: IssuedAt(40 * time.Second), stable: "IssuedAt(40s)", credential: "ES256, iat +40s", claims: object{"iat": num(now + 40), "exp": num(now + 160)}, signed: byKid},
		{change: IssuedAt(-40 * time.Second), stable: "IssuedAt(-40s)", credential: "ES256, iat -40s", claims: object{"iat": num(now - 40), "exp": num(now + 80)}, signed: byKid},
		{change: Expired(3600 * time.Second), stable: "Expired(3600s)", credential: "ES256, expired 3600s ago", claims: object{"iat": num(now - 3720), "exp": num(now - 3600)}, signed: byKid},
		{change: NotBefore(120 * time.Second), stable: "NotBefore(120s)", credential: "ES256, nbf +120s", claims: object{"nbf": num(now + 120)}, signed: byKid},
		{change: StringTime("iat"), stable: "StringTime(iat)", credential: "ES256, iat as a string", claims: object{"iat": strconv.Itoa(now)}, signed: byKid},
		{change: StringTime("exp"), stable: "StringTime(exp)", credential: "ES256, exp as a string", claims: object{"exp": strconv.Itoa(now + 120)}, signed: byKid},
	}
	for alg, kid := range map[string]string{
		"ES384": "es384", "ES512": "es512", "EdDSA": "eddsa",
		"RS384": "rs384", "RS512": "rs512", "PS256": "ps256", "PS384": "ps384", "PS512": "ps512",
	} {
		rows = append(rows, row{change: Algorithm(alg), stable: alg, credential: alg, header: object{"alg": alg, "kid": kidOf(kid)}, signed: byKid})
	}
	return rows
}
