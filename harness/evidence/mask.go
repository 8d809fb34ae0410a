// Package evidence keeps what a run saw: every exchange, masked at the moment it is recorded, so
// that no secret reaches a result, a report or a message.
package evidence

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"
)

// Masked stands where a secret stood.
const Masked = "[masked]"

// SignatureMasked stands where the signature of a compact JWS stood; header and claims stay readable.
const SignatureMasked = "[signature-masked]"

// shortest is the length below which a secret is not looked for inside other text: it would
// match by chance and mask what a reader needs. Where a secret is sent, its field is masked by name.
const shortest = 4

var (
	// jws finds a compact JWS anywhere in text. Its header is the base64url form of an object, so it
	// starts with "ey"; whatever follows the second dot goes, further segments included.
	jws = regexp.MustCompile(`\b(ey[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*)\.[A-Za-z0-9_-][A-Za-z0-9_.-]*`)

	// fields that hold a secret wherever they stand: as a JSON member, a form or a query parameter.
	secretField = `access_token|refresh_token|device_code|user_code|client_secret|client_assertion|assertion|password|passwd|otp|totp|code_verifier`
	jsonField   = regexp.MustCompile(`("(?:` + secretField + `)"\s*:\s*)"(?:[^"\\]|\\.)*"`)
	formField   = regexp.MustCompile(`((?:^|[?&\s"'])(?:` + secretField + `)=)[^&\s"'<>]+`)

	// headers whose whole value is a secret.
	secretHeaders = map[string]bool{"Cookie": true, "Set-Cookie": true, "Proxy-Authorization": true}
	// headers that carry a scheme and a credential.
	credentialHeaders = map[string]bool{"Authorization": true, "X-A2a-User-Delegation": true}
)

// Masker takes secrets out of text. It is safe for concurrent use.
type Masker struct {
	literal *strings.Replacer
}

// NewMasker knows the secrets by value, in every form in which a protocol would carry them
// (as it is, percent-encoded, as a JSON string, in base64), besides those it knows by their place.
func NewMasker(secrets ...string) *Masker {
	forms := map[string]bool{}
	for _, secret := range secrets {
		if len(secret) < shortest {
			continue
		}
		quoted, _ := json.Marshal(secret)
		for _, form := range []string{
			secret, url.QueryEscape(secret), url.PathEscape(secret), strings.Trim(string(quoted), `"`),
			base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
		} {
			forms[form] = true
		}
	}
	longest := make([]string, 0, len(forms))
	for form := range forms {
		longest = append(longest, form)
	}
	sort.Slice(longest, func(i, j int) bool {
		if len(longest[i]) != len(longest[j]) {
			return len(longest[i]) > len(longest[j])
		}
		return longest[i] < longest[j]
	})
	pairs := make([]string, 0, 2*len(longest))
	for _, form := range longest {
		pairs = append(pairs, form, Masked)
	}
	m := &Masker{}
	if len(pairs) > 0 {
		m.literal = strings.NewReplacer(pairs...)
	}
	return m
}

// Text is s without secrets.
func (m *Masker) Text(s string) string {
	if s == "" {
		return s
	}
	if m.literal != nil {
		s = m.literal.Replace(s)
	}
	if strings.Contains(s, "ey") {
		s = jws.ReplaceAllString(s, "$1."+SignatureMasked)
	}
	if strings.Contains(s, "=") {
		s = formField.ReplaceAllStringFunc(s, func(match string) string {
			name, value, _ := strings.Cut(match, "=")
			return name + "=" + maskedValue(value)
		})
	}
	return jsonField.ReplaceAllString(s, `$1"`+Masked+`"`)
}

// Header is a copy of h without secrets.
func (m *Masker) Header(h http.Header) http.Header {
	masked := make(http.Header, len(h))
	for name, values := range h {
		for _, value := range values {
			masked[name] = append(masked[name], m.headerValue(http.CanonicalHeaderKey(name), value))
		}
	}
	return masked
}

func (m *Masker) headerValue(name, value string) string {
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
	return m.Text(value)
}

// maskedValue keeps of a credential what is no secret: header and claims of a JWS.
func maskedValue(value string) string {
	if masked := jws.ReplaceAllString(value, "$1."+SignatureMasked); masked != value {
		return masked
	}
	if strings.HasSuffix(value, SignatureMasked) {
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
