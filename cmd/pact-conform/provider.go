package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/config"
)

// keysFile is the name of the key file beside the configuration.
const keysFile = "pact-keys.json"

type providerFlags struct {
	targetOptions
	variation
	dir                                  string
	force                                bool
	listDefects, listDialects, listLooks bool
}

func newProvider() *cobra.Command {
	f := &providerFlags{}
	cmd := &cobra.Command{
		Use:   "provider",
		Short: "Run the embedded Provider as a target",
		Long: `Runs a complete Provider with two Brands on this machine, to try pact-conform
against, in both profiles. It keeps PACT 1.0, unless --defect breaks something.
Ctrl-C ends it.`,
		Example: `  pact-conform provider --write-config .
  pact-conform provider --defect aud-prefix
  pact-conform provider --dialect receipt-more-claims --look german
  pact-conform provider --list-defects`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case f.listDefects:
				return describe(cmd.OutOrStdout(), seeded(), columns())
			case f.listDialects:
				return describe(cmd.OutOrStdout(), different(), columns())
			case f.listLooks:
				return describe(cmd.OutOrStdout(), designed(), columns())
			}
			return serve(cmd.OutOrStdout(), f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8800", "`address` of the Provider; the Brands' sites are on the ports after it")
	flags.StringVar(&f.agents, "agents", "127.0.0.1:8700", "`address` at which pact-conform will serve the keys of its personal agents")
	flags.StringVar(&f.dir, "write-config", "", "write pact-conform.yaml and keys for a run into this `folder`")
	flags.BoolVar(&f.force, "force", false, "overwrite a pact-conform.yaml that is there")
	f.variation.flags(flags)
	flags.DurationVar(&f.latency, "agent-latency", 0, "how long the Brands' agents think in each turn")
	flags.DurationVar(&f.keyTTL, "jwks-ttl", 5*time.Minute, "how long fetched keys are used")
	flags.DurationVar(&f.interval, "interval", 5*time.Second, "how long to wait between polls for the User's decision, in whole seconds")
	flags.BoolVar(&f.listDefects, "list-defects", false, "list the defects")
	flags.BoolVar(&f.listDialects, "list-dialects", false, "list the dialects")
	flags.BoolVar(&f.listLooks, "list-looks", false, "list the looks")
	return cmd
}

// serve runs the Provider until a signal or a failure ends it.
func serve(out io.Writer, f *providerFlags) error {
	if f.interval < time.Second || f.interval%time.Second != 0 {
		return misuse("--interval: %s is no whole number of seconds, such as 5s", f.interval)
	}
	var err error
	if f.targetOptions.variants, err = f.variation.variants(); err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	t, err := startTarget(f.targetOptions)
	if err != nil {
		return err
	}
	if f.dir != "" {
		if err := writeConfig(f.dir, t, f.force); err != nil {
			return errors.Join(err, t.Close())
		}
	}
	if err := announce(out, t, f); err != nil {
		return errors.Join(err, t.Close())
	}
	select {
	case <-signals:
	case err = <-t.failed():
		err = broken("the Provider stopped: %w", err)
	}
	return errors.Join(err, t.Close())
}

// announce says where everything is, and how to go on.
func announce(out io.Writer, t *target, f *providerFlags) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s%s\n", name, fmt.Sprintf(format, args...))
	}
	brands := t.Brands()
	line("Provider", "http://%s, audience %s", t.Addr, t.Audience())
	for i, brand := range brands {
		line([]string{"Brands", ""}[min(i, 1)], "%s: %s", brand.Name, t.CardURL(brand.ID))
	}
	for i, brand := range brands {
		line([]string{"Sites", ""}[min(i, 1)], "%s: %s", brand.Name, t.SiteURL(brand.ID))
	}
	line("Agents", "%s and %s; %s is disabled", t.options.issuer(primary), second, disabled)
	for _, v := range f.targetOptions.variants {
		line("Behaviour", "%s: %s", v.name, wrapped(v.text, columns(), 11))
	}
	if f.dir != "" {
		line("Next", "pact-conform --profile delegated --config %s", filepath.Join(f.dir, config.DefaultFile))
	} else {
		line("Next", "pact-conform --audience %s --card %s", t.Audience(), t.CardURL(brands[0].ID))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeConfig writes the configuration of a run against the target, and keys that last beyond it. A
// configuration that says the same already is left as it is.
func writeConfig(dir string, t *target, force bool) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return misuse("--write-config: %w", err)
	}
	path, text := filepath.Join(dir, config.DefaultFile), []byte(t.config(keysFile))
	switch known, err := os.ReadFile(path); {
	case err == nil && !bytes.Equal(known, text) && !force:
		return misuse("--write-config: %s is there already and says something else: --force overwrites it", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return misuse("--write-config: %w", err)
	}
	if err := writeKeys(filepath.Join(dir, keysFile)); err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return misuse("--write-config: %w", err)
	}
	return nil
}

// writeKeys makes key rings for the personal agents, unless there are some.
func writeKeys(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	rings := map[string]*agent.KeyRing{}
	for _, role := range []string{primary, second, disabled} {
		ring, err := agent.NewKeyRing(true)
		if err != nil {
			return broken("keys of the agent %s: %w", role, err)
		}
		rings[role] = ring
	}
	if err := agent.WriteKeyRings(path, rings); err != nil {
		return misuse("--write-config: %w", err)
	}
	return nil
}
