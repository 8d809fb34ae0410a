package judge

import (
	"net/http"

	"github.com/pact-conform/pact-conform/harness/result"
)

// unwritten is a judge whose rule is still to come: it judges nothing.
func unwritten(name string) Judge {
	return Judge{Name: name, find: func([]*result.Exchange) Finding {
		return Finding{Outcome: result.Errored, Got: "this judge is not written yet"}
	}}
}

// BeStepUp passes a 200 with a task in TASK_STATE_AUTH_REQUIRED (§5.5).
func BeStepUp() Judge { return unwritten("BeStepUp") }

// NameMissingScopes passes step-ups that name scopes of the card, none of them held, and the one wanted (§5.5).
func NameMissingScopes(card, held []string, wanted string) Judge {
	_, _, _ = card, held, wanted
	return unwritten("NameMissingScopes")
}

// HaveANewLink passes step-ups whose link is none of the others (§5.5).
func HaveANewLink() Judge { return unwritten("HaveANewLink") }

// StayInContext passes answers in that conversation (§5.5).
func StayInContext(contextID string) Judge {
	_ = contextID
	return unwritten("StayInContext")
}

// StepUpOrSpare passes a step-up in place of a reply that uses the scope (§5.5).
func StepUpOrSpare(scope string) Judge {
	_ = scope
	return unwritten("StepUpOrSpare")
}

// BeStoredReplyOrRefusal judges a reply and the retry without the delegation token (§5.5).
func BeStoredReplyOrRefusal() Judge { return unwritten("BeStoredReplyOrRefusal") }

// BeInvalidDelegation passes the 401 of a bad delegation token (§5.5).
func BeInvalidDelegation() Judge { return unwritten("BeInvalidDelegation") }

// BeInvalidDelegationOr is BeInvalidDelegation, or an A2A error with one of the reasons (§5.5).
func BeInvalidDelegationOr(reasons ...string) Judge {
	_ = reasons
	return unwritten("BeInvalidDelegationOr")
}

// BeUnauthorizedAgent passes the 401 of a bad personal-agent JWT (§5.5).
func BeUnauthorizedAgent() Judge { return unwritten("BeUnauthorizedAgent") }

// IsInvalidDelegation reports whether an answer is the 401 of a bad delegation token.
func IsInvalidDelegation(x *result.Exchange) bool { return IsUnauthorized(x) }

// IsUnauthorized reports whether an answer is a 401.
func IsUnauthorized(x *result.Exchange) bool {
	return x.Response != nil && x.Response.Status == http.StatusUnauthorized
}

// StillPending passes authorization_pending (§5.3).
func StillPending() Judge { return unwritten("StillPending") }
