package html

import (
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// seen is a page that the User was shown.
type seen struct {
	Kind, Title, URL, Text string
	// Content is all text of the document, where that is more than what is visible.
	Content string
	Boxes   []box
	// Consent pages have controls; Approve and Deny are empty where none was found.
	Consent       bool
	Approve, Deny string
	Shot          *shot
}

type box struct{ Scope, Label, State string }

// How much of a page's text is shown, in characters.
const (
	longestText    = 1200
	longestContent = 4000
)

func seenOf(p *result.Page, at *shot) *seen {
	s := &seen{
		Kind: view.Line(p.Kind), Title: view.Line(p.Title), URL: view.Line(p.URL), Text: lines(p.Text, longestText),
		Consent: p.Kind == "consent", Approve: view.Line(p.Approve), Deny: view.Line(p.Deny), Shot: at,
	}
	if letters(p.Content) != letters(p.Text) {
		s.Content = view.Clip(view.Line(p.Content), longestContent)
	}
	for _, c := range p.Checkboxes {
		s.Boxes = append(s.Boxes, box{view.Line(c.Scope), view.Line(c.Label), state(c)})
	}
	return s
}

// letters are a text without its white space, which depends on how it is read.
func letters(text string) string { return strings.Join(strings.Fields(text), "") }

// state is a checkbox's in words, with the sign that people know.
func state(c result.Checkbox) string {
	said := []string{"☐ not ticked"}
	if c.Checked {
		said[0] = "☑ ticked"
	}
	if c.Enabled {
		said = append(said, "can be changed")
	} else {
		said = append(said, "cannot be changed")
	}
	if c.Required {
		said = append(said, "required")
	}
	return strings.Join(said, ", ")
}
