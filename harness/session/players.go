package session

import (
	"context"
	"fmt"
	"time"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
)

// person plays the User by hand, as it is told to.
type person struct {
	manual *browser.Manual
	users  []config.User
	mask   func(string) string
}

// Decide shows the task until it is decided.
func (p *person) Decide(ctx context.Context, task browser.Task, user engine.User, decided <-chan struct{}) error {
	task.User = p.called(user)
	return p.manual.Ask(ctx, task, decided)
}

// Knows is false: only a poll tells what a person did.
func (p *person) Knows() bool { return false }

// called is how a person is told who signs in. A name that is kept secret is known by its place.
func (p *person) called(user engine.User) string {
	for i, u := range p.users {
		if u.Username == user.Username && p.mask(u.Username) != u.Username {
			return fmt.Sprintf("users[%d]", i)
		}
	}
	return user.Username
}

// script plays the User by a command, a few at a time.
type script struct {
	hook  browser.Hook
	slots chan struct{}
}

// Knows is true: a command ends when it has decided.
func (s *script) Knows() bool { return true }

// leaveTime is how long a command may go on once its decision is known.
const leaveTime = 10 * time.Second

// Decide runs the command. What it still does when the decision is known is of no account.
func (s *script) Decide(ctx context.Context, task browser.Task, _ engine.User, decided <-chan struct{}) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-decided:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.hook.Do(ctx, task) }()
	select {
	case err := <-ended:
		return err
	case <-decided:
	}
	late := time.AfterFunc(leaveTime, cancel)
	defer late.Stop()
	<-ended
	return nil
}
