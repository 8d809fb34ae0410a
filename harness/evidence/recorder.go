package evidence

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pact-conform/pact-conform/harness/result"
)

// MaxBody is the most of a request's body that is kept, in bytes. Answers are kept whole: the
// client bounds them, and judges read them.
const MaxBody = 64 << 10

// Recorder keeps the exchanges of a run in the order in which they ended.
type Recorder struct {
	masker *Masker

	mu        sync.Mutex
	exchanges []*result.Exchange
	judged    map[*result.Exchange]*result.Exchange
	replies   map[string]bool
}

// NewRecorder records through the masker.
func NewRecorder(masker *Masker) *Recorder {
	return &Recorder{masker: masker, replies: map[string]bool{}, judged: map[*result.Exchange]*result.Exchange{}}
}

// Record masks the exchange, gives it an id and keeps it. reply is what identifies the agent's
// reply in the answer, if there is one: the first time it is seen the exchange counts as a turn,
// afterwards as a replay. The signatures of the tokens are masked wherever they stand, also those of
// tokens that look like none. The exchange returned must not be changed.
func (r *Recorder) Record(x result.Exchange, reply string, tokens ...string) *result.Exchange {
	m := r.masker
	m.Learn(x.Request.URL)
	m.Learn(x.Request.Body)
	if x.Tags.Operation == Revocation {
		m.learnRevoked(x.Request.Body)
	}
	if x.Response != nil {
		m.Learn(x.Response.Body)
		m.Learn(x.Response.Header.Get("Location"))
	}
	x.Request.BodyBytes = len(x.Request.Body)
	if x.Response != nil {
		answer := *x.Response
		answer.BodyBytes = len(answer.Body)
		x.Response = &answer
	}
	every, codes := m.cleaners()
	signatures := hiding(tokens)
	masked := every.exchange(x, signatures)
	judged := masked
	if m.configured {
		judged = codes.exchange(x, signatures)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	masked.ID = fmt.Sprintf("x%04d", len(r.exchanges)+1)
	if reply != "" {
		masked.Turn, masked.Replay = !r.replies[reply], r.replies[reply]
		r.replies[reply] = true
	}
	r.exchanges = append(r.exchanges, masked)
	judged.ID, judged.Turn, judged.Replay = masked.ID, masked.Turn, masked.Replay
	if !reflect.DeepEqual(judged, masked) {
		r.judged[masked] = judged
	}
	return masked
}

// Judged are the exchanges as a judge has to see them: the secrets of the configuration, which may
// be an audience or a part of a URL, stand in them. It reports whether there are any. What a judge
// says of them must not be shown.
func (r *Recorder) Judged(xs []*result.Exchange) ([]*result.Exchange, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen, differ := slices.Clone(xs), false
	for i, x := range xs {
		if judged, ok := r.judged[x]; ok {
			seen[i], differ = judged, true
		}
	}
	return seen, differ
}

// exchange is a copy of x without secrets.
func (c cleaner) exchange(x result.Exchange, signatures *strings.Replacer) *result.Exchange {
	text := func(s string) string { return c.text(signatures.Replace(s)) }
	header := func(h http.Header) http.Header {
		unsigned := make(http.Header, len(h))
		for name, values := range h {
			for _, value := range values {
				unsigned[name] = append(unsigned[name], signatures.Replace(value))
			}
		}
		return c.header(unsigned)
	}
	x.Tags.User, x.Tags.Credential = text(x.Tags.User), text(x.Tags.Credential)
	x.Request.URL = text(x.Request.URL)
	x.Request.Header = header(x.Request.Header)
	x.Request.Body = text(x.Request.Body)
	if x.Tags.Operation == Revocation {
		x.Request.Body = replaceGroup(revokedToken, x.Request.Body, maskedValue)
	}
	x.Request.Body = cut(x.Request.Body, MaxBody)
	x.Error = text(x.Error)
	x.Curl = text(x.Curl)
	if x.Response != nil {
		answer := *x.Response
		answer.Header = header(answer.Header)
		answer.Body = text(answer.Body)
		answer.FinalURL = text(answer.FinalURL)
		x.Response = &answer
	}
	if x.Page != nil {
		page := *x.Page
		for _, part := range []*string{&page.URL, &page.Title, &page.Text, &page.Content, &page.Approve, &page.Deny} {
			*part = text(*part)
		}
		page.Checkboxes = slices.Clone(page.Checkboxes)
		for i := range page.Checkboxes {
			page.Checkboxes[i].Label = text(page.Checkboxes[i].Label)
		}
		x.Page = &page
	}
	return &x
}

// hiding masks what follows the second dot of each token.
func hiding(tokens []string) *strings.Replacer {
	const shortestSignature = 16 // what is shorter is none, and may stand anywhere by chance
	var pairs []string
	for _, token := range tokens {
		for i, segment := range strings.Split(token, ".") {
			if i >= 2 && len(segment) >= shortestSignature {
				pairs = append(pairs, segment, SignatureMasked)
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// Text is s without secrets, for whatever is said besides the exchanges.
func (r *Recorder) Text(s string) string { return r.masker.Text(s) }

// All are the exchanges so far.
func (r *Recorder) All() []*result.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.exchanges)
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes in all)", s[:most], len(s))
}
