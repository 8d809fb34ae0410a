package agent

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/lestrrat-go/jwx/v2/jws"
)

// original is a token of the Provider that is forged: a compact JWS, taken apart.
type original struct {
	compact, alg, kid          string
	header, payload, signature []byte
	keySet                     []byte
}

// readOriginal takes a token apart. What is no signed JWS cannot be forged, which is not the agent's fault.
func readOriginal(compact string, keySet []byte) (*original, error) {
	o := &original{compact: compact, keySet: keySet}
	segments := strings.Split(compact, ".")
	if len(segments) != 3 {
		return nil, &Unavailable{Reason: "the token is no compact JWS"}
	}
	for i, part := range []*[]byte{&o.header, &o.payload, &o.signature} {
		var err error
		if *part, err = base64.RawURLEncoding.DecodeString(segments[i]); err != nil || len(*part) == 0 {
			return nil, &Unavailable{Reason: "the token is no compact JWS"}
		}
	}
	members := o.members()
	if members == nil {
		return nil, &Unavailable{Reason: "the token is no compact JWS"}
	}
	o.alg, _ = members["alg"].(string)
	o.kid, _ = members["kid"].(string)
	return o, nil
}

// members are the header parameters, numbers as they are written; nil where they are no JSON object.
func (o *original) members() map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(o.header))
	decoder.UseNumber()
	var members map[string]any
	if decoder.Decode(&members) != nil {
		return nil
	}
	return members
}

// supported says whether the agent and the attacker have keys for the algorithm: §5.4 allows no other.
func (o *original) supported() error {
	if o.alg == "ES256" || o.alg == "RS256" {
		return nil
	}
	return &Unavailable{Reason: "the token is signed with neither ES256 nor RS256"}
}

// providersKid is the kid of the token, or of the key that signed it where the token names none.
func (o *original) providersKid() (string, error) {
	if o.kid != "" {
		return o.kid, nil
	}
	k, err := o.key()
	if err != nil {
		return "", err
	}
	if k.kid == "" {
		return "", &Unavailable{Reason: "neither the token nor the Provider's key has a kid"}
	}
	return k.kid, nil
}

// key is the Provider's public key: the one of the right type under the token's kid, and among several, or
// without a kid, the one that verifies the token.
func (o *original) key() (*key, error) {
	var set struct{ Keys []json.RawMessage }
	_ = json.Unmarshal(o.keySet, &set) // what is no key set has no keys
	var found []*key
	for _, published := range set.Keys {
		k := o.publicKey(published)
		if k == nil {
			continue
		}
		if _, err := jws.Verify([]byte(o.compact), jws.WithKey(jwa.SignatureAlgorithm(o.alg), k.public)); err == nil {
			return k, nil
		}
		found = append(found, k)
	}
	if len(found) != 1 {
		return nil, &Unavailable{Reason: "the Provider's key set has no key that signed the token"}
	}
	return found[0], nil
}

// publicKey reads a JWK that may have signed the token; nil where it cannot have.
func (o *original) publicKey(published json.RawMessage) *key {
	parsed, err := jwk.ParseKey(published)
	if err != nil || o.kid != "" && parsed.KeyID() != o.kid {
		return nil
	}
	k := &key{kid: parsed.KeyID(), alg: o.alg, published: published}
	if parsed.Raw(&k.public) != nil {
		return nil
	}
	fits := false
	switch public := k.public.(type) {
	case *ecdsa.PublicKey:
		fits = o.alg == "ES256" && public.Curve == elliptic.P256()
	case *rsa.PublicKey:
		fits = o.alg == "RS256"
	}
	if !fits {
		return nil
	}
	return k
}

// replaced is a JSON object with another value for one member, and otherwise byte for byte as it is. It reports
// false where there is no such member, or no other value for it.
func replaced(object []byte, name string, other func(value string) (string, bool)) ([]byte, bool) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, false
	}
	for decoder.More() {
		member, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return nil, false
		}
		if member != name {
			continue
		}
		text, ok := other(string(value))
		end := int(decoder.InputOffset())
		begin := end - len(value)
		return bytes.Join([][]byte{object[:begin], []byte(text), object[end:]}, nil), ok
	}
	return nil, false
}

// asToken is a token by its compact form.
func asToken(compact, credential string) Token {
	t := Token{Compact: compact, Credential: credential}
	segments := strings.Split(compact, ".")
	for i, members := range []*map[string]any{&t.Header, &t.Claims} {
		if raw, err := base64.RawURLEncoding.DecodeString(segments[i]); err == nil {
			_ = json.Unmarshal(raw, members) // nil where it is no JSON object
		}
	}
	if exp, ok := t.Claims["exp"].(float64); ok {
		t.Expires = time.Unix(int64(exp), 0)
	}
	return t
}
