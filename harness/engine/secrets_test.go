package engine_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

const gatewaySecret = `gate"way&<s3cret>/+é`

// echo tells everything that it was told, everywhere, and keeps the signatures that it saw.
type echo struct {
	mu         sync.Mutex
	signatures map[string]bool
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	authorization := r.Header.Get("Authorization")
	_, token, _ := strings.Cut(authorization, " ")
	e.mu.Lock()
	for i, segment := range strings.Split(token, ".") {
		if i >= 2 && len(segment) >= 16 {
			e.signatures[segment] = true
		}
	}
	e.mu.Unlock()
	if r.URL.Path == "/card" {
		_, _ = fmt.Fprintf(w, `{"supportedInterfaces":[{"url":"http://%s/a2a","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]}`, r.Host)
		return
	}
	said := authorization + " " + r.Header.Get("X-Gateway") + " " + string(body)
	for _, name := range []string{"X-Echo", "Server", "WWW-Authenticate", "Location"} {
		w.Header().Set(name, said)
	}
	w.Header().Set("Set-Cookie", "session="+url.QueryEscape(said)+"; Path=/")
	w.Header().Set("Content-Type", "application/a2a+json")
	w.Header().Set("X-Coded", base64.StdEncoding.EncodeToString([]byte(gatewaySecret))+" "+url.QueryEscape(said)+" "+url.PathEscape(said))
	w.WriteHeader(map[bool]int{true: http.StatusOK, false: http.StatusBadRequest}[r.URL.Query().Get("ok") != ""])
	_ = json.NewEncoder(w).Encode(map[string]any{
		"error":   map[string]any{"message": said, "details": []any{map[string]any{"reason": said, "metadata": r.Header}}},
		"message": map[string]any{"messageId": said, "contextId": said, "parts": []any{map[string]any{"text": said}}},
		"tasks":   []any{said}, "query": r.URL.String(), "quoted": fmt.Sprintf("%q", said),
	})
}

// Nothing of a run shows a secret, whatever the Provider echoes and whatever the suite says of it.
func TestNoByteOfARunIsSecret(t *testing.T) {
	g := NewWithT(t)
	handler := &echo{signatures: map[string]bool{}}
	server := newTiny(t, nil)
	server.Config.Handler = handler
	setup := server.setup()
	setup.Headers = http.Header{"X-Gateway": {gatewaySecret}}
	setup.Secrets = []string{gatewaySecret, "aud-from-a-variable"}
	setup.Audience = "aud-from-a-variable"
	setup.Brand.Name, setup.Provider.Name = "Brand "+gatewaySecret, "Provider "+gatewaySecret

	flow := engine.NewJourney("flow", func(c *engine.C) *provider.Answer {
		answer := c.Interface().Send("in a journey " + gatewaySecret)
		c.Block("no reply: %s %s", answer.Body, answer.Token)
		return answer
	})
	reply := regexp.MustCompile("gate|masked")
	bodies := map[string]func(*engine.C){
		"pass":   func(c *engine.C) { c.Expect(c.Interface().Tasks("ok=1")).To(judge.BeOK()) },
		"errors": func(c *engine.C) { c.Expect(c.Interface().Tasks("")).To(judge.BeA2AError(judge.InvalidParams)) },
		"media":  func(c *engine.C) { c.Expect(c.Interface().Tasks("")).To(judge.HaveNoA2ABody()) },
		"said":   func(c *engine.C) { c.Expect(c.Interface().Tasks("")).To(judge.HaveChallenge()) },
		"alike":  func(c *engine.C) { c.Expect(c.Interface().Tasks(""), c.Interface().Send("x")).To(judge.BeAlike()) },
		"list":   func(c *engine.C) { c.Expect(c.Interface().Tasks("ok=1")).To(judge.ListNoTasks()) },
		"start": func(c *engine.C) {
			a := c.Interface().Do("message:send", "POST", "message:send?ok=1", "", nil)
			c.Expect(a, a).To(judge.StartContexts())
		},
		"hide": func(c *engine.C) {
			c.Expect(c.Interface().Do("message:send", "POST", "message:send?ok=1", "", nil)).To(judge.HideInContext("nobody-at-all", gatewaySecret))
		},
		"match": func(c *engine.C) {
			c.Expect(c.Interface().Do("message:send", "POST", "message:send?ok=1", "", nil)).To(judge.NotMatchText(reply))
		},
		"aud": func(c *engine.C) {
			c.Expect(c.Anywhere().Get(provider.OperationCard, c.Setup().Brand.Card)).To(judge.DifferFromURLs(c.Setup().Audience))
		},
		"control": func(c *engine.C) { c.Control(c.Interface().Tasks("")).To(judge.BeOK()) },
		"rs256":   func(c *engine.C) { c.Observe("%s", c.Interface().With(agent.RS256()).Tasks("ok=1").Body) },
		"odd": func(c *engine.C) {
			for _, change := range []agent.Change{agent.FourSegments(), agent.HeaderNotJSON(), agent.BadBase64(), agent.PayloadList(), agent.None("none", true), agent.WrongKeySameKid()} {
				c.Observe("%s", judge.Answered(c.Interface().With(change).Tasks("").Exchange))
			}
		},
		"query": func(c *engine.C) {
			c.Observe("%s", c.Interface().Editing(func(r *http.Request, token string) {
				r.URL.RawQuery = "access_token=" + token + "&x=" + url.QueryEscape(gatewaySecret)
			}).Tasks("").Exchange.Request.URL)
		},
		"block": func(c *engine.C) { a := c.Interface().Tasks(""); c.Block("said %s to %s", a.Body, a.Token) },
		"fault": func(c *engine.C) { c.Fault(errors.New(c.Interface().Tasks("").Token + gatewaySecret)) },
		"panic": func(c *engine.C) { panic(c.Interface().Tasks("").Token + gatewaySecret) },
		"flow":  func(c *engine.C) { flow.In(c) },
		"token": func(c *engine.C) { token := c.Mint(c.Interface()); c.Observe("%s %v", token.Compact, token) },
	}
	rows := []engine.Requirement{row("M", result.Must)}
	var cases []*engine.Case
	for name, body := range bodies {
		cases = append(cases, case_("M", name, body, engine.Using(flow)))
	}
	r, _ := run(t, mustNew(t, rows, cases), setup)
	r.Conclude("identity")
	all, err := json.Marshal(r)
	g.Expect(err).NotTo(HaveOccurred())
	whole := string(all)

	g.Expect(len(handler.signatures)).To(BeNumerically(">", 20))
	for signature := range handler.signatures {
		g.Expect(strings.Contains(whole, signature)).To(BeFalse(), "%s", around(whole, signature))
	}
	full := regexp.MustCompile(`ey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+!?\.[A-Za-z0-9_-]+`)
	g.Expect(full.FindString(whole)).To(BeEmpty())
	for _, form := range []string{
		"s3cret", "aud-from-a-variable", url.QueryEscape(gatewaySecret), url.PathEscape(gatewaySecret),
		strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(gatewaySecret)), "="),
	} {
		g.Expect(strings.Contains(whole, form)).To(BeFalse(), "%s", around(whole, form))
	}
	g.Expect(outcome(t, r, "M/pass")).To(Equal("passed"))
	for _, name := range []string{"errors", "media", "said", "alike", "list", "start", "hide", "match"} {
		g.Expect(find(t, r, "M/"+name).Outcome).To(Equal(result.Failed), name)
		g.Expect(find(t, r, "M/"+name).Got).NotTo(BeEmpty(), name)
	}
}

// around shows where a text was found.
func around(whole, text string) string {
	at := strings.Index(whole, text)
	if at < 0 {
		return ""
	}
	return whole[max(0, at-200):min(len(whole), at+len(text)+50)]
}

// What the configuration took from variables may be an audience or a part of every URL. It is
// masked, and what is judged stays right.
func TestWhatIsMaskedIsJudgedAllTheSame(t *testing.T) {
	g := NewWithT(t)
	server := newTiny(t, nil)
	server.handle = map[string]http.HandlerFunc{"POST /message:send": func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"message":{"messageId":"r","contextId":"c","parts":[{"text":"You are Adelheid."}]}}`))
	}}
	setup := server.setup()
	setup.Secrets = []string{server.URL, "Adelheid", "pa.example"}
	setup.Audience = server.URL + "/a2a"
	card := func(c *engine.C) *provider.Answer {
		return c.Anywhere().Get(provider.OperationCard, c.Setup().Brand.Card)
	}
	name := regexp.MustCompile("Adelheid")
	rows, cases := one(
		func(c *engine.C) { c.Expect(card(c)).To(judge.HaveAbsoluteInterfaceURL()) },
		func(c *engine.C) { c.Expect(card(c)).To(judge.DifferFromURLs(c.Setup().Audience)) },
		func(c *engine.C) { c.Expect(c.Interface().Ask()).To(judge.MatchText(name)) },
		func(c *engine.C) { c.Expect(c.Interface().Ask()).To(judge.NotMatchText(name)) },
		func(c *engine.C) { c.Expect(card(c)).To(judge.HaveRequiredMembers()) },
	)
	r, _ := run(t, mustNew(t, rows, cases), setup)
	g.Expect(outcome(t, r, "M-1/case")).To(Equal("passed"))
	g.Expect(outcome(t, r, "M-2/case")).To(Equal("failed"))
	g.Expect(outcome(t, r, "M-3/case")).To(Equal("passed"))
	masked := find(t, r, "M-4/case")
	g.Expect(masked.Outcome).To(Equal(result.Failed))
	g.Expect(masked.Expected).To(Equal("a text that does not match [masked]"))
	g.Expect(masked.Got).To(Equal("something else, which is masked here"))
	g.Expect(masked.Judgements[0].Args).To(HaveKeyWithValue("pattern", "[masked]"))
	g.Expect(find(t, r, "M-5/case").Got).To(HavePrefix("missing or of another type: "), "what both show is told as it is")
	all, _ := json.Marshal(r)
	for _, secret := range setup.Secrets {
		g.Expect(strings.Contains(string(all), secret)).To(BeFalse(), "%s", around(string(all), secret))
	}
}
