// Package judge holds the judges: named, pure functions of recorded exchanges (and their own
// arguments) that say "passed" or what falls short. A judgement is stored by name and arguments,
// so that it can be made again over stored exchanges. A Judge is a Gomega matcher too.
package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/pact-conform/pact-conform/harness/result"
)

// Args are the arguments of a judge: what JSON can hold.
type Args map[string]any

// Finding is what a judge says.
type Finding struct {
	// Outcome is Passed, Failed, or Warning and Observed where the rule itself is softer than a
	// failure; Errored where the exchange has no answer to judge.
	Outcome result.Outcome
	// Expected and Got say in plain words what was looked for and what was there.
	Expected, Got string
}

// Judge is one named rule with its arguments.
type Judge struct {
	Name string
	Args Args

	find func([]*result.Exchange) Finding
	// silent judges take an exchange without an answer for what it is.
	silent bool
}

var registry = map[string]func(Args) (Judge, error){}

// New is the judge with that name and those arguments, as a stored judgement holds them.
func New(name string, args Args) (Judge, error) {
	build, ok := registry[name]
	if !ok {
		return Judge{}, fmt.Errorf("there is no judge %q", name)
	}
	return build(args)
}

// Names are the names of all judges, sorted.
func Names() []string {
	names := make([]string, 0, len(registry))
	for name := range registry {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// define registers a judge whose arguments are the fields of A. What it returns makes the judge.
func define[A any](name string, find func(A, []*result.Exchange) Finding) func(A) Judge {
	make := func(a A) Judge {
		return Judge{Name: name, Args: toArgs(a), find: func(xs []*result.Exchange) Finding { return find(a, xs) }}
	}
	registry[name] = func(args Args) (Judge, error) {
		var a A
		data, err := json.Marshal(args)
		if err == nil {
			err = json.Unmarshal(data, &a)
		}
		if err != nil {
			return Judge{}, fmt.Errorf("judge %s: %w", name, err)
		}
		return make(a), nil
	}
	return make
}

// silent lets a judge see exchanges without an answer for what they are.
func silent[A any](build func(A) Judge) func(A) Judge {
	quiet := func(j Judge) Judge {
		j.silent = true
		return j
	}
	var zero A
	name := build(zero).Name
	stored := registry[name]
	registry[name] = func(args Args) (Judge, error) {
		j, err := stored(args)
		return quiet(j), err
	}
	return func(a A) Judge { return quiet(build(a)) }
}

// none are the arguments of a judge that has none.
type none struct{}

func toArgs(a any) Args {
	data, err := json.Marshal(a)
	if err != nil {
		panic("judge: arguments that JSON cannot hold: " + err.Error())
	}
	var args Args
	if err := json.Unmarshal(data, &args); err != nil {
		panic("judge: arguments that are no object: " + err.Error())
	}
	return args
}

// Find judges the exchanges. Exchanges without an answer cannot be judged, and none at all neither.
func (j Judge) Find(xs ...*result.Exchange) Finding {
	if len(xs) == 0 || slices.Contains(xs, nil) {
		return Finding{Outcome: result.Errored, Got: "no exchange was recorded"}
	}
	if !j.silent {
		for _, x := range xs {
			if x.Response == nil || x.Error != "" {
				return unanswered(x)
			}
		}
	}
	return j.find(xs)
}

// unanswered is the finding over an exchange that got no whole answer.
func unanswered(x *result.Exchange) Finding {
	return Finding{Outcome: result.Errored, Expected: "an answer", Got: cmp.Or(x.Error, "none")}
}

// Record is the judgement as it is stored.
func (j Judge) Record(f Finding, xs []*result.Exchange) result.Judgement {
	ids := make([]string, len(xs))
	for i, x := range xs {
		ids[i] = x.ID
	}
	return result.Judgement{Judge: j.Name, Args: j.Args, Exchanges: ids, Outcome: f.Outcome, Expected: f.Expected, Got: f.Got}
}

// Match is Gomega's: actual is an exchange, several, or anything that has recorded some.
func (j Judge) Match(actual any) (bool, error) {
	xs, err := exchanges(actual)
	if err != nil {
		return false, err
	}
	return j.Find(xs...).Outcome == result.Passed, nil
}

// FailureMessage is Gomega's.
func (j Judge) FailureMessage(actual any) string {
	xs, err := exchanges(actual)
	if err != nil {
		return err.Error()
	}
	f := j.Find(xs...)
	return fmt.Sprintf("%s\nexpected %s\ngot %s", j.Name, f.Expected, f.Got)
}

// NegatedFailureMessage is Gomega's.
func (j Judge) NegatedFailureMessage(any) string { return "expected not to pass: " + j.Name }

func exchanges(actual any) ([]*result.Exchange, error) {
	switch of := actual.(type) {
	case *result.Exchange:
		return []*result.Exchange{of}, nil
	case []*result.Exchange:
		return of, nil
	case interface{ Recorded() []*result.Exchange }:
		return of.Recorded(), nil
	}
	return nil, fmt.Errorf("a judge looks at exchanges, not at %T", actual)
}

func passed(expected string) Finding { return Finding{Outcome: result.Passed, Expected: expected} }

func failed(expected, got string, args ...any) Finding {
	return Finding{Outcome: result.Failed, Expected: expected, Got: fmt.Sprintf(got, args...)}
}

func warned(expected, got string, args ...any) Finding {
	return Finding{Outcome: result.Warning, Expected: expected, Got: fmt.Sprintf(got, args...)}
}
