package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/fixtures/dialects"
	"github.com/pact-conform/pact-conform/fixtures/looks"
	"github.com/pact-conform/pact-conform/fixtures/provider"
)

// variant is a defect of the embedded Provider, a dialect (a behaviour that is correct, but different)
// or a look (a design of login and consent).
type variant struct {
	// text says what it does, and of a defect in brackets which requirements it breaks.
	name, text string
	apply      func(*provider.Options)
}

// seeded are the defects.
func seeded() []variant {
	var all []variant
	for _, d := range slices.Concat(defects.All(), defects.Delegated()) {
		text := fmt.Sprintf("%s (%s)", d.Text, strings.Join(slices.Concat(d.Fails, d.Warns), ", "))
		all = append(all, variant{d.Name, text, func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) }})
	}
	return all
}

// different are the dialects.
func different() []variant {
	var all []variant
	for _, d := range slices.Concat(dialects.All(), dialects.Delegated()) {
		all = append(all, variant{d.Name, d.Text, d.Apply})
	}
	return all
}

// designed are the looks of login and consent.
func designed() []variant {
	var all []variant
	for _, look := range looks.All() {
		all = append(all, variant{look.Name, look.Text, func(o *provider.Options) { o.Delegation.Look = look.Name }})
	}
	return all
}

// variation is how the embedded Provider is told to behave.
type variation struct {
	defects, dialects []string
	look              string
}

func (v *variation) flags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&v.defects, "defect", nil, "break a rule: the `name` of a defect; repeatable")
	flags.StringArrayVar(&v.dialects, "dialect", nil, "behave otherwise, but rightly: the `name` of a dialect; repeatable")
	flags.StringVar(&v.look, "look", "", "show login and consent in another design: the `name` of a look")
}

func (v *variation) looks() []string {
	if v.look == "" {
		return nil
	}
	return []string{v.look}
}

// variants are those that the flags name. A name that there is not is an error that offers the nearest.
func (v *variation) variants() ([]variant, error) {
	var all []variant
	for _, asked := range []struct {
		flag  string
		names []string
		known []variant
	}{
		{"--defect", v.defects, seeded()}, {"--dialect", v.dialects, different()}, {"--look", v.looks(), designed()},
	} {
		found, err := chosen(asked.flag, commas(asked.names), asked.known)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
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
