package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// receiptIn is the receipt in the metadata of a message or a task; nil where there is no object.
func receiptIn(holder map[string]any) map[string]any {
	metadata, _ := holder["metadata"].(map[string]any)
	receipt, _ := metadata["pact.receipt"].(map[string]any)
	return receipt
}

// receipt is the receipt of a reply; nil where there is none.
func receipt(x *result.Exchange) map[string]any { return receiptIn(reply(x)) }

// receiptClaims are the claims of the receipt of a reply; nil where there are none.
func receiptClaims(x *result.Exchange) map[string]any {
	if !IsReply(x) {
		return nil
	}
	claims, _ := receipt(x)["claims"].(map[string]any)
	return claims
}

// HasReceipt reports whether an answer is a reply with a receipt whose claims can be read.
func HasReceipt(x *result.Exchange) bool { return receiptClaims(x) != nil }

// ReceiptJWS is the JWS of the receipt of a reply; empty where there is none.
func ReceiptJWS(x *result.Exchange) string {
	jws, _ := receipt(x)["jws"].(string)
	return jws
}

// withoutReceipt says what there is in the place of a receipt with claims.
func withoutReceipt(x *result.Exchange) shortfall {
	if !IsReply(x) {
		return failing("%s %s", Answered(x), shorten(x.Response.Body))
	}
	metadata, _ := reply(x)["metadata"].(map[string]any)
	if receipt(x) != nil {
		return failing("the receipt's claims %s", show(receipt(x)["claims"]))
	}
	return failing("metadata pact.receipt %s", show(metadata["pact.receipt"]))
}

// eachReceipt judges the receipt of every reply by itself; a reply without one falls short.
func eachReceipt(expected string, xs []*result.Exchange, say func(x *result.Exchange, claims map[string]any) shortfall) Finding {
	return each(expected, xs, func(x *result.Exchange) shortfall {
		claims := receiptClaims(x)
		if claims == nil {
			return withoutReceipt(x)
		}
		return say(x, claims)
	})
}

// HaveReceipt passes replies whose metadata has a receipt with jws, a text, and claims, an object (§5.6).
func HaveReceipt() Judge { return haveReceipt(none{}) }

var haveReceipt = define("HaveReceipt", func(_ none, xs []*result.Exchange) Finding {
	return eachReceipt("a message whose metadata pact.receipt has jws and claims", xs, func(x *result.Exchange, _ map[string]any) shortfall {
		if ReceiptJWS(x) == "" {
			return failing("the receipt's jws %s", show(receipt(x)["jws"]))
		}
		return shortfall{}
	})
})

// registered are the claims that belong to any JWT (RFC 7519 §4.1).
var registered = []string{"iss", "sub", "aud", "exp", "nbf", "iat", "jti"}

// ReceiptSignsItsClaims passes receipts whose jws has just the claims as its payload (§5.6); claims
// of any JWT that the payload adds are a warning.
func ReceiptSignsItsClaims() Judge { return receiptSignsItsClaims(none{}) }

var receiptSignsItsClaims = define("ReceiptSignsItsClaims", func(_ none, xs []*result.Exchange) Finding {
	return eachReceipt("a receipt whose jws has its claims as payload", xs, func(x *result.Exchange, claims map[string]any) shortfall {
		payload := claimsOf(ReceiptJWS(x))
		if payload == nil {
			return failing("the jws %s is no JWS of an object", show(receipt(x)["jws"]))
		}
		var added []string
		for _, name := range memberNames(claims, payload) {
			_, shown := claims[name]
			switch {
			case !shown && slices.Contains(registered, name):
				added = append(added, name)
			case member(claims, name) != member(payload, name):
				return failing("%s %s in claims, %s in jws", name, shorten(member(claims, name)), shorten(member(payload, name)))
			}
		}
		if len(added) > 0 {
			return warning("%s in jws alone", strings.Join(added, ", "))
		}
		return shortfall{}
	})
})

// memberNames are the names of the members of both objects, sorted.
func memberNames(one, other map[string]any) []string {
	names := slices.Concat(slices.Collect(maps.Keys(one)), slices.Collect(maps.Keys(other)))
	slices.Sort(names)
	return slices.Compact(names)
}

// member is a member as text, the same for equal JSON; null is told from what is missing.
func member(members map[string]any, name string) string {
	value, there := members[name]
	if there && value == nil {
		return "null"
	}
	return whole(value)
}

// RepeatTheReceipt passes a reply and its repeats whose receipts all have the same claims (§5.5).
func RepeatTheReceipt() Judge { return repeatTheReceipt(none{}) }

var repeatTheReceipt = define("RepeatTheReceipt", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the same claims in the receipt of the reply and of its repeat"
	if len(xs) == 1 {
		return failed(expected, "no repeat")
	}
	first := receiptClaims(xs[0])
	return eachReceipt(expected, xs, func(_ *result.Exchange, claims map[string]any) shortfall {
		for _, name := range memberNames(first, claims) {
			if one, other := member(first, name), member(claims, name); one != other {
				return failing("%s %s, in the first %s", name, shorten(other), shorten(one))
			}
		}
		return shortfall{}
	})
})

// ReceiptUses passes replies whose receipt has the scope in scopesUsed (§5.6).
func ReceiptUses(scope string) Judge { return receiptUses(scopeArgs{Scope: scope}) }

type scopeArgs struct {
	Scope string `json:"scope"`
}

var receiptUses = define("ReceiptUses", func(a scopeArgs, xs []*result.Exchange) Finding {
	return eachReceipt(fmt.Sprintf("a receipt with %q in scopesUsed", a.Scope), xs, func(_ *result.Exchange, claims map[string]any) shortfall {
		if used, ok := list(claims, "scopesUsed"); !ok || !slices.Contains(used, any(a.Scope)) {
			return failing("scopesUsed %s", shorten(member(claims, "scopesUsed")))
		}
		return shortfall{}
	})
})

// ReceiptSparesScope passes answers of message:send of which no receipt has the scope in scopesUsed:
// neither that of a message nor one that a task may have (§5.5).
func ReceiptSparesScope(scope string) Judge { return receiptSparesScope(scopeArgs{Scope: scope}) }

var receiptSparesScope = define("ReceiptSparesScope", func(a scopeArgs, xs []*result.Exchange) Finding {
	return each(fmt.Sprintf("no receipt with %q in scopesUsed", a.Scope), xs, func(x *result.Exchange) shortfall {
		task, _ := object(x)["task"].(map[string]any)
		status, _ := task["status"].(map[string]any)
		asking, _ := status["message"].(map[string]any)
		for _, holder := range []map[string]any{reply(x), task, asking} {
			receipt := receiptIn(holder)
			claims, _ := receipt["claims"].(map[string]any)
			jws, _ := receipt["jws"].(string)
			for _, claims := range []map[string]any{claims, claimsOf(jws)} {
				if used := claims["scopesUsed"]; slices.Contains(listed(used), a.Scope) {
					return failing("scopesUsed %s", show(used))
				}
			}
		}
		return shortfall{}
	})
})

// list is a member that is a list.
func list(members map[string]any, name string) ([]any, bool) {
	found, ok := members[name].([]any)
	return found, ok
}
