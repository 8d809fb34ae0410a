package engine

import (
	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/result"
)

// OperationFetch is how the Provider's fetches of an agent's documents are tagged.
const OperationFetch = "fetch of "

// Fetches records, as exchanges that the Provider made, what it fetched of the primary agent's
// documents, as far as keep keeps it.
func (c *C) Fetches(keep func(agent.Fetch) bool) []*result.Exchange {
	var recorded []*result.Exchange
	for _, f := range c.run.setup.Server.Fetches() {
		if f.Agent != c.run.setup.Primary.Role || f.Document == "" || !keep(f) {
			continue
		}
		x := result.Exchange{
			Tags:    result.Tags{Case: c.name, Operation: OperationFetch + string(f.Document), Agent: f.Agent, Inbound: true, Expect: result.ExpectAny},
			Started: f.Time,
			Request: result.Request{Method: f.Method, URL: c.run.setup.Server.BaseURL() + f.Path, Header: map[string][]string{"User-Agent": {f.UserAgent}}},
		}
		if f.Status != 0 {
			x.Response = &result.Response{Status: f.Status}
		} else {
			x.Error = "left without an answer, on purpose"
		}
		recorded = append(recorded, c.run.recorder.Record(x, ""))
	}
	return recorded
}

// KeySetFetch tags the fetch of a JWKS, AttackerFetch that of a URL that a token offered.
const (
	KeySetFetch   = OperationFetch + string(agent.KeySet)
	AttackerFetch = OperationFetch + string(agent.Attacker)
)
