// Package junit writes a run as JUnit XML, in the form that CI systems read: a suite per clause, a
// test case per case, a failure only where a requirement failed.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

type testSuites struct {
	XMLName   xml.Name    `xml:"testsuites"`
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Suites    []testSuite `xml:"testsuite"`
}

type testSuite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testCase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Name      string   `xml:"name,attr"`
	ClassName string   `xml:"classname,attr"`
	Time      string   `xml:"time,attr"`
	Failure   *finding `xml:"failure"`
	Error     *finding `xml:"error"`
	Skipped   *skipped `xml:"skipped"`
	SystemOut *text    `xml:"system-out"`
}

type finding struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Body    string `xml:",chardata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

type text struct {
	Body string `xml:",chardata"`
}

// timestamp is the form that the strictest readers take: without a zone, in UTC.
const timestamp = "2006-01-02T15:04:05"

// Write writes the run as one JUnit document.
func Write(w io.Writer, run *result.Run) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(document(run)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func document(run *result.Run) testSuites {
	all := testSuites{
		Name:      view.Line(run.Tool.Name + " " + view.Target(run)),
		Time:      seconds(run.Duration),
		Timestamp: run.Started.UTC().Format(timestamp),
	}
	kept := evidence{view.Index(run), view.StepsOf(run)}
	shared, beside := properties(run), view.Beside(run)
	for _, clause := range view.Clauses(run) {
		suite := testSuite{
			Name:       fmt.Sprintf("%s §%s %s", view.ProfileName(clause.Profile), clause.Number, clause.Title),
			Timestamp:  all.Timestamp,
			Properties: append(shared[:len(shared):len(shared)], besideOf(clause, beside)...),
		}
		var spent float64
		class := "pact." + clause.Profile + "." + clause.Number
		for _, row := range clause.Rows {
			for _, c := range rowCases(row) {
				suite.add(testCaseOf(kept, class, row, &c))
				spent += c.Duration
			}
		}
		suite.Time = seconds(spent)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Skipped += suite.Skipped
		all.Suites = append(all.Suites, suite)
	}
	return all
}

// rowCases are the cases of a requirement; one without any stands in the report all the same.
func rowCases(row *result.Requirement) []result.Case {
	if len(row.Cases) > 0 {
		return row.Cases
	}
	return []result.Case{{Name: row.ID, Outcome: row.Outcome, Reason: "no case was run"}}
}

func (s *testSuite) add(c testCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func testCaseOf(kept evidence, class string, row *result.Requirement, c *result.Case) testCase {
	t := testCase{
		Name:      view.Line(c.Name + " " + row.Text),
		ClassName: class,
		Time:      seconds(c.Duration),
	}
	switch c.Outcome {
	case result.Failed:
		t.Failure = &finding{Message: message(c), Type: kind(c), Body: body(kept, row, c)}
	case result.Blocked, result.NotRun, result.NotApplicable:
		t.Skipped = &skipped{Message: view.Label(c.Outcome) + ": " + reason(c)}
	case result.Warning:
		t.SystemOut = &text{Body: "warning: " + view.Why(c) + "\n" + body(kept, row, c)}
	case result.Passed, result.Observed:
		if len(c.Observations) > 0 {
			t.SystemOut = &text{Body: observed(c)}
		}
	default:
		// An error, or an outcome that this version does not know: nothing that was left undecided may look harmless.
		t.Error = &finding{Message: message(c), Type: kind(c), Body: body(kept, row, c)}
	}
	return t
}

func properties(run *result.Run) []property {
	all := []property{
		{"tool", run.Tool.Name + " " + run.Tool.Version},
		{"specification", run.Specification.Name + " " + run.Specification.Version},
		{"catalogue.sha256", run.Catalogue.SHA256},
		{"provider", strings.TrimSpace(run.Provider.Name + " " + run.Provider.Version)},
		{"card", run.Brand.Card},
		{"exitCode", strconv.Itoa(run.ExitCode)},
	}
	for _, p := range run.Profiles {
		all = append(all,
			property{"verdict." + p.Name, string(p.Verdict)},
			property{"reason." + p.Name, p.Reason})
	}
	for i := range all {
		all[i].Value = view.Line(all[i].Value)
	}
	return slices.DeleteFunc(all, func(p property) bool { return p.Value == "" })
}

// besideOf tells what of a clause stands beside the verdict: each reason once, with its requirements.
func besideOf(clause view.Clause, beside []view.Gap) []property {
	rows := map[string]bool{}
	for _, row := range clause.Rows {
		rows[row.ID] = true
	}
	var all []property
	for _, g := range beside {
		ids := slices.DeleteFunc(slices.Clone(g.IDs), func(id string) bool { return !rows[id] })
		if len(ids) > 0 {
			all = append(all, property{"beside." + string(g.Outcome), g.Reason + " (" + strings.Join(ids, ", ") + ")"})
		}
	}
	return all
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
