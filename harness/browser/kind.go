package browser

import "strings"

// PageKind is what a page is to the User.
type PageKind string

// The kinds of pages.
const (
	// PageConsent asks the User to approve or deny.
	PageConsent PageKind = "consent"
	// PageLogin asks for a user name or a password.
	PageLogin PageKind = "login"
	// PageCode asks for a one-time code.
	PageCode PageKind = "one-time code"
	// PageContinue has nothing but a control to go on with.
	PageContinue PageKind = "continue"
	// PageOther is anything else: an end page, an error, an empty one.
	PageOther PageKind = "other"
)

// kind is what the document is, given the scopes that were asked for.
func (l *look) kind(scopes []Scope) PageKind {
	if l.Width < 60 || l.Height < 40 {
		return PageOther // a frame that nobody sees
	}
	login := l.loginParts()
	approval, given := l.Recipe[partApprove]
	switch {
	case approval > 0:
		return PageConsent
	case login.password != nil:
		return PageLogin
	case !given && l.isConsent(scopes):
		return PageConsent
	case len(login.code) > 0 && l.Recipe[partUsername] == 0:
		return PageCode
	case login.username != nil && login.enters(l):
		return PageLogin
	case l.continues() != nil:
		return PageContinue
	}
	return PageOther
}

// evident reports whether there are boxes for the scopes that were asked for, and whether the page
// speaks of all of them.
func (l *look) evident(scopes []Scope) (boxes, told bool) {
	return len(assign(l.Boxes, scopes, l.Recipe)) > 0, len(scopes) > 0 && mentions(l.Content, scopes) == len(scopes)
}

// isConsent: the page has boxes for what was asked for and a control that approves, or it tells of it
// and has both, or it has both controls of a decision in so many words. A page that merely leads on,
// or asks for a user name, is none of these.
func (l *look) isConsent(scopes []Scope) bool {
	boxes, told := l.evident(scopes)
	if boxes {
		found := l.decisions(true)
		return found.approve != nil || found.deny != nil
	}
	for _, f := range l.Fields {
		if f.usable() && userScore(f) > 0 {
			return false
		}
	}
	found := l.decisions(told)
	if found.approve == nil || found.deny == nil {
		plain := l.decisions(false).approve
		return told && plain != nil && !plain.link()
	}
	_, yes := found.approve.meaningOf()
	_, no := found.deny.meaningOf()
	return told || yes >= contains && no >= contains && !found.approve.link()
}

// continues is the control of a page that has only one way on: one button, or of several the only
// one that says so; a link counts when it says so in words.
func (l *look) continues() *button {
	for _, f := range l.Fields {
		if f.usable() {
			return nil
		}
	}
	var buttons []button
	for _, b := range l.Buttons {
		if b.Shown && b.Enabled && !b.Cookie && !b.link() && b.said() != "" {
			if m, _ := b.meaningOf(); m != deny && m != aside {
				buttons = append(buttons, b)
			}
		}
	}
	if n := l.Recipe[partNext]; n > 0 {
		return l.byNumber(n)
	}
	best := bestOf(l.Buttons, func(b button) int {
		if !b.Shown || !b.Enabled || b.Cookie {
			return 0
		}
		m, score := b.meaningOf()
		if m != proceed && m != approve {
			return 0
		}
		if b.link() && (m != proceed || strings.HasPrefix(b.Action, "#")) {
			return 0
		}
		if b.link() {
			score -= 30
		}
		return score
	})
	switch {
	case best != nil:
		return &best.button
	case len(buttons) == 1 && buttons[0].Submits && buttons[0].Form != 0:
		return &buttons[0]
	}
	return nil
}
