package view

import (
	"fmt"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Exchanges is a run's record by id.
type Exchanges map[string]*result.Exchange

// Index makes the exchanges of a run easy to find.
func Index(run *result.Run) Exchanges {
	index := Exchanges{}
	for i := range run.Exchanges {
		index[run.Exchanges[i].ID] = &run.Exchanges[i]
	}
	return index
}

// Showing is the exchange that shows what came of a case: the last one of the judgement that decided
// it, else the last one of the case. It is nil where the case made none.
func (x Exchanges) Showing(c *result.Case) *result.Exchange {
	ids := c.Exchanges
	if j := Deciding(c); j != nil && len(j.Exchanges) > 0 {
		ids = j.Exchanges
	}
	for i := len(ids) - 1; i >= 0; i-- {
		if e := x[ids[i]]; e != nil {
			return e
		}
	}
	return nil
}

// Deciding is the judgement whose finding the case reports: the first that says what the case says.
func Deciding(c *result.Case) *result.Judgement {
	for i := range c.Judgements {
		j := &c.Judgements[i]
		if j.Judge == c.Judge && j.Expected == c.Expected && j.Got == c.Got {
			return j
		}
	}
	return nil
}

// Arrow is an exchange in one line: "GET https://… → 401", or why there was no answer.
func Arrow(e *result.Exchange) string {
	line := Line(e.Request.Method) + " " + Line(e.Request.URL) + " → "
	if e.Tags.Inbound {
		line = "from the Provider: " + line
	}
	switch {
	case e.Response == nil && e.Error != "":
		return line + "no answer: " + Line(e.Error)
	case e.Response == nil:
		return line + "no answer"
	case e.Error != "":
		return fmt.Sprintf("%s%d, then %s", line, e.Response.Status, Line(e.Error))
	}
	return fmt.Sprintf("%s%d", line, e.Response.Status)
}

// Why is a case's finding as one line that stands alone: what was expected and what came, or the reason.
func Why(c *result.Case) string {
	switch {
	case c.Got != "" && c.Expected != "":
		return "expected " + Line(c.Expected) + ", got " + Line(c.Got)
	case c.Got != "":
		return "got " + Line(c.Got)
	case c.Reason != "":
		return Reason(c.Reason)
	case c.Expected != "":
		return "expected " + Line(c.Expected)
	}
	return Label(c.Outcome)
}
