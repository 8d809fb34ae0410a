package delegated

import (
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §5.1 Card
var _ = Clause("5.1", func() {
	OnCard("PACT-5.1-01", "device-flow", judge.DeclareDeviceFlow())
	OnCard("PACT-5.1-02", "both-schemes", judge.RequireBoth(), judge.DeclareDeviceFlow())
	OnCard("PACT-5.1-03", "alone", judge.RequireBearerAlone(), judge.DeclareBearerJWT())

	Case("PACT-5.1-04", "metadata", func(c *engine.C) {
		s := described.In(c)
		c.Judge(s.metadata).To(judge.BeMetadata())
		if s.metadata.Request.Header.Get("Authorization") != "" {
			c.Expect(c.Anywhere().Get(provider.OperationMetadata, s.MetadataURL)).Softly().To(judge.BeOK())
		}
	}, engine.Using(described))
	Case("PACT-5.1-05", "endpoints", func(c *engine.C) {
		s := described.In(c)
		c.ControlOver(s.metadata).To(judge.BeOK())
		c.ControlOver(s.card).To(judge.DeclareDeviceFlow())
		if judge.Member(s.metadata, "token_endpoint") == "" {
			c.Block("the metadata has no token_endpoint, which PACT-5.1-04 says")
		}
		c.Judge(s.card, s.metadata).To(judge.NameTheCardsEndpoints())
	}, engine.Using(described))
	Case("PACT-5.1-06", "keys", func(c *engine.C) {
		s := described.In(c)
		c.Expect(c.Anywhere().Get(provider.OperationKeys, s.keysAt(c))).To(judge.PublishSigningKeys())
	}, engine.Using(described))
	Case("PACT-5.1-07", "keys", func(c *engine.C) {
		answer := read(c, provider.OperationKeys, described.In(c).keysAt(c))
		c.Control(answer).To(judge.PublishKeys())
		c.Expect(answer).To(judge.PublishNoSecrets())
	}, engine.Using(described))
	Case("PACT-5.1-08", "metadata", func(c *engine.C) {
		s := described.In(c)
		c.ControlOver(s.metadata).To(judge.BeOK())
		if s.Issuer == "" {
			c.Block("the metadata has no issuer, which PACT-5.1-04 says")
		}
		c.Judge(s.card, s.metadata).To(judge.SayWhatIsSupported(provider.GrantDeviceCode))
	}, engine.Using(described))

	Case("PACT-5.1-09", "plain", func(c *engine.C) {
		c.Expect(c.Brand().Expecting(result.ExpectSuccess).Ask()).To(judge.BeOrdinaryMessage())
	})
})

// §5.2 Scopes
var _ = Clause("5.2", func() {
	OnCard("PACT-5.2-01", "scopes", judge.DescribeScopes(), judge.DeclareDeviceFlow())
})

// keysAt is where the authorization server publishes its keys.
func (s authorizationServer) keysAt(c *engine.C) string {
	if s.JWKSURI == "" {
		c.Block("the metadata names no jwks_uri, which PACT-5.1-04 says")
	}
	return s.JWKSURI
}

// signingKeys is the key set of the authorization server. Whether anybody may read it PACT-5.1-06 says.
var signingKeys = engine.NewJourney("the authorization server's keys", func(c *engine.C) []byte {
	answer := read(c, provider.OperationKeys, described.In(c).keysAt(c))
	c.Control(answer).To(judge.PublishKeys())
	return answer.Body
}, described)
