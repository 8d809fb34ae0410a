package provider

import (
	"bytes"
	"net/http"
	"sort"
	"strings"
	"unicode/utf8"
)

// longestCurlBody is the longest body that a curl line holds, in bytes.
const longestCurlBody = 8 << 10

// curl is a command line that makes the request again: in place of the token it calls the command
// that makes a fresh one. A body that is too long or no text is left to whoever repeats it.
func curl(r *http.Request, body []byte, token, command string) string {
	words := []string{"curl -sS -i"}
	if r.Method != http.MethodGet {
		words = append(words, "-X "+r.Method)
	}
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
			words = append(words, "-H "+shellWord(name+": "+value, token, command))
		}
	}
	if len(body) > 0 && len(r.Header["Content-Type"]) == 0 { // or curl sends one of its own
		words = append(words, "-H 'Content-Type:'")
	}
	switch {
	case len(body) > longestCurlBody || !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0:
		words = append(words, "--data-binary @body")
	case len(body) > 0:
		words = append(words, "--data-raw "+shellWord(string(body), token, command))
	}
	return strings.Join(append(words, shellWord(r.URL.String(), token, command)), " ")
}

// shellWord quotes a word for a POSIX shell, with the command in place of the token.
func shellWord(word, token, command string) string {
	if token == "" || !strings.Contains(word, token) {
		return quoted(word)
	}
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")
	parts := strings.Split(word, token)
	for i, part := range parts {
		parts[i] = escape.Replace(part)
	}
	return `"` + strings.Join(parts, command) + `"`
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
