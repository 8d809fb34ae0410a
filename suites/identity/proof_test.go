package identity_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/fixtures/dialects"
	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
	"github.com/pact-conform/pact-conform/suites/identity"
)

// Runs mostly wait, so that many go side by side.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	proven.print()
	os.Exit(code)
}

// thinking is how long the embedded agent thinks, so that what is sent at once is under way at once.
const thinking = 100 * time.Millisecond

// Keys outlive a run, so that only a fetch for an unknown kid brings a new one about. The row about
// withdrawn keys needs them to run out, and waits for it: it is run where it is to fall, and once
// where nothing is.
const (
	longLife, shortLife = time.Hour, 3 * time.Second
	rotationWait        = 7 * time.Second
	withdrawalWait      = 6 * time.Second
	withdrawal          = "PACT-3.1-03"
)

// expiry is the row that waits until a token has expired, which no other row waits for.
const expiry = "PACT-3.2-35"

// TestCorrectProvidersRaiseNothing runs the profile against the clean Provider and every dialect.
func TestCorrectProvidersRaiseNothing(t *testing.T) {
	correct(t, "clean", func(*provider.Options) {})
	for _, d := range dialects.All() {
		correct(t, d.Name, d.Apply)
	}
}

func correct(t *testing.T, name string, apply func(*provider.Options)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		run := prove(t, nil, apply)
		if got := fallen(run); len(got) > 0 {
			t.Errorf("a correct Provider raised:\n%s", explain(run, got, nil))
		}
		proven.add(name, "-", "-", run)
	})
}

// TestEveryDefectIsCaught runs the profile against every defect: exactly the rows fall that its
// entry in the registry names. A defect that strikes at what everything stands on blocks the rest.
func TestEveryDefectIsCaught(t *testing.T) {
	for _, d := range seeded() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			want := expected(d)
			run := prove(t, want, func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) })
			got := fallen(run)
			if slices.Contains(d.Blocks, defects.Rest) {
				maps.DeleteFunc(got, func(id string, o result.Outcome) bool { return o == result.Blocked && want[id] == "" })
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s: %s\n%s", d.Name, d.Text, explain(run, got, want))
			}
			proven.add(d.Name, strings.Join(slices.Concat(d.Fails, d.Warns), " "), cmp.Or(strings.Join(d.Blocks, " "), "-"), run)
		})
	}
}

// TestEveryRowHasCasesAndADefect: a must or should row without a case, or without a defect, is not
// proven.
func TestEveryRowHasCasesAndADefect(t *testing.T) {
	cased, caught := map[string]bool{}, map[string]bool{}
	for _, c := range identity.Cases() {
		cased[c.Requirement] = true
	}
	for _, d := range defects.All() {
		for _, id := range d.Fails {
			caught[id] = true
		}
	}
	for _, q := range identity.Requirements() {
		if !cased[q.ID] {
			t.Errorf("%s has no case", q.ID)
		}
		if q.Level != result.Info && !caught[q.ID] {
			t.Errorf("%s has no defect that it catches", q.ID)
		}
	}
}

// seeded are the defects of the profile. The race detector makes a run several times as slow: under
// it, as many are run as it takes for every row to fall once.
func seeded() []defects.Defect {
	var chosen []defects.Defect
	fallen := map[string]bool{}
	for _, d := range defects.All() {
		falls := slices.Concat(d.Fails, d.Warns)
		fresh := func(id string) bool { return isIdentity(id) && !(raced && fallen[id]) }
		if !slices.ContainsFunc(falls, fresh) {
			continue
		}
		chosen = append(chosen, d)
		for _, id := range falls {
			fallen[id] = true
		}
	}
	return chosen
}

func isIdentity(id string) bool {
	q, ok := catalog.Find(id)
	return ok && q.Profile == identity.Profile
}

// expected are the outcomes that the registry says a defect has.
func expected(d defects.Defect) map[string]result.Outcome {
	want := map[string]result.Outcome{}
	for _, id := range d.Fails {
		want[id] = result.Failed
		if q, _ := catalog.Find(id); q.Level == result.Should {
			want[id] = result.Warning
		}
	}
	for _, id := range d.Warns {
		want[id] = result.Warning
	}
	for _, id := range d.Blocks {
		if id != defects.Rest {
			want[id] = result.Blocked
		}
	}
	return want
}

// prove runs the profile against a changed Provider.
func prove(t *testing.T, want map[string]result.Outcome, apply func(*provider.Options)) *result.Run {
	life, wait := longLife, rotationWait
	if _, withdraws := want[withdrawal]; withdraws {
		life, wait = shortLife, rotationWait+withdrawalWait
	}
	if _, expires := want[expiry]; expires {
		life, wait = shortLife, time.Minute
	}
	target := newTarget(t, func(o *provider.Options) {
		o.AgentLatency, o.KeyTTL, o.KeyRefetch = thinking, life, -1
		apply(o)
	})
	target.setup.Limits.MaxWait = wait
	return target.certify(t)
}

// fallen are the rows that did not come out well, but for what --max-wait leaves out.
func fallen(run *result.Run) map[string]result.Outcome {
	rows := map[string]result.Outcome{}
	for _, q := range run.Requirements {
		switch q.Outcome {
		case result.Passed, result.Observed, result.NotApplicable:
		case result.NotRun:
			if q.Beside == "" {
				rows[q.ID] = q.Outcome
			}
		default:
			rows[q.ID] = q.Outcome
		}
	}
	return rows
}

// explain shows where expected and actual differ, with the case that decided.
func explain(run *result.Run, got, want map[string]result.Outcome) string {
	var b strings.Builder
	for _, q := range run.Requirements {
		if got[q.ID] == want[q.ID] {
			continue
		}
		fmt.Fprintf(&b, "  %s is %s, expected %s\n", q.ID, q.Outcome, cmp.Or(want[q.ID], "nothing"))
		for _, c := range q.Cases {
			if c.Outcome == q.Outcome {
				fmt.Fprintf(&b, "    %s: %s expected %q got %q\n", c.Name, c.Reason, c.Expected, c.Got)
				break
			}
		}
	}
	return b.String()
}

// table is the proof as it is printed.
type table struct {
	mu   sync.Mutex
	rows []string
}

var proven table

func (p *table) add(name, falls, blocks string, run *result.Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows = append(p.rows, fmt.Sprintf("%s\t%s\t%s\t%d\t%d", name, falls, blocks, run.Stats.Requests, run.Stats.Turns))
}

func (p *table) print() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rows) == 0 {
		return
	}
	slices.Sort(p.rows)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "provider\tfalls\tblocked\trequests\tturns")
	fmt.Fprintln(w, strings.Join(p.rows, "\n"))
	_ = w.Flush()
}
