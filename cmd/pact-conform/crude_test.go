package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
)

// always answers everything alike.
func always(status int, header, value, body string) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		if header != "" {
			w.Header().Set(header, value)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// butTheCard leaves the Brands' cards as they are.
func butTheCard(answer func(http.ResponseWriter, *http.Request, http.Handler)) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, "/agent-card.json") {
			next.ServeHTTP(w, r)
			return
		}
		answer(w, r, next)
	}
}

// friendly answers every operation as if all was well.
func friendly(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	body := map[string]any{"tasks": []any{}, "nextPageToken": "", "pageSize": 50, "totalSize": 0}
	if r.Method == http.MethodPost {
		body = map[string]any{"message": map[string]any{
			"messageId": "r-1", "contextId": "c-1", "role": "ROLE_AGENT", "parts": []any{map[string]any{"text": "Of course."}},
		}}
	}
	w.Header().Set("Content-Type", "application/a2a+json")
	_ = json.NewEncoder(w).Encode(body)
}

func TestCrudeServersAreJudged(t *testing.T) {
	challenge := `Bearer realm="a2a"`
	for name, c := range map[string]struct {
		around func(http.ResponseWriter, *http.Request, http.Handler)
		failed []string
	}{
		"401 for everything":              {always(401, "WWW-Authenticate", challenge, ""), []string{"PACT-2.1-01"}},
		"401 for everything but the card": {butTheCard(always(401, "WWW-Authenticate", challenge, "")), []string{"PACT-3.2-01"}},
		"404 for everything":              {always(404, "", "", ""), []string{"PACT-2.1-01"}},
		"404 for everything but the card": {butTheCard(always(404, "", "", "")), []string{"PACT-2.1-06"}},
		"500 for everything":              {always(500, "", "", "oops"), []string{"PACT-2.1-01"}},
		"500 for everything but the card": {butTheCard(always(500, "", "", "oops")), []string{"PACT-3.2-01", "PACT-6-08"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			s := serving(t, c.around)
			ran := call(t, s.dir, nil, soon, "--quiet")
			g.Expect(ran.code).To(Equal(result.ExitNotConformant), ran.stdout+ran.stderr)
			run := report(t, s.dir)
			g.Expect(with(run, result.Failed)).To(ContainElements(c.failed))
			// A refusal counts for nothing where a right token is refused too.
			for _, q := range run.Requirements {
				for _, made := range q.Cases {
					if made.Outcome == result.Passed && refuses(&made, run) {
						t.Errorf("%s passed", made.Name)
					}
				}
			}
		})
	}
}

// refuses reports whether the case judged nothing but answers that a wrong token, or none, has to be
// refused with.
func refuses(c *result.Case, run *result.Run) bool {
	wrong := func(id string) bool { return run.Find(id).Tags.Expect == result.ExpectUnauthorized }
	for _, j := range c.Judgements {
		if len(j.Exchanges) > 0 && !slices.ContainsFunc(j.Exchanges, func(id string) bool { return !wrong(id) }) {
			return true
		}
	}
	return false
}

func TestAServerThatIsPleasedWithEverythingFails(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, butTheCard(friendly))
	ran := call(t, s.dir, nil, soon, "--quiet")
	g.Expect(ran.code).To(Equal(result.ExitNotConformant), ran.stdout+ran.stderr)
	run := report(t, s.dir)
	g.Expect(with(run, result.Failed)).To(ContainElements(
		"PACT-3.1-07", "PACT-3.2-03", "PACT-3.2-04", "PACT-3.2-06", "PACT-3.2-15", "PACT-3.2-22", "PACT-3.2-30", "PACT-3.2-31",
		"PACT-4.1-01", "PACT-4.2-07", "PACT-2.2-13",
	))
	for _, q := range run.Requirements {
		for _, made := range q.Cases {
			if made.Outcome == result.Passed && refuses(&made, run) {
				t.Errorf("%s passed", made.Name)
			}
		}
	}
}

func TestAServerThatNeverAnswersIsAnErrorSoon(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() })
	s.add(t, "limits: {requestTimeout: 1s, turnTimeout: 1s}")
	ran := call(t, s.dir, nil)
	g.Expect(ran.code).To(Equal(result.ExitError), ran.stdout+ran.stderr)
	g.Expect(ran.stdout).To(ContainSubstring("the target stopped answering"))
	run := report(t, s.dir)
	g.Expect(run.Stopped).NotTo(BeEmpty())
	g.Expect(run.Stats.Requests).To(BeNumerically("<=", 8+3), "nobody waits for its own deadline once three have passed")
}
