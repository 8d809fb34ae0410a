package config

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// advice says what was probably meant by a key that a section does not have: the nearest key of the
// section, the section that has such a key, or else the keys there are.
func advice(section, name string) string {
	best, distance := "", 1+max(2, len(name)/3)
	for _, f := range fields.keys[section] {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(f.name())); d < distance {
			best, distance = f.name(), d
		}
	}
	if best != "" {
		return `did you mean "` + best + `"?`
	}
	var elsewhere []string
	for _, f := range Fields {
		if f.name() == name && !strings.Contains(f.Path, "[]") {
			elsewhere = append(elsewhere, f.Path)
		}
	}
	if len(elsewhere) == 1 {
		return "did you mean " + elsewhere[0] + "?"
	}
	var names []string
	for _, f := range fields.keys[section] {
		names = append(names, f.name())
	}
	return "known here: " + strings.Join(names, ", ")
}
