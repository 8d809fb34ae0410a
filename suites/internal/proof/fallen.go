package proof

import (
	"fmt"
	"slices"
	"sync"

	"github.com/pact-conform/pact-conform/harness/result"
)

// fallen are the cases that fell in some run against a defect.
type fallen struct {
	mu    sync.Mutex
	cases map[string]bool
	runs  int
}

func (f *fallen) take(run *result.Run) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cases == nil {
		f.cases = map[string]bool{}
	}
	f.runs++
	for _, q := range run.Requirements {
		for _, c := range q.Cases {
			if c.Outcome == result.Failed || c.Outcome == result.Warning {
				f.cases[c.Name] = true
			}
		}
	}
}

// print names the cases of must and should rows that fell in none of the runs: a row may well fall by
// another of its cases.
func (f *fallen) print(s *Suite) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.runs == 0 {
		return
	}
	judged := map[string]bool{}
	for _, q := range s.Requirements() {
		judged[q.ID] = q.Level != result.Info
	}
	var never []string
	for _, c := range s.Cases() {
		if judged[c.Requirement] && !f.cases[c.FullName()] {
			never = append(never, c.FullName())
		}
	}
	slices.Sort(never)
	fmt.Printf("\n%d runs against defects; %d cases fell in none of them: %s\n", f.runs, len(never), never)
}
