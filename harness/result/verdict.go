package result

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict is what a run says of one profile (§7).
type Verdict string

// The verdicts.
const (
	Conformant    Verdict = "conformant"
	NotConformant Verdict = "not conformant"
	// Incomplete: no requirement failed, but one that counts was not run or was blocked.
	Incomplete Verdict = "incomplete"
	// VerdictError: the harness or the network failed, or the run broke off, before anything failed.
	VerdictError Verdict = "error"
)

// The exit codes of the command.
const (
	ExitConformant    = 0
	ExitNotConformant = 1
	ExitUsage         = 2
	ExitIncomplete    = 3
	ExitError         = 4
)

// Conclude fills in what follows from the cases: the outcome of each requirement, what stands beside
// the verdict, each profile's verdict and counts (in the order of names), and the exit code.
func (r *Run) Conclude(names ...string) {
	for i := range r.Requirements {
		r.Requirements[i].conclude(r.Settings.Strict)
	}
	executed := r.executedIn(names)
	r.Profiles = nil
	r.ExitCode = ExitConformant
	for _, name := range names {
		p := r.conclude(name, executed)
		r.Profiles = append(r.Profiles, p)
		r.ExitCode = worseExit(r.ExitCode, r.exit(p))
	}
	if len(names) == 0 {
		r.ExitCode = ExitError
	}
}

func (q *Requirement) conclude(strict bool) {
	if strict && q.Level == Should && q.Basis != "practice" {
		for i := range q.Cases {
			if q.Cases[i].Outcome == Warning {
				q.Cases[i].Outcome = Failed
			}
		}
	}
	q.Outcome = WorstOf(q.Cases)
	q.Beside = ""
	if q.Outcome != NotRun && q.Outcome != NotApplicable {
		return
	}
	for _, c := range q.Cases {
		if c.Outcome != q.Outcome || c.Optional && c.Outcome == NotRun {
			continue
		}
		if c.Beside == "" && c.Outcome == NotRun {
			q.Beside = ""
			return
		}
		if q.Beside == "" {
			q.Beside = c.Beside
		}
	}
}

// fails reports whether a broken requirement makes the profile fail. Only a must can leave a verdict
// open, whatever --strict says: that turns warnings into failures and asks for nothing more.
func (s Settings) fails(q *Requirement) bool {
	return q.Level == Must || s.Strict && q.Level == Should && q.Basis != "practice"
}

// executed reports whether anything was seen of the Provider for the requirement.
func (q *Requirement) executed() bool {
	switch q.Outcome {
	case Failed, Warning, Observed, Passed:
		return true
	}
	return false
}

// conclude judges one profile; elsewhere reports whether anything was executed in this or another profile of the run.
func (r *Run) conclude(name string, elsewhere bool) Profile {
	p := Profile{Name: name, Counts: map[Outcome]int{}}
	var failed, errored, open []string
	executed, selected := 0, 0
	for i := range r.Requirements {
		q := &r.Requirements[i]
		if !inProfile(q.Profile, name) {
			continue
		}
		p.Counts[q.Outcome]++
		if q.Beside != "" {
			p.Beside = append(p.Beside, Beside{ID: q.ID, Reason: q.Beside})
		}
		if len(q.Cases) > 0 {
			selected++
		}
		if q.executed() {
			executed++
		}
		if q.Outcome == Failed && r.Settings.fails(q) {
			failed = append(failed, q.ID)
		}
		if q.Level != Must {
			continue
		}
		switch q.Outcome {
		case Errored:
			errored = append(errored, q.ID)
		case NotRun, Blocked:
			if q.Beside == "" || r.Settings.Certify {
				open = append(open, q.ID)
			}
		case NotApplicable:
			if q.Beside != "" && r.Settings.Certify {
				open = append(open, q.ID)
			}
		}
	}
	switch {
	case len(failed) > 0:
		p.Verdict, p.Reason = NotConformant, listed(failed, "failed")
	case r.Stopped != "":
		p.Verdict, p.Reason = VerdictError, "the run broke off: "+r.Stopped
	case len(errored) > 0:
		p.Verdict, p.Reason = VerdictError, listed(errored, "ended in an error of the harness or the network")
	case r.Settings.Selected() && selected == 0 && elsewhere:
		p.Verdict, p.Reason = Incomplete, "nothing of this profile was selected"
	case executed == 0:
		p.Verdict, p.Reason = VerdictError, "nothing was executed"
	case r.Settings.Selected():
		p.Verdict, p.Reason = Incomplete, fmt.Sprintf("a selection shows no conformance; of what was selected, nothing failed (%s)", count(executed))
	case len(open) > 0:
		p.Verdict, p.Reason = Incomplete, listed(open, "could not be judged")
	default:
		p.Verdict, p.Reason = Conformant, fmt.Sprintf("no requirement failed and every one that counts was judged (%s)", count(executed))
	}
	return p
}

// executedIn reports whether anything of the profiles was executed.
func (r *Run) executedIn(names []string) bool {
	for i := range r.Requirements {
		q := &r.Requirements[i]
		in := func(name string) bool { return inProfile(q.Profile, name) }
		if q.executed() && slices.ContainsFunc(names, in) {
			return true
		}
	}
	return false
}

// inProfile reports whether a requirement of the profile own belongs to the profile name: Delegated is Identity plus §5 (§7).
func inProfile(own, name string) bool {
	return own == name || name == "delegated" && own == "identity"
}

func listed(ids []string, what string) string {
	const most = 5
	shown, more := ids, ""
	if len(ids) > most {
		shown, more = ids[:most], ", …"
	}
	return fmt.Sprintf("%s %s (%s%s)", count(len(ids)), what, strings.Join(shown, ", "), more)
}

func count(requirements int) string {
	if requirements == 1 {
		return "1 requirement"
	}
	return fmt.Sprintf("%d requirements", requirements)
}

func (r *Run) exit(p Profile) int {
	switch p.Verdict {
	case Conformant:
		return ExitConformant
	case NotConformant:
		return ExitNotConformant
	case VerdictError:
		return ExitError
	}
	if r.Settings.Selected() || r.Settings.AllowIncomplete {
		return ExitConformant
	}
	return ExitIncomplete
}

// worseExit is the exit code of two profiles: the first of 1, 4, 3, 0.
func worseExit(a, b int) int {
	for _, code := range []int{ExitNotConformant, ExitError, ExitIncomplete} {
		if a == code || b == code {
			return code
		}
	}
	return ExitConformant
}
