package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// journey is a shared flow, with its place on a timeline that is timelineWidth wide.
type journey struct {
	sign
	ID, Name, Reason string
	When             string
	Start, Length    string
	After            []link
	Moments          []moment
	// Open journeys fell short; they are open from the start, and so also on paper.
	Open bool
}

const timelineWidth = 1000

// openJourneys is how many journeys are open from the start.
const openJourneys = 5

func journeys(run *result.Run, t teller) []journey {
	end := run.Duration
	for _, j := range run.Journeys {
		end = max(end, j.Started+j.Duration)
	}
	scale := 0.0
	if end > 0 {
		scale = timelineWidth / end
	}
	var all []journey
	opened := 0
	for i, j := range run.Journeys {
		var after []link
		for _, name := range j.Journeys {
			if l := t.names.journey(name, false); !slices.Contains(after, l) {
				after = append(after, l)
			}
		}
		// A journey of no length still shows, and inside the frame.
		length := max(j.Duration*scale, 4)
		start := min(j.Started*scale, timelineWidth-length)
		shown := journey{
			sign: signOf(j.Outcome), ID: t.names.journeyIDs[i], Name: view.Line(j.Name), Reason: view.Reason(j.Reason),
			When:  fmt.Sprintf("from %s, for %s", view.Seconds(j.Started), view.Seconds(j.Duration)),
			Start: fmt.Sprintf("%.1f", start), Length: fmt.Sprintf("%.1f", length),
			After: after, Moments: t.timeline(j.Name, j.Started, j.Steps, j.Exchanges),
		}
		if pictures := len(shotsOf(t.album, j.Steps)); pictures > 0 {
			shown.When += ", " + view.Count(pictures, "picture")
		}
		if short(j.Outcome) && len(shown.Moments) > 0 && opened < openJourneys {
			shown.Open = true
			opened++
		}
		all = append(all, shown)
	}
	return all
}

// short reports whether somebody should look at what came out so.
func short(o result.Outcome) bool {
	return o == result.Failed || o == result.Errored || o == result.Blocked
}

func shotsOf(a *album, steps []result.Step) []*shot {
	var all []*shot
	for i := range steps {
		if s := a.of[&steps[i]]; s != nil {
			all = append(all, s)
		}
	}
	return all
}

// journeyIDs are the ids of the journeys in the page. A journey may happen twice in a run: on a second
// look, once more.
func journeyIDs(run *result.Run) []string {
	var ids []string
	times := map[string]int{}
	for _, j := range run.Journeys {
		id := "journey-" + strings.ReplaceAll(view.Line(j.Name), " ", "-")
		if times[id]++; times[id] > 1 {
			id = fmt.Sprintf("%s~%d", id, times[id])
		}
		ids = append(ids, id)
	}
	return ids
}

// journey leads to the journey with the name: on a second look to the last one, else to the first. One
// that the run does not have shows as its name.
func (n names) journey(name string, secondLook bool) link {
	l := link{Text: view.Line(name)}
	for i, known := range n.journeyNames {
		if known == name && (l.ID == "" || secondLook) {
			l.ID = n.journeyIDs[i]
		}
	}
	return l
}
