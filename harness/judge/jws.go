package judge

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/pact-conform/pact-conform/harness/result"
)

// delegationHeader carries the delegation token of a request (§5.5).
const delegationHeader = "X-A2A-User-Delegation"

// claimsOf are the claims of a compact JWS, whose signature may be masked; nil where it is none, or
// where its payload is no JSON object.
func claimsOf(jws string) map[string]any {
	segments := strings.Split(jws, ".")
	if len(segments) != 3 {
		return nil
	}
	payload, err := base64.RawURLEncoding.DecodeString(segments[1])
	var claims map[string]any
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		return nil
	}
	return claims
}

// carried is the credential that a request carried in the header, without the word Bearer; empty
// without one.
func carried(x *result.Exchange, header string) string {
	value := strings.TrimSpace(x.Request.Header.Get(header))
	if scheme, token, found := strings.Cut(value, " "); found && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return value
}

// tokenOf is the delegation token of a token answer: a 200 with an access_token.
func tokenOf(x *result.Exchange) string {
	if x.Response == nil || x.Response.Status != http.StatusOK {
		return ""
	}
	token, _ := object(x)["access_token"].(string)
	return token
}

// tokenClaims are the claims of the delegation token of a token answer, or why there are none.
func tokenClaims(x *result.Exchange) (map[string]any, shortfall) {
	token := tokenOf(x)
	claims := claimsOf(token)
	switch {
	case x.Response.Status != http.StatusOK:
		return nil, failing("%s", Told(x))
	case token == "":
		return nil, failing("%s, no text as access_token", Told(x))
	case claims == nil:
		return nil, failing("an access_token that is no JWS with claims: %s", show(token))
	}
	return claims, shortfall{}
}

// TokenScopes are the ids in the member scope of a token answer; none where it is another answer.
func TokenScopes(x *result.Exchange) []string {
	if tokenOf(x) == "" {
		return nil
	}
	scope, _ := object(x)["scope"].(string)
	return ids(scope)
}

// ids are those of a scope, at spaces (RFC 6749 §3.3).
func ids(scope string) []string {
	return strings.FieldsFunc(scope, func(r rune) bool { return r == ' ' })
}

// DelegationScopes are the ids in the claim scope of the delegation token that a request carried.
func DelegationScopes(x *result.Exchange) []string {
	return listed(claimsOf(carried(x, delegationHeader))["scope"])
}

// DelegationClaim is a claim of the delegation token that a request carried; nil without one.
func DelegationClaim(x *result.Exchange, name string) any {
	return claimsOf(carried(x, delegationHeader))[name]
}

// listed are the ids that a value lists, as leniently as can be: also a list, and other separators.
// Whether the form is right has judges of its own. A comma may be part of an id: both readings count.
func listed(value any) []string {
	switch v := value.(type) {
	case string:
		found := strings.FieldsFunc(v, unicode.IsSpace)
		if strings.Contains(v, ",") {
			found = append(found, pieces(v)...)
		}
		return found
	case []any:
		return texts(v, nil)
	}
	return nil
}

// pieces are what stands between white space and commas.
func pieces(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
}

// beyond are the ids that are none of the others.
func beyond(ids, others []string) []string {
	var more []string
	for _, id := range ids {
		if !slices.Contains(others, id) {
			more = append(more, id)
		}
	}
	return more
}
