package evidence

import (
	"fmt"
	"slices"
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
	replies   map[string]bool
}

// NewRecorder records through the masker.
func NewRecorder(masker *Masker) *Recorder {
	return &Recorder{masker: masker, replies: map[string]bool{}}
}

// Record masks the exchange, gives it an id and keeps it. reply is what identifies the agent's
// reply in the answer, if there is one: the first time it is seen the exchange counts as a turn,
// afterwards as a replay. The exchange returned must not be changed.
func (r *Recorder) Record(x result.Exchange, reply string) *result.Exchange {
	m := r.masker
	m.Learn(x.Request.URL)
	m.Learn(x.Request.Body)
	if x.Response != nil {
		m.Learn(x.Response.Body)
	}
	x.Request.URL = m.Text(x.Request.URL)
	x.Request.Header = m.Header(x.Request.Header)
	x.Request.BodyBytes = len(x.Request.Body)
	x.Request.Body = m.Text(cut(x.Request.Body, MaxBody))
	x.Error = m.Text(x.Error)
	x.Curl = m.Text(x.Curl)
	if x.Response != nil {
		answer := *x.Response
		answer.Header = m.Header(answer.Header)
		answer.BodyBytes = len(answer.Body)
		answer.Body = m.Text(answer.Body)
		answer.FinalURL = m.Text(answer.FinalURL)
		x.Response = &answer
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	x.ID = fmt.Sprintf("x%04d", len(r.exchanges)+1)
	if reply != "" {
		x.Turn, x.Replay = !r.replies[reply], r.replies[reply]
		r.replies[reply] = true
	}
	r.exchanges = append(r.exchanges, &x)
	return &x
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
