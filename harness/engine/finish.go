package engine

import (
	"context"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// finish puts the result together. Verdicts are for the caller, who knows which profiles were asked for.
func (r *run) finish(e *Engine, looks int) *result.Run {
	s := &r.setup
	out := &result.Run{
		SchemaVersion: result.SchemaVersion,
		Tool:          result.Tool{Name: "pact-conform", Version: s.Version},
		Specification: result.Specification{Name: "PACT", Version: "1.0"},
		Provider:      s.Provider,
		Brand:         result.Brand{Card: r.recorder.Text(s.Brand.Card), Name: s.Brand.Name, Interface: r.interfaceOf(brandCard)},
		Started:       r.start.UTC(),
		Duration:      r.now().Sub(r.start).Seconds(),
		Settings:      s.Settings,
	}
	if s.OtherBrand.Card != "" {
		out.OtherBrand = &result.Brand{Card: r.recorder.Text(s.OtherBrand.Card), Name: s.OtherBrand.Name, Interface: r.interfaceOf(otherCard)}
	}
	if r.ctx.Err() != nil {
		out.Stopped = r.recorder.Text(context.Cause(r.ctx).Error())
	}
	r.agents(out)
	r.cases(e, out)
	for _, j := range r.order {
		done := j.record.done()
		_, reason := j.record.state()
		if done.Outcome == result.Passed {
			reason = ""
		}
		out.Journeys = append(out.Journeys, result.Journey{
			Name: done.Name, Outcome: done.Outcome, Reason: reason,
			Exchanges: done.Exchanges, Journeys: done.Journeys, Started: done.Started, Duration: done.Duration,
		})
	}
	out.Stats = result.Stats{Waited: r.link.Paused().Seconds(), SecondLooks: looks, ClockOffset: r.clock.Offset().Round(time.Millisecond).Seconds()}
	for _, x := range r.recorder.All() {
		if !x.Tags.Inbound {
			out.Stats.Requests++
		}
		if x.Turn {
			out.Stats.Turns++
		}
		if x.Replay {
			out.Stats.Replays++
		}
		out.Exchanges = append(out.Exchanges, *x)
	}
	out.Stats.Chain = out.LongestChain()
	return out
}

func (r *run) agents(out *result.Run) {
	mode := "static"
	if r.setup.Server != nil {
		mode = "served"
	}
	for _, a := range []*agent.Agent{r.setup.Primary, r.setup.Second, r.setup.Disabled} {
		if a != nil {
			out.Agents = append(out.Agents, result.Agent{Role: a.Role, Issuer: a.Issuer, Mode: mode})
		}
	}
}

func (r *run) cases(e *Engine, out *result.Run) {
	for _, q := range e.requirements {
		row := result.Requirement{ID: q.ID, Profile: q.Profile, Level: q.Level, Basis: q.Basis, Clause: q.Clause, Text: q.Text}
		for _, c := range e.cases[q.ID] {
			row.Cases = append(row.Cases, r.results[c])
		}
		out.Requirements = append(out.Requirements, row)
	}
}

// interfaceOf is the interface URL that a card gave, if it was read.
func (r *run) interfaceOf(j *Journey[provider.Card]) string {
	s := r.journeys[j.journey]
	if s == nil {
		return ""
	}
	card, _ := s.value.(provider.Card)
	return strings.TrimSpace(r.recorder.Text(card.Interface.URL))
}

// firstFrame is the function that panicked, out of a stack trace.
func firstFrame(stack []byte) string {
	_, after, found := strings.Cut(string(stack), "panic(")
	if !found {
		return "an unknown place"
	}
	lines := strings.Split(after, "\n")
	if len(lines) < 4 {
		return "an unknown place"
	}
	name, _, _ := strings.Cut(lines[2], "(0x")
	return name
}
