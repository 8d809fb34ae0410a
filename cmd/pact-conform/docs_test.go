package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/suites/catalog"
	"github.com/pact-conform/pact-conform/suites/catalog/doc"
)

//go:generate go test -run TestThePageOfRequirementsIsCurrent . -args -update

var update = flag.Bool("update", false, "write docs/requirements.md")

// The page shows the cases and the seeded defects beside each requirement, so that whoever changes one writes it anew.
func TestThePageOfRequirementsIsCurrent(t *testing.T) {
	const path = "../../docs/requirements.md"
	e, err := loadAll()
	if err != nil {
		t.Fatal(err)
	}
	proof := doc.Proof{Cases: casesOf(e), Defects: map[string][]string{}}
	for _, row := range catalog.All() {
		for _, d := range defects.ByRequirement(row.ID) {
			proof.Defects[row.ID] = append(proof.Defects[row.ID], d.Name)
		}
	}
	var page bytes.Buffer
	if err := doc.Write(&page, proof); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, page.Bytes()) {
		t.Error("docs/requirements.md is not what the catalogue makes of it: run go generate ./cmd/pact-conform")
	}
}
