package harness_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

const module = "github.com/pact-conform/pact-conform"

// listing is one package: its import path and what its code without tests imports.
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
	{under: "suites", never: []string{"reports", "fixtures", "cmd", testSupport}},
	{under: "suites/catalog", only: []string{"suites/catalog", "harness/result"}},
	{under: "reports", only: []string{"reports", "harness/result", "suites/catalog"}},
	{under: "fixtures", only: []string{"fixtures"}},
	// The embedded Provider is an independent reading of the specification, with a JOSE library of its own.
	{under: "fixtures", never: []string{"github.com/lestrrat-go/jwx"}},
	{under: "harness", never: []string{"github.com/go-jose", "github.com/golang-jwt"}},
}

// testSupport is what only tests import, so that it may import what tests may.
const testSupport = "suites/internal/proof"

// broken lists the imports of a package that the rules forbid.
func broken(p listing) []string {
	var found []string
	for _, r := range rules {
		if !within(p.ImportPath, r.under) || within(p.ImportPath, testSupport) {
			continue
		}
		for _, imported := range p.Imports {
			own := imported == module || strings.HasPrefix(imported, module+"/")
			allowed := slices.ContainsFunc(r.only, func(only string) bool { return within(imported, only) })
			forbidden := slices.ContainsFunc(r.never, func(never string) bool { return within(imported, never) })
			if forbidden || own && r.only != nil && !allowed {
				found = append(found, fmt.Sprintf("%s imports %s", p.ImportPath, imported))
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
	packages := listPackages(t)
	for _, p := range packages {
		for _, breach := range broken(p) {
			t.Error(breach)
		}
	}
	for _, r := range rules {
		g.Expect(slices.ContainsFunc(packages, func(p listing) bool { return within(p.ImportPath, r.under) })).
			To(BeTrue(), "no package lies under %s: the rule about it guards nothing", r.under)
	}
}

// listPackages reads the imports of all packages of the module. It reads the sources itself, so that
// the go command knows that the result of the test depends on them and never serves a stale one.
func listPackages(t *testing.T) []listing {
	t.Helper()
	imports := map[string][]string{}
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || name != "." && strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		importPath := path.Join(module, path.Dir(name))
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[importPath] = append(imports[importPath], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var packages []listing
	for _, importPath := range slices.Sorted(maps.Keys(imports)) {
		packages = append(packages, listing{importPath, imports[importPath]})
	}
	return packages
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
