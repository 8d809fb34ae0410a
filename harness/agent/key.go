package agent

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/lestrrat-go/jwx/v2/jws"
)

// key is a key under one kid and for one algorithm. The forms that tokens need are made once. The key of
// a Provider has no private half, and signs nothing.
type key struct {
	kid, alg string
	public   crypto.PublicKey
	private  crypto.Signer
	signer   jws.Signer
	// published is the public JWK, byte for byte as it stands in the key set.
	published json.RawMessage
}

func newKey(kid, alg string, private crypto.Signer) (*key, error) {
	signer, err := jws.NewSigner(jwa.SignatureAlgorithm(alg))
	if err != nil {
		return nil, fmt.Errorf("key %s: %w", kid, err)
	}
	public, err := asJWK(kid, alg, private.Public())
	if err != nil {
		return nil, err
	}
	published, err := json.Marshal(public)
	if err != nil {
		return nil, fmt.Errorf("key %s: %w", kid, err)
	}
	return &key{kid: kid, alg: alg, public: private.Public(), private: private, signer: signer, published: published}, nil
}

// as is the same key under another kid and algorithm.
func (k *key) as(kid, alg string) (*key, error) { return newKey(kid, alg, k.private) }

func (k *key) sign(input []byte) ([]byte, error) { return k.signer.Sign(input, k.private) }

// asJWK is a raw key, public or private, as a JWK that names its kid, algorithm and use.
func asJWK(kid, alg string, raw any) (jwk.Key, error) {
	k, err := jwk.FromRaw(raw)
	if err != nil {
		return nil, fmt.Errorf("key %s: %w", kid, err)
	}
	for name, value := range map[string]any{jwk.KeyIDKey: kid, jwk.AlgorithmKey: alg, jwk.KeyUsageKey: "sig"} {
		if err := k.Set(name, value); err != nil {
			return nil, fmt.Errorf("key %s: %w", kid, err)
		}
	}
	return k, nil
}

// der is the public key as a SubjectPublicKeyInfo.
func (k *key) der() ([]byte, error) { return x509.MarshalPKIXPublicKey(k.public) }

// pem is the public key as a PEM block.
func (k *key) pem() ([]byte, error) {
	der, err := k.der()
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

// coordinate is the member of the public JWK that is most of the key: n of an RSA key, x of any other.
func (k *key) coordinate() (string, error) {
	var members struct{ N, X string }
	if err := json.Unmarshal(k.published, &members); err != nil {
		return "", err
	}
	return members.N + members.X, nil
}

// generate makes a private key for the algorithm.
func generate(alg string) (crypto.Signer, error) {
	switch alg {
	case "ES256":
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "ES384":
		return ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case "ES512":
		return ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	case "EdDSA":
		_, private, err := ed25519.GenerateKey(rand.Reader)
		return private, err
	case "RS256":
		return rsa.GenerateKey(rand.Reader, 2048)
	}
	return nil, fmt.Errorf("no key is generated for %s", alg)
}
