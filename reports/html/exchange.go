package html

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// exchange is one request and its answer. Every exchange stands in the page once; cases link to it.
type exchange struct {
	ID, Method, Path, Status string
	// StatusClass is the first digit of the status, or "none".
	StatusClass     string
	Took            string
	For             link
	Facts           []fact
	Request, Answer string
	Tokens          []view.Token
	Curl            string
	// User marks a request of the User's browser, Seen is the page that it brought.
	User bool
	Seen *seen
	// Open exchanges show a failure; they are open from the start, and so also on paper.
	Open bool
}

// names finds exchanges, and shortens URLs that every exchange repeats.
type names struct {
	index  view.Exchanges
	prefix string
	shows  map[string]bool
	cases  map[string]bool
	// journeyNames and journeyIDs are those of the run's journeys, in its order.
	journeyNames, journeyIDs []string
}

// openExchanges is how many exchanges are open from the start.
const openExchanges = 25

func newNames(run *result.Run) names {
	n := names{index: view.Index(run), prefix: run.Brand.Interface, shows: map[string]bool{}, cases: map[string]bool{}, journeyIDs: journeyIDs(run)}
	for _, f := range view.Findings(run, result.Failed) {
		if e := n.index.Showing(f.Case); e != nil && len(n.shows) < openExchanges {
			n.shows[e.ID] = true
		}
	}
	for _, q := range run.Requirements {
		for _, c := range q.Cases {
			n.cases[c.Name] = true
		}
	}
	for _, j := range run.Journeys {
		n.journeyNames = append(n.journeyNames, j.Name)
	}
	return n
}

// maker leads to the case or the journey that made an exchange.
func (n names) maker(e *result.Exchange) link {
	if name := e.Tags.Case; n.cases[name] {
		return link{ID: name, Text: view.Line(name)}
	}
	return n.journey(e.Tags.Case, e.Tags.SecondLook)
}

// path is a URL without the interface URL that most begin with.
func (n names) path(url string) string {
	if rest, ok := strings.CutPrefix(url, n.prefix); ok && n.prefix != "" && strings.HasPrefix(rest, "/") {
		return "…" + view.Line(rest)
	}
	return view.Line(url)
}

// links leads to exchanges; an id without a record shows as the id.
func (n names) links(ids []string) []link {
	var all []link
	for _, id := range ids {
		l := link{ID: view.Line(id), Text: view.Line(id)}
		if e := n.index[id]; e != nil {
			l.Text = fmt.Sprintf("%s %s → %s", view.Line(e.Request.Method), view.Clip(n.path(e.Request.URL), 60), status(e))
			l.User = e.Tags.Browser
		}
		all = append(all, l)
	}
	return all
}

func status(e *result.Exchange) string {
	if e.Response == nil {
		return "no answer"
	}
	return fmt.Sprint(e.Response.Status)
}

func exchanges(run *result.Run, names names, album *album) []exchange {
	all := make([]exchange, 0, len(run.Exchanges))
	for i := range run.Exchanges {
		e := &run.Exchanges[i]
		x := exchange{
			ID: view.Line(e.ID), Method: view.Line(e.Request.Method), Path: names.path(e.Request.URL),
			Status: status(e), StatusClass: "none", Took: view.Seconds(e.Duration),
			For:     names.maker(e),
			Facts:   exchangeFacts(run, e),
			Request: request(e), Answer: answer(e),
			Tokens: view.Tokens(e), Curl: view.Visible(e.Curl),
			Open: names.shows[e.ID], User: e.Tags.Browser,
		}
		if e.Page != nil {
			x.Seen = seenOf(e.Page, album.showing(e))
		}
		if e.Response != nil {
			x.StatusClass = x.Status[:1]
		}
		all = append(all, x)
	}
	return all
}

func exchangeFacts(run *result.Run, e *result.Exchange) []fact {
	var all []fact
	add := func(name, value string) {
		if value = view.Line(value); value != "" {
			all = append(all, fact{name, value})
		}
	}
	add("operation", e.Tags.Operation)
	if e.Tags.Browser {
		add("sent by", "the User's browser")
	} else {
		add("credential", e.Tags.Credential)
	}
	add("asks for", string(e.Tags.Expect))
	add("as", strings.TrimSpace(e.Tags.Agent+" "+e.Tags.User))
	add("to", e.Tags.Brand)
	add("sent", fmt.Sprintf("%s after the start", view.Seconds(e.Started.Sub(run.Started).Seconds())))
	add("traceparent", e.TraceParent)
	if e.Turn {
		add("agent", "one turn")
	}
	if e.Replay {
		add("agent", "stored reply")
	}
	if e.Tags.Inbound {
		add("direction", "from the Provider to the harness")
	}
	if e.Tags.SecondLook {
		add("second look", "alone, after a 5xx or a cut connection")
	}
	return all
}

// request and answer are messages as text, bodies readable and cut.
func request(e *result.Exchange) string {
	return e.Request.Method + " " + view.Visible(e.Request.URL) + "\n" + headers(e.Request.Header) + body(e.Request.Body, e.Request.BodyBytes)
}

func answer(e *result.Exchange) string {
	if e.Response == nil {
		return "No answer: " + view.Visible(e.Error)
	}
	r := e.Response
	text := strings.TrimSpace(fmt.Sprintf("%s %d %s", view.Line(r.Proto), r.Status, http.StatusText(r.Status))) + "\n"
	if r.FinalURL != "" && r.FinalURL != e.Request.URL {
		text += "(answered by " + view.Line(r.FinalURL) + ")\n"
	}
	text += headers(r.Header) + body(r.Body, r.BodyBytes)
	if e.Tags.Browser && r.Body == "" {
		text += "\n(bodies that the User's browser gets are not kept)"
	}
	if e.Error != "" {
		text += "\n\n(then: " + view.Visible(e.Error) + ")"
	}
	return text
}

func headers(h http.Header) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			b.WriteString(view.Line(name) + ": " + view.Line(value) + "\n")
		}
	}
	return b.String()
}

// longestBody is how much of a body the page shows, in characters after indenting.
const longestBody = 4000

func body(text string, size int) string {
	if text == "" {
		return ""
	}
	shown := view.Visible(view.Pretty(text))
	cut := view.Clip(shown, longestBody)
	if cut != shown { // a recorder that cut says so in the text; what is masked is shorter, too
		cut += fmt.Sprintf("\n(cut: the body has %d bytes)", max(size, len(text)))
	}
	return "\n" + cut
}
