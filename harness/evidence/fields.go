package evidence

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// secretField are the names of fields that hold a secret wherever they stand: as a JSON member, a form or a query
// parameter.
const secretField = `access_token|refresh_token|device_code|user_code|client_secret|client_assertion|assertion|password|passwd|otp|totp|code_verifier`

// deepest is how often percent-encoded text is taken for percent-encoded again: a link may carry a link (return_to).
const deepest = 3

var (
	jsonField   = regexp.MustCompile(`"(` + secretField + `)"\s*:\s*("(?:[^"\\]|\\.)*")`)
	secretNames = strings.Split(secretField, "|")
	// formValue is what follows a parameter's name, formStart what comes before it. The text around it may be
	// percent-encoded, the equals sign included.
	formValue = regexp.MustCompile(`^(=|%(?:25){0,2}3[Dd])([^&\s"'<>\\]+)`)
	formStart = regexp.MustCompile(`(?:^|[^A-Za-z0-9_.%-]|%(?:25)*[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})$`)
	// formEnds are what ends a parameter in text that was percent-encoded so many times: the characters that end it
	// in plain text, encoded as often or less.
	formEnds = [deepest + 1]*regexp.Regexp{
		1: regexp.MustCompile(`%(?:0[9AaDd]|2[0267]|3[CcEe]|5[Cc])`),
		2: regexp.MustCompile(`%(?:25)?(?:0[9AaDd]|2[0267]|3[CcEe]|5[Cc])`),
		3: regexp.MustCompile(`%(?:25){0,2}(?:0[9AaDd]|2[0267]|3[CcEe]|5[Cc])`),
	}
	// escapes are percent-encoded bytes; encodedQuote is a quotation mark, encoded once or more.
	escapes      = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2})+`)
	encodedQuote = regexp.MustCompile(`%(?:25)*22`)
)

// mayHoldSecret is a quick look whether a text can have a secret field at all: each of their names
// has one of these in it.
func mayHoldSecret(s string) bool {
	for _, part := range []string{"_token", "_code", "_secret", "assertion", "passw", "otp"} {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// parameter is a form or query parameter in a text.
type parameter struct {
	name string
	// from and to are where its value stands, encoded how often that was percent-encoded.
	from, to, encoded int
}

// parameters are the secret ones of a text, in order.
func parameters(s string) []parameter {
	var found []parameter
	for _, name := range secretNames {
		for at := 0; ; {
			next := strings.Index(s[at:], name)
			if next < 0 {
				break
			}
			from := at + next
			at = from + len(name)
			if p := parameterAt(s, name, from); p.from < p.to {
				found = append(found, p)
			}
		}
	}
	slices.SortFunc(found, func(a, b parameter) int { return a.from - b.from })
	return found
}

// parameterAt is the parameter whose name stands there; its value is empty where there is none.
func parameterAt(s, name string, at int) parameter {
	const longestStart = 16 // bytes that tell whether a name begins there
	end := at + len(name)
	match := formValue.FindStringSubmatchIndex(s[end:])
	if match == nil || !formStart.MatchString(s[max(0, at-longestStart):at]) {
		return parameter{}
	}
	p := parameter{name: name, from: end + match[4], to: end + match[5]}
	if equals := s[end : end+match[3]]; equals != "=" {
		p.encoded = 1 + strings.Count(equals, "25")
		if end := formEnds[p.encoded].FindStringIndex(s[p.from:p.to]); end != nil {
			p.to = p.from + end[0]
		}
	}
	return p
}

// value is the parameter's value as it was before anybody encoded it.
func (p parameter) value(s string) string {
	value := s[p.from:p.to]
	for range p.encoded + 1 {
		decoded, err := url.QueryUnescape(value)
		if err != nil {
			break
		}
		value = decoded
	}
	return value
}

// Learn takes the values of secret fields out of a text that is about to be recorded, also where they stand in
// percent-encoded text.
func (m *Masker) Learn(s string) {
	if !mayHoldSecret(s) {
		return
	}
	m.learnMembers(s)
	for inner := s; encodedQuote.MatchString(inner); { // a JSON object in a link
		inner = escapes.ReplaceAllStringFunc(inner, unescaped)
		m.learnMembers(inner)
	}
	for _, p := range parameters(s) {
		m.learn(p.name, p.value(s))
	}
}

func (m *Masker) learnMembers(s string) {
	for _, match := range jsonField.FindAllStringSubmatch(s, -1) {
		var value string
		if json.Unmarshal([]byte(match[2]), &value) == nil {
			m.learn(match[1], value)
		}
	}
}

// unescaped is a run of percent-encoded bytes as they were.
func unescaped(run string) string {
	text, _ := url.PathUnescape(run) // never fails: each of them is complete
	return text
}

// named masks secret fields by their name, whatever they hold.
func named(s string) string {
	var b strings.Builder
	done := 0
	for _, p := range parameters(s) {
		if p.from < done { // a parameter in the value of another
			continue
		}
		b.WriteString(s[done:p.from])
		b.WriteString(maskedValue(s[p.from:p.to]))
		done = p.to
	}
	return replaceGroup(jsonField, b.String()+s[done:], func(value string) string {
		return `"` + maskedValue(strings.Trim(value, `"`)) + `"`
	})
}

// Revocation is the operation of requests to a revocation endpoint (RFC 7009), as they are tagged.
const Revocation = "revocation"

// revokedToken finds the token in the form of a revocation.
var revokedToken = regexp.MustCompile(`(?:^|&)(token)=([^&]+)`)

// learnRevoked learns the token that a revocation names: a refresh token unless its hint says otherwise.
func (m *Masker) learnRevoked(body string) {
	form, _ := url.ParseQuery(body) // what is no form names no token
	name := "refresh_token"
	if form.Get("token_type_hint") == "access_token" {
		name = "access_token"
	}
	for _, token := range form["token"] {
		m.learn(name, token)
	}
}
