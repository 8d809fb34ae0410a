package browser_test

import (
	"context"
	"fmt"
	"os"

	"github.com/pact-conform/pact-conform/harness/browser"
)

// A User follows the link, signs in, approves one of two scopes and leaves the other.
func Example() {
	ctx := context.Background()
	chromium := browser.New(browser.Options{})
	defer func() { _ = chromium.Close() }()
	user, err := chromium.NewSession(ctx, browser.SessionOptions{
		Name:    "untick one",
		Scopes:  []browser.Scope{{ID: "orders:read", Description: "Look up your orders"}, {ID: "orders:cancel", Description: "Cancel an order"}},
		Secrets: []string{"WDJB-MJHT"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = user.Close() }()
	consent, _, err := user.Reach(ctx, "https://brand.example/login?user_code=WDJB-MJHT", browser.Credentials{
		Username: os.Getenv("BRAND_USER"), Password: os.Getenv("BRAND_PASSWORD"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(consent.Shows("https://pa.example.com"), len(consent.Checkboxes))
	outcome, err := user.Decide(ctx, browser.ApproveOnly("orders:read"))
	fmt.Println(outcome, err)
}

// The decision is held on its way, given a scope that was not asked for, and sent.
func ExampleSession_HoldDecision() {
	forge := func(ctx context.Context, user *browser.Session, asked []browser.Scope) error {
		held, err := user.HoldDecision(ctx, browser.ApproveAll())
		if err != nil {
			return err
		}
		forged, err := held.Draft().AddScope(asked, "refunds:issue")
		if err != nil {
			return held.Drop(ctx)
		}
		_, err = held.Send(ctx, forged)
		return err
	}
	_ = forge
}

// The assertion is taken before the Provider sees it, and posted from a browser that never signed in.
func ExampleSession_HoldAssertion() {
	replay := func(ctx context.Context, user, stranger *browser.Session, link string, who browser.Credentials, like *browser.Crossing) (browser.PageKind, error) {
		held, err := user.HoldAssertion(ctx, link, who, like)
		if err != nil {
			return "", err
		}
		form := held.Draft()
		if err := held.Drop(ctx); err != nil {
			return "", err
		}
		outcome, err := stranger.PostForm(ctx, form)
		if err != nil {
			return "", err
		}
		return outcome.Page.Kind, nil
	}
	_ = replay
}
