// Command pact-conform certifies a Provider against PACT 1.0.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/result"
)

func main() { os.Exit(execute(os.Args[1:])) }

// execute runs the command line and returns its exit code; what went wrong is said on stderr, a line each.
func execute(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		return result.ExitConformant
	}
	var ended *ending
	if !errors.As(err, &ended) {
		// What cobra finds wrong is always about the command line.
		ended = &ending{result.ExitUsage, err}
	}
	if ended.err != nil {
		fmt.Fprintln(os.Stderr, complaint(ended.err))
	}
	return ended.code
}

// complaint is what stderr shows of an error. Problems of the configuration name their own place.
func complaint(err error) string {
	var problems config.Problems
	if errors.As(err, &problems) {
		return problems.Error()
	}
	return "pact-conform: " + strings.Join(strings.Fields(err.Error()), " ")
}

// ending ends the command with an exit code other than 0; err is nil where all is said already.
type ending struct {
	code int
	err  error
}

func (e *ending) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *ending) Unwrap() error { return e.err }

// misuse is an error in what the command was told: arguments, flags, configuration.
func misuse(format string, args ...any) error {
	return &ending{result.ExitUsage, fmt.Errorf(format, args...)}
}

// broken is an error that kept the command from doing what it was rightly told.
func broken(format string, args ...any) error {
	return &ending{result.ExitError, fmt.Errorf(format, args...)}
}

// ended ends the command with the code of a finished run.
func ended(code int) error {
	if code == result.ExitConformant {
		return nil
	}
	return &ending{code: code}
}
