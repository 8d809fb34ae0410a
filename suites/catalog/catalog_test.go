package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
)

func TestCatalogueIsWhole(t *testing.T) {
	g := NewWithT(t)
	profiles := map[string]int{}
	for _, r := range All() {
		profiles[r.Profile]++
	}
	g.Expect(profiles).To(Equal(map[string]int{"identity": 145, "delegated": 112}))
	g.Expect(All()).To(HaveLen(257))
	g.Expect(Version()).To(Equal(1))
}

func TestDigestIsThatOfTheFile(t *testing.T) {
	g := NewWithT(t)
	file, err := os.ReadFile("requirements.yaml")
	g.Expect(err).NotTo(HaveOccurred())
	sum := sha256.Sum256(file)
	g.Expect(SHA256()).To(Equal(hex.EncodeToString(sum[:])))
	g.Expect(Identity()).To(Equal(result.Catalogue{Version: 1, SHA256: SHA256(), Requirements: 257}))
}

func TestEveryRowIsWellFormed(t *testing.T) {
	last := map[string]int{}
	for _, r := range All() {
		t.Run(r.ID, func(t *testing.T) {
			g := NewWithT(t)
			number, err := strconv.Atoi(strings.TrimPrefix(r.ID, "PACT-"+r.Clause+"-"))
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(number).To(BeNumerically(">", last[r.Clause]), "ids grow within a clause")
			last[r.Clause] = number

			g.Expect(r.Profile).To(BeElementOf("identity", "delegated"))
			g.Expect(r.Level).To(BeElementOf(result.Must, result.Should, result.Info))
			g.Expect(r.Basis).To(BeElementOf("stated", "guide", "derived", "practice"))
			g.Expect(r.Basis == "practice" && r.Level == result.Must).To(BeFalse(), "practice is never a must")
			g.Expect(r.Text).NotTo(BeEmpty())
			g.Expect(r.Check).NotTo(BeEmpty())
			g.Expect(Title(r.Clause)).NotTo(BeEmpty(), "clause %s has a title", r.Clause)
			g.Expect(r.Profile == "delegated").To(Equal(strings.HasPrefix(r.Clause, "5.")), "§5 is the Delegated profile")
			for _, need := range r.Needs {
				_, known := FindNeed(need)
				g.Expect(known).To(BeTrue(), "need %q", need)
			}
			found, ok := Find(r.ID)
			g.Expect(ok).To(BeTrue())
			g.Expect(found).To(Equal(r))
		})
	}
}

func TestClausesStandInTheOrderOfTheRows(t *testing.T) {
	g := NewWithT(t)
	var order []string
	for _, r := range All() {
		if len(order) == 0 || order[len(order)-1] != r.Clause {
			order = append(order, r.Clause)
		}
	}
	var listed []string
	for _, c := range Clauses() {
		listed = append(listed, c.Number)
	}
	g.Expect(order).To(Equal(listed))
}

func TestEveryNeedIsUsedAndExplained(t *testing.T) {
	g := NewWithT(t)
	used := map[string]bool{}
	for _, r := range All() {
		for _, n := range r.Needs {
			used[n] = true
		}
	}
	for _, n := range Needs() {
		g.Expect(used).To(HaveKey(n.Name))
		g.Expect(n.What).NotTo(BeEmpty())
		g.Expect(n.How).NotTo(BeEmpty())
	}
}

func TestCallersCannotChangeTheCatalogue(t *testing.T) {
	g := NewWithT(t)
	All()[0].ID = "changed"
	Clauses()[0].Title = "changed"
	Needs()[0].Name = "changed"
	g.Expect(All()[0].ID).To(Equal("PACT-2-01"))
	g.Expect(Clauses()[0].Title).To(Equal("Transport"))
	g.Expect(Needs()[0].Name).To(Equal("second-brand"))
}

func TestUnknownIDs(t *testing.T) {
	g := NewWithT(t)
	_, ok := Find("PACT-9-99")
	g.Expect(ok).To(BeFalse())
	g.Expect(Position("PACT-9-99")).To(Equal(257))
	g.Expect(Position("PACT-2-01")).To(Equal(0))
	g.Expect(Title("9")).To(BeEmpty())
}

func TestParseRefusesAFaultyFile(t *testing.T) {
	const heading = "# PACT 1.0 requirement catalogue, version 1.\n"
	row := "  - {id: PACT-2-01, profile: identity, level: must, basis: stated, text: t, check: c}\n"
	for name, c := range map[string]struct{ file, want string }{
		"no id":          {heading + "requirements:\n  - {id: two}\n", `row 1: "two" is no requirement id`},
		"twice":          {heading + "requirements:\n" + row + row, "row 2: PACT-2-01 stands there twice"},
		"unknown member": {heading + "requirements:\n  - {id: PACT-2-01, levl: must}\n", "levl"},
		"no version":     {"requirements:\n" + row, "the first line names no version"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse([]byte(c.file))
			NewWithT(t).Expect(err).To(MatchError(ContainSubstring(c.want)))
		})
	}
}
