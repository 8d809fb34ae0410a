// Package doc writes docs/requirements.md, the catalogue for people, from the same source that the suites judge by.
package doc

import (
	"fmt"
	"io"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// Proof is what stands behind the requirements, by id. What is not known is left out of the page.
type Proof struct {
	// Cases are the own names of the cases that judge a requirement: "pem" of PACT-3.2-04/pem.
	Cases map[string][]string
	// Defects are the seeded defects that break it.
	Defects map[string][]string
}

// Write writes the page. Equal input gives equal bytes.
func Write(w io.Writer, proof Proof) error {
	var b strings.Builder
	head(&b)
	overview(&b)
	rows := catalog.All()
	for _, c := range catalog.Clauses() {
		fmt.Fprintf(&b, "\n## §%s %s\n", c.Number, c.Title)
		for _, r := range rows {
			if r.Clause == c.Number {
				requirement(&b, r, proof)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func head(b *strings.Builder) {
	fmt.Fprintf(b, `# Requirements

What PACT 1.0 asks of a Provider, as %d requirements that a harness can observe. This page is generated
from the catalogue (version %d, SHA-256 %s).

A **must** that is broken means that the Provider does not conform. A **should** that is broken is a warning, and the
verdict stands. An **info** is recorded and never judged. The basis says where a requirement comes from:
*stated* by the specification, taken from the Provider *guide*, *derived* from a stated rule or from a standard that PACT
builds on, or good *practice*, which is a warning that even --strict never fails.
`, len(catalog.All()), catalog.Version(), code(catalog.SHA256()))
}

// overview is the table of levels by clause.
func overview(b *strings.Builder) {
	levels := []result.Level{result.Must, result.Should, result.Info}
	b.WriteString("\n| clause | must | should | info |\n|---|--:|--:|--:|\n")
	numbers := map[string]map[result.Level]int{}
	all := map[result.Level]int{}
	for _, r := range catalog.All() {
		if numbers[r.Clause] == nil {
			numbers[r.Clause] = map[result.Level]int{}
		}
		numbers[r.Clause][r.Level]++
		all[r.Level]++
	}
	row := func(name string, counts map[result.Level]int) {
		fmt.Fprintf(b, "| %s |", name)
		for _, level := range levels {
			fmt.Fprintf(b, " %d |", counts[level])
		}
		b.WriteString("\n")
	}
	for _, c := range catalog.Clauses() {
		row("§"+c.Number+" "+c.Title, numbers[c.Number])
	}
	row("**all**", all)
}

func requirement(b *strings.Builder, r catalog.Requirement, proof Proof) {
	fmt.Fprintf(b, "\n### %s\n\n**%s**, %s. %s\n\n- Checked by: %s\n", r.ID, r.Level, r.Basis, plain(r.Text), plain(r.Check))
	if r.Control != "" {
		fmt.Fprintf(b, "- Control: %s\n", plain(r.Control))
	}
	if len(r.Needs) > 0 {
		fmt.Fprintf(b, "- Needs: %s.\n", strings.Join(needs(r.Needs), "; "))
	}
	names(b, "Cases", proof.Cases[r.ID])
	names(b, "Seeded defects that break it", proof.Defects[r.ID])
}

// needs says what each piece of set-up is and how to supply it.
func needs(names []string) []string {
	var said []string
	for _, name := range names {
		if n, ok := catalog.FindNeed(name); ok {
			said = append(said, plain(fmt.Sprintf("%s (%s)", n.What, n.How)))
		}
	}
	return said
}

func names(b *strings.Builder, title string, all []string) {
	if len(all) == 0 {
		return
	}
	quoted := make([]string, len(all))
	for i, name := range all {
		quoted[i] = code(name)
	}
	fmt.Fprintf(b, "- %s: %s\n", title, strings.Join(quoted, ", "))
}

func code(s string) string { return "`" + s + "`" }

// punctuation is what Markdown could act on in the middle of the catalogue's sentences.
var punctuation = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`)

func plain(s string) string { return punctuation.Replace(s) }
