package browser

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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

// endOrphans ends the processes that were started with the profile folder, whose run is dead.
func endOrphans(dir string) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lines {
		line, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for argument := range bytes.SplitSeq(line, []byte{0}) {
			if string(argument) == "--user-data-dir="+dir {
				if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
				break
			}
		}
	}
}
