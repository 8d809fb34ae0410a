package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/harness/session"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// rightCase stands for a right token in place of a case's.
const rightCase = "right"

func newToken() *cobra.Command {
	var file, role, sub string
	cmd := &cobra.Command{
		Use:   "token CASE",
		Short: "Make the token of a case, fresh",
		Long: `Prints a token as the case makes it, of the same configuration as a run: right,
or with the case's one thing wrong. "right" in place of a case gives a right
one. The curl lines of a report call this command.`,
		Example: `  curl -i -H "Authorization: Bearer $(pact-conform token right)" \
    https://provider.example.com/a2a/01J/tasks
  pact-conform token PACT-3.2-04/pem`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return misuse("token takes one case, such as PACT-3.2-04/pem, or %q", rightCase)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			changes, err := tokenOf(args[0])
			if err != nil {
				return err
			}
			c, err := config.Load(file, lookupEnv, overrides(cmd.Flags()))
			if err != nil {
				return &ending{result.ExitUsage, err}
			}
			setup, err := session.Prepare(c, toolVersion())
			if err != nil {
				return &ending{result.ExitUsage, err}
			}
			if err := signable(&setup, args[0]); err != nil {
				return err
			}
			token, err := mint(&setup, role, sub, changes)
			if err != nil {
				return err
			}
			if c.Agents.Keys == "" {
				fmt.Fprintln(cmd.ErrOrStderr(), "pact-conform: nobody can verify this token: its key was made for it alone. Set agents.keys to a key file that the run uses too.")
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), token.Compact)
			return err
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "configuration `file` (default "+config.DefaultFile+", if there is one)")
	cmd.Flags().StringVar(&role, "agent", "primary", "personal agent that signs: primary, second or disabled")
	cmd.Flags().StringVar(&sub, "sub", "", "the User that it speaks for (default: one that nobody has used)")
	cmd.Flags().String("card", "", overriding["card"])
	cmd.Flags().String("audience", "", overriding["audience"])
	return cmd
}

// changing is what is changed about a right token, in a set-up.
type changing func(*engine.Setup) []agent.Change

// tokenOf finds the case with the name. A requirement that has one case stands for it.
func tokenOf(name string) (changing, error) {
	if name == rightCase {
		return func(*engine.Setup) []agent.Change { return nil }, nil
	}
	e, err := loadAll()
	if err != nil {
		return nil, err
	}
	names := []string{rightCase}
	var ofRow []*engine.Case
	for _, c := range e.Cases() {
		if c.FullName() == name {
			return c.TokenChanges, nil
		}
		if c.Requirement == name {
			ofRow = append(ofRow, c)
		}
		names = append(names, c.FullName())
	}
	switch len(ofRow) {
	case 0:
		return nil, misuse("%q is no case: did you mean %s?", name, nearest(name, names))
	case 1:
		return ofRow[0].TokenChanges, nil
	}
	var own []string
	for _, c := range ofRow {
		own = append(own, c.FullName())
	}
	return nil, misuse("%s has several cases, name one: %s", name, strings.Join(own, ", "))
}

// signable refuses a case whose token takes a key of the second agent, where there is none.
func signable(setup *engine.Setup, name string) error {
	id, _, _ := strings.Cut(name, "/")
	row, _ := catalog.Find(id)
	if setup.Second == nil && slices.Contains(row.Needs, engine.NeedSecondAgent) {
		return misuse("%s needs a second personal agent: set agents.second", name)
	}
	return nil
}

// mint makes the token, as the agent with the role.
func mint(setup *engine.Setup, role, sub string, changes changing) (agent.Token, error) {
	agents := map[string]*agent.Agent{"primary": setup.Primary, "second": setup.Second, "disabled": setup.Disabled}
	signer, known := agents[role]
	switch {
	case !known:
		return agent.Token{}, misuse("--agent: %q is no personal agent: did you mean %s?", role, nearest(role, []string{"primary", "second", "disabled"}))
	case signer == nil:
		return agent.Token{}, misuse("--agent: the configuration has no agents.%s", role)
	}
	if sub == "" {
		sub = "u-" + uuid.NewString()
	}
	token, err := signer.Mint(agent.Params{Subject: sub, Audience: setup.Audience, Now: time.Now()}, changes(setup)...)
	var unavailable *agent.Unavailable
	if errors.As(err, &unavailable) {
		return token, misuse("this token cannot be made: %s", unavailable.Reason)
	}
	if err != nil {
		return token, broken("%w", err)
	}
	return token, nil
}
