package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain REQUIREMENT|CASE|CLAUSE…",
		Short: "Explain what is asked, how it is checked and what that needs",
		Example: `  pact-conform explain PACT-4.2-11
  pact-conform explain 3.4`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("explain takes a requirement, a case or a clause, such as PACT-4.2-11")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := loadAll()
			if err != nil {
				return err
			}
			var rows []catalog.Requirement
			for _, selector := range args {
				found, err := catalog.Match(selector)
				if err == nil && strings.Contains(selector, "/") {
					err = known(e, selector)
				}
				if err != nil {
					return misuse("%w", err)
				}
				rows = append(rows, found...)
			}
			cases := casesOf(e)
			for i, row := range rows {
				if err := explain(cmd.OutOrStdout(), row, cases[row.ID], i == 0, columns()); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// explain writes all that is known of a requirement.
func explain(w io.Writer, row catalog.Requirement, cases []string, first bool, width int) error {
	const indent = 13
	var b strings.Builder
	if !first {
		b.WriteByte('\n')
	}
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-*s%s\n", indent, name, wrapped(text, width, indent))
		}
	}
	line(row.ID, row.Text)
	line("clause", fmt.Sprintf("§%s %s, of the profile %s", row.Clause, catalog.Title(row.Clause), row.Profile))
	line("level", fmt.Sprintf("%s: %s", row.Level, meaning(row)))
	line("basis", basis[row.Basis])
	line("checked", row.Check)
	line("control", row.Control)
	for _, name := range row.Needs {
		if need, ok := catalog.FindNeed(name); ok {
			line("needs", need.What+": "+need.How)
		}
	}
	line("cases", strings.Join(fullNames(row.ID, cases), " "))
	for _, d := range defects.ByRequirement(row.ID) {
		line("defect", d.Name+": "+d.Text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func fullNames(id string, cases []string) []string {
	var names []string
	for _, name := range cases {
		names = append(names, id+"/"+name)
	}
	return names
}

// meaning is what becomes of a Provider that breaks the requirement.
func meaning(row catalog.Requirement) string {
	switch {
	case row.Level == result.Must:
		return "a Provider that breaks it does not conform"
	case row.Level == result.Should && row.Basis == "practice":
		return "a Provider that breaks it gets a warning, also under --strict"
	case row.Level == result.Should:
		return "a Provider that breaks it gets a warning; under --strict it fails"
	}
	return "it is recorded and never judged"
}

// basis says where a requirement comes from.
var basis = map[string]string{
	"stated":   "the specification states it",
	"guide":    "the Provider guide says it",
	"derived":  "it follows from what the specification states, or from a standard that PACT builds on",
	"practice": "good practice, without a SHOULD behind it",
}
