//go:build !linux

package browser

import "os/exec"

// Elsewhere Chromium ends when the pipe to it closes.
func noOrphan(*exec.Cmd) {}
func endOrphans(string)  {}
