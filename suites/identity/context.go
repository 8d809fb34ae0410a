package identity

import (
	"strings"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §4.2 Context: replies
var _ = Clause("4.2", func() {
	EveryReply("PACT-4.2-01", plainReply, judge.ComeFromTheAgent())
	EveryReply("PACT-4.2-02", plainReply, judge.HaveContextID())
	EveryReply("PACT-4.2-03", plainReply, judge.BeMessages())
	EveryReply("PACT-4.2-04", ordinaryTurn, judge.BeOrdinaryMessage())
	Case("PACT-4.2-04", "no-tasks", func(c *engine.C) {
		t := opened.In(c)
		continued.In(c)
		list := t.owner(c).Tasks("")
		c.Control(list).To(judge.BeOK())
		c.Expect(list).To(judge.ListNoTasks())
	}, engine.Using(opened, continued))

	Case("PACT-4.2-05", "same-sub", func(c *engine.C) {
		c.Judge(opened.In(c).first, another.In(c).first).To(judge.StartContexts())
	}, engine.Using(opened, another))
	Case("PACT-4.2-06", "second-turn", func(c *engine.C) {
		c.Judge(continued.In(c).reply).To(judge.ContinueContext())
	}, engine.Using(continued))
	Case("PACT-4.2-15", "opaque", func(c *engine.C) {
		t := opened.In(c)
		c.Judge(t.first).To(judge.HideInContext(t.user, c.Setup().Primary.Issuer))
	}, engine.Using(opened))
	Case("PACT-4.2-16", "empty", func(c *engine.C) {
		c.Observe("an empty contextId: %s", judge.Answered(c.Brand().Ask(provider.InContext("")).Exchange))
	})
	Case("PACT-4.2-17", "other-key", func(c *engine.C) {
		c.ControlOver(continued.In(c).reply).To(judge.ContinueContext())
		reply := otherKey.In(c).reply
		if reply == nil {
			c.Block("the other algorithm is not accepted at all, which PACT-3.2-01 or PACT-3.2-02 says")
		}
		c.Judge(reply).To(judge.ContinueContext())
	}, engine.Using(continued, otherKey))
})

// §4.2 Context: whose it is
var _ = Clause("4.2", func() {
	Unknown("PACT-4.2-07", "same-form", alike)
	Unknown("PACT-4.2-07", "uuid", func(string) string { return uuid.NewString() })
	Unknown("PACT-4.2-07", "4-kib", func(string) string { return strings.Repeat("c", 4<<10) })

	Intrudes("PACT-4.2-08", otherSub)
	Intrudes("PACT-4.2-09", otherBrand)
	Intrudes("PACT-4.2-10", otherAgent)
	Case("PACT-4.2-10", "own-conversation", func(c *engine.C) {
		c.ControlOver(secondsOwn.In(c)).To(judge.BeOK())
		c.Judge(intruders.In(c)[otherAgent].foreign).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(secondsOwn, intruders))
	for name, need := range eachIntruder {
		Case("PACT-4.2-11", name, func(c *engine.C) {
			tried := intruders.In(c)[name]
			c.Judge(tried.unknown, tried.foreign).To(judge.BeAnsweredAlike())
		}, append(need, engine.Using(intruders))...)
	}
	Case("PACT-4.2-12", "owner-goes-on", func(c *engine.C) {
		c.ControlOver(continued.In(c).reply).To(judge.ContinueContext())
		c.Judge(afterwards.In(c).reply).To(judge.ContinueContext())
	}, engine.Using(continued, afterwards))

	for name := range almostSubs {
		Case("PACT-4.2-20", name, func(c *engine.C) {
			tried := almostOwners.In(c)[name]
			c.ControlOver(longConversation.In(c).first).To(judge.BeOK())
			c.ControlOver(longAfterwards.In(c)).To(judge.ContinueContext())
			c.Judge(tried).To(judge.BeA2AError(judge.InvalidParams))
		}, engine.Using(longConversation, almostOwners, longAfterwards))
	}

	Case("PACT-4.2-22", "two-at-once", func(c *engine.C) {
		t := sideBySide.In(c) // first, so that nobody waits for it
		c.ControlOver(continued.In(c).reply).To(judge.BeReply())
		c.ControlOver(continued.In(c).reply).To(judge.ContinueContext())
		c.Judge(t.both...).To(judge.BeServedSideBySide())
		c.Judge(t.afterwards...).To(judge.ContinueContext())
	}, engine.Turns(4), engine.Using(continued, sideBySide))
})

// pair is two messages that were sent at once, and what was sent afterwards: what got an error once
// more, and another message.
type pair struct{ both, afterwards []*result.Exchange }

// sideBySide sends two different messages into one conversation at once.
var sideBySide = engine.NewJourney("two messages at once", func(c *engine.C) pair {
	t := begin(c, c.Brand(), c.Setup().Prompts.Plain)
	ids := []string{provider.NewMessageID(), provider.NewMessageID()}
	together := t.owner(c).AtOnce().Expecting(result.ExpectAny)
	both := c.AtOnce(
		func() *provider.Answer { return together.Ask(provider.InContext(t.id), provider.MessageID(ids[0])) },
		func() *provider.Answer { return together.Ask(provider.InContext(t.id), provider.MessageID(ids[1])) },
	)
	sent := pair{}
	for i, answer := range both {
		sent.both = append(sent.both, answer.Exchange)
		if answer.Status != 200 {
			sent.afterwards = append(sent.afterwards, t.ask(c, provider.MessageID(ids[i])).Exchange)
		}
	}
	sent.afterwards = append(sent.afterwards, t.ask(c).Exchange)
	return sent
})

// §4.2 Context: closing
var _ = Clause("4.2", func() {
	Case("PACT-4.2-13", "owner", func(c *engine.C) {
		c.Controlled(closed.In(c).first)
		c.Judge(knocked.In(c).owner).To(judge.BeA2AError(judge.UnsupportedOperation))
	}, engine.Using(closed, knocked))
	Case("PACT-4.2-14", "anew", func(c *engine.C) {
		t := closed.In(c)
		knocked.In(c) // so that a new conversation cannot change what the closed one answers
		answer := t.owner(c).Ask()
		c.Expect(answer).To(judge.BeOK())
		c.Judge(t.first, answer.Exchange).To(judge.StartContexts())
	}, engine.Using(closed, knocked))
	Case("PACT-4.2-18", "other-sub", func(c *engine.C) {
		c.ControlOver(knocked.In(c).owner).To(judge.BeA2AError(judge.UnsupportedOperation))
		c.Judge(knocked.In(c).other).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(knocked))
})

// closed is a conversation that the configured text has ended.
var closed = engine.NewJourney("a closed conversation", func(c *engine.C) conversation {
	t := begin(c, c.Brand(), c.Setup().Prompts.Plain)
	c.Expect(t.say(c, c.Setup().Prompts.Close)).To(judge.BeOK())
	return t
})

// knocks are messages to a closed conversation, of its owner and of another User.
type knocks struct{ owner, other *result.Exchange }

// knocked sends them, before anything else comes of the close.
var knocked = engine.NewJourney("messages to a closed conversation", func(c *engine.C) knocks {
	t := closed.In(c)
	to := func(user string) *result.Exchange {
		return c.Brand().As(user).Expecting(result.ExpectError).Ask(provider.InContext(t.id)).Exchange
	}
	return knocks{owner: to(t.user), other: to(c.AnotherUser())}
}, closed)

// §4.2 Context: memory
var _ = Clause("4.2", func() {
	Case("PACT-4.2-19", "told", func(c *engine.C) {
		expect := c.Setup().Prompts.Memory.Expect
		c.Controlled(strangersAnswer.In(c))
		if judge.NotMatchText(expect).Find(strangersAnswer.In(c)).Outcome != result.Passed {
			c.Block("a User who told nothing gets an answer that matches as well")
		}
		c.Judge(remembered.In(c).last).To(judge.MatchText(expect))
	}, engine.Using(remembered, strangersAnswer))
	Case("PACT-4.2-21", "stranger", func(c *engine.C) {
		expect := c.Setup().Prompts.Memory.Expect
		teller := remembered.In(c)
		c.Controlled(teller.last)
		if judge.MatchText(expect).Find(teller.last).Outcome != result.Passed {
			c.Block("the teller's own conversation does not know the fact either")
		}
		c.Judge(strangersAnswer.In(c)).To(judge.NotMatchText(expect))
	}, engine.Using(remembered, strangersAnswer))
	Case("PACT-4.2-21", "same-sub", func(c *engine.C) {
		answer := remembered.In(c).owner(c).Send(c.Setup().Prompts.Memory.Ask)
		known := "does not match"
		if judge.MatchText(c.Setup().Prompts.Memory.Expect).Find(answer.Recorded()...).Outcome == result.Passed {
			known = "matches"
		}
		c.Observe("in a new conversation of the same User the answer %s", known)
	}, engine.Using(remembered))
})

// recollection is what the teller's conversation answered.
type recollection struct {
	conversation
	last *result.Exchange
}

// told is a conversation in which a fact was told.
var told = engine.NewJourney("a fact is told", func(c *engine.C) conversation {
	return begin(c, c.Brand(), c.Setup().Prompts.Memory.Tell)
})

// remembered asks for the fact, twice where the first answer does not know it.
var remembered = engine.NewJourney("the fact is asked for", func(c *engine.C) recollection {
	memory, t := c.Setup().Prompts.Memory, told.In(c)
	answer := t.say(c, memory.Ask)
	if judge.MatchText(memory.Expect).Find(answer.Recorded()...).Outcome != result.Passed {
		answer = t.say(c, memory.Ask)
	}
	return recollection{t, answer.Exchange}
}, told)

// strangersAnswer is what a User who told nothing gets, after somebody else told the fact.
var strangersAnswer = engine.NewJourney("a stranger asks for the fact", func(c *engine.C) *result.Exchange {
	told.In(c)
	return c.Brand().Send(c.Setup().Prompts.Memory.Ask).Exchange
}, told)

// EveryReply judges the first reply of a conversation, and every other of the run that which chooses.
func EveryReply(id string, which func(*result.Exchange) bool, j judge.Judge) {
	Case(id, "first", func(c *engine.C) {
		first := firstMessage.In(c).reply
		c.ControlOver(first).To(judge.BeOK())
		if !which(first) {
			c.Block("the answer to the first message is no plain reply, which PACT-2.2-01 says")
		}
		c.Judge(first).To(j)
	}, engine.Using(firstMessage))
	Throughout(id, "every-reply", which, j)
}

// plainReply is a message that answers message:send.
func plainReply(x *result.Exchange) bool {
	return x.Tags.Operation == provider.OperationSend && x.Tags.Brand != "unknown" && judge.IsReply(x)
}

// ordinaryTurn is a 200 of message:send that is no step-up (§5.5): a message or a task.
func ordinaryTurn(x *result.Exchange) bool {
	return sent200(x) && judge.HoldsMessageOrTask(x) && !judge.IsStepUp(x)
}

// sent200 is a 200 of message:send at a Brand that exists.
func sent200(x *result.Exchange) bool {
	return x.Tags.Operation == provider.OperationSend && x.Tags.Brand != "unknown" && x.Response.Status == 200
}

// Unknown is a contextId that nobody has.
func Unknown(id, name string, of func(known string) string) {
	Case(id, name, func(c *engine.C) {
		t := opened.In(c)
		c.Expect(t.owner(c).Expecting(result.ExpectError).Ask(provider.InContext(of(t.id)))).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(opened))
}

// Intrudes is an attempt to get into a conversation of somebody else, between two turns of its owner.
func Intrudes(id, who string) {
	Case(id, "between-turns", func(c *engine.C) {
		tried := intruders.In(c)[who]
		c.ControlOver(continued.In(c).reply, afterwards.In(c).reply).To(judge.ContinueContext())
		c.Judge(tried.foreign).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(opened, continued, intruders, afterwards))
}

// secondsOwn is a conversation that the second agent has of its own, for the same sub.
var secondsOwn = engine.NewJourney("the second agent's own conversation", func(c *engine.C) *result.Exchange {
	return c.Brand().By(c.Setup().Second).As(opened.In(c).user).Ask().Exchange
}, opened)

// eachIntruder are who may be set up to get in, with the set-up that it takes.
var eachIntruder = func(yield func(string, []engine.Option) bool) {
	_ = yield(otherSub, nil) &&
		yield(otherBrand, []engine.Option{engine.WhereSetUp(engine.NeedSecondBrand)}) &&
		yield(otherAgent, []engine.Option{engine.WhereSetUp(engine.NeedSecondAgent)})
}

// longConversation is one of a User whose sub is long.
var longConversation = engine.NewJourney("a conversation of a User with a long sub", func(c *engine.C) conversation {
	return begin(c, c.Brand().As(longSub(uuid.NewString()+"x")), c.Setup().Prompts.Plain)
})

// almostSubs are subs that are almost the given one.
var almostSubs = func(yield func(string, func(sub string) string) bool) {
	_ = yield("letter-case", func(sub string) string { return strings.ToUpper(sub) }) &&
		yield("common-prefix", func(sub string) string { return sub[:len(sub)-1] + "y" })
}

// almostOwners are the attempts of Users whose sub is almost the owner's.
var almostOwners = engine.NewJourney("Users with almost the owner's sub try to get in", func(c *engine.C) map[string]*result.Exchange {
	t := longConversation.In(c)
	tried := map[string]*result.Exchange{}
	for name, almost := range almostSubs {
		intruder := c.Brand().As(almost(t.user)).Expecting(result.ExpectError)
		tried[name] = intruder.Ask(provider.InContext(t.id)).Exchange
	}
	return tried
}, longConversation)

// longAfterwards is the owner's turn after them.
var longAfterwards = engine.NewJourney("a turn of the User with the long sub after them", func(c *engine.C) *result.Exchange {
	almostOwners.In(c)
	return longConversation.In(c).ask(c).Exchange
}, longConversation, almostOwners)
