package proof

import (
	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Expected are the outcomes that the registry says a defect has.
func Expected(d defects.Defect) map[string]result.Outcome {
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
