// Package result is a finished run of pact-conform: what was judged, what came of it and the
// exchanges that show it. It is a leaf that the engine writes and that reports, the command and
// other tools read; results.json is its JSON form.
//
// Nothing in a Run is secret: the recorder masks before anything reaches this package.
package result

import "time"

// SchemaVersion is the version of the JSON form. A change that an existing reader would misread
// raises the first number; added members raise the second.
const SchemaVersion = "1.1"

// Run is one finished (or broken-off) run against one Provider.
type Run struct {
	SchemaVersion string        `json:"schemaVersion"`
	Tool          Tool          `json:"tool"`
	Specification Specification `json:"specification"`
	Catalogue     Catalogue     `json:"catalogue"`
	Provider      Provider      `json:"provider"`
	Brand         Brand         `json:"brand"`
	OtherBrand    *Brand        `json:"otherBrand,omitempty"`
	Agents        []Agent       `json:"agents,omitempty"`
	Started       time.Time     `json:"started"`
	// Duration is the whole run, from first request to verdict, in seconds.
	Duration float64  `json:"duration"`
	Settings Settings `json:"settings"`
	Stats    Stats    `json:"stats"`
	// Stopped says why the run broke off (interrupted, the target stopped answering); empty when it ended by itself.
	Stopped string `json:"stopped,omitempty"`
	// ExitCode is the exit code of the command that made this run.
	ExitCode     int           `json:"exitCode"`
	Profiles     []Profile     `json:"profiles"`
	Requirements []Requirement `json:"requirements"`
	Journeys     []Journey     `json:"journeys,omitempty"`
	Exchanges    []Exchange    `json:"exchanges,omitempty"`
	// Notes are things a reader should know that belong to no single requirement.
	Notes []string `json:"notes,omitempty"`
	// Pictures are the PNG files that steps name. They are kept beside the JSON form, not in it.
	Pictures map[string][]byte `json:"-"`
}

// Tool names the program that made the run.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Specification names what was judged against.
type Specification struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Catalogue identifies the list of requirements, byte for byte.
type Catalogue struct {
	Version      int    `json:"version"`
	SHA256       string `json:"sha256"`
	Requirements int    `json:"requirements"`
}

// Provider is the system under test, as configuration and card name it.
type Provider struct {
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	// Policy is "allowlist" or "open" (§3.1).
	Policy string `json:"policy,omitempty"`
}

// Brand is one Brand of the Provider.
type Brand struct {
	Card string `json:"card"`
	Name string `json:"name,omitempty"`
	// Interface is the interface URL that the card gave; empty when the card could not be read.
	Interface string `json:"interface,omitempty"`
}

// Agent is one of the personal agents that the harness played.
type Agent struct {
	// Role is primary, second or disabled.
	Role   string `json:"role"`
	Issuer string `json:"issuer"`
	// Mode is "served" (the harness served the JWKS) or "static".
	Mode string `json:"mode,omitempty"`
}

// Settings are the choices that decide how results become a verdict.
type Settings struct {
	Only            []string `json:"only,omitempty"`
	Skip            []string `json:"skip,omitempty"`
	RerunFailed     string   `json:"rerunFailed,omitempty"`
	Certify         bool     `json:"certify,omitempty"`
	Strict          bool     `json:"strict,omitempty"`
	AllowIncomplete bool     `json:"allowIncomplete,omitempty"`
	Concurrency     int      `json:"concurrency,omitempty"`
	// MaxWait is the longest wait that a case may ask for, in seconds.
	MaxWait float64 `json:"maxWait,omitempty"`
}

// Selected reports whether the run was told to leave requirements out; such a run is never conformant.
func (s Settings) Selected() bool {
	return len(s.Only) > 0 || len(s.Skip) > 0 || s.RerunFailed != ""
}

// Stats counts what the run cost.
type Stats struct {
	Requests int `json:"requests"`
	// Turns are answers of message:send that made the agent run; Replays are stored replies.
	Turns   int `json:"turns"`
	Replays int `json:"replays"`
	// Chain is the most turns that one case had to wait for, one after the other.
	Chain int `json:"chain,omitempty"`
	// Waited is the time that requests spent paused for a Retry-After, in seconds.
	Waited float64 `json:"waited,omitempty"`
	// SecondLooks counts cases that ran again, alone, because they met a 5xx or a cut connection.
	SecondLooks int `json:"secondLooks,omitempty"`
	// ClockOffset is the Provider's Date minus the local clock, in seconds.
	ClockOffset float64 `json:"clockOffset,omitempty"`
}

// Profile is the verdict over one profile's requirements.
type Profile struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	// Reason says in a sentence why the verdict is what it is.
	Reason string          `json:"reason"`
	Counts map[Outcome]int `json:"counts"`
	// Beside lists requirements that the chosen mode cannot show and that do not make the verdict incomplete.
	Beside []Beside `json:"beside,omitempty"`
}

// Beside is a requirement that stands beside the verdict, and why.
type Beside struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Requirement is one row of the catalogue with what came of it.
type Requirement struct {
	ID      string `json:"id"`
	Profile string `json:"profile"`
	Level   Level  `json:"level"`
	Basis   string `json:"basis"`
	Clause  string `json:"clause"`
	Text    string `json:"text"`
	// Outcome is the worst of the cases; an optional case that is not-run does not count.
	Outcome Outcome `json:"outcome"`
	// Beside says why the row stands beside the verdict; empty when it counts.
	Beside string `json:"beside,omitempty"`
	Cases  []Case `json:"cases"`
}

// Level is how strongly the specification asks for a requirement.
type Level string

// The levels of the catalogue (RFC 2119): a broken must fails, a broken should warns, info is recorded.
const (
	Must   Level = "must"
	Should Level = "should"
	Info   Level = "info"
)

// Case is one executed observation for a requirement.
type Case struct {
	// Name is the requirement's id, a slash and the case's own name: PACT-3.2-04/pem.
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	// Optional cases run only where their set-up is there.
	Optional bool `json:"optional,omitempty"`
	// Reason says why a case is blocked, not-run, not-applicable or an error.
	Reason string `json:"reason,omitempty"`
	// Beside says why a not-run or not-applicable case does not make the verdict incomplete; see Requirement.Beside.
	Beside string `json:"beside,omitempty"`
	// Judge, Expected and Got are those of the judgement that decided the outcome.
	Judge    string `json:"judge,omitempty"`
	Expected string `json:"expected,omitempty"`
	Got      string `json:"got,omitempty"`
	// Judgements are all that were made, in order.
	Judgements []Judgement `json:"judgements,omitempty"`
	// Observations are recorded facts that nobody judges.
	Observations []string `json:"observations,omitempty"`
	// Exchanges are the ids of the exchanges that the case made or judged, in order.
	Exchanges []string `json:"exchanges,omitempty"`
	// Controls are the ids of the exchanges of the positive twin that a negative case counts beside.
	Controls []string `json:"controls,omitempty"`
	// Journeys are the names of the journeys that the case used.
	Journeys []string `json:"journeys,omitempty"`
	// Steps are what the User did for the case alone, in order.
	Steps []Step `json:"steps,omitempty"`
	// Started is the time since the run began, Duration that of the case, both in seconds.
	Started  float64 `json:"started"`
	Duration float64 `json:"duration"`
	// SecondLook is set when the case met a 5xx or a cut connection and was run again, alone.
	SecondLook bool `json:"secondLook,omitempty"`
}

// Judgement is one judge's finding over recorded exchanges; the judge can be run again over them.
type Judgement struct {
	Judge     string         `json:"judge"`
	Args      map[string]any `json:"args,omitempty"`
	Exchanges []string       `json:"exchanges"`
	Outcome   Outcome        `json:"outcome"`
	Expected  string         `json:"expected,omitempty"`
	Got       string         `json:"got,omitempty"`
}

// Journey is a flow that cases share.
type Journey struct {
	Name string `json:"name"`
	// Outcome is passed where the flow came to its end; what it lacked of set-up makes it not-run or not-applicable.
	Outcome   Outcome  `json:"outcome"`
	Reason    string   `json:"reason,omitempty"`
	Exchanges []string `json:"exchanges,omitempty"`
	// Journeys are the names of the journeys that it waited for.
	Journeys []string `json:"journeys,omitempty"`
	// Steps are what the User did, in order.
	Steps    []Step  `json:"steps,omitempty"`
	Started  float64 `json:"started"`
	Duration float64 `json:"duration"`
}

// Find returns the exchange with the id, or nil.
func (r *Run) Find(id string) *Exchange {
	for i := range r.Exchanges {
		if r.Exchanges[i].ID == id {
			return &r.Exchanges[i]
		}
	}
	return nil
}
