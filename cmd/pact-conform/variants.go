package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/fixtures/dialects"
	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// variant is a defect of the embedded Provider, or a dialect: a behaviour that is correct, but different.
type variant struct {
	// text says what it does, and of a defect in brackets which requirements it breaks.
	name, text string
	apply      func(*provider.Options)
}

// seeded are the defects that a profile of this version can catch.
func seeded() []variant {
	var all []variant
	for _, d := range defects.All() {
		breaks := slices.Concat(d.Fails, d.Warns)
		if !slices.ContainsFunc(breaks, checked) {
			continue
		}
		text := fmt.Sprintf("%s (%s)", d.Text, strings.Join(breaks, ", "))
		all = append(all, variant{d.Name, text, func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) }})
	}
	return all
}

// checked reports whether the requirement belongs to a profile of this version.
func checked(id string) bool {
	row, _ := catalog.Find(id)
	return slices.Contains(profileNames(), row.Profile)
}

// different are the dialects.
func different() []variant {
	var all []variant
	for _, d := range dialects.All() {
		all = append(all, variant{d.Name, d.Text, d.Apply})
	}
	return all
}

// chosen finds the variants with the names.
func chosen(flag string, names []string, all []variant) ([]variant, error) {
	var found []variant
	for _, name := range names {
		known := len(found)
		var candidates []string
		for _, v := range all {
			if v.name == name {
				found = append(found, v)
			}
			candidates = append(candidates, v.name)
		}
		if len(found) == known {
			return nil, misuse("%s: %q is unknown: did you mean %s?", flag, name, nearest(name, candidates))
		}
	}
	return found, nil
}

// describe lists variants with what they do.
func describe(w io.Writer, all []variant, width int) error {
	const indent = 28
	for _, v := range all {
		name := v.name
		if len(name) >= indent-1 {
			if _, err := fmt.Fprintln(w, name); err != nil {
				return err
			}
			name = ""
		}
		if _, err := fmt.Fprintf(w, "%-*s%s\n", indent, name, wrapped(v.text, width, indent)); err != nil {
			return err
		}
	}
	return nil
}
