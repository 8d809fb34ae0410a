package delegated

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §5.5 Sending with it: both tokens
var _ = Clause("5.5", func() {
	Case("PACT-5.5-01", "plain", func(c *engine.C) {
		c.Judge(firstTurn.In(c).answer.Exchange).To(judge.BeReply())
	}, engine.Using(firstTurn))

	AgentFirst("PACT-5.5-02", "expired-agent-good-delegation", expiredAgent, goodToken)
	AgentFirst("PACT-5.5-02", "both-bad", expiredAgent, garbage)
	AgentFirst("PACT-5.5-02", "no-agent-good-delegation", provider.Caller.WithoutToken, goodToken)
	AgentFirst("PACT-5.5-02", "no-agent-bad-delegation", provider.Caller.WithoutToken, garbage)

	for _, f := range agent.Forgeries() {
		options := []engine.Option{engine.Using(refusing, signingKeys)}
		if f.Served {
			options = append(options, engine.WhereSetUp(engine.NeedServedJWKS))
		}
		Case("PACT-5.5-03", f.Name, func(c *engine.C) {
			refuses(c, func(g *grant) string {
				token, err := g.agent.Forge(f.Name, g.fresh(c), signingKeys.In(c))
				c.Made(err)
				return token.Compact
			})
		}, options...)
	}

	Case("PACT-5.5-04", "other-brands-token", func(c *engine.C) {
		g, other := narrow.In(c), secondBrands.In(c)
		c.Control(other.with(c).Send(plain(c))).To(judge.BeReply())
		c.ControlOver(talking.In(c).answer.Exchange).To(judge.BeReply())
		wrong := other.caller(c).As(g.sub).Delegated(g.fresh(c)).Expecting(result.ExpectUnauthorized)
		c.Expect(wrong.Send(plain(c))).To(judge.BeInvalidDelegation())
	}, engine.Using(narrow, talking, secondBrands))

	Case("PACT-5.5-05", "expired", func(c *engine.C) {
		g := another(c)
		left := g.expiry(c).Add(expiredFor).Sub(c.Now())
		if longest := c.Setup().Limits.MaxWait; left > longest {
			c.Slow("the token expires in %s, and --max-wait is %s", (left - expiredFor).Round(time.Second), longest)
		}
		expiring := g.caller(c).Delegated(g.token.AccessToken)
		c.Control(expiring.Expecting(result.ExpectSuccess).Send(plain(c))).To(judge.BeReply())
		c.Wait(left)
		c.Expect(expiring.Expecting(result.ExpectUnauthorized).Send(plain(c))).To(judge.BeInvalidDelegation())
		if g.token.RefreshToken == "" {
			return
		}
		c.Control(g.refresh(c)).To(judge.GiveAToken())
	}, engine.Using(chosen, narrow))

	Case("PACT-5.5-06", "second-agent", func(c *engine.C) {
		g := narrow.In(c)
		c.ControlOver(talking.In(c).answer.Exchange).To(judge.BeReply())
		other := c.Brand().By(c.Setup().Second)
		c.Control(other.Expecting(result.ExpectSuccess).Ask()).To(judge.BeReply())
		c.Expect(other.Delegated(g.fresh(c)).Expecting(result.ExpectUnauthorized).Ask()).To(judge.BeInvalidDelegation())
	}, engine.Using(narrow, talking))
})

// expiredFor is how long a token has been expired when it is tried.
const expiredFor = 30 * time.Second

// AgentFirst is a message whose personal-agent JWT is bad or missing: whatever the delegation token, that is
// what the answer is about.
func AgentFirst(id, name string, spoil func(provider.Caller) provider.Caller, token func(*engine.C, *grant) string) {
	Case(id, name, func(c *engine.C) {
		g := talking.In(c).grant
		c.ControlOver(talking.In(c).answer.Exchange).To(judge.BeReply())
		caller := spoil(g.caller(c)).Delegated(token(c, g)).Expecting(result.ExpectUnauthorized)
		c.Expect(caller.Send(plain(c))).To(judge.BeUnauthorizedAgent())
	}, engine.Using(talking))
}

func expiredAgent(caller provider.Caller) provider.Caller { return caller.With(agent.Expired(Expired)) }

func goodToken(c *engine.C, g *grant) string { return g.fresh(c) }

func garbage(*engine.C, *grant) string { return "garbage" }

// refuses judges that what is made of the grant gets 401 invalid_token in the place of its token, which
// is accepted before and after.
func refuses(c *engine.C, wrong func(*grant) string) {
	t := refusing.In(c)
	c.ControlOver(t.answer.Exchange).To(judge.BeReply())
	g := t.grant
	answer := g.caller(c).Delegated(wrong(g)).Expecting(result.ExpectUnauthorized).Send(plain(c))
	c.Expect(answer).To(judge.BeInvalidDelegation())
	t.mustStillBeAccepted(c)
}

// mustStillBeAccepted is the control after a refusal: the token itself is accepted as before. It takes a
// repeat, which costs no turn, and whose reply may be stored no longer (§6).
func (t talk) mustStillBeAccepted(c *engine.C) {
	c.Control(t.repeat(c, t.with(c).Expecting(result.ExpectAny))).To(judge.BeAcceptedOr(judge.InvalidParams))
}

// §5.5 Sending with it: the refusal
var _ = Clause("5.5", func() {
	for _, value := range []string{"Bearer garbage", "garbage"} {
		name := "garbage"
		if value == "garbage" {
			name += "-no-scheme"
		}
		Case("PACT-5.5-08", name, func(c *engine.C) {
			bad := c.Brand().Expecting(result.ExpectUnauthorized)
			c.Control(c.Brand().Expecting(result.ExpectSuccess).Tasks("")).To(judge.BeAccepted())
			c.Expect(bad.Header(provider.DelegationHeader, value).Ask()).To(judge.BeInvalidDelegation())
		})
		Case("PACT-5.5-09", name, func(c *engine.C) {
			answer := c.Brand().Header(provider.DelegationHeader, value).Expecting(result.ExpectUnauthorized).Ask()
			c.Control(answer).To(judge.BeUnauthorized())
			c.Expect(answer).To(judge.HaveNoA2ABody())
		})
	}
	Case("PACT-5.5-08", "no-scheme", func(c *engine.C) {
		g := narrow.In(c)
		answer := g.caller(c).Header(provider.DelegationHeader, g.fresh(c)).Send(plain(c))
		c.Observe("a valid token without Bearer: %s", judge.Answered(answer.Exchange))
		empty := g.caller(c).Editing(emptyDelegation).Send(plain(c))
		c.Observe("an empty header: %s", judge.Answered(empty.Exchange))
	}, engine.Using(narrow), engine.WhereSetUp(engine.NeedBrowser, engine.NeedBrandUser))
	WhereMet("PACT-5.5-09", "every-refusal", refusedDelegation, "no delegation token was refused", judge.HaveNoA2ABody())

	Case("PACT-5.5-10", "receipt", func(c *engine.C) {
		refuses(c, func(*grant) string { return receiptOf(signedReplies(c)[0]) })
	}, engine.Using(chosen, talking, needing, refusing))
	Case("PACT-5.5-10", "refresh-token", func(c *engine.C) {
		refuses(c, func(g *grant) string { return g.refreshToken(c) })
	}, engine.Using(refusing))
	Case("PACT-5.5-10", "agent-jwt", func(c *engine.C) {
		refuses(c, func(g *grant) string { return c.Mint(g.caller(c)).Compact })
	}, engine.Using(refusing))
	Case("PACT-5.5-10", "as-agent-jwt", func(c *engine.C) {
		t := refusing.In(c)
		c.ControlOver(t.answer.Exchange).To(judge.BeReply())
		answer := t.caller(c).WithToken(t.fresh(c), "a delegation token").Expecting(result.ExpectUnauthorized).Send(plain(c))
		c.Expect(answer).To(judge.BeUnauthorized())
		t.mustStillBeAccepted(c)
	}, engine.Using(refusing))
})

// emptyDelegation leaves the header's value empty.
func emptyDelegation(r *http.Request, _ string) { r.Header[provider.DelegationHeader] = []string{""} }

// refusedDelegation is a 401 about the delegation token.
func refusedDelegation(x *result.Exchange) bool {
	return x.Tags.Operation == provider.OperationSend && x.Request.Header.Get(provider.DelegationHeader) != "" && judge.IsInvalidDelegation(x)
}

// §5.5 Sending with it: revocation
var _ = Clause("5.5", func() {
	Case("PACT-5.5-07", "revoked", func(c *engine.C) {
		r := revoked.In(c)
		c.Control(r.alone).To(judge.BeReply())
		c.Expect(r.message, r.repeat).To(judge.BeInvalidDelegation())
		if r.refresh != nil {
			c.Expect(r.refresh).To(judge.BeRefusedByOAuth())
		}
	}, engine.Using(revoked), engine.Alone())
	Case("PACT-5.5-07", "before-redemption", func(c *engine.C) {
		g := narrow.In(c).again(c, home.In(c))
		mustRevoke(c, g)
		r := narrow.In(c).ask(c, chosen.In(c).asked()...)
		r.approve(c, home.In(c), chosen.In(c).first)
		hook := c.Setup().Revoke
		if hook == nil {
			g.mustEnd(c)
		} else { // it knows no grant yet: all of the User's are revoked
			c.Must(hook(c.Context(), engine.Revocation{Issuer: r.agent.Issuer, User: r.user.Username}))
		}
		answer := r.redeem(c)
		if !gave(answer) {
			c.Expect(answer).To(judge.BeRefusedByOAuth())
			return
		}
		late := r.take(c, answer)
		if hook == nil && (late.id() == "" || late.id() != g.id()) {
			c.NotApplicable("the later approval is a grant of its own, which was not revoked")
		}
		if hook == nil && len(c.Setup().Users) > 1 && secondUsers.In(c).id() == g.id() {
			c.Block("grant_id does not tell whether it is the grant that was revoked, which PACT-5.4-07 says")
		}
		refused := late.with(c).Expecting(result.ExpectUnauthorized).Send(plain(c))
		c.Expect(refused).To(judge.BeInvalidDelegation())
		c.Expect(answer).Softly().To(judge.GiveNoToken())
	}, engine.Using(chosen, narrow, home, secondUsers), engine.Alone())
})

// revocation is what a revoked grant's tokens get.
type revocation struct {
	// message is new, repeat one that was answered before, alone one without the delegation token.
	message, repeat, alone *provider.Answer
	// refresh is the refresh; nil without a refresh token.
	refresh *provider.Answer
}

var revoked = engine.NewJourney("a grant that is revoked", func(c *engine.C) revocation {
	g := narrow.In(c).again(c, home.In(c))
	mustRevoke(c, g)
	t := g.say(c, plain(c)).mustGoOn(c)
	g.mustEnd(c)
	bad := g.with(c).Expecting(result.ExpectUnauthorized)
	r := revocation{
		message: bad.Send(plain(c)),
		repeat:  t.repeat(c, bad),
		alone:   g.caller(c).Expecting(result.ExpectSuccess).Send(plain(c)),
	}
	if g.token.RefreshToken != "" {
		r.refresh = g.caller(c).Refresh(g.server.Delegation, g.renewal())
	}
	return r
}, chosen, narrow, home)

// mustRevoke ends what needs a grant that can be revoked.
func mustRevoke(c *engine.C, g *grant) {
	if c.Setup().Revoke == nil {
		c.ControlOver(g.server.metadata).To(judge.BeOK())
		if g.token.RefreshToken == "" {
			c.Block("the grant has no refresh token to revoke it by, which PACT-5.3-45 says; revoke.command can do without")
		}
	}
	if can, why := g.revocable(c); !can {
		c.NotRun("%s", why)
	}
}

// §5.5 Sending with it: contexts and retries
var _ = Clause("5.5", func() {
	Case("PACT-5.5-16", "goes-on", func(c *engine.C) {
		g := narrow.In(c)
		c.ControlOver(firstTurn.In(c).answer.Exchange).To(judge.BeReply())
		first := g.caller(c).Expecting(result.ExpectSuccess).Send(plain(c))
		c.Control(first).To(judge.BeReply())
		next := g.with(c).Send(plain(c), provider.InContext(first.ContextID()))
		c.Expect(next).To(judge.ContinueContext())
	}, engine.Using(narrow, firstTurn), engine.Turns(2))

	Case("PACT-5.5-17", "message", func(c *engine.C) {
		i := otherUsers.In(c)
		c.Control(i.own).To(judge.BeReply())
		c.Expect(i.message).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(otherUsers))
	Case("PACT-5.5-17", "repeat", func(c *engine.C) {
		i := otherUsers.In(c)
		c.Control(i.own).To(judge.BeReply())
		c.Expect(i.repeat).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(otherUsers))
	Case("PACT-5.5-17", "after-a-turn-without", func(c *engine.C) {
		i := otherUsers.In(c)
		c.Control(i.own).To(judge.BeReply())
		if i.after == nil {
			c.NotApplicable("no turn without a delegation token is let through: %s", judge.Answered(i.without.Exchange))
		}
		c.Expect(i.after).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(otherUsers))

	Case("PACT-5.5-18", "unknown-id", func(c *engine.C) {
		t := talking.In(c)
		c.ControlOver(t.answer.Exchange).To(judge.BeReply())
		c.Expect(t.with(c).Expecting(result.ExpectError).Send(plain(c), provider.InContext(uuid.NewString()))).
			To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(talking))
	Case("PACT-5.5-18", "other-sub", func(c *engine.C) {
		t := talking.In(c)
		c.ControlOver(t.answer.Exchange).To(judge.BeReply())
		c.Expect(t.with(c).As(c.AnotherUser()).Expecting(result.ExpectAny).Send(plain(c), provider.InContext(t.id))).
			To(judge.BeInvalidDelegationOr(judge.InvalidParams))
	}, engine.Using(talking))
	Case("PACT-5.5-18", "other-brand", func(c *engine.C) {
		t, g := talking.In(c), secondBrands.In(c)
		c.Control(g.with(c).Send(plain(c))).To(judge.BeReply())
		foreign := g.with(c).As(t.sub).Expecting(result.ExpectAny)
		c.Expect(foreign.Send(plain(c), provider.InContext(t.id))).To(judge.BeInvalidDelegationOr(judge.InvalidParams))
	}, engine.Using(talking, secondBrands), engine.WhereSetUp(engine.NeedSecondDelegatedBrand))
	Case("PACT-5.5-18", "other-brand-alone", func(c *engine.C) {
		t := talking.In(c)
		other := c.OtherBrand().As(t.sub)
		c.Control(other.Expecting(result.ExpectSuccess).Send(plain(c))).To(judge.BeReply())
		c.Expect(other.Expecting(result.ExpectError).Send(plain(c), provider.InContext(t.id))).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(talking))

	Case("PACT-5.5-22", "repeated", func(c *engine.C) {
		t, r := talking.In(c), retried.In(c)
		c.ControlOver(t.answer.Exchange).To(judge.BeReply())
		c.Judge(t.answer.Exchange, r.same.Exchange).To(judge.BeSameReply())
		if judge.HasReceipt(t.answer.Exchange) {
			c.Judge(t.answer.Exchange, r.same.Exchange).To(judge.RepeatTheReceipt())
		}
	}, engine.Using(talking, retried))
	Case("PACT-5.5-24", "another-sub", func(c *engine.C) {
		t := talking.In(c)
		answer := t.with(c).As(c.AnotherUser()).Expecting(result.ExpectAny).Send(plain(c))
		c.Observe("another sub of the same personal agent: %s", judge.Answered(answer.Exchange))
	}, engine.Using(talking))
	Case("PACT-5.5-25", "without", func(c *engine.C) {
		c.Observe("a message without a delegation token: %s", inWords(undelegated.In(c)))
	}, engine.Using(undelegated))
	Case("PACT-5.5-30", "without", func(c *engine.C) {
		t, r := talking.In(c), retried.In(c)
		c.ControlOver(t.answer.Exchange, r.same.Exchange).To(judge.BeSameReply())
		c.Judge(t.answer.Exchange, r.without.Exchange).To(judge.BeStoredReplyOrRefusal())
	}, engine.Using(talking, retried))
})

// inWords is what a message got, for an observation.
func inWords(answer *provider.Answer) string {
	if judge.IsStepUp(answer.Exchange) {
		return "a step-up"
	}
	return judge.Answered(answer.Exchange)
}

// receiptOf is the JWS of a reply's receipt, with its signature; empty where it has none.
func receiptOf(answer *provider.Answer) string {
	var reply struct {
		Message struct {
			Metadata struct {
				Receipt struct {
					JWS string `json:"jws"`
				} `json:"pact.receipt"`
			} `json:"metadata"`
		} `json:"message"`
	}
	answer.Into(&reply)
	return strings.TrimSpace(reply.Message.Metadata.Receipt.JWS)
}
