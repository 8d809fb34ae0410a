// Package evidence keeps what a run saw: every exchange, masked at the moment it is recorded, so
// that no secret reaches a result, a report or a message.
package evidence

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Masked stands where a secret stood.
const Masked = "[masked]"

// SignatureMasked stands where the signature of a compact JWS stood; header and claims stay readable.
const SignatureMasked = "[signature-masked]"

// shortest is the length below which a secret is not looked for inside other text: it would
// match by chance and mask what a reader needs. Where a secret is sent, its field is masked by name.
const shortest = 4

var (
	// jws finds a compact JWS anywhere in text, also right behind a letter or digit (Bearer%20eyJ…). Its
	// header is the base64url form of an object, whose brace is followed by a quote or a space: that
	// tells it from a host name. Whatever follows the second dot goes, further segments included.
	jws = regexp.MustCompile(`(ey[A-DI-L][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)\.[A-Za-z0-9_-][A-Za-z0-9_.-]*`)

	// label finds what stands in the place of a secret.
	label = regexp.MustCompile(`^\[[a-z_]+(-\d+:\d+)?\]$`)

	// variable stands in curl lines for what a grant gave.
	variable = regexp.MustCompile(`^\$(DELEGATION_TOKEN|REFRESH_TOKEN|DEVICE_CODE)$`)

	// headers whose whole value is a secret.
	secretHeaders = map[string]bool{"Cookie": true, "Set-Cookie": true, "Proxy-Authorization": true}
	// headers that carry a scheme and a credential.
	credentialHeaders = map[string]bool{"Authorization": true, "X-A2a-User-Delegation": true}
)

// Masker takes secrets out of text. It is safe for concurrent use.
//
// It learns: the value of a field that is secret by name is masked wherever it turns up from then
// on, by a label of its own, so that a reader (and a judge) still sees what is the same and what is not.
type Masker struct {
	mu      sync.RWMutex
	labels  map[string]string // every form of a secret, with what stands in its place
	learned int
	// configured is set when there are secrets besides those that are learned.
	configured bool
	// every knows all secrets, codes only those that were learned.
	every, codes cleaner
}

// cleaner takes known secrets out of text, and what is secret by its form or place.
type cleaner struct{ literal *strings.Replacer }

// NewMasker knows the secrets by value, in every form in which a protocol would carry them
// (as it is, percent-encoded, as a JSON string, in base64), besides those it knows by their place.
func NewMasker(secrets ...string) *Masker {
	m := &Masker{labels: map[string]string{}}
	for _, secret := range secrets {
		m.know(secret, Masked)
	}
	m.configured = len(m.labels) > 0
	m.rebuild()
	return m
}

// know adds the forms of a secret. The caller holds the lock, and rebuilds.
func (m *Masker) know(secret, label string) {
	if len(secret) < shortest {
		return
	}
	forms := []string{
		url.QueryEscape(url.QueryEscape(secret)),
		base64.RawStdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
	}
	// A body that was echoed in an answer stands in a JSON string in a JSON string, or in a URL.
	inside := []string{secret}
	for range 4 {
		var deeper []string
		for _, form := range inside {
			forms = append(forms, form, url.QueryEscape(form), url.PathEscape(form))
			deeper = append(deeper, quoted(form, true), quoted(form, false))
		}
		slices.Sort(deeper)
		inside = slices.Compact(deeper)
	}
	for _, form := range forms {
		if m.labels[form] == "" {
			m.labels[form] = label
		}
	}
}

// quoted is the inside of a JSON string, with &, < and > escaped as well or as they are: encoders differ.
func quoted(s string, html bool) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(html)
	_ = encoder.Encode(s) // a string can always be encoded
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

// rebuild makes the replacer: the longest form first, so that no form is cut by another inside it.
func (m *Masker) rebuild() {
	forms := make([]string, 0, len(m.labels))
	for form := range m.labels {
		forms = append(forms, form)
	}
	sort.Slice(forms, func(i, j int) bool {
		if len(forms[i]) != len(forms[j]) {
			return len(forms[i]) > len(forms[j])
		}
		return forms[i] < forms[j]
	})
	var every, codes []string
	for _, form := range forms {
		every = append(every, form, m.labels[form])
		if m.labels[form] != Masked {
			codes = append(codes, form, m.labels[form])
		}
	}
	m.every, m.codes = cleaner{strings.NewReplacer(every...)}, cleaner{strings.NewReplacer(codes...)}
}

func (m *Masker) cleaners() (every, codes cleaner) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.every, m.codes
}

// word is a value that is no code: to mask it everywhere would tear other texts apart.
var word = regexp.MustCompile(`^[a-z]{1,10}$`)

func (m *Masker) learn(field, value string) {
	// Of a JWS, header and claims stay; what is masked already is no secret.
	if jws.MatchString(value) || word.MatchString(value) || label.MatchString(value) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(value) < shortest || m.labels[value] != "" {
		return
	}
	m.learned++
	length := len(strings.NewReplacer("-", "", " ", "").Replace(value))
	m.know(value, fmt.Sprintf("[%s-%d:%d]", field, m.learned, length))
	m.rebuild()
}

// Text is s without secrets.
func (m *Masker) Text(s string) string {
	every, _ := m.cleaners()
	return every.text(s)
}

func (c cleaner) text(s string) string {
	if s == "" {
		return s
	}
	s = c.literal.Replace(s)
	if strings.Contains(s, "ey") {
		s = jws.ReplaceAllStringFunc(s, unsigned)
	}
	if !mayHoldSecret(s) {
		return s
	}
	return named(s)
}

// unsigned masks the signature of a compact JWS. A digest of it stays, so that what looks alike is
// still told apart: a contextId may well be a JWE, whose first segments are the same in all of them.
func unsigned(token string) string {
	const longEnough = 32 // a digest of what is shorter could be guessed
	segments := strings.SplitN(token, ".", 3)
	digest := ""
	if len(segments[2]) >= longEnough {
		sum := sha256.Sum256([]byte(segments[2]))
		digest = "(" + hex.EncodeToString(sum[:4]) + ")"
	}
	return segments[0] + "." + segments[1] + "." + digest + SignatureMasked
}

// replaceGroup replaces the last group of each match.
func replaceGroup(pattern *regexp.Regexp, s string, replace func(string) string) string {
	matches := pattern.FindAllStringSubmatchIndex(s, -1)
	if matches == nil {
		return s
	}
	var b strings.Builder
	done := 0
	for _, match := range matches {
		from, to := match[len(match)-2], match[len(match)-1]
		b.WriteString(s[done:from])
		b.WriteString(replace(s[from:to]))
		done = to
	}
	return b.String() + s[done:]
}

// Header is a copy of h without secrets.
func (m *Masker) Header(h http.Header) http.Header {
	every, _ := m.cleaners()
	return every.header(h)
}

func (c cleaner) header(h http.Header) http.Header {
	masked := make(http.Header, len(h))
	for name, values := range h {
		for _, value := range values {
			masked[name] = append(masked[name], c.headerValue(http.CanonicalHeaderKey(name), value))
		}
	}
	return masked
}

func (c cleaner) headerValue(name, value string) string {
	switch {
	case secretHeaders[name]:
		return maskedCookie(name, value)
	case credentialHeaders[name]:
		scheme, credential, found := strings.Cut(value, " ")
		if !found {
			return maskedValue(value)
		}
		return scheme + " " + maskedValue(strings.TrimSpace(credential))
	}
	return c.text(value)
}

// maskedValue keeps of a credential what is no secret: header and claims of a JWS.
func maskedValue(value string) string {
	if masked := jws.ReplaceAllString(value, "$1."+SignatureMasked); masked != value {
		return masked
	}
	// A curl line calls a command in place of the token, or names a variable.
	if strings.HasSuffix(value, SignatureMasked) || label.MatchString(value) || strings.HasPrefix(value, "$(") || variable.MatchString(value) {
		return value
	}
	return Masked
}

// maskedCookie keeps the names and the attributes of cookies.
func maskedCookie(name, value string) string {
	if name == "Proxy-Authorization" {
		return Masked
	}
	parts := strings.Split(value, ";")
	for i, part := range parts {
		if cookie, _, found := strings.Cut(part, "="); found && (i == 0 || name == "Cookie") {
			parts[i] = cookie + "=" + Masked
		}
	}
	return strings.Join(parts, ";")
}
