package json

import (
	"bytes"
	stdjson "encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

func written(t *testing.T, run *result.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	for name, run := range map[string]*result.Run{"rich": sample.Run(), "clean": sample.Clean(), "delegated": sample.Delegated()} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			first := written(t, run)
			read, err := Read(bytes.NewReader(first))
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(string(written(t, read))).To(Equal(string(first)), "equal runs give equal bytes")
			g.Expect(read.Profiles).To(Equal(run.Profiles))
			g.Expect(read.Exchanges).To(Equal(run.Exchanges))
			g.Expect(read.Journeys).To(Equal(run.Journeys))
			g.Expect(read.Pictures).To(BeNil(), "pictures stand beside the file")
			g.Expect(read.Started).To(Equal(run.Started))
		})
	}
}

func TestWriteDoesNotChangeTheRun(t *testing.T) {
	g := NewWithT(t)
	run := &result.Run{SchemaVersion: "1.0", Requirements: []result.Requirement{{ID: "PACT-2-01"}}}
	text := string(written(t, run))
	g.Expect(run.Requirements[0].Cases).To(BeNil())
	g.Expect(text).To(ContainSubstring(`"profiles": []`))
	g.Expect(text).To(ContainSubstring(`"cases": []`))
	g.Expect(text).NotTo(ContainSubstring("null"))
}

func TestAnotherVersionIsRefusedInOneLine(t *testing.T) {
	for in, want := range map[string]string{
		`{"schemaVersion":"2.0","requirements":7}`: `results have schema version "2.0", this pact-conform reads version 1.x`,
		`{"schemaVersion":"10.1"}`:                 `results have schema version "10.1", this pact-conform reads version 1.x`,
		`{"schemaVersion":""}`:                     `results have schema version "", this pact-conform reads version 1.x`,
		`{"requirements":[]}`:                      "no results of pact-conform: schemaVersion is missing",
		`[]`:                                       "no results of pact-conform: json: cannot unmarshal array",
		``:                                         "no results of pact-conform: unexpected end of JSON input",
		`{"schemaVersion":"1.0","requirements":"x"}`: "no results of pact-conform: json: cannot unmarshal string",
	} {
		g := NewWithT(t)
		_, err := Read(strings.NewReader(in))
		g.Expect(err).To(MatchError(HavePrefix(want)))
		g.Expect(err.Error()).NotTo(ContainSubstring("\n"))
	}
}

func TestALaterMinorVersionIsRead(t *testing.T) {
	g := NewWithT(t)
	run, err := Read(strings.NewReader(`{"schemaVersion":"1.7","exitCode":3,"later":{"member":true}}`))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(run.ExitCode).To(Equal(3))
}

func TestReadFileNamesThePath(t *testing.T) {
	g := NewWithT(t)
	path := filepath.Join(t.TempDir(), "results.json")
	_, err := ReadFile(path)
	g.Expect(err).To(MatchError(ContainSubstring(path)))
	g.Expect(os.WriteFile(path, []byte("{}"), 0o600)).To(Succeed())
	_, err = ReadFile(path)
	g.Expect(err).To(MatchError(path + ": no results of pact-conform: schemaVersion is missing"))
	g.Expect(os.WriteFile(path, written(t, sample.Clean()), 0o600)).To(Succeed())
	run, err := ReadFile(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(run.ExitCode).To(Equal(0))
}

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("results.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("results.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(instance)
}

func TestResultsFollowTheSchema(t *testing.T) {
	schema := compile(t)
	empty := &result.Run{SchemaVersion: result.SchemaVersion, Catalogue: sample.Clean().Catalogue}
	empty.Conclude("identity")
	for name, run := range map[string]*result.Run{
		"rich": sample.Run(), "clean": sample.Clean(), "delegated": sample.Delegated(), "without pages": sample.WithoutPages(),
		"hostile": sample.Hostile(), "empty": empty,
	} {
		t.Run(name, func(t *testing.T) {
			NewWithT(t).Expect(validate(t, schema, written(t, run))).To(Succeed())
		})
	}
}

func TestTheSchemaRefusesWhatIsWrong(t *testing.T) {
	schema := compile(t)
	NewWithT(t).Expect(validate(t, schema, written(t, short()))).To(Succeed(), "what is spoilt is right before")
	for name, spoil := range map[string]func(*result.Run){
		"another version":    func(r *result.Run) { r.SchemaVersion = "2.0" },
		"an unknown verdict": func(r *result.Run) { r.Profiles[0].Verdict = "fine" },
		"an unknown outcome": func(r *result.Run) { r.Requirements[0].Cases[0].Outcome = "" },
		"an odd case name":   func(r *result.Run) { r.Requirements[0].Cases[0].Name = "pem" },
		"a digest too short": func(r *result.Run) { r.Catalogue.SHA256 = "abc" },
		"time going back":    func(r *result.Run) { r.Duration = -1 },

		"a picture elsewhere":        func(r *result.Run) { r.Journeys[0].Steps[0].Picture = "../consent.png" },
		"a picture of another kind":  func(r *result.Run) { r.Journeys[0].Steps[0].Picture = "consent.svg" },
		"a step before the run":      func(r *result.Run) { r.Journeys[0].Steps[0].At = -1 },
		"an unknown kind of page":    func(r *result.Run) { paged(r).Page.Kind = "captcha" },
		"a journey without outcome":  func(r *result.Run) { r.Journeys[0].Outcome = "" },
		"a case's picture elsewhere": func(r *result.Run) { r.Requirements[0].Cases[0].Steps = []result.Step{{Picture: "/x.png"}} },
	} {
		t.Run(name, func(t *testing.T) {
			run := short()
			spoil(run)
			NewWithT(t).Expect(validate(t, schema, written(t, run))).NotTo(Succeed())
		})
	}
}

// short is a run with a part of what a whole one has, to be looked at many times.
func short() *result.Run {
	run := sample.Delegated()
	first := slices.IndexFunc(run.Exchanges, func(e result.Exchange) bool { return e.Page != nil })
	run.Exchanges, run.Requirements = run.Exchanges[first:first+10], run.Requirements[:10]
	return run
}

// paged is an exchange that brought a page.
func paged(run *result.Run) *result.Exchange {
	return &run.Exchanges[slices.IndexFunc(run.Exchanges, func(e result.Exchange) bool { return e.Page != nil })]
}

func TestAJourneyMayEndInAnyOutcome(t *testing.T) {
	schema := compile(t)
	run := short()
	for _, o := range result.Outcomes {
		run.Journeys[0].Outcome = o
		NewWithT(t).Expect(validate(t, schema, written(t, run))).To(Succeed(), string(o))
	}
}

func TestTheSchemaInTheDocumentationIsThisOne(t *testing.T) {
	g := NewWithT(t)
	published, err := os.ReadFile("../../docs/results.schema.json")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(published)).To(Equal(string(Schema)), "copy reports/json/results.schema.json to docs/")
}

// Every member of the Go types stands in the schema, and with omitempty or not as the schema requires it.
func TestTheSchemaKnowsEveryMember(t *testing.T) {
	var schema map[string]any
	if err := stdjson.Unmarshal(Schema, &schema); err != nil {
		t.Fatal(err)
	}
	members(t, schema, schema, reflect.TypeFor[result.Run](), "")
}

func members(t *testing.T, root, node map[string]any, kind reflect.Type, path string) {
	node = resolve(root, node)
	switch {
	case kind == reflect.TypeFor[time.Time]():
		return
	case kind.Kind() == reflect.Pointer:
		members(t, root, node, kind.Elem(), path)
		return
	case kind.Kind() == reflect.Slice:
		items, _ := node["items"].(map[string]any)
		members(t, root, items, kind.Elem(), path+"[]")
		return
	case kind.Kind() != reflect.Struct:
		return
	}
	properties, _ := node["properties"].(map[string]any)
	required := map[string]bool{}
	list, _ := node["required"].([]any)
	for _, name := range list {
		required[name.(string)] = true
	}
	known := map[string]bool{}
	for i := range kind.NumField() {
		name, options, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		known[name] = true
		child, ok := properties[name].(map[string]any)
		if !ok {
			t.Errorf("the schema has no member %s.%s", path, name)
			continue
		}
		if always := !strings.Contains(options, "omit"); always != required[name] {
			t.Errorf("%s.%s: required is %v, but always written is %v", path, name, required[name], always)
		}
		members(t, root, child, kind.Field(i).Type, path+"."+name)
	}
	for name := range properties {
		if !known[name] {
			t.Errorf("the schema's %s.%s is no member of %s", path, name, kind)
		}
	}
}

func resolve(root, node map[string]any) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	definitions := root["$defs"].(map[string]any)
	return definitions[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
}
