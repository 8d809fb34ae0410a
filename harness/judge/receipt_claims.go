package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/harness/result"
)

// eachTurn judges the receipt of every reply that is no stored one: what a stored reply says is of
// the turn that made it, and of the tokens that were sent then. Without a turn nothing is shown.
func eachTurn(expected string, xs []*result.Exchange, say func(x *result.Exchange, claims map[string]any) shortfall) Finding {
	turns := slices.DeleteFunc(slices.Clone(xs), func(x *result.Exchange) bool { return x.Replay })
	if len(turns) == 0 {
		return Finding{Outcome: result.Errored, Expected: expected, Got: "stored replies alone"}
	}
	return eachReceipt(expected, turns, say)
}

// claimIsThatOf judges a claim of receipts that has to be the claim of a token that the request
// carried in the header.
func claimIsThatOf(claim, token, header, wanted string) func(none, []*result.Exchange) Finding {
	return func(_ none, xs []*result.Exchange) Finding {
		return eachTurn(fmt.Sprintf("a receipt whose %s is %s of the %s", claim, wanted, token), xs, func(x *result.Exchange, claims map[string]any) shortfall {
			if carried(x, header) == "" {
				return erring("no %s in the request", token)
			}
			want := claimsOf(carried(x, header))[wanted]
			if text, _ := want.(string); text == "" || claims[claim] != want {
				return failing("%s %s, %s %s", claim, show(claims[claim]), wanted, show(want))
			}
			return shortfall{}
		})
	}
}

// ReceiptNamesTheGrant passes receipts whose grantId is the grant_id of the delegation token (§5.6).
// Stored replies are passed over.
func ReceiptNamesTheGrant() Judge { return receiptNamesTheGrant(none{}) }

var receiptNamesTheGrant = define("ReceiptNamesTheGrant", claimIsThatOf("grantId", "delegation token", delegationHeader, "grant_id"))

// ReceiptNamesTheUser passes receipts whose user is the sub of the delegation token (§5.6). Stored
// replies are passed over.
func ReceiptNamesTheUser() Judge { return receiptNamesTheUser(none{}) }

var receiptNamesTheUser = define("ReceiptNamesTheUser", claimIsThatOf("user", "delegation token", delegationHeader, "sub"))

// ReceiptNamesTheAgent passes receipts whose pa is the iss of the personal-agent JWT (§5.6). Stored
// replies are passed over.
func ReceiptNamesTheAgent() Judge { return receiptNamesTheAgent(none{}) }

var receiptNamesTheAgent = define("ReceiptNamesTheAgent", claimIsThatOf("pa", "personal-agent JWT", "Authorization", "iss"))

// ReceiptNamesTheBrand passes receipts whose brand is the interface URL of the Brand that was asked
// (§5.6). urls are the interface URLs by the Brand's role in the run.
func ReceiptNamesTheBrand(urls map[string]string) Judge {
	return receiptNamesTheBrand(urlsArgs{URLs: urls})
}

type urlsArgs struct {
	URLs map[string]string `json:"urls"`
}

var receiptNamesTheBrand = define("ReceiptNamesTheBrand", func(a urlsArgs, xs []*result.Exchange) Finding {
	return eachTurn("a receipt whose brand is the interface URL", xs, func(x *result.Exchange, claims map[string]any) shortfall {
		switch url := a.URLs[x.Tags.Brand]; {
		case url == "":
			return erring("no interface URL of %q is known", x.Tags.Brand)
		case claims["brand"] != url:
			return failing("brand %s at %s", show(claims["brand"]), url)
		}
		return shortfall{}
	})
})

// ReceiptUsesScopesOfTheToken passes receipts whose scopesUsed is a list of scopes of the delegation
// token (§5.6). needs are scopes by the texts that make the agent use them: where such a text was
// sent under a token with its scope, scopesUsed has it. Stored replies are passed over.
func ReceiptUsesScopesOfTheToken(needs map[string]string) Judge {
	return receiptUsesScopesOfTheToken(needsArgs{Needs: needs})
}

type needsArgs struct {
	Needs map[string]string `json:"needs,omitempty"`
}

var receiptUsesScopesOfTheToken = define("ReceiptUsesScopesOfTheToken", func(a needsArgs, xs []*result.Exchange) Finding {
	return eachTurn("a receipt whose scopesUsed lists scopes of the delegation token, with the one that the text needs", xs, func(x *result.Exchange, claims map[string]any) shortfall {
		if carried(x, delegationHeader) == "" {
			return erring("no delegation token in the request")
		}
		held, used := DelegationScopes(x), shorten(member(claims, "scopesUsed"))
		scopes, ok := list(claims, "scopesUsed")
		if !ok {
			return failing("scopesUsed %s", used)
		}
		for _, scope := range scopes {
			if id, ok := scope.(string); !ok || !slices.Contains(held, id) {
				return failing("scopesUsed %s, the token's scope %q", used, strings.Join(held, " "))
			}
		}
		need := a.Needs[textOf(sent(x))]
		if need != "" && slices.Contains(held, need) && !slices.Contains(scopes, any(need)) {
			return failing("scopesUsed %s, the text needs %q", used, need)
		}
		return shortfall{}
	})
})

// ReceiptListsActions passes receipts whose actions is a list of objects with a tool, and with a text
// as argsHash where there is one; it is not empty where scopesUsed is not (§5.6).
func ReceiptListsActions() Judge { return receiptListsActions(none{}) }

var receiptListsActions = define("ReceiptListsActions", func(_ none, xs []*result.Exchange) Finding {
	return eachReceipt("a receipt whose actions lists tools, with one at least where a scope was used", xs, func(_ *result.Exchange, claims map[string]any) shortfall {
		actions, ok := list(claims, "actions")
		if !ok {
			return failing("actions %s", shorten(member(claims, "actions")))
		}
		for _, action := range actions {
			members, _ := action.(map[string]any)
			tool, _ := members["tool"].(string)
			_, text := members["argsHash"].(string)
			if tool == "" || members["argsHash"] != nil && !text {
				return failing("the action %s", show(action))
			}
		}
		if used, _ := list(claims, "scopesUsed"); len(used) > 0 && len(actions) == 0 {
			return failing("actions [], scopesUsed %s", show(used))
		}
		return shortfall{}
	})
})

// ReceiptIsOfTheTurn passes receipts whose ts is an RFC 3339 time between request and answer, but for
// a minute (§5.6). Stored replies are passed over. offset is the Provider's clock minus ours, in seconds.
func ReceiptIsOfTheTurn(offset float64) Judge { return receiptIsOfTheTurn(offsetArgs{offset}) }

var receiptIsOfTheTurn = define("ReceiptIsOfTheTurn", func(a offsetArgs, xs []*result.Exchange) Finding {
	return eachTurn("a receipt whose ts is an RFC 3339 time between request and answer", xs, func(x *result.Exchange, claims map[string]any) shortfall {
		text, _ := claims["ts"].(string)
		ts, err := time.Parse(time.RFC3339, strings.ToUpper(text)) // its letters may be small (RFC 3339 §5.6)
		if err != nil {
			return failing("ts %s", show(claims["ts"]))
		}
		from, to := a.span(x)
		if away := off(unixSeconds(ts), from, to); away != "" {
			return failing("ts %q, %s", text, away)
		}
		return shortfall{}
	})
})

// ReceiptUsesNothingUnneeded passes receipts that use no scopes where there are no actions, and not
// all that a token of two scopes or more has where plain, a text that needs none, was sent (§5.6). In
// which form a receipt says so others judge. Stored replies are passed over.
func ReceiptUsesNothingUnneeded(plain string) Judge {
	return receiptUsesNothingUnneeded(plainArgs{Plain: plain})
}

type plainArgs struct {
	Plain string `json:"plain,omitempty"`
}

var receiptUsesNothingUnneeded = define("ReceiptUsesNothingUnneeded", func(a plainArgs, xs []*result.Exchange) Finding {
	return eachTurn("a receipt that uses no scopes without actions, and never all of the token's by habit", xs, func(x *result.Exchange, claims map[string]any) shortfall {
		scopes, acts := listed(claims["scopesUsed"]), claims["actions"]
		used := "scopesUsed " + shorten(member(claims, "scopesUsed"))
		if actions, _ := acts.([]any); len(scopes) > 0 && (acts == nil || actions != nil && len(actions) == 0) {
			return failing("%s, actions %s", used, shorten(member(claims, "actions")))
		}
		held := DelegationScopes(x)
		unneeded := a.Plain != "" && textOf(sent(x)) == a.Plain
		if unneeded && len(held) >= 2 && len(beyond(held, scopes)) == 0 {
			return failing("%s for a text that needs none", used)
		}
		return shortfall{}
	})
})
