package agent

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// draft is a token in the making: changes edit it, then it is signed, then the finished segments are spoilt.
type draft struct {
	agent *Agent
	now   time.Time

	// key signs unless sign is set.
	key  *key
	sign func(input []byte) ([]byte, error)

	header, claims map[string]any
	// rawHeader and rawPayload stand in for header and claims where a part is no JSON object.
	rawHeader, rawPayload []byte
	// badBase64 puts a foreign character into the payload segment.
	badBase64 bool

	// spoil runs over the signed segments, in order.
	spoil []func(*segments) error
	// compact, when set, stands in for the whole token.
	compact string

	// algorithm and words make up the credential's description.
	algorithm string
	words     []string
}

// segments is a signed token, decoded: header and payload as they are signed, and the signature's bytes.
type segments struct {
	header, payload string
	signature       []byte
	// unsigned leaves the last dot and the signature out; extra follows the signature.
	unsigned bool
	extra    string
	// claims are those of the payload; lender is the token that lent a part.
	claims map[string]any
	lender *Token
}

// use makes k the key that signs, named in the header.
func (d *draft) use(k *key) {
	d.key = k
	d.sign = nil
	d.header["alg"] = k.alg
	d.header["kid"] = k.kid
	d.algorithm = k.alg
}

// lives sets iat and exp.
func (d *draft) lives(from time.Time, lifetime time.Duration) {
	d.claims["iat"] = from.Unix()
	d.claims["exp"] = from.Add(lifetime).Unix()
}

// describe adds the words of an applied change to the credential's description.
func (d *draft) describe(c Change) {
	switch {
	case c.names:
		d.algorithm = c.words
	case c.words != "":
		d.words = append(d.words, c.words)
	}
}

// token signs the draft and spoils what is to be spoilt.
func (d *draft) token() (Token, error) {
	t := Token{
		Credential: strings.Join(append([]string{d.algorithm}, d.words...), ", "),
		Compact:    d.compact,
	}
	if t.Compact != "" {
		return t, nil
	}
	s, err := d.signed()
	if err != nil {
		return Token{}, err
	}
	for _, spoil := range d.spoil {
		if err := spoil(s); err != nil {
			return Token{}, err
		}
	}
	t.Compact = s.compact()
	if d.rawHeader == nil {
		t.Header = d.header
	}
	if d.rawPayload == nil {
		t.Claims = s.claims
		t.Expires = expiry(s.claims)
	}
	t.Lender = s.lender
	return t, nil
}

// signed encodes and signs the draft.
func (d *draft) signed() (*segments, error) {
	header, err := encoded(d.rawHeader, d.header)
	if err != nil {
		return nil, err
	}
	payload, err := encoded(d.rawPayload, d.claims)
	if err != nil {
		return nil, err
	}
	if d.badBase64 {
		payload += "!"
	}
	sign := d.sign
	if sign == nil {
		sign = d.key.sign
	}
	signature, err := sign([]byte(header + "." + payload))
	if err != nil {
		return nil, fmt.Errorf("sign a token: %w", err)
	}
	return &segments{header: header, payload: payload, signature: signature, claims: d.claims}, nil
}

// encoded is the base64url form of raw, or of the JSON of members without it.
func encoded(raw []byte, members map[string]any) (string, error) {
	if raw == nil {
		var err error
		if raw, err = json.Marshal(members); err != nil {
			return "", fmt.Errorf("encode a token: %w", err)
		}
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

func (s *segments) compact() string {
	if s.unsigned {
		return s.header + "." + s.payload
	}
	return s.header + "." + s.payload + "." + base64.RawURLEncoding.EncodeToString(s.signature) + s.extra
}

// expiry reads exp where it is a number of seconds, or one written as a string.
func expiry(claims map[string]any) time.Time {
	switch exp := claims["exp"].(type) {
	case int64:
		return time.Unix(exp, 0)
	case string:
		if seconds, err := strconv.ParseInt(exp, 10, 64); err == nil {
			return time.Unix(seconds, 0)
		}
	}
	return time.Time{}
}
