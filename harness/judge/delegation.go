package judge

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// deviceFlow is the name of the oauth2SecurityScheme of a card that has a deviceCode flow, its
// members and those of the flow.
func deviceFlow(x *result.Exchange) (name string, scheme, flow map[string]any) {
	schemes, _ := object(x)["securitySchemes"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		members, _ := schemes[name].(map[string]any)
		scheme, _ := members["oauth2SecurityScheme"].(map[string]any)
		flows, _ := scheme["flows"].(map[string]any)
		if flow, ok := flows["deviceCode"].(map[string]any); ok {
			return name, scheme, flow
		}
	}
	return "", nil, nil
}

// DeclareDeviceFlow passes a card with an oauth2SecurityScheme whose deviceCode flow has absolute
// URLs and scopes (§5.1).
func DeclareDeviceFlow() Judge { return declareDeviceFlow(none{}) }

var declareDeviceFlow = define("DeclareDeviceFlow", eachAnswer("an oauth2SecurityScheme with a deviceCode flow: deviceAuthorizationUrl, tokenUrl, scopes", func(x *result.Exchange) string {
	name, _, flow := deviceFlow(x)
	if name == "" {
		return "securitySchemes " + show(object(x)["securitySchemes"])
	}
	var short []string
	for _, member := range []string{"deviceAuthorizationUrl", "tokenUrl"} {
		if !absolute(flow[member]) {
			short = append(short, member+" "+show(flow[member]))
		}
	}
	if flow["scopes"] == nil { // what they are like PACT-5.2-01 says
		short = append(short, "scopes "+show(flow["scopes"]))
	}
	return strings.Join(short, ", ")
}))

// RequireBoth passes a card with a securityRequirements entry of exactly one personal-agent scheme
// and the OAuth scheme (§5.1).
func RequireBoth() Judge { return requireBoth(none{}) }

var requireBoth = define("RequireBoth", eachAnswer("a securityRequirements entry with the personal-agent scheme and the OAuth scheme", func(x *result.Exchange) string {
	agents := bearerSchemes(x)
	delegation, _, _ := deviceFlow(x)
	entries, _ := object(x)["securityRequirements"].([]any)
	for _, entry := range entries {
		members, _ := entry.(map[string]any)
		schemes, _ := members["schemes"].(map[string]any)
		known := 0
		for name := range schemes {
			if _, agent := agents[name]; agent {
				known++
			}
		}
		if _, oauth := schemes[delegation]; oauth && delegation != "" && known == 1 && len(schemes) == 2 {
			return ""
		}
	}
	return "securityRequirements " + show(object(x)["securityRequirements"])
}))

// DescribeScopes passes a card whose scopes, one at least, have RFC 6749 scope tokens as ids and
// non-blank descriptions (§5.2).
func DescribeScopes() Judge { return describeScopes(none{}) }

// scopeToken is RFC 6749 §3.3.
var scopeToken = regexp.MustCompile(`^[\x21\x23-\x5B\x5D-\x7E]+$`)

var describeScopes = define("DescribeScopes", eachAnswer("scopes with an id and a description each", func(x *result.Exchange) string {
	_, _, flow := deviceFlow(x)
	scopes, _ := flow["scopes"].(map[string]any)
	if len(scopes) == 0 {
		return "scopes " + show(flow["scopes"])
	}
	for _, id := range slices.Sorted(maps.Keys(scopes)) {
		text, _ := scopes[id].(string)
		if !scopeToken.MatchString(id) || strings.TrimSpace(text) == "" {
			return fmt.Sprintf("%q: %s", id, show(scopes[id]))
		}
	}
	return ""
}))

// BeMetadata passes RFC 8414 metadata with issuer, token_endpoint and jwks_uri; without
// device_authorization_endpoint it is a warning (§5.1).
func BeMetadata() Judge { return beMetadata(none{}) }

var beMetadata = define("BeMetadata", func(_ none, xs []*result.Exchange) Finding {
	const expected = "200, application/json, with issuer, token_endpoint and jwks_uri"
	worst := passed(expected)
	for _, x := range xs {
		metadata := object(x)
		if x.Response.Status != 200 || metadata == nil || x.Response.MediaType() != "application/json" {
			return failed(expected, "%s (%s)", Told(x), x.ID)
		}
		for _, name := range []string{"issuer", "token_endpoint", "jwks_uri"} {
			if text, _ := metadata[name].(string); text == "" {
				return failed(expected, "%s %s (%s)", name, show(metadata[name]), x.ID)
			}
		}
		if metadata["device_authorization_endpoint"] == nil {
			worst = warned(expected+" and device_authorization_endpoint", "device_authorization_endpoint missing (%s)", x.ID)
		}
	}
	return worst
})

// NameTheCardsEndpoints judges the card and then the metadata: both name the same endpoints (§5.1).
func NameTheCardsEndpoints() Judge { return nameTheCardsEndpoints(none{}) }

var nameTheCardsEndpoints = define("NameTheCardsEndpoints", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the endpoints of the card in the metadata"
	if len(xs) != 2 {
		return failed(expected, "%d exchanges", len(xs))
	}
	_, _, flow := deviceFlow(xs[0])
	metadata := object(xs[1])
	if flow["tokenUrl"] == nil || metadata["token_endpoint"] != flow["tokenUrl"] {
		return failed(expected, "token_endpoint %s, tokenUrl %s", show(metadata["token_endpoint"]), show(flow["tokenUrl"]))
	}
	if device := metadata["device_authorization_endpoint"]; device != nil && device != flow["deviceAuthorizationUrl"] {
		return failed(expected, "device_authorization_endpoint %s, deviceAuthorizationUrl %s", show(device), show(flow["deviceAuthorizationUrl"]))
	}
	return passed(expected)
})

// PublishSigningKeys passes a JWK Set with a public EC P-256 key, or an RSA key of 2048 bits or more (§5.1).
func PublishSigningKeys() Judge { return publishSigningKeys(none{}) }

var publishSigningKeys = define("PublishSigningKeys", eachAnswer("200 with a JWK Set that has an EC P-256 key or an RSA key of 2048 bits or more", func(x *result.Exchange) string {
	keys, _ := object(x)["keys"].([]any)
	for _, key := range keys {
		members, _ := key.(map[string]any)
		modulus, _ := members["n"].(string)
		const least = 2048 * 4 / 3 / 8 // base64url characters of a 2048-bit modulus
		if members["kty"] == "EC" && members["crv"] == "P-256" && members["x"] != nil && members["y"] != nil ||
			members["kty"] == "RSA" && len(strings.TrimRight(modulus, "=")) >= least {
			if x.Response.Status == 200 {
				return ""
			}
		}
	}
	return fmt.Sprintf("%s, keys %s", Answered(x), show(object(x)["keys"]))
}))

// PublishKeys passes a JWK Set that has a key of any kind.
func PublishKeys() Judge { return publishKeys(none{}) }

var publishKeys = define("PublishKeys", eachAnswer("200 with a JWK Set that has keys", func(x *result.Exchange) string {
	if keys, _ := object(x)["keys"].([]any); x.Response.Status != 200 || len(keys) == 0 {
		return fmt.Sprintf("%s, keys %s", Answered(x), show(object(x)["keys"]))
	}
	return ""
}))

// PublishNoSecrets passes a JWK Set without private or symmetric key material.
func PublishNoSecrets() Judge { return publishNoSecrets(none{}) }

var publishNoSecrets = define("PublishNoSecrets", eachAnswer("no private or symmetric key material", func(x *result.Exchange) string {
	keys, _ := object(x)["keys"].([]any)
	for _, key := range keys {
		members, _ := key.(map[string]any)
		if members["kty"] == "oct" {
			return "a key of kty oct"
		}
		for _, name := range []string{"d", "p", "q", "dp", "dq", "qi", "k"} {
			if members[name] != nil {
				return fmt.Sprintf("the member %s of key %s", name, show(members["kid"]))
			}
		}
	}
	return ""
}))

// SayWhatIsSupported judges the card and then the metadata (RFC 8414 §2): the device-code grant,
// the card's scopes, response types, and an issuer that is a plain URL.
func SayWhatIsSupported(grant string) Judge { return sayWhatIsSupported(grantArgs{Grant: grant}) }

type grantArgs struct {
	Grant string `json:"grant"`
}

// offered are client authentication methods that a generic client would try, and that need a
// secret which nobody has here.
var secretMethods = []any{"client_secret_basic", "client_secret_post", "client_secret_jwt"}

var sayWhatIsSupported = define("SayWhatIsSupported", func(a grantArgs, xs []*result.Exchange) Finding {
	const expected = "metadata that says what is supported"
	if len(xs) != 2 {
		return failed(expected, "%d exchanges", len(xs))
	}
	_, _, flow := deviceFlow(xs[0])
	metadata := object(xs[1])
	grants, _ := metadata["grant_types_supported"].([]any)
	scopes, _ := metadata["scopes_supported"].([]any)
	methods, named := metadata["token_endpoint_auth_methods_supported"].([]any)
	var short []string
	if !slices.Contains(grants, any(a.Grant)) {
		short = append(short, "grant_types_supported "+show(metadata["grant_types_supported"]))
	}
	card, _ := flow["scopes"].(map[string]any)
	for id := range card {
		if !slices.Contains(scopes, any(id)) {
			short = append(short, "scopes_supported "+show(metadata["scopes_supported"]))
			break
		}
	}
	if metadata["response_types_supported"] == nil {
		short = append(short, "response_types_supported missing")
	}
	issuer, _ := metadata["issuer"].(string)
	if at, err := url.Parse(issuer); err != nil || at.Host == "" || at.RawQuery != "" || at.Fragment != "" {
		short = append(short, "issuer "+show(metadata["issuer"]))
	}
	for _, method := range secretMethods {
		if slices.Contains(methods, method) {
			short = append(short, "token_endpoint_auth_methods_supported "+show(methods))
			break
		}
	}
	if !named && metadata["token_endpoint_auth_methods_supported"] != nil {
		short = append(short, "token_endpoint_auth_methods_supported "+show(metadata["token_endpoint_auth_methods_supported"]))
	}
	if len(short) > 0 {
		return failed(expected, "%s", strings.Join(short, ", "))
	}
	return passed(expected)
})

// HaveNoReceipt passes replies whose metadata has no receipt (§5.6).
func HaveNoReceipt() Judge { return haveNoReceipt(none{}) }

var haveNoReceipt = define("HaveNoReceipt", eachAnswer("no pact.receipt", func(x *result.Exchange) string {
	metadata, _ := reply(x)["metadata"].(map[string]any)
	if receipt := metadata["pact.receipt"]; receipt != nil && !reflect.ValueOf(receipt).IsZero() {
		return "metadata pact.receipt " + show(receipt)
	}
	return ""
}))
