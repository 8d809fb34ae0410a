package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/terminal"
	"github.com/pact-conform/pact-conform/suites/identity"
)

const rootLong = `pact-conform certifies a Provider against PACT 1.0. It plays a personal agent
with keys of its own, and for the profile delegated the User, judges every
requirement of the specification, and leaves a report.

Exit codes:
  0  conformant; of a selection: nothing that was run failed
  1  not conformant: a requirement failed
  2  the command line or the configuration is wrong; nothing was judged
  3  incomplete: nothing failed, but a requirement could not be judged
  4  an error of the harness or the network, or the run broke off`

// runFlags are what the command line says about a run, besides what overrides the configuration.
type runFlags struct {
	config   string
	profiles []string
	selection
	certify, allowIncomplete, strict bool
	terminal                         terminal.Options
}

// overriding are the flags that override keys of the configuration, with their usage.
var overriding = map[string]string{
	"card":        "`URL` of the Brand's Agent Card",
	"other-card":  "`URL` of the Agent Card of a second Brand of the same Provider",
	"audience":    "the `aud` that the Provider assigned",
	"report-dir":  "`folder` of the report; an earlier one is replaced (default pact-conform-report)",
	"concurrency": "`requests` in flight at most (default 8)",
	"max-wait":    "leave out what has to wait longer, such as the expiry of a token: a `duration` (default 100s)",
}

func newRoot() *cobra.Command {
	f := &runFlags{}
	root := &cobra.Command{
		Use:   "pact-conform",
		Short: "Certify a Provider against PACT 1.0",
		Long:  rootLong,
		Example: `  pact-conform --profile identity --config pact-conform.yaml
  pact-conform --profile delegated --report-dir out/report
  pact-conform --audience aud-123 \
    --card https://provider.example.com/a2a/01J/.well-known/agent-card.json
  pact-conform --only 3.2 --skip PACT-3.2-35
  pact-conform --rerun-failed pact-conform-report/results.json`,
		Version: toolVersion(),
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd, f) },
		// Whatever goes wrong is said in one line, by execute.
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	f.add(root.Flags())
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.NewReplacer(
		"{{.LocalFlags.FlagUsages | ", "{{wrapped .LocalFlags | ",
		"{{.InheritedFlags.FlagUsages | ", "{{wrapped .InheritedFlags | ",
	).Replace(root.UsageTemplate()))
	cobra.AddTemplateFunc("wrapped", func(flags *pflag.FlagSet) string { return flags.FlagUsagesWrapped(80) })
	root.AddCommand(newDemo(), newProvider(), newList(), newExplain(), newToken(), newVersion())
	return root
}

func (f *runFlags) add(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringArrayVar(&f.profiles, "profile", []string{identity.Profile}, "`name` of the profile to certify: identity, or delegated, which includes it")
	flags.StringVar(&f.config, "config", "", "configuration `file` (default "+config.DefaultFile+", if there is one)")
	for _, field := range config.Fields {
		if field.Flag != "" {
			flags.String(field.Flag, "", overriding[field.Flag])
		}
	}
	f.selection.flags(flags)
	flags.StringVar(&f.rerun, "rerun-failed", "", "take only what failed, ended in an error or was blocked in this results.json, a `file`")
	flags.BoolVar(&f.certify, "certify", false, fmt.Sprintf("count what otherwise stands beside the verdict; unless --max-wait is given, it waits as long as it takes (%s and more)", certifyWait))
	flags.BoolVar(&f.allowIncomplete, "allow-incomplete", false, "exit with 0 when the verdict is incomplete")
	flags.BoolVar(&f.strict, "strict", false, "let a broken SHOULD fail, which otherwise warns")
	flags.BoolVarP(&f.terminal.Quiet, "quiet", "q", false, "say only what failed, the verdict, and what may act on an account")
	flags.BoolVarP(&f.terminal.Verbose, "verbose", "v", false, "say all that happens, and warnings in full")
}

// certifyWait is the longest wait under --certify, unless the configuration has cases wait longer still.
const certifyWait = 30 * time.Minute

// run is what the command without a subcommand does.
func run(cmd *cobra.Command, f *runFlags) error {
	all, names, err := loadProfiles(commas(f.profiles))
	if err != nil {
		return err
	}
	selected, err := f.apply(all)
	if err != nil {
		return err
	}
	c, err := config.Load(f.config, lookupEnv, overrides(cmd.Flags()))
	if err != nil {
		return &ending{result.ExitUsage, err}
	}
	if f.certify && !cmd.Flags().Changed("max-wait") {
		c.Limits.MaxWait = max(certifyWait, c.Limits.RotationWait+c.Limits.WithdrawalWait)
	}
	return conduct(cmd.Context(), job{
		engine: selected, profiles: names, config: c, screen: f.terminal,
		settings: result.Settings{
			Only: f.only, Skip: f.skip, RerunFailed: f.rerun,
			Certify: f.certify, AllowIncomplete: f.allowIncomplete, Strict: f.strict,
		},
	})
}

// overrides are the flags that were given of those that override the configuration.
func overrides(flags *pflag.FlagSet) config.Overrides {
	given := config.Overrides{}
	for _, field := range config.Fields {
		if f := flags.Lookup(field.Flag); field.Flag != "" && f != nil && f.Changed {
			given[field.Flag] = f.Value.String()
		}
	}
	return given
}
