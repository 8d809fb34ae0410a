package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/fixtures/scripteduser"
	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/result"
)

// playsTheUser is set for the test binary where it is itself the command of browser.user.hook.
const playsTheUser = "PACT_CONFORM_TEST_PLAYS_THE_USER"

// playAsHook does the task on standard input, and returns the exit code.
func playAsHook() int {
	var task browser.Task
	err := json.NewDecoder(os.Stdin).Decode(&task)
	if err == nil {
		err = decides(context.Background(), task)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// decides does a task on the plain pages, as somebody who knows the password.
func decides(ctx context.Context, task browser.Task) error {
	for _, account := range accounts() {
		if account.Username != task.User {
			continue
		}
		user := scripteduser.New(account.Username, account.Password)
		switch {
		case task.Decision == browser.TaskDeny:
			return user.Deny(ctx, task.Link)
		case len(task.Scopes) == 0:
			return user.ApproveNothing(ctx, task.Link)
		}
		return user.Approve(ctx, task.Link, task.Scopes...)
	}
	return fmt.Errorf("there is no user %q", task.User)
}

// byHand are rows that need decisions: what a token says, a denial, a scope that is unticked, an
// untick of all, and what pages show.
const byHand = "PACT-5.4-01,PACT-5.3-17,PACT-5.3-19,PACT-5.3-38,PACT-5.3-31"

// decidedByOthers is what comes of them where no page is read.
func decidedByOthers(t *testing.T, run *result.Run, why string) {
	t.Helper()
	g := NewWithT(t)
	for _, id := range []string{"PACT-5.4-01", "PACT-5.3-17", "PACT-5.3-19", "PACT-5.3-38"} {
		g.Expect(outcome(t, run, id)).To(Equal(result.Passed), id)
	}
	g.Expect(besides(run)).To(Equal(map[string]string{"PACT-5.3-31": why}))
}

func TestACommandPlaysTheUser(t *testing.T) {
	g := NewWithT(t)
	_, dir := hosting(t)
	hook, err := os.Executable()
	g.Expect(err).NotTo(HaveOccurred())
	configured(t, dir, fmt.Sprintf("browser: {user: {hook: [%q]}}", hook))
	ran := call(t, dir, []string{playsTheUser + "=1"}, soon, delegatedProfile, "--only", byHand, "--quiet")
	g.Expect(ran.code).To(Equal(0), ran.stdout+ran.stderr)
	decidedByOthers(t, report(t, dir), "a command plays the User (browser.user.hook), so that no page is read")
	g.Expect(ran.stdout).To(HavePrefix("The Brand's agent may act on the users' accounts"), "also where all else is quiet")

	// Without the variable the test binary is no hook, and fails.
	failed := call(t, dir, nil, soon, delegatedProfile, "--only", "PACT-5.4-01")
	g.Expect(failed.stdout).To(ContainSubstring("the hook failed"))
	g.Expect(outcome(t, report(t, dir), "PACT-5.4-01")).To(Equal(result.Blocked))
}

func TestAPersonPlaysTheUser(t *testing.T) {
	g := NewWithT(t)
	_, dir := hosting(t)
	p := start(t, dir, []string{"PACT_CONFORM_BROWSER_USER=manual"}, soon, delegatedProfile, "--only", byHand)
	for task, more := readTask(p); more; task, more = readTask(p) {
		if err := decides(t.Context(), task); err != nil {
			t.Error(err)
		}
	}
	ran := p.end(t)
	g.Expect(ran.code).To(Equal(0), ran.stdout+ran.stderr)
	g.Expect(ran.stdout).To(ContainSubstring("decided, thank you"))
	decidedByOthers(t, report(t, dir), "a person plays the User (browser.user: manual), so that no page is read")
}

// readTask reads what a person is asked to do; false when the run asks for nothing more.
func readTask(p *process) (browser.Task, bool) {
	task := browser.Task{Decision: browser.TaskApprove}
	for line := range p.lines {
		p.seen.WriteString(line + "\n")
		line = strings.TrimSpace(line)
		if link, is := strings.CutPrefix(line, "Open "); is {
			task.Link = strings.TrimSpace(link)
		}
		if name, is := strings.CutPrefix(line, "sign in as "); is {
			task.User = name
		}
		if ticks, is := strings.CutPrefix(line, "tick "); is {
			ids, _, _ := strings.Cut(ticks, " and nothing else")
			task.Scopes = commas([]string{ids})
		}
		if line == "and deny" {
			task.Decision = browser.TaskDeny
		}
		if task.Link != "" && strings.HasSuffix(line, " left") {
			return task, true
		}
	}
	return task, false
}
