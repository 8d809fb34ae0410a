package delegated

import (
	"maps"
	"slices"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §5.5 Sending with it: step-up
var _ = Clause("5.5", func() {
	Case("PACT-5.5-11", "task", func(c *engine.C) {
		twoScopes(c)
		c.Expect(stepped.In(c).step).To(judge.BeStepUp())
	}, engine.Using(chosen, stepped))
	Case("PACT-5.5-12", "missing", func(c *engine.C) {
		s := stepped.In(c)
		mustStepUp(c, s.step.Exchange)
		c.Expect(s.step).To(judge.NameMissingScopes(cardScopes(s.grant), s.held(), chosen.In(c).step))
	}, engine.Using(chosen, stepped))
	Case("PACT-5.5-12", "joined", func(c *engine.C) {
		if chosen.In(c).text == "" {
			c.NotRun("none of prompts.scopes needs a scope of the card")
		}
		g, answer := narrow.In(c), joined.In(c)
		mustStepUp(c, answer.Exchange)
		c.Expect(answer).To(judge.NameMissingScopes(cardScopes(g), g.held(), chosen.In(c).step))
	}, engine.Using(chosen, narrow, joined), engine.WhereSetUp(engine.NeedPromptScope))
	Case("PACT-5.5-13", "link", func(c *engine.C) {
		s := stepped.In(c)
		mustStepUp(c, s.step.Exchange, joined.In(c).Exchange)
		c.Judge(s.asked, s.step.Exchange, joined.In(c).Exchange).To(judge.HaveANewLink())
	}, engine.Using(stepped, joined))
	Case("PACT-5.5-13", "consent", func(c *engine.C) {
		s := stepped.In(c)
		mustStepUp(c, s.step.Exchange)
		shown := stepLink.In(c)
		c.Judge(shown).To(judge.BeConsent())
		if judge.NameMissingScopes(cardScopes(s.grant), s.held(), "").Find(s.step.Recorded()...).Outcome == result.Passed {
			c.Judge(shown).To(judge.OfferOnly(s.task.Task.Metadata.Missing))
		}
	}, engine.Using(stepped, stepLink), engine.WhereSetUp(engine.NeedPage))
	Case("PACT-5.5-14", "goes-on", func(c *engine.C) {
		s := stepped.In(c)
		mustStepUp(c, s.step.Exchange)
		c.Expect(s.step).To(judge.StayInContext(s.id))
		c.Expect(s.next).To(judge.ContinueContext())
	}, engine.Using(stepped))
	Case("PACT-5.5-15", "granted", func(c *engine.C) {
		s := stepped.In(c)
		mustStepUp(c, s.step.Exchange)
		c.ControlOver(s.next.Exchange).To(judge.ContinueContext())
		c.ControlOver(answers(s.grant, widened.In(c).grant)...).To(judge.ShareTheSubject())
		w := widened.In(c)
		c.Expect(w.again).To(judge.ContinueContext())
		c.Expect(w.again).To(judge.BeReply())
		c.Control(w.apart).To(judge.ReceiptUses(chosen.In(c).step))
		c.Expect(w.again).To(judge.ReceiptUses(chosen.In(c).step))
	}, engine.Using(chosen, stepped, widened))

	Case("PACT-5.5-19", "step-up", func(c *engine.C) {
		c.Control(widened.In(c).apart).To(judge.ReceiptUses(chosen.In(c).step))
		mustKeepWithin(c, stepped.In(c).step, chosen.In(c).step)
	}, engine.Using(chosen, stepped, widened))
	Case("PACT-5.5-19", "every-text", func(c *engine.C) {
		all := limits.In(c)
		if len(all) == 0 {
			c.NotRun("prompts.scopes names no further scope that the grant lacks")
		}
		for _, l := range all {
			c.Control(l.wide).To(judge.ReceiptUses(l.prompt.Needs))
			mustKeepWithin(c, l.lacking, l.prompt.Needs)
		}
	}, engine.Using(stepped, limits), engine.WhereSetUp(engine.NeedPromptScope))
	Case("PACT-5.5-20", "owner", func(c *engine.C) {
		c.Observe("GET tasks/{id}: %s", judge.Answered(onTask.In(c).owner.Exchange))
	}, engine.Using(onTask))
	Case("PACT-5.5-21", "live-session", func(c *engine.C) {
		live := widened.In(c).live
		if live == "" {
			c.Lacks("pages are not read")
		}
		c.Observe("%s", live)
	}, engine.Using(widened))
	Case("PACT-5.5-23", "without", func(c *engine.C) {
		answer := c.Brand().Send(c.Setup().Prompts.Scopes[0].Text)
		c.Observe("a text that needs a scope, without any delegation token: %s", inWords(answer))
	})

	Case("PACT-5.5-26", "nothing-done", func(c *engine.C) {
		s := stepped.In(c)
		c.Control(widened.In(c).apart).To(judge.ReceiptUses(chosen.In(c).step))
		mustStepUp(c, s.step.Exchange)
		c.Expect(s.step, s.next).To(judge.ReceiptSparesScope(chosen.In(c).step))
	}, engine.Using(chosen, stepped, widened))
	Case("PACT-5.5-27", "older-token", func(c *engine.C) {
		twoScopes(c)
		c.Control(widened.In(c).apart).To(judge.ReceiptUses(chosen.In(c).step))
		mustKeepWithin(c, afterwards.In(c), chosen.In(c).step)
	}, engine.Using(chosen, stepped, widened, afterwards))
	Case("PACT-5.5-28", "task-id", func(c *engine.C) {
		mustStepUp(c, stepped.In(c).step.Exchange)
		c.Expect(onTask.In(c).message).To(judge.BeA2AError(judge.TaskNotFound))
	}, engine.Using(stepped, onTask))
	Case("PACT-5.5-29", "another-sub", func(c *engine.C) {
		mustStepUp(c, stepped.In(c).step.Exchange)
		o := onTask.In(c)
		c.Expect(o.othersGet, o.cancel).To(judge.BeA2AError(judge.TaskNotFound))
	}, engine.Using(stepped, onTask))
})

// mustKeepWithin judges the answer to a text whose scope the token lacks: a step-up, and nothing done
// with the scope. Where no turn steps up as PACT-5.5-11 asks, only what was done counts.
func mustKeepWithin(c *engine.C, answer *provider.Answer, scope string) {
	if judge.ReceiptSparesScope(scope).Find(answer.Recorded()...).Outcome == result.Passed {
		mustStepUp(c, stepped.In(c).step.Exchange)
	}
	c.Expect(answer).To(judge.StepUpOrSpare(scope))
}

// mustStepUp blocks where there is no step-up to look at, which PACT-5.5-11 says.
func mustStepUp(c *engine.C, xs ...*result.Exchange) {
	c.ControlOver(xs...).To(judge.AskForAuthority())
}

// cardScopes are the ids on the card of the grant's Brand.
func cardScopes(g *grant) []string { return slices.Sorted(maps.Keys(g.server.Scopes)) }
