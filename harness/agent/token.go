package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Token is a minted token. Printed in any way, or as JSON, it shows no signature; Compact is the whole of it.
type Token struct {
	// Compact is what goes behind "Bearer ".
	Compact string
	// Credential says in words for the report what kind of token it is.
	Credential string
	// Header and Claims are what the token was made of; nil where that part is no JSON object.
	Header, Claims map[string]any
	// Expires is exp as a time; zero where there is none that can be read.
	Expires time.Time
	// Lender is the right token that this one borrowed its header, payload or signature from, nil when
	// it borrowed nothing. A refusal tells something only when the lender has been accepted before.
	Lender *Token
}

// Masked is the compact form with the signature, and all that follows it, hidden.
func (t Token) Masked() string { return mask(t.Compact) }

// String describes the token without its signature.
func (t Token) String() string {
	return fmt.Sprintf("%s %s", t.Credential, t.Masked())
}

// GoString is String, so that %#v shows no more than it does.
func (t Token) GoString() string { return t.String() }

// MarshalJSON writes the token with its signature hidden.
func (t Token) MarshalJSON() ([]byte, error) {
	shown := struct {
		Compact    string         `json:"compact"`
		Credential string         `json:"credential"`
		Header     map[string]any `json:"header,omitempty"`
		Claims     map[string]any `json:"claims,omitempty"`
		Expires    time.Time      `json:"expires,omitzero"`
	}{t.Masked(), t.Credential, t.Header, t.Claims, t.Expires}
	return json.Marshal(shown)
}

// mask keeps the first two segments of a compact token. What has fewer segments is no token, and only
// its beginning is kept.
func mask(compact string) string {
	const hidden, beginning = "***", 8
	header, rest, dotted := strings.Cut(compact, ".")
	payload, _, signed := strings.Cut(rest, ".")
	switch {
	case signed:
		return header + "." + payload + "." + hidden
	case dotted:
		return compact
	case len(compact) > beginning:
		return compact[:beginning] + hidden
	}
	return hidden
}
