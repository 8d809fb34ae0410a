package judge_test

import (
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// receiptOfJane are the claims of a receipt of a turn at newYear.
const receiptOfJane = `{"grantId":"g-1","user":"jane","pa":"https://pa.example","brand":"https://p.example/a2a","scopesUsed":["orders:read"],` +
	`"actions":[{"tool":"lookup_orders","argsHash":"h"}],"ts":"2026-01-01T00:00:01Z"}`

const agentJWT = `{"iss":"https://pa.example","sub":"sub-1"}`

// receiving is a reply to a request with both tokens, with that receipt.
func receiving(receipt string) *result.Exchange {
	made := message(`"messageId":"r","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"Hi"}],"metadata":{"pact.receipt":` + receipt + `}`)
	made.Started, made.Duration, made.Tags.Brand = newYear, 2, "brand"
	made.Request.Header = http.Header{}
	made.Request.Header.Set("Authorization", "Bearer "+recordedJWS(agentJWT))
	made.Request.Header.Set("X-A2A-User-Delegation", "Bearer "+recordedJWS(tokenOfJane))
	made.Request.Body = `{"message":{"messageId":"m","parts":[{"text":"My orders?"}]}}`
	return made
}

// served is a reply whose receipt has claims changed by pairs of old and new texts, signed as they are.
func served(changes ...string) *result.Exchange {
	claims := strings.NewReplacer(changes...).Replace(receiptOfJane)
	return receiving(`{"jws":"` + recordedJWS(claims) + `","claims":` + claims + `}`)
}

// signing is a reply whose receipt signs claims changed by pairs of old and new texts.
func signing(changes ...string) *result.Exchange {
	payload := strings.NewReplacer(changes...).Replace(receiptOfJane)
	return receiving(`{"jws":"` + recordedJWS(payload) + `","claims":` + receiptOfJane + `}`)
}

// carrying changes the delegation token of the request by pairs of old and new texts.
func carrying(x *result.Exchange, changes ...string) *result.Exchange {
	x.Request.Header.Set("X-A2A-User-Delegation", "bearer "+recordedJWS(strings.NewReplacer(changes...).Replace(tokenOfJane)))
	return x
}

// replayed is a stored reply.
func replayed(x *result.Exchange) *result.Exchange {
	x.Replay = true
	return x
}

const (
	wantsReceipt = "a message whose metadata pact.receipt has jws and claims"
	wantsSigned  = "a receipt whose jws has its claims as payload"
	wantsRepeat  = "the same claims in the receipt of the reply and of its repeat"
	wantsUsed    = `a receipt with "orders:read" in scopesUsed`
	wantsSpared  = `no receipt with "orders:read" in scopesUsed`
)

var _ = add(
	passes("one", judge.HaveReceipt(), served(), receiving(`{"jws":"x","claims":{}}`)),
	fails("none", judge.HaveReceipt(), wantsReceipt, "metadata pact.receipt missing (x2)", served(), named("x2", reply("r", "c", "Hi"))),
	fails("a text", judge.HaveReceipt(), wantsReceipt, `metadata pact.receipt "eyJ" (x1)`, receiving(`"eyJ"`)),
	fails("no jws", judge.HaveReceipt(), wantsReceipt, "the receipt's jws missing (x1)", receiving(`{"claims":{}}`)),
	fails("a jws that is no text", judge.HaveReceipt(), wantsReceipt, "the receipt's jws {} (x1)", receiving(`{"jws":{},"claims":{}}`)),
	fails("no claims", judge.HaveReceipt(), wantsReceipt, "the receipt's claims missing (x1)", receiving(`{"jws":"x"}`)),
	fails("claims that are a list", judge.HaveReceipt(), wantsReceipt, "the receipt's claims [] (x1)", receiving(`{"jws":"x","claims":[]}`)),
	fails("a task", judge.HaveReceipt(), wantsReceipt, "200 OK (application/a2a+json) "+stepUp+" (x1)", x(200, a2a, stepUp)),

	passes("the same", judge.ReceiptSignsItsClaims(), served(), served(`"h"`, `1e21`)),
	passes("in another order and form", judge.ReceiptSignsItsClaims(),
		receiving(`{"jws":"`+recordedJWS(`{"b":1.0,"a":{"y":"\u00e9","x":[1e3]}}`)+`","claims":{"a":{"x":[1000],"y":"é"},"b":1}}`)),
	warns("with claims of any JWT", judge.ReceiptSignsItsClaims(), wantsSigned, "iat, iss in jws alone (x1)", signing(`{"grantId"`, `{"iss":"p","iat":1,"grantId"`)),
	fails("with another claim", judge.ReceiptSignsItsClaims(), wantsSigned, `model missing in claims, "m" in jws (x1)`, signing(`{"grantId"`, `{"iat":1,"model":"m","grantId"`)),
	fails("without a claim", judge.ReceiptSignsItsClaims(), wantsSigned, `ts "2026-01-01T00:00:01Z" in claims, missing in jws (x1)`, signing(`,"ts":"2026-01-01T00:00:01Z"`, "")),
	fails("without iat", judge.ReceiptSignsItsClaims(), wantsSigned, "iat 1 in claims, missing in jws (x1)", receiving(`{"jws":"`+recordedJWS(`{}`)+`","claims":{"iat":1}}`)),
	fails("null for nothing", judge.ReceiptSignsItsClaims(), wantsSigned, "note missing in claims, null in jws (x1)", signing(`{"grantId"`, `{"note":null,"grantId"`)),
	fails("another user", judge.ReceiptSignsItsClaims(), wantsSigned, `user "jane" in claims, "joan" in jws (x2)`, served(), named("x2", signing("jane", "joan"))),
	fails("an action more", judge.ReceiptSignsItsClaims(), wantsSigned,
		`actions [{"argsHash":"h","tool":"lookup_orders"}] in claims, [{"argsHash":"h","tool":"lookup_orders"},{"tool":"t"}] in jws (x1)`, signing(`"h"}`, `"h"},{"tool":"t"}`)),
	fails("a JWS of nothing", judge.ReceiptSignsItsClaims(), wantsSigned, `the jws "h..s" is no JWS of an object (x1)`, receiving(`{"jws":"h..s","claims":{}}`)),
	fails("no jws", judge.ReceiptSignsItsClaims(), wantsSigned, `the jws missing is no JWS of an object (x1)`, receiving(`{"claims":{}}`)),
	fails("no receipt", judge.ReceiptSignsItsClaims(), wantsSigned, "metadata pact.receipt missing (x1)", reply("r", "c", "Hi")),

	passes("the same", judge.RepeatTheReceipt(), served(), replayed(served())),
	passes("signed anew", judge.RepeatTheReceipt(), served(), signing(`{"grantId"`, `{"iat":1,"grantId"`)),
	fails("another time", judge.RepeatTheReceipt(), wantsRepeat, `ts "2026-01-01T00:00:09Z", in the first "2026-01-01T00:00:01Z" (x2)`, served(), named("x2", served(":01Z", ":09Z"))),
	fails("a claim more", judge.RepeatTheReceipt(), wantsRepeat, `more 1, in the first missing (x2)`, served(), named("x2", served(`{"grantId"`, `{"more":1,"grantId"`))),
	fails("none in the repeat", judge.RepeatTheReceipt(), wantsRepeat, "metadata pact.receipt missing (x2)", served(), named("x2", reply("r", "c", "Hi"))),
	fails("none to begin with", judge.RepeatTheReceipt(), wantsRepeat, "metadata pact.receipt missing (x1)", reply("r", "c", "Hi"), served()),
	fails("no repeat", judge.RepeatTheReceipt(), wantsRepeat, "no repeat", served()),

	passes("among others", judge.ReceiptUses("orders:read"), served(), served(`["orders:read"]`, `["a","orders:read"]`), replayed(served())),
	fails("another", judge.ReceiptUses("orders:read"), wantsUsed, `scopesUsed ["orders:cancel"] (x2)`, served(), named("x2", served(`["orders:read"]`, `["orders:cancel"]`))),
	fails("a text", judge.ReceiptUses("orders:read"), wantsUsed, `scopesUsed "orders:read" (x1)`, served(`["orders:read"]`, `"orders:read"`)),
	fails("null", judge.ReceiptUses("orders:read"), wantsUsed, `scopesUsed null (x1)`, served(`["orders:read"]`, `null`)),
	fails("no receipt", judge.ReceiptUses("orders:read"), wantsUsed, "metadata pact.receipt missing (x1)", reply("r", "c", "Hi")),

	passes("another scope", judge.ReceiptSparesScope("orders:read"), served("orders:read", "orders:readers")),
	passes("no receipt", judge.ReceiptSparesScope("orders:read"), reply("r", "c", "Hi"), x(200, a2a, stepUp), x(400, a2a, invalidParams), receiving(`"x"`)),
	fails("in a message", judge.ReceiptSparesScope("orders:read"), wantsSpared, `scopesUsed ["orders:read"] (x2)`, x(200, a2a, stepUp), named("x2", served())),
	fails("in a text", judge.ReceiptSparesScope("orders:read"), wantsSpared, `scopesUsed "a orders:read" (x1)`, receiving(`{"claims":{"scopesUsed":"a orders:read"}}`)),
	fails("in what is signed", judge.ReceiptSparesScope("orders:read"), wantsSpared, `scopesUsed ["orders:read"] (x1)`, receiving(`{"jws":"`+recordedJWS(receiptOfJane)+`"}`)),
	fails("in a task", judge.ReceiptSparesScope("orders:read"), wantsSpared, `scopesUsed ["orders:read"] (x1)`,
		x(200, a2a, strings.Replace(stepUp, `"metadata":{`, `"metadata":{"pact.receipt":{"claims":`+receiptOfJane+`},`, 1))),
	fails("in the message of a task", judge.ReceiptSparesScope("orders:read"), wantsSpared, `scopesUsed ["orders:read"] (x1)`,
		x(200, a2a, strings.Replace(stepUp, `"status":{`, `"status":{"message":{"metadata":{"pact.receipt":{"claims":`+receiptOfJane+`}}},`, 1))),
)

func TestWhatReceiptThereIs(t *testing.T) {
	g := NewWithT(t)
	g.Expect(judge.HasReceipt(served())).To(BeTrue())
	g.Expect(judge.ReceiptJWS(served())).To(Equal(recordedJWS(receiptOfJane)))
	g.Expect(judge.HasReceipt(receiving(`{"claims":{}}`))).To(BeTrue(), "without a jws")
	for _, none := range []*result.Exchange{reply("r", "c", "Hi"), receiving(`[]`), receiving(`{"jws":7}`), x(200, a2a, stepUp), x(401, "", ""), {}} {
		g.Expect(judge.HasReceipt(none)).To(BeFalse())
		g.Expect(judge.ReceiptJWS(none)).To(BeEmpty())
	}
	g.Expect(judge.ReceiptJWS(receiving(`{"jws":"x"}`))).To(Equal("x"), "without claims")
}
