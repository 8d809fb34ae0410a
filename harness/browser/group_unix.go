//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a process group of its own, so that it and all it starts can be ended together.
func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// endGroup ends what is left of the process group that pid leads.
func endGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
