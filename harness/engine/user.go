package engine

import (
	"context"

	"github.com/pact-conform/pact-conform/harness/browser"
)

// User is a Brand user whom the run plays (§5.3).
type User struct {
	browser.Credentials
	// ID is the Brand's id of the user, which sub of the delegation token must equal (§5.4); empty when unknown.
	ID string
}

// Player plays the User where no page is read: it signs in at the task's link and decides.
type Player interface {
	// Decide returns when the User has decided, or decided is closed: the token endpoint has then said
	// what came of it. Its errors are those of the package browser.
	Decide(ctx context.Context, task browser.Task, user User, decided <-chan struct{}) error
	// Knows reports whether Decide returns by itself once the User has decided: what a person did, only
	// the token endpoint says.
	Knows() bool
}

// Revocation is a grant that is to be revoked.
type Revocation struct {
	// Issuer is the personal agent's, User the Brand user's name, and GrantID that of the delegation token
	// (§5.4). Without a GrantID it is about all that the User has granted to the personal agent.
	Issuer  string `json:"issuer"`
	User    string `json:"user,omitempty"`
	GrantID string `json:"grantId,omitempty"`
	// RefreshToken is the grant's latest; empty when it has none.
	RefreshToken string `json:"refreshToken,omitempty"`
}
