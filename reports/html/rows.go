package html

import (
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

type clause struct {
	Number, Title string
	Counts        string
	Rows          []row
}

// row is a requirement. Its id in the page is the requirement's.
type row struct {
	sign
	ID string
	// Number is the last part of the id, for the map.
	Number      string
	Level       string
	Basis       string
	Text        string
	Check       string
	Control     string
	Beside      string
	Needs       []fact
	CasesInWord string
	Cases       []rowCase
	// Open rows show their cases from the start.
	Open bool
}

type rowCase struct {
	sign
	Name, Took            string
	Reason, Expected, Got string
	Judge                 string
	Remarks               []string
	Observations          []string
	Exchanges, Controls   []link
	// Shots are pictures of the pages that the case is about, and More how many others there are.
	Shots    []*shot
	More     int
	Journeys []usedJourney
	// Moments are what the User did for the case alone, and Short says that it ended badly.
	Moments []moment
	Short   bool
	// Arrow and Curl show the deciding exchange of a case that fell short.
	Arrow, Curl string
}

// usedJourney is a journey that a case used, with some of its pictures.
type usedJourney struct {
	link
	Shots []*shot
}

// link leads to another part of the page; User marks a request of the User's browser.
type link struct {
	ID, Text string
	User     bool
}

// How many pictures stand beside a case, and beside each of its journeys.
const (
	caseShots    = 6
	journeyShots = 4
)

// openRows is how many rows that failed or ended in an error are open from the start.
const openRows = 25

func clauses(run *result.Run, t teller) []clause {
	var all []clause
	opened := 0
	for _, c := range view.Clauses(run) {
		shown := clause{Number: view.Line(c.Number), Title: c.Title, Counts: view.Counted(c.Counts, ", ")}
		for _, q := range c.Rows {
			r := rowOf(q, t)
			if (q.Outcome == result.Failed || q.Outcome == result.Errored) && opened < openRows {
				r.Open = true
				opened++
			}
			shown.Rows = append(shown.Rows, r)
		}
		all = append(all, shown)
	}
	return all
}

func rowOf(q *result.Requirement, t teller) row {
	known, _ := catalog.Find(q.ID)
	r := row{
		sign: signOf(q.Outcome), ID: q.ID, Number: q.ID[strings.LastIndexByte(q.ID, '-')+1:],
		Level: string(q.Level), Basis: basis(q.Basis), Text: view.Line(q.Text),
		Check: known.Check, Control: known.Control, Beside: view.Line(q.Beside),
		CasesInWord: view.Count(len(q.Cases), "case"),
	}
	for _, name := range known.Needs {
		if n, ok := catalog.FindNeed(name); ok {
			r.Needs = append(r.Needs, fact{n.What, n.How})
		}
	}
	seen := map[*picture]bool{} // what one case of the row shows, the next need not
	for i := range q.Cases {
		r.Cases = append(r.Cases, caseOf(&q.Cases[i], t, seen))
	}
	return r
}

// basis says where a requirement comes from.
func basis(b string) string {
	switch b {
	case "stated":
		return "stated in the specification"
	case "guide":
		return "from the Provider guide"
	case "derived":
		return "derived from a stated rule or a standard"
	case "practice":
		return "good practice"
	}
	return b
}

func caseOf(c *result.Case, t teller, seen map[*picture]bool) rowCase {
	r := rowCase{
		sign: signOf(c.Outcome), Name: view.Line(c.Name), Took: view.Seconds(c.Duration),
		Reason: view.Reason(c.Reason), Expected: view.Visible(c.Expected), Got: view.Visible(c.Got), Judge: view.Line(c.Judge),
		Exchanges: t.names.links(c.Exchanges), Controls: t.names.links(c.Controls),
	}
	for _, o := range c.Observations {
		r.Observations = append(r.Observations, view.Visible(o))
	}
	r.Shots, r.More = distinct(seen, t.pages(c), caseShots)
	used := map[string]bool{}
	for _, name := range c.Journeys {
		if used[name] {
			continue
		}
		used[name] = true
		j := usedJourney{link: t.names.journey(name, c.SecondLook)}
		j.Shots, _ = distinct(seen, t.album.owned(name), journeyShots)
		r.Journeys = append(r.Journeys, j)
	}
	if len(c.Steps) > 0 {
		r.Moments, r.Short = t.timeline(c.Name, c.Started, c.Steps, c.Exchanges), short(c.Outcome)
	}
	if c.Optional {
		r.Remarks = append(r.Remarks, "optional")
	}
	if c.SecondLook {
		r.Remarks = append(r.Remarks, "ran again, alone")
	}
	if c.Beside != "" {
		r.Remarks = append(r.Remarks, "beside the verdict: "+view.Line(c.Beside))
	}
	switch c.Outcome {
	case result.Failed, result.Errored, result.Warning:
		if e := t.names.index.Showing(c); e != nil {
			r.Arrow, r.Curl = view.Arrow(e), view.Visible(e.Curl)
		}
	}
	return r
}

// pages are pictures of the pages that a case looked at, and of what the User did for it.
func (t teller) pages(c *result.Case) []*shot {
	var all []*shot
	for _, ids := range [][]string{c.Exchanges, c.Controls} {
		for _, id := range ids {
			if e := t.names.index[id]; e != nil {
				all = append(all, t.album.showing(e))
			}
		}
	}
	return append(all, shotsOf(t.album, c.Steps)...)
}
