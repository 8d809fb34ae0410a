package config

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	. "github.com/onsi/gomega"
)

//go:generate go test -run TestDocumentationIsCurrent . -args -update

var update = flag.Bool("update", false, "write the tables of docs/configuration.md instead of comparing them")

const (
	documentation = "../../docs/configuration.md"
	tablesBegin   = "<!-- The tables are generated from harness/config/fields.go: go generate ./harness/config -->\n"
	tablesEnd     = "<!-- End of the tables -->\n"
)

func TestDocumentationIsCurrent(t *testing.T) {
	g := NewWithT(t)
	page, err := os.ReadFile(documentation)
	g.Expect(err).NotTo(HaveOccurred())
	before, rest, ok := strings.Cut(string(page), tablesBegin)
	g.Expect(ok).To(BeTrue(), "the page has no place for the tables")
	_, after, ok := strings.Cut(rest, tablesEnd)
	g.Expect(ok).To(BeTrue(), "the page's tables have no end")
	want := before + tablesBegin + tables(rowsByNeed(t)) + tablesEnd + after
	if *update {
		g.Expect(os.WriteFile(documentation, []byte(want), 0o644)).To(Succeed())
		return
	}
	g.Expect(string(page)).To(Equal(want), "docs/configuration.md is out of date: go generate ./harness/config")
}

// tables documents every field, a table for each section at the top.
func tables(rows map[string][]string) string {
	var b strings.Builder
	for _, top := range fields.keys[""] {
		fmt.Fprintf(&b, "\n### %s\n\n%s%s", top.Path, top.Doc, needed(top, rows))
		if value := valueOf(top); value != "section" {
			fmt.Fprintf(&b, " Value: %s.", value)
			if top.Default != "" {
				fmt.Fprintf(&b, " Default: `%s`.", top.Default)
			}
		}
		b.WriteString("\n")
		if len(inside(top)) == 0 {
			continue
		}
		b.WriteString("\n| Key | Value | Default | Meaning |\n|---|---|---|---|\n")
		for _, f := range inside(top) {
			path := strings.TrimPrefix(strings.TrimPrefix(f.Path, top.Path), ".")
			path = strings.TrimPrefix(path, "[].")
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s%s |\n", path, valueOf(f), defaultOf(f), f.Doc, needed(f, rows))
		}
	}
	b.WriteString("\n")
	return b.String()
}

// inside lists the fields in a section, however deep.
func inside(top *Field) []*Field {
	var list []*Field
	for i := range Fields {
		if f := &Fields[i]; strings.HasPrefix(f.Path, top.Path+".") || strings.HasPrefix(f.Path, top.Path+"[].") {
			list = append(list, f)
		}
	}
	return list
}

func valueOf(f *Field) string {
	var forms []string
	for _, word := range f.Words {
		forms = append(forms, "`"+word+"`")
	}
	if f.Kind.Name != Word.Name {
		forms = append(forms, f.Kind.Name)
	}
	return strings.Join(forms, " or ")
}

func defaultOf(f *Field) string {
	switch {
	case f.Required && f.Kind.Name != Section.Name:
		return "**required**"
	case f.Default != "":
		return "`" + f.Default + "`"
	}
	return f.Derived
}

// needed names the requirements that are not run without the field.
func needed(f *Field, rows map[string][]string) string {
	var ids []string
	for _, need := range f.Needs {
		ids = append(ids, rows[need]...)
	}
	if len(ids) == 0 {
		return ""
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(a, b) })
	return " For " + shortened(slices.Compact(ids)) + "."
}

// shortened lists ids clause by clause: PACT-4.2-13, -14, -18; PACT-5.5-17.
func shortened(ids []string) string {
	var b strings.Builder
	clause := ""
	for i, id := range ids {
		at := strings.LastIndexByte(id, '-')
		switch {
		case id[:at] == clause:
			b.WriteString(", " + id[at:])
			continue
		case i > 0:
			b.WriteString("; ")
		}
		clause = id[:at]
		b.WriteString(id)
	}
	return b.String()
}

// rowsByNeed reads which requirements need which set-up. The file is read as data: the configuration
// knows no requirement.
func rowsByNeed(t *testing.T) map[string][]string {
	t.Helper()
	g := NewWithT(t)
	data, err := os.ReadFile("../../suites/catalog/requirements.yaml")
	g.Expect(err).NotTo(HaveOccurred())
	var catalogue struct {
		Requirements []struct {
			ID    string   `yaml:"id"`
			Needs []string `yaml:"needs"`
		} `yaml:"requirements"`
	}
	g.Expect(yaml.Unmarshal(data, &catalogue)).To(Succeed())
	rows := map[string][]string{}
	for _, row := range catalogue.Requirements {
		for _, need := range row.Needs {
			rows[need] = append(rows[need], row.ID)
		}
	}
	for _, f := range Fields {
		for _, need := range f.Needs {
			g.Expect(rows).To(HaveKey(need), "%s gives set-up that no requirement needs", f.Path)
		}
	}
	return rows
}

// Every member of Config has its key in Fields, and the other way round.
func TestConfigAndFieldsAgree(t *testing.T) {
	g := NewWithT(t)
	members := map[string]bool{}
	collect(reflect.TypeFor[Config](), "", members)
	for _, derived := range []string{"file", "dir"} {
		g.Expect(members).To(HaveKey(derived))
		delete(members, derived)
	}
	// A word of the section, which is no key inside it.
	delete(members, "browser.user.manual")
	keys := map[string]bool{}
	for _, f := range Fields {
		g.Expect(f.Doc).NotTo(BeEmpty(), f.Path)
		if f.Kind.Name != Section.Name && f.Kind.Name != List.Name {
			keys[strings.ToLower(f.Path)] = true
		}
	}
	// Checked while reading, with one value and no meaning beyond it.
	for _, constant := range []string{"version", "browser.login", "browser.consent"} {
		g.Expect(keys).To(HaveKey(constant))
		delete(keys, constant)
	}
	g.Expect(members).To(Equal(keys))
}

// collect adds the paths of a type's members, in lower case.
func collect(typ reflect.Type, path string, members map[string]bool) {
	if strings.HasPrefix(typ.Name(), "Optional[") {
		value, _ := typ.FieldByName("value")
		typ = value.Type
	}
	switch {
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct:
		collect(typ.Elem(), path+"[]", members)
	case typ.Kind() == reflect.Struct:
		for i := range typ.NumField() {
			if member := typ.Field(i); member.IsExported() {
				collect(member.Type, strings.TrimPrefix(path+"."+strings.ToLower(member.Name), "."), members)
			}
		}
	default:
		members[path] = true
	}
}

func TestVariablesOfKeys(t *testing.T) {
	g := NewWithT(t)
	names := map[string]string{}
	for i := range Fields {
		f := &Fields[i]
		if name := f.Variable(); name != "" {
			g.Expect(name).To(MatchRegexp(`^PACT_CONFORM(_[A-Z]+)+$`))
			g.Expect(names).NotTo(HaveKey(name), "%s and %s share a variable", f.Path, names[name])
			names[name] = f.Path
		}
	}
	g.Expect(names).To(HaveKeyWithValue("PACT_CONFORM_LIMITS_MAX_WAIT", "limits.maxWait"))
	g.Expect(names).To(HaveKeyWithValue("PACT_CONFORM_OTHER_BRAND", "otherBrand"))
	for _, path := range []string{"version", "users", "users[].password", "revoke.command", "gateway.headers", "limits"} {
		g.Expect(fields.byPath).To(HaveKey(path))
		g.Expect(fields.byPath[path].Variable()).To(BeEmpty(), path)
	}
}

// The example at the head of the page is one that works.
func TestTheExampleLoads(t *testing.T) {
	g := NewWithT(t)
	page, err := os.ReadFile(documentation)
	g.Expect(err).NotTo(HaveOccurred())
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	g.Expect(example).To(HaveLen(2))
	write(t, string(example[1]))
	c, err := Load("", environment(map[string]string{"BRAND_USER": "jane@brand.example", "BRAND_PASSWORD": "correct horse"}), nil)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Secrets()).To(ConsistOf("jane@brand.example", "correct horse"))
}
