// Package delegated is what PACT Delegated is checked for besides Identity (§5): one file per
// clause, which reads top to bottom like the clause.
package delegated

import (
	"net/http"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/dsl"
)

// Profile is the name of the profile (§7): Identity plus §5.
const Profile = "delegated"

// Cases are all cases of §5.
func Cases() []*engine.Case { return dsl.CasesOf(Profile) }

// Requirements are the rows of §5.
func Requirements() []engine.Requirement { return dsl.RequirementsOf(Profile) }

// authorizationServer is a Brand's, as card and metadata describe it.
type authorizationServer struct {
	*provider.Delegation
	provider.Metadata
	card, metadata *result.Exchange
}

// described is what card and metadata say of the Brand's authorization server.
var described = engine.NewJourney("the Brand's card and metadata", func(c *engine.C) authorizationServer {
	return describe(c, c.Setup().Brand.Card, c.Card())
})

// server is the Brand's authorization server, as far as it can be asked.
var server = engine.NewJourney("the Brand's authorization server", func(c *engine.C) authorizationServer {
	return described.In(c).mustBeAskable(c)
}, described)

// mustBeAskable blocks where there is nothing to ask for, or nowhere to ask.
func (s authorizationServer) mustBeAskable(c *engine.C) authorizationServer {
	c.ControlOver(s.card).To(judge.DeclareDeviceFlow())
	if s.FirstScope() == "" {
		c.Block("the card has no scope to ask for, which PACT-5.2-01 says")
	}
	return s
}

func describe(c *engine.C, cardURL string, card provider.Card) authorizationServer {
	if card.Delegation == nil {
		c.Block("the card offers no delegated authority, which PACT-5.1-01 says")
	}
	s := authorizationServer{Delegation: card.Delegation}
	s.card = c.Anywhere().Get(provider.OperationCard, cardURL).Exchange
	answer := read(c, provider.OperationMetadata, card.Delegation.MetadataURL)
	answer.Into(&s.Metadata)
	s.metadata = answer.Exchange
	return s
}

// read gets metadata or keys without credentials, and with the personal-agent JWT where they are not
// to be had otherwise.
func read(c *engine.C, operation, from string) *provider.Answer {
	answer := c.Anywhere().Get(operation, from)
	if answer.Status == http.StatusUnauthorized || answer.Status == http.StatusForbidden {
		return c.Brand().GetWithToken(operation, from)
	}
	return answer
}
