package browser

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/network"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Request is a request that the session made, masked.
type Request struct {
	Method, URL string
	// Origin is where it went, From the origin of the document that made it; empty when unknown.
	Origin, From string
	// Type is what Chromium made it for: Document, XHR, Fetch, Script, Image, …
	Type string
	// Redirected is set when a redirect made it.
	Redirected bool
	Header     http.Header
	Body       string
	// Fields are the members of a form's or a JSON body.
	Fields  []Field
	Started time.Time
	// Duration is until the last byte of the answer; 0 while it runs.
	Duration time.Duration
	// Status is 0 when there was no answer; Failed says why then.
	Status         int
	ResponseHeader http.Header
	MediaType      string
	Failed         string

	draft Draft
}

// Draft is the request as it can be sent again, unmasked.
func (r *Request) Draft() Draft { return r.draft }

// Exchange is the request as a run keeps its exchanges; tags and id are for the caller to give.
func (r *Request) Exchange() result.Exchange {
	x := result.Exchange{
		Started: r.Started, Duration: r.Duration.Seconds(), Error: r.Failed,
		Request: result.Request{Method: r.Method, URL: r.URL, Header: r.Header, Body: r.Body, BodyBytes: len(r.draft.Body)},
	}
	if r.Status != 0 {
		x.Response = &result.Response{Status: r.Status, Header: r.ResponseHeader}
	}
	return x
}

// Field is a member of a request's body. In JSON the name is its path: decision.scopes.0.
type Field struct{ Name, Value string }

// Requests are all requests of the session so far, in order, masked.
func (s *Session) Requests() []Request {
	s.mu.Lock()
	records := make([]*record, len(s.records))
	for i, r := range s.records {
		copied := *r
		records[i] = &copied
	}
	s.mu.Unlock()
	all := make([]Request, len(records))
	for i, r := range records {
		all[i] = *s.requestOf(r)
	}
	return all
}

// requestOf makes the public view of a record, which must be a copy or at rest.
func (s *Session) requestOf(r *record) *Request {
	q := &Request{
		Method: r.method, URL: s.mask(r.url), Origin: originOf(r.url), From: originOf(r.from), Type: string(r.kind),
		Redirected: r.before != nil, Header: s.maskHeader(r.header), Body: s.mask(printable(r.body)), Started: r.started,
		Status: r.status, ResponseHeader: s.maskHeader(r.responseHeader), MediaType: r.mime, Failed: s.mask(r.failed),
		draft: r.draft(),
	}
	if r.done() {
		q.Duration = r.ended.Sub(r.started)
	}
	for _, f := range q.draft.Fields() {
		q.Fields = append(q.Fields, s.maskField(f))
	}
	return q
}

// maskField masks a value by itself and by the name it is sent under.
func (s *Session) maskField(f Field) Field {
	value := s.mask(f.Value)
	if !strings.ContainsAny(value, "&= ") {
		if pair := s.mask(f.Name + "=" + value); strings.HasPrefix(pair, f.Name+"=") {
			value = strings.TrimPrefix(pair, f.Name+"=")
		}
	}
	return Field{s.mask(f.Name), value}
}

func (s *Session) maskHeader(header http.Header) http.Header {
	masked := make(http.Header, len(header))
	for name, values := range header {
		for _, value := range values {
			if slices.Contains([]string{"Cookie", "Set-Cookie", "Authorization", "Proxy-Authorization"}, name) {
				value = "[masked]"
			}
			masked[name] = append(masked[name], s.mask(value))
		}
	}
	return masked
}

func printable(body []byte) string {
	if utf8.Valid(body) {
		return string(body)
	}
	return strconv.Itoa(len(body)) + " bytes that are no text"
}

// formsOf are the ways in which a secret stands in a request.
func formsOf(secret string) []string {
	quoted, _ := json.Marshal(secret)
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), url.QueryEscape(url.QueryEscape(secret)), strings.Trim(string(quoted), `"`)}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(forms)
}

var (
	decisionWords = regexp.MustCompile(`(?i)approv|allow|accept|authori|consent|grant|deny|denied|decline|reject|cancel|decision|confirm|scope|user_?code|action`)
	newsWords     = regexp.MustCompile(`(?i)analytic|telemetry|metrics|collect|beacon|track|/events?\b|/logs?\b`)
)

// sureDecision is the score of a request that carries something, in the way that a decision does.
const sureDecision = 20

// decisionScore says how well a request could be the one that carries a decision made on a document.
// A GET counts only as a way to another document: a link that denies. What a script sends again and
// again is none.
func decisionScore(r *record, document *sight, scopes []Scope) int {
	if !r.document() && !r.scripted() || r.beats || r.before != nil || r.method == http.MethodOptions || originOf(r.from) != document.Origin {
		return 0
	}
	score := 0
	switch {
	case r.method != http.MethodGet:
		score = 20
	case !r.document():
		return 0
	}
	if r.document() {
		score += 5
	}
	body := string(r.body)
	if mentions(decoded(body), scopes) > 0 {
		score += 20
	}
	if decisionWords.MatchString(body) {
		score += 10
	}
	if decisionWords.MatchString(withoutQuery(r.url)) {
		score += 5
	}
	if newsWords.MatchString(withoutQuery(r.url)) {
		score -= 15
	}
	return score
}

// decoded undoes the encoding of a form, for a look at what it says.
func decoded(body string) string {
	if plain, err := url.QueryUnescape(body); err == nil {
		return plain
	}
	return body
}

// decisionSince is the request since mark that best fits a decision on the document; nil for none.
// The session's mutex is held.
func (s *Session) decisionSince(mark int, document *sight) *record {
	var best *record
	highest := 0
	for _, r := range s.records[min(mark, len(s.records)):] {
		if score := decisionScore(r, document, s.options.Scopes); score > highest {
			best, highest = r, score
		}
	}
	return best
}

// draft is the record as it can be sent again.
func (r *record) draft() Draft {
	return Draft{
		Method: r.method, URL: r.url, Origin: originOf(r.from), Header: sendable(r.header), Body: slices.Clone(r.body),
		Navigation: r.document() || r.kind == network.ResourceTypeOther && !r.scripted(),
	}
}

func mediaType(header http.Header) string {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return strings.ToLower(strings.TrimSpace(header.Get("Content-Type")))
	}
	return media
}
