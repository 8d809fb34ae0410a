package view

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Token is a compact JWS that an exchange carried, taken apart; its signature was masked when it was recorded.
type Token struct {
	// Kind is what the token is, judged by its place and its claims: a receipt, a delegation token, …
	Kind string
	// Where is every header and member of a body in which it stood.
	Where string
	// Header and Claims are indented JSON, or the segment as it was where it is none.
	Header, Claims string
	// Times say when iat, nbf and exp are, seen from the moment of the request.
	Times []string
}

// A JWS header is the base64url form of an object, which begins with a brace and a quote or white space.
var compact = regexp.MustCompile(`ey[A-DI-L][A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\.`)

// delegationHeader is the header of the delegation token (§5.5), as the specification writes it.
const delegationHeader = "X-A2A-User-Delegation"

// Tokens takes apart every token in the headers and bodies of an exchange; a token that stands there twice comes once.
func Tokens(e *result.Exchange) []Token {
	t := tokens{at: e.Started, known: map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(e.Request.Header)) {
		for _, value := range e.Request.Header[name] {
			t.look(headerName(name), value)
		}
	}
	t.body("request body", e.Request.Body)
	if e.Response != nil {
		for _, name := range slices.Sorted(maps.Keys(e.Response.Header)) {
			for _, value := range e.Response.Header[name] {
				t.look("answer, "+name, value)
			}
		}
		t.body("answer body", e.Response.Body)
	}
	return t.found
}

func headerName(name string) string {
	if strings.EqualFold(name, delegationHeader) {
		return delegationHeader
	}
	return name
}

// tokens collects what is found, each token once.
type tokens struct {
	at    time.Time
	found []Token
	known map[string]int
}

func (t *tokens) look(where, text string) {
	for _, jws := range compact.FindAllString(text, -1) {
		i, seen := t.known[jws]
		if !seen {
			t.known[jws] = len(t.found)
			t.found = append(t.found, decode(where, jws, t.at))
			continue
		}
		if place := &t.found[i].Where; !slices.Contains(strings.Split(*place, " and "), where) {
			*place += " and " + where
		}
	}
}

// body looks at the members of a JSON body one by one, so that their names can be told, and at any
// other body as a whole.
func (t *tokens) body(where, text string) {
	var value any
	if !strings.Contains(text, "ey") {
		return
	}
	if json.Unmarshal([]byte(text), &value) != nil {
		t.look(where, text)
		return
	}
	t.member(where, "", value)
}

func (t *tokens) member(where, name string, value any) {
	switch v := value.(type) {
	case string:
		if name != "" {
			where = name + " in the " + where
		}
		t.look(where, v)
	case []any:
		for _, element := range v {
			t.member(where, name, element)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner := Line(key)
			if name == receiptMember { // its members are ours to know: jws stands beside claims
				inner = name
			}
			t.member(where, inner, v[key])
		}
	}
}

// receiptMember is the member of a reply's metadata that holds the receipt (§5.6).
const receiptMember = "pact.receipt"

// kind says what a token is. What its claims show counts more than its place, where a wrong one may
// have been sent on purpose.
func kind(where string, claims map[string]any) string {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return claims[name] == nil })
	}
	switch {
	case has("grantId", "ts"):
		return "Receipt"
	case has("grant_id"):
		return "Delegation token"
	case strings.HasPrefix(where, receiptMember+" "):
		return "Receipt"
	case strings.HasPrefix(where, "access_token "):
		return "Delegation token"
	case where == "Authorization" && has("iss"):
		return "Personal-agent JWT"
	}
	return "Token"
}

func decode(where, jws string, at time.Time) Token {
	segments := strings.Split(jws, ".")
	payload, _ := base64.RawURLEncoding.DecodeString(segments[1])
	var claims map[string]any
	_ = json.Unmarshal(payload, &claims) // what is no object has no claims
	return Token{
		Kind: kind(where, claims), Where: where,
		Header: segment(segments[0]),
		Claims: segment(segments[1]),
		Times:  times(claims, at),
	}
}

func segment(encoded string) string {
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return encoded
	}
	return Visible(Pretty(string(decoded)))
}

func times(claims map[string]any, at time.Time) []string {
	// Beyond the year 9999 no date says more than the number.
	const latest = 253402300800
	var said []string
	for _, name := range []string{"iat", "nbf", "exp"} {
		seconds, ok := claims[name].(float64)
		if !ok || seconds < 0 || seconds > latest {
			continue
		}
		moment := time.Unix(int64(seconds), 0).UTC()
		away, side := moment.Sub(at).Seconds(), "after"
		if away < 0 {
			away, side = -away, "before"
		}
		said = append(said, fmt.Sprintf("%s is %s, %.0f s %s the request", name, moment.Format(time.RFC3339), away, side))
	}
	return said
}

// Pretty indents JSON; any other text stays as it is.
func Pretty(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	return b.String()
}
