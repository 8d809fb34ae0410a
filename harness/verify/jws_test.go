package verify_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"testing"

	jose "github.com/go-jose/go-jose/v4"

	"github.com/pact-conform/pact-conform/harness/verify"
)

func sign(t *testing.T, alg jose.SignatureAlgorithm, key crypto.PrivateKey, kid string) string {
	t.Helper()
	options := &jose.SignerOptions{}
	if kid != "" {
		options = options.WithHeader("kid", kid)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign([]byte(`{"grantId":"g-1"}`))
	if err != nil {
		t.Fatal(err)
	}
	compact, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return compact
}

func TestSigned(t *testing.T) {
	ec, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	foreign, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	big, _ := rsa.GenerateKey(rand.Reader, 2048)
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: &ec.PublicKey, KeyID: "ec"}, {Key: &big.PublicKey, KeyID: "rsa"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	right := sign(t, jose.ES256, ec, "ec")
	for name, test := range map[string]struct{ compact, want string }{
		"ES256":              {right, ""},
		"RS256":              {sign(t, jose.RS256, big, "rsa"), ""},
		"no kid":             {sign(t, jose.ES256, ec, ""), ""},
		"a foreign key":      {sign(t, jose.ES256, foreign, "ec"), "the signature does not verify with the published keys"},
		"an unpublished kid": {sign(t, jose.ES256, ec, "other"), `kid "other" names no published key`},
		"PS256":              {sign(t, jose.PS256, big, "rsa"), `alg "PS256", where ES256 or RS256 is asked for`},
		"cut":                {right[:len(right)-10], "the signature does not verify with the published keys"},
		"no JWS":             {"rt_1", "1 segments instead of three"},
		"no base64url":       {"a b.c.d", "the header: no base64url"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := verify.Signed(test.compact, set); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if err := verify.Signed(right, []byte("no JSON")); err == nil {
		t.Error("a key set that is no JSON verifies nothing")
	}
}
