package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// Close leaves neither a process nor the profile folder; a folder that a killed run left is swept by
// the next one, and one in use is not.
func TestNothingIsLeftBehind(t *testing.T) {
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

	b := New(Options{})
	s, err := b.NewSession(t.Context(), SessionOptions{})
	g.Expect(err).NotTo(HaveOccurred())
	dir := b.running.profile.dir
	g.Expect(processesWith(t, dir)).NotTo(BeZero())
	g.Expect(b.Close()).To(Succeed())
	g.Expect(dir).NotTo(BeADirectory())
	g.Eventually(func() int { return processesWith(t, dir) }).WithTimeout(10 * time.Second).Should(BeZero())
	g.Expect(s.Close()).To(Succeed())
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
