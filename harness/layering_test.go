package harness_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

const module = "github.com/pact-conform/pact-conform"

// listing is what the go command says of one package: its import path and what its code without tests imports.
type listing struct {
	ImportPath string
	Imports    []string
}

// rule says what packages under a path may import. Paths are those inside the module.
type rule struct {
	under string
	// only lists what of the module may be imported; nil leaves it to never.
	only []string
	// never lists what may not, of the module or outside it.
	never []string
}

// rules are the directions of imports: cmd, suites, harness, harness/result; reports and fixtures
// beside them. A package obeys each rule that it falls under.
var rules = []rule{
	{under: "harness", never: []string{"suites", "reports", "fixtures", "cmd"}},
	{under: "harness/result", only: []string{}},
	{under: "suites", never: []string{"reports", "fixtures", "cmd"}},
	{under: "suites/catalog", only: []string{"suites/catalog", "harness/result"}},
	{under: "reports", only: []string{"reports", "harness/result", "suites/catalog"}},
	{under: "fixtures", only: []string{"fixtures"}},
	// The embedded Provider is an independent reading of the specification, with a JOSE library of its own.
	{under: "fixtures", never: []string{"github.com/lestrrat-go/jwx"}},
	{under: "harness", never: []string{"github.com/go-jose", "github.com/golang-jwt"}},
}

// broken lists the imports of a package that the rules forbid.
func broken(p listing) []string {
	var found []string
	for _, r := range rules {
		if !within(p.ImportPath, r.under) {
			continue
		}
		for _, path := range p.Imports {
			own := path == module || strings.HasPrefix(path, module+"/")
			allowed := slices.ContainsFunc(r.only, func(only string) bool { return within(path, only) })
			forbidden := slices.ContainsFunc(r.never, func(never string) bool { return within(path, never) })
			if forbidden || own && r.only != nil && !allowed {
				found = append(found, fmt.Sprintf("%s imports %s", p.ImportPath, path))
			}
		}
	}
	return found
}

// within reports whether an import path is a path, of the module or outside it, or lies under it.
func within(importPath, path string) bool {
	return slices.ContainsFunc([]string{path, module + "/" + path}, func(top string) bool {
		return importPath == top || strings.HasPrefix(importPath, top+"/")
	})
}

func TestImportsRunOneWay(t *testing.T) {
	g := NewWithT(t)
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"/...")
	var stderr bytes.Buffer
	list.Stderr = &stderr
	output, err := list.Output()
	g.Expect(err).NotTo(HaveOccurred(), stderr.String())

	var seen []string
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p listing
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, p.ImportPath)
		for _, breach := range broken(p) {
			t.Error(breach)
		}
	}
	for _, r := range rules {
		g.Expect(slices.ContainsFunc(seen, func(path string) bool { return within(path, r.under) })).
			To(BeTrue(), "no package lies under %s: the rule about it guards nothing", r.under)
	}
}

func TestRulesCatchEachDirection(t *testing.T) {
	for _, test := range []struct {
		from, to string
		breach   bool
	}{
		{"harness/engine", "suites/identity", true},
		{"harness/engine", "reports/json", true},
		{"harness/agent", "fixtures/provider", true},
		{"harness", "cmd/pact-conform", true},
		{"harness/engine", "harness/result", false},
		{"harness/result", "harness/clock", true},
		{"harness/result", "suites/catalog", true},
		{"harness/resultant", "harness/clock", false},
		{"suites/identity", "fixtures/defects", true},
		{"suites/identity", "reports/html", true},
		{"suites/identity", "harness/engine", false},
		{"suites/catalog", "harness/engine", true},
		{"suites/catalog/doc", "suites/catalog", false},
		{"reports/html", "harness/engine", true},
		{"reports/html", "reports/internal/view", false},
		{"reports/html", "suites/catalog", false},
		{"reports/html", "suites/identity", true},
		{"fixtures/provider", "harness/result", true},
		{"fixtures/provider", "suites/catalog", true},
		{"fixtures/dialects", "fixtures/provider", false},
		{"fixtures/provider", "github.com/lestrrat-go/jwx/v2/jwt", true},
		{"fixtures/provider", "github.com/go-jose/go-jose/v4", false},
		{"harness/agent", "github.com/go-jose/go-jose/v4", true},
		{"harness/agent", "github.com/lestrrat-go/jwx/v2/jwk", false},
		{"cmd/pact-conform", "fixtures/provider", false},
	} {
		to := test.to
		if !strings.HasPrefix(to, "github.com/") {
			to = module + "/" + to
		}
		found := broken(listing{ImportPath: module + "/" + test.from, Imports: []string{"fmt", to}})
		if (len(found) > 0) != test.breach {
			t.Errorf("%s imports %s: breach %v, want %v", test.from, test.to, len(found) > 0, test.breach)
		}
	}
}
