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

	wantsAnyKeys = "200 with a JWK Set that has keys"
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
	passes("scopes that are a list, which others judge", judge.DeclareDeviceFlow(), delegated(`{"orders:read":"Look up your orders"}`, `["orders:read"]`), delegated(`{"orders:read":"Look up your orders"}`, `{}`)),
	fails("no scopes", judge.DeclareDeviceFlow(), wantsFlow, "scopes missing (x1)", delegated(`,"scopes":{"orders:read":"Look up your orders"}`, "")),
	fails("null for scopes", judge.DeclareDeviceFlow(), wantsFlow, "scopes missing (x2)", delegated(), named("x2", delegated(`{"orders:read":"Look up your orders"}`, "null"))),
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

	passes("keys of any kind", judge.PublishKeys(), keys(`{"kty":"oct"}`), keys(shortRSA)),
	fails("none", judge.PublishKeys(), wantsAnyKeys, "200 OK (application/json), keys [] (x2)", keys(ec), named("x2", keys())),
	fails("an object for keys", judge.PublishKeys(), wantsAnyKeys, `200 OK (application/json), keys {"k":{}} (x1)`, x(200, plain, `{"keys":{"k":{}}}`)),
	fails("a page", judge.PublishKeys(), wantsAnyKeys, "404 Not Found (text/html), keys missing (x1)", x(404, html, "<h1>")),
	fails("keys under another status", judge.PublishKeys(), wantsAnyKeys, `500 Internal Server Error (application/json), keys [{"kty":"EC"}] (x1)`, x(500, plain, `{"keys":[{"kty":"EC"}]}`)),

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
