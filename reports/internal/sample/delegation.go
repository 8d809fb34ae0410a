package sample

import (
	"fmt"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

const (
	login    = "https://brand.example/login"
	consent  = iface + "/oauth/consent"
	device   = iface + "/oauth/device_authorization"
	tokenURL = iface + "/oauth/token"
	revoke   = iface + "/oauth/revoke"

	deviceGrant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=[device_code-1:43]&client_id=https%3A%2F%2Fpa.example.com%2Fprimary"
)

// The journeys of the delegated part.
const (
	consentJourney = "a consent page"
	visitorJourney = "a visitor without the password"
	denialJourney  = "a denial"
	grantJourney   = "a grant of one scope"
	messageJourney = "a message with both tokens"
	stepUpJourney  = "a step-up"
)

func loginPage() *result.Page {
	return &result.Page{Kind: "login", URL: login + "?return_to=[masked]", Title: "Sign in · Example Co.", Text: "Example Co.\nSign in\nE-mail\nPassword\nSign in\nForgot your password?"}
}

func consentPage(ids ...string) *result.Page {
	p := &result.Page{
		Kind: "consent", URL: consent + "?user_code=[user_code-2:8]", Title: "Approve access · Example Co.", Approve: "Approve", Deny: "Deny",
		Text: "Example Co.\nhttps://pa.example.com asks to act for you at Example Co.\nYou can untick what you do not want to allow.",
	}
	for _, id := range ids {
		label := map[string]string{"orders:read": "Look up your orders and their status", "orders:cancel": "Cancel an order that has not shipped"}[id]
		p.Text += "\n" + label
		p.Checkboxes = append(p.Checkboxes, result.Checkbox{Scope: id, Label: label, Checked: true, Enabled: true})
	}
	p.Text += "\nApprove\nDeny"
	p.Content = strings.ReplaceAll(p.Text, "\n", " ") + " Your session ends in 10 minutes."
	return p
}

func endPage(text string) *result.Page {
	return &result.Page{Kind: "other", URL: consent + "/done", Title: "Done · Example Co.", Text: text}
}

// delegation makes the journeys of §5. In a flawed run the consent page lacks a checkbox, and some
// journeys come to no good end.
func (b *builder) delegation() {
	b.pages = map[string]string{}
	b.seen()
	b.stranger()
	b.denied()
	b.granted()
	b.sent()
	if b.flawed {
		b.fallen()
	}
	end := b.flow("the grants of the run are revoked")
	end.agent("revocation", revoke, 200, "token=[masked]", "")
	end.end(result.Passed, "")
}

func (f *flow) ask() {
	f.agent("device authorization", device, 200, "client_id=https%3A%2F%2Fpa.example.com%2Fprimary&scope=orders%3Aread+orders%3Acancel",
		`{"device_code":"[device_code-1:43]","user_code":"[user_code-2:8]","verification_uri":"https://brand.example/login","verification_uri_complete":"https://brand.example/login?return_to=[masked]","expires_in":600,"interval":1}`)
}

func (f *flow) poll(status int, answer string) *result.Exchange {
	return f.agent("token", tokenURL, status, deviceGrant, answer)
}

// reach brings the User to the consent page, and returns the exchange that shows it.
func (f *flow) reach(page *result.Page) string {
	f.ask()
	f.user("GET", login+"?return_to=[masked]", 200, nil)
	f.see("login filled in", loginPage(), picture(1, nil, 1, true))
	f.user("POST", login, 200, nil)
	f.user("POST", iface+"/oauth/assertion", 303, nil)
	id := f.user("GET", page.URL, 200, page)
	var ticked []bool
	for _, box := range page.Checkboxes {
		ticked = append(ticked, box.Checked)
	}
	f.see("consent", page, picture(4, ticked, 2, false))
	return id
}

func (b *builder) seen() {
	f := b.flow(consentJourney)
	ids := []string{"orders:read", "orders:cancel"}
	if b.flawed {
		ids = ids[:1]
	}
	b.pages[consentJourney] = f.reach(consentPage(ids...))
	f.end(result.Passed, "")
}

func (b *builder) stranger() {
	f := b.flow(visitorJourney, consentJourney)
	page := loginPage()
	page.Text += "\nThe password is wrong."
	b.pages[visitorJourney] = f.user("POST", login, 401, page)
	f.see("after signing in", page, picture(2, nil, 1, true))
	f.see("trouble: look at the page: unreachable", &result.Page{}, nil)
	f.end(result.Passed, "")
}

func (b *builder) denied() {
	f := b.flow(denialJourney)
	f.reach(consentPage("orders:read", "orders:cancel"))
	f.user("POST", consent, 200, nil)
	f.see("after: deny", endPage("You denied access."), picture(1, nil, 0, false))
	f.poll(400, `{"error":"access_denied"}`)
	f.end(result.Passed, "")
}

func (b *builder) granted() {
	f := b.flow(grantJourney, consentJourney, denialJourney)
	page := consentPage("orders:read", "orders:cancel")
	b.pages[grantJourney] = f.reach(page)
	f.poll(400, `{"error":"authorization_pending"}`)
	f.see("before: approve only orders:read", page, picture(4, []bool{true, false}, 2, false))
	f.user("POST", consent, 200, nil)
	f.see("after: approve only orders:read", endPage("You can close this window."), picture(1, nil, 0, false))
	f.poll(200, fmt.Sprintf(`{"token_type":"Bearer","access_token":%q,"refresh_token":"[refresh_token-3:22]","expires_in":3600,"scope":"orders:read"}`, b.delegationToken()))
	f.end(result.Passed, "")
}

// delegationToken is a delegation token (§5.4) as an answer keeps it.
func (b *builder) delegationToken() string {
	at := b.moment().Unix()
	return jws(`{"alg":"ES256","kid":"provider-1","typ":"JWT"}`,
		fmt.Sprintf(`{"iss":"%s/oauth","aud":%q,"sub":"jane-4471","client_id":%q,"scope":"orders:read","grant_id":"a2agrant_7","iat":%d,"exp":%d}`, iface, iface, issuer, at, at+3600), "(1a2b3c4d)[signature-masked]")
}

func (b *builder) sent() {
	f := b.flow(messageJourney, grantJourney)
	claims := fmt.Sprintf(`{"grantId":"a2agrant_7","user":"jane-4471","pa":%q,"brand":%q,"scopesUsed":["orders:read"],"actions":[{"tool":"lookup_orders"}],"ts":"2026-11-30T09:31:00Z"}`, issuer, iface)
	e := f.agent("message:send", iface+"/message:send", 200,
		`{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"Where is my order?"}]}}`,
		fmt.Sprintf(`{"message":{"messageId":"r-1","contextId":"f0c12e6b-231e-4d92-a610-2518a0f27d20","role":"ROLE_AGENT","parts":[{"text":"It ships tomorrow."}],"metadata":{"pact.receipt":{"jws":%q,"claims":%s}}}}`,
			jws(`{"alg":"ES256","kid":"provider-1"}`, claims, "(5e6f7a8b)[signature-masked]"), claims))
	e.Turn = true
	e.Request.Header.Set("X-A2A-User-Delegation", "Bearer "+strings.Replace(b.delegationToken(), "(1a2b3c4d)", "", 1))
	b.pages[messageJourney] = e.ID
	f.end(result.Passed, "")
}

// fallen makes the journeys that did not come to their end.
func (b *builder) fallen() {
	second := b.flow("a grant to a second personal agent", grantJourney)
	second.reach(consentPage("orders:read"))
	second.see("trouble: approve all", endPage("Something went wrong."), picture(2, nil, 0, false))
	second.poll(400, `{"error":"invalid_grant"}`)
	second.end(result.Failed, "expected 200 with an access_token, got 400 invalid_grant")

	up := b.flow(stepUpJourney, messageJourney)
	e := up.agent("message:send", iface+"/message:send", 200, `{"message":{"messageId":"m-2","role":"ROLE_USER","parts":[{"text":"Cancel it."}]}}`,
		`{"task":{"id":"t-1","contextId":"f0c12e6b-231e-4d92-a610-2518a0f27d20","status":{"state":"TASK_STATE_AUTH_REQUIRED"},"metadata":{"pact.missingScopes":["orders:cancel"]}}}`)
	e.Request.Header.Set("X-A2A-User-Delegation", "Bearer "+b.delegationToken())
	up.end(result.Blocked, "the task has no pact.verificationUriComplete")

	b.flow("a grant at a second Brand").end(result.NotRun, "needs second-brand: set otherBrand.card, or otherBrand: none")
	b.flow("an assertion is altered, used and replayed", consentJourney).end(result.NotApplicable, "login and consent share an origin, so that no assertion goes between them")
	refreshed := b.flow("a grant that is refreshed", grantJourney)
	refreshed.agent("token", tokenURL, 200, "grant_type=refresh_token&refresh_token=[refresh_token-3:22]",
		fmt.Sprintf(`{"token_type":"Bearer","access_token":%q,"expires_in":3600}`, b.delegationToken()))
	refreshed.end(result.Warning, "expected the scope of the grant, got no scope member")
	broken := b.flow("a framed consent page", consentJourney)
	broken.see("trouble: open the frame: crashed", &result.Page{}, nil)
	broken.end(result.Errored, "Chromium ended by itself")
}

// delegatedRows are the rows of §5 that pages and tokens decide.
var delegatedRows = map[string]special{
	"PACT-5.3-17": func(b *builder, row catalog.Requirement) []result.Case {
		return []result.Case{b.onPage(row, "unticked", result.Passed, "GrantOnly", "the scope orders:read", "", grantJourney)}
	},
	"PACT-5.3-19": func(b *builder, row catalog.Requirement) []result.Case {
		c := b.judged(row.ID+"/denied", result.Passed, "BeOAuthError", "400 with the OAuth error access_denied", "", 400)
		c.Journeys = []string{denialJourney}
		return []result.Case{c}
	},
	"PACT-5.3-25": func(b *builder, row catalog.Requirement) []result.Case {
		return []result.Case{b.onPage(row, "wrong-password", result.Passed, "ShowNoConsent", "no consent without the password", "", visitorJourney)}
	},
	"PACT-5.3-27": func(b *builder, row catalog.Requirement) []result.Case {
		c := b.judged(row.ID+"/replayed", result.Passed, "ShowNoConsent", "no consent page", "", 400)
		c.Journeys = []string{consentJourney}
		c.Steps = []result.Step{b.step(c.Name, "send POST assertion again", endPage("This link was used."), picture(1, nil, 0, false))}
		return []result.Case{c}
	},
	"PACT-5.3-29": func(b *builder, row catalog.Requirement) []result.Case {
		return []result.Case{b.onPage(row, "origin", result.Passed, "ShowText", "https://pa.example.com", "", consentJourney)}
	},
	"PACT-5.3-31": func(b *builder, row catalog.Requirement) []result.Case {
		const expected = "an enabled checkbox for each of orders:read, orders:cancel"
		if b.flawed {
			return []result.Case{b.onPage(row, "each", result.Failed, "HaveACheckboxForEach", expected, "none for orders:cancel", consentJourney)}
		}
		return []result.Case{b.onPage(row, "each", result.Passed, "HaveACheckboxForEach", expected, "", consentJourney)}
	},
	"PACT-5.6-01": func(b *builder, row catalog.Requirement) []result.Case {
		return []result.Case{b.onPage(row, "reply", result.Passed, "HaveAReceipt", "metadata pact.receipt with jws and claims", "", messageJourney)}
	},
}

// onPage is a case that a page decides.
func (b *builder) onPage(row catalog.Requirement, name string, o result.Outcome, judge, expected, got, journey string) result.Case {
	id := b.pages[journey]
	return result.Case{
		Name: row.ID + "/" + name, Outcome: o, Judge: judge, Expected: expected, Got: got,
		Judgements: []result.Judgement{{Judge: judge, Exchanges: []string{id}, Outcome: o, Expected: expected, Got: got}},
		Exchanges:  []string{id}, Journeys: []string{journey}, Started: b.at, Duration: 0.001,
	}
}
