package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
)

// revoking is how a grant is revoked by a command; nil where none is configured.
func revoking(c *config.Config) func(context.Context, engine.Revocation) error {
	how, _ := c.Revoke.Get()
	if how.Auto() {
		return nil
	}
	mask := masking(c)
	return func(ctx context.Context, grant engine.Revocation) error {
		input, err := json.Marshal(grant)
		if err == nil {
			err = runCommand(ctx, c.Dir, how.Command, input)
		}
		if err != nil {
			return fmt.Errorf("revoke.command: %s", mask(err.Error()))
		}
		return nil
	}
}
