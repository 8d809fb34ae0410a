package html

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

func written(run *result.Run) string {
	var b bytes.Buffer
	if err := Write(&b, run); err != nil {
		panic(err)
	}
	return b.String()
}

// holds reports what of the texts a page lacks, without showing megabytes of it.
func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %s", text)
		}
	}
}

// lacks reports what of the texts a page holds all the same.
func lacks(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page holds %s", text)
		}
	}
}

// The pages of the sample runs, which many tests read.
var (
	richPage      = sync.OnceValue(func() string { return written(sample.Run()) })
	cleanPage     = sync.OnceValue(func() string { return written(sample.Clean()) })
	delegatedPage = sync.OnceValue(func() string { return written(sample.Delegated()) })
	hostilePage   = sync.OnceValue(func() string { return written(sample.Hostile()) })
)

// part is the element with the id, as far as the next one with an id of the same kind.
func part(t *testing.T, page, element, id string) string {
	t.Helper()
	_, after, found := strings.Cut(page, fmt.Sprintf(`id="%s"`, id))
	if !found {
		t.Fatalf("no element with the id %s", id)
	}
	inside, _, found := strings.Cut(after, "</"+element+">")
	if !found {
		t.Fatalf("the element with the id %s does not end", id)
	}
	return html.UnescapeString(inside)
}

var (
	idAttribute   = regexp.MustCompile(`\sid="([^"]*)"`)
	hrefAttribute = regexp.MustCompile(`<a [^>]*href="([^"]*)"`)
)

func TestEveryRequirementAndExchangeStandsThereOnce(t *testing.T) {
	g := NewWithT(t)
	run, page := sample.Run(), richPage()
	ids := map[string]int{}
	for _, m := range idAttribute.FindAllStringSubmatch(page, -1) {
		ids[html.UnescapeString(m[1])]++
	}
	for id, n := range ids {
		g.Expect(n).To(Equal(1), "id %s", id)
	}
	for _, q := range run.Requirements {
		g.Expect(ids).To(HaveKey(q.ID))
		for _, c := range q.Cases {
			g.Expect(ids).To(HaveKey(c.Name))
		}
	}
	for _, e := range run.Exchanges {
		g.Expect(ids).To(HaveKey(e.ID))
	}
	for _, c := range catalog.Clauses() {
		g.Expect(ids).To(HaveKey("clause-" + c.Number))
	}
}

func TestEveryLinkStaysInThePageAndLeadsSomewhere(t *testing.T) {
	for name, page := range map[string]string{"rich": richPage(), "clean": cleanPage(), "delegated": delegatedPage(), "hostile": hostilePage()} {
		t.Run(name, func(t *testing.T) {
			ids := map[string]bool{}
			for _, m := range idAttribute.FindAllStringSubmatch(page, -1) {
				ids[html.UnescapeString(m[1])] = true
			}
			links := hrefAttribute.FindAllStringSubmatch(page, -1)
			NewWithT(t).Expect(len(links)).To(BeNumerically(">", 500))
			for _, m := range links {
				target, local := strings.CutPrefix(html.UnescapeString(m[1]), "#")
				// A browser looks for the fragment percent-decoded.
				target, err := url.PathUnescape(target)
				if err != nil || !local || !ids[target] {
					t.Errorf("%s leads nowhere", m[0])
				}
			}
		})
	}
}

func TestThePageNeedsNothingElse(t *testing.T) {
	g := NewWithT(t)
	page := richPage()
	g.Expect(page).NotTo(MatchRegexp(`<(img|iframe|object|embed|audio|video|base)\b`))
	g.Expect(page).NotTo(MatchRegexp(`<[a-z]+ [^>]*\ssrc=`))
	// What draws a picture takes it from the page itself.
	for _, m := range regexp.MustCompile(`<image [^>]*href="([^"]{0,40})`).FindAllStringSubmatch(page, -1) {
		g.Expect(m[1]).To(HavePrefix("data:image/png;base64,"))
	}
	for _, m := range regexp.MustCompile(`<use [^>]*href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		g.Expect(m[1]).To(HavePrefix("#png-"))
	}
	g.Expect(page).NotTo(MatchRegexp(`(url\(|@import)`))
	g.Expect(regexp.MustCompile(`<link [^>]*>`).FindAllString(page, -1)).To(Equal([]string{`<link rel="icon" href="data:,">`}))
	g.Expect(strings.Count(page, "<script")).To(Equal(1))
	g.Expect(strings.Count(page, "<style")).To(Equal(1))
}

func TestThePolicyAllowsOnlyThePagesOwnScriptAndStyle(t *testing.T) {
	g := NewWithT(t)
	page := hostilePage()
	content := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	g.Expect(content).NotTo(BeNil())
	policy := html.UnescapeString(content[1])
	for element, directive := range map[string]string{"script": "script-src", "style": "style-src"} {
		inside := regexp.MustCompile(`(?s)<` + element + `>(.*?)</` + element + `>`).FindStringSubmatch(page)
		g.Expect(policy).To(ContainSubstring(directive+" '"+digest(inside[1])+"'"), "what is in the page is what the policy names")
	}
	g.Expect(policy).To(HavePrefix("default-src 'none';"))
	g.Expect(policy).NotTo(ContainSubstring("unsafe"))
}

var (
	// markup is a tag as a browser reads it, with every attribute in double quotes or without a value.
	markup    = regexp.MustCompile(`<!doctype html>|</[a-z0-9]+>|<([a-zA-Z0-9]+)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*/?>`)
	attribute = regexp.MustCompile(`\s([a-zA-Z-]+)(?:="([^"]*)")?`)
)

func TestHostileTextIsOnlyText(t *testing.T) {
	page := hostilePage()
	known := map[string]bool{}
	for _, m := range markup.FindAllStringSubmatch(delegatedPage()+richPage(), -1) {
		known[m[1]] = true
	}
	bare := strings.NewReplacer(style, "", script, "").Replace(page)
	for _, m := range markup.FindAllStringSubmatch(bare, -1) {
		if !known[m[1]] {
			t.Errorf("only the hostile page has an element %s", m[1])
		}
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			if strings.HasPrefix(a[1], "on") || a[1] == "style" || a[1] == "href" && !strings.HasPrefix(a[2], "#") && !strings.HasPrefix(a[2], "data:") {
				t.Errorf("%s has the attribute %s", m[1], a[0])
			}
		}
	}
	if rest := markup.ReplaceAllString(bare, ""); strings.ContainsAny(rest, "<") {
		t.Errorf("a < is no tag of ours: %.100s", rest[strings.IndexByte(rest, '<'):])
	}
	if odd := regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u202e]").FindString(page); odd != "" {
		t.Errorf("the page holds %q", odd)
	}
	lacks(t, page, "ZgotmplZ") // what the escaper refuses
	holds(t, page, "&lt;script&gt;alert(", `\x1b[2J`)
	for _, told := range []string{"</title>", "</pre>", "</td></table>"} {
		holds(t, page, html.EscapeString(told)+"&lt;")
	}
	title := regexp.MustCompile(`<title>(.*)</title>`).FindStringSubmatch(page)
	NewWithT(t).Expect(html.UnescapeString(title[1])).To(ContainSubstring(sample.Script))
}

func TestAFailureShowsWhatItNeeds(t *testing.T) {
	g := NewWithT(t)
	page := richPage()
	failed := part(t, page, "article", "PACT-3.2-04/pem")
	for _, text := range []string{
		`401 with WWW-Authenticate: Bearer realm="a2a" and no A2A body`, "200 application/a2a+json: the token was accepted", "BeUnauthorized",
		`href="#x0184"`, "GET …/tasks → 200", `href="#x0183"`, "$(pact-conform token PACT-3.2-04/pem)",
	} {
		g.Expect(failed).To(ContainSubstring(text))
	}
	row := part(t, page, "summary", "PACT-3.2-04")
	g.Expect(row).To(ContainSubstring(" open>"), "a requirement that failed is open")
	g.Expect(row).To(ContainSubstring("HS256 is rejected, whatever the secret."))
	g.Expect(part(t, page, "summary", "PACT-3.2-05")).NotTo(ContainSubstring(" open>"))
	g.Expect(part(t, page, "details", "PACT-3.2-04")).To(ContainSubstring("A random secret; and the published public key used as the secret"))
}

func TestAnExchangeShowsTheTokenDecoded(t *testing.T) {
	g := NewWithT(t)
	exchange := part(t, richPage(), "details", "x0184")
	for _, text := range []string{
		"GET https://provider.example.com/a2a/", "A2a-Version: 1.0\nAuthorization: Bearer eyJ", "[signature-masked]",
		"HTTP/2.0 200 OK\nContent-Type: application/a2a+json", "\"pageSize\": 50", "traceparent <b>00-4bf9",
		"Personal-agent JWT in Authorization, decoded", "\"alg\": \"ES256\"", "\"aud\": \"aud-123\"", "exp is 2026-11-30T09:32:04Z, 119 s after the request",
	} {
		g.Expect(exchange).To(ContainSubstring(text))
	}
}

func TestLongBodiesAreCut(t *testing.T) {
	g := NewWithT(t)
	run := sample.Clean()
	run.Exchanges[0].Response.Body = strings.Repeat("a long body ", 10000)
	run.Exchanges[0].Response.BodyBytes = 5 << 20
	run.Exchanges[1].Error = "the connection was cut"
	page := written(run)
	cut := part(t, page, "details", "x0001")
	g.Expect(cut).To(ContainSubstring("(cut: the body has 5242880 bytes)"))
	g.Expect(len(cut)).To(BeNumerically("<", 10000))
	g.Expect(part(t, page, "details", "x0002")).To(ContainSubstring("(then: the connection was cut)"))
	g.Expect(part(t, page, "details", "x0003")).NotTo(ContainSubstring("(cut"))
}

func TestTheVerdictStandsAtTheTop(t *testing.T) {
	holds(t, html.UnescapeString(richPage()),
		"<h1>Example Provider 2026.11</h1>",
		"<h2>PACT Delegated</h2>\n    <p class=\"word\"><b>✗</b> not conformant</p>\n    <p>3 requirements failed (PACT-2.2-06, PACT-3.2-04, PACT-5.3-31).</p>",
		"needs a fact to tell the agent and to ask for: set prompts.memory, or none.",
		"Needs a browser that reads the pages: <b>install Chromium</b>.",
		"<dt>Run</dt><dd>30 November 2026, 09:30 UTC, 37.9 s</dd>",
		" agent turns (6 in the longest chain), ",
	)
	for _, page := range []string{cleanPage(), delegatedPage()} {
		holds(t, page, "<b>✓</b> conformant")
		lacks(t, page, `id="short"`, `id="gaps"`, `id="beside"`)
	}
}

func TestSettingsAndAStoppedRunAreTold(t *testing.T) {
	g := NewWithT(t)
	run := sample.Clean()
	run.Stopped = "interrupted"
	run.Provider = result.Provider{}
	run.Settings = result.Settings{Certify: true, Strict: true, AllowIncomplete: true, Only: []string{"3.2"}, Skip: []string{"PACT-3.2-35"}, RerunFailed: "results.json", Concurrency: 1}
	run.Conclude("identity")
	page := written(run)
	g.Expect(page).To(ContainSubstring("<b>The run broke off:</b> interrupted"))
	g.Expect(page).To(ContainSubstring("--certify, --strict, --allow-incomplete, --only 3.2, --skip PACT-3.2-35, --rerun-failed results.json, 1 request at once"))
	g.Expect(page).To(ContainSubstring("<h1>Provider without a name</h1>"))
	g.Expect(page).To(ContainSubstring("<b>E</b> error"))
}

func TestThePageStaysSmall(t *testing.T) {
	g := NewWithT(t)
	g.Expect(len(sample.Run().Exchanges)).To(BeNumerically(">", 900))
	g.Expect(len(richPage())).To(BeNumerically("<", 4<<20))
}

func TestAnEmptyRunIsStillAPage(t *testing.T) {
	g := NewWithT(t)
	run := &result.Run{}
	run.Conclude("identity")
	page := written(run)
	g.Expect(page).To(ContainSubstring("Nothing was executed."))
	g.Expect(page).To(HaveSuffix("</html>\n"))
}

func TestJourneysLieOnOneTimeline(t *testing.T) {
	g := NewWithT(t)
	run := &result.Run{Duration: 10, Journeys: []result.Journey{
		{Name: "first one", Outcome: result.Passed, Started: 0, Duration: 5},
		{Name: "late", Outcome: result.Blocked, Started: 10, Duration: 0},
		{Name: "longer than the run", Outcome: result.Failed, Started: 10, Duration: 10},
	}}
	shown := journeys(run, teller{run, newNames(run), new(album)})
	g.Expect(shown[0]).To(And(HaveField("Start", "0.0"), HaveField("Length", "250.0"), HaveField("ID", "journey-first-one")))
	g.Expect(richPage()).To(ContainSubstring(`<p>After <a href="#journey-a-consent-page">a consent page</a>, <a href="#journey-a-denial">a denial</a></p>`))
	g.Expect(shown[1]).To(And(HaveField("Start", "500.0"), HaveField("Length", "4.0")))
	g.Expect(shown[2]).To(And(HaveField("Start", "500.0"), HaveField("Length", "500.0")))
	g.Expect(journeys(&result.Run{Journeys: []result.Journey{{Name: "x"}}}, teller{names: names{journeyIDs: []string{"x"}}, album: new(album)})[0].Length).To(Equal("4.0"))
}
