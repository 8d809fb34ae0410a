package agent

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
)

// TamperedPayload changes the payload after signing: it gets another jti, so that nothing but the signature is
// wrong and no replay can be suspected. The token before the change is the Lender.
func TamperedPayload() Change {
	return spoiling("TamperedPayload", "payload changed after signing", func(d *draft, s *segments) error {
		if d.rawPayload != nil {
			return errors.New("the payload has no claims to change")
		}
		claims := maps.Clone(s.claims)
		claims["jti"] = rand.Text()
		payload, err := encoded(nil, claims)
		if err != nil {
			return err
		}
		s.payload, s.claims = payload, claims
		return nil
	})
}

// TamperedSignature changes the last byte of the signature. The token before the change is the Lender.
func TamperedSignature() Change {
	return spoiling("TamperedSignature", "last signature byte changed", func(d *draft, s *segments) error {
		s.signature[len(s.signature)-1] ^= 1
		return nil
	})
}

// TruncatedSignature cuts the signature to half its length. The token before the change is the Lender.
func TruncatedSignature() Change {
	return spoiling("TruncatedSignature", "signature truncated", func(d *draft, s *segments) error {
		s.signature = s.signature[:len(s.signature)/2]
		return nil
	})
}

// EmptySignature leaves the signature empty, with alg as it was. The token before the change is the Lender.
func EmptySignature() Change {
	return spoiling("EmptySignature", "signature empty", func(d *draft, s *segments) error {
		s.signature = nil
		return nil
	})
}

// ForeignSignature takes the signature of another right token, which is the Lender: it differs in its jti.
func ForeignSignature() Change {
	return wrong("ForeignSignature", "signature of another token", func(d *draft) error {
		d.spoil = append(d.spoil, func(s *segments) error {
			other := *d
			other.claims = maps.Clone(d.claims)
			other.claims["jti"] = rand.Text()
			lender, err := other.signed()
			if err != nil {
				return err
			}
			s.signature = lender.signature
			s.lender = lender.asLender(d)
			return nil
		})
		return nil
	})
}

// DERSignature writes the right ECDSA signature in ASN.1 DER instead of R||S (RFC 7518 §3.4).
func DERSignature() Change {
	return wrong("DERSignature", "signature in DER form", func(d *draft) error {
		private, ok := d.key.private.(*ecdsa.PrivateKey)
		if !ok || d.key.alg != "ES256" {
			return fmt.Errorf("only ES256 has a DER form, the key is for %s", d.key.alg)
		}
		d.sign = func(input []byte) ([]byte, error) {
			digest := sha256.Sum256(input)
			return ecdsa.SignASN1(rand.Reader, private, digest[:])
		}
		return nil
	})
}

// spoiling is a change to the signed token, which lends the rest of itself.
func spoiling(name, words string, spoil func(*draft, *segments) error) Change {
	return wrong(name, words, func(d *draft) error {
		d.spoil = append(d.spoil, func(s *segments) error {
			if len(s.signature) == 0 {
				return errors.New("the token has no signature to go by")
			}
			if s.lender == nil {
				s.lender = s.asLender(d)
			}
			return spoil(d, s)
		})
		return nil
	})
}

// asLender is the token of the segments as they are.
func (s *segments) asLender(d *draft) *Token {
	return &Token{
		Compact:    s.header + "." + s.payload + "." + base64.RawURLEncoding.EncodeToString(s.signature),
		Credential: d.algorithm,
		Header:     d.header,
		Claims:     s.claims,
		Expires:    expiry(s.claims),
	}
}
