package identity

import (
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §4.3 Retries
var _ = Clause("4.3", func() {
	Case("PACT-4.3-01", "fresh-token", func(c *engine.C) {
		c.ControlOver(continued.In(c).reply).To(judge.BeReply())
		c.Judge(continued.In(c).reply, repeated.In(c).second).To(judge.BeSameReply())
	}, engine.Using(continued, repeated))
	Case("PACT-4.3-02", "another-text", func(c *engine.C) {
		c.ControlOver(continued.In(c).reply).To(judge.BeReply())
		c.Judge(continued.In(c).reply, repeated.In(c).reworded).To(judge.BeSameReply())
	}, engine.Using(continued, repeated))

	Case("PACT-4.3-03", "two-contexts", func(c *engine.C) {
		here := continued.In(c)
		c.ControlOver(here.reply).To(judge.BeReply())
		c.ControlOver(here.reply).To(judge.ContinueContext())
		c.ControlOver(opened.In(c).first, another.In(c).first).To(judge.StartContexts())
		spent.In(c) // so that it is not the second turn here and there, where a Provider may number replies
		there := another.In(c).ask(c, provider.MessageID(here.messageID))
		c.Expect(there).To(judge.ContinueContext())
		c.Judge(here.reply, there.Exchange).To(judge.BeRepliesOfTheirOwn())
	}, engine.Using(opened, continued, another, spent))

	Case("PACT-4.3-04", "at-once", func(c *engine.C) {
		t := begin(c, c.Brand(), c.Setup().Prompts.Plain)
		c.ControlOver(t.first).To(judge.BeReply())
		id := provider.MessageID(provider.NewMessageID())
		together := t.owner(c).AtOnce().Expecting(result.ExpectAny)
		ask := func() *provider.Answer { return together.Ask(provider.InContext(t.id), id) }
		both := c.AtOnce(ask, ask)
		c.Expect(append(both, t.ask(c, id))...).To(judge.BeAnsweredOnce())
	}, engine.Turns(2))

	Case("PACT-4.3-05", "two-subs", func(c *engine.C) {
		mine := opened.In(c)
		theirs := c.Brand().Expecting(result.ExpectSuccess).Ask(provider.MessageID(mine.messageID))
		c.Judge(mine.first, theirs.Exchange).To(judge.StartContexts())
	}, engine.Using(opened))

	Case("PACT-4.3-06", "first-message", func(c *engine.C) {
		t := opened.In(c)
		repeat := t.owner(c).Expecting(result.ExpectAny).Ask(provider.MessageID(t.messageID))
		what := "gets " + judge.Answered(repeat.Exchange)
		switch {
		case judge.BeSameReply().Find(t.first, repeat.Exchange).Outcome == result.Passed:
			what = "gets the stored reply"
		case repeat.Status == 200 && repeat.ContextID() != t.id:
			what = "starts a new conversation"
		}
		c.Observe("the first message, repeated without contextId, %s", what)
	}, engine.Using(opened))

	Case("PACT-4.3-07", "two-turns-later", func(c *engine.C) {
		known := continued.In(c)
		c.ControlOver(known.reply).To(judge.BeReply())
		c.ControlOver(later.In(c).reply, afterwards.In(c).reply).To(judge.ContinueContext())
		repeat := opened.In(c).ask(c, provider.MessageID(known.messageID))
		c.Judge(known.reply, repeat.Exchange).To(judge.BeSameReply())
	}, engine.Using(opened, continued, later, afterwards))

	for name, need := range eachIntruder {
		Case("PACT-4.3-08", name, func(c *engine.C) {
			c.ControlOver(continued.In(c).reply, repeated.In(c).second).To(judge.BeSameReply())
			c.Judge(intruders.In(c)[name].repeat).To(judge.BeA2AError(judge.InvalidParams))
		}, append(need, engine.Using(continued, repeated, intruders))...)
	}

	Case("PACT-4.3-09", "expired", func(c *engine.C) {
		c.ControlOver(spent.In(c).refused).To(judge.BeUnauthorized())
		c.Judge(spent.In(c).served).To(judge.BeOK())
	}, engine.Using(spent))

	Case("PACT-4.3-10", "first-message", func(c *engine.C) {
		c.ControlOver(opened.In(c).first).To(judge.BeReply())
		c.Judge(opened.In(c).first, repeated.In(c).first).To(judge.BeSameReply())
	}, engine.Using(opened, repeated))
})
