package judge_test

import (
	"strings"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// errs is for exchanges by which the judge can say nothing about the Provider.
func errs(about string, j judge.Judge, expected, got string, of ...*result.Exchange) example {
	return example{about, j, of, result.Errored, expected, got}
}

// without takes a header from the request.
func without(header string, x *result.Exchange) *result.Exchange {
	x.Request.Header.Del(header)
	return x
}

// asking changes the text that was sent.
func asking(text string, x *result.Exchange) *result.Exchange {
	x.Request.Body = strings.Replace(x.Request.Body, "My orders?", text, 1)
	return x
}

const (
	wantsTheGrant = "a receipt whose grantId is grant_id of the delegation token"
	wantsTheUser  = "a receipt whose user is sub of the delegation token"
	wantsTheAgent = "a receipt whose pa is iss of the personal-agent JWT"
	wantsTheBrand = "a receipt whose brand is the interface URL"
	wantsTheUsed  = "a receipt whose scopesUsed lists scopes of the delegation token, with the one that the text needs"
	wantsActions  = "a receipt whose actions lists tools, with one at least where a scope was used"
	wantsTheTime  = "a receipt whose ts is an RFC 3339 time between request and answer"
	wantsNeeded   = "a receipt that uses no scopes without actions, and never all of the token's by habit"
	noReceipt     = "metadata pact.receipt missing (x1)"
)

var (
	brandURLs = map[string]string{"brand": "https://p.example/a2a"}
	needs     = map[string]string{"My orders?": "orders:read", "Refund me.": "refunds:issue"}
)

const (
	usesRead = `["orders:read"]`
	acts     = `[{"tool":"lookup_orders","argsHash":"h"}]`
)

var _ = add(
	passes("that of the token", judge.ReceiptNamesTheGrant(), served(), carrying(served("g-1", "g-2"), "g-1", "g-2")),
	passes("a stored reply under a later grant", judge.ReceiptNamesTheGrant(), served(), replayed(carrying(served(), "g-1", "g-2"))),
	fails("another", judge.ReceiptNamesTheGrant(), wantsTheGrant, `grantId "g-2", grant_id "g-1" (x2)`, served(), named("x2", served("g-1", "g-2"))),
	fails("none", judge.ReceiptNamesTheGrant(), wantsTheGrant, `grantId missing, grant_id "g-1" (x1)`, served("grantId", "grant")),
	fails("none in the token either", judge.ReceiptNamesTheGrant(), wantsTheGrant, `grantId missing, grant_id missing (x1)`, carrying(served("grantId", "grant"), "grant_id", "grant")),
	fails("an opaque token", judge.ReceiptNamesTheGrant(), wantsTheGrant, `grantId "g-1", grant_id missing (x1)`, opaque(served())),
	fails("no receipt", judge.ReceiptNamesTheGrant(), wantsTheGrant, noReceipt, reply("r", "c", "Hi")),
	errs("no delegation token", judge.ReceiptNamesTheGrant(), wantsTheGrant, "no delegation token in the request (x1)", without("X-A2A-User-Delegation", served())),
	errs("no turn", judge.ReceiptNamesTheGrant(), wantsTheGrant, "stored replies alone", replayed(served())),
	fails("no delegation token, and another grant", judge.ReceiptNamesTheGrant(), wantsTheGrant, `grantId "g-2", grant_id "g-1" (x2)`,
		without("X-A2A-User-Delegation", served()), named("x2", served("g-1", "g-2"))),

	passes("that of the token", judge.ReceiptNamesTheUser(), served()),
	fails("another", judge.ReceiptNamesTheUser(), wantsTheUser, `user "sub-1", sub "jane" (x1)`, served("jane", "sub-1")),
	fails("a list", judge.ReceiptNamesTheUser(), wantsTheUser, `user ["jane"], sub "jane" (x1)`, served(`"jane"`, `["jane"]`)),

	passes("that of the personal-agent JWT", judge.ReceiptNamesTheAgent(), served()),
	fails("its host", judge.ReceiptNamesTheAgent(), wantsTheAgent, `pa "pa.example", iss "https://pa.example" (x1)`, served("https://pa", "pa")),
	errs("no personal-agent JWT", judge.ReceiptNamesTheAgent(), wantsTheAgent, "no personal-agent JWT in the request (x1)", without("Authorization", served())),

	passes("that of the Brand", judge.ReceiptNamesTheBrand(brandURLs), served()),
	fails("its path", judge.ReceiptNamesTheBrand(brandURLs), wantsTheBrand, `brand "/a2a" at https://p.example/a2a (x1)`, served("https://p.example/a2a", "/a2a")),
	fails("none", judge.ReceiptNamesTheBrand(brandURLs), wantsTheBrand, `brand missing at https://p.example/a2a (x1)`, served("brand", "at")),
	fails("no receipt", judge.ReceiptNamesTheBrand(brandURLs), wantsTheBrand, noReceipt, reply("r", "c", "Hi")),
	errs("a Brand without a URL", judge.ReceiptNamesTheBrand(nil), wantsTheBrand, `no interface URL of "brand" is known (x1)`, served()),

	passes("the one needed", judge.ReceiptUsesScopesOfTheToken(needs), served()),
	passes("none", judge.ReceiptUsesScopesOfTheToken(needs), asking("Hello", served(usesRead, "[]"))),
	passes("none, where the token lacks it", judge.ReceiptUsesScopesOfTheToken(needs), asking("Refund me.", served(usesRead, "[]"))),
	passes("a token with a list of scopes", judge.ReceiptUsesScopesOfTheToken(needs), carrying(served(), `"orders:read orders:cancel"`, `["orders:read"]`)),
	passes("a stored reply under a narrower token", judge.ReceiptUsesScopesOfTheToken(needs), served(), replayed(carrying(served(), "orders:read ", ""))),
	fails("one that the token lacks", judge.ReceiptUsesScopesOfTheToken(needs), wantsTheUsed, `scopesUsed ["orders:read"], the token's scope "orders:cancel" (x1)`, carrying(served(), "orders:read ", "")),
	fails("no text", judge.ReceiptUsesScopesOfTheToken(nil), wantsTheUsed, `scopesUsed [1], the token's scope "orders:read orders:cancel" (x1)`, served(usesRead, "[1]")),
	fails("null", judge.ReceiptUsesScopesOfTheToken(nil), wantsTheUsed, "scopesUsed null (x1)", served(usesRead, "null")),
	fails("no list", judge.ReceiptUsesScopesOfTheToken(nil), wantsTheUsed, `scopesUsed "orders:read" (x1)`, served(usesRead, `"orders:read"`)),
	fails("without the one needed", judge.ReceiptUsesScopesOfTheToken(needs), wantsTheUsed, `scopesUsed ["orders:cancel"], the text needs "orders:read" (x1)`, served(usesRead, `["orders:cancel"]`)),
	fails("no receipt", judge.ReceiptUsesScopesOfTheToken(needs), wantsTheUsed, noReceipt, reply("r", "c", "Hi")),
	errs("no delegation token", judge.ReceiptUsesScopesOfTheToken(needs), wantsTheUsed, "no delegation token in the request (x1)", without("X-A2A-User-Delegation", served())),

	passes("one", judge.ReceiptListsActions(), served(), served(`,"argsHash":"h"`, `,"result":{"n":1}`), served(`"h"`, "null")),
	passes("none without scopes", judge.ReceiptListsActions(), served(usesRead, "[]", acts, "[]")),
	passes("one without scopes", judge.ReceiptListsActions(), served(usesRead, "[]")),
	fails("none with a scope", judge.ReceiptListsActions(), wantsActions, `actions [], scopesUsed ["orders:read"] (x1)`, served(acts, "[]")),
	fails("null", judge.ReceiptListsActions(), wantsActions, "actions null (x1)", served(acts, "null")),
	fails("missing", judge.ReceiptListsActions(), wantsActions, "actions missing (x1)", served(`"actions"`, `"tools"`)),
	fails("names", judge.ReceiptListsActions(), wantsActions, `the action "lookup_orders" (x1)`, served(acts, `["lookup_orders"]`)),
	fails("no tool", judge.ReceiptListsActions(), wantsActions, `the action {"name":"lookup_orders"} (x1)`, served(acts, `[{"tool":"a"},{"name":"lookup_orders"}]`)),
	fails("an empty tool", judge.ReceiptListsActions(), wantsActions, `the action {"tool":""} (x1)`, served(acts, `[{"tool":""}]`)),
	fails("a number as hash", judge.ReceiptListsActions(), wantsActions, `the action {"argsHash":42,"tool":"lookup_orders"} (x1)`, served(`"h"`, "42")),
	fails("no receipt", judge.ReceiptListsActions(), wantsActions, noReceipt, reply("r", "c", "Hi")),

	passes("in time", judge.ReceiptIsOfTheTurn(0), served(), served("00:00:01Z", "02:00:01.25+02:00"), served("01T00:00:01Z", "01t00:00:01z")),
	passes("a minute off", judge.ReceiptIsOfTheTurn(0), served("2026-01-01T00:00:01Z", "2025-12-31T23:59:00Z"), served("00:01Z", "01:02Z")),
	passes("by a clock that is an hour ahead", judge.ReceiptIsOfTheTurn(3600), served("T00:00", "T01:00")),
	passes("a stored reply much later", judge.ReceiptIsOfTheTurn(0), served(), replayed(served("2026", "2025"))),
	fails("early", judge.ReceiptIsOfTheTurn(0), wantsTheTime, `ts "2025-12-31T23:58:59Z", 61 s before the request (x1)`, served("2026-01-01T00:00:01Z", "2025-12-31T23:58:59Z")),
	fails("late", judge.ReceiptIsOfTheTurn(0), wantsTheTime, `ts "2026-01-01T00:01:03Z", 61 s after the answer (x1)`, served("00:01Z", "01:03Z")),
	fails("by a clock that is an hour behind", judge.ReceiptIsOfTheTurn(-3600), wantsTheTime, `ts "2026-01-01T00:00:01Z", 3599 s after the answer (x1)`, served()),
	fails("a number", judge.ReceiptIsOfTheTurn(0), wantsTheTime, "ts 1767225601 (x1)", served(`"2026-01-01T00:00:01Z"`, "1767225601")),
	fails("without a zone", judge.ReceiptIsOfTheTurn(0), wantsTheTime, `ts "2026-01-01T00:00:01" (x1)`, served("01Z", "01")),
	fails("none", judge.ReceiptIsOfTheTurn(0), wantsTheTime, "ts missing (x1)", served(`"ts"`, `"at"`)),
	errs("no turn", judge.ReceiptIsOfTheTurn(0), wantsTheTime, "stored replies alone", replayed(served())),

	passes("for an action", judge.ReceiptUsesNothingUnneeded("Hello"), served(), served(usesRead, `["orders:read","orders:cancel"]`)),
	passes("none, with and without an action", judge.ReceiptUsesNothingUnneeded("Hello"), served(usesRead, "[]", acts, "[]"), served(usesRead, "[]")),
	passes("one of two for a text that needs none", judge.ReceiptUsesNothingUnneeded("Hello"), asking("Hello", served())),
	passes("all of a token with one scope", judge.ReceiptUsesNothingUnneeded("Hello"), carrying(asking("Hello", served()), " orders:cancel", "")),
	passes("no text that needs none", judge.ReceiptUsesNothingUnneeded(""), asking("", served(usesRead, `["orders:read","orders:cancel"]`))),
	fails("one without an action", judge.ReceiptUsesNothingUnneeded("Hello"), wantsNeeded, `scopesUsed ["orders:read"], actions [] (x1)`, served(acts, "[]")),
	fails("all of it for a text that needs none", judge.ReceiptUsesNothingUnneeded("Hello"), wantsNeeded,
		`scopesUsed ["orders:cancel","orders:read"] for a text that needs none (x1)`, asking("Hello", served(usesRead, `["orders:cancel","orders:read"]`))),
	passes("forms that others judge", judge.ReceiptUsesNothingUnneeded("Hello"), served(usesRead, "null", acts, "[]"), served(usesRead, "[]", `"actions"`, `"tools"`), served(acts, `"lookup_orders"`)),
	fails("one as a text, and no actions", judge.ReceiptUsesNothingUnneeded("Hello"), wantsNeeded, `scopesUsed "orders:read", actions missing (x1)`, served(usesRead, `"orders:read"`, `"actions"`, `"tools"`)),
	fails("no receipt", judge.ReceiptUsesNothingUnneeded("Hello"), wantsNeeded, noReceipt, reply("r", "c", "Hi")),
)

// opaque puts a delegation token into the request that cannot be read.
func opaque(x *result.Exchange) *result.Exchange {
	x.Request.Header.Set("X-A2A-User-Delegation", "Bearer [masked]")
	return x
}
