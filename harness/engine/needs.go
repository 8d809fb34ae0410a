package engine

import "slices"

// Needs reports whether a row or a case of the engine asks for one of the kinds of set-up.
func (e *Engine) Needs(kinds ...string) bool {
	asks := func(needs []string) bool {
		return slices.ContainsFunc(needs, func(need string) bool { return slices.Contains(kinds, need) })
	}
	return slices.ContainsFunc(e.requirements, func(q Requirement) bool { return asks(q.Needs) }) ||
		slices.ContainsFunc(e.ordered, func(c *Case) bool { return asks(c.needs) })
}
