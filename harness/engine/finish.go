package engine

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/judge"
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
		Provider:      result.Provider{Name: r.recorder.Text(s.Provider.Name), Version: r.recorder.Text(s.Provider.Version), Policy: s.Provider.Policy},
		Brand:         result.Brand{Card: r.recorder.Text(s.Brand.Card), Name: r.recorder.Text(s.Brand.Name), Interface: r.interfaceOf(brandCard)},
		Started:       r.start.UTC(),
		Duration:      r.now().Sub(r.start).Seconds(),
		Settings:      s.Settings,
	}
	if s.OtherBrand.Card != "" {
		out.OtherBrand = &result.Brand{Card: r.recorder.Text(s.OtherBrand.Card), Name: r.recorder.Text(s.OtherBrand.Name), Interface: r.interfaceOf(otherCard)}
	}
	if r.ctx.Err() != nil {
		out.Stopped = r.recorder.Text(context.Cause(r.ctx).Error())
	}
	out.Pictures = r.pictures
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
			Exchanges: done.Exchanges, Journeys: done.Journeys, Steps: done.Steps, Started: done.Started, Duration: done.Duration,
		})
	}
	out.Stats = result.Stats{Waited: r.link.Paused().Seconds(), SecondLooks: looks, ClockOffset: r.clock.Offset().Round(time.Millisecond).Seconds()}
	for _, x := range r.recorder.All() {
		if !x.Tags.Inbound && !x.Tags.Browser {
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
			out.Agents = append(out.Agents, result.Agent{Role: a.Role, Issuer: r.recorder.Text(a.Issuer), Mode: mode})
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

// maskedArgs are the arguments of a judge without secrets.
func (r *run) maskedArgs(args judge.Args) judge.Args {
	masked, _ := r.maskedValue(map[string]any(args)).(map[string]any)
	return masked
}

func (r *run) maskedValue(value any) any {
	switch v := value.(type) {
	case string:
		return r.recorder.Text(v)
	case []any:
		masked := make([]any, len(v))
		for i, element := range v {
			masked[i] = r.maskedValue(element)
		}
		return masked
	case map[string]any:
		masked := make(map[string]any, len(v))
		for name, member := range v {
			masked[name] = r.maskedValue(member)
		}
		return masked
	}
	return value
}

// panicked is the place where a panic that was just recovered began: the first frame below it that
// is not the runtime's own.
func panicked() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	below := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			below = true
		case below && !strings.HasPrefix(frame.Function, "runtime."):
			return fmt.Sprintf("%s, %s:%d", path.Base(frame.Function), filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return "at an unknown place"
		}
	}
}
