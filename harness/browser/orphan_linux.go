package browser

import (
	"os/exec"
	"syscall"
)

// noOrphan has the kernel end the command should this process die. The thread that starts the command
// must live as long as it.
func noOrphan(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
