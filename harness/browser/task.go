package browser

import "time"

// Task is what a User is asked to do where no page is played: to sign in at the link and to decide.
type Task struct {
	// Link is verification_uri_complete, UserCode the code in it.
	Link     string `json:"link"`
	UserCode string `json:"userCode"`
	// User is the name of the Brand user who is to sign in.
	User string `json:"user,omitempty"`
	// Decision is "approve" or "deny".
	Decision string `json:"decision"`
	// Scopes are the ids to approve; all others that the page shows are to be unticked.
	Scopes []string `json:"scopes"`
	// Expires is when the link stops working.
	Expires time.Time `json:"expires,omitzero"`
}

// The decisions of a task.
const (
	TaskApprove = "approve"
	TaskDeny    = "deny"
)
