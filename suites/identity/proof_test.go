package identity_test

import (
	"cmp"
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
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
	"github.com/pact-conform/pact-conform/suites/identity"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

// Runs mostly wait, so that many go side by side.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "32"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	proven.Print()
	os.Exit(code)
}

// thinking is how long the embedded agent thinks, so that what is sent at once is under way at once.
const thinking = 100 * time.Millisecond

// Keys outlive a run, so that only a fetch for an unknown kid brings a new one about. The row about
// withdrawn keys needs them to run out, and waits for it: it is run where it is to fall, and once
// where nothing is.
const (
	longLife, shortLife = time.Hour, 3 * time.Second
	withdrawal          = "PACT-3.1-03"
)

// expiry is the row that waits until a token has expired, which no other row waits for.
const expiry = "PACT-3.2-35"

// TestCorrectProvidersRaiseNothing runs the profile against the clean Provider and every dialect.
func TestCorrectProvidersRaiseNothing(t *testing.T) {
	correct(t, "clean", func(*provider.Options) {})
	for i, d := range dialects.All() {
		if sampled(i) {
			correct(t, d.Name, d.Apply)
		}
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

// TestEveryDefectIsCaught runs the profile against every defect: exactly the rows fall that its
// entry in the registry names. A defect that strikes at what everything stands on blocks the rest.
func TestEveryDefectIsCaught(t *testing.T) {
	for i, d := range defects.All() {
		if !sampled(i) || !slices.ContainsFunc(slices.Concat(d.Fails, d.Warns), isIdentity) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			want := proof.Expected(d)
			run := prove(t, want, func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) })
			got := proof.Fallen(run)
			if slices.Contains(d.Blocks, defects.Rest) {
				maps.DeleteFunc(got, func(id string, o result.Outcome) bool { return o == result.Blocked && want[id] == "" })
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s: %s\n%s", d.Name, d.Text, proof.Explain(run, got, want))
			}
			proven.Add(d.Name, strings.Join(slices.Concat(d.Fails, d.Warns), " "), cmp.Or(strings.Join(d.Blocks, " "), "-"), run)
		})
	}
}

// TestEveryRowHasCasesAndADefect: a must or should row without a case, or without a defect, is not
// proven.
func TestEveryRowHasCasesAndADefect(t *testing.T) {
	cased, caught := map[string]bool{}, map[string]bool{}
	for _, c := range identity.Cases() {
		cased[c.Requirement] = true
	}
	for _, d := range defects.All() {
		for _, id := range d.Fails {
			caught[id] = true
		}
	}
	for _, q := range identity.Requirements() {
		if !cased[q.ID] {
			t.Errorf("%s has no case", q.ID)
		}
		if q.Level != result.Info && !caught[q.ID] {
			t.Errorf("%s has no defect that it catches", q.ID)
		}
	}
}

// sample is how many of the defects and dialects are run under the race detector, which makes a run
// several times as slow: one of so many. Without it all are.
const sample = 12

// sampled reports whether the one with that number is run.
func sampled(number int) bool { return !raced || number%sample == 0 }

func isIdentity(id string) bool {
	q, ok := catalog.Find(id)
	return ok && q.Profile == identity.Profile
}

var proven proof.Table

// certify runs the whole profile.
func certify(t testing.TB, target *proof.Target) *result.Run {
	t.Helper()
	return target.Run(t, identity.Profile, identity.Requirements(), identity.Cases())
}

// prove runs the profile against a changed Provider.
func prove(t *testing.T, want map[string]result.Outcome, apply func(*provider.Options)) *result.Run {
	life, wait := longLife, proof.RotationWait
	if _, withdraws := want[withdrawal]; withdraws {
		life, wait = shortLife, proof.RotationWait+proof.WithdrawalWait
	}
	if _, expires := want[expiry]; expires {
		life, wait = shortLife, time.Minute
	}
	target := proof.New(t, func(o *provider.Options) {
		o.AgentLatency, o.KeyTTL, o.KeyRefetch = thinking, life, -1
		apply(o)
	})
	target.Setup.Limits.MaxWait = wait
	return certify(t, target)
}
