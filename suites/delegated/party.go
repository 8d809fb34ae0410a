package delegated

import (
	"slices"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// party is who asks whom for a grant of whose: a personal agent, a Brand, a Brand user.
type party struct {
	agent *agent.Agent
	// other is the second Brand.
	other bool
	user  engine.User
	// sub is the one that the personal agent speaks for (§3.2).
	sub    string
	server authorizationServer
}

// primary is the primary personal agent, the first Brand and its first user, if there is one.
func primary(c *engine.C) party {
	p := party{agent: c.Setup().Primary, sub: c.AnotherUser(), server: server.In(c)}
	if users := c.Setup().Users; len(users) > 0 {
		p.user = users[0]
	}
	return p
}

// caller calls the Brand as the party, with its personal-agent JWT alone.
func (p party) caller(c *engine.C) provider.Caller {
	brand := c.Brand()
	if p.other {
		brand = c.OtherBrand()
	}
	return brand.By(p.agent).As(p.sub)
}

// choice is which scopes of the card a run asks for.
type choice struct {
	// first is what nearly every grant has, second what is asked for beside it and unticked.
	first, second string
	// extra was never asked for where it is forged into a decision.
	extra string
	// step is what the step-up text needs; empty without one.
	step string
	// lacking are the needs of further texts, none of which the first scope is.
	lacking []engine.ScopePrompt
	// text is one that needs the first scope; empty for none.
	text string
}

// asked are the two scopes that most requests ask for; one where the card has no more.
func (s choice) asked() []string {
	if s.second == "" {
		return []string{s.first}
	}
	return []string{s.first, s.second}
}

// chosen decides which scopes a run asks for: those that the configured texts need first.
var chosen = engine.NewJourney("the scopes to ask for", func(c *engine.C) choice {
	return choose(server.In(c).Delegation, c.Setup().Prompts)
}, server)

func choose(d *provider.Delegation, prompts engine.Prompts) choice {
	var s choice
	ids := d.ScopeIDs()
	known := func(id string) bool { return slices.Contains(ids, id) }
	if prompts.StepUp != nil && known(prompts.StepUp.Needs) {
		s.step = prompts.StepUp.Needs
	}
	needed := map[string]bool{s.step: true}
	for _, p := range prompts.Scopes {
		switch {
		case !known(p.Needs) || p.Needs == s.step:
		case s.first == "":
			s.first, s.text = p.Needs, p.Text
		case p.Needs != s.first:
			s.lacking = append(s.lacking, p)
		}
		needed[p.Needs] = true
	}
	// Of the scopes that nothing needs any will do; then one that a text needs, and last the step-up's.
	slices.SortStableFunc(ids, func(a, b string) int { return rank(a, needed, s.step) - rank(b, needed, s.step) })
	for _, id := range ids {
		switch {
		case id == s.first:
		case s.first == "":
			s.first = id
		case s.second == "":
			s.second = id
		}
	}
	s.extra = s.second
	if s.step != "" && s.step != s.first {
		s.extra = s.step
	}
	return s
}

func rank(id string, needed map[string]bool, step string) int {
	switch {
	case id == step:
		return 2
	case needed[id]:
		return 1
	}
	return 0
}

// twoScopes ends a case that needs a card with two scopes.
func twoScopes(c *engine.C) {
	if chosen.In(c).second == "" {
		c.NotApplicable("the card has one scope")
	}
}

// stepping ends a case that needs a text for a scope that the grant lacks.
func stepping(c *engine.C) choice {
	s := chosen.In(c)
	if s.step == "" {
		c.NotRun("the card has no scope %s, which prompts.stepUp needs", c.Setup().Prompts.StepUp.Needs)
	}
	return s
}

// otherServer is the authorization server of the second Brand.
var otherServer = engine.NewJourney("the other Brand's authorization server", func(c *engine.C) authorizationServer {
	card := c.OtherCard()
	if card.Delegation == nil {
		c.Lacks("the card of the other Brand offers no delegated authority")
	}
	return describe(c, c.Setup().OtherBrand.Card, card).mustBeAskable(c)
})

// answers are the token answers of grants.
func answers(grants ...*grant) []*result.Exchange {
	var all []*result.Exchange
	for _, g := range grants {
		all = append(all, g.answer)
	}
	return all
}
