package judge_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Answers of the OAuth endpoints.
func oauthError(status int, code string) *result.Exchange {
	return x(status, plain, fmt.Sprintf(`{"error":%q}`, code), on("token"))
}

const (
	deviceAnswer = `{"device_code":"[device_code-1:32]","user_code":"[user_code-2:8]","verification_uri":"https://b.example/login",` +
		`"verification_uri_complete":"https://b.example/login?u=[user_code-2:8]","expires_in":600,"interval":5}`
	tokenAnswer = `{"token_type":"Bearer","access_token":"[access_token-1:9]","expires_in":3600,"scope":"orders:read"}`

	wantsDevice = "200 with device_code, user_code, verification_uri, verification_uri_complete and expires_in"
	wantsToken  = "200 with token_type Bearer, access_token, expires_in and scope"
	wantsCodes  = "another device_code of 22 characters or more and user_code of 8 or more each time"
	wantsLinks  = "another verification_uri_complete for each request"
	wantsError  = "an OAuth error, and no token"
	rfc6749     = "an RFC 6749 §5.2 object"
)

func device(changes ...string) *result.Exchange {
	return x(200, plain, strings.NewReplacer(changes...).Replace(deviceAnswer), on("device authorization"))
}

func granted(changes ...string) *result.Exchange {
	return x(200, plain, strings.NewReplacer(changes...).Replace(tokenAnswer), on("token"))
}

var _ = add(
	passes("one of the codes", judge.BeOAuthError([]string{"invalid_grant", "invalid_scope"}), oauthError(400, "invalid_scope")),
	warns("a tolerated code", judge.BeOAuthError([]string{"invalid_grant"}, "invalid_client"), "400 with the OAuth error invalid_grant", `401 Unauthorized (application/json), error "invalid_client" (x1)`, oauthError(401, "invalid_client")),
	warns("any code", judge.BeOAuthError([]string{"invalid_grant"}, "*"), "400 with the OAuth error invalid_grant", `400 Bad Request (application/json), error "expired_token" (x1)`, oauthError(400, "expired_token")),
	fails("any code but an invitation", judge.BeOAuthError([]string{"invalid_grant"}, "*"), "400 with the OAuth error invalid_grant", `400 Bad Request (application/json), error "slow_down" (x1)`, oauthError(400, "slow_down")),
	fails("another code", judge.BeOAuthError([]string{"invalid_grant"}), "400 with the OAuth error invalid_grant", `400 Bad Request (application/json), error "invalid_request" (x1)`, oauthError(400, "invalid_request")),
	fails("under another status", judge.BeOAuthError([]string{"invalid_grant"}), "400 with the OAuth error invalid_grant", `403 Forbidden (application/json), error "invalid_grant" (x1)`, oauthError(403, "invalid_grant")),
	fails("a token", judge.BeOAuthError([]string{"invalid_grant"}, "*"), "400 with the OAuth error invalid_grant", "200 OK (application/json) (x1)", granted()),

	passes("an error", judge.BeRefusedByOAuth(), oauthError(400, "invalid_grant"), x(401, "", "")),
	fails("an invitation", judge.BeRefusedByOAuth(), wantsError, `400 Bad Request (application/json), error "authorization_pending" (x1)`, oauthError(400, "authorization_pending")),
	fails("a token", judge.BeRefusedByOAuth(), wantsError, "200 OK (application/json) (x1)", granted()),
	fails("a token under 400", judge.BeRefusedByOAuth(), wantsError, `400 Bad Request (application/json), error "x" (x1)`, x(400, plain, `{"error":"x","access_token":"t"}`)),
	fails("an empty 400", judge.BeRefusedByOAuth(), wantsError, "400 Bad Request (x1)", x(400, "", "")),

	passes("any error", judge.BeAnyOAuthError(), oauthError(400, "authorization_pending"), oauthError(400, "invalid_grant"), oauthError(401, "invalid_client"), x(401, "", "")),
	fails("a token", judge.BeAnyOAuthError(), wantsError, "200 OK (application/json) (x2)", oauthError(400, "slow_down"), named("x2", granted())),
	fails("a token under 401", judge.BeAnyOAuthError(), wantsError, `401 Unauthorized (application/json), error "x" (x1)`, x(401, plain, `{"error":"x","access_token":"t"}`)),
	fails("an empty 400", judge.BeAnyOAuthError(), wantsError, "400 Bad Request (x1)", x(400, "", "")),
	fails("an A2A error", judge.BeAnyOAuthError(), wantsError, `400 Bad Request, reason "INVALID_PARAMS" (x1)`, x(400, a2a, invalidParams)),
	fails("another status", judge.BeAnyOAuthError(), wantsError, `403 Forbidden (application/json), error "access_denied" (x1)`, oauthError(403, "access_denied")),

	passes("an error", judge.GiveNoToken(), oauthError(400, "authorization_pending"), x(401, "", "")),
	fails("a token", judge.GiveNoToken(), "no access token", "200 OK (application/json) with an access_token (x1)", granted()),

	passes("an object", judge.HaveOAuthErrorObject(), oauthError(400, "invalid_grant"), x(401, "", "")),
	fails("A2A's media type", judge.HaveOAuthErrorObject(), rfc6749, "the media type application/a2a+json (x1)", x(400, a2a, `{"error":"invalid_grant"}`)),
	fails("an A2A error", judge.HaveOAuthErrorObject(), rfc6749, `400 Bad Request, reason "INVALID_PARAMS": `+invalidParams[:160]+"… (x1)", x(400, plain, invalidParams)),
	fails("a page", judge.HaveOAuthErrorObject(), rfc6749, "400 Bad Request (text/html): no (x1)", x(400, html, "no")),

	passes("all of it", judge.BeDeviceAuthorization(), device(), device(`,"interval":5`, "")),
	fails("members missing", judge.BeDeviceAuthorization(), wantsDevice, "user_code missing, expires_in missing (x1)", device(`"user_code":"[user_code-2:8]",`, "", `"expires_in":600,`, "")),
	fails("members of another kind", judge.BeDeviceAuthorization(), wantsDevice, `verification_uri "/login", expires_in "600", interval 0 (x1)`,
		device(`"https://b.example/login",`, `"/login",`, `600`, `"600"`, `"interval":5`, `"interval":0`)),
	fails("another media type", judge.BeDeviceAuthorization(), wantsDevice, "200 OK (application/a2a+json) (x1)", x(200, a2a, deviceAnswer)),
	fails("an error", judge.BeDeviceAuthorization(), wantsDevice, `400 Bad Request (application/json), error "invalid_scope" (x1)`, oauthError(400, "invalid_scope")),

	passes("two links", judge.HaveLinksOfTheirOwn(), device(), device("user_code-2", "user_code-4")),
	fails("one link", judge.HaveLinksOfTheirOwn(), wantsLinks, `verification_uri_complete "https://b.example/login?u=[user_code-2:8]" (x2, as in x1)`, device(), named("x2", device())),
	fails("none", judge.HaveLinksOfTheirOwn(), wantsLinks, `verification_uri_complete "" (x1)`, oauthError(400, "x")),

	passes("in the query", judge.CarryTheUserCode(), device()),
	fails("nowhere", judge.CarryTheUserCode(), "the user_code in verification_uri_complete", "https://b.example/login?u=x (x1)", device("?u=[user_code-2:8]", "?u=x")),

	passes("by their labels", judge.BeUnguessable(), device(), device("device_code-1", "device_code-3", "user_code-2", "user_code-4")),
	passes("as they are", judge.BeUnguessable(), device("[device_code-1:32]", strings.Repeat("d", 22), "[user_code-2:8]", "WDJBMJHT")),
	fails("a short device_code", judge.BeUnguessable(), wantsCodes, "a device_code of 21 characters (x1)", device("-1:32]", "-1:21]")),
	fails("a short user_code", judge.BeUnguessable(), wantsCodes, "a user_code of 6 characters (x1)", device("-2:8]", "-2:6]")),
	fails("the same again", judge.BeUnguessable(), wantsCodes, `user_code "[user_code-2:8]" (x2, as in x1)`, device(), named("x2", device("device_code-1", "device_code-3"))),

	passes("whatever else is missing", judge.GiveACode(), device(), x(200, plain, `{"device_code":"d"}`)),
	fails("no code", judge.GiveACode(), "an answer with a device_code", "200 OK (application/json) (x2)", device(), named("x2", device("device_code", "code"))),
	fails("a number", judge.GiveACode(), "an answer with a device_code", "200 OK (application/json) (x1)", x(200, plain, `{"device_code":7}`)),
	fails("an error", judge.GiveACode(), "an answer with a device_code", `400 Bad Request (application/json), error "invalid_scope" (x1)`, oauthError(400, "invalid_scope")),

	passes("whatever else is missing", judge.GiveAToken(), granted(), x(201, a2a, `{"access_token":"t"}`)),
	fails("an empty token", judge.GiveAToken(), "an answer with an access_token", "200 OK (application/json) (x1)", x(200, plain, `{"access_token":""}`)),
	fails("a list", judge.GiveAToken(), "an answer with an access_token", "200 OK (application/json) (x1)", x(200, plain, `[{"access_token":"t"}]`)),
	fails("a token under 400", judge.GiveAToken(), "an answer with an access_token", "400 Bad Request (application/json) (x2)", granted(), x(400, plain, `{"access_token":"t"}`, id("x2"))),

	passes("one", judge.GiveARefreshToken(), granted(`"expires_in"`, `"refresh_token":"[refresh_token-1:9]","expires_in"`)),
	fails("none", judge.GiveARefreshToken(), "an answer with a refresh_token", "200 OK (application/json) (x1)", granted()),
	fails("null", judge.GiveARefreshToken(), "an answer with a refresh_token", "200 OK (application/json) (x1)", granted(`"expires_in"`, `"refresh_token":null,"expires_in"`)),

	passes("all of it", judge.BeTokenAnswer(), granted(), granted("Bearer", "bearer")),
	fails("members missing", judge.BeTokenAnswer(), wantsToken, "token_type missing, scope missing (x1)", granted(`"token_type":"Bearer",`, "", `,"scope":"orders:read"`, "")),
	fails("a time that is none", judge.BeTokenAnswer(), wantsToken, "expires_in -1 (x1)", granted("3600", "-1")),
	fails("an error", judge.BeTokenAnswer(), wantsToken, `400 Bad Request (application/json), error "authorization_pending" (x1)`, oauthError(400, "authorization_pending")),

	passes("no-store among others", judge.NotBeStored(), x(200, plain, "{}", header("Cache-Control", "private, NO-STORE")), x(200, plain, "{}", header("Cache-Control", "private", "no-store"))),
	fails("another directive", judge.NotBeStored(), "Cache-Control: no-store", `Cache-Control "no-cache" (x1)`, x(200, plain, "{}", header("Cache-Control", "no-cache"))),
	fails("none", judge.NotBeStored(), "Cache-Control: no-store", `Cache-Control "" (x1)`, x(200, plain, "{}")),
)

func TestOAuthErrorAndMember(t *testing.T) {
	g := NewWithT(t)
	g.Expect(judge.OAuthError(oauthError(400, "slow_down"))).To(Equal("slow_down"))
	g.Expect(judge.OAuthError(x(400, plain, invalidParams))).To(BeEmpty(), "an A2A error is an object")
	g.Expect(judge.OAuthError(nil)).To(BeEmpty())
	g.Expect(judge.OAuthError(&result.Exchange{Error: "cut"})).To(BeEmpty())
	g.Expect(judge.Member(granted(), "scope")).To(Equal("orders:read"))
	g.Expect(judge.Member(granted(), "expires_in")).To(BeEmpty(), "a number is no text")
	g.Expect(judge.Member(x(200, html, "<h1>"), "scope")).To(BeEmpty())
}
