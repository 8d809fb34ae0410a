package delegated_test

import (
	"context"
	"slices"
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

var suite = proof.Suite{
	Profile: delegated.Profile, Requirements: delegated.Requirements, Cases: delegated.Cases,
	Sample: 16, SideBySide: 64, RacedSideBySide: 8,
}

func TestMain(m *testing.M) { suite.Main(m) }

// TestCorrectProvidersRaiseNothing runs the profile against the clean Provider and every dialect.
func TestCorrectProvidersRaiseNothing(t *testing.T) {
	correct(t, "clean", func(*provider.Options) {})
	for i, d := range dialects.Delegated() {
		if suite.Sampled(i) {
			correct(t, d.Name, d.Apply)
		}
	}
}

func correct(t *testing.T, name string, apply func(*provider.Options)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		suite.Correct(t, name, prove(t, nil, apply))
	})
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

// TestEveryDefectIsCaught runs the profile against every defect that shows without a page.
func TestEveryDefectIsCaught(t *testing.T) {
	for i, d := range defects.Delegated() {
		if d.Pages || !suite.Sampled(i) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			run := prove(t, proof.Expected(d), func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) })
			suite.Caught(t, d, run, func(id string) bool { return !needsPage(id) })
		})
	}
}

func TestEveryRowHasCasesAndADefect(t *testing.T) { suite.EveryRow(t, defects.Delegated()) }

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
	run := suite.Run(t, target)
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
	return suite.RunRows(t, target, func(row string) bool { return row == id })
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
	run := suite.Run(t, target)
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
