package delegated

import (
	"slices"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §5.6 Receipts
var _ = Clause("5.6", func() {
	EveryReceipt("PACT-5.6-01", delegatedReply, func(*engine.C) judge.Judge { return judge.HaveReceipt() })
	Case("PACT-5.6-02", "signature", func(c *engine.C) {
		for _, reply := range signedReplies(c) {
			c.Expect(reply).To(judge.VerifySignature("the receipt", problem(c, receiptOf(reply))))
		}
	}, engine.Using(chosen, talking, needing, signingKeys))
	EveryReceipt("PACT-5.6-03", signed, func(*engine.C) judge.Judge { return judge.ReceiptSignsItsClaims() })
	EveryReceipt("PACT-5.6-04", underGrantID, func(*engine.C) judge.Judge { return judge.ReceiptNamesTheGrant() })
	EveryReceipt("PACT-5.6-05", receipted, func(*engine.C) judge.Judge { return judge.ReceiptNamesTheUser() })
	EveryReceipt("PACT-5.6-06", receipted, func(*engine.C) judge.Judge { return judge.ReceiptNamesTheAgent() })
	EveryReceipt("PACT-5.6-07", receipted, func(c *engine.C) judge.Judge {
		urls := map[string]string{"brand": c.Card().Interface.URL}
		if c.Setup().OtherBrand.Card != "" {
			urls["other"] = c.OtherCard().Interface.URL
		}
		return judge.ReceiptNamesTheBrand(urls)
	})
	EveryReceipt("PACT-5.6-08", receipted, func(c *engine.C) judge.Judge { return judge.ReceiptUsesScopesOfTheToken(scopeTexts(c)) })
	EveryReceipt("PACT-5.6-09", receipted, func(*engine.C) judge.Judge { return judge.ReceiptListsActions() })
	EveryReceipt("PACT-5.6-10", receipted, func(c *engine.C) judge.Judge { return judge.ReceiptIsOfTheTurn(c.ClockOffset().Seconds()) })
	WhereMet("PACT-5.6-11", "identity-only", ordinaryReply, "no reply of the run was without delegation", judge.HaveNoReceipt())
	EveryReceipt("PACT-5.6-12", receipted, func(c *engine.C) judge.Judge { return judge.ReceiptUsesNothingUnneeded(plain(c)) })
})

// EveryReceipt judges all replies of the run that which chooses, once texts with and without a scope
// were sent.
func EveryReceipt(id string, which func(*result.Exchange) bool, j func(*engine.C) judge.Judge) {
	Case(id, "every-reply", func(c *engine.C) {
		c.After(talking, needing)
		replies := Choose(c.Exchanges(), which)
		if len(replies) == 0 {
			c.Block("the run saw no reply that this is about")
		}
		c.Judge(replies...).To(j(c))
	}, engine.Overall(), engine.Using(talking, needing))
}

// signedReplies are the replies to a text without and with a scoped action whose receipts have a
// signature, with the signatures still there.
func signedReplies(c *engine.C) []*provider.Answer {
	replies := []*provider.Answer{talking.In(c).answer}
	if chosen.In(c).text != "" {
		replies = append(replies, needing.In(c))
	}
	replies = slices.DeleteFunc(replies, func(reply *provider.Answer) bool { return receiptOf(reply) == "" })
	if len(replies) == 0 {
		c.Block("no reply has a receipt with a jws, which PACT-5.6-01 says")
	}
	return replies
}

// delegatedReply is a reply to a message that was served under a delegation token.
func delegatedReply(x *result.Exchange) bool {
	return x.Tags.Operation == provider.OperationSend && x.Tags.Expect == result.ExpectSuccess &&
		x.Request.Header.Get(provider.DelegationHeader) != "" && judge.IsReply(x)
}

// receipted is one with a receipt.
func receipted(x *result.Exchange) bool { return delegatedReply(x) && judge.HasReceipt(x) }

// signed is one with a receipt that has a jws, which PACT-5.6-01 asks for.
func signed(x *result.Exchange) bool { return receipted(x) && judge.ReceiptJWS(x) != "" }

// underGrantID is one under a token that names its grant, which PACT-5.4-07 asks for.
func underGrantID(x *result.Exchange) bool {
	return receipted(x) && judge.DelegationClaim(x, "grant_id") != nil
}

// ordinaryReply is a reply to a message without a delegation token, and no stored one.
func ordinaryReply(x *result.Exchange) bool {
	return x.Tags.Operation == provider.OperationSend && x.Request.Header.Get(provider.DelegationHeader) == "" && judge.IsReply(x) && !x.Replay
}
