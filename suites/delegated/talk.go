package delegated

import (
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// talk is a conversation under a delegation token (§5.5).
type talk struct {
	*grant
	// messageID is that of the first message, answer its reply, id the contextId.
	messageID string
	answer    *provider.Answer
	id        string
}

// begin starts a conversation under the grant's token.
func (g *grant) begin(c *engine.C, text string) talk {
	t := talk{grant: g, messageID: provider.NewMessageID()}
	t.answer = g.with(c).Send(text, provider.MessageID(t.messageID))
	c.Control(t.answer).To(judge.BeReply())
	if t.id = t.answer.ContextID(); t.id == "" {
		c.Block("the reply has no contextId to go on with, which PACT-4.2-02 says")
	}
	return t
}

// plain is the ordinary question of the configuration.
func plain(c *engine.C) string { return c.Setup().Prompts.Plain }

// firstTurn is a message with both tokens, whatever comes of it.
var firstTurn = engine.NewJourney("a message with both tokens", func(c *engine.C) talk {
	g := narrow.In(c)
	t := talk{grant: g, messageID: provider.NewMessageID()}
	t.answer = g.with(c).Send(plain(c), provider.MessageID(t.messageID))
	t.id = t.answer.ContextID()
	return t
}, narrow)

// talking is the conversation that it began, if it can go on.
var talking = engine.NewJourney("a conversation under delegation", func(c *engine.C) talk {
	t := firstTurn.In(c)
	c.ControlOver(t.answer.Exchange).To(judge.BeReply())
	if t.id == "" {
		c.Block("the reply has no contextId to go on with, which PACT-4.2-02 says")
	}
	return t
}, firstTurn)

// retries are repeats of the first message of the conversation.
type retries struct {
	// same is with the delegation token, without is without it.
	same, without *provider.Answer
}

var retried = engine.NewJourney("messages under delegation are repeated", func(c *engine.C) retries {
	t := talking.In(c)
	again := []provider.MessageOption{provider.InContext(t.id), provider.MessageID(t.messageID)}
	return retries{
		same:    t.with(c).Send(plain(c), again...),
		without: t.caller(c).Send(plain(c), again...),
	}
}, talking)

// intrusion is what a second Brand user's token got in the conversation.
type intrusion struct {
	// own is the control: a conversation of that User's own.
	own, message, repeat *provider.Answer
	// without is a message without any delegation token, after it what the second User's token got then.
	without, after *provider.Answer
}

var otherUsers = engine.NewJourney("a second User's token in the conversation", func(c *engine.C) intrusion {
	t, g := talking.In(c), secondUsers.In(c)
	c.After(retried, undelegated)
	in := provider.InContext(t.id)
	i := intrusion{
		own:     g.with(c).Send(plain(c)),
		message: g.with(c).Expecting(result.ExpectError).Send(plain(c), in),
		repeat:  g.with(c).Expecting(result.ExpectError).Send(plain(c), in, provider.MessageID(t.messageID)),
	}
	if i.without = t.caller(c).Send(plain(c), in); judge.IsReply(i.without.Exchange) {
		i.after = g.with(c).Expecting(result.ExpectError).Send(plain(c), in)
	}
	return i
}, talking, secondUsers)

// undelegated is a message without a delegation token in a conversation that ran under one.
var undelegated = engine.NewJourney("a message without the delegation token", func(c *engine.C) *provider.Answer {
	t := narrow.In(c).begin(c, plain(c))
	return t.caller(c).Send(plain(c), provider.InContext(t.id))
}, narrow)

// needing is what a text got that needs the scope which the grant has.
var needing = engine.NewJourney("a text that needs the granted scope", func(c *engine.C) *provider.Answer {
	s := chosen.In(c)
	if s.text == "" {
		c.NotRun("none of prompts.scopes needs a scope of the card")
	}
	return narrow.In(c).with(c).Send(s.text)
}, chosen, narrow)
