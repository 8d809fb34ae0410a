// Package view holds what the reports have in common: how outcomes are called, which exchange shows a
// finding, what was not judged and how to make it run, and how a Provider's text is made harmless.
package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible replaces what a reader cannot see and a terminal or page might obey: control characters
// (escape sequences among them), format characters such as bidirectional overrides, and bytes that
// are no UTF-8. Line feeds and tabs stay.
func Visible(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !strings.ContainsFunc(s, hidden) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

func hidden(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029', '\ufffe', '\uffff':
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf)
}

// Line is Visible on one line: every run of white space is one space.
func Line(s string) string { return strings.Join(strings.Fields(Visible(s)), " ") }

// Clip cuts a text to at most n characters, the last of them an ellipsis where something was cut.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// Seconds is a duration for people: "40 ms", "2.3 s", "1 min 40 s".
func Seconds(s float64) string {
	switch {
	case s < 0.9995:
		return fmt.Sprintf("%.0f ms", 1000*s)
	case s < 59.95:
		return fmt.Sprintf("%.1f s", s)
	}
	whole := int(math.Round(s))
	if whole >= 3600 {
		return fmt.Sprintf("%d h %d min", whole/3600, whole%3600/60)
	}
	return fmt.Sprintf("%d min %d s", whole/60, whole%60)
}

// Count is "1 turn", "2 turns".
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}
