package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"time"
)

// Hook is a command that plays the User: it gets the task as JSON on its standard input, and exits
// with 0 when it has decided.
type Hook struct {
	// Command is the program and its arguments, Dir the folder in which it runs.
	Command []string
	Dir     string
	// Timeout bounds a run; 5 min when zero. The task's own expiry bounds it too.
	Timeout time.Duration
	// Mask takes secrets out of what an error quotes of the command's output; nil for none.
	Mask func(string) string
}

// Do runs the command for a task. When it fails, or does not end in time, the error is of kind
// HookFailed and quotes the end of what it printed.
func (h Hook) Do(ctx context.Context, task Task) error {
	timeout := h.Timeout
	if timeout <= 0 {
		timeout = 5 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if !task.Expires.IsZero() {
		ctx, cancel = context.WithDeadline(ctx, task.Expires)
		defer cancel()
	}
	input, err := json.Marshal(task)
	if err != nil {
		return err
	}
	if len(h.Command) == 0 {
		return &Error{Kind: HookFailed, Saw: "no command is configured"}
	}
	output := &tail{}
	cmd := exec.CommandContext(ctx, h.Command[0], h.Command[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = h.Dir, bytes.NewReader(input), output, output
	ownGroup(cmd)
	cmd.Cancel = func() error {
		endGroup(cmd.Process.Pid)
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = endTimeout
	if err := cmd.Run(); err != nil {
		saw := h.Command[0] + " printed " + output.String()
		if h.Mask != nil {
			saw = h.Mask(saw)
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return &Error{Kind: HookFailed, Step: task.Decision, Saw: saw, Err: err}
	}
	return nil
}
