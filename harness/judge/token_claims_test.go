package judge_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// tokenOfJane are the claims of a delegation token that was issued at newYear.
const tokenOfJane = `{"iss":"https://p.example/oauth","aud":"https://p.example/a2a","sub":"jane","client_id":"https://pa.example",` +
	`"scope":"orders:read orders:cancel","grant_id":"g-1","iat":1767225600,"exp":1767229200}`

var newYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// recordedJWS is a compact JWS as the record keeps it.
func recordedJWS(claims string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"ES256"}`)) + "." + encode([]byte(claims)) + ".(1a2b3c4d)[signature-masked]"
}

// issued is a token answer whose claims are changed by pairs of old and new texts.
func issued(changes ...string) *result.Exchange {
	token := recordedJWS(strings.NewReplacer(changes...).Replace(tokenOfJane))
	answer := x(200, plain, `{"token_type":"Bearer","access_token":"`+token+`","expires_in":3600,"scope":"orders:cancel orders:read"}`, on("token"))
	answer.Started, answer.Duration = newYear, 2
	return answer
}

// saying changes the body of an answer by pairs of old and new texts.
func saying(x *result.Exchange, changes ...string) *result.Exchange {
	x.Response.Body = strings.NewReplacer(changes...).Replace(x.Response.Body)
	return x
}

const (
	wantsIss     = `a token with iss "https://p.example/oauth"`
	wantsAud     = `a token with aud "https://p.example/a2a"`
	wantsSub     = `a token with sub "jane"`
	wantsAnySub  = "a token with the Brand's id of the User as sub"
	wantsOneSub  = "tokens with the same sub"
	wantsClient  = `a token with client_id "https://pa.example"`
	wantsGrantID = "a token with a non-empty grant_id"
	wantsOwnIDs  = "another grant_id for each grant"
	wantsListed  = "the ids of the answer's scope in the token's scope, a text with spaces between them"
	notGranted   = `400 Bad Request (application/json), error "access_denied" (x1)`
)

var _ = add(
	passes("the issuer", judge.HaveTokenIssuer("https://p.example/oauth"), issued()),
	fails("a slash", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, `iss "https://p.example/oauth/" (x1)`, issued("/oauth", "/oauth/")),
	fails("a list", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, `iss ["https://p.example/oauth"] (x2)`,
		issued(), named("x2", issued(`"https://p.example/oauth"`, `["https://p.example/oauth"]`))),
	fails("none", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, "iss missing (x1)", issued(`"iss"`, `"issuer"`)),
	fails("an error", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, notGranted, oauthError(400, "access_denied")),
	fails("a token under another status", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, "201 Created (application/json) (x1)", x(201, plain, issued().Response.Body)),
	fails("no token", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, "200 OK (application/json), no text as access_token (x1)", x(200, plain, `{"access_token":7}`)),
	fails("an opaque token", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, `an access_token that is no JWS with claims: "[access_token-1:9]" (x1)`, granted()),
	fails("a JWS of a text", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, `an access_token that is no JWS with claims: "h.InRleHQi.s" (x1)`,
		granted("[access_token-1:9]", "h."+base64.RawURLEncoding.EncodeToString([]byte(`"text"`))+".s")),
	fails("a JWS that cannot be decoded", judge.HaveTokenIssuer("https://p.example/oauth"), wantsIss, `an access_token that is no JWS with claims: "h.?.s" (x1)`, granted("[access_token-1:9]", "h.?.s")),

	passes("the interface URL", judge.HaveTokenAudience("https://p.example/a2a"), issued()),
	warns("in a list", judge.HaveTokenAudience("https://p.example/a2a"), wantsAud, `aud ["https://p.example/a2a"], a list (x2)`,
		issued(), named("x2", issued(`"https://p.example/a2a"`, `["https://p.example/a2a"]`)), named("x3", issued(`"https://p.example/a2a"`, `["https://p.example/a2a"]`))),
	fails("with another in a list", judge.HaveTokenAudience("https://p.example/a2a"), wantsAud, `aud ["https://p.example/a2a","b"] (x2)`,
		issued(`"https://p.example/a2a"`, `["https://p.example/a2a"]`), named("x2", issued(`"https://p.example/a2a"`, `["https://p.example/a2a","b"]`))),
	fails("another", judge.HaveTokenAudience("https://p.example/a2a"), wantsAud, `aud "https://p.example" (x1)`, issued("/a2a", "")),
	fails("a list of another", judge.HaveTokenAudience("https://p.example/a2a"), wantsAud, `aud ["b"] (x1)`, issued(`"https://p.example/a2a"`, `["b"]`)),

	passes("the id", judge.HaveTokenSubject("jane", "sub-1"), issued()),
	passes("an unknown id", judge.HaveTokenSubject("", ""), issued()),
	fails("another id", judge.HaveTokenSubject("jane", "sub-1"), wantsSub, `sub "joan" (x1)`, issued("jane", "joan")),
	fails("that of the personal agent", judge.HaveTokenSubject("", "jane"), wantsAnySub, `sub "jane", which is that of the personal agent (x1)`, issued()),
	fails("an empty one", judge.HaveTokenSubject("", ""), wantsAnySub, `sub "" (x1)`, issued("jane", "")),
	fails("a number", judge.HaveTokenSubject("", "sub-1"), wantsAnySub, `sub 42 (x1)`, issued(`"jane"`, `42`)),

	passes("the same", judge.ShareTheSubject(), issued(), issued("g-1", "g-2")),
	fails("another", judge.ShareTheSubject(), wantsOneSub, `sub "joan", before it "jane" (x2)`, issued(), named("x2", issued("jane", "joan"))),
	fails("none", judge.ShareTheSubject(), wantsOneSub, `sub {} (x1)`, issued(`"jane"`, `{}`)),

	passes("the issuer", judge.HaveTokenClient("https://pa.example"), issued()),
	fails("a slash", judge.HaveTokenClient("https://pa.example"), wantsClient, `client_id "https://pa.example/" (x1)`, issued("pa.example", "pa.example/")),
	fails("none", judge.HaveTokenClient("https://pa.example"), wantsClient, "client_id missing (x1)", issued("client_id", "azp")),

	passes("one", judge.HaveGrantID(), issued()),
	fails("an empty one", judge.HaveGrantID(), wantsGrantID, `grant_id "" (x1)`, issued("g-1", "")),
	fails("a number", judge.HaveGrantID(), wantsGrantID, "grant_id 7 (x1)", issued(`"g-1"`, "7")),
	fails("none", judge.HaveGrantID(), wantsGrantID, "grant_id missing (x1)", issued("grant_id", "grant")),

	passes("two", judge.HaveGrantIDsOfTheirOwn(), issued(), issued("g-1", "g-2")),
	fails("one", judge.HaveGrantIDsOfTheirOwn(), wantsOwnIDs, `grant_id "g-1" again (x2)`, issued(), named("x2", issued())),
	fails("none", judge.HaveGrantIDsOfTheirOwn(), wantsOwnIDs, `grant_id missing (x2)`, issued(), named("x2", issued("grant_id", "grant"))),

	passes("in another order", judge.ListTheGrantedScopes(), issued()),
	passes("nothing", judge.ListTheGrantedScopes(), saying(issued("orders:read orders:cancel", ""), "orders:cancel orders:read", "")),
	passes("an id with a comma", judge.ListTheGrantedScopes(), saying(issued("orders:read ", "orders,read "), "orders:read", "orders,read")),
	fails("one too few", judge.ListTheGrantedScopes(), wantsListed, `the token's scope "orders:read", the answer's "orders:cancel orders:read" (x1)`, issued(" orders:cancel", "")),
	fails("one too many", judge.ListTheGrantedScopes(), wantsListed, `the token's scope "orders:read orders:cancel profile", the answer's "orders:cancel orders:read" (x1)`, issued("orders:cancel", "orders:cancel profile")),
	fails("a list", judge.ListTheGrantedScopes(), wantsListed, `the token's scope ["orders:read","orders:cancel"] is no text (x1)`, issued(`"orders:read orders:cancel"`, `["orders:read","orders:cancel"]`)),
	fails("none", judge.ListTheGrantedScopes(), wantsListed, `the token's scope missing is no text (x1)`, issued(`"scope"`, `"scp"`)),
	fails("commas", judge.ListTheGrantedScopes(), wantsListed, `the token's scope "orders:read,orders:cancel" has other separators (x1)`, issued("read orders", "read,orders")),
	fails("a line feed", judge.ListTheGrantedScopes(), wantsListed, `the token's scope "orders:read\norders:cancel" has other separators (x1)`, issued("read orders", `read\norders`)),
	fails("two spaces", judge.ListTheGrantedScopes(), wantsListed, `the token's scope "orders:read  orders:cancel" has a space too many (x1)`, issued("read orders", "read  orders")),
	fails("no scope in the answer", judge.ListTheGrantedScopes(), wantsListed, `the answer's scope missing (x1)`, saying(issued(), `"scope"`, `"scopes"`)),
	fails("an error", judge.ListTheGrantedScopes(), wantsListed, notGranted, oauthError(400, "access_denied")),
)

func TestScopesOfTokens(t *testing.T) {
	g := NewWithT(t)
	g.Expect(judge.TokenScopes(issued())).To(Equal([]string{"orders:cancel", "orders:read"}))
	g.Expect(judge.TokenScopes(oauthError(400, "access_denied"))).To(BeEmpty())
	g.Expect(judge.TokenScopes(x(200, plain, `{"scope":"orders:read"}`))).To(BeEmpty(), "no token")
	g.Expect(judge.TokenScopes(saying(issued(), `"orders:cancel orders:read"`, `["orders:read"]`))).To(BeEmpty())
	g.Expect(judge.TokenScopes(&result.Exchange{})).To(BeEmpty(), "no answer")

	g.Expect(judge.DelegationScopes(served())).To(Equal([]string{"orders:read", "orders:cancel"}))
	g.Expect(judge.DelegationClaim(served(), "scope")).To(Equal("orders:read orders:cancel"))
	g.Expect(judge.DelegationClaim(served(), "none")).To(BeNil())
	g.Expect(judge.DelegationClaim(issued(), "scope")).To(BeNil(), "no header")
	g.Expect(judge.DelegationScopes(issued())).To(BeEmpty(), "no header")
	bare := served()
	bare.Request.Header.Set("X-A2A-User-Delegation", recordedJWS(tokenOfJane))
	g.Expect(judge.DelegationScopes(bare)).To(HaveLen(2))
	for scope, ids := range map[string][]string{
		`["a","b"]`: {"a", "b"},
		`"a\tb"`:    {"a", "b"},
		`"a,b"`:     {"a,b", "a", "b"},
		`7`:         nil,
	} {
		g.Expect(judge.DelegationScopes(carrying(served(), `"orders:read orders:cancel"`, scope))).To(Equal(ids), scope)
	}
}
