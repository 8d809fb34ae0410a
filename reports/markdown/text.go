package markdown

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// special is the punctuation that Markdown, HTML or a forge's own syntax (mentions, references, formulas)
// could act on within a line. Before any of it a backslash makes it plain.
const special = "\\`*_[]<>#|~&@$"

// plain is text that shows as it is, on one line, wherever it stands but at the start of one.
func plain(s string) string {
	var b strings.Builder
	text := []rune(view.Line(s))
	for i, r := range text {
		// Forges make links of http://… and www.… without any brackets, and signs of :words:.
		linked := r == ':' && i+1 < len(text) && text[i+1] != ' ' ||
			r == '.' && i >= 3 && strings.EqualFold(string(text[i-3:i]), "www")
		if linked || strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code is text as a code span: nothing in it is acted on, and its fence is longer than any in the text.
func code(s string) string {
	s = view.Line(s)
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		// The spaces keep a backtick at an end of the text apart from the fence; they do not show.
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// sentence starts a reason with a capital letter.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// cut keeps whole lines up to Limit, and says how many it left out.
func cut(s string) string {
	if len(s) <= Limit {
		return s
	}
	const room = 200
	kept := s[:strings.LastIndexByte(s[:Limit-room], '\n')+1]
	return fmt.Sprintf("%s\n**Cut here: %d more lines are in report.html.**\n", kept, strings.Count(s[len(kept):], "\n"))
}
