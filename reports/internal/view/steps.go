package view

import (
	"math"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Steps are the moments of the User's part of which there is a picture, by the journey or case.
type Steps struct {
	run *result.Run
	of  map[string][]*result.Step
}

// StepsOf makes the steps of a run easy to find.
func StepsOf(run *result.Run) Steps {
	s := Steps{run, map[string][]*result.Step{}}
	add := func(owner string, steps []result.Step) {
		for i := range steps {
			if steps[i].Picture != "" {
				s.of[owner] = append(s.of[owner], &steps[i])
			}
		}
	}
	for i := range run.Journeys {
		add(run.Journeys[i].Name, run.Journeys[i].Steps)
	}
	for i := range run.Requirements {
		for j := range run.Requirements[i].Cases {
			c := &run.Requirements[i].Cases[j]
			add(c.Name, c.Steps)
		}
	}
	return s
}

// Of are the steps of a journey or case. A journey that happened twice has those of both.
func (s Steps) Of(owner string) []*result.Step { return s.of[owner] }

// Showing is the step whose picture shows the page that an exchange brought: of those that its journey
// or case took at the page's URL the one with the same text, and of several the one nearest in time.
// It is nil where there is none.
func (s Steps) Showing(e *result.Exchange) *result.Step {
	if e.Page == nil {
		return nil
	}
	var best *result.Step
	least := math.Inf(1)
	for _, step := range s.of[e.Tags.Case] {
		if step.URL != e.Page.URL {
			continue
		}
		far := math.Abs(step.At - e.Started.Sub(s.run.Started).Seconds())
		if step.Text != e.Page.Text {
			far += 1 + s.run.Duration // behind all with the same text
		}
		if far < least {
			best, least = step, far
		}
	}
	return best
}

// Page tells the page that an exchange brought in one line, with the file of its picture where there
// is one; it is empty where it brought none.
func (s Steps) Page(e *result.Exchange) string {
	if e.Page == nil {
		return ""
	}
	line := Line(e.Page.Kind) + " page"
	if title := Clip(Line(e.Page.Title), longestTitle); title != "" {
		line += ` "` + title + `"`
	}
	if step := s.Showing(e); step != nil {
		line += ", screenshots/" + Line(step.Picture)
	}
	return line
}

// longestTitle is how much of a page's title stands in a line, in characters.
const longestTitle = 80
