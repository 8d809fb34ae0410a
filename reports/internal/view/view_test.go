package view

import (
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain äöü 世界 🎉":  "plain äöü 世界 🎉",
		"\x1b[31mred\x07": `\x1b[31mred\a`,
		"c1 \u009b2J":     `c1 \u009b2J`,
		"raw \x9b2J \xff": `raw \x9b2J \xff`,
		"a\u202eb":        `a\u202eb`,
		"nul\x00":         `nul\x00`,
		"two\r\nlines\n":  "two\nlines\n",
		"back\rover":      `back\rover`,
		"tab\tstays":      "tab\tstays",
		"a\u2028b":        `a\u2028b`,
		"�":               "�",
	} {
		NewWithT(t).Expect(Visible(in)).To(Equal(want))
	}
}

func TestShortTexts(t *testing.T) {
	g := NewWithT(t)
	g.Expect(Line(" a\n\tb\r\n c ")).To(Equal("a b c"))
	g.Expect(Clip("übermut", 7)).To(Equal("übermut"))
	g.Expect(Clip("übermut", 4)).To(Equal("übe…"))
	g.Expect(Count(1, "turn")).To(Equal("1 turn"))
	g.Expect(Count(0, "turn")).To(Equal("0 turns"))
}

func TestSeconds(t *testing.T) {
	for in, want := range map[float64]string{0: "0 ms", 0.0404: "40 ms", 0.9999: "1.0 s", 2.34: "2.3 s", 59.99: "1 min 0 s", 100: "1 min 40 s", 3725: "1 h 2 min"} {
		NewWithT(t).Expect(Seconds(in)).To(Equal(want))
	}
}

func TestEveryOutcomeHasItsOwnSignAndWords(t *testing.T) {
	g := NewWithT(t)
	glyphs, labels := map[string]bool{}, map[string]bool{}
	for _, o := range result.Outcomes {
		g.Expect(Glyph(o)).NotTo(Equal("?"))
		g.Expect(Meaning(o)).NotTo(BeEmpty())
		glyphs[Glyph(o)], labels[Label(o)] = true, true
	}
	g.Expect(glyphs).To(HaveLen(len(result.Outcomes)))
	g.Expect(labels).To(HaveLen(len(result.Outcomes)))
}

func TestCountedLeavesZerosOut(t *testing.T) {
	counts := map[result.Outcome]int{result.Passed: 12, result.Failed: 2, result.Warning: 0, result.NotRun: 1}
	NewWithT(t).Expect(Counted(counts, ", ")).To(Equal("2 failed, 1 not run, 12 passed"))
}

func TestClausesHoldEveryRequirement(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	run.Requirements = append(run.Requirements, result.Requirement{ID: "PACT-9-01", Clause: "9", Outcome: result.Passed})
	rows := 0
	clauses := Clauses(run)
	for _, c := range clauses {
		rows += len(c.Rows)
	}
	g.Expect(rows).To(Equal(258))
	g.Expect(clauses[0].Number).To(Equal("2"))
	g.Expect(clauses[len(clauses)-1].Number).To(Equal("9"), "a clause of another catalogue comes last")
	g.Expect(Clauses(&result.Run{})).To(BeEmpty())
}

func TestFindings(t *testing.T) {
	g := NewWithT(t)
	var names []string
	for _, f := range Findings(sample.Run(), result.Failed) {
		names = append(names, f.Case.Name)
	}
	g.Expect(names).To(Equal([]string{"PACT-2.2-06/10x", "PACT-3.2-04/pem", "PACT-3.2-04/der", "PACT-5.3-31/each"}))
}

func TestGapsAreGroupedByReason(t *testing.T) {
	g := NewWithT(t)
	byReason := map[string]Gap{}
	gaps := Gaps(sample.Run())
	for _, gap := range gaps {
		byReason[gap.Reason] = gap
	}
	blocked := byReason["the owner's next turn got 502 instead of 200"]
	g.Expect(blocked.Outcome).To(Equal(result.Blocked))
	g.Expect(blocked.IDs).To(Equal([]string{"PACT-4.2-08", "PACT-4.2-12"}))
	g.Expect(blocked.Musts).To(Equal(2))
	g.Expect(blocked.Needs).To(BeEmpty(), "what is blocked lacks no set-up")

	memory := byReason["needs a fact to tell the agent and to ask for: set prompts.memory, or none"]
	g.Expect(memory.IDs).To(Equal([]string{"PACT-4.2-19", "PACT-4.2-21"}))
	g.Expect(memory.Musts).To(Equal(1))
	g.Expect(memory.Needs).To(BeEmpty(), "the reason says how")

	g.Expect(byReason["no case was run"].IDs).To(Equal([]string{"PACT-5.6-12"}))
	g.Expect(byReason).NotTo(HaveKey(sample.NoChromium), "that stands beside the verdict")
	for i := 1; i < len(gaps); i++ {
		g.Expect(len(gaps[i-1].IDs)).To(BeNumerically(">=", len(gaps[i].IDs)))
	}
}

func TestWhatStandsBesideIsGroupedByReason(t *testing.T) {
	g := NewWithT(t)
	beside := Beside(sample.Run())
	g.Expect(beside).To(HaveLen(4))
	closed, waits := beside[0], beside[3]
	g.Expect(closed.Reason).To(Equal("prompts.close is declared none"))
	g.Expect(closed.IDs).To(Equal([]string{"PACT-4.2-13", "PACT-4.2-14", "PACT-4.2-18"}))
	g.Expect(closed.Needs).To(BeEmpty(), "what the Provider has not cannot be set up")
	g.Expect(waits.Reason).To(Equal("waits longer than --max-wait"))
	g.Expect(waits.Needs[len(waits.Needs)-1].How).To(Equal("raise --max-wait"))
	g.Expect(Beside(sample.Clean())).To(BeEmpty())
}

// What stands beside the verdict for one reason is told once, with the set-up that would make it run
// and not with what else its rows need.
func TestWhatNoBrowserCanShowIsToldTwice(t *testing.T) {
	g := NewWithT(t)
	run := sample.WithoutPages()
	beside, open := Beside(run), Gaps(run)
	g.Expect(beside).To(HaveLen(1))
	g.Expect(beside[0].Reason).To(Equal(sample.NoChromium))
	g.Expect(len(beside[0].IDs)).To(BeNumerically(">", 10))
	g.Expect(beside[0].Needs).To(HaveExactElements(HaveField("Name", "page")))
	g.Expect(open).To(HaveLen(1))
	g.Expect(open[0].Reason).To(Equal("needs a User's decision: " + sample.NoChromium))
	g.Expect(len(open[0].IDs)).To(BeNumerically(">", 40))
	g.Expect(open[0].Needs).To(HaveExactElements(HaveField("Name", "browser")))
}

func TestOnlyTheSetUpThatIsMissingIsAskedFor(t *testing.T) {
	for _, c := range []struct{ id, reason, beside, told, need string }{
		{"PACT-3.1-03", "in static mode the harness does not serve the JWKS", "static", "in static mode the harness does not serve the JWKS", "served-jwks"},
		{"PACT-5.3-12", "needs browser: there is no Chromium", "", "needs a User's decision: there is no Chromium", "browser"},
		{"PACT-5.3-12", "needs second-agent: set agents.second, or none", "", "needs a second registered personal agent: set agents.second, or none", ""},
		{"PACT-5.3-12", "none of prompts.scopes needs a scope of the card", "", "none of prompts.scopes needs a scope of the card", ""},
		{"PACT-5.3-12", "needs patience: wait", "", "needs patience: wait", ""},
		{"PACT-5.5-05", "the token lives 1h, and --max-wait is 1m40s", "long", "the token lives 1h, and --max-wait is 1m40s", "slow"},
	} {
		g := NewWithT(t)
		g.Expect(Reason(c.reason)).To(Equal(c.told))
		row := &result.Requirement{ID: c.id, Beside: c.beside}
		var names []string
		for _, need := range missing(c.reason, row) {
			names = append(names, need.Name)
		}
		g.Expect(strings.Join(names, " ")).To(Equal(c.need), c.reason)
	}
}

func TestShowingIsTheExchangeThatWasJudged(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	index := Index(run)
	f := Findings(run, result.Failed)[1]
	e := index.Showing(f.Case)
	g.Expect(e.ID).To(Equal(f.Case.Exchanges[0]))
	g.Expect(e.Response.Status).To(Equal(200))
	g.Expect(Deciding(f.Case).Outcome).To(Equal(result.Failed))

	f.Case.Judgements = nil
	g.Expect(index.Showing(f.Case).ID).To(Equal(f.Case.Exchanges[0]))
	g.Expect(index.Showing(&result.Case{Exchanges: []string{"gone"}})).To(BeNil())
}

func TestArrow(t *testing.T) {
	request := result.Request{Method: "GET", URL: "https://p.example/tasks"}
	for want, e := range map[string]result.Exchange{
		"GET https://p.example/tasks → 200":                          {Request: request, Response: &result.Response{Status: 200}},
		"GET https://p.example/tasks → no answer: timeout after 20s": {Request: request, Error: "timeout\nafter 20s"},
		"GET https://p.example/tasks → no answer":                    {Request: request},
		"from the Provider: GET https://p.example/tasks → 200":       {Request: request, Response: &result.Response{Status: 200}, Tags: result.Tags{Inbound: true}},
		"GET https://p.example/tasks → 200, then cut":                {Request: request, Response: &result.Response{Status: 200}, Error: "cut"},
	} {
		NewWithT(t).Expect(Arrow(&e)).To(Equal(want))
	}
}

func TestWhyStandsAlone(t *testing.T) {
	for want, c := range map[string]result.Case{
		"expected 401, got 200": {Expected: "401", Got: "200", Reason: "never mind"},
		"got 200":               {Got: "200"},
		"no Chromium":           {Reason: "no Chromium", Expected: "401"},
		"expected 401":          {Expected: "401"},
		"not run":               {Outcome: result.NotRun},
	} {
		NewWithT(t).Expect(Why(&c)).To(Equal(want))
	}
}

func TestTokensAreTakenApart(t *testing.T) {
	g := NewWithT(t)
	e := sample.Clean().Exchanges[0]
	e.Request.Body = e.Request.Header.Get("Authorization")
	e.Response.Body = `{"jws":"eyJhbGciOiJub25lIn0.bm90IGpzb24.[signature-masked]"}`
	tokens := Tokens(&e)
	g.Expect(tokens).To(HaveLen(2), "a token that comes twice is shown once")
	g.Expect(tokens[0].Kind).To(Equal("Personal-agent JWT"))
	g.Expect(tokens[0].Where).To(Equal("Authorization and request body"))
	g.Expect(tokens[0].Header).To(ContainSubstring(`"alg": "ES256"`))
	g.Expect(tokens[0].Claims).To(ContainSubstring(`"iss": "https://pa.example.com/primary"`))
	g.Expect(tokens[0].Times).To(Equal([]string{
		"iat is 2026-11-30T09:30:00Z, 0 s after the request",
		"exp is 2026-11-30T09:32:00Z, 120 s after the request",
	}))
	g.Expect(tokens[1]).To(Equal(Token{Kind: "Token", Where: "jws in the answer body", Header: "{\n  \"alg\": \"none\"\n}", Claims: "not json"}))
}

func TestTokensOfDelegationAreNamed(t *testing.T) {
	g := NewWithT(t)
	found := map[string]string{}
	run := sample.Delegated()
	for i := range run.Exchanges {
		for _, token := range Tokens(&run.Exchanges[i]) {
			found[token.Kind+" in "+token.Where] = token.Claims
		}
	}
	g.Expect(found).To(HaveLen(4))
	g.Expect(found["Personal-agent JWT in Authorization"]).To(ContainSubstring(`"aud": "aud-123"`))
	g.Expect(found["Delegation token in access_token in the answer body"]).To(ContainSubstring(`"scope": "orders:read"`))
	g.Expect(found["Delegation token in X-A2A-User-Delegation"]).To(ContainSubstring(`"grant_id": "a2agrant_7"`))
	g.Expect(found["Receipt in pact.receipt in the answer body"]).To(ContainSubstring(`"tool": "lookup_orders"`))
}

// A token is called what its claims show, also where it was sent in the place of another.
func TestATokenInTheWrongPlaceIsStillNamed(t *testing.T) {
	g := NewWithT(t)
	e := &result.Exchange{Request: result.Request{Header: http.Header{
		// {"grantId":"g","ts":"now"} and {"iss":"pa"}
		"X-A2a-User-Delegation": {"Bearer eyJhbGciOiJub25lIn0.eyJncmFudElkIjoiZyIsInRzIjoibm93In0.[signature-masked]", "Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJwYSJ9.x"},
	}}}
	var named []string
	for _, token := range Tokens(e) {
		named = append(named, token.Kind+" in "+token.Where)
	}
	g.Expect(named).To(Equal([]string{"Receipt in X-A2A-User-Delegation", "Token in X-A2A-User-Delegation"}))
}

func TestOddTokensDoNoHarm(t *testing.T) {
	g := NewWithT(t)
	// {"exp":1e300,"iat":-5,"nbf":"x"} and a payload that is no base64url.
	for _, body := range []string{"eyJhIjoxfQ.eyJleHAiOjFlMzAwLCJpYXQiOi01LCJuYmYiOiJ4In0.x", "eyJhIjoxfQ.A.x", "eyJhIjoxfQ..x"} {
		tokens := Tokens(&result.Exchange{Request: result.Request{Body: body}})
		g.Expect(tokens).To(HaveLen(1), body)
		g.Expect(tokens[0].Times).To(BeEmpty())
	}
	g.Expect(Tokens(&result.Exchange{Request: result.Request{Body: strings.Repeat("eyJ", 1000)}})).To(BeEmpty())
}

func TestTarget(t *testing.T) {
	g := NewWithT(t)
	run := sample.Run()
	g.Expect(Target(run)).To(Equal("Example Provider 2026.11 · Example Co."))
	run.Provider, run.Brand.Name = result.Provider{}, ""
	g.Expect(Target(run)).To(Equal(run.Brand.Card))
	g.Expect(ProfileName("delegated")).To(Equal("PACT Delegated"))
	g.Expect(ProfileName("mine")).To(Equal("mine"))
}
