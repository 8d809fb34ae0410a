package judge_test

import (
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

const (
	iface      = `{"url":"https://p.example/a2a/1","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}`
	bearer     = `{"httpAuthSecurityScheme":{"scheme":"Bearer","bearerFormat":"JWT"}}`
	alone      = `[{"schemes":{"paJwt":{"list":[]}}}]`
	skill      = `{"id":"orders","name":"Orders","description":"Orders.","tags":["orders"]}`
	wantsIface = `a supportedInterfaces entry with protocolBinding "HTTP+JSON" and protocolVersion "1.0"`
	wantsURL   = "an absolute http(s) URL as the interface's url"
	wantsJWT   = `an httpAuthSecurityScheme with scheme "Bearer" and bearerFormat "JWT"`
	wantsAlone = "a securityRequirements entry with the personal-agent scheme alone and an empty list"
	wantsAll   = "the members that A2A 1.0 marks REQUIRED"
)

// card is an answer with a card of these members.
func card(members ...string) *result.Exchange {
	made := x(200, plain, "{"+strings.Join(members, ",")+"}", on("card"))
	made.Request.URL = "https://p.example/a2a/1/.well-known/agent-card.json"
	return made
}

func named(name string, x *result.Exchange) *result.Exchange {
	x.ID = name
	return x
}

func interfaces(entries ...string) string {
	return `"supportedInterfaces":[` + strings.Join(entries, ",") + `]`
}

func at(url string) string {
	return interfaces(fmt.Sprintf(`{"url":%s,"protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}`, url))
}

func schemes(of string) string      { return `"securitySchemes":` + of }
func requirements(of string) string { return `"securityRequirements":` + of }

var _ = add(
	passes("application/json", judge.BeCard(), x(200, "application/json; charset=utf-8", `{"name":"x"}`)),
	passes("application/a2a+json", judge.BeCard(), x(200, "Application/A2A+JSON", `{}`)),
	passes("text/json", judge.BeCard(), x(200, "text/json", `{}`)),
	warns("a type that is not JSON", judge.BeCard(), "200 with a JSON object of a JSON media type", `Content-Type "text/plain; charset=utf-8"`, x(200, "text/plain; charset=utf-8", `{}`)),
	warns("no type", judge.BeCard(), "200 with a JSON object of a JSON media type", `Content-Type ""`, x(200, "", `{}`)),
	fails("a list", judge.BeCard(), "200 with a JSON object", "200 with a body that is no JSON object: []", x(200, plain, `[]`)),
	fails("null", judge.BeCard(), "200 with a JSON object", "200 with a body that is no JSON object: null", x(200, plain, `null`)),
	fails("a page", judge.BeCard(), "200 with a JSON object", "200 with a body that is no JSON object: <h1>Hi</h1>", x(200, html, `<h1>Hi</h1>`)),
	fails("behind a login", judge.BeCard(), "200 with a JSON object", "401 Unauthorized", x(401, "", "")),
	fails("a warning hides no failure", judge.BeCard(), "200 with a JSON object", "500 Internal Server Error", x(200, html, `{}`), x(500, "", "")),

	passes("the same", judge.BeSameCard(), card(`"name":"A"`, interfaces(iface)), card(`"name":"A"`, interfaces(iface)), card(interfaces(iface), `"name":"A"`)),
	passes("a member that differs anyway", judge.BeSameCard(), card(`"name":"A"`, `"at":1`), card(`"name":"A"`, `"at":2`), card(`"name":"A"`, `"at":3`)),
	fails("another name", judge.BeSameCard(), "200 and the same card", `name is "B", and was "A"`, card(`"name":"A"`), card(`"name":"A"`), card(`"name":"B"`)),
	fails("a member less", judge.BeSameCard(), "200 and the same card", `capabilities is missing, and was {"streaming":true}`,
		card(`"capabilities":{"streaming":true}`), card(`"capabilities":{"streaming":true}`), card()),
	fails("a member more", judge.BeSameCard(), "200 and the same card", `admin is true, and was missing`, card(), card(), card(`"admin":true`)),
	fails("the last refused", judge.BeSameCard(), "200 and the same card", `401 Unauthorized`, card(), card(), x(401, "", "")),
	fails("the last is no card", judge.BeSameCard(), "200 and the same card", `200 OK (text/html)`, card(), card(), x(200, html, "hi")),
	fails("one reading only", judge.BeSameCard(), "200 and the same card", `2 exchanges`, card(), card()),

	passes("another name", judge.BeSameDirections(), card(`"name":"A"`, interfaces(iface)), card(`"name":"B"`, interfaces(iface))),
	fails("another interface", judge.BeSameDirections(), "200 and the same interfaces and security",
		`supportedInterfaces is [], and [{"protocolBinding":"HTTP+JSON","protocolVersion":"1.0","url":"https://p.example/a2a/1"}] in the other`, card(interfaces(iface)), card(interfaces())),

	fails("no card", judge.BeSameDirections(), "200 and the same interfaces and security", "401 Unauthorized (x2)", card(interfaces(iface)), x(401, "", "", id("x2"))),

	passes("the only one", judge.ListInterface(), card(interfaces(iface))),
	passes("the last of several", judge.ListInterface(), card(interfaces(`{"url":"https://x","protocolBinding":"JSONRPC","protocolVersion":"1.0"}`, `"odd"`, iface))),
	passes("with members of its own", judge.ListInterface(), card(interfaces(strings.Replace(iface, "{", `{"tenant":"acme","x":1,`, 1)))),
	fails("another binding", judge.ListInterface(), wantsIface, `supportedInterfaces [{"protocolBinding":"http+json","protocolVersion":"1.0"}]`, card(interfaces(`{"protocolBinding":"http+json","protocolVersion":"1.0"}`))),
	fails("another version", judge.ListInterface(), wantsIface, `supportedInterfaces [{"protocolBinding":"HTTP+JSON","protocolVersion":"1.0.0"}]`, card(interfaces(`{"protocolBinding":"HTTP+JSON","protocolVersion":"1.0.0"}`))),
	fails("a version that is a number", judge.ListInterface(), wantsIface, `supportedInterfaces [{"protocolBinding":"HTTP+JSON","protocolVersion":1}]`, card(interfaces(`{"protocolBinding":"HTTP+JSON","protocolVersion":1.0}`))),
	fails("none", judge.ListInterface(), wantsIface, "supportedInterfaces missing", card()),

	passes("https", judge.HaveAbsoluteInterfaceURL(), card(at(`"https://p.example/a2a/1/"`))),
	passes("http on a loopback address", judge.HaveAbsoluteInterfaceURL(), card(at(`"http://127.0.0.1:8080/a2a"`)), card(at(`"http://[::1]:8080/a2a"`)), card(at(`"http://localhost:1"`)), card(at(`"http://p.localhost"`))),
	passes("a scheme in capitals", judge.HaveAbsoluteInterfaceURL(), card(at(`"HTTPS://p.example"`))),
	warns("http elsewhere", judge.HaveAbsoluteInterfaceURL(), "https for a host that is not loopback", `url "http://p.example/a2a"`, card(at(`"http://p.example/a2a"`))),
	fails("a path", judge.HaveAbsoluteInterfaceURL(), wantsURL, `url "/a2a/1"`, card(at(`"/a2a/1"`))),
	fails("no scheme", judge.HaveAbsoluteInterfaceURL(), wantsURL, `url "//p.example/a2a"`, card(at(`"//p.example/a2a"`))),
	fails("another scheme", judge.HaveAbsoluteInterfaceURL(), wantsURL, `url "ftp://p.example"`, card(at(`"ftp://p.example"`))),
	fails("no host", judge.HaveAbsoluteInterfaceURL(), wantsURL, `url "https:///a2a"`, card(at(`"https:///a2a"`))),
	fails("a number", judge.HaveAbsoluteInterfaceURL(), wantsURL, `url 7`, card(at(`7`))),
	fails("no interface", judge.HaveAbsoluteInterfaceURL(), wantsURL, `url missing`, card()),
	fails("a warning hides no failure", judge.HaveAbsoluteInterfaceURL(), wantsURL, `url ""`, card(at(`"http://p.example"`)), card(at(`""`))),

	passes("a result", judge.BeAnOperation(), x(200, a2a, "{}")),
	passes("a refusal", judge.BeAnOperation(), x(401, "", "")),
	passes("a server error", judge.BeAnOperation(), x(500, html, "")),
	passes("a task that does not exist", judge.BeAnOperation(), x(404, a2a, notFound)),
	fails("no such route", judge.BeAnOperation(), "an answer of an operation, not of an unmatched route", "404 Not Found (text/html) at https://p.example/a2a/tasks", x(404, html, "<h1>")),
	fails("no such route, in JSON", judge.BeAnOperation(), "an answer of an operation, not of an unmatched route",
		`404 Not Found, reason "" at https://p.example/a2a/tasks`, x(404, plain, `{"error":{"code":404,"message":"no route"}}`)),
)

var _ = add(
	passes("under any name", judge.DeclareBearerJWT(), card(schemes(`{"platformJwt":`+bearer+`,"other":{"apiKeySecurityScheme":{}}}`))),
	passes("one of two as written", judge.DeclareBearerJWT(), card(schemes(`{"a":{"httpAuthSecurityScheme":{"scheme":"bearer","bearerFormat":"JWT"}},"b":`+bearer+`}`))),
	warns("the scheme in another letter case", judge.DeclareBearerJWT(), wantsJWT,
		`scheme in another letter case: {"paJwt":{"httpAuthSecurityScheme":{"bearerFormat":"JWT","scheme":"bearer"}}}`,
		card(schemes(`{"paJwt":{"httpAuthSecurityScheme":{"scheme":"bearer","bearerFormat":"JWT"}}}`))),
	fails("another bearerFormat", judge.DeclareBearerJWT(), wantsJWT,
		`securitySchemes {"paJwt":{"httpAuthSecurityScheme":{"bearerFormat":"jwt","scheme":"Bearer"}}}`,
		card(schemes(`{"paJwt":{"httpAuthSecurityScheme":{"scheme":"Bearer","bearerFormat":"jwt"}}}`))),
	fails("no bearerFormat", judge.DeclareBearerJWT(), wantsJWT, `securitySchemes {"paJwt":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}}`,
		card(schemes(`{"paJwt":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}}`))),
	fails("another scheme", judge.DeclareBearerJWT(), wantsJWT, `securitySchemes {"paJwt":{"httpAuthSecurityScheme":{"bearerFormat":"JWT","scheme":"Basic"}}}`,
		card(schemes(`{"paJwt":{"httpAuthSecurityScheme":{"scheme":"Basic","bearerFormat":"JWT"}}}`))),
	fails("as OpenAPI has it", judge.DeclareBearerJWT(), wantsJWT, `securitySchemes {"paJwt":{"bearerFormat":"JWT","scheme":"Bearer","type":"http"}}`,
		card(schemes(`{"paJwt":{"type":"http","scheme":"Bearer","bearerFormat":"JWT"}}`))),
	fails("none", judge.DeclareBearerJWT(), wantsJWT, "securitySchemes missing", card()),

	passes("an empty list", judge.RequireBearerAlone(), card(schemes(`{"paJwt":`+bearer+`}`), requirements(alone))),
	passes("an empty object", judge.RequireBearerAlone(), card(schemes(`{"paJwt":`+bearer+`}`), requirements(`[{"schemes":{"paJwt":{}}}]`))),
	passes("after an entry with two schemes", judge.RequireBearerAlone(), card(schemes(`{"paJwt":`+bearer+`,"d":{"oauth2SecurityScheme":{}}}`),
		requirements(`[{"schemes":{"paJwt":{"list":[]},"d":{"list":[]}}},{"schemes":{"paJwt":{"list":[]}}}]`))),
	passes("of the scheme in another letter case", judge.RequireBearerAlone(),
		card(schemes(`{"paJwt":{"httpAuthSecurityScheme":{"scheme":"BEARER","bearerFormat":"JWT"}}}`), requirements(alone))),
	fails("with scopes", judge.RequireBearerAlone(), wantsAlone, `securityRequirements [{"schemes":{"paJwt":{"list":["a"]}}}]`,
		card(schemes(`{"paJwt":`+bearer+`}`), requirements(`[{"schemes":{"paJwt":{"list":["a"]}}}]`))),
	fails("beside another only", judge.RequireBearerAlone(), wantsAlone, `securityRequirements [{"schemes":{"d":{"list":[]},"paJwt":{"list":[]}}}]`,
		card(schemes(`{"paJwt":`+bearer+`}`), requirements(`[{"schemes":{"paJwt":{"list":[]},"d":{"list":[]}}}]`))),
	fails("under a name that is not declared", judge.RequireBearerAlone(), wantsAlone, `securityRequirements [{"schemes":{"paJwt":{"list":[]}}}]`,
		card(schemes(`{"platformJwt":`+bearer+`}`), requirements(alone))),
	fails("as OpenAPI has it", judge.RequireBearerAlone(), wantsAlone, `securityRequirements [{"paJwt":[]}]`,
		card(schemes(`{"paJwt":`+bearer+`}`), requirements(`[{"paJwt":[]}]`))),
	fails("a list for the object", judge.RequireBearerAlone(), wantsAlone, `securityRequirements [{"schemes":{"paJwt":[]}}]`,
		card(schemes(`{"paJwt":`+bearer+`}`), requirements(`[{"schemes":{"paJwt":[]}}]`))),
	fails("none", judge.RequireBearerAlone(), wantsAlone, "securityRequirements missing", card(schemes(`{"paJwt":`+bearer+`}`))),
)

func full(changes ...string) *result.Exchange {
	body := `{"name":"A","version":"1","capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[` + skill + `]}`
	return x(200, plain, strings.NewReplacer(changes...).Replace(body))
}

var _ = add(
	passes("all but a description, as in the specification's example", judge.HaveRequiredMembers(), full()),
	fails("several missing", judge.HaveRequiredMembers(), wantsAll, "missing or of another type: capabilities, defaultInputModes, version",
		full(`"version":"1",`, "", `"capabilities":{},`, "", `"defaultInputModes":["text/plain"],`, "")),
	fails("of another type", judge.HaveRequiredMembers(), wantsAll, "missing or of another type: capabilities, name, version",
		full(`"name":"A"`, `"name":7`, `"version":"1"`, `"version":""`, `"capabilities":{}`, `"capabilities":[]`)),
	fails("empty lists", judge.HaveRequiredMembers(), wantsAll, "missing or of another type: defaultOutputModes, skills",
		full(`"defaultOutputModes":["text/plain"]`, `"defaultOutputModes":[]`, skill, "")),
	fails("a skill that lacks something", judge.HaveRequiredMembers(), wantsAll,
		"missing or of another type: skills[1].tags, skills[2].description, skills[2].id, skills[2].name, skills[2].tags",
		full(skill, skill+","+strings.Replace(skill, `["orders"]`, `"orders"`, 1)+`,"odd"`)),

	passes("two URLs", judge.HaveInterfacesOfTheirOwn(), card(at(`"https://p.example/1"`)), card(at(`"https://p.example/2"`))),
	passes("one URL, two tenants", judge.HaveInterfacesOfTheirOwn(),
		card(interfaces(strings.Replace(iface, "{", `{"tenant":"a",`, 1))), card(interfaces(strings.Replace(iface, "{", `{"tenant":"b",`, 1)))),
	fails("one URL", judge.HaveInterfacesOfTheirOwn(), "another interface URL, or tenant, for each Brand", `"https://p.example/a2a/1" in both cards (x1, x2)`,
		card(interfaces(iface)), named("x2", card(interfaces(iface)))),

	passes("camelCase", judge.HaveCamelCase(), card(interfaces(iface), schemes(`{"pa_jwt":`+bearer+`}`), requirements(`[{"schemes":{"pa_jwt":{"list":[]}}}]`))),
	passes("names that are the Provider's own", judge.HaveCamelCase(), card(`"x_vendor":{"my_member":1}`,
		schemes(`{"security_schemes":`+bearer+`}`), `"capabilities":{"extensions":[{"uri":"u","params":{"token_url":"x"}}]}`,
		`"metadata":{"icon_url":"x"}`)),
	fails("twins", judge.HaveCamelCase(), "member names in camelCase", "bearer_format, protocol_binding, security_schemes, supported_interfaces",
		card(`"supported_interfaces":[{"protocol_binding":"HTTP+JSON"},{"protocol_binding":"JSONRPC"}]`,
			`"security_schemes":{"pa_jwt":{"httpAuthSecurityScheme":{"bearer_format":"JWT"}}}`)),

	passes("another text", judge.DifferFromURLs("aud-1"), card(interfaces(iface))),
	passes("a part of the URL", judge.DifferFromURLs("https://p.example"), card(interfaces(iface))),
	fails("the interface URL", judge.DifferFromURLs("https://p.example/a2a/1"), "an audience that is no URL of the card", `the audience "https://p.example/a2a/1"`, card(interfaces(iface))),
	fails("the card URL", judge.DifferFromURLs("https://p.example/a2a/1/.well-known/agent-card.json"), "an audience that is no URL of the card",
		`the audience "https://p.example/a2a/1/.well-known/agent-card.json"`, card(interfaces(iface))),
)
