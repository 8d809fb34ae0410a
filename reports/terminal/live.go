package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// Options are how much is told.
type Options struct {
	// Quiet tells nothing while the run goes on, and at the end only failures, a line each, and the verdict.
	Quiet bool
	// Verbose tells every case, and warnings in full.
	Verbose bool
}

// Reporter tells a run. Its methods may be called from many goroutines at once.
type Reporter struct {
	screen  Screen
	options Options

	mu sync.Mutex
	// status is the line that stands at the bottom and is written over; empty when there is none.
	status string
}

// New makes a reporter for the screen.
func New(screen Screen, options Options) *Reporter {
	return &Reporter{screen: screen, options: options}
}

// CaseFinished tells what came of a case.
func (r *Reporter) CaseFinished(row result.Requirement, c result.Case) {
	if r.options.Quiet {
		return
	}
	detailed := c.Outcome == result.Failed || c.Outcome == result.Errored
	if !r.screen.Terminal && !r.options.Verbose && !detailed {
		return
	}
	text := r.caseLine(row, c)
	if !r.screen.Terminal && detailed {
		text += "  " + wrap(view.Why(&c), r.screen.readable(), "  ") + "\n"
	}
	r.above(text)
}

// Progress shows how far the run is and which cases are running, on a screen that lets a line be written over.
func (r *Reporter) Progress(done, total int, running []string) {
	if r.options.Quiet || !r.screen.Decorated {
		return
	}
	line := fmt.Sprintf("%d of %d", done, total)
	if len(running) > 0 {
		line += fmt.Sprintf(" · %d running: %s", len(running), strings.Join(running, " "))
	}
	// The last column stays free: a full line would wrap, and then could not be written over.
	line = view.Clip(view.Line(line), max(r.screen.Width()-1, 1))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = line
	r.write("\r\x1b[K" + r.screen.paint(line, dim))
}

// Say shows a line of the command itself, such as a link that a person must open.
func (r *Reporter) Say(text string) { r.above(view.Visible(text) + "\n") }

// Close takes the status line away; what is written to the screen afterwards starts on a line of its own.
func (r *Reporter) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status != "" {
		r.status = ""
		r.write("\r\x1b[K")
	}
}

// above writes whole lines above the status line.
func (r *Reporter) above(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status != "" {
		text = "\r\x1b[K" + text + r.screen.paint(r.status, dim)
	}
	r.write(text)
}

// write passes text on. A screen that is gone (a closed pipe) is no reason to end a run: the reports are still written.
func (r *Reporter) write(text string) { _, _ = io.WriteString(r.screen.Out, text) }

// nameWidth holds nearly every case name.
const nameWidth = 26

// caseLine is a case on one line: sign, name, the rule, and how long it took.
func (r *Reporter) caseLine(row result.Requirement, c result.Case) string {
	name := pad(view.Line(c.Name), nameWidth)
	took := view.Seconds(c.Duration)
	said := view.Line(row.Text)
	if c.Outcome != result.Passed && c.Outcome != result.Observed {
		said = view.Label(c.Outcome) + ": " + said
	}
	room := r.screen.readable() - 2 - utf8.RuneCountInString(name) - 2 - 9
	said = pad(view.Clip(said, max(room, 8)), room)
	return fmt.Sprintf("%s %s  %s %s\n",
		r.screen.paint(view.Glyph(c.Outcome), bold, colour(c.Outcome)), name, said,
		r.screen.paint(fmt.Sprintf("%8s", took), dim))
}
