package browser

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// record is a request as it was seen, raw. It is guarded by the session's mutex.
type record struct {
	id     network.RequestID
	tab    *tab
	frame  cdp.FrameID
	loader cdp.LoaderID
	kind   network.ResourceType
	method string
	url    string
	// from is the URL of the document that made the request, as far as it is known.
	from   string
	header http.Header
	body   []byte
	// prompted is set where the User did something on the page before, beats where a script makes the
	// same request again and again, aside where it brings a document that the User does not wait for.
	prompted, beats, aside bool
	// before is the request whose answer redirected to this one; nil for one that a document made.
	before  *record
	started time.Time
	// headed is when the head of the answer came.
	headed time.Time

	ended          time.Time
	status         int
	responseHeader http.Header
	mime           string
	failed         string
}

func (r *record) document() bool { return r.kind == network.ResourceTypeDocument }
func (r *record) done() bool     { return !r.ended.IsZero() }

// scripted reports whether a script of the page made the request.
func (r *record) scripted() bool {
	return r.kind == network.ResourceTypeXHR || r.kind == network.ResourceTypeFetch
}

// onRequest records a request that is about to be sent. A redirect comes as another one with the
// same id, which carries the answer to the one before.
func (t *tab) onRequest(ev *network.EventRequestWillBeSent) {
	s := t.session
	r := &record{
		id: ev.RequestID, tab: t, frame: ev.FrameID, loader: ev.LoaderID, kind: ev.Type,
		method: ev.Request.Method, url: ev.Request.URL + ev.Request.URLFragment,
		header: headerOf(ev.Request.Headers), body: bodyOf(ev.Request), started: time.Now(),
	}
	r.from = firstOf(t.initiator(ev.FrameID, r.header, r.kind), ev.DocumentURL)
	if r.document() && r.header.Get("Referer") == "" && r.header.Get("Origin") == "" && ev.Initiator != nil && ev.Initiator.Type == network.InitiatorTypeOther {
		r.from = "" // opened by its URL
	}
	if before := s.active[ev.RequestID]; before != nil && ev.RedirectResponse != nil {
		before.answered(ev.RedirectResponse)
		before.ended = r.started
		r.before, r.from = before, before.from
	}
	r.prompted, r.beats = s.prompted, s.isBeat(r)
	r.aside = !t.minds(r.frame)
	s.active[ev.RequestID] = r
	s.records = append(s.records, r)
	if p := s.unrecorded[ev.RequestID]; p != nil {
		delete(s.unrecorded, ev.RequestID)
		p.record = r
		p.note()
	}
	if r.counts(time.Now()) {
		s.stir()
	}
}

// minds reports whether the User waits for a document that comes into a frame: into the session's own
// page, a window that opened because of what the User did, or where the User did something last.
func (t *tab) minds(frame cdp.FrameID) bool {
	s := t.session
	shown, known := t.frames[frame]
	whole := known && shown.parent == ""
	return frame == s.atFrame || whole && (t == s.main || t == s.at || t.asked)
}

// initiator is the URL of the document behind a request. The Origin header tells it best: a frame may
// send the whole page elsewhere.
func (t *tab) initiator(frame cdp.FrameID, header http.Header, kind network.ResourceType) string {
	current, referrer, origin := t.frames[frame].url, header.Get("Referer"), header.Get("Origin")
	switch {
	case origin != "" && origin != "null" && origin != originOf(current):
		if originOf(referrer) == origin {
			return referrer
		}
		return origin + "/"
	case kind == network.ResourceTypeDocument && referrer != "" && originOf(referrer) != originOf(current):
		return referrer
	}
	return current
}

func (r *record) answered(response *network.Response) {
	r.status, r.headed = int(response.Status), time.Now()
	r.responseHeader = headerOf(response.Headers)
	r.mime = response.MimeType
}

func (s *Session) onResponse(id network.RequestID, response *network.Response) {
	if r := s.active[id]; r != nil && response != nil {
		r.answered(response)
		if r.counts(time.Now()) {
			s.stir()
		}
	}
}

// onEnd notes that nothing more comes of a request. The session's mutex is held.
func (s *Session) onEnd(id network.RequestID, failed string) {
	if r := s.active[id]; r != nil {
		r.ended, r.failed = time.Now(), failed
		delete(s.active, id)
		if r.counts(r.started) {
			s.stir()
		}
	}
}

// How long a request keeps a page from being settled where the page can do without it: patience for
// what a script fetches, which may wait for news for ever; longPatience for what a script sends by
// itself, for a frame or a window beside the page, and for what a page loads while it shows already.
const (
	patience     = 3 * time.Second
	longPatience = 5 * time.Second
	// headPatience is for the rest of an answer to a script: one whose body nobody reads never ends.
	headPatience = time.Second
)

// counts reports whether the page is busy while the request runs. What brings a page that the User
// waits for, and what a script sends because of what the User did, counts as long as it takes.
func (r *record) counts(now time.Time) bool {
	running := now.Sub(r.started)
	if r.tab.gone {
		return false
	}
	switch r.kind {
	case network.ResourceTypeDocument:
		return !r.aside || running < longPatience
	case network.ResourceTypeScript, network.ResourceTypeStylesheet:
		return running < longPatience
	case network.ResourceTypeXHR, network.ResourceTypeFetch:
		switch {
		case !r.headed.IsZero() && now.Sub(r.headed) > headPatience:
			return false
		case r.beats:
			return false
		case r.method == http.MethodGet:
			return running < patience
		}
		return r.prompted || running < longPatience
	}
	return false
}

// beat is how many times the scripts of a document make the same request, without an act of the User
// between, before it counts as one that goes on for ever.
const beat = 3

// isBeat counts the request and reports whether it is one of those that scripts make again and again.
// The session's mutex is held.
func (s *Session) isBeat(r *record) bool {
	if !r.scripted() {
		return false
	}
	same := strings.Join([]string{string(r.loader), r.method, withoutQuery(r.url)}, " ")
	s.made[same]++
	return s.made[same] >= beat
}

func headerOf(headers network.Headers) http.Header {
	all := http.Header{}
	for name, value := range headers {
		if text, ok := value.(string); ok {
			for line := range strings.SplitSeq(text, "\n") {
				all.Add(name, line)
			}
		}
	}
	return all
}

func bodyOf(request *network.Request) []byte {
	var body []byte
	for _, entry := range request.PostDataEntries {
		body = append(body, entry.Bytes...)
	}
	return body
}

// originOf is scheme, host and port of a URL as browsers write an origin; empty for a URL without.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else {
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}
