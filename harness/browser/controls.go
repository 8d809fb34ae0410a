package browser

import (
	"regexp"
	"strings"
)

// hints are what pages call their controls in the markup, where a User does not see it.
var hints = map[meaning]*regexp.Regexp{
	deny:    regexp.MustCompile(`(?i)(^|[^a-z])(deny|denied|decline|reject|refuse|cancel|disallow|abort|no|false)([^a-z]|$)`),
	approve: regexp.MustCompile(`(?i)(^|[^a-z])(approve|approved|allow|accept|authori[sz]e|grant|consent|confirm|yes|true)([^a-z]|$)`),
	signIn:  regexp.MustCompile(`(?i)(^|[^a-z])(log-?in|sign-?in|log-?on)([^a-z]|$)`),
	proceed: regexp.MustCompile(`(?i)(^|[^a-z])(next|continue|proceed)([^a-z]|$)`),
}

// hinted is how well a control's markup carries a meaning: less than any text does.
const hinted = 40

var camel = regexp.MustCompile(`([a-z])([A-Z])`)

// meaningOf is what pressing the button does, by what it says to the User and else by its markup.
func (b button) meaningOf() (meaning, int) {
	for _, text := range []string{b.Text, b.Aria} {
		if m, score := meaningOf(text); m != unknown {
			return m, score
		}
	}
	markup := camel.ReplaceAllString(strings.Join([]string{b.Name, b.Value, b.ID, b.Classes}, " "), "$1-$2")
	markup = strings.ReplaceAll(markup, "_", "-")
	for _, m := range []meaning{deny, approve, signIn, proceed} {
		if hints[m].MatchString(markup) {
			return m, hinted
		}
	}
	return unknown, 0
}

// candidate is a button with how well it serves.
type candidate struct {
	button
	score int
}

// bestOf is the button that scores highest, the first of equals; nil when none scores.
func bestOf(buttons []button, score func(button) int) *candidate {
	var best *candidate
	for _, b := range buttons {
		if s := score(b); s > 0 && (best == nil || s > best.score) {
			best = &candidate{b, s}
		}
	}
	return best
}

// byNumber is the button with that number; nil for 0. A recipe may name an element that look.js takes
// for no button: that is one then.
func (l *look) byNumber(n int) *button {
	if n == 0 {
		return nil
	}
	for i := range l.Buttons {
		if l.Buttons[i].N == n {
			return &l.Buttons[i]
		}
	}
	return &button{N: n, Tag: "recipe", Text: "the recipe's element", Shown: true, Enabled: true}
}

// decisions are the two controls of a consent page; each may be missing.
type decisions struct{ approve, deny *button }

// decisions finds what approves and what denies. Where only one of them says what it is and the form
// has exactly one other button, that other is its counterpart. When evident is set the page is a
// consent beyond doubt, and a plain "Continue" approves.
func (l *look) decisions(evident bool) decisions {
	var found decisions
	weigh := func(want meaning) func(button) int {
		return func(b button) int {
			if !b.Shown || b.Cookie {
				return 0
			}
			m, score := b.meaningOf()
			if want == approve && evident && m == proceed {
				m, score = approve, score/2
			}
			if m != want {
				return 0
			}
			if b.link() {
				score -= 30
			}
			if b.Submits {
				score += 10
			}
			return score
		}
	}
	if best := bestOf(l.Buttons, weigh(approve)); best != nil {
		found.approve = &best.button
	}
	if best := bestOf(l.Buttons, weigh(deny)); best != nil {
		found.deny = &best.button
	}
	switch {
	case found.approve == nil && found.deny != nil && evident:
		found.approve = l.counterpart(*found.deny)
	case found.deny == nil && found.approve != nil && evident:
		found.deny = l.counterpart(*found.approve)
	}
	if n, given := l.Recipe[partApprove]; given {
		found.approve = l.byNumber(n)
	}
	if n, given := l.Recipe[partDeny]; given {
		found.deny = l.byNumber(n)
	}
	return found
}

// counterpart is the only other button beside b that could be meant.
func (l *look) counterpart(b button) *button {
	var other *button
	for i, candidate := range l.Buttons {
		m, _ := candidate.meaningOf()
		if candidate.N == b.N || !candidate.Shown || candidate.Cookie || candidate.link() || m != unknown || candidate.said() == "" || candidate.Form != b.Form {
			continue
		}
		if other != nil {
			return nil
		}
		other = &l.Buttons[i]
	}
	return other
}
