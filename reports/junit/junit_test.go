package junit

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

func written(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// element is any XML element, read back without the types that wrote it.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e element) named(name string) []element {
	var found []element
	for _, c := range e.Children {
		if c.XMLName.Local == name {
			found = append(found, c)
		}
		found = append(found, c.named(name)...)
	}
	return found
}

func read(t *testing.T, document string) element {
	t.Helper()
	var root element
	if err := xml.Unmarshal([]byte(document), &root); err != nil {
		t.Fatalf("no XML: %v", err)
	}
	return root
}

func testcase(t *testing.T, root element, id string) element {
	t.Helper()
	for _, c := range root.named("testcase") {
		if strings.HasPrefix(c.attr("name"), id+" ") {
			return c
		}
	}
	t.Fatalf("no test case %s", id)
	return element{}
}

// allowed are the children and attributes that the common JUnit schemas know, attributes in the order of need.
var allowed = map[string]struct{ attrs, children []string }{
	"testsuites": {[]string{"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}, []string{"testsuite"}},
	"testsuite":  {[]string{"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}, []string{"properties", "testcase"}},
	"properties": {nil, []string{"property"}},
	"property":   {[]string{"name", "value"}, nil},
	"testcase":   {[]string{"name", "classname", "time"}, []string{"failure", "error", "skipped", "system-out"}},
	"failure":    {[]string{"message", "type"}, nil},
	"error":      {[]string{"message", "type"}, nil},
	"skipped":    {[]string{"message"}, nil},
	"system-out": {nil, nil},
}

func checkStructure(t *testing.T, e element) {
	t.Helper()
	g := NewWithT(t)
	rule, known := allowed[e.XMLName.Local]
	g.Expect(known).To(BeTrue(), "element %s", e.XMLName.Local)
	var attrs []string
	for _, a := range e.Attrs {
		attrs = append(attrs, a.Name.Local)
		switch a.Name.Local {
		case "tests", "failures", "errors", "skipped":
			_, err := strconv.Atoi(a.Value)
			g.Expect(err).NotTo(HaveOccurred())
		case "time":
			g.Expect(a.Value).To(MatchRegexp(`^\d+\.\d{3}$`))
		case "timestamp":
			g.Expect(a.Value).To(MatchRegexp(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`))
		default:
			g.Expect(a.Value).NotTo(BeEmpty(), "%s of %s", a.Name.Local, e.XMLName.Local)
		}
	}
	g.Expect(attrs).To(ConsistOf(rule.attrs), e.XMLName.Local)
	for _, c := range e.Children {
		g.Expect(rule.children).To(ContainElement(c.XMLName.Local), "child of %s", e.XMLName.Local)
		checkStructure(t, c)
	}
}

// checkCounts compares what the attributes say with what is there.
func checkCounts(t *testing.T, e element) {
	t.Helper()
	g := NewWithT(t)
	for attr, child := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
		g.Expect(e.attr(attr)).To(Equal(strconv.Itoa(len(e.named(child)))), "%s of %s", attr, e.attr("name"))
	}
}

func TestTheDocumentIsWhatReadersExpect(t *testing.T) {
	for name, run := range map[string]*result.Run{"rich": sample.Run(), "clean": sample.Clean(), "hostile": sample.Hostile()} {
		t.Run(name, func(t *testing.T) {
			root := read(t, written(t, run))
			checkStructure(t, root)
			checkCounts(t, root)
			for _, suite := range root.named("testsuite") {
				checkCounts(t, suite)
			}
		})
	}
}

func TestEveryCaseStandsInTheReport(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	root := read(t, written(t, run))
	names := map[string]bool{}
	for _, c := range root.named("testcase") {
		id, _, _ := strings.Cut(c.attr("name"), " ")
		names[id] = true
	}
	for _, q := range run.Requirements {
		if len(q.Cases) == 0 {
			g.Expect(names).To(HaveKey(q.ID))
		}
		for _, c := range q.Cases {
			g.Expect(names).To(HaveKey(c.Name))
		}
	}
	g.Expect(root.named("testsuite")).To(HaveLen(16))
	g.Expect(root.named("testsuite")[4].attr("name")).To(Equal("PACT Identity §3.2 Personal-agent JWT"))
}

func TestAFailureTellsAllOfIt(t *testing.T) {
	g := NewWithT(t)
	c := testcase(t, read(t, written(t, sample.Run())), "PACT-3.2-04/pem")
	g.Expect(c.attr("name")).To(Equal("PACT-3.2-04/pem HS256 is rejected, whatever the secret."))
	g.Expect(c.attr("classname")).To(Equal("pact.identity.3.2"))
	g.Expect(c.attr("time")).To(Equal("0.050"))
	failure := c.named("failure")[0]
	g.Expect(failure.attr("type")).To(Equal("BeUnauthorized"))
	g.Expect(failure.attr("message")).To(Equal(`PACT-3.2-04/pem: expected 401 with WWW-Authenticate: Bearer realm="a2a" and no A2A body, got 200 application/a2a+json: the token was accepted`))
	for _, part := range []string{
		"requirement: HS256 is rejected, whatever the secret.", "level:       must, stated, §3.2", "expected:    401", "got:         200",
		"GET https://provider.example.com/a2a/", "→ 200", "traceparent: 00-", `curl:        curl -sS -i -H "Authorization: Bearer $(pact-conform token PACT-3.2-04/pem)"`,
	} {
		g.Expect(failure.Text).To(ContainSubstring(part))
	}
}

func TestEachOutcomeHasItsElement(t *testing.T) {
	root := read(t, written(t, sample.Run()))
	for name, want := range map[string]struct{ element, message string }{
		"PACT-3.2-04/pem":            {"failure", "PACT-3.2-04/pem: expected 401"},
		"PACT-4.1-13/256k":           {"error", "PACT-4.1-13/256k: read: connection reset by peer, twice"},
		"PACT-4.2-08/other-sub":      {"skipped", "blocked: the owner's next turn got 502"},
		"PACT-3.1-04/tasks":          {"skipped", "not run: needs a personal agent that the Provider has disabled: set agents.disabled"},
		"PACT-2.1-11/standard-place": {"skipped", "not applicable: brand.domain is none"},
		"PACT-5.6-12":                {"skipped", "not run: no case was run"},
		"PACT-3.4-05/alike":          {"system-out", ""},
		"PACT-2.1-12/seen":           {"system-out", ""},
		"PACT-3.2-04/random":         {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			c := testcase(t, root, name)
			if want.element == "" {
				g.Expect(c.Children).To(BeEmpty())
				return
			}
			g.Expect(c.Children).To(HaveLen(1))
			g.Expect(c.Children[0].XMLName.Local).To(Equal(want.element))
			g.Expect(c.Children[0].attr("message")).To(HavePrefix(want.message))
		})
	}
	g := NewWithT(t)
	g.Expect(testcase(t, root, "PACT-3.4-05/alike").named("system-out")[0].Text).To(HavePrefix(`warning: expected the same body for every failure, got two texts`))
	g.Expect(testcase(t, root, "PACT-2.1-12/seen").named("system-out")[0].Text).To(Equal("observed: the answer was 200 with a message\n"))
}

func TestAnUnknownOutcomeIsAnError(t *testing.T) {
	g := NewWithT(t)
	run := sample.Clean()
	run.Requirements[0].Cases[0].Outcome = "odd"
	root := read(t, written(t, run))
	g.Expect(root.attr("errors")).To(Equal("1"))
}

func TestStrictWarningsAreFailures(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	run.Requirements[0].Level, run.Requirements[0].Cases[0].Outcome = result.Should, result.Warning
	run.Settings.Strict = true
	run.Conclude("identity")
	c := testcase(t, read(t, written(t, run)), run.Requirements[0].Cases[0].Name)
	g.Expect(c.named("failure")).To(HaveLen(1))
}

func TestPropertiesNameWhatWasJudged(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	properties := map[string]string{}
	for _, p := range read(t, written(t, run)).named("testsuite")[0].named("property") {
		properties[p.attr("name")] = p.attr("value")
	}
	g.Expect(properties).To(HaveKeyWithValue("provider", "Example Provider 2026.11"))
	g.Expect(properties).To(HaveKeyWithValue("catalogue.sha256", run.Catalogue.SHA256))
	g.Expect(properties).To(HaveKeyWithValue("verdict.identity", "not conformant"))
	g.Expect(properties).To(HaveKeyWithValue("reason.delegated", run.Profiles[1].Reason))
	g.Expect(properties).To(HaveKeyWithValue("exitCode", "1"))
}

func TestAFailureOfAPageNamesThePage(t *testing.T) {
	g := NewWithT(t)
	c := testcase(t, read(t, written(t, sample.Run())), "PACT-5.3-31/each")
	g.Expect(c.named("failure")[0].Text).To(ContainSubstring(`page:        consent page "Approve access · Example Co.", screenshots/002-user.png`))
}

// What stands beside the verdict is told once in the clause's suite, and short in each of its cases.
func TestWhatStandsBesideIsAPropertyOfItsClause(t *testing.T) {
	g := NewWithT(t)
	root := read(t, written(t, sample.WithoutPages()))
	checkStructure(t, root)
	told := map[string]string{}
	for _, suite := range root.named("testsuite") {
		for _, p := range suite.named("property") {
			if strings.HasPrefix(p.attr("name"), "beside") {
				told[suite.attr("name")] += p.attr("name") + ": " + p.attr("value")
			}
		}
	}
	g.Expect(told).To(HaveLen(2))
	g.Expect(told["PACT Delegated §5.2 Scopes"]).To(Equal("beside.not-run: " + sample.NoChromium + " (PACT-5.2-02)"))
	g.Expect(told["PACT Delegated §5.3 Getting a token"]).To(HavePrefix("beside.not-run: " + sample.NoChromium + " (PACT-5.3-25, "))
	g.Expect(testcase(t, root, "PACT-5.3-29/page").named("skipped")[0].attr("message")).To(Equal("not run: " + sample.NoChromium))
}

func TestForbiddenCharactersAreReplaced(t *testing.T) {
	g := NewWithT(t)
	document := written(t, sample.Hostile())
	root := read(t, document)
	g.Expect(document).NotTo(ContainSubstring("\uFFFD"), "nothing is left for the encoder to replace")
	for _, c := range document {
		g.Expect(c == '\n' || c == '\t' || c >= ' ').To(BeTrue(), "character %U", c)
	}
	failure := testcase(t, root, "PACT-3.2-04/pem").named("failure")[0]
	g.Expect(failure.attr("message")).To(ContainSubstring(sample.Script))
	g.Expect(failure.Text).To(ContainSubstring(`\x1b[2J`))
	g.Expect(failure.Text).To(ContainSubstring(sample.CDATA))
}
