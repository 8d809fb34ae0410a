package judge

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// delegationHeader carries the delegation token of a request (§5.5).
const delegationHeader = "X-A2A-User-Delegation"

// claimsOf are the claims of a compact JWS, whose signature may be masked; nil where it is none.
func claimsOf(jws string) map[string]any {
	segments := strings.SplitN(jws, ".", 3)
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

// carried is the JWS that a request carried as a bearer token in the header; empty without one.
func carried(x *result.Exchange, header string) string {
	value := x.Request.Header.Get(header)
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

// TokenScopes are the ids in the member scope of a token answer; none where it is another answer.
func TokenScopes(x *result.Exchange) []string {
	if tokenOf(x) == "" {
		return nil
	}
	scope, _ := object(x)["scope"].(string)
	return strings.Fields(scope)
}

// DelegationScopes are the ids in the claim scope of the delegation token that a request carried.
func DelegationScopes(x *result.Exchange) []string {
	scope, _ := claimsOf(carried(x, delegationHeader))["scope"].(string)
	return strings.Fields(scope)
}
