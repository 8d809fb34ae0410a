package doc

import (
	"errors"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/suites/catalog"
)

func written(t *testing.T, proof Proof) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, proof); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryRequirementStandsOnThePage(t *testing.T) {
	g := NewWithT(t)
	page := written(t, Proof{})
	for _, r := range catalog.All() {
		g.Expect(page).To(ContainSubstring("\n### " + r.ID + "\n\n**" + string(r.Level) + "**, " + r.Basis + ". "))
	}
	for _, c := range catalog.Clauses() {
		g.Expect(page).To(ContainSubstring("\n## §" + c.Number + " " + c.Title + "\n"))
	}
	g.Expect(strings.Count(page, "\n### ")).To(Equal(257))
	g.Expect(page).To(ContainSubstring("`" + catalog.SHA256() + "`"))
	g.Expect(page).To(ContainSubstring("| §3.2 Personal-agent JWT | 27 | 7 | 2 |\n"))
	g.Expect(page).NotTo(ContainSubstring("Cases:"))
	g.Expect(page).NotTo(ContainSubstring("defects"))
}

func TestARequirementIsTold(t *testing.T) {
	page := written(t, Proof{
		Cases:   map[string][]string{"PACT-3.1-04": {"tasks", "message"}},
		Defects: map[string][]string{"PACT-3.1-04": {"disabled-served"}},
	})
	NewWithT(t).Expect(page).To(ContainSubstring(`
### PACT-3.1-04

**must**, stated. A disabled personal agent's requests get 401.

- Checked by: A well-formed token of the disabled agent on GET tasks, message:send and, where offered, the device authorization endpoint.
- Control: The same agent enabled by a hook gets 200; without a hook the report says that its registration is attested by configuration.
- Needs: a personal agent that the Provider has disabled (set agents.disabled).
- Cases: ` + "`tasks`, `message`" + `
- Seeded defects that break it: ` + "`disabled-served`" + `

### PACT-3.1-05
`))
}

func TestPunctuationIsPlain(t *testing.T) {
	g := NewWithT(t)
	page := written(t, Proof{})
	g.Expect(page).To(ContainSubstring(`role must be ROLE\_USER.`))
	g.Expect(plain("a*b <c> [d] `e` f|g ~h~ \\i")).To(Equal("a\\*b \\<c\\> \\[d\\] \\`e\\` f\\|g \\~h\\~ \\\\i"))
}

func TestThePageIsTheSameEveryTime(t *testing.T) {
	proof := Proof{Cases: map[string][]string{"PACT-2-01": {"all"}, "PACT-2-02": {"json"}}}
	NewWithT(t).Expect(written(t, proof)).To(Equal(written(t, proof)))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAPageThatCannotBeWritten(t *testing.T) {
	NewWithT(t).Expect(Write(broken{}, Proof{})).To(MatchError("no space left"))
}
