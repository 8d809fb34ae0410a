package session

import (
	"context"
	"time"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/config"
)

// play decides who plays the User (§5.3): a person, a hook, or Chromium where there is one. A
// Chromium that is not there is no error, unless it was named: the set-up says what is missing.
func (s *Session) play(ctx context.Context, c *config.Config, o Options) error {
	mask := masking(c)
	switch {
	case c.Browser.User.Manual:
		s.Setup.Player = &person{manual: browser.NewManual(o.Out, 0), users: c.Users, mask: mask}
		s.Setup.NoPages = "a person plays the User (browser.user: manual), so that no page is read"
		return nil
	case !chromiumPlays(c):
		s.Setup.Player = &script{
			hook:  browser.Hook{Command: c.Browser.User.Hook, Dir: c.Dir, Mask: mask},
			slots: make(chan struct{}, c.Limits.Concurrency),
		}
		s.Setup.NoPages = "a command plays the User (browser.user.hook), so that no page is read"
		return nil
	}
	program, err := browser.Find(c.Browser.Chromium)
	if err != nil && c.Browser.Chromium != "" {
		return err
	}
	if err != nil {
		s.Setup.NoPages = err.Error()
		return nil
	}
	options := browser.Options{Chromium: program, StepTimeout: stepTimeout(c)} // the recorder masks what pages show
	if len(s.Setup.Headers) > 0 {
		known := newGateway(c, s.Setup.Headers)
		s.Setup.Transport, options.Headers = known, known.headersFor
	}
	chromium := browser.New(options)
	// It is started early, to learn early whether it starts at all.
	if err := chromium.Start(ctx); err != nil {
		s.Setup.NoPages = mask(err.Error())
		return chromium.Close()
	}
	s.Setup.Chromium = chromium
	return nil
}

// stepTimeout bounds what the User does at a time; zero is the browser's own choice. Users with
// one-time codes wait for one another, a code each half minute.
func stepTimeout(c *config.Config) time.Duration {
	for _, user := range c.Users {
		if user.TOTP != "" {
			return 10 * codePeriod
		}
	}
	return 0
}
