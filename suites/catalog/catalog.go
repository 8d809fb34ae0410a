// Package catalog is the list of what PACT 1.0 asks of a Provider, one row per observable rule.
//
// The rows live in requirements.yaml, which is embedded byte for byte; a report names its SHA-256, so
// that a reader knows exactly what a run was judged against.
package catalog

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/pact-conform/pact-conform/harness/result"
)

//go:embed requirements.yaml
var source []byte

// Requirement is one row of the catalogue.
type Requirement struct {
	// ID is the stable name, PACT-<clause>-<number>.
	ID string `yaml:"id"`
	// Profile is identity or delegated (§7).
	Profile string `yaml:"profile"`
	// Level says what a broken row means: must fails, should warns, info is recorded.
	Level result.Level `yaml:"level"`
	// Basis is stated, guide, derived or practice.
	Basis string `yaml:"basis"`
	// Text is the rule.
	Text string `yaml:"text"`
	// Check is how a harness observes the rule, and what is lenient about it.
	Check string `yaml:"check"`
	// Control is the positive twin of a negative, where it is more than the same request with a right token.
	Control string `yaml:"control"`
	// Needs names the set-up without which the row is not run; see FindNeed.
	Needs []string `yaml:"needs"`
	// Clause is the clause of the specification: "3.2" of PACT-3.2-04.
	Clause string `yaml:"-"`
}

// Result is the row as it stands in a run, without cases and outcome.
func (r Requirement) Result() result.Requirement {
	return result.Requirement{ID: r.ID, Profile: r.Profile, Level: r.Level, Basis: r.Basis, Clause: r.Clause, Text: r.Text}
}

type parsed struct {
	version int
	rows    []Requirement
	byID    map[string]int
}

// The file is embedded, so that a fault in it is a fault of the build: it panics, and the tests see it first.
var catalogue = sync.OnceValue(func() parsed {
	p, err := parse(source)
	if err != nil {
		panic("catalog: requirements.yaml: " + err.Error())
	}
	return p
})

func parse(data []byte) (parsed, error) {
	var file struct {
		Requirements []Requirement `yaml:"requirements"`
	}
	p := parsed{byID: map[string]int{}}
	if err := yaml.UnmarshalWithOptions(data, &file, yaml.Strict()); err != nil {
		return p, err
	}
	for i, row := range file.Requirements {
		clause, ok := clauseOf(row.ID)
		if !ok {
			return p, fmt.Errorf("row %d: %q is no requirement id", i+1, row.ID)
		}
		if _, twice := p.byID[row.ID]; twice {
			return p, fmt.Errorf("row %d: %s stands there twice", i+1, row.ID)
		}
		row.Clause = clause
		p.byID[row.ID] = i
		p.rows = append(p.rows, row)
	}
	// The version stands in the heading comment, beside the specification's.
	heading, _, _ := bytes.Cut(data, []byte("\n"))
	if _, err := fmt.Sscanf(string(heading), "# PACT 1.0 requirement catalogue, version %d.", &p.version); err != nil {
		return p, fmt.Errorf("the first line names no version: %q", heading)
	}
	return p, nil
}

// clauseOf is the clause of PACT-<clause>-<number>.
func clauseOf(id string) (string, bool) {
	rest, ok := strings.CutPrefix(id, "PACT-")
	clause, number, found := strings.Cut(rest, "-")
	return clause, ok && found && clause != "" && number != ""
}

// All returns every row, in the order of the file.
func All() []Requirement { return slices.Clone(catalogue().rows) }

// Find returns the row with the id.
func Find(id string) (Requirement, bool) {
	i, ok := catalogue().byID[id]
	if !ok {
		return Requirement{}, false
	}
	return catalogue().rows[i], true
}

// Position is the row's place in the file, from 0; an unknown id comes after all others.
func Position(id string) int {
	if i, ok := catalogue().byID[id]; ok {
		return i
	}
	return len(catalogue().rows)
}

// Version is the version of the catalogue.
func Version() int { return catalogue().version }

// SHA256 is the digest of the catalogue's file, in hexadecimal.
func SHA256() string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:])
}

// Identity is the catalogue as a run names it.
func Identity() result.Catalogue {
	return result.Catalogue{Version: Version(), SHA256: SHA256(), Requirements: len(catalogue().rows)}
}
