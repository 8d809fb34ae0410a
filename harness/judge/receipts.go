package judge

import "github.com/pact-conform/pact-conform/harness/result"

// receipt is the receipt in the metadata of a reply; nil where there is no object.
func receipt(x *result.Exchange) map[string]any {
	metadata, _ := reply(x)["metadata"].(map[string]any)
	receipt, _ := metadata["pact.receipt"].(map[string]any)
	return receipt
}

// ReceiptJWS is the member jws of the receipt of a reply; empty where there is none.
func ReceiptJWS(x *result.Exchange) string {
	jws, _ := receipt(x)["jws"].(string)
	return jws
}

// HasReceipt reports whether an answer is a reply with a receipt whose claims can be read.
func HasReceipt(x *result.Exchange) bool {
	_, ok := receipt(x)["claims"].(map[string]any)
	return IsReply(x) && ok
}

// HaveReceipt passes replies with a receipt (§5.6).
func HaveReceipt() Judge { return unwritten("HaveReceipt") }

// ReceiptSignsItsClaims passes receipts whose jws has the claims (§5.6).
func ReceiptSignsItsClaims() Judge { return unwritten("ReceiptSignsItsClaims") }

// RepeatTheReceipt passes replies whose receipts have the claims of the first (§5.5).
func RepeatTheReceipt() Judge { return unwritten("RepeatTheReceipt") }

// ReceiptSparesScope passes answers of which no receipt uses the scope (§5.5).
func ReceiptSparesScope(scope string) Judge {
	_ = scope
	return unwritten("ReceiptSparesScope")
}
