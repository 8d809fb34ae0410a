//go:build !unix

package browser

import "os/exec"

// Without process groups what a command starts ends with it, or not.
func ownGroup(*exec.Cmd) {}
func endGroup(int)       {}
