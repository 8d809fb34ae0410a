package judge

import (
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// BeAnsweredOnce judges equal requests that were sent at once, and the repeats after them: there is
// one reply, and whoever did not get it got INVALID_PARAMS. The last exchange is the repeat, which
// gets the reply (§4.3).
func BeAnsweredOnce() Judge { return beAnsweredOnce(none{}) }

var beAnsweredOnce = define("BeAnsweredOnce", func(_ none, xs []*result.Exchange) Finding {
	const expected = "one reply; INVALID_PARAMS or the same reply for the other, and the same reply afterwards"
	var first *result.Exchange
	for _, x := range xs {
		switch {
		case IsReply(x) && first == nil:
			first = x
		case IsReply(x):
			if difference := differ(first, x); difference != "" {
				return failed(expected, "%s (%s, %s)", difference, first.ID, x.ID)
			}
		case !isInvalidParams(x):
			return failed(expected, "%s (%s)", Answered(x), x.ID)
		}
	}
	last := xs[len(xs)-1]
	switch {
	case first == nil:
		return failed(expected, "no reply at all")
	case !IsReply(last):
		return failed(expected, "%s to the repeat (%s)", Answered(last), last.ID)
	}
	return passed(expected)
})

func isInvalidParams(x *result.Exchange) bool {
	e, ok := errorOf(x)
	return ok && x.Response.Status == http.StatusBadRequest && e.reason() == InvalidParams
}

// BeServedSideBySide judges different messages that were sent to one conversation at once: each has
// a reply of its own, or an A2A error that is none of the Provider's failures.
func BeServedSideBySide() Judge { return beServedSideBySide(none{}) }

var beServedSideBySide = define("BeServedSideBySide", func(_ none, xs []*result.Exchange) Finding {
	const expected = "a reply of its own for each, or an A2A error for one"
	seen := map[string]string{}
	for _, x := range xs {
		id, _ := reply(x)["messageId"].(string)
		earlier, known := seen[id]
		switch {
		case IsReply(x) && known && id != "":
			return failed(expected, "the same reply for two messages (%s, %s)", earlier, x.ID)
		case IsReply(x):
			seen[id] = x.ID
		case x.Response.Status >= 500 || !IsA2AError(x):
			return failed(expected, "%s (%s)", Answered(x), x.ID)
		}
	}
	if len(seen) == 0 {
		return failed(expected, "no reply at all")
	}
	return passed(expected)
})

// BeAnsweredAlike passes errors that cannot be told apart: status, reason and text, with the ids
// that the request named masked (§4.2: without saying whether the context exists for someone else).
func BeAnsweredAlike() Judge { return beAnsweredAlike(none{}) }

var beAnsweredAlike = define("BeAnsweredAlike", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the same status, envelope and text"
	first := withoutIDs(xs[0])
	for _, x := range xs[1:] {
		if text := withoutIDs(x); text != first {
			return failed(expected, "%s (%s), and %s (%s)", shorten(first), xs[0].ID, shorten(text), x.ID)
		}
	}
	return passed(expected)
})

func withoutIDs(x *result.Exchange) string {
	text := Answered(x) + " " + whole(object(x)["error"])
	if e, ok := errorOf(x); ok {
		text = Answered(x)
		for _, name := range []string{"code", "status", "message", "details"} {
			text += " " + name + " " + whole(e.members[name])
		}
	}
	for _, name := range []string{"contextId", "messageId"} {
		if id, _ := sent(x)[name].(string); id != "" {
			text = strings.ReplaceAll(text, id, "#")
		}
	}
	return varying.ReplaceAllString(text, "#")
}

// BeAnswered passes any answer but a failure of the Provider: a 200, a 413 or an A2A error, and no
// cut connection.
func BeAnswered() Judge { return beAnswered(none{}) }

var beAnswered = silent(define("BeAnswered", func(_ none, xs []*result.Exchange) Finding {
	const expected = "200, 413 or an A2A error"
	for _, x := range xs {
		switch {
		case x.Response == nil || x.Error != "":
			return failed(expected, "%s (%s)", x.Error, x.ID)
		case x.Response.Status == http.StatusOK, x.Response.Status == http.StatusRequestEntityTooLarge:
		case x.Response.Status >= 500 || !IsA2AError(x):
			return failed(expected, "%s (%s)", Answered(x), x.ID)
		}
	}
	return passed(expected)
}))
