package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/terminal"
)

// keepWriting lets the run outlive a reader of its output that went away: the report is still written.
func keepWriting() { signal.Ignore(syscall.SIGPIPE) }

// interruptible is a context that the first Ctrl-C (or SIGTERM, as CI sends it) cancels, so that the
// run ends in order and its report is written. The second ends the process at once.
func interruptible(ctx context.Context, reporter *terminal.Reporter) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done, said := make(chan struct{}), make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			close(said)
			return
		}
		// A reader that does not read on must keep neither the run nor the second signal.
		go func() {
			defer close(said)
			reporter.Say("Interrupted: the run ends and its report is written. Once more ends it at once, without a report.")
		}()
		cancel(engine.ErrInterrupted)
		select {
		case <-signals:
			os.Exit(result.ExitError)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		<-said
		cancel(nil)
	}
}
