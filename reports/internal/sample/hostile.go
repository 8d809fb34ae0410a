package sample

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Texts with which a Provider could try to break a report.
const (
	Script   = `<script>alert("pact")</script>`
	Image    = `"><img src=x onerror=alert(1)>`
	Escape   = "\x1b[2J\x1b[1;31mowned\x07\x9b2J"
	Override = "abc\u202egpj.exe"
	Markdown = "](javascript:alert(1)) **bold** `code` | cell |\n# heading\n<b>html</b> @everyone https://evil.example/"
	CDATA    = "]]></failure><testcase name=\"forged\"/>"
	Shell    = "'; rm -rf / #"
)

// Hostile is Run with hostile text in every place that a Provider fills.
func Hostile() *result.Run {
	all := Script + Image + Escape + Override + Markdown + CDATA + "\x00\xff"
	run := Run()
	run.Provider = result.Provider{Name: Script + Escape, Version: Image, Policy: "open"}
	run.Brand.Name, run.Brand.Interface = Image+Markdown, "javascript:alert(1)//"+Script
	run.OtherBrand.Name = all
	run.Notes = append(run.Notes, all)
	for i := range run.Requirements {
		for j := range run.Requirements[i].Cases {
			c := &run.Requirements[i].Cases[j]
			hostileSteps(c.Steps, all)
			if c.Got != "" {
				c.Got = all
				c.Judgements[len(c.Judgements)-1].Got = all
			}
			if c.Reason != "" {
				c.Reason = all
			}
			if len(c.Observations) > 0 {
				c.Observations = []string{all}
			}
		}
	}
	for i := range run.Journeys {
		run.Journeys[i].Reason = all
		hostileSteps(run.Journeys[i].Steps, all)
	}
	for i := range run.Exchanges {
		e := &run.Exchanges[i]
		if e.Page != nil {
			hostilePage(e.Page, all)
		}
		if e.Request.Header.Get("X-A2A-User-Delegation") != "" {
			claims, _ := json.Marshal(map[string]string{"grant_id": all, "scope": "</pre>" + Script})
			e.Request.Header.Set("X-A2A-User-Delegation", "Bearer "+jws(`{"alg":"`+Image+`"}`, string(claims), "[signature-masked]"))
		}
		if i%20 != 0 {
			continue
		}
		e.Request.URL += "/" + Script + Escape
		e.Curl += Shell + Script + Escape
		e.Error = all
		if e.Response != nil {
			e.Response.Header = http.Header{"X-" + Image: {all}, "Content-Type": {"text/html" + Script}}
			e.Response.Body = `{"scopes":{"` + `</pre><script>alert(2)</script>` + `":"` + Image + `"}}` + all
			e.Response.FinalURL = "javascript:alert(3)"
			e.Response.Proto = Script
		}
	}
	run.Conclude("identity", "delegated")
	return run
}

// hostileSteps keeps the names of pictures, which are the harness's own.
func hostileSteps(steps []result.Step, all string) {
	for i := range steps {
		s := &steps[i]
		s.Session, s.Name, s.URL, s.Title, s.Text = all, "after: "+all, "javascript:alert(4)//"+Script, "</title>"+all, "</pre>"+all
	}
}

func hostilePage(p *result.Page, all string) {
	p.URL, p.Title = "javascript:alert(5)//"+Image, "</title>"+all
	p.Text, p.Content = "</pre>"+all, all+strings.Repeat(all, 100)
	p.Approve, p.Deny = Script, "</button>"+Image
	for i := range p.Checkboxes {
		box := &p.Checkboxes[i]
		box.Scope, box.Label, box.Enabled = Image+Markdown, "</td></table>"+all, false
	}
}
