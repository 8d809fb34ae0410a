package judge

import (
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// HaveFetchedAtMost passes exchanges among which the Provider fetched a document, tagged with the
// operation, no more often than that.
func HaveFetchedAtMost(operation string, most int) Judge {
	return haveFetchedAtMost(fetchArgs{Operation: operation, Most: most})
}

type fetchArgs struct {
	Operation string `json:"operation"`
	Most      int    `json:"most"`
}

var haveFetchedAtMost = silent(define("HaveFetchedAtMost", func(a fetchArgs, xs []*result.Exchange) Finding {
	expected := "no " + a.Operation
	if a.Most > 0 {
		expected = fmt.Sprintf("at most %d × %s", a.Most, a.Operation)
	}
	count, sent, at := 0, 0, ""
	for _, x := range xs {
		switch {
		case !x.Tags.Inbound && (x.Response == nil || x.Error != ""):
			return unanswered(x)
		case !x.Tags.Inbound:
			sent++
		case strings.HasPrefix(x.Tags.Operation, a.Operation):
			count++
			at = x.Request.URL
		}
	}
	if count > a.Most {
		return failed(expected, "%d beside %d requests, the last of %s", count, sent, at)
	}
	return passed(expected)
}))
