package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

func newList() *cobra.Command {
	var s selection
	var asked []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List requirements and their cases",
		Example: `  pact-conform list --only 3.2
  pact-conform list --json | jq -r '.[] | select(.level == "must") | .id'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, _, err := loadProfiles(commas(asked))
			if err != nil {
				return err
			}
			if e, err = s.apply(e); err != nil {
				return err
			}
			if asJSON {
				return listJSON(cmd.OutOrStdout(), e)
			}
			return list(cmd.OutOrStdout(), e, columns())
		},
	}
	cmd.Flags().StringArrayVar(&asked, "profile", profileNames(), "list the cases of this `profile`")
	s.flags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, for programs")
	return cmd
}

// casesOf groups the cases of an engine by requirement; the values are their own names.
func casesOf(e *engine.Engine) map[string][]string {
	names := map[string][]string{}
	for _, c := range e.Cases() {
		names[c.Requirement] = append(names[c.Requirement], c.Name)
	}
	return names
}

// list writes a paragraph for each requirement, below the heading of its clause.
func list(w io.Writer, e *engine.Engine, width int) error {
	const indent = 21 // of texts, behind id and level
	var b strings.Builder
	cases := casesOf(e)
	clause := ""
	for _, q := range e.Requirements() {
		if q.Clause != clause {
			if clause != "" {
				b.WriteByte('\n')
			}
			clause = q.Clause
			fmt.Fprintf(&b, "§%s %s\n", clause, catalog.Title(clause))
		}
		fmt.Fprintf(&b, "%-12s %-7s %s\n", q.ID, q.Level, wrapped(q.Text, width, indent))
		fmt.Fprintf(&b, "%*s/ %s\n", indent, "", wrapped(strings.Join(cases[q.ID], " "), width, indent+2))
	}
	fmt.Fprintf(&b, "\n%s, %s\n", counted(len(e.Requirements()), "requirement"), counted(len(e.Cases()), "case"))
	_, err := io.WriteString(w, b.String())
	return err
}

// listed is a requirement in the JSON form of the list.
type listed struct {
	ID      string       `json:"id"`
	Profile string       `json:"profile"`
	Level   result.Level `json:"level"`
	Basis   string       `json:"basis"`
	Clause  string       `json:"clause"`
	Text    string       `json:"text"`
	Needs   []string     `json:"needs"`
	Cases   []string     `json:"cases"`
}

func listJSON(w io.Writer, e *engine.Engine) error {
	all := []listed{}
	cases := map[string][]string{}
	for _, c := range e.Cases() {
		cases[c.Requirement] = append(cases[c.Requirement], c.FullName())
	}
	for _, q := range e.Requirements() {
		all = append(all, listed{q.ID, q.Profile, q.Level, q.Basis, q.Clause, q.Text, append([]string{}, q.Needs...), cases[q.ID]})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(all)
}
