package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func lookupEnv(name string) (string, bool) { return os.LookupEnv(name) }

// noArguments refuses what is no subcommand, and names the nearest one.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if len(names) == 0 {
		return misuse("%s takes no argument %q", cmd.CommandPath(), args[0])
	}
	return misuse("%q is no command: did you mean %s?", args[0], nearest(args[0], names))
}

// flagError names the nearest flag where one is unknown.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	given := "--" + strings.TrimLeft(unknown.GetSpecifiedName(), "-")
	return misuse("%s is no flag of %s: did you mean %s?", given, cmd.CommandPath(), nearest(given, names))
}
