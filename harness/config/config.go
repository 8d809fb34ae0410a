// Package config is what a run is told: the file pact-conform.yaml, variables of the environment and
// flags, checked as a whole before anything is sent.
//
// Load reports every problem at once, each in one line with file, line and key. What a key means,
// which values it takes and what holds without it stands in one table, Fields, from which the checks
// and docs/configuration.md derive.
package config

import (
	"regexp"
	"time"
)

// Config is the configuration of a run. Load fills it; every value in it has been checked.
type Config struct {
	// File is the path of the configuration file, as it was named; empty when there is none.
	File string
	// Dir is the folder of File, in which commands run and to which the file's paths are relative;
	// empty for the working directory.
	Dir string

	Provider Provider
	Brand    Brand
	// OtherBrand is a second Brand of the same Provider.
	OtherBrand Optional[OtherBrand]
	Gateway    Gateway
	Agents     Agents
	Users      []User
	Prompts    Prompts
	// Revoke says how a grant is revoked. It is set to the automatic way unless the file says otherwise.
	Revoke  Optional[Revoke]
	Browser Browser
	Limits  Limits
	Report  Report

	secrets *secrets
}

// Provider is the system under test.
type Provider struct {
	Name    string
	Version string
	// Audience is the value that the Provider assigned to its personal agents (§3.1).
	Audience string
	Policy   Policy
}

// Policy is which personal agents a Provider accepts (§3.1).
type Policy string

// The policies.
const (
	// Allowlist: only personal agents that were registered.
	Allowlist Policy = "allowlist"
	// Open: any issuer that serves keys.
	Open Policy = "open"
)

// Brand is the Brand that the run talks to.
type Brand struct {
	// Card is the URL of the Agent Card.
	Card string
	Name string
	// Domain is the Brand's own host name, where §2.1's standard place of the card is checked.
	Domain Optional[string]
	// UnknownCard is the card URL of a Brand that does not exist; empty when it is to be derived from Card.
	UnknownCard string
}

// OtherBrand is a second Brand of the same Provider.
type OtherBrand struct {
	// Card is the URL of the Agent Card.
	Card string
	Name string
}

// Gateway is what stands in front of the Provider, a staging gateway for instance.
type Gateway struct {
	// Headers are added to every request to the Provider; names are in canonical form.
	Headers map[string]Secret
}

// Mode is who publishes the personal agents' keys.
type Mode string

// The modes.
const (
	// Served: the harness serves issuer and JWKS while it runs.
	Served Mode = "served"
	// Static: the JWKS was published elsewhere beforehand.
	Static Mode = "static"
)

// Agents are the personal agents that the harness plays.
type Agents struct {
	Mode Mode
	// Listen is the host:port that the issuer and JWKS server listens on (served mode).
	Listen string
	// PublicURL is the URL under which the Provider reaches Listen, without a trailing slash (served mode).
	PublicURL string
	TLS       TLS
	// Keys is the path of the private key ring; empty for fresh keys in each run.
	Keys string
	// ExtraKeys publishes a key of each algorithm that must be refused.
	ExtraKeys bool
	Primary   Agent
	Second    Optional[Agent]
	// Disabled is an agent that the Provider has registered and disabled.
	Disabled Optional[Agent]
	// Register says how an agent is made known to the Provider; unset and none are both "out of band".
	Register Optional[Register]
}

// Agent is one personal agent. Its JWKS is {Issuer}/.well-known/jwks.json.
type Agent struct {
	Issuer string
}

// TLS holds the paths of certificate and private key with which the issuer and JWKS server speaks
// TLS; it speaks plain HTTP when they are empty.
type TLS struct {
	Cert, Key string
}

// Register is how an agent is made known to the Provider; exactly one member is set.
type Register struct {
	// URL takes the self-registration call.
	URL string
	// Command is run for each agent.
	Command []string
}

// User is a Brand user, with whom the Delegated profile logs in.
type User struct {
	Username string
	Password Secret
	// TOTP is the secret of one-time codes in base32; empty when the login asks for none.
	TOTP Secret
	// ID is the Brand's id of this user, compared with the delegation token's sub (§5.4) when set.
	ID string
}

// Prompts are texts that make the Brand's agent do what a requirement is about.
type Prompts struct {
	// Plain needs no scope.
	Plain string
	// Scopes each need the scope they name.
	Scopes []ScopePrompt
	// StepUp needs a scope that the run leaves out at first (§5.5).
	StepUp Optional[ScopePrompt]
	Close  Optional[ClosePrompt]
	Memory Optional[MemoryPrompt]
}

// ScopePrompt is a text that makes the Brand's agent need a scope.
type ScopePrompt struct {
	// Needs is the scope's id on the card.
	Needs string
	Text  string
}

// ClosePrompt is a text upon which the Brand's agent ends the conversation (§4.2).
type ClosePrompt struct {
	Text string
}

// MemoryPrompt tells a fact and asks for it later in the same conversation.
type MemoryPrompt struct {
	Tell, Ask string
	// Expect matches an answer that knows the fact.
	Expect *regexp.Regexp
}

// Revoke is how a grant is revoked: by Command, or else at the revocation_endpoint of the metadata.
type Revoke struct {
	Command []string
}

// Auto reports whether the metadata's revocation_endpoint is used.
func (r Revoke) Auto() bool { return len(r.Command) == 0 }

// Browser is how the User's part is played.
type Browser struct {
	// Chromium is the program to run; empty when it is to be found.
	Chromium string
	User     BrowserUser
}

// BrowserUser is who logs in and decides: Hook when it is set, a person when Manual is, else Chromium.
type BrowserUser struct {
	Manual bool
	Hook   []string
}

// Limits bound what a run does to the Provider and how long it waits.
type Limits struct {
	// Concurrency is the number of requests in flight at most.
	Concurrency int
	// Rate is the number of requests per second at most; 0 for no limit.
	Rate float64
	// TurnTimeout is the deadline of a message:send that runs the Brand's agent, RequestTimeout that of all else.
	TurnTimeout, RequestTimeout time.Duration
	// MaxWait is the longest wait that a case may ask for; what would wait longer is not run.
	MaxWait time.Duration
	// RotationWait is how long a newly published key may take to be accepted (PACT-3.1-02).
	RotationWait time.Duration
	// WithdrawalWait is how long after its withdrawal a key is tried again (PACT-3.1-03).
	WithdrawalWait time.Duration
}

// Report is where the report goes.
type Report struct {
	Dir string
}
