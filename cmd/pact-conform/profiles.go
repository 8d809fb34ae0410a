package main

import (
	"strings"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/suites/identity"
)

// profile is one of §7 that can be certified.
type profile struct {
	name         string
	requirements func() []engine.Requirement
	cases        func() []*engine.Case
}

// profiles are all that this version checks.
var profiles = []profile{
	{identity.Profile, identity.Requirements, identity.Cases},
}

func profileNames() []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.name)
	}
	return names
}

// loadProfiles makes an engine of all rows and cases of the named profiles, and returns the names
// without doubles.
func loadProfiles(asked []string) (*engine.Engine, []string, error) {
	var names []string
	var requirements []engine.Requirement
	var cases []*engine.Case
	wanted := map[string]bool{}
	for _, name := range asked {
		wanted[name] = true
	}
	for _, p := range profiles {
		if wanted[p.name] {
			delete(wanted, p.name)
			names = append(names, p.name)
			requirements = append(requirements, p.requirements()...)
			cases = append(cases, p.cases()...)
		}
	}
	for _, name := range asked {
		if wanted[name] {
			return nil, nil, misuse("--profile: %q is no profile of this version: did you mean %s? (there is: %s)",
				name, nearest(name, profileNames()), strings.Join(profileNames(), ", "))
		}
	}
	e, err := engine.New(requirements, cases)
	if err != nil {
		return nil, nil, broken("%w", err)
	}
	return e, names, nil
}

// loadAll makes an engine of everything that this version checks.
func loadAll() (*engine.Engine, error) {
	e, _, err := loadProfiles(profileNames())
	return e, err
}
