package view

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Token is a compact JWS that an exchange carried, taken apart; its signature was masked when it was recorded.
type Token struct {
	// Where is the header or the body in which it stood.
	Where string
	// Header and Claims are indented JSON, or the segment as it was where it is none.
	Header, Claims string
	// Times say when iat, nbf and exp are, seen from the moment of the request.
	Times []string
}

// A JWS header starts with {" and so its base64url form with eyJ.
var compact = regexp.MustCompile(`\beyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\.`)

// Tokens takes apart every token in the headers and bodies of an exchange; a token that stands there twice comes once.
func Tokens(e *result.Exchange) []Token {
	var found []Token
	var seen []string
	look := func(where, text string) {
		for _, jws := range compact.FindAllString(text, -1) {
			if !slices.Contains(seen, jws) {
				seen = append(seen, jws)
				found = append(found, decode(where, jws, e.Started))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Request.Header)) {
		for _, value := range e.Request.Header[name] {
			look(name, value)
		}
	}
	look("request body", e.Request.Body)
	if e.Response != nil {
		for _, name := range slices.Sorted(maps.Keys(e.Response.Header)) {
			for _, value := range e.Response.Header[name] {
				look("answer, "+name, value)
			}
		}
		look("answer body", e.Response.Body)
	}
	return found
}

func decode(where, jws string, at time.Time) Token {
	segments := bytes.Split([]byte(jws), []byte("."))
	return Token{
		Where:  where,
		Header: segment(segments[0]),
		Claims: segment(segments[1]),
		Times:  times(segments[1], at),
	}
}

func segment(encoded []byte) string {
	decoded, err := base64.RawURLEncoding.DecodeString(string(encoded))
	if err != nil {
		return string(encoded)
	}
	return Visible(Pretty(string(decoded)))
}

func times(encoded []byte, at time.Time) []string {
	decoded, _ := base64.RawURLEncoding.DecodeString(string(encoded))
	var claims map[string]any
	if json.Unmarshal(decoded, &claims) != nil {
		return nil
	}
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
