package main

import (
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/terminal"
	"github.com/pact-conform/pact-conform/suites/delegated"
)

// demoLatency is how long the Brands' agents think in the demonstration: long enough to be seen.
// demoInterval is the time between polls for a decision: the shortest there is.
const (
	demoLatency  = 100 * time.Millisecond
	demoInterval = time.Second
)

func newDemo() *cobra.Command {
	var v variation
	var screen terminal.Options
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Certify the embedded Provider, and leave a report",
		Long: `Starts the embedded Provider on this machine, certifies it in both profiles, and
leaves a report to look at. It takes about a minute.`,
		Example: `  pact-conform demo
  pact-conform demo --defect aud-prefix
  pact-conform demo --look german`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			varied, err := v.variants()
			if err != nil {
				return err
			}
			return demo(cmd, varied, screen)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	v.flags(flags)
	flags.String("report-dir", "", overriding["report-dir"])
	flags.String("max-wait", "", overriding["max-wait"])
	flags.BoolVarP(&screen.Quiet, "quiet", "q", false, "say only what failed, the verdict, and what may act on an account")
	flags.BoolVarP(&screen.Verbose, "verbose", "v", false, "say all that happens, and warnings in full")
	return cmd
}

func demo(cmd *cobra.Command, varied []variant, screen terminal.Options) (err error) {
	e, names, err := loadProfiles([]string{delegated.Profile})
	if err != nil {
		return err
	}
	free, err := freeAddress()
	if err != nil {
		return broken("%w", err)
	}
	t, err := startTarget(targetOptions{listen: "127.0.0.1:0", agents: free, latency: demoLatency, interval: demoInterval, variants: varied})
	if err != nil {
		return err
	}
	defer func() {
		if closing := t.Close(); closing != nil && err == nil {
			err = broken("%w", closing)
		}
	}()
	c, err := loadText(t.config(""), overrides(cmd.Flags()))
	if err != nil {
		return err
	}
	return conduct(cmd.Context(), job{engine: e, profiles: names, config: c, screen: screen, settings: result.Settings{}})
}

// loadText reads a configuration that is in no file of the user's. Paths in the flags stay relative
// to the working directory.
func loadText(text string, flags config.Overrides) (*config.Config, error) {
	dir, err := os.MkdirTemp("", "pact-conform-")
	if err != nil {
		return nil, broken("%w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, config.DefaultFile)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, broken("%w", err)
	}
	unset := func(string) (string, bool) { return "", false } // variables are meant for a Provider of the user's
	c, err := config.Load(path, unset, flags)
	if err != nil {
		return nil, &ending{result.ExitUsage, err}
	}
	return c, nil
}

// freeAddress is an address of this machine that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
