// Package sample makes finished runs for the tests of the reports: one with every outcome in it, one
// without a flaw, and one whose Provider answers with text that tries to break a report.
package sample

import (
	"slices"
	"time"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Started is when every sample run began.
var Started = time.Date(2026, 11, 30, 9, 30, 0, 0, time.UTC)

const (
	provider  = "https://provider.example.com"
	brandID   = "01JDMZ6Q0Q8W3S5T7V9X1Y2Z3A"
	otherID   = "01KDMZ6Q0Q8W3S5T7V9X1Y2Z3B"
	iface     = provider + "/a2a/" + brandID
	card      = iface + "/.well-known/agent-card.json"
	otherCard = provider + "/a2a/" + otherID + "/.well-known/agent-card.json"
	issuer    = "https://pa.example.com/primary"
)

// Run is a run over both profiles in which every outcome occurs, with some 700 exchanges.
func Run() *result.Run {
	b := newBuilder()
	b.flawed = true
	b.rows("identity", "delegated")
	b.run.Notes = []string{"The Provider's clock is 1.2 s ahead of this machine's; tokens are made for its clock."}
	return b.finish("identity", "delegated")
}

// Clean is a run over the Identity profile in which nothing falls short and nothing is left out.
func Clean() *result.Run {
	b := newBuilder()
	b.rows("identity")
	return b.finish("identity")
}

// Delegated is Clean over both profiles, with a User whom pages were shown.
func Delegated() *result.Run {
	b := newBuilder()
	b.rows("identity", "delegated")
	return b.finish("identity", "delegated")
}

// WithoutPages is Delegated where no page could be read: the rows about pages stand beside the
// verdict, and those that need a decision were not run.
func WithoutPages() *result.Run {
	run := Delegated()
	run.Pictures = nil
	run.Journeys = slices.DeleteFunc(run.Journeys, func(j result.Journey) bool { return len(j.Steps) > 0 })
	for i := range run.Requirements {
		q := &run.Requirements[i]
		known, _ := catalog.Find(q.ID)
		switch {
		case slices.Contains(known.Needs, "page"):
			q.Cases = []result.Case{idle(q.ID+"/page", result.NotRun, NoChromium, NoChromium)}
		case slices.Contains(known.Needs, "browser"):
			q.Cases = []result.Case{idle(q.ID+"/decided", result.NotRun, "needs browser: "+NoChromium, "")}
		}
	}
	run.Conclude("identity", "delegated")
	return run
}

// builder collects a run; its clock advances with each exchange.
type builder struct {
	run *result.Run
	// at is the time since the run began, in seconds.
	at float64
	// flawed runs have every outcome in them.
	flawed bool
	// pages are the ids of the exchanges that the journeys of §5 are about, by journey.
	pages map[string]string
}

// rows adds the rows of the profiles, and then the journeys that are not of §5.
func (b *builder) rows(profiles ...string) {
	for _, row := range catalog.All() {
		if !slices.Contains(profiles, row.Profile) {
			continue
		}
		if row.Profile == "delegated" && b.pages == nil {
			b.delegation()
		}
		special, found := specials[row.ID]
		if !b.flawed || !found {
			special, found = delegatedRows[row.ID]
		}
		if !found {
			special = (*builder).usual
		}
		b.add(row, special(b, row)...)
	}
	b.conversations()
}

func newBuilder() *builder {
	return &builder{run: &result.Run{
		SchemaVersion: result.SchemaVersion,
		Tool:          result.Tool{Name: "pact-conform", Version: "0.1.0"},
		Specification: result.Specification{Name: "PACT", Version: "1.0"},
		Catalogue:     catalog.Identity(),
		Provider:      result.Provider{Name: "Example Provider", Version: "2026.11", Policy: "allowlist"},
		Brand:         result.Brand{Card: card, Name: "Example Co.", Interface: iface},
		OtherBrand:    &result.Brand{Card: otherCard, Name: "Other & Sons", Interface: provider + "/a2a/" + otherID},
		Agents: []result.Agent{
			{Role: "primary", Issuer: issuer, Mode: "served"},
			{Role: "second", Issuer: "https://pa.example.com/second", Mode: "served"},
		},
		Started:  Started,
		Settings: result.Settings{Concurrency: 8, MaxWait: 100},
	}}
}

// add gives the requirement its cases.
func (b *builder) add(row catalog.Requirement, cases ...result.Case) {
	q := row.Result()
	q.Cases = cases
	b.run.Requirements = append(b.run.Requirements, q)
}

func (b *builder) finish(profiles ...string) *result.Run {
	stats := &b.run.Stats
	stats.Requests = len(b.run.Exchanges)
	for _, e := range b.run.Exchanges {
		if e.Turn {
			stats.Turns++
		}
		if e.Replay {
			stats.Replays++
		}
	}
	stats.Chain = 6
	stats.SecondLooks = 1
	stats.ClockOffset = 1.2
	b.run.Duration = b.at
	b.run.Conclude(profiles...)
	return b.run
}

// usual is what a Provider without fault makes of a row: two cases with an exchange and a control each,
// an observation where the row is only recorded.
func (b *builder) usual(row catalog.Requirement) []result.Case {
	if row.Level == result.Info {
		e := b.exchange(row.ID+"/seen", 200)
		return []result.Case{{
			Name: row.ID + "/seen", Outcome: result.Observed,
			Observations: []string{"the answer was 200 with a message"},
			Exchanges:    []string{e}, Started: b.at, Duration: 0.08,
		}}
	}
	var cases []result.Case
	for _, name := range []string{"plain", "again"} {
		cases = append(cases, b.judged(row.ID+"/"+name, result.Passed, "BeUnauthorized", "401 with WWW-Authenticate: Bearer realm=\"a2a\" and no A2A body", "", 401))
	}
	return cases
}

// judged is a case with one exchange that a judge looked at, and the control beside it.
func (b *builder) judged(name string, o result.Outcome, judge, expected, got string, status int) result.Case {
	started := b.at
	control := b.exchange(name, 200)
	e := b.exchange(name, status)
	return result.Case{
		Name: name, Outcome: o, Judge: judge, Expected: expected, Got: got,
		Judgements: []result.Judgement{
			{Judge: "BeServed", Exchanges: []string{control}, Outcome: result.Passed, Expected: "200 with an A2A result"},
			{Judge: judge, Args: map[string]any{"error": "invalid_token"}, Exchanges: []string{e}, Outcome: o, Expected: expected, Got: got},
		},
		Exchanges: []string{e}, Controls: []string{control},
		Started: started, Duration: b.at - started,
	}
}

// idle is a case without exchanges.
func idle(name string, o result.Outcome, reason, beside string) result.Case {
	return result.Case{Name: name, Outcome: o, Reason: reason, Beside: beside}
}

// conversations makes the journeys of the Identity profile.
func (b *builder) conversations() {
	for _, j := range []result.Journey{
		{Name: "conversation", Outcome: result.Passed, Started: 0.2, Duration: 4.1},
		{Name: "second conversation", Outcome: result.Passed, Started: 4.3, Duration: 6.5},
		{Name: "rotation of the primary agent's key", Outcome: result.Passed, Started: 0, Duration: b.at * 0.8},
	} {
		j.Exchanges = []string{b.exchange(j.Name, 200), b.exchange(j.Name, 200)}
		b.run.Journeys = append(b.run.Journeys, j)
	}
}
