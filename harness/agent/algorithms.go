package agent

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jws"
)

// ES256 signs with the published ES256 key, as Mint does by default.
func ES256() Change { return Algorithm("ES256") }

// RS256 signs with the published RS256 key.
func RS256() Change { return Algorithm("RS256") }

// Algorithm signs, correctly, with the published key for that algorithm: ES256, RS256, or one that §3.2 forbids
// (ES384, ES512, RS384, RS512, PS256, PS384, PS512, EdDSA), which needs a ring with extra keys.
func Algorithm(alg string) Change {
	edit := func(d *draft) error {
		k, err := d.agent.Ring.published(alg)
		if err != nil {
			return err
		}
		d.use(k)
		return nil
	}
	switch {
	case alg == "ES256" || alg == "RS256":
		return fine(alg, alg, edit).algorithm()
	case strings.HasPrefix(alg, "RS") || strings.HasPrefix(alg, "PS"):
		return wrong(alg, alg, edit).algorithm().beside(RS256())
	}
	return wrong(alg, alg, edit).algorithm().beside(ES256())
}

// AlgorithmLetterCase signs, correctly, with the published key for ES256 or RS256, and writes the algorithm in the
// header as spelled: es256, Es256, rs256. RFC 7515 §4.1.1 makes the value case-sensitive.
func AlgorithmLetterCase(spelled string) Change {
	right := Algorithm(strings.ToUpper(spelled))
	return wrong(call("AlgorithmLetterCase", spelled), "alg written "+spelled, func(d *draft) error {
		if err := right.apply(d); err != nil {
			return err
		}
		d.header["alg"] = spelled
		return nil
	}).algorithm().beside(right)
}

// None sets alg to spelled: none, None, NONE. The signature is empty, or with leftover the one that the key makes
// over this very token, so that neither an ignored signature nor an ignored alg goes unseen.
func None(spelled string, leftover bool) Change {
	words := "alg " + spelled
	if leftover {
		words += " with a signature"
	}
	return wrong(call("None", spelled, shown(leftover)), words, func(d *draft) error {
		d.header["alg"] = spelled
		if !leftover {
			d.sign = func([]byte) ([]byte, error) { return nil, nil }
		}
		return nil
	}).algorithm()
}

// Secret names what HS256 takes as its secret.
type Secret string

// The secrets: a random one, and forms of the public key that the kid names.
const (
	// RandomSecret is 32 random bytes.
	RandomSecret Secret = "random"
	// PublicPEM is the PEM block of the SubjectPublicKeyInfo, with its last newline.
	PublicPEM Secret = "pem"
	// PublicDER is the SubjectPublicKeyInfo.
	PublicDER Secret = "der"
	// PublicJWK is the JSON of the JWK, byte for byte as it stands in the key set.
	PublicJWK Secret = "jwk"
	// PublicCoordinate is the modulus of an RSA key or x of an EC key, as bytes.
	PublicCoordinate Secret = "coordinate"
	// PublicCoordinateText is the same in base64url, as the key set has it.
	PublicCoordinateText Secret = "coordinate-text"
)

var secretWords = map[Secret]string{
	RandomSecret:         "a random secret",
	PublicPEM:            "the public PEM as secret",
	PublicDER:            "the public DER as secret",
	PublicJWK:            "the public JWK as secret",
	PublicCoordinate:     "the modulus or x as secret",
	PublicCoordinateText: "the modulus or x, base64url, as secret",
}

// HS256 signs with an HMAC over the secret, under the kid of the published key: the ES256 key, or the RS256 key
// when RS256 comes before.
func HS256(secret Secret) Change {
	return wrong(call("HS256", string(secret)), "HS256 with "+secretWords[secret], func(d *draft) error {
		bytes, err := secret.of(d.key)
		if err != nil {
			return err
		}
		signer, err := jws.NewSigner(jwa.HS256)
		if err != nil {
			return err
		}
		d.header["alg"] = "HS256"
		d.sign = func(input []byte) ([]byte, error) { return signer.Sign(input, bytes) }
		return nil
	}).algorithm()
}

// of is the secret made of the key.
func (s Secret) of(k *key) ([]byte, error) {
	switch s {
	case RandomSecret:
		secret := make([]byte, 32)
		_, err := rand.Read(secret)
		return secret, err
	case PublicPEM:
		return k.pem()
	case PublicDER:
		return k.der()
	case PublicJWK:
		return k.published, nil
	case PublicCoordinate, PublicCoordinateText:
		text, err := k.coordinate()
		if err != nil || s == PublicCoordinateText {
			return []byte(text), err
		}
		return base64.RawURLEncoding.DecodeString(text)
	}
	return nil, fmt.Errorf("there is no secret %q", string(s))
}
