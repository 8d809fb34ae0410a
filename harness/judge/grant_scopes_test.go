package judge_test

import (
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// allowing is a token answer with these scopes, in the answer and in the token.
func allowing(answer, token string) *result.Exchange {
	return saying(issued("orders:read orders:cancel", token), "orders:cancel orders:read", answer)
}

const (
	wantsJust      = `just the scopes that were approved, "a b"`
	wantsWithin    = `an OAuth error, or no scope besides "a b"`
	wantsNone      = "an OAuth error, or an empty scope"
	wantsSameGrant = "a token of the same grant: sub, grant_id, client_id, aud and scope as in the first"
)

var (
	ab = []string{"a", "b"}
	c  = []string{"c"}
)

var _ = add(
	passes("in any order", judge.GrantExactly(ab, nil), allowing("a b", "b a")),
	passes("nothing", judge.GrantExactly(nil, nil), allowing("", "")),
	warns("with one approved elsewhere", judge.GrantExactly(ab, c), wantsJust, `scope "a b c" in the answer, of which another consent approved "c" (x1)`, allowing("a b c", "a b c")),
	warns("with one approved elsewhere in the token", judge.GrantExactly(ab, c), wantsJust, `scope "c a b" in the token, of which another consent approved "c" (x1)`, allowing("a b", "c a b")),
	fails("with one never approved", judge.GrantExactly(ab, c), wantsJust, `scope "a b c d" in the answer (x1)`, allowing("a b c d", "a b")),
	fails("with one never approved in the token", judge.GrantExactly(ab, c), wantsJust, `scope "a b d" in the token (x1)`, allowing("a b c", "a b d")),
	fails("less", judge.GrantExactly(ab, c), wantsJust, `scope "b c" in the answer (x1)`, allowing("b c", "a b c")),
	fails("less in the token", judge.GrantExactly(ab, nil), wantsJust, `scope "" in the token (x1)`, allowing("a b", "")),
	fails("no scope in the answer", judge.GrantExactly(ab, nil), wantsJust, "scope missing in the answer (x1)", saying(allowing("a b", "a b"), `"scope"`, `"scopes"`)),
	fails("a list in the token", judge.GrantExactly(ab, nil), wantsJust, `scope ["a","b"] in the token (x1)`, saying(issued(`"orders:read orders:cancel"`, `["a","b"]`), "orders:cancel orders:read", "a b")),
	fails("an opaque token", judge.GrantExactly(ab, nil), wantsJust, `an access_token that is no JWS with claims: "[access_token-1:9]" (x1)`, granted()),
	fails("an error", judge.GrantExactly(ab, nil), wantsJust, notGranted, oauthError(400, "access_denied")),

	passes("an error", judge.GrantWithin(ab, nil), oauthError(400, "invalid_scope"), oauthError(401, "invalid_client")),
	passes("all of it", judge.GrantWithin(ab, nil), allowing("a b", "a b")),
	passes("less", judge.GrantWithin(ab, nil), allowing("b", "")),
	passes("nothing at all", judge.GrantWithin(nil, nil), allowing("", ""), saying(issued(`"scope"`, `"scp"`), `"scope"`, `"scopes"`)),
	warns("one approved elsewhere", judge.GrantWithin(ab, c), wantsWithin, `scope "c" in the token, of which another consent approved "c" (x1)`, allowing("a", "c")),
	fails("one more", judge.GrantWithin(ab, c), wantsWithin, `scope "a d" in the token (x1)`, allowing("a", "a d")),
	fails("one more in the answer", judge.GrantWithin(ab, c), wantsWithin, `scope "c d" in the answer (x1)`, allowing("c d", "c")),
	fails("one where none is allowed", judge.GrantWithin(nil, nil), wantsNone, `scope "a" in the answer (x1)`, allowing("a", "")),
	passes("in other forms", judge.GrantWithin(ab, nil), allowing("a,b", "b, a"), saying(issued(`"orders:read orders:cancel"`, `["a"]`), `"orders:cancel orders:read"`, `["a","b"]`)),
	passes("an id with a comma", judge.GrantWithin([]string{"a,x"}, nil), allowing("a,x", "a,x")),
	fails("one more in a list", judge.GrantWithin(ab, nil), wantsWithin, `scope ["a","d"] in the answer (x1)`, saying(allowing("a", "a"), `"a"`, `["a","d"]`)),
	fails("one more behind a comma", judge.GrantWithin(ab, nil), wantsWithin, `scope "a,d" in the token (x1)`, allowing("a", "a,d")),
	fails("a number", judge.GrantWithin(ab, nil), wantsWithin, `scope 7 in the answer (x1)`, saying(allowing("a", "a"), `"a"`, `7`)),
	fails("an invitation to go on", judge.GrantWithin(ab, nil), wantsWithin, `400 Bad Request (application/json), error "slow_down" (x1)`, oauthError(400, "slow_down")),
	fails("an error under another status", judge.GrantWithin(ab, nil), wantsWithin, `403 Forbidden (application/json), error "access_denied" (x1)`, oauthError(403, "access_denied")),
	fails("a 400 without error", judge.GrantWithin(ab, nil), wantsWithin, `400 Bad Request (text/html) (x1)`, x(400, html, "no")),
	fails("an error with a token", judge.GrantWithin(ab, nil), wantsWithin, `400 Bad Request (application/json), error "x" (x1)`, x(400, plain, `{"error":"x","access_token":"t"}`)),
	fails("an opaque token", judge.GrantWithin(ab, nil), wantsWithin, `an access_token that is no JWS with claims: "[access_token-1:9]" (x1)`, granted()),

	passes("the same", judge.ContinueTheGrant(nil), issued(), issued("1767225600", "1767225700", "1767229200", "1767229300", "orders:read orders:cancel", "orders:cancel orders:read"), issued()),
	passes("no scope in the answer", judge.ContinueTheGrant(nil), issued(), saying(issued(), `"scope"`, `"scopes"`)),
	warns("a scope approved elsewhere", judge.ContinueTheGrant(c), wantsSameGrant, `scope "a b c" in the answer, of which another consent approved "c"; in the first "a b" (x2)`, allowing("a b", "a b"), named("x2", allowing("a b c", "a b c"))),
	fails("a scope of no consent", judge.ContinueTheGrant(c), wantsSameGrant, `scope "a b d" in the token; in the first "a b" (x2)`, allowing("a b", "a b"), named("x2", allowing("a b c", "a b d"))),
	fails("a scope less", judge.ContinueTheGrant(c), wantsSameGrant, `scope "a c" in the answer; in the first "a b" (x2)`, allowing("a b", "a b"), named("x2", allowing("a c", "a b"))),
	fails("no scope in the token", judge.ContinueTheGrant(nil), wantsSameGrant, `scope missing in the token (x2)`, issued(), named("x2", issued(`"scope"`, `"scp"`))),
	fails("another grant", judge.ContinueTheGrant(nil), wantsSameGrant, `grant_id "g-2", in the first "g-1" (x3)`, issued(), named("x2", issued()), named("x3", issued("g-1", "g-2"))),
	fails("another user", judge.ContinueTheGrant(nil), wantsSameGrant, `sub "joan", in the first "jane" (x2)`, issued(), named("x2", issued("jane", "joan"))),
	fails("another client", judge.ContinueTheGrant(nil), wantsSameGrant, `client_id missing, in the first "https://pa.example" (x2)`, issued(), named("x2", issued("client_id", "azp"))),
	fails("another audience", judge.ContinueTheGrant(nil), wantsSameGrant, `aud ["b"], in the first "https://p.example/a2a" (x2)`, issued(), named("x2", issued(`"https://p.example/a2a"`, `["b"]`))),
	passes("no grant_id in either, which others judge", judge.ContinueTheGrant(nil), issued("grant_id", "grant"), issued("grant_id", "grant")),
	passes("a grant_id that the first lacks", judge.ContinueTheGrant(nil), issued("grant_id", "grant"), issued()),
	fails("no grant_id any more", judge.ContinueTheGrant(nil), wantsSameGrant, `grant_id missing, in the first "g-1" (x2)`, issued(), named("x2", issued("grant_id", "grant"))),
	fails("an error to begin with", judge.ContinueTheGrant(nil), wantsSameGrant, notGranted, oauthError(400, "access_denied"), issued()),
	fails("an error then", judge.ContinueTheGrant(nil), wantsSameGrant, `400 Bad Request (application/json), error "invalid_grant" (x2)`, issued(), named("x2", oauthError(400, "invalid_grant"))),
	fails("no scope to begin with", judge.ContinueTheGrant(nil), wantsSameGrant, `scope missing in the answer (x1)`, saying(issued(), `"scope"`, `"scopes"`), issued()),
	fails("no refresh", judge.ContinueTheGrant(nil), wantsSameGrant, "no answer to a refresh", issued()),
)
