package browser

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// Manual asks a person to play the User. Tasks that come at the same time are shown one after the
// other: nobody works two browsers at once.
type Manual struct {
	out   io.Writer
	every time.Duration
	now   func() time.Time
	turn  chan struct{}
}

// NewManual writes to out, and says how much time is left that often; every 30 s when zero.
func NewManual(out io.Writer, every time.Duration) *Manual {
	if every <= 0 {
		every = 30 * time.Second
	}
	m := &Manual{out: out, every: every, now: time.Now, turn: make(chan struct{}, 1)}
	m.turn <- struct{}{}
	return m
}

// Ask shows the task and waits until decided is closed, which the caller does when its polling ends:
// only the token endpoint knows what the person did. When the task expires first, or ctx ends, it
// fails with Expired.
func (m *Manual) Ask(ctx context.Context, task Task, decided <-chan struct{}) error {
	ctx, cancel := context.WithDeadline(ctx, task.Expires)
	defer cancel()
	select {
	case <-m.turn:
		defer func() { m.turn <- struct{}{} }()
	case <-decided:
		return nil
	case <-ctx.Done():
		return &Error{Kind: Expired, Step: "ask a person", Saw: "another task was still open", Err: ctx.Err()}
	}
	if _, err := io.WriteString(m.out, m.text(task)); err != nil {
		return err
	}
	tick := time.NewTicker(m.every)
	defer tick.Stop()
	for {
		select {
		case <-decided:
			_, err := fmt.Fprintln(m.out, "  decided, thank you")
			return err
		case <-ctx.Done():
			return &Error{Kind: Expired, Step: "ask a person", Saw: "the link of " + task.Expires.Format(time.TimeOnly) + " was not used in time", Err: ctx.Err()}
		case <-tick.C:
			if _, err := fmt.Fprintf(m.out, "  %s left\n", m.left(task)); err != nil {
				return err
			}
		}
	}
}

// text is the task for a person: what to open, as whom, what to do.
func (m *Manual) text(task Task) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nOpen  %s\n", task.Link)
	if task.UserCode != "" {
		fmt.Fprintf(&b, "  the page should show the code %s\n", task.UserCode)
	}
	if task.User != "" {
		fmt.Fprintf(&b, "  sign in as %s\n", task.User)
	}
	switch {
	case task.Decision == TaskDeny:
		b.WriteString("  and deny\n")
	case len(task.Scopes) == 0:
		b.WriteString("  untick everything and approve\n")
	default:
		fmt.Fprintf(&b, "  tick %s and nothing else, and approve\n", strings.Join(task.Scopes, ", "))
	}
	fmt.Fprintf(&b, "  %s left\n", m.left(task))
	return b.String()
}

func (m *Manual) left(task Task) time.Duration {
	return max(task.Expires.Sub(m.now()), 0).Round(time.Second)
}
