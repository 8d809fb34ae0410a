package engine

import (
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// The cards of the Brands, read once. Whoever calls a Brand takes part in these journeys.
var (
	brandCard = NewJourney("the Brand's card", func(c *C) provider.Card { return c.readCard(c.run.setup.Brand.Card) })
	otherCard = NewJourney("the other Brand's card", func(c *C) provider.Card { return c.readCard(c.run.setup.OtherBrand.Card) })
)

func (c *C) readCard(url string) provider.Card {
	answer := provider.Steady(func() *provider.Answer {
		return c.Anywhere().Expecting(result.ExpectSuccess).Get(provider.OperationCard, url)
	})
	c.Expect(answer).To(judge.BeOK())
	card, err := provider.ParseCard(answer.Body)
	if err != nil {
		c.stop(result.Failed, err.Error())
	}
	return card
}
