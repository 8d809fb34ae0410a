package browser

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	sessionNames   = regexp.MustCompile(`(?i)csrf|xsrf|authenticity|nonce|session|__requestverification|anti-?forgery|(^|[^a-z])(state|sid|token|_token|sig|signature|ticket|tx|transaction|flow|challenge)([^a-z]|$)`)
	assertionNames = regexp.MustCompile(`(?i)assert|id_?token|jwt|saml|proof|ticket|login_?token|auth_?token|user_?token|signed|identity`)
	jwsShape       = regexp.MustCompile(`^[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}$`)
)

// Bare is the decision as somebody would send it who has no session: without cookies, without headers
// of the application, without fields that a session gave out (by their names, or as long random
// values). The values to keep, the user code above all, stay whatever they look like.
func (d Draft) Bare(keep ...string) Draft {
	var names []string
	for _, f := range d.Fields() {
		kept := slices.ContainsFunc(keep, func(k string) bool { return k != "" && strings.Contains(f.Value, k) })
		if !kept && (sessionNames.MatchString(lastPart(f.Name)) || random(f.Value)) {
			names = append(names, f.Name)
		}
	}
	bare := d.Without(names...)
	header := http.Header{}
	if media := bare.Header.Get("Content-Type"); media != "" {
		header.Set("Content-Type", media)
	}
	bare.Header = header
	return bare
}

func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// random reports whether a value looks like one that a server made up: long, without blanks, with
// letters and digits mixed.
func random(value string) bool {
	if len(value) < 20 || strings.ContainsAny(value, " \t\n/@") {
		return false
	}
	return strings.ContainsFunc(value, unicode.IsDigit) && strings.ContainsFunc(value, unicode.IsLetter)
}

// Assertion is the field that carries the Brand's assertion in a request from the login to the
// Provider: the one that is named or shaped like one, else the longest value that the server made
// up. Values in known (the link that was opened) are not new and so none. Without one ok is false.
func (d Draft) Assertion(known ...string) (f Field, ok bool) {
	best := 0
	for _, candidate := range d.Fields() {
		if s := assertionScore(candidate, known); s > best {
			best, f = s, candidate
		}
	}
	return f, best > 0
}

func assertionScore(f Field, known []string) int {
	if len(f.Value) < 8 || slices.ContainsFunc(known, func(k string) bool { return strings.Contains(decoded(decoded(k)), f.Value) }) {
		return 0
	}
	score := 1
	if jwsShape.MatchString(f.Value) {
		score += 2000
	}
	if assertionNames.MatchString(lastPart(f.Name)) {
		score += 4000
	}
	if random(f.Value) {
		score += 2 * min(len(f.Value), 1000)
	}
	if score < 2000 && sessionNames.MatchString(lastPart(f.Name)) {
		score /= 2
	}
	return score
}

// Altered are values that differ from the given one in one character: in the middle of each part
// between dots, or of the whole.
func Altered(value string) []string {
	var all []string
	start := 0
	for _, part := range strings.Split(value, ".") {
		if part != "" {
			at := start + len(part)/2
			all = append(all, value[:at]+string(another(value[at]))+value[at+1:])
		}
		start += len(part) + 1
	}
	return all
}

// another is a character of the same sort that differs in more than its last bits: in base64url a
// neighbour could stand for the same bytes.
func another(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0' + (c-'0'+5)%10
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+13)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+13)%26
	}
	return 'A'
}
