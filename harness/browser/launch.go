package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium is a running Chromium.
type chromium struct {
	// ctx is the chromedp context of the program; it ends a little after the program does.
	ctx  context.Context
	stop func()
	// lost is closed as soon as the program no longer answers because it has ended.
	lost    <-chan struct{}
	group   int
	profile *profile
}

// The window is as large as the pages of a computer ask for and no larger: what is drawn, and the
// pictures above all, costs by the pixel.
const windowWidth, windowHeight = 1024, 768

// flags are what this use of Chromium needs beyond chromedp's defaults.
func flags(options Options, folder *profile) []chromedp.ExecAllocatorOption {
	all := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(folder.dir),
		chromedp.WindowSize(windowWidth, windowHeight),
		// Nothing that is visited may come from, or stay in, a shared place.
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("no-pings", true),
		chromedp.Flag("lang", "en-US"),
		chromedp.Env("TMPDIR="+folder.temp),
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
	folder, err := newProfile(options.parent)
	if err != nil {
		return nil, &Error{Kind: NotStarted, Saw: program, Err: err}
	}
	output := &tail{}
	c := &chromium{profile: folder}
	var process *exec.Cmd
	var stopped atomic.Bool
	allocated, endAllocator := chromedp.NewExecAllocator(context.Background(), append(flags(options, folder),
		chromedp.ExecPath(program), chromedp.CombinedOutput(output),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			ownGroup(cmd)
			noOrphan(cmd)
			cmd.Cancel = func() error { stopped.Store(true); return cmd.Process.Kill() }
			process = cmd
		}))...)
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
	answered := chromedp.FromContext(root).Browser != nil
	if answered {
		c.group, c.lost = process.Process.Pid, chromedp.FromContext(root).Browser.LostConnection
	}
	if err == nil {
		return c, nil
	}
	c.stop()
	if process != nil && process.Process != nil {
		endGroup(process.Process.Pid)
	}
	_ = folder.remove()
	trouble := &Error{Kind: NotStarted, Saw: program + " printed " + output.String(), Err: err}
	switch {
	case deadline.Err() != nil && ctx.Err() == nil:
		trouble.Saw = program + " gave no answer within " + options.StartTimeout.String() + "; it printed " + output.String()
	case deadline.Err() == nil && !stopped.Load() && process != nil && process.ProcessState != nil:
		trouble.Err = errors.New(process.ProcessState.String())
		if answered || killed(process.ProcessState) {
			trouble.Kind = Crashed
		}
	case deadline.Err() == nil && answered:
		trouble.Kind = Crashed
	}
	return nil, trouble
}

// killed reports whether a signal ended the process, or a child that it is the shell of.
func killed(state *os.ProcessState) bool { return state.ExitCode() < 0 || state.ExitCode() > 128 }

func discard(string, ...any) {}

// alive reports whether the program still runs. It knows of the end before the context does, and
// before any call to the program fails of it.
func (c *chromium) alive() bool {
	select {
	case <-c.lost:
		return false
	default:
		return c.ctx.Err() == nil
	}
}

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
