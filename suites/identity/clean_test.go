package identity_test

import (
	"testing"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

func TestCleanProviderIsConformant(t *testing.T) {
	run := newTarget(t, func(o *provider.Options) { o.KeyTTL = keyTTL }).certify(t)
	for _, q := range run.Requirements {
		for _, c := range q.Cases {
			switch c.Outcome {
			case result.Passed, result.Observed, result.NotApplicable:
			default:
				t.Errorf("%s %s: %s expected %q got %q beside %q", c.Name, c.Outcome, c.Reason, c.Expected, c.Got, c.Beside)
			}
		}
	}
	t.Log(run.Stats, run.Duration, run.Profiles)
}
