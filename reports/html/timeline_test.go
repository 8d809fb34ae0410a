package html

import (
	"html"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

// told is a journey's timeline in the page as lines of plain text.
func told(t *testing.T, page, id string) []string {
	t.Helper()
	_, after, _ := strings.Cut(page, `id="`+id+`"`)
	list, _, found := strings.Cut(after, "</ol>")
	if !found {
		t.Fatalf("%s has no timeline", id)
	}
	var lines []string
	for _, item := range strings.Split(list, "<li")[1:] {
		_, item, _ = strings.Cut(item, ">")
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(item, " ")
		lines = append(lines, strings.Join(strings.Fields(html.UnescapeString(text)), " "))
	}
	return lines
}

func TestAJourneyIsToldInTheOrderOfTime(t *testing.T) {
	NewWithT(t).Expect(told(t, delegatedPage(), "journey-a-grant-of-one-scope")).To(HaveExactElements(
		HavePrefix("+0.0 s personal agent ask for a code POST …/oauth/device_authorization → 200 x"),
		HavePrefix("+0.3 s User open GET https://brand.example/login?return_to=[masked] → 200 x"),
		HavePrefix("+0.8 s User login filled in Sign in · Example Co. https://brand.example/login"),
		HavePrefix("+1.0 s User send POST https://brand.example/login → 200 x"),
		HavePrefix("+1.3 s User redirect POST …/oauth/assertion → 303 x"),
		HavePrefix("+1.6 s User consent page GET …/oauth/consent?user_code=[user_code-2:8] → 200 x"),
		HavePrefix("+2.1 s User consent Approve access · Example Co. …/oauth/consent"),
		HavePrefix("+2.3 s personal agent poll: authorization_pending POST …/oauth/token → 400 x"),
		HavePrefix("+2.8 s User before: approve only orders:read Approve access"),
		HavePrefix("+3.0 s User send POST …/oauth/consent → 200 x"),
		HavePrefix("+3.5 s User after: approve only orders:read Done · Example Co."),
		HavePrefix("+3.7 s personal agent poll: a token POST …/oauth/token → 200 x"),
	))
}

func TestJourneysTellWhyTheyFellShort(t *testing.T) {
	g := NewWithT(t)
	page := richPage()
	failed := told(t, page, "journey-a-grant-to-a-second-personal-agent")
	g.Expect(failed[len(failed)-1]).To(ContainSubstring("poll: invalid_grant"))
	holds(t, page,
		`id="journey-a-grant-to-a-second-personal-agent" open>`, "<p>expected 200 with an access_token, got 400 invalid_grant</p>",
		`<li class="trouble">`,
		"<p>needs a second Brand of the same Provider: set otherBrand.card, or otherBrand: none</p>",
		"No picture: the page did not answer, or would have shown what is secret.",
	)
	lacks(t, page, `id="journey-a-grant-of-one-scope" open>`)
	for _, o := range []result.Outcome{result.NotRun, result.NotApplicable, result.Warning, result.Errored, result.Blocked} {
		g.Expect(regexp.MustCompile(`(?s)class="journey" id="[^"]*"( open)?>\s*<summary><span class="sign `+string(o)+`">`).MatchString(page)).To(BeTrue(), "a journey that is %s", o)
	}
}

func TestAStepInAnotherBrowserSaysSo(t *testing.T) {
	g := NewWithT(t)
	steps := []result.Step{
		{Session: "a journey", Name: "one", Text: "shown"}, {Session: "home", Name: "two", Picture: "x.png"}, {Session: "home", Name: "three"}, {Session: "a journey", Name: "four"},
	}
	run := &result.Run{Journeys: []result.Journey{{Name: "a journey", Steps: steps}}}
	moments := teller{run, newNames(run), newAlbum(run, newNames(run), mostPictures)}.timeline("a journey", 0, run.Journeys[0].Steps, []string{"gone"})
	var notes []string
	for _, m := range moments {
		notes = append(notes, m.Note)
	}
	const none = "No picture: the page did not answer, or would have shown what is secret."
	g.Expect(notes).To(Equal([]string{"", none, "Its picture is screenshots/x.png. Browser: home.", none, none + " Browser: a journey."}))
	g.Expect(moments[0].Exchange.Text).To(Equal("gone"))
	g.Expect(moments[1].Text).To(Equal("shown"))
}

func TestAJourneyThatHappenedTwiceHasTwoIDs(t *testing.T) {
	g := NewWithT(t)
	run := sample.Delegated()
	again := run.Journeys[0]
	again.Exchanges, again.Steps = nil, nil
	run.Journeys = append(run.Journeys, again)
	c := &run.Requirements[0].Cases[0]
	c.SecondLook, c.Journeys = true, []string{again.Name, again.Name, "unknown"}
	page := written(run)
	holds(t, page, `id="journey-a-consent-page"`, `id="journey-a-consent-page~2"`)
	shown := part(t, page, "article", c.Name)
	g.Expect(strings.Count(shown, `href="#journey-a-consent-page~2"`)).To(Equal(1))
	g.Expect(shown).To(ContainSubstring(`<div class="thumbs">unknown`))
}

func TestAnExchangeShowsThePageThatItBrought(t *testing.T) {
	g := NewWithT(t)
	run := sample.Delegated()
	var id string
	for i := range run.Exchanges {
		if p := run.Exchanges[i].Page; p != nil && p.Kind == "consent" {
			id = run.Exchanges[i].ID
			p.Checkboxes = append(p.Checkboxes, result.Checkbox{Required: true})
			p.Deny = ""
			break
		}
	}
	_, after, _ := strings.Cut(written(run), `id="`+id+`"`)
	shown, _, _ := strings.Cut(html.UnescapeString(after), "</section>")
	for _, text := range []string{
		`<span class="who User">User</span> <b>GET</b> …/oauth/consent`, "sent by <b>the User's browser</b>",
		"<h4>What the User saw: consent page</h4>", `class="thumb"`, "asks to act for you at Example Co.\nYou can untick",
		"<code>orders:read</code></td><td>Look up your orders and their status</td><td>☑ ticked, can be changed</td>",
		"<td>none found</td><td>no label</td><td>☐ not ticked, cannot be changed, required</td>",
		`Control that approves: <b class="control">Approve</b>; that denies: none found.`,
		"All text of the document, shown or not", "Your session ends in 10 minutes.",
	} {
		g.Expect(shown).To(ContainSubstring(text))
	}
	g.Expect(shown).NotTo(ContainSubstring("credential"))
}

func TestTextsOfPagesAreCut(t *testing.T) {
	g := NewWithT(t)
	long := strings.Repeat("word\n\n \n", 10000)
	s := seenOf(&result.Page{Kind: "other", Text: long, Content: strings.Repeat("word ", 10000)}, nil)
	g.Expect(len(s.Text)).To(BeNumerically("<", longestText+10))
	g.Expect(s.Text).To(HavePrefix("word\nword\n"))
	g.Expect(s.Content).To(BeEmpty(), "it says the same")
	s = seenOf(&result.Page{Content: strings.Repeat("hidden ", 10000)}, nil)
	g.Expect(len(s.Content)).To(BeNumerically("<", longestContent+10))
}

func TestTokensOfDelegationAreDecoded(t *testing.T) {
	page := html.UnescapeString(delegatedPage())
	holds(t, page,
		"<summary>Delegation token in access_token in the answer body, decoded</summary>", "<summary>Delegation token in X-A2A-User-Delegation, decoded</summary>",
		"<summary>Receipt in pact.receipt in the answer body, decoded</summary>", `"grant_id": "a2agrant_7"`, `"tool": "lookup_orders"`,
	)
}
