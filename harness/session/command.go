package session

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/evidence"
)

// commandDeadline bounds each command, and each call in place of one.
const commandDeadline = time.Minute

// runCommand runs a command of the configuration with JSON on its standard input. Its error is one
// line that quotes the last one that the command printed.
func runCommand(ctx context.Context, dir string, command []string, input []byte) error {
	ctx, cancel := context.WithTimeout(ctx, commandDeadline)
	defer cancel()
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Dir, run.Stdin = dir, bytes.NewReader(input)
	// What the command leaves running keeps its output open, and must not keep the run.
	run.WaitDelay = time.Second
	if output, err := run.CombinedOutput(); err != nil {
		last := strings.TrimSpace(string(output))
		if i := strings.LastIndexByte(last, '\n'); i >= 0 {
			last = last[i+1:]
		}
		return fmt.Errorf("%s: %w: %s", command[0], err, last)
	}
	return nil
}

// masking takes the configuration's secrets out of a text: a command may print what it was called with.
func masking(c *config.Config) func(string) string {
	return evidence.NewMasker(c.Secrets()...).Text
}
