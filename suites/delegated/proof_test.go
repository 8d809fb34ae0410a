package delegated_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/delegated"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

// built are the rows of §5 that have cases.
func built() []engine.Requirement {
	return slices.DeleteFunc(delegated.Requirements(), func(q engine.Requirement) bool {
		return !slices.ContainsFunc(delegated.Cases(), func(c *engine.Case) bool { return c.Requirement == q.ID })
	})
}

func certify(t *testing.T) *result.Run {
	t.Helper()
	target := proof.New(t, func(o *provider.Options) {
		o.Delegation = &provider.Delegation{CodeLifetime: 2 * time.Second}
	})
	return target.Run(t, delegated.Profile, built(), delegated.Cases())
}

func TestCleanProviderRaisesNothing(t *testing.T) {
	t.Parallel()
	run := certify(t)
	if got := proof.Fallen(run); len(got) > 0 {
		t.Errorf("a clean Provider raised:\n%s", proof.Explain(run, got, nil))
	}
}
