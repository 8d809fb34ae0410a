package provider

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// longestCurlBody is the longest body that a curl line holds, in bytes.
const longestCurlBody = 8 << 10

// curl is a command line that makes the request again: in place of the token it calls the command
// that makes a fresh one, and in place of what a grant gave it has a variable to set. A body that is too
// long or no text is left to whoever repeats it.
func curl(r *http.Request, body []byte, token, command string) string {
	words := []string{"curl -sS -i"}
	if r.Method != http.MethodGet {
		words = append(words, "-X "+r.Method)
	}
	fresh := standIn{token, command}
	names := make([]string, 0, len(r.Header))
	for name := range r.Header {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if name == "User-Agent" || name == "Traceparent" {
			continue
		}
		for _, value := range r.Header[name] {
			if strings.EqualFold(name, DelegationHeader) {
				words = append(words, "-H "+shellWord(DelegationHeader+": "+value, fresh, delegationToken(value)))
				continue
			}
			words = append(words, "-H "+shellWord(name+": "+value, fresh))
		}
	}
	if len(body) > 0 && len(r.Header["Content-Type"]) == 0 { // or curl sends one of its own
		words = append(words, "-H 'Content-Type:'")
	}
	switch {
	case len(body) > longestCurlBody || !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0:
		words = append(words, "--data-binary @body")
	case len(body) > 0 && r.Header.Get("Content-Type") == mediaForm:
		words = append(words, curlForm(string(body), fresh)...)
	case len(body) > 0:
		words = append(words, "--data-raw "+shellWord(string(body), fresh))
	}
	return strings.Join(append(words, shellWord(r.URL.String(), fresh)), " ")
}

// The variables of curl lines.
const (
	varDelegation = "$DELEGATION_TOKEN"
	varRefresh    = "$REFRESH_TOKEN"
	varDeviceCode = "$DEVICE_CODE"
)

// noToken is a credential that is none and no secret, and repeats the request best as it is: garbage.
var noToken = regexp.MustCompile(`^[a-z]{1,10}$`)

// delegationToken is the variable for the credential of a delegation header.
func delegationToken(value string) standIn {
	credential := value
	if _, behind, found := strings.Cut(value, " "); found {
		credential = strings.TrimSpace(behind)
	}
	if noToken.MatchString(credential) {
		return standIn{}
	}
	return standIn{credential, varDelegation}
}

// curlForm gives curl a form in pieces, which it joins as they were: what is secret comes from a variable, and curl
// encodes it.
func curlForm(body string, fresh standIn) []string {
	var words, plain []string
	flush := func() {
		if plain != nil {
			words = append(words, "--data-raw "+shellWord(strings.Join(plain, "&"), fresh))
			plain = nil
		}
	}
	form, _ := url.ParseQuery(body) // what cannot be read has no hint either
	for _, field := range strings.Split(body, "&") {
		name, value, _ := strings.Cut(field, "=")
		variable := map[string]string{"device_code": varDeviceCode, "refresh_token": varRefresh, "token": varRefresh}[name]
		if variable == "" || value == "" {
			plain = append(plain, field)
			continue
		}
		if name == "token" && form.Get("token_type_hint") == "access_token" { // RFC 7009 §2.1
			variable = varDelegation
		}
		flush()
		words = append(words, `--data-urlencode "`+name+"="+variable+`"`)
	}
	flush()
	return words
}

// standIn is what a shell puts in the place of a secret.
type standIn struct{ secret, shell string }

// shellWord quotes a word for a POSIX shell, with what stands in for the secrets in it.
func shellWord(word string, standIns ...standIn) string {
	spliced := false
	var splice func(word string, standIns []standIn) string
	splice = func(word string, standIns []standIn) string {
		if len(standIns) == 0 {
			return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(word)
		}
		s, rest := standIns[0], standIns[1:]
		if s.secret == "" || !strings.Contains(word, s.secret) {
			return splice(word, rest)
		}
		spliced = true
		parts := strings.Split(word, s.secret)
		for i, part := range parts {
			parts[i] = splice(part, rest)
		}
		return strings.Join(parts, s.shell)
	}
	if text := splice(word, standIns); spliced {
		return `"` + text + `"`
	}
	return quoted(word)
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
