package identity_test

import (
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

// TestCleanProviderIsCertified runs the profile with everything that it can wait for.
func TestCleanProviderIsCertified(t *testing.T) {
	t.Parallel()
	target := proof.New(t, func(o *provider.Options) { o.KeyTTL, o.AgentLatency = shortLife, thinking })
	target.Setup.Limits.MaxWait = time.Minute
	target.Setup.Settings.Certify = true
	run := suite.Run(t, target)
	if got := proof.Fallen(run); len(got) > 0 {
		t.Errorf("a clean Provider raised:\n%s", proof.Explain(run, got, nil))
	}
	if verdict := run.Profiles[0].Verdict; verdict != result.Conformant || run.ExitCode != result.ExitConformant {
		t.Errorf("the verdict is %s (%s), exit %d", verdict, run.Profiles[0].Reason, run.ExitCode)
	}
	if turns := run.Stats.Turns; turns > mostTurns {
		t.Errorf("the profile cost %d agent turns, which is more than %d", turns, mostTurns)
	}
}

// mostTurns is what the whole profile may cost a Provider in agent turns.
const mostTurns = 38
