package agent

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/gomega"
)

// Rings are made once for all tests: RSA keys take long.
var (
	ringOf   = sync.OnceValues(func() (*KeyRing, error) { return NewKeyRing(true) })
	secondOf = sync.OnceValues(func() (*KeyRing, error) { return NewKeyRing(false) })
)

const (
	testIssuer   = "https://Pa.example.com/Primary"
	testSubject  = "user-1"
	testAudience = "aud-Abc"
)

var testNow = time.Unix(1_790_000_000, 999_000_000)

func testParams() Params { return Params{Subject: testSubject, Audience: testAudience, Now: testNow} }

func testAgent(t *testing.T) *Agent {
	t.Helper()
	ring, err := ringOf()
	if err != nil {
		t.Fatal(err)
	}
	return New("primary", testIssuer, ring)
}

func otherAgent(t *testing.T) *Agent {
	t.Helper()
	ring, err := secondOf()
	if err != nil {
		t.Fatal(err)
	}
	return New("second", "https://pa.example.com/second", ring)
}

// publicKeys is the agent's key set as another library reads it.
func publicKeys(t *testing.T, a *Agent, spares ...Spare) map[string]jose.JSONWebKey {
	t.Helper()
	g := NewWithT(t)
	set, err := a.Ring.Public(spares...)
	g.Expect(err).NotTo(HaveOccurred())
	return keysIn(t, set)
}

func keysIn(t *testing.T, set []byte) map[string]jose.JSONWebKey {
	t.Helper()
	g := NewWithT(t)
	var parsed jose.JSONWebKeySet
	g.Expect(json.Unmarshal(set, &parsed)).To(Succeed())
	keys := map[string]jose.JSONWebKey{}
	for _, k := range parsed.Keys {
		g.Expect(k.Valid()).To(BeTrue())
		g.Expect(k.IsPublic()).To(BeTrue(), "the set holds private material")
		g.Expect(keys).NotTo(HaveKey(k.KeyID), "two keys share a kid")
		keys[k.KeyID] = k
	}
	return keys
}

// parts is a compact token taken apart by hand.
type parts struct {
	input           string
	header, payload []byte
	signature       []byte
}

func take(t *testing.T, compact string) parts {
	t.Helper()
	g := NewWithT(t)
	segments := strings.Split(compact, ".")
	g.Expect(segments).To(HaveLen(3))
	p := parts{input: segments[0] + "." + segments[1]}
	for i, into := range []*[]byte{&p.header, &p.payload, &p.signature} {
		decoded, err := base64.RawURLEncoding.DecodeString(segments[i])
		g.Expect(err).NotTo(HaveOccurred())
		*into = decoded
	}
	return p
}

// members reads a JSON object with its numbers as they are written.
func members(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	g := NewWithT(t)
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var read map[string]any
	g.Expect(decoder.Decode(&read)).To(Succeed(), "%s", raw)
	return read
}

// verifies checks a signature with the standard library alone (RFC 7518 §3).
func verifies(alg string, key any, input string, signature []byte) bool {
	hash := map[string]crypto.Hash{"256": crypto.SHA256, "384": crypto.SHA384, "512": crypto.SHA512}[alg[max(0, len(alg)-3):]]
	var digest []byte
	if hash != 0 {
		h := hash.New()
		h.Write([]byte(input))
		digest = h.Sum(nil)
	}
	switch alg[:2] {
	case "ES":
		public, ok := key.(*ecdsa.PublicKey)
		size := map[string]int{"ES256": 32, "ES384": 48, "ES512": 66}[alg]
		if !ok || len(signature) != 2*size || (public.Curve.Params().BitSize+7)/8 != size {
			return false
		}
		return ecdsa.Verify(public, digest, new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:]))
	case "RS":
		public, ok := key.(*rsa.PublicKey)
		return ok && rsa.VerifyPKCS1v15(public, hash, digest, signature) == nil
	case "PS":
		public, ok := key.(*rsa.PublicKey)
		return ok && rsa.VerifyPSS(public, hash, digest, signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
	case "Ed":
		public, ok := key.(ed25519.PublicKey)
		return ok && ed25519.Verify(public, []byte(input), signature)
	case "HS":
		secret, ok := key.([]byte)
		if !ok {
			return false
		}
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(input))
		return hmac.Equal(mac.Sum(nil), signature)
	}
	return false
}
