package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// moment is a step or an exchange on the timeline of a journey or case.
type moment struct {
	at float64
	// When is the time since the journey or case began, Who acted: User, personal agent or Provider.
	When, Who string
	Doing     string
	// Exchange leads to the exchange; its ID is empty for a step.
	Exchange link
	// Title, URL and Shot are a step's; Text stands in for a picture that is not there, and Note says why.
	Title, URL string
	Shot       *shot
	Text, Note string
	// Trouble marks a step at which the User's part could not go on.
	Trouble bool
}

// How much of a URL, and of a title or the name of a step, a timeline shows, in characters.
const (
	longestURL  = 100
	longestName = 150
)

// teller puts steps and exchanges in the order of time.
type teller struct {
	run   *result.Run
	names names
	album *album
}

func (t teller) timeline(owner string, started float64, steps []result.Step, ids []string) []moment {
	var all []moment
	for _, l := range t.names.links(ids) {
		m := moment{at: started, Exchange: l}
		if e := t.names.index[l.ID]; e != nil {
			m.at = e.Started.Sub(t.run.Started).Seconds()
			m.Who, m.Doing = view.Who(e), view.Doing(e)
		}
		all = append(all, m)
	}
	browser := owner
	for i := range steps {
		all = append(all, t.step(&steps[i], browser))
		browser = steps[i].Session
	}
	slices.SortStableFunc(all, func(a, b moment) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for i := range all {
		tenths := math.Round(10 * (all[i].at - started))
		all[i].When = fmt.Sprintf("%+.1f s", (tenths+0)/10) // + 0 makes -0 a zero without a sign
	}
	return all
}

// step is a step after one in another browser, or the same.
func (t teller) step(s *result.Step, before string) moment {
	m := moment{
		at: s.At, Who: "User", Doing: view.Clip(view.Line(s.Name), longestName), Title: view.Clip(view.Line(s.Title), longestName), URL: view.Clip(t.names.path(s.URL), longestURL),
		Shot: t.album.of[s], Trouble: strings.HasPrefix(s.Name, "trouble: "),
	}
	var notes []string
	if m.Shot == nil {
		m.Text = lines(s.Text, longestText)
		if s.Picture == "" {
			notes = append(notes, "No picture: the page did not answer, or would have shown what is secret.")
		} else {
			notes = append(notes, "Its picture is screenshots/"+view.Line(s.Picture)+".")
		}
	}
	if s.Session != before {
		notes = append(notes, "Browser: "+view.Line(s.Session)+".")
	}
	m.Note = strings.Join(notes, " ")
	return m
}
