package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// paper is a writer that a test reads while it is written.
type paper struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// A person is shown the link, what to do and how much time is left, one task at a time, until the
// caller knows the decision or the time is over.
func TestAPersonIsAsked(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	out := &paper{}
	m := NewManual(out, 10*time.Millisecond)
	task := Task{Link: "https://b.example/login?c=1", UserCode: "WDJB-MJHT", User: "ada", Decision: TaskApprove, Scopes: []string{"a:r", "b:w"}, Expires: time.Now().Add(time.Hour)}
	first, second := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 2)
	go func() { ended <- m.Ask(t.Context(), task, first) }()
	g.Eventually(out.String).Should(ContainSubstring("https://b.example/login?c=1"))
	g.Eventually(out.String).Should(And(ContainSubstring("WDJB-MJHT"), ContainSubstring("sign in as ada"), ContainSubstring("tick a:r, b:w and nothing else"), ContainSubstring("1h0m0s left"), ContainSubstring("59m59s left")))

	other := Task{Link: "https://b.example/login?c=2", Decision: TaskDeny, Expires: time.Now().Add(time.Hour)}
	go func() { ended <- m.Ask(t.Context(), other, second) }()
	g.Expect(out.String()).NotTo(ContainSubstring("c=2"), "one at a time")
	close(first)
	g.Eventually(ended).Should(Receive(BeNil()))
	g.Eventually(out.String).Should(And(ContainSubstring("c=2"), ContainSubstring("and deny")))
	close(second)
	g.Eventually(ended).Should(Receive(BeNil()))

	late := Task{Link: "x", Decision: TaskApprove, Expires: time.Now().Add(20 * time.Millisecond)}
	g.Expect(KindOf(m.Ask(t.Context(), late, nil))).To(Equal(Expired))
	g.Expect(out.String()).To(ContainSubstring("untick everything"))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	g.Expect(KindOf(NewManual(io.Discard, 0).Ask(cancelled, task, nil))).To(Equal(Expired))
}

// A hook gets the task as JSON, and is told from one that fails or does not end.
func TestAHookIsRun(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	dir := t.TempDir()
	task := Task{Link: "https://b.example/l", UserCode: "WDJB-MJHT", User: "ada", Decision: TaskApprove, Scopes: []string{"a:r"}, Expires: time.Now().Add(time.Hour).UTC().Truncate(time.Second)}
	g.Expect(Hook{Command: []string{"sh", "-c", "cat > got.json"}, Dir: dir}.Do(t.Context(), task)).To(Succeed())
	data, err := os.ReadFile(filepath.Join(dir, "got.json"))
	g.Expect(err).NotTo(HaveOccurred())
	var got Task
	g.Expect(json.Unmarshal(data, &got)).To(Succeed())
	g.Expect(got).To(Equal(task))
	var raw map[string]any
	g.Expect(json.Unmarshal(data, &raw)).To(Succeed())
	g.Expect(raw).To(And(HaveKey("link"), HaveKey("userCode"), HaveKey("scopes"), HaveKey("decision"), HaveKey("user"), HaveKey("expires")))

	mask := func(string) string { return "[quiet]" }
	for name, c := range map[string]struct {
		hook Hook
		saw  string
	}{
		"fails":     {Hook{Command: []string{"sh", "-c", "echo no such user; exit 4"}}, "no such user"},
		"is masked": {Hook{Command: []string{"sh", "-c", "echo secret; exit 1"}, Mask: mask}, "[quiet]"},
		"hangs":     {Hook{Command: []string{"sh", "-c", "sleep 600"}, Timeout: 100 * time.Millisecond}, "deadline exceeded"},
		"is absent": {Hook{Command: []string{filepath.Join(dir, "nothing")}}, "no such file"},
		"is empty":  {Hook{}, "no command"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			err := c.hook.Do(t.Context(), task)
			g.Expect(KindOf(err)).To(Equal(HookFailed))
			g.Expect(err.Error()).To(ContainSubstring(c.saw))
		})
	}
}
