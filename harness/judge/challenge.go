package judge

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// challenge is one of a WWW-Authenticate field (RFC 9110 §11.3).
type challenge struct {
	scheme string
	params map[string]string
}

// challenges reads all WWW-Authenticate values. Several challenges may share a field, set apart by
// the same commas that set apart parameters: a word that no "=" follows starts a new one. There may
// be white space around the "=".
func challenges(values []string) []challenge {
	var all []challenge
	for _, value := range values {
		for _, item := range splitQuoted(value) {
			name, rest, spaced := strings.Cut(item, " ")
			if !strings.Contains(name, "=") && !strings.HasPrefix(strings.TrimSpace(rest), "=") { // a scheme
				all = append(all, challenge{scheme: name, params: map[string]string{}})
				if item = strings.TrimSpace(rest); !spaced || item == "" {
					continue
				}
			}
			if len(all) == 0 {
				continue
			}
			key, text, found := strings.Cut(item, "=")
			if found {
				all[len(all)-1].params[strings.ToLower(strings.TrimSpace(key))] = unquote(strings.TrimSpace(text))
			}
		}
	}
	return all
}

// splitQuoted splits at commas outside quoted strings.
func splitQuoted(s string) []string {
	var items []string
	quoted, escaped, start := false, false, 0
	for i, r := range s {
		switch {
		case escaped:
			escaped = false
		case quoted && r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case r == ',' && !quoted:
			items = append(items, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	items = append(items, strings.TrimSpace(s[start:]))
	kept := items[:0]
	for _, item := range items {
		if item != "" {
			kept = append(kept, item)
		}
	}
	return kept
}

func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	var b strings.Builder
	escaped := false
	for _, r := range s[1 : len(s)-1] {
		if r == '\\' && !escaped {
			escaped = true
			continue
		}
		escaped = false
		b.WriteRune(r)
	}
	return b.String()
}

// HaveChallenge passes 401s with the challenge of §3.4: scheme Bearer, realm a2a. Other parameters
// on a plain failure of the personal-agent JWT are a warning.
func HaveChallenge() Judge { return haveChallenge(none{}) }

var haveChallenge = define("HaveChallenge", func(_ none, xs []*result.Exchange) Finding {
	const expected = `WWW-Authenticate: Bearer realm="a2a"`
	worst := passed(expected)
	for _, x := range xs {
		values := x.Response.Header.Values("WWW-Authenticate")
		bearer := bearerChallenge(challenges(values))
		switch {
		case bearer == nil || bearer.params["realm"] != "a2a":
			return failed(expected, "%s (%s)", shownChallenge(values), x.ID)
		case len(bearer.params) > 1:
			worst = warned(expected+" and no other parameter", "%s (%s)", shownChallenge(values), x.ID)
		}
	}
	return worst
})

// bearerChallenge is the Bearer challenge with the realm a2a, or the last Bearer challenge, or nil.
func bearerChallenge(all []challenge) *challenge {
	var found *challenge
	for i := range all {
		if !strings.EqualFold(all[i].scheme, "Bearer") {
			continue
		}
		found = &all[i]
		if found.params["realm"] == "a2a" {
			break
		}
	}
	return found
}

func shownChallenge(values []string) string {
	if len(values) == 0 {
		return "no WWW-Authenticate"
	}
	return fmt.Sprintf("WWW-Authenticate: %s", strings.Join(values, ", "))
}

// saysInvalidToken reports whether a challenge has the error code of a bad token (RFC 6750 §3.1).
func saysInvalidToken(c challenge) bool { return c.params["error"] == "invalid_token" }

// IsUnauthorized reports whether an answer is a 401.
func IsUnauthorized(x *result.Exchange) bool {
	return x.Response != nil && x.Response.Status == http.StatusUnauthorized
}

// IsInvalidDelegation reports whether an answer is the 401 of a bad delegation token (§5.5).
func IsInvalidDelegation(x *result.Exchange) bool {
	return IsUnauthorized(x) && slices.ContainsFunc(challengesOf(x), func(c challenge) bool {
		return strings.EqualFold(c.scheme, "Bearer") && c.params["realm"] == "a2a" && saysInvalidToken(c)
	})
}

func challengesOf(x *result.Exchange) []challenge {
	return challenges(x.Response.Header.Values("WWW-Authenticate"))
}

const invalidDelegation = `401 with WWW-Authenticate: Bearer realm="a2a", error="invalid_token"`

// refusedWith says what came in place of a 401, or with which challenge the 401 came.
func refusedWith(x *result.Exchange) string {
	if IsUnauthorized(x) {
		return "401 with " + shownChallenge(x.Response.Header.Values("WWW-Authenticate"))
	}
	return Answered(x)
}

// BeInvalidDelegation passes the 401 of a bad delegation token: Bearer, realm a2a and the error
// invalid_token in one challenge, whatever else it says (§5.5).
func BeInvalidDelegation() Judge { return beInvalidDelegation(none{}) }

var beInvalidDelegation = define("BeInvalidDelegation", eachAnswer(invalidDelegation, func(x *result.Exchange) string {
	if !IsInvalidDelegation(x) {
		return refusedWith(x)
	}
	return ""
}))

// BeInvalidDelegationOr is BeInvalidDelegation, or an A2A error with one of the reasons (§5.5).
func BeInvalidDelegationOr(reasons ...string) Judge {
	return beInvalidDelegationOr(reasonArgs{Reasons: reasons})
}

var beInvalidDelegationOr = define("BeInvalidDelegationOr", func(a reasonArgs, xs []*result.Exchange) Finding {
	expected := invalidDelegation + ", or " + wantedErrors(a.Reasons)
	for _, x := range xs {
		if !IsInvalidDelegation(x) && beA2AError(a).Find(x).Outcome != result.Passed {
			return failed(expected, "%s (%s)", refusedWith(x), x.ID)
		}
	}
	return passed(expected)
})

// BeUnauthorizedAgent passes a 401 that does not blame the delegation token: the personal-agent JWT
// is checked first (§5.5). What else the challenge has to say is judged over every 401 of a run.
func BeUnauthorizedAgent() Judge { return beUnauthorizedAgent(none{}) }

var beUnauthorizedAgent = define("BeUnauthorizedAgent", eachAnswer(`401 without error="invalid_token"`, func(x *result.Exchange) string {
	if !IsUnauthorized(x) || slices.ContainsFunc(challengesOf(x), saysInvalidToken) {
		return refusedWith(x)
	}
	return ""
}))

// varying are the parts of a text that differ between equal answers: ids, times, numbers.
var varying = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{16,}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?|\d+`)

// BeAlike passes answers to different credentials that cannot be told apart by body and headers, but
// for ids and times, and for headers that differ between answers to the same credential too.
func BeAlike() Judge { return beAlike(none{}) }

var beAlike = define("BeAlike", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the same body and headers for every failure"
	restless := restlessHeaders(xs)
	first := alike(xs[0], restless)
	for _, x := range xs[1:] {
		if text := alike(x, restless); text != first {
			return failed(expected, "%s for %s: %s; %s for %s: %s",
				xs[0].ID, xs[0].Tags.Credential, shorten(first), x.ID, x.Tags.Credential, shorten(text))
		}
	}
	return passed(expected)
})

// perAnswer are headers that belong to one answer: its time, its length, the connection.
var perAnswer = []string{"Date", "Content-Length", "Connection", "Set-Cookie", "Age"}

// restlessHeaders are the headers that tell nothing, because they differ anyway.
func restlessHeaders(xs []*result.Exchange) map[string]bool {
	restless, seen := map[string]bool{}, map[string]string{}
	for _, name := range perAnswer {
		restless[name] = true
	}
	for _, x := range xs {
		for name, values := range x.Response.Header {
			key, value := x.Tags.Credential+"\x00"+x.Tags.Operation+"\x00"+name, steadyText(strings.Join(values, ", "))
			if earlier, known := seen[key]; known && earlier != value {
				restless[name] = true
			}
			seen[key] = value
		}
	}
	return restless
}

func alike(x *result.Exchange, restless map[string]bool) string {
	var lines []string
	for name, values := range x.Response.Header {
		if !restless[name] {
			lines = append(lines, name+": "+steadyText(strings.Join(values, ", ")))
		}
	}
	slices.Sort(lines)
	return strings.TrimSpace(strings.Join(append(lines, steadyText(x.Response.Body)), " | "))
}

func steadyText(text string) string { return varying.ReplaceAllString(text, "#") }

func shorten(s string) string {
	const most = 160
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
