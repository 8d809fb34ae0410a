package agent

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Change is one named change to the token that Mint makes by default. The zero Change changes nothing.
type Change struct {
	// name is the stable form, words the one for people. names is set when the words name the algorithm.
	name, words string
	names       bool
	edit        func(*draft) error
	// twin is what stands in for the change in a right token.
	twin []Change
	// right is set when a token with the change is still right.
	right bool
}

// String is the stable form of the change, for records: its name, and its arguments in brackets.
func (c Change) String() string { return c.name }

// Words says for people what the change makes of the token.
func (c Change) Words() string { return c.words }

// Right reports whether a token with this change keeps every rule of §3.2.
func (c Change) Right() bool { return c.right }

func (c Change) apply(d *draft) error {
	if c.edit == nil {
		return nil
	}
	return c.edit(d)
}

// RightTwin is the positive control of a token with these changes: right changes stay, a wrong one
// gives way to the nearest right one (the header without crit, nbf in the past, the same key under the
// algorithm that is allowed), or to nothing.
func RightTwin(changes ...Change) []Change {
	var twin []Change
	for _, c := range changes {
		if c.right {
			twin = append(twin, c)
			continue
		}
		twin = append(twin, c.twin...)
	}
	return twin
}

// wrong is a change after which a token is wrong.
func wrong(name, words string, edit func(*draft) error) Change {
	return Change{name: name, words: words, edit: edit}
}

// fine is a change after which a token is still right.
func fine(name, words string, edit func(*draft) error) Change {
	return Change{name: name, words: words, edit: edit, right: true}
}

// algorithm makes the words of the change name the algorithm.
func (c Change) algorithm() Change {
	c.names = true
	return c
}

// beside gives the change its right twin.
func (c Change) beside(twin ...Change) Change {
	c.twin = twin
	return c
}

// call is the stable form of a change with arguments.
func call(name string, args ...string) string {
	return name + "(" + strings.Join(args, ", ") + ")"
}

// shown is the JSON form of a value, for a change's name and words.
func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("(%T)", value)
	}
	return string(text)
}
