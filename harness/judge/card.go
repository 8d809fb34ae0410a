package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// BeCard passes a 200 with a JSON object; a media type that is not JSON is a warning (§2.1).
func BeCard() Judge { return beCard(none{}) }

var jsonMedia = regexp.MustCompile(`^(application|text)/(json|[\w.-]+\+json)$`)

var beCard = define("BeCard", func(_ none, xs []*result.Exchange) Finding {
	const expected = "200 with a JSON object"
	worst := passed(expected)
	for _, x := range xs {
		switch {
		case x.Response.Status != 200:
			return failed(expected, "%s", Answered(x))
		case object(x) == nil:
			return failed(expected, "200 with a body that is no JSON object: %s", shorten(x.Response.Body))
		case !jsonMedia.MatchString(x.Response.MediaType()):
			worst = warned(expected+" of a JSON media type", "Content-Type %q", x.Response.Header.Get("Content-Type"))
		}
	}
	return worst
})

// BeSameCard judges two plain readings of a card and then another one: it is the same card. Members
// that differ between the plain readings tell nothing.
func BeSameCard() Judge { return beSameCard(none{}) }

var beSameCard = define("BeSameCard", func(_ none, xs []*result.Exchange) Finding {
	const expected = "200 and the same card"
	if len(xs) != 3 {
		return failed(expected, "%d exchanges", len(xs))
	}
	plain, again, other := object(xs[0]), object(xs[1]), object(xs[2])
	if xs[2].Response.Status != 200 || other == nil {
		return failed(expected, "%s", Answered(xs[2]))
	}
	names := slices.Collect(maps.Keys(plain))
	for name := range other {
		if _, there := plain[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if reflect.DeepEqual(plain[name], again[name]) && !reflect.DeepEqual(plain[name], other[name]) {
			return failed(expected, "%s is %s, and was %s", name, show(other[name]), show(plain[name]))
		}
	}
	return passed(expected)
})

// BeSameDirections passes cards whose interface and security members are equal.
func BeSameDirections() Judge { return beSameDirections(none{}) }

var beSameDirections = define("BeSameDirections", func(_ none, xs []*result.Exchange) Finding {
	const expected = "200 and the same interfaces and security"
	first := object(xs[0])
	for _, x := range xs {
		card := object(x)
		if x.Response.Status != 200 || card == nil {
			return failed(expected, "%s (%s)", Answered(x), x.ID)
		}
		for _, name := range []string{"supportedInterfaces", "securitySchemes", "securityRequirements"} {
			if !reflect.DeepEqual(first[name], card[name]) {
				return failed(expected, "%s is %s, and %s in the other", name, show(card[name]), show(first[name]))
			}
		}
	}
	return passed(expected)
})

// ListInterface passes a card with a supportedInterfaces entry for HTTP+JSON 1.0, at any position (§2.1).
func ListInterface() Judge { return listInterface(none{}) }

var listInterface = define("ListInterface", func(_ none, xs []*result.Exchange) Finding {
	const expected = `a supportedInterfaces entry with protocolBinding "HTTP+JSON" and protocolVersion "1.0"`
	for _, x := range xs {
		if interfaceOf(x) == nil {
			return failed(expected, "supportedInterfaces %s", show(object(x)["supportedInterfaces"]))
		}
	}
	return passed(expected)
})

func interfaceOf(x *result.Exchange) map[string]any {
	entries, _ := object(x)["supportedInterfaces"].([]any)
	for _, entry := range entries {
		members, _ := entry.(map[string]any)
		if members["protocolBinding"] == "HTTP+JSON" && members["protocolVersion"] == "1.0" {
			return members
		}
	}
	return nil
}

// HaveAbsoluteInterfaceURL passes a card whose interface url is an absolute http(s) URL; plain
// http is a warning unless the host is loopback.
func HaveAbsoluteInterfaceURL() Judge { return haveAbsoluteInterfaceURL(none{}) }

var haveAbsoluteInterfaceURL = define("HaveAbsoluteInterfaceURL", func(_ none, xs []*result.Exchange) Finding {
	const expected = "an absolute http(s) URL as the interface's url"
	worst := passed(expected)
	for _, x := range xs {
		text, _ := interfaceOf(x)["url"].(string)
		at, err := url.Parse(text)
		switch {
		case err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https":
			return failed(expected, "url %s", show(interfaceOf(x)["url"]))
		case at.Scheme == "http" && !loopback(at.Hostname()):
			worst = warned("https for a host that is not loopback", "url %q", text)
		}
	}
	return worst
})

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// BeAnOperation passes any answer but that of an unmatched route: there is something at the URL.
func BeAnOperation() Judge { return beAnOperation(none{}) }

var beAnOperation = define("BeAnOperation", func(_ none, xs []*result.Exchange) Finding {
	const expected = "an answer of an operation, not of an unmatched route"
	for _, x := range xs {
		if !hasA2ABody(x) && (x.Response.Status == 404 || x.Response.Status == 405) {
			return failed(expected, "%s at %s", Answered(x), x.Request.URL)
		}
	}
	return passed(expected)
})

// DeclareBearerJWT passes a card that declares an httpAuthSecurityScheme with scheme Bearer and
// bearerFormat JWT, under any name; another letter case of the scheme is a warning (RFC 9110 §11.1).
func DeclareBearerJWT() Judge { return declareBearerJWT(none{}) }

var declareBearerJWT = define("DeclareBearerJWT", func(_ none, xs []*result.Exchange) Finding {
	const expected = `an httpAuthSecurityScheme with scheme "Bearer" and bearerFormat "JWT"`
	worst := passed(expected)
	for _, x := range xs {
		names := bearerSchemes(x)
		if len(names) == 0 {
			return failed(expected, "securitySchemes %s", show(object(x)["securitySchemes"]))
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(names)), func(scheme string) bool { return scheme == "Bearer" }) {
			worst = warned(expected, "scheme in another letter case: %s", show(object(x)["securitySchemes"]))
		}
	}
	return worst
})

// bearerSchemes are the names of the personal-agent schemes of a card, with their scheme as written.
func bearerSchemes(x *result.Exchange) map[string]string {
	names := map[string]string{}
	schemes, _ := object(x)["securitySchemes"].(map[string]any)
	for name, value := range schemes {
		members, _ := value.(map[string]any)
		http, _ := members["httpAuthSecurityScheme"].(map[string]any)
		scheme, _ := http["scheme"].(string)
		if strings.EqualFold(scheme, "Bearer") && http["bearerFormat"] == "JWT" {
			names[name] = scheme
		}
	}
	return names
}

// RequireBearerAlone passes a card with a securityRequirements entry that holds just a
// personal-agent scheme, with an empty list (§2.1).
func RequireBearerAlone() Judge { return requireBearerAlone(none{}) }

var requireBearerAlone = define("RequireBearerAlone", func(_ none, xs []*result.Exchange) Finding {
	const expected = "a securityRequirements entry with the personal-agent scheme alone and an empty list"
	for _, x := range xs {
		if !requiresAlone(x, bearerSchemes(x)) {
			return failed(expected, "securityRequirements %s", show(object(x)["securityRequirements"]))
		}
	}
	return passed(expected)
})

func requiresAlone(x *result.Exchange, names map[string]string) bool {
	entries, _ := object(x)["securityRequirements"].([]any)
	for _, entry := range entries {
		members, _ := entry.(map[string]any)
		schemes, _ := members["schemes"].(map[string]any)
		if len(schemes) != 1 {
			continue
		}
		for name, value := range schemes {
			holder, isObject := value.(map[string]any)
			list, listed := holder["list"].([]any)
			_, other := holder["list"]
			if _, known := names[name]; known && isObject && len(list) == 0 && (listed || !other) {
				return true
			}
		}
	}
	return false
}

// HaveRequiredMembers passes a card with the members that A2A 1.0 marks REQUIRED, in their types.
func HaveRequiredMembers() Judge { return haveRequiredMembers(none{}) }

var haveRequiredMembers = define("HaveRequiredMembers", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the members that A2A 1.0 marks REQUIRED"
	for _, x := range xs {
		card := object(x)
		short := lacking(card, "", map[string]string{
			"name": "string", "version": "string", "capabilities": "object",
			"defaultInputModes": "list", "defaultOutputModes": "list", "skills": "list",
		})
		skills, _ := card["skills"].([]any)
		for i, entry := range skills {
			skill, _ := entry.(map[string]any)
			short = append(short, lacking(skill, fmt.Sprintf("skills[%d].", i), map[string]string{
				"id": "string", "name": "string", "description": "string", "tags": "list",
			})...)
		}
		if len(short) > 0 {
			return failed(expected, "missing or of another type: %s", strings.Join(short, ", "))
		}
	}
	return passed(expected)
})

// lacking are the names that are missing in the object or have another type, sorted.
func lacking(members map[string]any, path string, types map[string]string) []string {
	var short []string
	for name, want := range types {
		ok := false
		switch value := members[name].(type) {
		case string:
			ok = want == "string" && value != ""
		case map[string]any:
			ok = want == "object"
		case []any:
			ok = want == "list" && len(value) > 0
		}
		if !ok {
			short = append(short, path+name)
		}
	}
	slices.Sort(short)
	return short
}

// HaveInterfacesOfTheirOwn passes cards whose interfaces differ in url or tenant.
func HaveInterfacesOfTheirOwn() Judge { return haveInterfacesOfTheirOwn(none{}) }

var haveInterfacesOfTheirOwn = define("HaveInterfacesOfTheirOwn", func(_ none, xs []*result.Exchange) Finding {
	const expected = "another interface URL, or tenant, for each Brand"
	seen := map[string]string{}
	for _, x := range xs {
		at := interfaceOf(x)
		key := show(at["url"]) + " " + show(at["tenant"])
		if earlier, taken := seen[key]; taken {
			return failed(expected, "%s in both cards (%s, %s)", show(at["url"]), earlier, x.ID)
		}
		seen[key] = x.ID
	}
	return passed(expected)
})

// a2aMembers are the members of a card that A2A defines and whose names have more than one word.
var a2aMembers = []string{
	"supportedInterfaces", "protocolBinding", "protocolVersion", "documentationUrl", "pushNotifications",
	"extendedAgentCard", "securitySchemes", "securityRequirements", "defaultInputModes", "defaultOutputModes",
	"iconUrl", "inputModes", "outputModes", "apiKeySecurityScheme", "httpAuthSecurityScheme", "bearerFormat",
	"oauth2SecurityScheme", "openIdConnectSecurityScheme", "mtlsSecurityScheme", "oauth2MetadataUrl", "deviceCode",
	"deviceAuthorizationUrl", "tokenUrl", "refreshUrl", "authorizationCode", "clientCredentials", "authorizationUrl",
}

var capital = regexp.MustCompile(`[A-Z]`)

// HaveCamelCase passes a card without a snake_case twin of a member that A2A defines.
func HaveCamelCase() Judge { return haveCamelCase(none{}) }

var haveCamelCase = define("HaveCamelCase", func(_ none, xs []*result.Exchange) Finding {
	const expected = "member names in camelCase"
	twins := map[string]bool{}
	for _, name := range a2aMembers {
		twins[capital.ReplaceAllStringFunc(name, func(c string) string { return "_" + strings.ToLower(c) })] = true
	}
	for _, x := range xs {
		var card any
		_ = json.Unmarshal([]byte(x.Response.Body), &card)
		if found := namesIn(card, twins, nil); len(found) > 0 {
			slices.Sort(found)
			return failed(expected, "%s", strings.Join(slices.Compact(found), ", "))
		}
	}
	return passed(expected)
})

// namesIn are the member names inside value that are in the set. The names of security schemes are
// the Provider's own choice, and so are those of extension parameters.
func namesIn(value any, set map[string]bool, found []string) []string {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			found = namesIn(element, set, found)
		}
	case map[string]any:
		for name, member := range v {
			if set[name] {
				found = append(found, name)
			}
			switch name {
			case "schemes", "params", "metadata", "scopes":
				continue
			case "securitySchemes", "security_schemes":
				schemes, _ := member.(map[string]any)
				for _, scheme := range schemes {
					found = namesIn(scheme, set, found)
				}
				continue
			}
			found = namesIn(member, set, found)
		}
	}
	return found
}

// DifferFromURLs passes a card of which neither its own URL nor its interface URL is the audience (§3.1).
func DifferFromURLs(audience string) Judge { return differFromURLs(audienceArgs{Audience: audience}) }

type audienceArgs struct {
	Audience string `json:"audience"`
}

var differFromURLs = define("DifferFromURLs", func(a audienceArgs, xs []*result.Exchange) Finding {
	const expected = "an audience that is no URL of the card"
	for _, x := range xs {
		at, _ := interfaceOf(x)["url"].(string)
		if a.Audience == at || a.Audience == x.Request.URL {
			return failed(expected, "the audience %q", a.Audience)
		}
	}
	return passed(expected)
})
