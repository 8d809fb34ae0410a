package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium is a running Chromium.
type chromium struct {
	// ctx is the chromedp context of the program; it ends when the program does.
	ctx     context.Context
	stop    func()
	group   int
	profile *profile
}

// flags are what this use of Chromium needs beyond chromedp's defaults.
func flags(options Options, dir string) []chromedp.ExecAllocatorOption {
	all := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(dir),
		chromedp.WindowSize(1280, 900),
		// Nothing that is visited may come from, or stay in, a shared place.
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("no-pings", true),
		chromedp.Flag("lang", "en-US"),
		// A page made up at a name that does not exist frames one on loopback.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,LocalNetworkAccessChecks,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable"+notIsolated(options)),
	)
	if !options.isolate {
		// All frames of a page in one process: a login in a frame costs no process of its own, and
		// its requests are seen from the first. Cookies and framing rules are not touched by it.
		all = append(all, chromedp.Flag("disable-site-isolation-trials", true))
	} else {
		all = append(all, chromedp.Flag("site-per-process", true))
	}
	if os.Getuid() == 0 {
		all = append(all, chromedp.Flag("no-sandbox", true))
	}
	return all
}

func notIsolated(options Options) string {
	if options.isolate {
		return ""
	}
	return ",SitePerProcess,IsolateOrigins"
}

// launch starts the program and waits until it answers.
func launch(ctx context.Context, options Options) (*chromium, error) {
	program, err := Find(options.Chromium)
	if err != nil {
		return nil, err
	}
	folder, err := newProfile()
	if err != nil {
		return nil, &Error{Kind: NotStarted, Saw: program, Err: err}
	}
	output := &tail{}
	c := &chromium{profile: folder}
	var process *exec.Cmd
	allocated, endAllocator := chromedp.NewExecAllocator(context.Background(), append(flags(options, folder.dir),
		chromedp.ExecPath(program), chromedp.CombinedOutput(output),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { ownGroup(cmd); noOrphan(cmd); process = cmd }))...)
	root, endRoot := chromedp.NewContext(allocated, chromedp.WithErrorf(discard), chromedp.WithLogf(discard))
	c.ctx = root
	c.stop = func() { endRoot(); endAllocator() }

	deadline, cancel := context.WithTimeout(ctx, options.StartTimeout)
	defer cancel()
	// The program lives as long as root, not as long as the wait for its start.
	started := make(chan error, 1)
	go func() { started <- chromedp.Do(root) }()
	select {
	case err = <-started:
	case <-deadline.Done():
		c.stop()
		<-started
		err = deadline.Err()
	}
	if err == nil {
		c.group = process.Process.Pid
		return c, nil
	}
	c.stop()
	if process != nil && process.Process != nil {
		endGroup(process.Process.Pid)
	}
	_ = folder.remove()
	saw := program + " printed " + output.String()
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		saw = program + " gave no answer within " + options.StartTimeout.String() + "; it printed " + output.String()
	}
	return nil, &Error{Kind: NotStarted, Saw: saw, Err: err}
}

func discard(string, ...any) {}

// alive reports whether the program still runs.
func (c *chromium) alive() bool { return c.ctx.Err() == nil }

// endTimeout bounds how long Chromium may take to end by itself, which lets it end and wait for all
// that it started.
const endTimeout = 10 * time.Second

// end stops the program, everything that it started, and removes its profile.
func (c *chromium) end() error {
	if c.alive() {
		ctx, cancel := context.WithTimeout(c.ctx, endTimeout)
		_ = chromedp.Cancel(ctx)
		cancel()
	}
	c.stop()
	endGroup(c.group)
	return c.profile.remove()
}

// tail keeps the end of what Chromium prints, to say why it did not start.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailLength = 600

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - tailLength; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := strings.TrimSpace(string(t.text)); text != "" {
		return text
	}
	return "nothing"
}

// startTimeout is the default of Options.StartTimeout: a loaded machine with two cores needs many
// seconds for what an idle one does in half a second.
const startTimeout = 90 * time.Second
