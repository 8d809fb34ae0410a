package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
)

// C is what the body of a case, or of a journey, works with. It belongs to that body's goroutine.
type C struct {
	run        *run
	ctx        context.Context
	name       string
	record     *record
	level      result.Level
	uses       []Dependency
	priority   int
	secondLook bool
	isJourney  bool
	tolerant   bool
	user       string
	closers    []func()
}

// do runs a body and ends the record, however the body ends.
func (c *C) do(body func()) {
	ended := make(chan struct{})
	c.run.spawn(func() {
		defer close(ended)
		defer func() {
			c.caught(recover())
			closeAll(c.closers)
			c.record.end(c.run.start, c.run.now(), c.level, c.isJourney)
		}()
		body()
	})
	<-ended
}

// caught turns a panic into an error of the case; others go on.
func (c *C) caught(p any) {
	if p != nil {
		c.record.settle(result.Errored, c.run.recorder.Text(fmt.Sprintf("the harness panicked: %v (%s)", p, panicked())))
	}
}

// stop ends the body with an outcome that no judge gave.
func (c *C) stop(o result.Outcome, reason string) {
	if c.ctx.Err() != nil {
		o, reason = c.run.brokenOff()
	}
	c.record.settle(o, c.run.recorder.Text(reason))
	runtime.Goexit()
}

// Context bounds all that the body does.
func (c *C) Context() context.Context { return c.ctx }

// Setup is what the run is made with.
func (c *C) Setup() *Setup { return &c.run.setup }

// Block ends the case: a precondition does not hold, so it shows nothing.
func (c *C) Block(format string, args ...any) {
	c.stop(result.Blocked, fmt.Sprintf(format, args...))
}

// NotApplicable ends the case: the Provider rightly lacks what it is about.
func (c *C) NotApplicable(format string, args ...any) {
	c.stop(result.NotApplicable, fmt.Sprintf(format, args...))
}

// NotRun ends the case: set-up is missing.
func (c *C) NotRun(format string, args ...any) {
	c.stop(result.NotRun, fmt.Sprintf(format, args...))
}

// Slow ends the case: it would have to wait longer than --max-wait.
func (c *C) Slow(format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	c.record.beside(reason)
	c.stop(result.NotRun, reason)
}

// Lacks ends the case: the chosen set-up cannot show what it is about, which stands beside the verdict.
func (c *C) Lacks(format string, args ...any) { c.Slow(format, args...) }

// Needs ends the case where set-up is missing that its row does not name.
func (c *C) Needs(needs ...string) {
	for _, need := range needs {
		if l := c.run.setup.missing(need); l != nil {
			c.record.beside(l.beside)
			c.stop(l.outcome, l.reason)
		}
	}
}

// Fault ends the case: the harness cannot do what it has to.
func (c *C) Fault(err error) {
	c.stop(result.Errored, err.Error())
}

// Must is Fault where there is an error.
func (c *C) Must(err error) {
	if err != nil {
		c.Fault(err)
	}
}

// Observe records a fact that nobody judges.
func (c *C) Observe(format string, args ...any) {
	c.record.observed(c.run.recorder.Text(fmt.Sprintf(format, args...)))
}

// Wait waits for d.
func (c *C) Wait(d time.Duration) {
	if err := c.run.clock.Wait(c.ctx, d); err != nil {
		c.stop(result.Errored, err.Error())
	}
}

// Now is the time as the Provider has it.
func (c *C) Now() time.Time { return c.run.clock.Now() }

// User is the sub that the case speaks for: opaque, its own, fresh in every run (§3.2).
func (c *C) User() string {
	if c.user == "" {
		c.user = c.AnotherUser()
	}
	return c.user
}

// AnotherUser is a sub that nobody has used.
func (c *C) AnotherUser() string { return "u-" + uuid.NewString() }

// Brand calls the Brand as the primary personal agent for the case's own User.
func (c *C) Brand() provider.Caller {
	algorithm := c.prelude(approach.journey).(agent.Change)
	return c.Interface().With(algorithm)
}

// OtherBrand calls the second Brand.
func (c *C) OtherBrand() provider.Caller {
	algorithm := c.prelude(approach.journey).(agent.Change)
	return c.caller(c.card(otherCard).Interface, "other").With(algorithm)
}

// Approached waits until it is known how the Brand can be talked to, whatever came of it.
func (c *C) Approached() {
	s := c.run.journey(approach.journey, c.secondLook)
	select {
	case <-s.done:
	case <-c.ctx.Done():
		c.stop(result.Errored, c.run.stopped())
	}
}

// OtherAlgorithm signs with the algorithm of §3.2 that Brand does not use.
func (c *C) OtherAlgorithm() agent.Change {
	if c.prelude(approach.journey).(agent.Change).String() == agent.RS256().String() {
		return agent.ES256()
	}
	return agent.RS256()
}

// Interface is Brand without asking first whether anything answers there.
func (c *C) Interface() provider.Caller {
	return c.caller(c.card(brandCard).Interface, "brand")
}

// Card is the Brand's card.
func (c *C) Card() provider.Card { return c.card(brandCard) }

// Anywhere calls URLs that are no operations of a Brand: cards and pages.
func (c *C) Anywhere() provider.Caller { return c.caller(provider.Interface{}, "brand") }

// OtherCard is the other Brand's card.
func (c *C) OtherCard() provider.Card { return c.card(otherCard) }

func (c *C) card(j *Journey[provider.Card]) provider.Card {
	card, _ := c.prelude(j.journey).(provider.Card)
	return card
}

// prelude joins a journey of the engine's own, which nobody declares.
func (c *C) prelude(j *journey) any {
	c.uses = append(c.uses, &Journey[any]{j})
	return c.join(j)
}

func (c *C) caller(at provider.Interface, label string) provider.Caller {
	tags := result.Tags{Case: c.name, Brand: label, Expect: result.ExpectAny, SecondLook: c.secondLook}
	s := &c.run.setup
	return provider.NewCaller(c.ctx, c.run.link, provider.CallerOptions{
		Tags: tags, Priority: c.priority, At: at, Agent: s.Primary, User: c.User(), Audience: s.Audience, Plain: s.Prompts.Plain, Seen: c.seen,
	})
}

// Expect judges an answer, or several.
func (c *C) Expect(answers ...*provider.Answer) Expectation {
	return Expectation{c: c, recorded: exchanges(answers)}
}

// Control judges the positive twin of a negative: where it falls short the case is blocked.
func (c *C) Control(answers ...*provider.Answer) Expectation {
	return c.ControlOver(exchanges(answers)...)
}

// ControlOver is Control over exchanges that others made.
func (c *C) ControlOver(xs ...*result.Exchange) Expectation {
	c.Controlled(xs...)
	return Expectation{c: c, recorded: xs, control: true}
}

// Controlled names exchanges of a journey as the positive twin.
func (c *C) Controlled(xs ...*result.Exchange) {
	for _, x := range xs {
		c.record.controlled(x.ID)
	}
}

// AtOnce asks several things side by side and returns the answers in the order of the asks. The
// body ends when one of the asks did. The asks use callers that are there: a C is no matter of theirs.
func (c *C) AtOnce(asks ...func() *provider.Answer) []*provider.Answer {
	answers := make([]*provider.Answer, len(asks))
	var group sync.WaitGroup
	for i, ask := range asks {
		group.Add(1)
		c.run.spawn(func() {
			defer group.Done()
			defer func() { c.caught(recover()) }()
			answers[i] = ask()
		})
	}
	group.Wait()
	if slices.Contains(answers, nil) {
		runtime.Goexit()
	}
	return answers
}

// Judge judges exchanges that others made.
func (c *C) Judge(xs ...*result.Exchange) Expectation { return Expectation{c: c, recorded: xs} }

// Exchanges are all exchanges of the run so far.
func (c *C) Exchanges() []*result.Exchange { return c.run.recorder.All() }

// seen takes every answer that the body gets. Where there is none of the Provider's to judge, the body ends.
func (c *C) seen(a *provider.Answer) {
	c.record.answered(a, c.tolerant)
	switch {
	case a.Exchange == nil: // never sent: the run ended, or the token could not be made
		c.unmade(a.Err)
	case a.Err != nil && c.ctx.Err() != nil: // cut off by the end of the run
		c.stop(result.Errored, provider.Plain(a.Err))
	case a.Status == http.StatusTooManyRequests:
		c.stop(result.Errored, a.Err.Error())
	}
}

// Mint makes the token that the caller would send, for a body that sends it more than once.
func (c *C) Mint(caller provider.Caller) agent.Token {
	token, err := caller.Mint()
	c.Made(err)
	return token
}

// Made ends the body where a token could not be made.
func (c *C) Made(err error) {
	if err != nil {
		c.unmade(err)
	}
}

// unmade ends the body: its token or request could not be made.
func (c *C) unmade(err error) {
	var unavailable *agent.Unavailable
	switch {
	case !errors.As(err, &unavailable):
		c.stop(result.Errored, provider.Plain(err))
	case unavailable.Setup:
		c.stop(result.NotRun, unavailable.Reason)
	}
	c.stop(result.NotApplicable, unavailable.Reason)
}

func exchanges(answers []*provider.Answer) []*result.Exchange {
	var recorded []*result.Exchange
	for _, a := range answers {
		recorded = append(recorded, a.Recorded()...)
	}
	return recorded
}

// Expectation is what is judged, and how hard.
type Expectation struct {
	c        *C
	recorded []*result.Exchange
	control  bool
	soft     result.Outcome
}

// Softly lets a shortfall be a warning, where the row says so.
func (e Expectation) Softly() Expectation {
	e.soft = result.Warning
	return e
}

// To judges. What falls short ends the body, unless it only warns or is only recorded.
func (e Expectation) To(j judge.Judge) {
	f := e.find(j)
	if f.Outcome == result.Errored && e.c.ctx.Err() != nil { // the end of the run overtook it
		e.c.stop(result.Errored, f.Got)
	}
	f.Outcome = e.outcome(f.Outcome)
	record := j.Record(f, e.recorded)
	record.Args = e.c.run.maskedArgs(record.Args)
	if e.control && f.Outcome == result.Passed {
		e.c.record.controlPassed(record)
		return
	}
	e.c.record.judged(record)
	if e.control {
		e.c.stop(result.Blocked, fmt.Sprintf("the control failed: expected %s, got %s", f.Expected, f.Got))
	}
	if f.Outcome == result.Failed || f.Outcome == result.Errored {
		runtime.Goexit()
	}
}

// find lets the judge see what the configuration has masked, an audience or a part of a URL, and
// says of it only what the masked record shows.
func (e Expectation) find(j judge.Judge) judge.Finding {
	recorder := e.c.run.recorder
	f := j.Find(e.recorded...)
	if seen, differ := recorder.Judged(e.recorded); differ {
		if outcome := j.Find(seen...).Outcome; outcome != f.Outcome {
			f = judge.Finding{Outcome: outcome, Expected: f.Expected}
			if outcome != result.Passed {
				f.Got = "something else, which is masked here"
			}
		}
	}
	f.Expected, f.Got = recorder.Text(f.Expected), recorder.Text(f.Got)
	return f
}

// outcome turns what the judge says into what it means at the row's level.
func (e Expectation) outcome(o result.Outcome) result.Outcome {
	if e.control && (o == result.Failed || o == result.Errored || o == result.Warning) {
		if o == result.Warning {
			return result.Passed
		}
		return result.Blocked
	}
	if o == result.Failed && e.soft != "" {
		o = e.soft
	}
	if e.c.isJourney {
		return o
	}
	switch {
	case o == result.Failed && e.c.level == result.Should:
		return result.Warning
	case (o == result.Failed || o == result.Warning) && e.c.level == result.Info:
		return result.Observed
	}
	return o
}
