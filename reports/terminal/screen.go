// Package terminal tells a run as it goes and sums it up at the end, on a terminal or in the log of a CI job.
package terminal

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Screen is where the text goes and what may be done there.
type Screen struct {
	Out io.Writer
	// Terminal is set where a person watches: a line for every case. Without it only failures show as they come.
	Terminal bool
	// Decorated allows colour and a status line that is written over.
	Decorated bool
	// Width is the number of columns now; a terminal may be resized while a run goes on.
	Width func() int
}

// logWidth is the width of lines in a file or a CI log, which nobody resizes.
const logWidth = 100

// Detect finds out what may be done on the file. With NO_COLOR set, or TERM=dumb, a terminal gets plain lines.
func Detect(out *os.File, getenv func(string) string) Screen {
	descriptor := int(out.Fd())
	s := Screen{Out: out, Terminal: term.IsTerminal(descriptor), Width: func() int { return logWidth }}
	if s.Terminal {
		s.Decorated = getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
		s.Width = func() int {
			columns, _, err := term.GetSize(descriptor)
			if err != nil || columns < 1 {
				return 80
			}
			return columns
		}
	}
	return s
}

// readable limits lines to a width that an eye can follow, and keeps room for the narrowest layout.
func (s Screen) readable() int { return min(max(s.Width(), 40), 110) }

// ANSI attributes; only the sixteen colours that every theme makes legible on its own background.
const (
	reset = "\x1b[0m"
	bold  = "1"
	dim   = "2"
)

// paint sets a text in the attributes where the screen allows it.
func (s Screen) paint(text string, attributes ...string) string {
	if !s.Decorated || text == "" {
		return text
	}
	return "\x1b[" + strings.Join(attributes, ";") + "m" + text + reset
}

// colour is that of an outcome. It only repeats what the sign and the word say.
func colour(o result.Outcome) string {
	switch o {
	case result.Failed:
		return "31"
	case result.Errored:
		return "35"
	case result.Blocked, result.NotRun, result.Warning:
		return "33"
	case result.Observed:
		return "36"
	case result.Passed:
		return "32"
	}
	return dim
}

// verdictColour is that of a verdict.
func verdictColour(v result.Verdict) string {
	switch v {
	case result.Conformant:
		return "32"
	case result.NotConformant:
		return "31"
	case result.Incomplete:
		return "33"
	}
	return "35"
}

// wrap breaks a text between words so that no line is longer than width. Every line but the first
// starts with indent. A word that is longer than a line stays whole: it is a URL, to be copied.
func wrap(text string, width int, indent string) string {
	return flow(strings.Fields(text), width, indent)
}

// flow is wrap for words that may have spaces in them.
func flow(words []string, width int, indent string) string {
	var b strings.Builder
	start := utf8.RuneCountInString(indent)
	column := start
	for _, word := range words {
		length := utf8.RuneCountInString(word)
		switch {
		case column == start:
		case column+1+length > width:
			b.WriteString("\n" + indent)
			column = start
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
}

// pad fills a text with spaces up to a width in characters.
func pad(text string, width int) string {
	if missing := width - utf8.RuneCountInString(text); missing > 0 {
		return text + strings.Repeat(" ", missing)
	}
	return text
}
