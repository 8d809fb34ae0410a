//go:build race

package main

// The command is built as its tests are: a race in it makes it exit with 66, which no test expects.
func init() { buildFlags = append(buildFlags, "-race") }
