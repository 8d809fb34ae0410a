package session

import (
	"context"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/clock"
	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
)

// brandUsers are the configured users. Where a person or a hook plays the User and no user is
// configured, there is one of whom nothing is known.
func brandUsers(ctx context.Context, c *config.Config, at clock.Clock) []engine.User {
	var users []engine.User
	for _, u := range c.Users {
		user := engine.User{Credentials: browser.Credentials{Username: u.Username, Password: string(u.Password)}, ID: u.ID}
		if u.TOTP != "" {
			user.TOTP = newCodes(ctx, string(u.TOTP), at).next
		}
		users = append(users, user)
	}
	if len(users) == 0 && !chromiumPlays(c) {
		users = append(users, engine.User{})
	}
	return users
}

// chromiumPlays reports whether Chromium plays the User, and not a person or a hook.
func chromiumPlays(c *config.Config) bool {
	return !c.Browser.User.Manual && len(c.Browser.User.Hook) == 0
}
