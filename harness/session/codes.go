package session

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"github.com/pact-conform/pact-conform/harness/clock"
)

// codePeriod is the time step of one-time codes (RFC 6238 §5.2).
const codePeriod = 30 * time.Second

// codes makes the one-time codes of a user (RFC 6238). Each is given out once, for a Brand may refuse
// the second use of a code (§5.2): who asks again within a time step waits for the next.
type codes struct {
	// The codes belong to a run, whose context bounds the waiting.
	ctx    context.Context
	secret string
	clock  clock.Clock

	mu sync.Mutex
	// given is the start of the last time step whose code was given out.
	given time.Time
}

func newCodes(ctx context.Context, secret string, at clock.Clock) *codes {
	return &codes{ctx: ctx, secret: strings.ReplaceAll(secret, " ", ""), clock: at}
}

// next is a code that was not given out before.
func (c *codes) next() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	if free := c.given.Add(codePeriod); now.Before(free) {
		if err := c.clock.Wait(c.ctx, free.Sub(now)); err != nil {
			return "", err
		}
		now = free
	}
	c.given = now.Truncate(codePeriod)
	return totp.GenerateCodeCustom(c.secret, now, totp.ValidateOpts{
		Period: uint(codePeriod.Seconds()), Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
	})
}
