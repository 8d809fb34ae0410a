package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// Close leaves neither a process nor the profile folder.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	b := New(Options{Chromium: shared.options.Chromium})
	s, err := b.NewSession(t.Context(), SessionOptions{})
	g.Expect(err).NotTo(HaveOccurred())
	dir := b.running.profile.dir
	g.Expect(processesWith(t, dir)).NotTo(BeZero())
	g.Expect(b.Close()).To(Succeed())
	g.Expect(dir).NotTo(BeADirectory())
	g.Eventually(func() int { return processesWith(t, dir) }).Should(BeZero())
	g.Expect(s.Close()).To(Succeed())
}

// A folder that a killed run left is swept by the next one, and one in use is not.
func TestStaleProfilesAreSwept(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	parent := t.TempDir()
	folder := func(name string, locked bool, age time.Duration) string {
		dir := filepath.Join(parent, profilePrefix+name)
		g.Expect(os.Mkdir(dir, 0o700)).To(Succeed())
		if locked {
			g.Expect(os.WriteFile(filepath.Join(dir, lockName), nil, 0o600)).To(Succeed())
		}
		then := time.Now().Add(-age)
		g.Expect(os.Chtimes(dir, then, then)).To(Succeed())
		return dir
	}
	stale, inUse := folder("stale", true, 0), folder("inuse", true, time.Hour)
	young, old := folder("young", false, 0), folder("old", false, time.Hour)
	held, err := lockFile(filepath.Join(inUse, lockName))
	g.Expect(err).NotTo(HaveOccurred())
	defer func() { _ = held.Close() }()
	sweep(parent)
	g.Expect(stale).NotTo(BeADirectory())
	g.Expect(old).NotTo(BeADirectory())
	g.Expect(inUse).To(BeADirectory())
	g.Expect(young).To(BeADirectory())
}

// parentVariable has the test binary play a run that is killed, with its profile in that folder.
const parentVariable = "PACT_TEST_RUN_TO_BE_KILLED"

// runToBeKilled opens a session and waits to be killed.
func runToBeKilled(parent string) {
	b := New(Options{Chromium: os.Getenv("PACT_TEST_CHROMIUM"), parent: parent})
	if _, err := b.NewSession(context.Background(), SessionOptions{}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	select {}
}

// A run that is killed leaves no Chromium, not even one that does not notice, and its folder goes with
// the next run.
func TestAKilledRun(t *testing.T) {
	t.Parallel()
	for _, stopped := range []bool{false, true} {
		t.Run(fmt.Sprintf("stopped %v", stopped), func(t *testing.T) {
			g := gomega(t)
			parent := t.TempDir()
			run := exec.Command(os.Args[0], "-test.run", "^$")
			run.Env = append(os.Environ(), parentVariable+"="+parent)
			out, err := run.StdoutPipe()
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(run.Start()).To(Succeed())
			line, _ := bufio.NewReader(out).ReadString('\n')
			g.Expect(line).To(Equal("open\n"))
			if stopped {
				for _, p := range processes(t) {
					if strings.Contains(p.line, parent) {
						g.Expect(syscall.Kill(p.pid, syscall.SIGSTOP)).To(Succeed())
					}
				}
			}
			g.Expect(run.Process.Kill()).To(Succeed())
			_ = run.Wait()
			if !stopped {
				g.Eventually(func() int { return processesWith(t, parent) }).Should(BeZero())
			}
			g.Expect(filepath.Glob(filepath.Join(parent, profilePrefix+"*"))).To(HaveLen(1))
			g.Eventually(func() []string {
				sweep(parent)
				left, _ := filepath.Glob(filepath.Join(parent, "*"))
				return left
			}).Should(BeEmpty())
			g.Eventually(func() int { return processesWith(t, parent) }).Should(BeZero())
		})
	}
}

// process is one that runs on this machine.
type process struct {
	pid, group int
	line       string
}

func processes(t *testing.T) (all []process) {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "pid,pgid,stat,args").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pid, err := strconv.Atoi(fields[0])
		group, _ := strconv.Atoi(fields[1])
		if err == nil && !strings.HasPrefix(fields[2], "Z") {
			all = append(all, process{pid, group, line})
		}
	}
	return all
}

// processesWith counts the processes that have a text in their command line.
func processesWith(t *testing.T, text string) (n int) {
	t.Helper()
	for _, p := range processes(t) {
		if strings.Contains(p.line, text) {
			n++
		}
	}
	return n
}
