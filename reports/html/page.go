package html

import (
	"fmt"
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// page is what the template shows. All text in it is visible and on one line unless it says otherwise.
type page struct {
	Style  template.CSS
	Script template.JS
	Policy string

	Title, Tool, Specification string
	Provider, Brand, Card      string
	Stopped                    string
	Verdicts                   []verdict
	Facts                      []fact
	Short                      []shortcoming
	Gaps, Beside               []gap
	Notes                      []string
	Legend                     []legend
	Clauses                    []clause
	Journeys                   []journey
	Exchanges                  []exchange
	Album                      *album
}

type verdict struct {
	Profile, Verdict, Reason string
	// Class is the outcome whose colours suit the verdict, Glyph its sign.
	Class, Glyph string
	Counts       []count
}

type count struct {
	sign
	Number int
}

type fact struct{ Name, Value string }

// sign is how an outcome shows: Class in the style sheet, Glyph without colour, Label in words.
type sign struct{ Class, Glyph, Label string }

func signOf(o result.Outcome) sign {
	return sign{Class: string(o), Glyph: view.Glyph(o), Label: view.Label(o)}
}

type legend struct {
	sign
	Meaning string
	Number  int
}

// shortcoming is a case that failed, errs or warns.
type shortcoming struct {
	sign
	Name, Why string
}

type gap struct {
	sign
	Count, Reason string
	IDs           []string
	Needs         []fact
}

func newPage(run *result.Run) page {
	p := page{
		Style: template.CSS(style), Script: template.JS(script), Policy: policy,
		Tool:          view.Line(run.Tool.Name + " " + run.Tool.Version),
		Specification: view.Line(run.Specification.Name + " " + run.Specification.Version),
		Provider:      view.Line(run.Provider.Name + " " + run.Provider.Version),
		Brand:         view.Line(run.Brand.Name),
		Card:          view.Line(run.Brand.Card),
		Stopped:       view.Line(run.Stopped),
		Facts:         facts(run),
		Gaps:          gaps(view.Gaps(run)),
		Beside:        gaps(view.Beside(run)),
	}
	p.Title = p.Specification + ": " + view.Target(run)
	if p.Provider == "" {
		p.Provider = "Provider without a name"
	}
	for _, q := range run.Profiles {
		p.Verdicts = append(p.Verdicts, verdictOf(q))
	}
	for _, o := range []result.Outcome{result.Failed, result.Errored, result.Warning} {
		for _, f := range view.Findings(run, o) {
			p.Short = append(p.Short, shortcoming{signOf(o), view.Line(f.Case.Name), view.Why(f.Case)})
		}
	}
	for _, n := range run.Notes {
		p.Notes = append(p.Notes, view.Line(n))
	}
	names := newNames(run)
	p.Album = newAlbum(run, names, mostPictures)
	t := teller{run, names, p.Album}
	p.Clauses = clauses(run, t)
	p.Legend = legendOf(p.Clauses)
	p.Journeys = journeys(run, t)
	p.Exchanges = exchanges(run, names, p.Album)
	return p
}

func verdictOf(q result.Profile) verdict {
	shown := result.Errored
	switch q.Verdict {
	case result.Conformant:
		shown = result.Passed
	case result.NotConformant:
		shown = result.Failed
	case result.Incomplete:
		shown = result.NotRun
	}
	v := verdict{Profile: view.ProfileName(q.Name), Verdict: string(q.Verdict), Reason: sentence(view.Line(q.Reason)), Class: string(shown), Glyph: view.Glyph(shown)}
	for _, o := range result.Outcomes {
		if n := q.Counts[o]; n > 0 {
			v.Counts = append(v.Counts, count{signOf(o), n})
		}
	}
	return v
}

// legendOf explains the outcomes, with the number of requirements that have each.
func legendOf(clauses []clause) []legend {
	numbers := map[string]int{}
	for _, c := range clauses {
		for _, r := range c.Rows {
			numbers[r.Class]++
		}
	}
	var all []legend
	for _, o := range result.Outcomes {
		all = append(all, legend{signOf(o), view.Meaning(o), numbers[string(o)]})
	}
	return all
}

func gaps(all []view.Gap) []gap {
	var shown []gap
	for _, g := range all {
		s := gap{sign: signOf(g.Outcome), Count: view.Count(len(g.IDs), "requirement"), Reason: g.Reason, IDs: g.IDs}
		for _, n := range g.Needs {
			s.Needs = append(s.Needs, fact{n.What, n.How})
		}
		shown = append(shown, s)
	}
	return shown
}

func facts(run *result.Run) []fact {
	var all []fact
	add := func(name, value string) {
		if value = view.Line(value); value != "" {
			all = append(all, fact{name, value})
		}
	}
	add("Run", run.Started.UTC().Format("2 January 2006, 15:04 MST")+", "+view.Seconds(run.Duration))
	cost := fmt.Sprintf("%s, %s", view.Count(run.Stats.Requests, "request"), view.Count(run.Stats.Turns, "agent turn"))
	if run.Stats.Chain > 0 {
		cost += fmt.Sprintf(" (%d in the longest chain)", run.Stats.Chain)
	}
	if run.Stats.Replays > 0 {
		cost += ", " + view.Count(run.Stats.Replays, "replay")
	}
	add("Cost", cost)
	if run.Stats.Waited >= 1 {
		add("Waited", view.Seconds(run.Stats.Waited)+" as the Provider asked (Retry-After)")
	}
	if run.Stats.SecondLooks > 0 {
		add("Second looks", view.Count(run.Stats.SecondLooks, "case")+" ran again, alone, after a 5xx or a cut connection")
	}
	add("Interface", run.Brand.Interface)
	if run.OtherBrand != nil {
		add("Second Brand", strings.TrimSpace(run.OtherBrand.Name+" "+run.OtherBrand.Card))
	}
	for _, a := range run.Agents {
		add("Personal agent", strings.TrimSpace(fmt.Sprintf("%s %s %s", a.Role, a.Issuer, a.Mode)))
	}
	add("Policy", run.Provider.Policy)
	if offset := run.Stats.ClockOffset; offset <= -1 || offset >= 1 {
		add("Provider's clock", fmt.Sprintf("%+.1f s from the clock of this run", offset))
	}
	add("Settings", settings(run.Settings))
	add("Exit code", fmt.Sprint(run.ExitCode))
	add("Catalogue", fmt.Sprintf("version %d, %s, SHA-256 %s", run.Catalogue.Version, view.Count(run.Catalogue.Requirements, "requirement"), run.Catalogue.SHA256))
	return all
}

func settings(s result.Settings) string {
	var all []string
	for _, flag := range []struct {
		on   bool
		name string
	}{{s.Certify, "--certify"}, {s.Strict, "--strict"}, {s.AllowIncomplete, "--allow-incomplete"}} {
		if flag.on {
			all = append(all, flag.name)
		}
	}
	for _, only := range s.Only {
		all = append(all, "--only "+only)
	}
	for _, skip := range s.Skip {
		all = append(all, "--skip "+skip)
	}
	if s.RerunFailed != "" {
		all = append(all, "--rerun-failed "+s.RerunFailed)
	}
	if s.Concurrency > 0 {
		all = append(all, fmt.Sprintf("%s at once", view.Count(s.Concurrency, "request")))
	}
	if s.MaxWait > 0 {
		all = append(all, "waits up to "+view.Seconds(s.MaxWait))
	}
	return strings.Join(all, ", ")
}

// sentence starts a reason with a capital letter and ends it with a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + strings.TrimSuffix(s[size:], ".") + "."
}
