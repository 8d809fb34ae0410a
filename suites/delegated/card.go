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
	OnCard("PACT-5.1-02", "both-schemes", judge.RequireBoth())
	OnCard("PACT-5.1-03", "alone", judge.RequireBearerAlone(), judge.DeclareBearerJWT())

	Case("PACT-5.1-04", "metadata", func(c *engine.C) {
		s := server.In(c)
		c.Judge(s.metadata).To(judge.BeMetadata())
		if s.metadata.Request.Header.Get("Authorization") != "" {
			c.Expect(c.Anywhere().Get(provider.OperationMetadata, s.MetadataURL)).Softly().To(judge.BeOK())
		}
	}, engine.Using(server))
	Case("PACT-5.1-05", "endpoints", func(c *engine.C) {
		s := server.In(c)
		c.ControlOver(s.metadata).To(judge.BeOK())
		c.Judge(s.card, s.metadata).To(judge.NameTheCardsEndpoints())
	}, engine.Using(server))
	Case("PACT-5.1-06", "keys", func(c *engine.C) {
		c.Expect(readKeys(c, server.In(c))).To(judge.PublishSigningKeys())
	}, engine.Using(server))
	Case("PACT-5.1-07", "keys", func(c *engine.C) {
		answer := readKeys(c, server.In(c))
		c.Control(answer).To(judge.BeOK())
		c.Expect(answer).To(judge.PublishNoSecrets())
	}, engine.Using(server))
	Case("PACT-5.1-08", "metadata", func(c *engine.C) {
		s := server.In(c)
		c.ControlOver(s.metadata).To(judge.BeOK())
		c.Judge(s.card, s.metadata).To(judge.SayWhatIsSupported(provider.GrantDeviceCode))
	}, engine.Using(server))

	Case("PACT-5.1-09", "plain", func(c *engine.C) {
		c.Expect(c.Brand().Expecting(result.ExpectSuccess).Ask()).To(judge.BeOrdinaryMessage())
	})
})

// §5.2 Scopes
var _ = Clause("5.2", func() {
	OnCard("PACT-5.2-01", "scopes", judge.DescribeScopes())
})

// readKeys reads the key set of the authorization server, without credentials.
func readKeys(c *engine.C, s authorizationServer) *provider.Answer {
	if s.JWKSURI == "" {
		c.Block("the metadata names no jwks_uri, which PACT-5.1-04 says")
	}
	return c.Anywhere().Get(provider.OperationKeys, s.JWKSURI)
}
