package agent

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/gomega"
)

// signer is a Provider that signs delegation tokens, as another library has its keys.
type signer struct {
	alg     string
	private crypto.Signer
	key     jose.JSONWebKey
	// set is its JWK Set: its key, and two that sign nothing here.
	set []byte
}

// foreignKeys are a Provider's private keys by algorithm, and one more.
var foreignKeys = sync.OnceValues(func() (map[string]crypto.Signer, error) {
	made := map[string]crypto.Signer{}
	for name, alg := range map[string]string{"ES256": "ES256", "RS256": "RS256", "other": "ES256"} {
		k, err := generate(alg)
		if err != nil {
			return nil, err
		}
		made[name] = k
	}
	return made, nil
})

func newSigner(t *testing.T, alg, kid string) signer {
	t.Helper()
	keys, err := foreignKeys()
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	s := signer{alg: alg, private: keys[alg], key: jose.JSONWebKey{Key: keys[alg].Public(), KeyID: kid, Algorithm: alg, Use: "sig"}}
	published := []jose.JSONWebKey{{Key: keys["other"].Public(), KeyID: "other", Use: "sig"}, s.key}
	for name, k := range keys {
		if name != "other" && name != alg {
			published = append(published, jose.JSONWebKey{Key: k.Public(), KeyID: "another", Use: "sig"})
		}
	}
	s.set, err = json.Marshal(jose.JSONWebKeySet{Keys: published})
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return s
}

// token signs header and payload as they are written.
func (s signer) token(t *testing.T, header, payload string) string {
	t.Helper()
	k, err := newKey("", s.alg, s.private)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	input := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload))
	signature, err := k.sign([]byte(input))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return input + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// delegation is the payload of a token, whose bytes another encoder would not write.
const delegation = `{ "sub":"jane-4471", "exp" : 1790003600 ,"scope":"orders:read <a>","nested":{"exp":1},"n":12345678901234567890}`

func headerOf(alg, kid string) string {
	return `{"x-number":12345678901234567890,"typ":"at+jwt","alg":"` + alg + `","kid":"` + kid + `"}`
}

// forgeryRow says what a forgery does to the token.
type forgeryRow struct {
	// header are the members that differ; nil for one that is gone.
	header object
	// payload is what it is now; empty for the same bytes.
	payload string
	// signed says what the signature verifies with; nil for nothing.
	signed func(f forged) any
}

// forged is a forged token beside what it was made of.
type forged struct {
	t *testing.T
	signer
	agent  *Agent
	header object
}

func (f forged) attacker() *key {
	k, err := f.agent.Ring.attacker(f.alg)
	NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
	return k
}

func (f forged) published() *key {
	k, err := f.agent.Ring.published(f.alg)
	NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
	return k
}

func agentsKey(f forged) any { return f.published().private.Public() }

// carried is the key in jwk, which has the token's kid.
func carried(f forged) any {
	raw, err := json.Marshal(f.header["jwk"])
	NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
	var k jose.JSONWebKey
	NewWithT(f.t).Expect(k.UnmarshalJSON(raw)).To(Succeed())
	NewWithT(f.t).Expect(k.IsPublic()).To(BeTrue())
	NewWithT(f.t).Expect(k.KeyID).To(Equal(f.header["kid"]))
	return k.Key
}

func certified(f forged) any {
	chain, _ := f.header["x5c"].([]any)
	NewWithT(f.t).Expect(chain).To(HaveLen(1))
	der, err := base64.StdEncoding.DecodeString(chain[0].(string))
	NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
	c, err := x509.ParseCertificate(der)
	NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
	return c.PublicKey
}

// servedKey is the key at jku, the only one there, under the token's kid.
func servedKey(f forged) any {
	_, body := fetched(f.t, f.header["jku"].(string))
	keys := keysIn(f.t, body)
	NewWithT(f.t).Expect(slices.Collect(maps.Keys(keys))).To(HaveExactElements(f.header["kid"]))
	return keys[f.header["kid"].(string)].Key
}

func servedCertificate(f forged) any {
	_, body := fetched(f.t, f.header["x5u"].(string))
	block, _ := pem.Decode(body)
	NewWithT(f.t).Expect(block).NotTo(BeNil())
	c, err := x509.ParseCertificate(block.Bytes)
	NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
	return c.PublicKey
}

// coordinateOf is n of an RSA key or x of an EC key.
func coordinateOf(f forged) []byte {
	switch public := f.key.Key.(type) {
	case *rsa.PublicKey:
		return public.N.Bytes()
	case *ecdsa.PublicKey:
		point, err := public.Bytes()
		NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
		return point[1:33]
	}
	return nil
}

func derOf(f forged) []byte {
	der, err := x509.MarshalPKIXPublicKey(f.key.Key)
	NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
	return der
}

func forgeryRows(f forged) map[string]forgeryRow {
	hs256 := object{"alg": "HS256"}
	own := f.attacker().kid
	put := func(name string, kid any) object {
		header := object{name: Not(BeZero())}
		if kid != nil {
			header["kid"] = kid
		}
		return header
	}
	return map[string]forgeryRow{
		"payload":   {payload: strings.Replace(delegation, "1790003600", "1790003660", 1)},
		"signature": {},
		"alg-none":  {header: object{"alg": "none"}},
		"hs256-pem": {header: hs256, signed: func(f forged) any {
			return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: derOf(f)})
		}},
		"hs256-der": {header: hs256, signed: func(f forged) any { return derOf(f) }},
		"hs256-jwk": {header: hs256, signed: func(f forged) any {
			published, err := f.key.MarshalJSON()
			NewWithT(f.t).Expect(err).NotTo(HaveOccurred())
			return published
		}},
		"hs256-coordinate":      {header: hs256, signed: func(f forged) any { return coordinateOf(f) }},
		"hs256-coordinate-text": {header: hs256, signed: func(f forged) any { return []byte(base64.RawURLEncoding.EncodeToString(coordinateOf(f))) }},
		"jwk":                   {header: put("jwk", own), signed: carried},
		"jwk-provider-kid":      {header: put("jwk", nil), signed: carried},
		"x5c":                   {header: put("x5c", own), signed: certified},
		"x5c-provider-kid":      {header: put("x5c", nil), signed: certified},
		"jku":                   {header: put("jku", own), signed: servedKey},
		"jku-provider-kid":      {header: put("jku", nil), signed: servedKey},
		"x5u":                   {header: put("x5u", own), signed: servedCertificate},
		"x5u-provider-kid":      {header: put("x5u", nil), signed: servedCertificate},
		"agent-kid":             {header: object{"kid": f.published().kid}, signed: agentsKey},
		"provider-kid":          {signed: agentsKey},
		"no-kid":                {header: object{"kid": nil}, signed: agentsKey},
	}
}

// Each forgery changes what it names and nothing else, and what is served at its URL verifies it.
func TestForgeriesDifferInWhatTheySay(t *testing.T) {
	_, a, _ := serve(t)
	for _, alg := range []string{"ES256", "RS256"} {
		s := newSigner(t, alg, "sig:1/ä")
		original := s.token(t, headerOf(alg, "sig:1/ä"), delegation)
		rows := forgeryRows(forged{t: t, signer: s, agent: a})
		for _, forgery := range Forgeries() {
			t.Run(alg+"/"+forgery.Name, func(t *testing.T) {
				g := NewWithT(t)
				g.Expect(rows).To(HaveKey(forgery.Name))
				row := rows[forgery.Name]
				delete(rows, forgery.Name)
				token, err := a.Forge(forgery.Name, original, s.set)
				g.Expect(err).NotTo(HaveOccurred())
				g.Expect(token.Compact).NotTo(Equal(original))
				g.Expect(token.Credential).To(Equal(forgery.Words))
				g.Expect(token.Lender.Compact).To(Equal(original))
				was, is := take(t, original), take(t, token.Compact)

				header := members(t, is.header)
				changed := members(t, was.header)
				for name, value := range row.header {
					if matcher, ok := value.(OmegaMatcher); ok {
						g.Expect(header[name]).To(matcher)
						value = header[name]
					}
					if changed[name] = value; value == nil {
						delete(changed, name)
					}
				}
				g.Expect(header).To(Equal(changed))
				want := string(was.payload)
				if row.payload != "" {
					want = row.payload
				}
				g.Expect(string(is.payload)).To(Equal(want))
				g.Expect(token.Claims).To(HaveKeyWithValue("sub", "jane-4471"))
				g.Expect(token.Expires).NotTo(BeZero())

				switch forgery.Name {
				case "alg-none":
					g.Expect(is.signature).To(BeEmpty())
				case "payload":
					g.Expect(is.header).To(Equal(was.header))
					g.Expect(is.signature).To(Equal(was.signature))
				case "signature":
					g.Expect(is.input).To(Equal(was.input))
					last := len(was.signature) - 1
					g.Expect(is.signature[:last]).To(Equal(was.signature[:last]))
					g.Expect(is.signature[last]).NotTo(Equal(was.signature[last]))
				default:
					key := row.signed(forged{t: t, signer: s, agent: a, header: header})
					g.Expect(verifies(header["alg"].(string), key, is.input, is.signature)).To(BeTrue())
				}
				if header["alg"] == alg {
					g.Expect(verifies(alg, s.key.Key, is.input, is.signature)).To(BeFalse(), "the forgery verifies")
				}
			})
		}
		NewWithT(t).Expect(rows).To(BeEmpty(), "forgeries that are not there")
	}
}

// The Provider's kid is that of the key that signed, where the token names none.
func TestForgingATokenWithoutKid(t *testing.T) {
	g := NewWithT(t)
	_, a, _ := serve(t)
	s := newSigner(t, "ES256", "sig-1")
	original := s.token(t, `{"alg":"ES256"}`, delegation)
	for _, name := range []string{"provider-kid", "jwk-provider-kid", "jku-provider-kid"} {
		token, err := a.Forge(name, original, s.set)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(members(t, take(t, token.Compact).header)).To(HaveKeyWithValue("kid", "sig-1"))
	}
	token, err := a.Forge("hs256-der", original, s.set)
	g.Expect(err).NotTo(HaveOccurred())
	p := take(t, token.Compact)
	g.Expect(members(t, p.header)).To(Equal(object{"alg": "HS256"}))
	g.Expect(verifies("HS256", derOf(forged{t: t, signer: s}), p.input, p.signature)).To(BeTrue())
}

func TestForgeriesThatCannotBeMade(t *testing.T) {
	_, served, _ := serve(t)
	unserved := testAgent(t)
	s := newSigner(t, "ES256", "sig-1")
	right := s.token(t, headerOf("ES256", "sig-1"), delegation)
	unnamed := newSigner(t, "ES256", "")
	for name, test := range map[string]struct {
		agent          *Agent
		forgery, token string
		set            []byte
		reason         string
		setup          bool
	}{
		"jku that nobody serves": {unserved, "jku", right, s.set, "nothing is served at the issuer of the personal agent", true},
		"x5u that nobody serves": {unserved, "x5u-provider-kid", right, s.set, "nothing is served at the issuer of the personal agent", true},
		"an opaque token":        {served, "payload", "rt_9f3c", s.set, "the token is no compact JWS", false},
		"a token in five parts":  {served, "jwk", "a.b.c.d.e", s.set, "the token is no compact JWS", false},
		"a header that is text":  {served, "alg-none", "dGV4dA." + strings.SplitN(right, ".", 2)[1], s.set, "the token is no compact JWS", false},
		"no signature":           {served, "signature", right[:strings.LastIndex(right, ".")+1], s.set, "the token is no compact JWS", false},
		"another algorithm":      {served, "jwk", s.token(t, headerOf("ES384", "sig-1"), delegation), s.set, "the token is signed with neither ES256 nor RS256", false},
		"an unknown kid":         {served, "hs256-pem", s.token(t, headerOf("ES256", "sig-2"), delegation), s.set, "the Provider's key set has no key that signed the token", false},
		"no key set":             {served, "hs256-jwk", right, []byte("<h1>"), "the Provider's key set has no key that signed the token", false},
		"no kid anywhere":        {served, "provider-kid", unnamed.token(t, `{"alg":"ES256"}`, delegation), unnamed.set, "neither the token nor the Provider's key has a kid", false},
		"exp as text":            {served, "payload", s.token(t, headerOf("ES256", "sig-1"), `{"exp":"later"}`), s.set, "the token has no exp that is a number", false},
		"a payload that is none": {served, "payload", s.token(t, headerOf("ES256", "sig-1"), `[]`), s.set, "the token has no exp that is a number", false},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			_, err := test.agent.Forge(test.forgery, test.token, test.set)
			var unavailable *Unavailable
			g.Expect(errors.As(err, &unavailable)).To(BeTrue(), "%v", err)
			g.Expect(*unavailable).To(Equal(Unavailable{Reason: test.reason, Setup: test.setup}))
		})
	}
	_, err := served.Forge("unheard-of", right, s.set)
	NewWithT(t).Expect(err).To(MatchError(`there is no forgery "unheard-of"`))
}

// A key that does not verify the token is still the Provider's, where kid leaves no other.
func TestForgingATokenThatDoesNotVerify(t *testing.T) {
	g := NewWithT(t)
	s := newSigner(t, "ES256", "sig-1")
	p := strings.Split(s.token(t, headerOf("ES256", "sig-1"), delegation), ".")
	p[2] = base64.RawURLEncoding.EncodeToString(bytes.Repeat([]byte{7}, 64))
	token, err := testAgent(t).Forge("hs256-der", strings.Join(p, "."), s.set)
	g.Expect(err).NotTo(HaveOccurred())
	made := take(t, token.Compact)
	g.Expect(verifies("HS256", derOf(forged{t: t, signer: s}), made.input, made.signature)).To(BeTrue())
}
