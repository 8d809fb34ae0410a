package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pact-conform/pact-conform/harness/result"
)

// object is the body of the answer as a JSON object; nil when it is none.
func object(x *result.Exchange) map[string]any {
	if x.Response == nil {
		return nil
	}
	var members map[string]any
	if json.Unmarshal([]byte(x.Response.Body), &members) != nil {
		return nil
	}
	return members
}

// texts are all strings inside a JSON value, members in the order of their names.
func texts(value any, found []string) []string {
	switch v := value.(type) {
	case string:
		return append(found, v)
	case []any:
		for _, element := range v {
			found = texts(element, found)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			found = texts(v[name], found)
		}
	}
	return found
}

// show is a JSON value in one line, cut where it is long; what is not there is "missing".
func show(value any) string { return shorten(whole(value)) }

// whole is show without the cut.
func whole(value any) string {
	if value == nil {
		return "missing"
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}

// hasA2ADetails reports whether the body is a JSON object with an error that has A2A details: of
// A2A's domain, or an ErrorInfo of none, or with one of A2A's reasons.
func hasA2ADetails(x *result.Exchange) bool {
	e, _ := object(x)["error"].(map[string]any)
	details, _ := e["details"].([]any)
	for _, detail := range details {
		info, _ := detail.(map[string]any)
		reason, _ := info["reason"].(string)
		_, known := forms[reason]
		if info["domain"] == domain || info["domain"] == nil && (info["@type"] == errorInfo || known) {
			return true
		}
	}
	return false
}

// hasA2ABody reports whether there is a body and it is A2A's.
func hasA2ABody(x *result.Exchange) bool {
	return x.Response.Body != "" && (x.Response.MediaType() == mediaA2A || hasA2ADetails(x))
}

// HaveNoA2ABody passes answers without an A2A body: not application/a2a+json, and no JSON object
// with an error that has A2A details. An empty body always passes.
func HaveNoA2ABody() Judge { return haveNoA2ABody(none{}) }

var haveNoA2ABody = define("HaveNoA2ABody", func(_ none, xs []*result.Exchange) Finding {
	const expected = "no A2A body"
	for _, x := range xs {
		switch {
		case !hasA2ABody(x):
		case x.Response.MediaType() == mediaA2A:
			return failed(expected, "%d with a body of type %s (%s)", x.Response.Status, mediaA2A, x.ID)
		default:
			return failed(expected, "%d with an error that has A2A details (%s)", x.Response.Status, x.ID)
		}
	}
	return passed(expected)
})

// HaveA2AMediaType passes answers of the media type application/a2a+json, whatever its parameters (§2).
func HaveA2AMediaType() Judge { return haveA2AMediaType(none{}) }

var haveA2AMediaType = define("HaveA2AMediaType", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the media type " + mediaA2A
	for _, x := range xs {
		if media := x.Response.MediaType(); media != mediaA2A {
			return failed(expected, "%q on a %d of %s (%s)", media, x.Response.Status, x.Tags.Operation, x.ID)
		}
	}
	return passed(expected)
})
