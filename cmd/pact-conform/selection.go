package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/json"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// selection is what of the requirements is wanted.
type selection struct {
	only, skip []string
	// rerun is a results.json whose failed, errored and blocked cases are wanted.
	rerun string
}

// flags adds --only and --skip.
func (s *selection) flags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&s.only, "only", nil, "take only these: `clause`, requirement or case (3.2, PACT-3.2-04, PACT-3.2-04/pem); repeatable, or several with commas")
	flags.StringArrayVar(&s.skip, "skip", nil, "leave these out: `clause`, requirement or case")
}

// apply reduces the engine to what is selected. A selector that names nothing, and a selection that
// leaves nothing, are errors: neither may look like a run in which nothing failed.
func (s *selection) apply(e *engine.Engine) (*engine.Engine, error) {
	s.only, s.skip = commas(s.only), commas(s.skip)
	for _, check := range []struct {
		flag      string
		selectors []string
	}{{"--only", s.only}, {"--skip", s.skip}} {
		for _, selector := range check.selectors {
			if err := known(e, selector); err != nil {
				return nil, misuse("%s: %w", check.flag, err)
			}
		}
	}
	again, err := s.failedBefore()
	if err != nil {
		return nil, err
	}
	if len(s.only) == 0 && len(s.skip) == 0 && again == nil {
		return e, nil // with every row, also such as have no case: they leave the verdict open
	}
	selected := e.Select(func(_ engine.Requirement, c *engine.Case) bool {
		covers := func(selector string) bool { return catalog.Covers(selector, c.FullName()) }
		return (len(s.only) == 0 || slices.ContainsFunc(s.only, covers)) &&
			!slices.ContainsFunc(s.skip, covers) &&
			(again == nil || again[c.FullName()])
	})
	if len(selected.Cases()) == 0 {
		return nil, misuse("the selection leaves nothing to run")
	}
	return selected, nil
}

// known finds out whether a selector names something that the engine has.
func known(e *engine.Engine, selector string) error {
	rows, err := catalog.Match(selector)
	if err != nil {
		return err
	}
	var ofRow []string
	row, _, isCase := strings.Cut(selector, "/")
	for _, c := range e.Cases() {
		if catalog.Covers(selector, c.FullName()) {
			return nil
		}
		if c.Requirement == row {
			ofRow = append(ofRow, c.FullName())
		}
	}
	if isCase && len(ofRow) > 0 {
		return misuse("%q is no case: did you mean %s?", selector, nearest(selector, ofRow))
	}
	return misuse("%q names nothing of the profile: it is of --profile %s", selector, rows[0].Profile)
}

// failedBefore are the cases that an earlier run left failed, in error or blocked; nil without one.
func (s *selection) failedBefore() (map[string]bool, error) {
	if s.rerun == "" {
		return nil, nil
	}
	before, err := json.ReadFile(s.rerun)
	if err != nil {
		return nil, misuse("--rerun-failed: %w", err)
	}
	again := map[string]bool{}
	for _, q := range before.Requirements {
		for _, c := range q.Cases {
			switch c.Outcome {
			case result.Failed, result.Errored, result.Blocked:
				again[c.Name] = true
			}
		}
	}
	if len(again) == 0 {
		return nil, misuse("--rerun-failed: in %s no case failed, ended in an error or was blocked: there is nothing to run again", s.rerun)
	}
	return again, nil
}
