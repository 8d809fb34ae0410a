package delegated_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/fixtures/dialects"
	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
	"github.com/pact-conform/pact-conform/suites/delegated"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

// Runs mostly wait, so that many go side by side; under the race detector they mostly work.
func TestMain(m *testing.M) {
	flag.Parse()
	side := "32"
	if raced {
		side = "8"
	}
	if err := flag.Set("test.parallel", side); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	proven.Print()
	os.Exit(code)
}

var proven proof.Table

// TestCorrectProvidersRaiseNothing runs the profile against the clean Provider and every dialect.
func TestCorrectProvidersRaiseNothing(t *testing.T) {
	correct(t, "clean", func(*provider.Options) {})
	for i, d := range dialects.Delegated() {
		if sampled(i) {
			correct(t, d.Name, d.Apply)
		}
	}
}

// TestWhatExpiresIsAwaited runs the rows that wait against the clean Provider: they pass.
func TestWhatExpiresIsAwaited(t *testing.T) {
	for id := range expiries {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			run := expire(t, id, func(*provider.Options) {})
			for _, q := range run.Requirements {
				if q.ID == id && q.Outcome != result.Passed {
					t.Errorf("a correct Provider raised:\n%s", proof.Explain(run, map[string]result.Outcome{id: q.Outcome}, nil))
				}
			}
		})
	}
}

func correct(t *testing.T, name string, apply func(*provider.Options)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		run := prove(t, nil, apply)
		if got := proof.Fallen(run); len(got) > 0 {
			t.Errorf("a correct Provider raised:\n%s", proof.Explain(run, got, nil))
		}
		proven.Add(name, "-", "-", run)
	})
}

// TestEveryDefectIsCaught runs the profile against every defect that shows without a page: exactly the
// rows fall that its entry in the registry names.
func TestEveryDefectIsCaught(t *testing.T) {
	for i, d := range defects.Delegated() {
		if d.Pages || !sampled(i) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			run := prove(t, proof.Expected(d), func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) })
			caught(t, d, run, false)
		})
	}
}

// caught compares what fell with what the registry says.
func caught(t *testing.T, d defects.Defect, run *result.Run, pages bool) {
	t.Helper()
	want := proof.Expected(d)
	maps.DeleteFunc(want, func(id string, _ result.Outcome) bool { return !isDelegated(id) || !pages && needsPage(id) })
	got := proof.Fallen(run)
	if slices.Contains(d.Blocks, defects.Rest) {
		maps.DeleteFunc(got, func(id string, o result.Outcome) bool { return o == result.Blocked && want[id] == "" })
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: %s\n%s", d.Name, d.Text, proof.Explain(run, got, want))
	}
	proven.Add(d.Name, strings.Join(slices.Concat(d.Fails, d.Warns), " "), cmp.Or(strings.Join(d.Blocks, " "), "-"), run)
}

// TestEveryRowHasCasesAndADefect: a must or should row without a case, or without a defect, is not proven.
func TestEveryRowHasCasesAndADefect(t *testing.T) {
	cased, fallen := map[string]bool{}, map[string]bool{}
	for _, c := range delegated.Cases() {
		cased[c.Requirement] = true
	}
	for _, d := range defects.Delegated() {
		for _, id := range d.Fails {
			fallen[id] = true
		}
	}
	for _, q := range delegated.Requirements() {
		if !cased[q.ID] {
			t.Errorf("%s has no case", q.ID)
		}
		if q.Level != result.Info && !fallen[q.ID] {
			t.Errorf("%s has no defect that it catches", q.ID)
		}
	}
}

// sample is how many of the defects and dialects are run under the race detector, which makes a run
// several times as slow: one of so many. Without it all are.
const sample = 16

// sampled reports whether the one with that number is run.
func sampled(number int) bool { return !raced || number%sample == 0 }

func isDelegated(id string) bool {
	q, ok := catalog.Find(id)
	return ok && q.Profile == delegated.Profile
}

// needsPage reports whether a row is judged over pages, which a scripted User does not read.
func needsPage(id string) bool {
	q, _ := catalog.Find(id)
	return slices.Contains(q.Needs, engine.NeedPage)
}

// revocation is the row that is about what was approved when a grant is revoked.
const revocation = "PACT-5.5-07"

// expiries are the rows that wait for something to expire, and what makes it live no longer than the
// run waits. The other rows would trip over it: each of these is run by itself, where it is to fall
// and once where nothing is.
var expiries = map[string]func(*provider.Delegation){
	"PACT-5.3-20": func(d *provider.Delegation) { d.CodeLifetime = 3 * time.Second },
	"PACT-5.5-05": func(d *provider.Delegation) { d.TokenLifetime = 20 * time.Second },
}

// prove runs the profile against a changed Provider, with a scripted User.
func prove(t *testing.T, want map[string]result.Outcome, apply func(*provider.Options)) *result.Run {
	target := proof.Delegating(t, apply)
	if want[revocation] == result.Warning { // of a code whose grant is revoked only a hook knows
		target.Setup.Revoke = func(context.Context, engine.Revocation) error {
			target.Provider.RevokeGrants("")
			return nil
		}
	}
	run := target.Run(t, delegated.Profile, delegated.Requirements(), delegated.Cases())
	for id := range expiries {
		if want[id] != "" {
			replace(run, id, expire(t, id, apply))
		}
	}
	return run
}

// expire runs a row that waits for something to expire.
func expire(t *testing.T, id string, apply func(*provider.Options)) *result.Run {
	target := proof.Delegating(t, func(o *provider.Options) {
		expiries[id](o.Delegation)
		apply(o)
	})
	target.Setup.Limits.MaxWait = time.Minute
	rows := slices.DeleteFunc(delegated.Requirements(), func(q engine.Requirement) bool { return q.ID != id })
	cases := slices.DeleteFunc(delegated.Cases(), func(c *engine.Case) bool { return c.Requirement != id })
	return target.Run(t, delegated.Profile, rows, cases)
}

// replace puts what another run says of a row in the place of what the run says.
func replace(run *result.Run, id string, by *result.Run) {
	is := func(q result.Requirement) bool { return q.ID == id }
	run.Requirements[slices.IndexFunc(run.Requirements, is)] = by.Requirements[slices.IndexFunc(by.Requirements, is)]
}

// TestWithoutUsers: what needs nobody to sign in is judged, and the rest is not run, without an error.
func TestWithoutUsers(t *testing.T) {
	t.Parallel()
	target := proof.Delegating(t, nil)
	target.Setup.Users, target.Setup.Player = nil, nil
	run := target.Run(t, delegated.Profile, delegated.Requirements(), delegated.Cases())
	judged := 0
	for _, q := range run.Requirements {
		switch q.Outcome {
		case result.Passed, result.Observed:
			judged++
		case result.NotRun, result.NotApplicable:
		default:
			t.Errorf("%s is %s", q.ID, q.Outcome)
		}
	}
	if judged < 20 {
		t.Errorf("%d rows were judged", judged)
	}
}
