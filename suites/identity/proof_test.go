package identity_test

import (
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/fixtures/dialects"
	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/identity"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

var suite = proof.Suite{
	Profile: identity.Profile, Requirements: identity.Requirements, Cases: identity.Cases,
	Sample: 12, SideBySide: 32, RacedSideBySide: 32,
}

func TestMain(m *testing.M) { suite.Main(m) }

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

// TestEveryDefectIsCaught runs the profile against every defect.
func TestEveryDefectIsCaught(t *testing.T) {
	for i, d := range defects.All() {
		if !suite.Sampled(i) || !suite.Breaks(d) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			run := prove(t, proof.Expected(d), func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) })
			suite.Caught(t, d, run, proof.All)
		})
	}
}

func TestEveryRowHasCasesAndADefect(t *testing.T) { suite.EveryRow(t, defects.All()) }

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
	return suite.Run(t, target)
}
