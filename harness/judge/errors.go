package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// The reasons of A2A errors that PACT names (§6).
const (
	InvalidParams                = "INVALID_PARAMS"
	ContentTypeNotSupported      = "CONTENT_TYPE_NOT_SUPPORTED"
	UnsupportedOperation         = "UNSUPPORTED_OPERATION"
	PushNotificationNotSupported = "PUSH_NOTIFICATION_NOT_SUPPORTED"
	TaskNotFound                 = "TASK_NOT_FOUND"
	Internal                     = "INTERNAL"
	// VersionNotSupported and ExtendedAgentCardNotConfigured are A2A's own (A2A 1.0 §5.4).
	VersionNotSupported            = "VERSION_NOT_SUPPORTED"
	ExtendedAgentCardNotConfigured = "EXTENDED_AGENT_CARD_NOT_CONFIGURED"
)

const (
	mediaA2A  = "application/a2a+json"
	errorInfo = "type.googleapis.com/google.rpc.ErrorInfo"
	domain    = "a2a-protocol.org"
)

// form is how an error with some reason looks: HTTP status and error.status.
type form struct {
	http   int
	status string
}

// forms are the tables of §6 and, for the rest, of A2A 1.0 §5.4.
var forms = map[string]form{
	InvalidParams:                  {400, "INVALID_ARGUMENT"},
	ContentTypeNotSupported:        {400, "INVALID_ARGUMENT"},
	UnsupportedOperation:           {400, "FAILED_PRECONDITION"},
	PushNotificationNotSupported:   {400, "FAILED_PRECONDITION"},
	TaskNotFound:                   {404, "NOT_FOUND"},
	Internal:                       {500, "INTERNAL"},
	VersionNotSupported:            {400, "FAILED_PRECONDITION"},
	ExtendedAgentCardNotConfigured: {400, "FAILED_PRECONDITION"},
	"TASK_NOT_CANCELABLE":          {400, "FAILED_PRECONDITION"},
	"EXTENSION_SUPPORT_REQUIRED":   {400, "FAILED_PRECONDITION"},
	"INVALID_AGENT_RESPONSE":       {500, "INTERNAL"},
}

// a2aError is the body of an A2A error, read leniently: each rule about it has a judge of its own.
type a2aError struct{ members map[string]any }

// errorOf reads the A2A error of an answer: a JSON object with an object "error".
func errorOf(x *result.Exchange) (a2aError, bool) {
	if x.Response == nil || x.Response.Status < 400 {
		return a2aError{}, false
	}
	members, ok := object(x)["error"].(map[string]any)
	return a2aError{members}, ok
}

// reason is that of the first detail that has one. Whether it stands where it must is for HaveErrorInfo.
func (e a2aError) reason() string {
	details, _ := e.members["details"].([]any)
	for _, detail := range details {
		info, _ := detail.(map[string]any)
		if reason, ok := info["reason"].(string); ok {
			return reason
		}
	}
	return ""
}

// IsA2AError reports whether an answer is an A2A error, right or wrong in its form. A 401, a 429
// and what is no operation are none (§6), and have judges of their own; 413 and 431 are HTTP's. Other
// 404s, 405s and 5xx may come from whoever stands before the Provider: they count by their body.
func IsA2AError(x *result.Exchange) bool {
	if x.Response == nil || x.Tags.Expect == result.ExpectNoRoute {
		return false
	}
	switch status := x.Response.Status; {
	case status < 400, status == http.StatusUnauthorized, status == http.StatusTooManyRequests,
		status == http.StatusRequestEntityTooLarge, status == http.StatusRequestHeaderFieldsTooLarge:
		return false
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status >= 500:
		return hasA2ABody(x)
	}
	_, ok := errorOf(x)
	return ok || hasA2ABody(x)
}

// BeA2AError passes an A2A error with one of the reasons, under the HTTP status that goes with it (§6).
func BeA2AError(reasons ...string) Judge { return BeA2AErrorOrWarn(reasons, nil) }

// BeA2AErrorOrWarn is BeA2AError, and a warning where the reason is one of tolerated.
func BeA2AErrorOrWarn(reasons, tolerated []string) Judge {
	return beA2AError(reasonArgs{Reasons: reasons, Tolerated: tolerated})
}

type reasonArgs struct {
	Reasons   []string `json:"reasons"`
	Tolerated []string `json:"tolerated,omitempty"`
}

var beA2AError = define("BeA2AError", func(a reasonArgs, xs []*result.Exchange) Finding {
	expected := wantedErrors(a.Reasons)
	worst := passed(expected)
	for _, x := range xs {
		e, ok := errorOf(x)
		reason := e.reason()
		right := ok && x.Response.Status == forms[reason].http
		switch {
		case right && slices.Contains(a.Reasons, reason):
		case right && slices.Contains(a.Tolerated, reason):
			worst = warned(expected, "%s", Answered(x))
		default:
			return failed(expected, "%s", Answered(x))
		}
	}
	return worst
})

func wantedErrors(reasons []string) string {
	wanted := make([]string, len(reasons))
	for i, reason := range reasons {
		wanted[i] = fmt.Sprintf("%s (%d)", reason, forms[reason].http)
	}
	return "the A2A error " + strings.Join(wanted, " or ")
}

// HaveErrorCode passes A2A errors whose error.code repeats the HTTP status, as a number (§6).
func HaveErrorCode() Judge { return haveErrorCode(none{}) }

var haveErrorCode = define("HaveErrorCode", eachError("error.code repeats the HTTP status, as a number", func(x *result.Exchange, e a2aError) string {
	if code, ok := e.members["code"].(float64); !ok || code != float64(x.Response.Status) {
		return fmt.Sprintf("error.code %s under HTTP status %d", show(e.members["code"]), x.Response.Status)
	}
	return ""
}))

// HaveErrorStatus passes A2A errors whose error.status is the one listed for the reason (§6, A2A 1.0 §5.4).
func HaveErrorStatus() Judge { return haveErrorStatus(none{}) }

var haveErrorStatus = define("HaveErrorStatus", eachError("error.status is the one listed for the reason", func(_ *result.Exchange, e a2aError) string {
	reason := e.reason()
	form, known := forms[reason]
	switch status, ok := e.members["status"].(string); {
	case known && status != form.status:
		return fmt.Sprintf("error.status %s for %s, where %s is listed", show(e.members["status"]), reason, form.status)
	case !ok:
		return fmt.Sprintf("error.status %s", show(e.members["status"]))
	}
	return ""
}))

// HaveErrorHTTPStatus passes A2A errors whose HTTP status is the one listed for the reason (§6, A2A 1.0 §5.4).
func HaveErrorHTTPStatus() Judge { return haveErrorHTTPStatus(none{}) }

var haveErrorHTTPStatus = define("HaveErrorHTTPStatus", eachError("the HTTP status is the one listed for the reason", func(x *result.Exchange, e a2aError) string {
	reason := e.reason()
	if form, known := forms[reason]; known && x.Response.Status != form.http {
		return fmt.Sprintf("HTTP status %d for %s, where %d is listed", x.Response.Status, reason, form.http)
	}
	return ""
}))

// HaveErrorInfo passes A2A errors whose first detail is a google.rpc.ErrorInfo with reason and domain (§6).
func HaveErrorInfo() Judge { return haveErrorInfo(none{}) }

var haveErrorInfo = define("HaveErrorInfo", eachError("error.details[0] is a "+errorInfo+" with a reason and the domain "+domain, func(_ *result.Exchange, e a2aError) string {
	details, _ := e.members["details"].([]any)
	if len(details) == 0 {
		return "error.details " + show(e.members["details"])
	}
	first, ok := details[0].(map[string]any)
	if !ok {
		return "error.details[0] " + show(details[0])
	}
	reason, _ := first["reason"].(string)
	switch {
	case first["@type"] != errorInfo:
		return "@type " + show(first["@type"])
	case reason == "":
		return "reason " + show(first["reason"])
	case first["domain"] != domain:
		return "domain " + show(first["domain"])
	}
	return ""
}))

// HaveErrorMessage passes A2A errors whose error.message is a text (A2A 1.0 §3.3.2).
func HaveErrorMessage() Judge { return haveErrorMessage(none{}) }

var haveErrorMessage = define("HaveErrorMessage", eachError("error.message is a non-empty text", func(_ *result.Exchange, e a2aError) string {
	if message, ok := e.members["message"].(string); !ok || strings.TrimSpace(message) == "" {
		return "error.message " + show(e.members["message"])
	}
	return ""
}))

// eachError judges every answer as an A2A error; say returns what falls short, or nothing.
func eachError(expected string, say func(*result.Exchange, a2aError) string) func(none, []*result.Exchange) Finding {
	return func(_ none, xs []*result.Exchange) Finding {
		for _, x := range xs {
			e, _ := errorOf(x)
			if short := say(x, e); short != "" {
				return failed(expected, "%s (%s)", short, x.ID)
			}
		}
		return passed(expected)
	}
}

// internals are traces of a program in a text meant for others: stack frames, source paths, SQL.
// /home and /app may be paths of a site: there it takes the name of a source file.
var internals = regexp.MustCompile(`(?m)^\s+at [\w.$<>]+\(|Traceback \(most recent call last\)|goroutine \d+ \[|^panic: |\bfile:///\w|\bat (?:async )?[\w.$<>]+ \(?(?:file://)?/\S+:\d+|` +
	`(?:^|[\s"'(=])(?:/(?:usr|var|srv|opt|root)/[\w./-]+|/(?:home|app|src|workspace)/[\w./-]*\w\.(?:\w+:\d+|[cm]?[jt]sx?|py|go|rb|php|java|kt|cs)\b|[A-Za-z]:\\[\w\\.-]+\\[\w.-]+)|` +
	`\b(?:SELECT\b.+\bFROM|INSERT INTO|UPDATE\b.+\bSET|DELETE FROM)\b|SQLSTATE|\b\w+Exception: |ORA-\d{5}`)

// ShowNoInternals passes answers without stack traces, file paths or SQL.
func ShowNoInternals() Judge { return showNoInternals(none{}) }

var showNoInternals = define("ShowNoInternals", func(_ none, xs []*result.Exchange) Finding {
	const expected = "no stack trace, file path or SQL"
	for _, x := range xs {
		text := x.Response.Body
		var decoded any
		if json.Unmarshal([]byte(text), &decoded) == nil {
			text = strings.Join(texts(decoded, nil), "\n")
		}
		if found := internals.FindString(text); found != "" {
			return failed(expected, "%q (%s)", strings.TrimSpace(found), x.ID)
		}
	}
	return passed(expected)
})

// HaveRetryAfter passes answers with a Retry-After of seconds or a date (RFC 9110 §10.2.3).
func HaveRetryAfter() Judge { return haveRetryAfter(none{}) }

var (
	delaySeconds   = regexp.MustCompile(`^\d+$`)
	haveRetryAfter = define("HaveRetryAfter", func(_ none, xs []*result.Exchange) Finding {
		const expected = "Retry-After with seconds or a date"
		for _, x := range xs {
			value := x.Response.Header.Get("Retry-After")
			if _, err := http.ParseTime(value); err != nil && !delaySeconds.MatchString(value) {
				return failed(expected, "Retry-After %q (%s)", value, x.ID)
			}
		}
		return passed(expected)
	})
)

// BeInternalErrors judges 5xx answers of operations: a Provider failure is the A2A error INTERNAL
// under 500 (§6). One of another form fails where it recurred on the second look, else it warns.
func BeInternalErrors() Judge { return beInternalErrors(none{}) }

var beInternalErrors = define("BeInternalErrors", func(_ none, xs []*result.Exchange) Finding {
	const expected = "the A2A error INTERNAL (500) for a failure of the Provider"
	worst := passed(expected)
	for _, x := range xs {
		e, ok := errorOf(x)
		if ok && x.Response.Status == http.StatusInternalServerError && e.reason() == Internal {
			continue
		}
		if x.Tags.SecondLook {
			return failed(expected, "%s to %s, again when asked alone (%s)", Answered(x), x.Tags.Operation, x.ID)
		}
		worst = warned(expected, "%s to %s, once (%s)", Answered(x), x.Tags.Operation, x.ID)
	}
	return worst
})
