package view

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

func TestTheStepThatShowsAPage(t *testing.T) {
	g := NewWithT(t)
	step := func(picture, url, text string, at float64) result.Step {
		return result.Step{Picture: picture, URL: url, Text: text, At: at}
	}
	run := &result.Run{Started: sample.Started, Duration: 100, Journeys: []result.Journey{
		{Name: "consent", Steps: []result.Step{
			step("1.png", "https://b/login", "Sign in", 1), step("2.png", "https://p/consent", "Allow?", 2),
			step("3.png", "https://p/consent", "Allowed.", 3), step("", "https://p/consent", "Sorry.", 4), step("5.png", "https://p/consent", "Allow?", 90),
		}},
		{Name: "other", Steps: []result.Step{step("6.png", "https://p/consent", "Allow?", 2)}},
	}}
	at := func(owner, url, text string, seconds int) *result.Exchange {
		return &result.Exchange{
			Tags: result.Tags{Case: owner}, Started: sample.Started.Add(time.Duration(seconds) * time.Second),
			Page: &result.Page{Kind: "consent", Title: "A\ntitle", URL: url, Text: text},
		}
	}
	steps := StepsOf(run)
	for _, c := range []struct {
		e    *result.Exchange
		want string
	}{
		{at("consent", "https://p/consent", "Allow?", 3), `consent page "A title", screenshots/2.png`},
		{at("consent", "https://p/consent", "Allow?", 80), `consent page "A title", screenshots/5.png`},
		{at("consent", "https://p/consent", "Sorry.", 4), `consent page "A title", screenshots/3.png`},
		{at("other", "https://p/consent", "Allow?", 9), `consent page "A title", screenshots/6.png`},
		{at("consent", "https://p/other", "Allow?", 3), `consent page "A title"`},
		{at("unknown", "https://p/consent", "Allow?", 3), `consent page "A title"`},
		{&result.Exchange{}, ""},
	} {
		g.Expect(steps.Page(c.e)).To(Equal(c.want))
	}
	g.Expect(steps.Of("consent")).To(HaveLen(4), "a step without a picture shows nothing")
}
