package identity

import (
	"strings"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// conversation is one that a User began. Turns cost a Provider model calls, so that the cases of §4
// share a few conversations.
type conversation struct {
	// user is the sub of its owner.
	user      string
	messageID string
	id        string
	first     *result.Exchange
}

// begin starts a conversation of the caller's User.
func begin(c *engine.C, owner provider.Caller, text string) conversation {
	id := provider.NewMessageID()
	answer := owner.Expecting(result.ExpectSuccess).Send(text, provider.MessageID(id))
	return carryOn(c, owner.User, id, answer)
}

// carryOn is the conversation that an answer began; without a contextId it cannot go on.
func carryOn(c *engine.C, user, messageID string, answer *provider.Answer) conversation {
	c.Control(answer).To(judge.BeOK())
	if answer.ContextID() == "" {
		c.Block("the reply has no contextId to go on with, which PACT-4.2-02 says")
	}
	return conversation{user, messageID, answer.ContextID(), answer.Exchange}
}

// owner calls as the User whose conversation it is.
func (t conversation) owner(c *engine.C) provider.Caller {
	return c.Brand().As(t.user).Expecting(result.ExpectSuccess)
}

// ask sends an ordinary question of the owner into the conversation.
func (t conversation) ask(c *engine.C, options ...provider.MessageOption) *provider.Answer {
	return t.say(c, c.Setup().Prompts.Plain, options...)
}

// say sends a text of the owner into the conversation.
func (t conversation) say(c *engine.C, text string, options ...provider.MessageOption) *provider.Answer {
	return t.owner(c).Send(text, append(options, provider.InContext(t.id))...)
}

// turn is a message and its reply.
type turn struct {
	messageID string
	reply     *result.Exchange
}

// opening is a first message, with its answer as it came.
type opening struct {
	turn
	user   string
	answer *provider.Answer
}

// firstMessage begins the conversation that most of §4 is about, whatever comes of it.
var firstMessage = engine.NewJourney("a first message", func(c *engine.C) opening {
	id := provider.NewMessageID()
	answer := c.Brand().Expecting(result.ExpectSuccess).Ask(provider.MessageID(id))
	return opening{turn{id, answer.Exchange}, c.User(), answer}
})

// opened is that conversation, if it can go on.
var opened = engine.NewJourney("a conversation", func(c *engine.C) conversation {
	o := firstMessage.In(c)
	return carryOn(c, o.user, o.messageID, o.answer)
}, firstMessage)

// continued is its second turn, the first whose message carries the contextId.
var continued = engine.NewJourney("its second turn", func(c *engine.C) turn {
	id := provider.NewMessageID()
	answer := opened.In(c).ask(c, provider.MessageID(id))
	c.Expect(answer).To(judge.BeOK())
	return turn{id, answer.Exchange}
}, opened)

// repeats are messages of the conversation that were sent again, each under a fresh token, before it went on.
type repeats struct {
	// second is the second message as it was, reworded with another text, first the first with the contextId that it was given.
	second, reworded, first *result.Exchange
}

// repeated sends what was answered again.
var repeated = engine.NewJourney("messages are repeated", func(c *engine.C) repeats {
	t, known := opened.In(c), provider.MessageID(continued.In(c).messageID)
	return repeats{
		second:   t.ask(c, known).Exchange,
		reworded: t.say(c, "And now for something else.", known).Exchange,
		first:    t.ask(c, provider.MessageID(t.messageID)).Exchange,
	}
}, opened, continued)

// otherKey is a turn by a fresh token of the User, signed with the agent's key for the other
// algorithm; there is no reply where that algorithm is not accepted at all.
var otherKey = engine.NewJourney("a turn under the agent's other key", func(c *engine.C) turn {
	t := opened.In(c)
	repeated.In(c)
	owner := t.owner(c).With(c.OtherAlgorithm())
	if !judge.WasAccepted(Tasks.Ask(owner).Exchange) && !judge.WasAccepted(Task.Ask(owner).Exchange) {
		return turn{}
	}
	return turn{reply: owner.Ask(provider.InContext(t.id)).Exchange}
}, opened, repeated)

// later is a further turn of the owner, so that there are two after the second.
var later = engine.NewJourney("a further turn", func(c *engine.C) turn {
	continued.In(c)
	if reply := otherKey.In(c).reply; reply != nil && judge.ContinueContext().Find(reply).Outcome == result.Passed {
		return turn{reply: reply}
	}
	return turn{reply: opened.In(c).ask(c).Exchange}
}, opened, continued, otherKey)

// afterwards is a turn of the owner after others tried to get in.
var afterwards = engine.NewJourney("a turn after others tried to get in", func(c *engine.C) turn {
	intruders.In(c)
	later.In(c)
	return turn{reply: opened.In(c).ask(c).Exchange}
}, opened, intruders, later)

// another is a second conversation of the same User.
var another = engine.NewJourney("another conversation of the same User", func(c *engine.C) conversation {
	return begin(c, opened.In(c).owner(c), c.Setup().Prompts.Plain)
}, opened)

// spent is a turn in the other conversation whose message was sent under an expired token first.
var spent = engine.NewJourney("a message under an expired token, then under a right one", func(c *engine.C) retried {
	t := another.In(c)
	id, in := provider.MessageID(provider.NewMessageID()), provider.InContext(t.id)
	return retried{
		refused: t.owner(c).With(agent.Expired(Expired)).Expecting(result.ExpectUnauthorized).Ask(id, in).Exchange,
		served:  t.owner(c).Ask(id, in).Exchange,
	}
}, another)

// retried is a message that was refused, and then served.
type retried struct{ refused, served *result.Exchange }

// intruder is somebody who sends into a conversation that is not theirs.
type intruder struct {
	// foreign got into the conversation's contextId, unknown into one that nobody has.
	foreign, unknown *result.Exchange
	// repeat is an answered messageId of the owner, sent again by the intruder.
	repeat *result.Exchange
}

// Who tries to get in.
const (
	otherSub   = "other-sub"
	otherBrand = "other-brand"
	otherAgent = "other-agent"
)

// intruders are all who try to get into the conversation, by name; who cannot be set up is not there.
var intruders = engine.NewJourney("others try to get in", func(c *engine.C) map[string]intruder {
	t, known := opened.In(c), continued.In(c)
	later.In(c) // what they do to the conversation shows afterwards
	callers := map[string]provider.Caller{otherSub: c.Brand().As(c.AnotherUser())}
	if c.Setup().OtherBrand.Card != "" {
		callers[otherBrand] = c.OtherBrand().As(t.user)
	}
	if c.Setup().Second != nil {
		callers[otherAgent] = t.owner(c).By(c.Setup().Second)
	}
	tried := map[string]intruder{}
	for name, caller := range callers {
		caller = caller.Expecting(result.ExpectError)
		tried[name] = intruder{
			foreign: caller.Ask(provider.InContext(t.id)).Exchange,
			unknown: caller.Ask(provider.InContext(alike(t.id))).Exchange,
			repeat:  caller.Ask(provider.InContext(t.id), provider.MessageID(known.messageID)).Exchange,
		}
	}
	return tried
}, opened, continued, later)

// alike is a random contextId of the same form.
func alike(id string) string {
	for {
		if other := scramble(id); other != id {
			return other
		}
		if len(id) < 2 {
			return uuid.NewString()
		}
	}
}

// longSub is a sub of 200 characters and more; the last of them tell Users apart.
func longSub(end string) string { return "u-" + strings.Repeat("abcdefghij", 20) + "-" + end }
