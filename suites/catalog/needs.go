package catalog

import "slices"

// Need is a piece of set-up without which some rows cannot run.
type Need struct {
	// Name is the word in a row's Needs.
	Name string
	// What is the thing, as it reads after "needs"; How is how to supply it, as an instruction.
	What, How string
}

var needs = []Need{
	{"second-brand", "a second Brand of the same Provider", "set otherBrand.card"},
	{"second-delegated-brand", "a second Brand that offers delegated authority", "set otherBrand.card to the card of such a Brand"},
	{"second-agent", "a second registered personal agent", "set agents.second"},
	{"disabled-agent", "a personal agent that the Provider has disabled", "set agents.disabled"},
	{"served-jwks", "a JWKS that pact-conform serves itself", "set agents.mode to served, with a publicUrl that the Provider can reach"},
	{"brand-domain", "the Brand's own domain", "set brand.domain"},
	{"brand-user", "a User who can log in with the Brand", "add a login under users"},
	{"second-user", "a second User of the Brand", "add a second login under users"},
	{"browser", "a User's decision", "install Chromium, or set browser.user to manual or to a hook"},
	{"page", "a browser that reads the pages", "install Chromium"},
	{"two-scopes", "a card that lists two scopes or more", "take a Brand that defines two scopes"},
	{"revoke", "a way to revoke a grant", "name a revocation_endpoint in the metadata, or set revoke to a command"},
	{"slow", "more time than the run allows", "raise --max-wait"},
	{"prompt:scope", "a text that makes the agent need a scope", "set prompts.scopes"},
	{"prompt:stepup", "a text that needs a scope beyond the granted ones", "set prompts.stepUp"},
	{"prompt:close", "a text that ends a conversation", "set prompts.close"},
	{"prompt:memory", "a fact to tell the agent and to ask for", "set prompts.memory"},
}

// Needs returns every kind of set-up that a row may ask for.
func Needs() []Need { return slices.Clone(needs) }

// FindNeed returns the set-up with the name.
func FindNeed(name string) (Need, bool) {
	for _, n := range needs {
		if n.Name == name {
			return n, true
		}
	}
	return Need{}, false
}
