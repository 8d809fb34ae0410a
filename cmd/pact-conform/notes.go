package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// acting says which texts a run may send upon which the Brand's agent may act on an account; empty
// where there is none. It is said however quiet a run is: who wonders later about an account looks
// into the log that there is.
func acting(e *engine.Engine, prompts *engine.Prompts) string {
	var texts []string
	add := func(key string, p engine.ScopePrompt) {
		texts = append(texts, fmt.Sprintf("  %q (%s, needs %s)", p.Text, key, p.Needs))
	}
	// Whatever has a grant may try it with a text that needs a scope.
	if e.Needs(engine.NeedBrowser, engine.NeedPromptScope) {
		for _, p := range prompts.Scopes {
			add("prompts.scopes", p)
		}
	}
	if prompts.StepUp != nil && e.Needs(engine.NeedPromptStepUp) {
		add("prompts.stepUp", *prompts.StepUp)
	}
	if len(texts) == 0 {
		return ""
	}
	return "The Brand's agent may act on the users' accounts upon these texts, which may be sent:\n" + strings.Join(texts, "\n")
}

// refusedNote says what to look at first where the Provider accepted no token at all: set-up is then
// more often the reason than the Provider. It is empty otherwise. Keys that were made for this run
// are fresh.
func refusedNote(run *result.Run, setup *engine.Setup, fresh bool) string {
	refused := false
	for _, x := range run.Exchanges {
		if x.Response == nil || x.Tags.Operation != provider.OperationTasks && x.Tags.Operation != provider.OperationSend {
			continue
		}
		switch {
		case x.Response.Status == http.StatusOK:
			return ""
		case x.Response.Status == http.StatusUnauthorized && x.Tags.Expect != result.ExpectUnauthorized:
			refused = true
		}
	}
	if !refused {
		return ""
	}
	text := fmt.Sprintf("No token was accepted, which is more often a matter of set-up than of the Provider. Has it registered %s, and is provider.audience the one that it assigned?",
		setup.Primary.Issuer)
	switch {
	case setup.Server == nil:
		return text + fmt.Sprintf(" Are the keys of the key file those at %s?", setup.Primary.JWKSURI())
	case fetched(setup):
		return text + fmt.Sprintf(" It did fetch the keys at %s.", setup.Primary.JWKSURI())
	}
	text += fmt.Sprintf(" It did not fetch the keys at %s: can it reach them?", setup.Primary.JWKSURI())
	if fresh {
		text += " If it did in an earlier run, it may hold on to those for a while: each run makes fresh keys unless agents.keys names a key file."
	}
	return text
}

// fetched reports whether the Provider fetched the primary agent's keys.
func fetched(setup *engine.Setup) bool {
	for _, f := range setup.Server.Fetches() {
		if f.Agent == setup.Primary.Role && f.Document == agent.KeySet {
			return true
		}
	}
	return false
}
