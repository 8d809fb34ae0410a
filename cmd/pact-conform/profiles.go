package main

import (
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/suites/delegated"
	"github.com/pact-conform/pact-conform/suites/identity"
)

// profile is one of §7 that can be certified.
type profile struct {
	name string
	// on is the profile that it builds on and that is certified with it; empty for none.
	on           string
	requirements func() []engine.Requirement
	cases        func() []*engine.Case
}

// profiles are those of §7.
var profiles = []profile{
	{identity.Profile, "", identity.Requirements, identity.Cases},
	{delegated.Profile, identity.Profile, delegated.Requirements, delegated.Cases},
}

func profileNames() []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.name)
	}
	return names
}

// loadProfiles makes an engine of all rows and cases of the named profiles, and of those that they
// build on. It returns the names of all of them, without doubles.
func loadProfiles(asked []string) (*engine.Engine, []string, error) {
	wanted := map[string]bool{}
	for _, name := range asked {
		i := slices.Index(profileNames(), name)
		if i < 0 {
			return nil, nil, misuse("--profile: %q is no profile: did you mean %s? (there is: %s)",
				name, nearest(name, profileNames()), strings.Join(profileNames(), ", "))
		}
		wanted[name], wanted[profiles[i].on] = true, true
	}
	var names []string
	var requirements []engine.Requirement
	var cases []*engine.Case
	for _, p := range profiles {
		if wanted[p.name] {
			names = append(names, p.name)
			requirements = append(requirements, p.requirements()...)
			cases = append(cases, p.cases()...)
		}
	}
	e, err := engine.New(requirements, cases)
	if err != nil {
		return nil, nil, broken("%w", err)
	}
	return e, names, nil
}

// loadAll makes an engine of everything there is.
func loadAll() (*engine.Engine, error) {
	e, _, err := loadProfiles(profileNames())
	return e, err
}
