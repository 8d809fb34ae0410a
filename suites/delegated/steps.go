package delegated

import (
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// stepUp is a conversation in which a turn needed a scope that the token lacks (§5.5).
type stepUp struct {
	talk
	// step is the answer to the text that needs it, next the one to an ordinary message after it.
	step, next *provider.Answer
	task       task
}

// task is what of a step-up task is used.
type task struct {
	Task struct {
		ID       string `json:"id"`
		Metadata struct {
			Missing []string `json:"pact.missingScopes"`
			Link    string   `json:"pact.verificationUriComplete"`
		} `json:"metadata"`
	} `json:"task"`
}

func taskOf(answer *provider.Answer) task {
	var t task
	answer.Into(&t)
	return t
}

// stepped sends the step-up text in a conversation under the narrow token.
var stepped = engine.NewJourney("a step-up", func(c *engine.C) stepUp {
	stepping(c)
	s := stepUp{talk: narrow.In(c).say(c, plain(c)).mustGoOn(c)}
	in := provider.InContext(s.id)
	s.step = s.with(c).Send(c.Setup().Prompts.StepUp.Text, in)
	s.task = taskOf(s.step)
	s.next = s.with(c).Send(plain(c), in)
	return s
}, chosen, narrow)

// joined sends a text that needs a scope which the token has and one which it lacks.
var joined = engine.NewJourney("a step-up for one of two scopes", func(c *engine.C) *provider.Answer {
	s := stepping(c)
	text := c.Setup().Prompts.StepUp.Text
	if s.text != "" {
		text = s.text + " " + text
	}
	return narrow.In(c).with(c).Send(text)
}, chosen, narrow)

// taskOperations is what the owner and others get of the task.
type taskOperations struct {
	owner, message    *provider.Answer
	othersGet, cancel *provider.Answer
}

var onTask = engine.NewJourney("the task of a step-up is asked for", func(c *engine.C) taskOperations {
	s := stepped.In(c)
	id := s.task.Task.ID
	if id == "" {
		c.Block("the step-up has no task id, which PACT-5.5-11 says")
	}
	other := s.caller(c).As(c.AnotherUser()).Expecting(result.ExpectError)
	return taskOperations{
		othersGet: other.Task(id), cancel: other.Cancel(id),
		owner:   s.with(c).Expecting(result.ExpectAny).Task(id),
		message: s.with(c).Expecting(result.ExpectError).Send(plain(c), provider.InContext(s.id), provider.Member("taskId", id)),
	}
}, stepped)

// stepLink is the consent that the link of a step-up leads to, before any grant covers it.
var stepLink = engine.NewJourney("the link of a step-up", func(c *engine.C) *result.Exchange {
	s := stepped.In(c)
	link := s.task.Task.Metadata.Link
	if link == "" {
		c.Block("the step-up has no link, which PACT-5.5-13/link says")
	}
	v := c.Visit(c.Name(), engine.Scopes(s.server.Delegation, s.task.Task.Metadata.Missing...))
	if consent, page := v.Reach(link, s.user); consent == nil {
		return v.See(page)
	} else {
		return v.SeeConsent(consent)
	}
}, stepped)

// widening is the grant for what was missing, and the request that is sent once more under it.
type widening struct {
	*grant
	// again is the answer to the text in the same conversation, apart the one in another.
	again, apart *provider.Answer
	// live says whether login was skipped in the browser of the first grant; empty where no page was read.
	live string
}

// widened gets the missing scopes by a device code of its own (the personal agent never redeems
// through the task's link), and sends the text again. Where one token must hold all that the turn
// needs, a second round asks for the union.
var widened = engine.NewJourney("a grant for what was missing", func(c *engine.C) widening {
	s, chose := stepped.In(c), chosen.In(c)
	c.After(covered, uncovered, otherAgents, stepLink, refreshed)
	missing := []string{chose.step}
	for _, p := range chose.lacking {
		missing = append(missing, p.Needs)
	}
	w := widening{}
	r := s.ask(c, missing...)
	if open := home.In(c); open != nil {
		v := r.visit(c, open)
		w.live = "login is skipped"
		if v.Open(r.link(c)).AsksToSignIn() {
			w.live = "login is asked for again"
		}
	}
	w.grant = r.take(c, r.decide(c, home.In(c), decision{approve: missing}))
	send := func() *provider.Answer {
		return w.with(c).Send(c.Setup().Prompts.StepUp.Text, provider.InContext(s.id))
	}
	if w.again = send(); judge.IsStepUp(w.again.Exchange) {
		union := append(missing, s.scopes[0])
		w.grant = s.obtain(c, home.In(c), union, union)
		w.again = send()
	}
	w.apart = w.with(c).Send(c.Setup().Prompts.StepUp.Text)
	return w
}, chosen, home, stepped)

// afterwards is what the older, narrower token gets for the step-up text after the wider grant.
var afterwards = engine.NewJourney("the older token after a wider grant", func(c *engine.C) *provider.Answer {
	g := narrow.In(c)
	widened.In(c)
	return g.with(c).Send(c.Setup().Prompts.StepUp.Text)
}, narrow, widened)

// limit is a text whose scope the narrow token lacks, and what it gets under it and under a wider one.
type limit struct {
	prompt        engine.ScopePrompt
	lacking, wide *provider.Answer
}

// limits are the texts of the configuration whose scopes the narrow token lacks, without the step-up text.
var limits = engine.NewJourney("texts that need more than was granted", func(c *engine.C) []limit {
	g := narrow.In(c)
	var all []limit
	for _, p := range chosen.In(c).lacking {
		all = append(all, limit{prompt: p, lacking: g.with(c).Send(p.Text)})
	}
	for i := range all {
		all[i].wide = widened.In(c).with(c).Send(all[i].prompt.Text)
	}
	return all
}, chosen, narrow, widened)
