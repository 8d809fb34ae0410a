package judge_test

import (
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

const (
	flow      = `{"deviceAuthorizationUrl":"https://p.example/device","tokenUrl":"https://p.example/token","scopes":{"orders:read":"Look up your orders"}}`
	oauth     = `{"oauth2SecurityScheme":{"flows":{"deviceCode":` + flow + `},"oauth2MetadataUrl":"https://p.example/metadata"}}`
	metadata  = `{"issuer":"https://p.example","token_endpoint":"https://p.example/token","jwks_uri":"https://p.example/jwks","device_authorization_endpoint":"https://p.example/device"}`
	supported = `{"issuer":"https://p.example","grant_types_supported":["urn:ietf:params:oauth:grant-type:device_code"],"scopes_supported":["orders:read"],"response_types_supported":[]}`
	grant     = "urn:ietf:params:oauth:grant-type:device_code"

	wantsFlow = "an oauth2SecurityScheme with a deviceCode flow: deviceAuthorizationUrl, tokenUrl, scopes"
	wantsBoth = "a securityRequirements entry with the personal-agent scheme and the OAuth scheme"
	wantsMeta = "200, application/json, with issuer, token_endpoint and jwks_uri"
	wantsSame = "the endpoints of the card in the metadata"
	wantsKeys = "200 with a JWK Set that has an EC P-256 key or an RSA key of 2048 bits or more"
	wantsSays = "metadata that says what is supported"
)

// delegated is a card with the device flow, changed by pairs of old and new texts.
func delegated(changes ...string) *result.Exchange {
	return card(schemes(`{"d":` + strings.NewReplacer(changes...).Replace(oauth) + `,"paJwt":` + bearer + `}`))
}

func requiring(schemesThere, entries string) *result.Exchange {
	return card(schemes(schemesThere), requirements(entries))
}

// described is metadata, changed by pairs of old and new texts.
func described(of string, changes ...string) *result.Exchange {
	return x(200, plain, strings.NewReplacer(changes...).Replace(of), id("x2"), on("oauth metadata"))
}

func keys(of ...string) *result.Exchange {
	return x(200, plain, `{"keys":[`+strings.Join(of, ",")+`]}`, on("oauth jwks"))
}

var (
	ec       = `{"kty":"EC","crv":"P-256","kid":"k","x":"x","y":"y"}`
	rsa      = fmt.Sprintf(`{"kty":"RSA","n":%q,"e":"AQAB"}`, strings.Repeat("n", 342))
	shortRSA = fmt.Sprintf(`{"kty":"RSA","n":%q,"e":"AQAB"}`, strings.Repeat("n", 171))
	both     = `{"d":` + oauth + `,"paJwt":` + bearer + `}`
)

var _ = add(
	passes("all of it", judge.DeclareDeviceFlow(), delegated()),
	passes("http on a loopback address", judge.DeclareDeviceFlow(), delegated("https://p.example", "http://127.0.0.1:8080")),
	fails("http elsewhere", judge.DeclareDeviceFlow(), wantsFlow, `deviceAuthorizationUrl "http://p.example/device", tokenUrl "http://p.example/token" (x1)`, delegated("https://p.example", "http://p.example")),
	fails("a path", judge.DeclareDeviceFlow(), wantsFlow, `tokenUrl "/token" (x1)`, delegated("https://p.example/token", "/token")),
	fails("scopes that are a list", judge.DeclareDeviceFlow(), wantsFlow, `scopes ["orders:read"] (x1)`, delegated(`{"orders:read":"Look up your orders"}`, `["orders:read"]`)),
	fails("another flow", judge.DeclareDeviceFlow(), wantsFlow, `securitySchemes {"d":{"oauth2SecurityScheme":{"flows":{"implicit":{}}}}} (x1)`, card(schemes(`{"d":{"oauth2SecurityScheme":{"flows":{"implicit":{}}}}}`))),
	fails("nothing", judge.DeclareDeviceFlow(), wantsFlow, `securitySchemes missing (x1)`, card()),

	passes("an entry with both", judge.RequireBoth(), requiring(both, `[{"schemes":{"paJwt":{}}},{"schemes":{"d":{"list":[]},"paJwt":{"list":[]}}}]`)),
	fails("apart", judge.RequireBoth(), wantsBoth, `securityRequirements [{"schemes":{"paJwt":{}}},{"schemes":{"d":{}}}] (x1)`, requiring(both, `[{"schemes":{"paJwt":{}}},{"schemes":{"d":{}}}]`)),
	fails("with a third", judge.RequireBoth(), wantsBoth, `securityRequirements [{"schemes":{"d":{},"other":{},"paJwt":{}}}] (x1)`, requiring(both, `[{"schemes":{"paJwt":{},"d":{},"other":{}}}]`)),
	fails("without the flow", judge.RequireBoth(), wantsBoth, `securityRequirements [{"schemes":{"":{},"paJwt":{}}}] (x1)`, requiring(`{"paJwt":`+bearer+`}`, `[{"schemes":{"paJwt":{},"":{}}}]`)),

	passes("one", judge.DescribeScopes(), delegated()),
	fails("none", judge.DescribeScopes(), "scopes with an id and a description each", "scopes {} (x1)", delegated(`{"orders:read":"Look up your orders"}`, `{}`)),
	fails("a blank description", judge.DescribeScopes(), "scopes with an id and a description each", `"orders:read": " " (x1)`, delegated("Look up your orders", " ")),
	fails("an id with a space, the first by name", judge.DescribeScopes(), "scopes with an id and a description each", `"a b": "x" (x1)`, delegated(`"orders:read"`, `"z\\":"y","a b":"x","orders:read"`)),

	passes("all of it", judge.BeMetadata(), described(metadata)),
	warns("no device endpoint", judge.BeMetadata(), wantsMeta+" and device_authorization_endpoint", "device_authorization_endpoint missing (x2)", described(metadata, `,"device_authorization_endpoint":"https://p.example/device"`, "")),
	fails("no issuer", judge.BeMetadata(), wantsMeta, `issuer "" (x2)`, described(metadata, `"issuer":"https://p.example"`, `"issuer":""`)),
	fails("another media type", judge.BeMetadata(), wantsMeta, "200 OK (application/a2a+json) (x1)", x(200, a2a, metadata)),
	fails("a page", judge.BeMetadata(), wantsMeta, "404 Not Found (text/html) (x1)", x(404, html, "<h1>")),

	passes("the same", judge.NameTheCardsEndpoints(), delegated(), described(metadata)),
	passes("no device endpoint", judge.NameTheCardsEndpoints(), delegated(), described(metadata, `,"device_authorization_endpoint":"https://p.example/device"`, "")),
	fails("another token endpoint", judge.NameTheCardsEndpoints(), wantsSame, `token_endpoint "https://p.example/t", tokenUrl "https://p.example/token"`, delegated(), described(metadata, "/token", "/t")),
	fails("another device endpoint", judge.NameTheCardsEndpoints(), wantsSame, `device_authorization_endpoint "https://p.example/d", deviceAuthorizationUrl "https://p.example/device"`, delegated(), described(metadata, "/device", "/d")),
	fails("none in either", judge.NameTheCardsEndpoints(), wantsSame, "token_endpoint missing, tokenUrl missing", card(), described(`{}`)),
	fails("the card alone", judge.NameTheCardsEndpoints(), wantsSame, "1 exchanges", delegated()),

	passes("an EC key", judge.PublishSigningKeys(), keys(`"odd"`, shortRSA, ec)),
	passes("an RSA key", judge.PublishSigningKeys(), keys(rsa)),
	fails("an RSA key of 1024 bits", judge.PublishSigningKeys(), wantsKeys, "200 OK (application/json), keys "+(`[{"e":"AQAB","kty":"RSA","n":"` + strings.Repeat("n", 171))[:160]+"… (x1)", keys(shortRSA)),
	fails("another curve", judge.PublishSigningKeys(), wantsKeys, `200 OK (application/json), keys [{"crv":"P-384","kty":"EC","x":"x","y":"y"}] (x1)`, keys(`{"kty":"EC","crv":"P-384","x":"x","y":"y"}`)),
	fails("none", judge.PublishSigningKeys(), wantsKeys, `200 OK (application/json), keys [] (x1)`, keys()),
	fails("behind a login", judge.PublishSigningKeys(), wantsKeys, `401 Unauthorized, keys missing (x1)`, x(401, "", "")),

	passes("public keys", judge.PublishNoSecrets(), keys(ec, rsa)),
	fails("a private member", judge.PublishNoSecrets(), "no private or symmetric key material", `the member d of key "k" (x1)`, keys(rsa, strings.Replace(ec, "{", `{"d":"secret",`, 1))),
	fails("a symmetric key", judge.PublishNoSecrets(), "no private or symmetric key material", "a key of kty oct (x1)", keys(`{"kty":"oct","kid":"s"}`)),

	passes("all of it", judge.SayWhatIsSupported(grant), delegated(), described(supported)),
	fails("nothing", judge.SayWhatIsSupported(grant), wantsSays,
		"grant_types_supported missing, scopes_supported missing, response_types_supported missing, issuer missing", delegated(), described(`{}`)),
	fails("another scope, and a fragment", judge.SayWhatIsSupported(grant), wantsSays, `scopes_supported ["orders"], issuer "https://p.example#x"`,
		delegated(), described(supported, "orders:read", "orders", "https://p.example", "https://p.example#x")),
	fails("a method that needs a secret", judge.SayWhatIsSupported(grant), wantsSays, `token_endpoint_auth_methods_supported ["none","client_secret_basic"]`,
		delegated(), described(supported, "{", `{"token_endpoint_auth_methods_supported":["none","client_secret_basic"],`)),
	fails("methods that are no list", judge.SayWhatIsSupported(grant), wantsSays, `token_endpoint_auth_methods_supported "none"`,
		delegated(), described(supported, "{", `{"token_endpoint_auth_methods_supported":"none",`)),
	fails("the card alone", judge.SayWhatIsSupported(grant), wantsSays, "1 exchanges", delegated()),

	passes("none", judge.HaveNoReceipt(), reply("r", "c", "Hi"), message(`"metadata":{"pact.receipt":null}`)),
	fails("one", judge.HaveNoReceipt(), "no pact.receipt", `metadata pact.receipt {"jws":"x"} (x1)`, message(`"metadata":{"pact.receipt":{"jws":"x"}}`)),

	passes("verified", judge.VerifySignature("the token", ""), x(200, plain, "{}")),
	fails("not verified", judge.VerifySignature("the token", "no key of that kid"), "the token: a JWS with ES256 or RS256 that verifies with the keys at jwks_uri", "no key of that kid", x(200, plain, "{}")),
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
	fails("an invitation", judge.BeRefusedByOAuth(), "an OAuth error, and no token", `400 Bad Request (application/json), error "authorization_pending" (x1)`, oauthError(400, "authorization_pending")),
	fails("a token", judge.BeRefusedByOAuth(), "an OAuth error, and no token", "200 OK (application/json) (x1)", granted()),
	fails("a token under 400", judge.BeRefusedByOAuth(), "an OAuth error, and no token", `400 Bad Request (application/json), error "x" (x1)`, x(400, plain, `{"error":"x","access_token":"t"}`)),
	fails("an empty 400", judge.BeRefusedByOAuth(), "an OAuth error, and no token", "400 Bad Request (x1)", x(400, "", "")),

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

	passes("all of it", judge.BeTokenAnswer(), granted(), granted("Bearer", "bearer")),
	fails("members missing", judge.BeTokenAnswer(), wantsToken, "token_type missing, scope missing (x1)", granted(`"token_type":"Bearer",`, "", `,"scope":"orders:read"`, "")),
	fails("a time that is none", judge.BeTokenAnswer(), wantsToken, "expires_in -1 (x1)", granted("3600", "-1")),
	fails("an error", judge.BeTokenAnswer(), wantsToken, `400 Bad Request (application/json), error "authorization_pending" (x1)`, oauthError(400, "authorization_pending")),

	passes("no-store among others", judge.NotBeStored(), x(200, plain, "{}", header("Cache-Control", "private, NO-STORE")), x(200, plain, "{}", header("Cache-Control", "private", "no-store"))),
	fails("another directive", judge.NotBeStored(), "Cache-Control: no-store", `Cache-Control "no-cache" (x1)`, x(200, plain, "{}", header("Cache-Control", "no-cache"))),
	fails("none", judge.NotBeStored(), "Cache-Control: no-store", `Cache-Control "" (x1)`, x(200, plain, "{}")),
)
