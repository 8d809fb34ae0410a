package judge_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

var _ = add(
	passes("seen", judge.Witness("no cookie without HttpOnly", ""), x(200, html, "")),
	passes("beside a request without an answer", judge.Witness("a picture of a frame that shows nothing", ""), &result.Exchange{ID: "x1", Error: "blocked by the page's policy"}),
	fails("not seen", judge.Witness("a frame that shows nothing", "100% of the page"), "a frame that shows nothing", "100% of the page", x(200, html, "")),
)

func TestWhatIsWitnessedBesideNothingIsNotGreen(t *testing.T) {
	g := NewWithT(t)
	g.Expect(judge.Witness("anything", "").Find()).To(Equal(judge.Finding{Outcome: result.Errored, Got: "no exchange was recorded"}))
}

func TestAWitnessIsNotHeardAgain(t *testing.T) {
	g := NewWithT(t)
	j := judge.Witness("a frame that shows nothing", "")
	again, err := judge.New(j.Name, j.Args)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(again.Find(&result.Exchange{ID: "x1", Error: "cut"})).To(Equal(judge.Finding{
		Outcome: result.Errored, Expected: "a frame that shows nothing", Got: "this needs what the mask took away",
	}))
}
