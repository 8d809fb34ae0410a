package identity

import (
	"strings"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §6 Errors
var _ = Clause("6", func() {
	EveryError("PACT-6-01", judge.HaveErrorCode())
	EveryError("PACT-6-02", judge.HaveErrorStatus())
	EveryError("PACT-6-03", judge.HaveErrorInfo())
	EveryError("PACT-6-04", judge.HaveErrorHTTPStatus())
	EveryError("PACT-6-05", judge.HaveErrorMessage())
	EveryError("PACT-6-06", judge.ShowNoInternals())
	WhereMet("PACT-6-07", "every-429", limited, "no 429 was met", judge.HaveRetryAfter())
	WhereMet("PACT-6-08", "every-5xx", serverError, "no 5xx was met", judge.BeInternalErrors())
	WhereMet("PACT-6-09", "every-429", limited, "no 429 was met", judge.HaveNoA2ABody())
})

// EveryError judges A2A errors that are provoked for the purpose, and every other of the run.
func EveryError(id string, j judge.Judge) {
	Case(id, "provoked", func(c *engine.C) {
		c.Judge(provokedErrors.In(c)...).To(j)
	}, engine.Using(provokedErrors))
	Throughout(id, "every-error", judge.IsA2AError, j)
}

// provokedErrors are the errors that an unknown task and a wrong role get.
var provokedErrors = engine.NewJourney("A2A errors are provoked", func(c *engine.C) []*result.Exchange {
	brand := c.Brand().Expecting(result.ExpectError)
	answers := []*provider.Answer{brand.Task(uuid.NewString()), brand.Ask(provider.Member("role", "ROLE_AGENT"))}
	errors := Choose([]*result.Exchange{answers[0].Exchange, answers[1].Exchange}, judge.IsA2AError)
	if len(errors) == 0 {
		c.Block("neither an unknown task nor a wrong role gets an A2A error")
	}
	return errors
})

func limited(x *result.Exchange) bool { return x.Response.Status == 429 }

// serverError is a 5xx of an A2A operation, but for those that a failing JWKS explains (PACT-3.1-10).
func serverError(x *result.Exchange) bool {
	return x.Response.Status >= 500 && x.Tags.Operation != provider.OperationCard && !ofOAuth(x) && !provoked(x)
}

func provoked(x *result.Exchange) bool { return strings.HasPrefix(x.Tags.Case, "PACT-3.1-10/") }
