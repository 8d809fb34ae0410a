// Package identity is what PACT Identity is checked for (§2, §3, §4, §6): one file per clause,
// which reads top to bottom like the clause.
package identity

import (
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/suites/dsl"
)

// Profile is the name of the profile (§7).
const Profile = "identity"

// Cases are all cases of the profile.
func Cases() []*engine.Case { return dsl.CasesOf(Profile) }

// Requirements are the rows of the profile.
func Requirements() []engine.Requirement { return dsl.RequirementsOf(Profile) }
