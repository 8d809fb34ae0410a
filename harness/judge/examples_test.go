package judge_test

import (
	"encoding/json"
	"net/http"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// example is what a judge says of some exchanges. expected and got are its very words; for what
// passes they are left out.
type example struct {
	about         string
	judge         judge.Judge
	of            []*result.Exchange
	outcome       result.Outcome
	expected, got string
}

// examples are kept by the name of the judge, in a file for each file of judges.
var examples = map[string][]example{}

func add(all ...example) struct{} {
	for _, e := range all {
		examples[e.judge.Name] = append(examples[e.judge.Name], e)
	}
	return struct{}{}
}

func passes(about string, j judge.Judge, of ...*result.Exchange) example {
	return example{about: about, judge: j, of: of, outcome: result.Passed}
}

func fails(about string, j judge.Judge, expected, got string, of ...*result.Exchange) example {
	return example{about, j, of, result.Failed, expected, got}
}

func warns(about string, j judge.Judge, expected, got string, of ...*result.Exchange) example {
	return example{about, j, of, result.Warning, expected, got}
}

// Media types.
const (
	a2a   = "application/a2a+json"
	plain = "application/json"
	html  = "text/html"
)

// x is an exchange with an answer; its id is x1 unless a change says otherwise.
func x(status int, media, body string, changes ...func(*result.Exchange)) *result.Exchange {
	made := &result.Exchange{
		ID: "x1", Tags: result.Tags{Operation: "tasks", Expect: result.ExpectAny},
		Request:  result.Request{Method: http.MethodGet, URL: "https://p.example/a2a/tasks"},
		Response: &result.Response{Status: status, Header: http.Header{}, Body: body},
	}
	if media != "" {
		made.Response.Header.Set("Content-Type", media)
	}
	for _, change := range changes {
		change(made)
	}
	return made
}

func id(id string) func(*result.Exchange) { return func(x *result.Exchange) { x.ID = id } }

func header(name string, values ...string) func(*result.Exchange) {
	return func(x *result.Exchange) { x.Response.Header[http.CanonicalHeaderKey(name)] = values }
}

func tagged(change func(*result.Tags)) func(*result.Exchange) {
	return func(x *result.Exchange) { change(&x.Tags) }
}

func on(operation string) func(*result.Exchange) {
	return tagged(func(t *result.Tags) { t.Operation = operation })
}

// failure is an A2A error as §6 has it.
func failure(status int, name, reason string) string {
	data, err := json.Marshal(map[string]any{"error": map[string]any{
		"code": status, "status": name, "message": "No.",
		"details": []any{map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "a2a-protocol.org"}},
	}})
	if err != nil {
		panic(err)
	}
	return string(data)
}

var (
	notFound      = failure(404, "NOT_FOUND", judge.TaskNotFound)
	invalidParams = failure(400, "INVALID_ARGUMENT", judge.InvalidParams)
	unsupported   = failure(400, "FAILED_PRECONDITION", judge.UnsupportedOperation)
	internal      = failure(500, "INTERNAL", judge.Internal)
)

func TestJudges(t *testing.T) {
	for name, all := range examples {
		for _, e := range all {
			t.Run(name+"/"+e.about, func(t *testing.T) {
				g := NewWithT(t)
				found := e.judge.Find(e.of...)
				g.Expect(found.Outcome).To(Equal(e.outcome), "expected %s, got %s", found.Expected, found.Got)
				if e.outcome != result.Passed {
					g.Expect(e.got).NotTo(BeEmpty(), "the example says what the judge says")
					g.Expect(found.Expected).To(Equal(e.expected))
					g.Expect(found.Got).To(Equal(e.got))
				} else {
					g.Expect(found.Expected).NotTo(BeEmpty())
					g.Expect(found.Got).To(BeEmpty())
				}
			})
		}
	}
}

func TestEveryJudgeHasExamplesOfBothKinds(t *testing.T) {
	for _, name := range judge.Names() {
		passed, fell := false, false
		for _, e := range examples[name] {
			passed = passed || e.outcome == result.Passed
			fell = fell || e.outcome == result.Failed || e.outcome == result.Warning
		}
		if !passed || !fell {
			t.Errorf("%s: an example that passes: %t, one that falls: %t", name, passed, fell)
		}
	}
	for name := range examples {
		if _, err := judge.New(name, nil); err != nil {
			t.Errorf("%s has examples: %v", name, err)
		}
	}
}

// live judges see what the record does not keep, so that they cannot be made again over it.
var live = map[string]bool{"VerifySignature": true, "Witness": true}

func TestAStoredJudgementCanBeMadeAgain(t *testing.T) {
	for name, all := range examples {
		for _, e := range all {
			t.Run(name+"/"+e.about, func(t *testing.T) {
				g := NewWithT(t)
				found := e.judge.Find(e.of...)
				data, err := json.Marshal(struct {
					Judgement result.Judgement
					Exchanges []*result.Exchange
				}{e.judge.Record(found, e.of), e.of})
				g.Expect(err).NotTo(HaveOccurred())

				var stored struct {
					Judgement result.Judgement
					Exchanges []*result.Exchange
				}
				g.Expect(json.Unmarshal(data, &stored)).To(Succeed())
				again, err := judge.New(stored.Judgement.Judge, stored.Judgement.Args)
				g.Expect(err).NotTo(HaveOccurred())
				if live[name] {
					g.Expect(again.Find(stored.Exchanges...).Outcome).To(Equal(result.Errored))
					return
				}
				g.Expect(again.Find(stored.Exchanges...)).To(Equal(found))
				g.Expect(stored.Judgement.Outcome).To(Equal(e.outcome))
				g.Expect(stored.Judgement.Exchanges).To(HaveLen(len(e.of)))
				g.Expect(again.Args).To(Equal(e.judge.Args))
			})
		}
	}
}

func TestWhatWasNotAnsweredNeverPasses(t *testing.T) {
	unanswered := &result.Exchange{ID: "x9", Tags: result.Tags{Operation: "message:send"}, Error: "no answer before the deadline"}
	half := x(200, plain, `{"message":{"messageId":"r-1","contextId":"c-1","role":"ROLE_AGENT","parts":[{"text":"Hi"}]}}`)
	half.Error = "the connection was cut before the answer was complete"
	for _, name := range judge.Names() {
		for _, e := range examples[name] {
			t.Run(name+"/"+e.about, func(t *testing.T) {
				g := NewWithT(t)
				if live[name] {
					return
				}
				g.Expect(e.judge.Find()).To(Equal(judge.Finding{Outcome: result.Errored, Got: "no exchange was recorded"}))
				g.Expect(e.judge.Find(append(e.of, nil)...).Outcome).To(Equal(result.Errored))
				for _, without := range []*result.Exchange{unanswered, half} {
					for _, of := range [][]*result.Exchange{{without}, append(e.of[:len(e.of):len(e.of)], without), append([]*result.Exchange{without}, e.of...)} {
						found := e.judge.Find(of...)
						if name == "BeAnswered" { // to get no answer is what it fails
							g.Expect(found.Outcome).To(Equal(result.Failed))
							continue
						}
						g.Expect(found).To(Equal(judge.Finding{Outcome: result.Errored, Expected: "an answer", Got: without.Error}))
					}
				}
			})
		}
	}
}

func TestUnknownJudgesAndWrongArguments(t *testing.T) {
	g := NewWithT(t)
	_, err := judge.New("BeNice", nil)
	g.Expect(err).To(MatchError(`there is no judge "BeNice"`))
	_, err = judge.New("HaveStatus", judge.Args{"codes": "many"})
	g.Expect(err).To(MatchError(HavePrefix("judge HaveStatus: ")))
}

type carrier []*result.Exchange

func (c carrier) Recorded() []*result.Exchange { return c }

func TestJudgesAreMatchers(t *testing.T) {
	g := NewWithT(t)
	ok, wrong := x(200, plain, "{}"), x(500, "", "")
	g.Expect(ok).To(judge.BeOK())
	g.Expect(wrong).NotTo(judge.BeOK())
	g.Expect([]*result.Exchange{ok, ok}).To(judge.BeOK())
	g.Expect([]*result.Exchange{ok, wrong}).NotTo(judge.BeOK())
	g.Expect(carrier{ok}).To(judge.BeOK())
	g.Expect(carrier{}).NotTo(judge.BeOK(), "nothing is never green")

	g.Expect(judge.BeOK().FailureMessage(wrong)).To(Equal("HaveStatus\nexpected status 200\ngot 500 Internal Server Error"))
	g.Expect(judge.BeOK().NegatedFailureMessage(ok)).To(Equal("expected not to pass: HaveStatus"))
	_, err := judge.BeOK().Match("200")
	g.Expect(err).To(MatchError("a judge looks at exchanges, not at string"))
	g.Expect(judge.BeOK().FailureMessage(7)).To(Equal("a judge looks at exchanges, not at int"))
}
