package browser

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is what went wrong while the User was played.
type Kind string

// The kinds of trouble. Each ends its step within the step's deadline.
const (
	// NoChromium: no program was found; the error says how to install one.
	NoChromium Kind = "there is no Chromium"
	// NotStarted: the program was found and does not start.
	NotStarted Kind = "Chromium does not start"
	// Crashed: Chromium or the page's process died.
	Crashed Kind = "Chromium crashed"
	// Closed: the session was closed while it was used.
	Closed Kind = "the session is closed"
	// Unreachable: the network gave no answer to a page.
	Unreachable Kind = "page not reached"
	// Certificate: the server's certificate is not trusted.
	Certificate Kind = "certificate refused"
	// Download: what should have been a page came as a file.
	Download Kind = "a download instead of a page"
	// NotSettled: the page was still busy, or had done nothing, when the deadline passed.
	NotSettled Kind = "the page did not settle"
	// LoginNotFound: there is no login form, or a part of it was not found.
	LoginNotFound Kind = "login not found"
	// LoginRefused: the login form is shown again.
	LoginRefused Kind = "login refused"
	// ConsentNotFound: no consent, or a control of it was not found.
	ConsentNotFound Kind = "consent not found"
	// CheckboxNotFound: a scope has no checkbox, or it does not do what a click should.
	CheckboxNotFound Kind = "checkbox not found"
	// ApproveDisabled: the page does not let the User approve with the boxes as they are.
	ApproveDisabled Kind = "approval is disabled"
	// NotHeld: the request that was to be held back did not come.
	NotHeld Kind = "request not seen"
	// NotForged: the request does not show how it carries what was to be changed.
	NotForged Kind = "request not changed"
	// HookFailed: the command that plays the User failed.
	HookFailed Kind = "the hook failed"
	// Expired: nobody decided in time.
	Expired Kind = "nobody decided in time"
)

// Error is trouble with the User's part. Its text is one line that says what was seen.
type Error struct {
	Kind Kind
	// Step is what the session was doing.
	Step string
	// Saw says what was seen instead: the page, an excerpt of its visible text, the controls that
	// were considered. It holds no secrets.
	Saw string
	Err error
}

// Error is one line: the step, the kind, what was seen.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Step != "" {
		b.WriteString(e.Step + ": ")
	}
	b.WriteString(string(e.Kind))
	if e.Saw != "" {
		b.WriteString(": " + e.Saw)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, " (%v)", e.Err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Unwrap is what caused it: an error of the context, of the network or of Chromium.
func (e *Error) Unwrap() error { return e.Err }

// KindOf is the kind of an error of this package; empty for any other error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}
