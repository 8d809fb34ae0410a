package delegated

import (
	"sync"
	"time"

	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/harness/verify"
)

// request is a device authorization request on its way (§5.3). One body works it.
type request struct {
	party
	scopes []string
	asked  *result.Exchange
	code   provider.DeviceCode
	// interval is how long to wait between polls, polled when the last one was.
	interval time.Duration
	polled   time.Time
}

// defaultInterval holds where the answer names none (RFC 8628 §3.2), slowDown is added by slow_down (§3.5).
const (
	defaultInterval = 5 * time.Second
	slowDown        = 5 * time.Second
	// courtesy is added to each interval: clocks and networks are not exact.
	courtesy = time.Second
	// mostPolls is how often a decision that was made is asked for, before it counts as not made.
	mostPolls = 4
	// knownPause is between polls while a Player decides that says itself when it has.
	knownPause = 10 * time.Second
)

// ask asks for scopes by device code.
func (p party) ask(c *engine.C, scopes ...string) *request {
	answer := p.caller(c).Authorize(p.server.Delegation, scopes...)
	c.Control(answer).To(judge.GiveACode())
	r := &request{party: p, scopes: scopes, asked: answer.Exchange, interval: defaultInterval}
	answer.Into(&r.code)
	if r.code.Interval > 0 {
		r.interval = time.Duration(r.code.Interval * float64(time.Second))
	}
	return r
}

// link is what the User is shown.
func (r *request) link(c *engine.C) string {
	if r.code.VerificationURIComplete == "" {
		c.Block("the device authorization has no verification_uri_complete, which PACT-5.3-01 says")
	}
	return r.code.VerificationURIComplete
}

// poll asks the token endpoint once, an interval after the last time.
func (r *request) poll(c *engine.C) *provider.Answer {
	if !r.polled.IsZero() {
		if rest := r.interval + courtesy - c.Now().Sub(r.polled); rest > 0 {
			c.Wait(rest)
		}
	}
	answer := r.caller(c).Redeem(r.server.Delegation, r.code.DeviceCode)
	r.polled = c.Now()
	if judge.OAuthError(answer.Exchange) == errSlowDown {
		r.interval += slowDown
	}
	return answer
}

const (
	errPending  = "authorization_pending"
	errSlowDown = "slow_down"
)

// pending reports whether the token endpoint says that nothing is decided.
func pending(answer *provider.Answer) bool {
	code := judge.OAuthError(answer.Exchange)
	return code == errPending || code == errSlowDown
}

// told reports whether the token endpoint says what was decided. An error that is none of OAuth tells
// nothing.
func told(answer *provider.Answer) bool {
	return !pending(answer) && (judge.OAuthError(answer.Exchange) != "" || gave(answer))
}

// gave reports whether an answer has a token.
func gave(answer *provider.Answer) bool {
	return judge.GiveAToken().Find(answer.Recorded()...).Outcome == result.Passed
}

// redeem polls until something is decided, and returns the last answer. A Provider may take a moment
// to know what the User did.
func (r *request) redeem(c *engine.C) *provider.Answer {
	answer := r.poll(c)
	for polls := 1; polls < mostPolls && pending(answer); polls++ {
		answer = r.poll(c)
	}
	return answer
}

// decision is what the User does on the consent page.
type decision struct {
	deny    bool
	approve []string
}

func (d decision) inBrowser() browser.Decision {
	switch {
	case d.deny:
		return browser.Deny()
	case len(d.approve) == 0:
		return browser.ApproveNone()
	}
	return browser.ApproveOnly(d.approve...)
}

func (d decision) task(r *request, link string) browser.Task {
	task := browser.Task{
		Link: link, UserCode: r.code.UserCode, User: r.user.Username, Decision: browser.TaskApprove, Scopes: d.approve,
		Expires: time.Now().Add(r.lifetime()),
	}
	if d.deny {
		task.Decision, task.Scopes = browser.TaskDeny, nil
	}
	return task
}

// lifetime is how long the code lives; where the answer does not say, as long as is usual.
func (r *request) lifetime() time.Duration {
	const usual = 10 * time.Minute
	if r.code.ExpiresIn <= 0 {
		return usual
	}
	return time.Duration(r.code.ExpiresIn * float64(time.Second))
}

// decide has the User decide, in a browser that is open or, where that is nil, as the set-up has it, and
// returns what the token endpoint then says. Where the Provider asks nothing because an earlier grant
// covers the request (§5.3), there is nothing to decide.
func (r *request) decide(c *engine.C, open *engine.Visit, d decision) *provider.Answer {
	c.Needs(engine.NeedBrandUser, engine.NeedBrowser)
	link := r.link(c)
	if player := c.Setup().Player; player != nil && open == nil {
		var last *provider.Answer
		every := r.interval + courtesy
		if player.Knows() { // polls are for one that goes on when it has decided
			every = max(every, knownPause)
		}
		c.Play(d.task(r, link), r.user, every, func() bool {
			last = r.poll(c)
			return told(last)
		})
		if pending(last) {
			last = r.redeem(c)
		}
		return last
	}
	v := r.visit(c, open)
	consent, page := v.Reach(link, r.user)
	if consent != nil {
		v.SeeConsent(consent)
		if !v.TryDecide(d.inBrowser()) {
			c.NotApplicable("the page does not let the User decide so")
		}
		return r.redeem(c)
	}
	v.See(page)
	if page.AsksToSignIn() {
		c.Block("the login was refused: %s", page.Seen())
	}
	answer := r.redeem(c)
	if pending(answer) {
		c.Block("no consent was found: %s", page.Seen())
	}
	return answer
}

// visit is a browser for the request: one that is open, or else a fresh one.
func (r *request) visit(c *engine.C, open *engine.Visit) *engine.Visit {
	if open != nil {
		return open.By(c).Expecting(engine.Scopes(r.server.Delegation, r.scopes...), r.code.UserCode)
	}
	v := c.Visit(c.Name(), engine.Scopes(r.server.Delegation, r.scopes...))
	v.AddSecret(r.code.UserCode)
	return v
}

// grant is what a User approved, as the token endpoint gave it.
type grant struct {
	*request
	answer *result.Exchange
	// token and claims are as they came first.
	token  provider.TokenAnswer
	claims map[string]any

	// mu guards the latest tokens, which many cases use: since is when the access token came.
	mu     sync.Mutex
	latest provider.TokenAnswer
	since  time.Time
}

// obtain asks for scopes and has the User approve some of them, in a browser that is open, or nil.
func (p party) obtain(c *engine.C, open *engine.Visit, scopes, approve []string) *grant {
	r := p.ask(c, scopes...)
	return r.take(c, r.decide(c, open, decision{approve: approve}))
}

// take is the grant that a token answer gives. What else is wrong with the answer other rows say.
func (r *request) take(c *engine.C, answer *provider.Answer) *grant {
	c.Control(answer).To(judge.GiveAToken())
	g := &grant{request: r, answer: answer.Exchange, since: c.Now()}
	answer.Into(&g.token)
	g.latest = g.token
	if read, err := verify.Read(g.token.AccessToken); err == nil {
		g.claims = read.Payload
	}
	c.Finally("the grants of the run are revoked", g.tidy)
	return g
}

// with sends the delegation token beside the personal-agent JWT of the party.
func (g *grant) with(c *engine.C) provider.Caller {
	return g.caller(c).Delegated(g.fresh(c)).Expecting(result.ExpectSuccess)
}

// fresh is the delegation token, refreshed where it is about to expire: a Provider may let it live for
// less than the run takes.
func (g *grant) fresh(c *engine.C) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	lifetime := time.Duration(g.latest.ExpiresIn * float64(time.Second))
	if g.latest.RefreshToken == "" || lifetime <= 0 || c.Now().Sub(g.since) < lifetime-min(lifetime/2, longTurn) {
		return g.latest.AccessToken
	}
	answer := g.caller(c).Refresh(g.server.Delegation, g.latest.RefreshToken)
	if gave(answer) {
		answer.Into(&g.latest)
		g.since = c.Now()
	}
	return g.latest.AccessToken
}

// longTurn is what a token must live on for when it is sent.
const longTurn = 30 * time.Second

// held are the scopes of the token.
func (g *grant) held() []string { return judge.TokenScopes(g.answer) }

// id is the grant_id of the token; empty where it has none.
func (g *grant) id() string {
	id, _ := g.claims["grant_id"].(string)
	return id
}

// refresh uses the latest refresh token, one case at a time: a used one may end the grant. The access
// token that the cases send stays.
func (g *grant) refresh(c *engine.C) *provider.Answer {
	g.mu.Lock()
	defer g.mu.Unlock()
	answer := g.caller(c).Refresh(g.server.Delegation, g.latest.RefreshToken)
	g.renewed(answer)
	return answer
}

// refreshed takes the refresh token of a newer answer: the old one may be spent.
func (g *grant) refreshed(answer *provider.Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.renewed(answer)
}

func (g *grant) renewed(answer *provider.Answer) {
	var newer provider.TokenAnswer
	answer.Into(&newer)
	if newer.RefreshToken != "" {
		g.latest.RefreshToken = newer.RefreshToken
	}
}

// renewal is the grant's latest refresh token; empty where it has none.
func (g *grant) renewal() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.latest.RefreshToken
}

// revocable reports whether the run can revoke grants, and else why not.
func (g *grant) revocable(c *engine.C) (bool, string) {
	switch {
	case c.Setup().Absent[engine.NeedRevoke] != "":
		return false, c.Setup().Absent[engine.NeedRevoke]
	case c.Setup().Revoke != nil:
		return true, ""
	case g.server.RevocationEndpoint == "":
		return false, "the metadata names no revocation_endpoint: set revoke.command, or revoke: none"
	case g.token.RefreshToken == "":
		return false, "the grant has no refresh token to revoke it by: set revoke.command, or revoke: none"
	}
	return true, ""
}

// revoke ends the grant, by the configured command or at the revocation_endpoint (RFC 7009 §2.1). The
// answer is nil where the command did it.
func (g *grant) revoke(c *engine.C) (*provider.Answer, error) {
	if hook := c.Setup().Revoke; hook != nil {
		return nil, hook(c.Context(), engine.Revocation{
			Issuer: g.agent.Issuer, User: g.user.Username, GrantID: g.id(), RefreshToken: g.renewal(),
		})
	}
	return g.caller(c).Revoke(g.server.Metadata, g.renewal()), nil
}

// mustEnd revokes the grant, for what is to be seen of a revoked one.
func (g *grant) mustEnd(c *engine.C) {
	answer, err := g.revoke(c)
	c.Must(err)
	if answer != nil {
		c.Control(answer).To(judge.BeOK())
	}
}

// tidy revokes the grant at the end, where it can be: nobody judges whether that works.
func (g *grant) tidy(c *engine.C) {
	if can, _ := g.revocable(c); !can {
		return
	}
	if _, err := g.revoke(c); err != nil {
		c.Observe("%v", err)
	}
}
