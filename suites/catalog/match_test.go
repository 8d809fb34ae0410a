package catalog

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		selector    string
		first, last string
		rows        int
	}{
		{"PACT-3.2-04", "PACT-3.2-04", "PACT-3.2-04", 1},
		{"PACT-3.2-04/pem", "PACT-3.2-04", "PACT-3.2-04", 1},
		{"3.2", "PACT-3.2-01", "PACT-3.2-36", 36},
		{"§3.2", "PACT-3.2-01", "PACT-3.2-36", 36},
		{" 5.3 ", "PACT-5.3-01", "PACT-5.3-49", 49},
		{"2", "PACT-2-01", "PACT-2.2-19", 39},
		{"3", "PACT-3.1-01", "PACT-3.4-06", 52},
		{"5", "PACT-5.1-01", "PACT-5.6-12", 112},
		{"6", "PACT-6-01", "PACT-6-09", 9},
	} {
		t.Run(c.selector, func(t *testing.T) {
			g := NewWithT(t)
			rows, err := Match(c.selector)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(rows).To(HaveLen(c.rows))
			g.Expect(rows[0].ID).To(Equal(c.first))
			g.Expect(rows[len(rows)-1].ID).To(Equal(c.last))
		})
	}
}

func TestMatchOffersTheNearestSelector(t *testing.T) {
	for selector, want := range map[string]string{
		"PACT-3.2-4":      "PACT-3.2-04",
		"pact-3.2-04":     "PACT-3.2-04",
		"PACT-3.2-4/pem":  "PACT-3.2-04/pem",
		"PACT-3.2-04/":    "PACT-3.2-04",
		"PACT-5.3-50":     "PACT-5.3-10",
		"3.3":             "3.1",
		"5.33":            "5.3",
		"2.":              "2.1",
		"3.2.1":           "3.2",
		"PACT-2-01-extra": "PACT-2-01",
	} {
		t.Run(selector, func(t *testing.T) {
			g := NewWithT(t)
			rows, err := Match(selector)
			g.Expect(rows).To(BeEmpty())
			g.Expect(err).To(MatchError(ContainSubstring("%q", selector)))
			g.Expect(err).To(MatchError(HaveSuffix("did you mean " + want + "?")))
		})
	}
	_, err := Match(" ")
	NewWithT(t).Expect(err).To(MatchError(ContainSubstring("empty selector")))
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		selector, name string
		want           bool
	}{
		{"PACT-3.2-04", "PACT-3.2-04/pem", true},
		{"PACT-3.2-04/pem", "PACT-3.2-04/pem", true},
		{"PACT-3.2-04/pem", "PACT-3.2-04/der", false},
		{"PACT-3.2-04/pem", "PACT-3.2-04", false},
		{"PACT-3.2-0", "PACT-3.2-04/pem", false},
		{"3.2", "PACT-3.2-04/pem", true},
		{"3", "PACT-3.2-04/pem", true},
		{"2", "PACT-2-01/all", true},
		{"2", "PACT-2.1-01/get", true},
		{"2.1", "PACT-2-01/all", false},
		{"2", "PACT-3.2-04/pem", false},
		{"", "PACT-3.2-04/pem", false},
		{"3", "no id", false},
	} {
		NewWithT(t).Expect(Covers(c.selector, c.name)).To(Equal(c.want), "%s covers %s", c.selector, c.name)
	}
}
