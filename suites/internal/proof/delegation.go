package proof

import (
	"context"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/fixtures/scripteduser"
	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/engine"
)

// Delegating is New with a Provider that delegates authority, and the Users and texts that §5 needs.
// A scripted User decides; pages are read where the set-up is given a Chromium besides.
func Delegating(t testing.TB, change func(*provider.Options)) *Target {
	t.Helper()
	target := New(t, func(o *provider.Options) {
		o.Delegation = &provider.Delegation{Interval: time.Second}
		if change != nil {
			change(o)
		}
	})
	s := &target.Setup
	for _, user := range target.Provider.Users() {
		s.Users = append(s.Users, engine.User{
			Credentials: browser.Credentials{Username: user.Username, Password: user.Password}, ID: user.ID,
		})
	}
	s.Limits.MaxWait = 10 * time.Second // what a slow_down asks for
	s.Player, s.NoPages = scripted{}, "a scripted User reads no pages"
	s.Prompts.Scopes = []engine.ScopePrompt{
		{Needs: "orders:read", Text: "What is the status of my last order?"},
		{Needs: "orders:read-all", Text: "List my order history."},
	}
	s.Prompts.StepUp = &engine.ScopePrompt{Needs: "refunds:issue", Text: "Please refund my last order."}
	return target
}

// scripted plays the User over HTTP.
type scripted struct{}

// Knows is true: it does what it is told.
func (scripted) Knows() bool { return true }

// Decide signs in and decides, on the plain pages.
func (scripted) Decide(ctx context.Context, task browser.Task, user engine.User, _ <-chan struct{}) error {
	u := scripteduser.New(user.Username, user.Password)
	var err error
	switch {
	case task.Decision == browser.TaskDeny:
		err = u.Deny(ctx, task.Link)
	case len(task.Scopes) == 0:
		err = u.ApproveNothing(ctx, task.Link)
	default:
		err = u.Approve(ctx, task.Link, task.Scopes...)
	}
	if err != nil {
		return &browser.Error{Kind: browser.ConsentNotFound, Step: task.Decision, Err: err}
	}
	return nil
}
