// Package json writes and reads results.json, the master of all reports.
package json

import (
	_ "embed"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Schema is the JSON Schema (draft 2020-12) of results.json.
//
//go:embed results.schema.json
var Schema []byte

// Write writes the run, indented. Equal runs give equal bytes.
func Write(w io.Writer, run *result.Run) error {
	encoder := stdjson.NewEncoder(w)
	encoder.SetIndent("", "  ")
	// The file is no part of a page, and a reader wants to see < and & as they are.
	encoder.SetEscapeHTML(false)
	return encoder.Encode(withLists(run))
}

// Read reads a run that a version of pact-conform with the same major schema version wrote.
// Every error is one line.
func Read(r io.Reader) (*result.Run, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		SchemaVersion *string `json:"schemaVersion"`
	}
	if err := stdjson.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("no results of pact-conform: %w", err)
	}
	if head.SchemaVersion == nil {
		return nil, errors.New("no results of pact-conform: schemaVersion is missing")
	}
	// The version decides first: the members of another major version may mean something else.
	if major(*head.SchemaVersion) != major(result.SchemaVersion) {
		return nil, fmt.Errorf("results have schema version %q, this pact-conform reads version %s.x", *head.SchemaVersion, major(result.SchemaVersion))
	}
	run := new(result.Run)
	if err := stdjson.Unmarshal(data, run); err != nil {
		return nil, fmt.Errorf("no results of pact-conform: %w", err)
	}
	return run, nil
}

// ReadFile reads the results.json at the path; its errors name the path.
func ReadFile(path string) (*result.Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	run, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}

func major(version string) string {
	before, _, _ := strings.Cut(version, ".")
	return before
}

// withLists is the run with [] where the schema asks for a list and the run has none, so that a
// reader in another language never meets null.
func withLists(run *result.Run) *result.Run {
	whole := *run
	whole.Profiles = list(run.Profiles)
	whole.Requirements = append([]result.Requirement{}, run.Requirements...)
	for i := range whole.Requirements {
		q := &whole.Requirements[i]
		q.Cases = append([]result.Case{}, q.Cases...)
		for j := range q.Cases {
			q.Cases[j].Judgements = append([]result.Judgement(nil), q.Cases[j].Judgements...)
			for k := range q.Cases[j].Judgements {
				judgement := &q.Cases[j].Judgements[k]
				judgement.Exchanges = list(judgement.Exchanges)
			}
		}
	}
	return &whole
}

func list[T any](values []T) []T {
	if values == nil {
		return []T{}
	}
	return values
}
