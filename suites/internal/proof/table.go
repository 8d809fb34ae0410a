package proof

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/pact-conform/pact-conform/harness/result"
)

// table is the proof as it is printed.
type table struct {
	mu   sync.Mutex
	rows []string
}

// add adds what a run showed.
func (p *table) add(name, falls, blocks string, run *result.Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows = append(p.rows, fmt.Sprintf("%s\t%s\t%s\t%d\t%d", name, falls, blocks, run.Stats.Requests, run.Stats.Turns))
}

// print prints the rows, if there are any.
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
