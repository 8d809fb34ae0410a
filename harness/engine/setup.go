package engine

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/clock"
	"github.com/pact-conform/pact-conform/harness/result"
)

// Setup is what a run is made with and against.
type Setup struct {
	Version  string
	Provider result.Provider
	Brand    Brand
	// OtherBrand is a second Brand of the same Provider; without a card there is none to use.
	OtherBrand Brand
	// UnknownCard is the card URL of a Brand that does not exist; empty lets the harness make one.
	UnknownCard string
	// Audience is what the Provider assigned (§3.1).
	Audience string
	// Open says that the Provider accepts any issuer that serves keys.
	Open bool

	// Primary is the personal agent; Second and Disabled are nil where there is none.
	Primary, Second, Disabled *agent.Agent
	// Server serves the JWKS; nil in static mode.
	Server *agent.Server

	// Users are the Brand's users whom the run may play (§5.3): the first signs in, the second is
	// somebody else. Where a person or a hook plays them, a user without a name is whoever that is.
	Users []User
	// Player decides on consent in place of Chromium; nil where Chromium does.
	Player Player
	// Chromium shows pages; nil where there are none to be read, and NoPages says why then.
	Chromium *browser.Browser
	NoPages  string
	// NoPictures spares the pictures of pages, for a run whose report nobody looks at.
	NoPictures bool
	// Revoke ends a grant by other means than the metadata's revocation_endpoint (RFC 7009); nil for none.
	Revoke func(context.Context, Revocation) error

	Prompts Prompts
	// Absent names the set-up that the Provider rightly lacks, and who says so.
	Absent map[string]string

	Limits   Limits
	Settings result.Settings
	// Headers go with every request: what a gateway in front of the Provider wants.
	Headers http.Header
	// Secrets are masked wherever they turn up.
	Secrets []string
	// Clock is the local clock; nil is the machine's.
	Clock clock.Clock
	// Transport makes the requests; nil is one of the run's own.
	Transport http.RoundTripper
}

// Brand is one Brand under test.
type Brand struct {
	Card, Name string
	// Domain is the Brand's own, where §2.1's standard place is looked for; empty for none.
	Domain string
}

// Prompts are texts that make the Brand's agent do something.
type Prompts struct {
	// Plain is an ordinary question.
	Plain string
	// Scopes each need a scope, and StepUp one that the run leaves out at first; nil for none (§5.5).
	Scopes []ScopePrompt
	StepUp *ScopePrompt
	// Close ends the conversation; empty for none.
	Close string
	// Memory tells a fact and asks for it; nil for none.
	Memory *Memory
}

// ScopePrompt is a text that makes the Brand's agent need a scope.
type ScopePrompt struct {
	// Needs is the id of the scope on the card.
	Needs, Text string
}

// Memory is a fact, its question, and what an answer that knows it looks like.
type Memory struct {
	Tell, Ask string
	Expect    *regexp.Regexp
}

// Limits bound a run.
type Limits struct {
	Concurrency                 int
	Rate                        float64
	TurnTimeout, RequestTimeout time.Duration
	// MaxWait is the longest wait of a case; what needs longer is not run.
	MaxWait time.Duration
	// RotationWait is how long a new key may take to be accepted, WithdrawalWait how long a withdrawn one may still be.
	RotationWait, WithdrawalWait time.Duration
}

// The kinds of set-up that rows need, as the catalogue names them.
const (
	NeedSecondBrand   = "second-brand"
	NeedSecondAgent   = "second-agent"
	NeedDisabledAgent = "disabled-agent"
	NeedServedJWKS    = "served-jwks"
	NeedBrandDomain   = "brand-domain"
	NeedSlow          = "slow"
	NeedPromptClose   = "prompt:close"
	NeedPromptMemory  = "prompt:memory"

	NeedSecondDelegatedBrand = "second-delegated-brand"
	NeedBrandUser            = "brand-user"
	NeedSecondUser           = "second-user"
	NeedBrowser              = "browser"
	NeedPage                 = "page"
	NeedTwoScopes            = "two-scopes"
	NeedRevoke               = "revoke"
	NeedPromptScope          = "prompt:scope"
	NeedPromptStepUp         = "prompt:stepup"
)

// lack is set-up that is not there, and what that makes of a case.
type lack struct {
	outcome        result.Outcome
	reason, beside string
}

// missing says what is missing of a need; nil when it is there.
func (s *Setup) missing(need string) *lack {
	there, how := false, ""
	switch need {
	case NeedSecondBrand, NeedSecondDelegatedBrand: // whether it delegates is seen on its card
		need = NeedSecondBrand
		there, how = s.OtherBrand.Card != "", "set otherBrand.card, or otherBrand: none"
	case NeedSecondAgent:
		there, how = s.Second != nil, "set agents.second, or none"
	case NeedDisabledAgent:
		there, how = s.Disabled != nil, "set agents.disabled, or none"
	case NeedBrandDomain:
		there, how = s.Brand.Domain != "", "set brand.domain, or none"
	case NeedPromptClose:
		there, how = s.Prompts.Close != "", "set prompts.close, or none"
	case NeedPromptMemory:
		there, how = s.Prompts.Memory != nil, "set prompts.memory, or none"
	case NeedServedJWKS:
		if s.Server == nil {
			reason := "in static mode the harness does not serve the JWKS"
			return &lack{result.NotRun, reason, reason}
		}
		there = true
	case NeedBrandUser:
		there, how = len(s.Users) > 0, "set users"
	case NeedSecondUser:
		there, how = len(s.Users) > 1, "set a second one of users"
	case NeedBrowser:
		there, how = s.Player != nil || s.Chromium != nil, s.NoPages
	case NeedPage:
		if s.Chromium == nil {
			return &lack{result.NotRun, s.NoPages, s.NoPages}
		}
		there = true
	case NeedPromptScope:
		there, how = len(s.Prompts.Scopes) > 0, "set prompts.scopes"
	case NeedPromptStepUp:
		there, how = s.Prompts.StepUp != nil, "set prompts.stepUp"
	case NeedSlow, NeedTwoScopes, NeedRevoke: // how long a case waits, the card and the metadata decide
		there = s.Absent[need] == ""
	}
	if there {
		return nil
	}
	if who, absent := s.Absent[need]; absent {
		reason := fmt.Sprintf("declared absent: %s", who)
		return &lack{result.NotApplicable, reason, reason}
	}
	if how == "" {
		how = "this version cannot set it up"
	}
	return &lack{result.NotRun, fmt.Sprintf("needs %s: %s", need, how), ""}
}

// refuse says why a case cannot be run in this set-up; nil when it can.
func (s *Setup) refuse(q Requirement, c *Case) *lack {
	for _, needs := range [][]string{q.Needs, c.needs} {
		for _, need := range needs {
			if l := s.missing(need); l != nil {
				return l
			}
		}
	}
	if c.wait != nil {
		if wait := c.wait(s.Limits); wait > s.Limits.MaxWait {
			reason := fmt.Sprintf("waits %s, which is more than --max-wait %s", wait, s.Limits.MaxWait)
			return &lack{result.NotRun, reason, reason}
		}
	}
	return nil
}
