package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pact-conform/pact-conform/suites/catalog"
)

// version is set by the build of a release: -ldflags "-X main.version=v1.0.0".
var version string

// toolVersion is the version as reports and requests name it.
func toolVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version, and what it judges against",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "pact-conform %s (%s)\nPACT 1.0, catalogue %d: %d requirements, SHA-256 %s\n",
				toolVersion(), runtime.Version(), catalog.Version(), len(catalog.All()), catalog.SHA256())
			return err
		},
	}
}
