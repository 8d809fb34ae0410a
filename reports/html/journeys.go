package html

import (
	"fmt"
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
	Exchanges, After []link
}

const timelineWidth = 1000

func journeys(run *result.Run, names names) []journey {
	end := run.Duration
	for _, j := range run.Journeys {
		end = max(end, j.Started+j.Duration)
	}
	scale := 0.0
	if end > 0 {
		scale = timelineWidth / end
	}
	var all []journey
	for _, j := range run.Journeys {
		var after []link
		for _, name := range j.Journeys {
			after = append(after, link{journeyID(name), view.Line(name)})
		}
		// A journey of no length still shows, and inside the frame.
		length := max(j.Duration*scale, 4)
		start := min(j.Started*scale, timelineWidth-length)
		all = append(all, journey{
			sign: signOf(j.Outcome), ID: journeyID(j.Name), Name: view.Line(j.Name), Reason: view.Line(j.Reason),
			When:  fmt.Sprintf("from %s, for %s", view.Seconds(j.Started), view.Seconds(j.Duration)),
			Start: fmt.Sprintf("%.1f", start), Length: fmt.Sprintf("%.1f", length),
			Exchanges: names.links(j.Exchanges), After: after,
		})
	}
	return all
}

// journeyID is a journey's id in the page.
func journeyID(name string) string {
	return "journey-" + strings.ReplaceAll(view.Line(name), " ", "-")
}
