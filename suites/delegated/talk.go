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

// say sends a first message under the grant's token, whatever comes of it.
func (g *grant) say(c *engine.C, text string) talk {
	t := talk{grant: g, messageID: provider.NewMessageID()}
	t.answer = g.with(c).Send(text, provider.MessageID(t.messageID))
	t.id = t.answer.ContextID()
	return t
}

// mustGoOn blocks where the conversation cannot go on.
func (t talk) mustGoOn(c *engine.C) talk {
	c.ControlOver(t.answer.Exchange).To(judge.BeReply())
	if t.id == "" {
		c.Block("the reply has no contextId to go on with, which PACT-4.2-02 says")
	}
	return t
}

// repeat sends the first message once more, as the caller: what was answered costs no turn.
func (t talk) repeat(c *engine.C, caller provider.Caller) *provider.Answer {
	return caller.Send(plain(c), provider.InContext(t.id), provider.MessageID(t.messageID))
}

// plain is the ordinary question of the configuration.
func plain(c *engine.C) string { return c.Setup().Prompts.Plain }

// firstTurn is a message with both tokens, whatever comes of it.
var firstTurn = engine.NewJourney("a message with both tokens", func(c *engine.C) talk {
	return narrow.In(c).say(c, plain(c))
}, narrow)

// talking is the conversation that it began, if it can go on.
var talking = engine.NewJourney("a conversation under delegation", func(c *engine.C) talk {
	return firstTurn.In(c).mustGoOn(c)
}, firstTurn)

// refusing is a conversation of its own for what is tried in the place of the token: each try is
// followed by the token itself, which another conversation would go on by.
var refusing = engine.NewJourney("a conversation beside bad delegation tokens", func(c *engine.C) talk {
	return narrow.In(c).say(c, plain(c)).mustGoOn(c)
}, narrow)

// retries are repeats of the first message of the conversation.
type retries struct {
	// same is with the delegation token, without is without it.
	same, without *provider.Answer
}

var retried = engine.NewJourney("messages under delegation are repeated", func(c *engine.C) retries {
	t := talking.In(c)
	return retries{same: t.repeat(c, t.with(c)), without: t.repeat(c, t.caller(c))}
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
		repeat:  t.repeat(c, g.with(c).Expecting(result.ExpectError)),
	}
	if i.without = t.caller(c).Send(plain(c), in); judge.IsReply(i.without.Exchange) {
		i.after = g.with(c).Expecting(result.ExpectError).Send(plain(c), in)
	}
	return i
}, talking, secondUsers)

// undelegated is a message without a delegation token in a conversation that ran under one.
var undelegated = engine.NewJourney("a message without the delegation token", func(c *engine.C) *provider.Answer {
	t := narrow.In(c).say(c, plain(c)).mustGoOn(c)
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
