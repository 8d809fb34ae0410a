// Package verify checks what a Provider signs: delegation tokens and receipts (§5.4, §5.6).
package verify

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/lestrrat-go/jwx/v2/jws"
)

// JWS is a compact JWS that was read.
type JWS struct {
	Algorithm, KeyID string
	// Payload is the JSON object that was signed.
	Payload map[string]any
}

// Read reads a compact JWS without verifying it. The error says what is no JWS about it.
func Read(compact string) (JWS, error) {
	segments := strings.Split(compact, ".")
	if len(segments) != 3 {
		return JWS{}, fmt.Errorf("%d segments instead of three", len(segments))
	}
	var header struct {
		Algorithm string `json:"alg"`
		KeyID     string `json:"kid"`
	}
	if err := decode(segments[0], &header); err != nil {
		return JWS{}, fmt.Errorf("the header: %w", err)
	}
	read := JWS{Algorithm: header.Algorithm, KeyID: header.KeyID}
	if err := decode(segments[1], &read.Payload); err != nil {
		return JWS{}, fmt.Errorf("the payload: %w", err)
	}
	return read, nil
}

func decode(segment string, value any) error {
	data, err := base64.RawURLEncoding.DecodeString(segment)
	if err != nil {
		return errors.New("no base64url")
	}
	if err := json.Unmarshal(data, value); err != nil {
		return errors.New("no JSON object")
	}
	return nil
}

// Signed verifies a compact JWS with a JWK Set: ES256 or RS256 (§5.4), by the key that kid names, or
// by any where it names none. The error says what is wrong.
func Signed(compact string, keySet []byte) error {
	read, err := Read(compact)
	if err != nil {
		return err
	}
	if read.Algorithm != jwa.ES256.String() && read.Algorithm != jwa.RS256.String() {
		return fmt.Errorf("alg %q, where ES256 or RS256 is asked for", read.Algorithm)
	}
	keys, err := jwk.Parse(keySet, jwk.WithIgnoreParseError(true)) // of unknown types there may be some (RFC 7517 §5)
	if err != nil {
		return errors.New("the key set cannot be read")
	}
	if read.KeyID != "" {
		if _, published := keys.LookupKeyID(read.KeyID); !published {
			return fmt.Errorf("kid %q names no published key", read.KeyID)
		}
	}
	for i := range keys.Len() {
		key, _ := keys.Key(i)
		if read.KeyID != "" && key.KeyID() != read.KeyID {
			continue
		}
		if _, err := jws.Verify([]byte(compact), jws.WithKey(jwa.SignatureAlgorithm(read.Algorithm), key)); err == nil {
			return nil
		}
	}
	return errors.New("the signature does not verify with the published keys")
}
