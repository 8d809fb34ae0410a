package config

import (
	"fmt"
	"slices"
	"strings"
)

// source is where a value came from: a line of the file, a variable, a flag; the zero source is a default.
type source struct {
	file string
	line int
	// name is the flag or the environment variable.
	name string
}

// value is what one key was set to.
type value struct {
	source
	// word is the value when it is one of the field's Words, parsed what the field's Kind made of it.
	word   string
	parsed any
}

// settings are the values of keys by their place in the file (users[0].id). A later layer sets over
// an earlier one: defaults, file, environment, flags.
type settings struct {
	file   string
	values map[string]value
	// sections holds the mappings that are there, and where; counts the lengths of lists.
	sections map[string]source
	counts   map[string]int
	// mentioned holds the keys that the file gives a value, be it a wrong one; empty those that it
	// gives an empty text, which is no value.
	mentioned map[string]bool
	empty     map[string]source
	problems  Problems
	secrets   *secrets
}

func newSettings(file string) *settings {
	return &settings{
		file:      file,
		values:    map[string]value{},
		sections:  map[string]source{},
		counts:    map[string]int{},
		mentioned: map[string]bool{},
		empty:     map[string]source{},
		secrets:   &secrets{},
	}
}

// problem notes that something is wrong at a place that a source names.
func (s *settings) problem(at source, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if at.name != "" {
		text = at.name + ": " + text
	}
	s.problems = append(s.problems, Problem{File: at.file, Line: at.line, Text: text})
}

// setText sets a key to a text, or notes what is wrong with it; raw is the text as it may be shown.
func (s *settings) setText(f *Field, place, text, raw string, at source) {
	v := value{source: at}
	switch {
	case slices.Contains(f.Words, text):
		v.word = text
	case f.Kind.parse == nil:
		s.problem(at, "%s must be %s%s", place, f.wanted(""), not(f, raw))
		return
	default:
		parsed, err := f.Kind.parse(text)
		if err != nil {
			s.problem(at, "%s must be %s%s", place, f.wanted(err.Error()), not(f, raw))
			return
		}
		v.parsed = parsed
	}
	s.set(place, v)
	if f.Secret {
		s.addSecret(f, place, text, at)
	}
}

// set puts a value in place of what an earlier layer said: a word replaces the section, and a key
// inside a section replaces the word.
func (s *settings) set(place string, v value) {
	s.clear(place)
	s.values[place] = v
	for section := parent(place); section != ""; section = parent(section) {
		if _, ok := s.sections[section]; !ok {
			s.sections[section] = v.source
		}
		delete(s.values, section)
	}
}

// clear forgets a key and all that is inside it.
func (s *settings) clear(place string) {
	inside := func(other string) bool {
		return other == place || strings.HasPrefix(other, place+".") || strings.HasPrefix(other, place+"[")
	}
	for other := range s.values {
		if inside(other) {
			delete(s.values, other)
		}
	}
	for other := range s.sections {
		if inside(other) {
			delete(s.sections, other)
		}
	}
}

// addSecret keeps a secret to be masked. A password that cannot be masked is refused, so that none
// is ever shown; a header's value can still be masked by the header's name.
func (s *settings) addSecret(f *Field, place, text string, at source) {
	if len(text) < ShortestSecret && f.Kind.Name != Headers.Name {
		s.problem(at, "%s has fewer than %d characters and could not be kept out of the report: choose a longer one", place, ShortestSecret)
		return
	}
	s.secrets.add(text)
}

// wanted says in words what the field's value must be; form is what its Kind asks for.
func (f *Field) wanted(form string) string {
	choices := slices.Clone(f.Words)
	switch f.Kind.Name {
	case Section.Name:
		form = "a section with " + keyNames(f.Path)
	case List.Name:
		form = "a list whose elements have " + keyNames(f.Path+"[]")
	case Command.Name:
		form = "a list such as [./program, argument]"
	case Headers.Name:
		form = "a section of header names and their values"
	}
	if form != "" {
		choices = append(choices, form)
	}
	if len(choices) == 1 {
		return choices[0]
	}
	last := len(choices) - 1
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}

// keyNames lists the keys of a section.
func keyNames(section string) string {
	var names []string
	for _, f := range fields.keys[section] {
		names = append(names, f.name())
	}
	if len(names) == 1 {
		return "the key " + names[0]
	}
	return "the keys " + strings.Join(names, ", ")
}

// not shows the text that was wrong, unless it could be secret.
func not(f *Field, raw string) string {
	const most = 80
	switch {
	case f.Secret || f.Kind.parse == nil && len(f.Words) == 0 || strings.Contains(raw, "@"):
		return ""
	case len(raw) > most:
		raw = strings.ToValidUTF8(raw[:most], "") + "…"
	}
	return fmt.Sprintf(", not %q", raw)
}
