package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/json"
)

// buildFlags are those of the build, besides where it goes.
var buildFlags = []string{"build"}

// binary is the command as it is built for users, keys a key file that all tests share: RSA keys take long to make.
var binary, keys string

func TestMain(m *testing.M) {
	if os.Getenv(playsTheUser) != "" {
		os.Exit(playAsHook())
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "pact-conform-test-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binary, keys = filepath.Join(dir, "pact-conform"), filepath.Join(dir, keysFile)
		build := exec.Command("go", append(buildFlags, "-o", binary, ".")...)
		if output, err := build.CombinedOutput(); err != nil {
			panic(string(output))
		}
		if err := writeKeys(keys); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// patience is how long a process may take for what takes a moment: machines that test are busy.
const patience = 3 * time.Minute

// finished is a process that has ended.
type finished struct {
	code           int
	stdout, stderr string
}

// command is the binary in a folder, with nothing of the test's environment but what it needs.
func command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{
		"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH"), "HOME=" + dir,
		"GORACE=atexit_sleep_ms=0", // the race detector otherwise takes a second to exit
	}, env...)
	return cmd
}

// call runs the command to its end.
func call(t *testing.T, dir string, env []string, args ...string) finished {
	t.Helper()
	return callWithin(t, patience, dir, env, args...)
}

// callWithin is call for what takes longer.
func callWithin(t *testing.T, most time.Duration, dir string, env []string, args ...string) finished {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	cmd := command(ctx, dir, env, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("pact-conform %s did not end:\n%s%s", strings.Join(args, " "), &out, &errs)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return finished{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// process is the command while it runs.
type process struct {
	cmd    *exec.Cmd
	lines  chan string
	stderr bytes.Buffer
	done   chan struct{}
	seen   strings.Builder
}

// start starts the command; it is ended with the test.
func start(t *testing.T, dir string, env []string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p := &process{cmd: command(ctx, dir, env, args...), lines: make(chan string, 1000), done: make(chan struct{})}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			p.lines <- scanner.Text()
		}
		close(p.lines)
		_ = p.cmd.Wait()
	}()
	t.Cleanup(func() {
		cancel()
		for range p.lines { // the reader must not wait for a full channel
		}
		<-p.done
	})
	return p
}

// until waits for a line that starts with the word, and returns the rest of it.
func (p *process) until(t *testing.T, word string) string {
	t.Helper()
	for line := range p.lines {
		p.seen.WriteString(line + "\n")
		if rest, found := strings.CutPrefix(line, word); found {
			return strings.TrimSpace(rest)
		}
	}
	<-p.done
	t.Fatalf("no line %q came:\n%s%s", word, p.seen.String(), p.stderr.String())
	return ""
}

// interrupt is what Ctrl-C does.
func (p *process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
}

// end waits for the process.
func (p *process) end(t *testing.T) finished {
	t.Helper()
	for line := range p.lines {
		p.seen.WriteString(line + "\n")
	}
	<-p.done
	return finished{p.cmd.ProcessState.ExitCode(), p.seen.String(), p.stderr.String()}
}

// report reads the results of a run in the folder.
func report(t *testing.T, dir string) *result.Run {
	t.Helper()
	run, err := json.ReadFile(filepath.Join(dir, "pact-conform-report", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// outcome is that of a requirement.
func outcome(t *testing.T, run *result.Run, id string) result.Outcome {
	t.Helper()
	for _, q := range run.Requirements {
		if q.ID == id {
			return q.Outcome
		}
	}
	t.Fatalf("%s is not in the run", id)
	return ""
}

// with are the requirements with the outcome.
func with(run *result.Run, o result.Outcome) []string {
	var ids []string
	for _, q := range run.Requirements {
		if q.Outcome == o {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// lines are the lines of a text, without the last empty one.
func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }
