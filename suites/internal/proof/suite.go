package proof

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Suite is what is proven: a profile with its rows and cases, against correct Providers and broken ones.
type Suite struct {
	Profile      string
	Requirements func() []engine.Requirement
	Cases        func() []*engine.Case
	// Sample is how many of the defects and dialects are run under the race detector, which makes a run
	// several times as slow: one of so many. Without it all are.
	Sample int
	// SideBySide is how many runs go on at once, which mostly wait; RacedSideBySide is how many do under
	// the race detector, where they mostly work.
	SideBySide, RacedSideBySide int

	table  table
	fallen fallen
}

// Main runs the tests of a package and prints what was proven.
func (s *Suite) Main(m *testing.M) {
	flag.Parse()
	parallel := s.SideBySide
	if Raced {
		parallel = s.RacedSideBySide
	}
	if err := flag.Set("test.parallel", fmt.Sprint(parallel)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	s.table.print()
	s.fallen.print(s)
	os.Exit(code)
}

// Sampled reports whether the defect or dialect with that number is run.
func (s *Suite) Sampled(number int) bool { return !Raced || number%s.Sample == 0 }

// Run runs all rows against a target.
func (s *Suite) Run(t testing.TB, target *Target) *result.Run {
	t.Helper()
	return target.Run(t, s.Profile, s.Requirements(), s.Cases())
}

// RunRows runs the rows that which chooses.
func (s *Suite) RunRows(t testing.TB, target *Target, which func(id string) bool) *result.Run {
	t.Helper()
	rows := slices.DeleteFunc(s.Requirements(), func(q engine.Requirement) bool { return !which(q.ID) })
	cases := slices.DeleteFunc(s.Cases(), func(c *engine.Case) bool { return !which(c.Requirement) })
	return target.Run(t, s.Profile, rows, cases)
}

// Correct judges the run against a correct Provider: nothing falls.
func (s *Suite) Correct(t testing.TB, name string, run *result.Run) {
	t.Helper()
	if got := Fallen(run); len(got) > 0 {
		t.Errorf("a correct Provider raised:\n%s", Explain(run, got, nil))
	}
	s.table.add(name, "-", "-", run)
}

// Caught judges the run against a defect: exactly the rows fall that its entry in the registry names,
// of those that are the profile's and that shown says the run can show. A defect that strikes at what
// everything stands on blocks the rest.
func (s *Suite) Caught(t testing.TB, d defects.Defect, run *result.Run, shown func(id string) bool) {
	t.Helper()
	want := Expected(d)
	maps.DeleteFunc(want, func(id string, _ result.Outcome) bool { return !s.belongs(id) || !shown(id) })
	got := Fallen(run)
	if slices.Contains(d.Blocks, defects.Rest) {
		maps.DeleteFunc(got, func(id string, o result.Outcome) bool { return o == result.Blocked && want[id] == "" })
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: %s\n%s", d.Name, d.Text, Explain(run, got, want))
	}
	s.table.add(d.Name, strings.Join(slices.Concat(d.Fails, d.Warns), " "), cmp.Or(strings.Join(d.Blocks, " "), "-"), run)
	s.fallen.take(run)
}

// All shows every row.
func All(string) bool { return true }

func (s *Suite) belongs(id string) bool {
	q, ok := catalog.Find(id)
	return ok && q.Profile == s.Profile
}

// Breaks reports whether a defect breaks a row of the profile.
func (s *Suite) Breaks(d defects.Defect) bool {
	return slices.ContainsFunc(slices.Concat(d.Fails, d.Warns), s.belongs)
}

// EveryRow fails for a must or should row without a case, or without a defect that it catches: it is
// not proven.
func (s *Suite) EveryRow(t testing.TB, all []defects.Defect) {
	t.Helper()
	cased, caught := map[string]bool{}, map[string]bool{}
	for _, c := range s.Cases() {
		cased[c.Requirement] = true
	}
	for _, d := range all {
		for _, id := range d.Fails {
			caught[id] = true
		}
	}
	for _, q := range s.Requirements() {
		if !cased[q.ID] {
			t.Errorf("%s has no case", q.ID)
		}
		if q.Level != result.Info && !caught[q.ID] {
			t.Errorf("%s has no defect that it catches", q.ID)
		}
	}
}
