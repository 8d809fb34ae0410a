package delegated

import (
	"net/http"
	"net/url"
	"slices"
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

// §5.3 Getting a token: asking for scopes
var _ = Clause("5.3", func() {
	Case("PACT-5.3-01", "answer", func(c *engine.C) {
		asked := asks.In(c)
		c.Judge(asked...).To(judge.BeDeviceAuthorization())
		c.Judge(asked...).To(judge.HaveLinksOfTheirOwn())
	}, engine.Using(asks))
	Case("PACT-5.3-02", "user-code", func(c *engine.C) {
		c.ControlOver(asks.In(c)...).To(judge.GiveACode())
		c.Judge(asks.In(c)...).To(judge.CarryTheUserCode())
	}, engine.Using(asks))
	Case("PACT-5.3-08", "three", func(c *engine.C) {
		c.ControlOver(asks.In(c)...).To(judge.GiveACode())
		c.Judge(asks.In(c)...).To(judge.BeUnguessable())
	}, engine.Using(asks))

	UnknownScope("PACT-5.3-03", "alone", func(known string) []string { return []string{unknownScope} })
	UnknownScope("PACT-5.3-03", "beside-known", func(known string) []string { return []string{known, unknownScope} })
	Case("PACT-5.3-03", "other-brands", func(c *engine.C) {
		d := server.In(c)
		foreign := ""
		if other := c.OtherCard().Delegation; other != nil {
			for id := range other.Scopes {
				if _, shared := d.Scopes[id]; !shared && (foreign == "" || id < foreign) {
					foreign = id
				}
			}
		}
		if foreign == "" {
			c.NotApplicable("the other Brand's card has no scope that this one lacks")
		}
		c.ControlOver(asks.In(c)[0]).To(judge.GiveACode())
		c.Expect(c.Brand().Authorize(d.Delegation, foreign)).To(judge.BeOAuthError([]string{"invalid_scope"}))
	}, engine.Using(server, asks), engine.WhereSetUp(engine.NeedSecondBrand))

	for name, change := range EachWrongToken {
		WrongClient("PACT-5.3-04", name, atDeviceEndpoint, func(caller provider.Caller) provider.Caller { return caller.With(change) }, change)
		WrongClient("PACT-5.3-05", name+"-device-code", atTokenEndpoint, func(caller provider.Caller) provider.Caller { return caller.With(change) }, change)
		WrongClient("PACT-5.3-05", name+"-refresh-token", atRefresh, func(caller provider.Caller) provider.Caller { return caller.With(change) }, change)
	}
	for name, at := range eachEndpoint {
		WrongClient(at.row(), name+"-no-token", at, provider.Caller.WithoutToken)
		Case(at.row(), name+"-disabled-agent", func(c *engine.C) {
			mustBeRefused(c, at.ask(c, c.Brand().By(c.Setup().Disabled)))
		}, at.using(), engine.WhereSetUp(engine.NeedDisabledAgent))
	}

	Case("PACT-5.3-06", "device-endpoint", func(c *engine.C) {
		c.ControlOver(asks.In(c)[0]).To(judge.GiveACode())
		c.Expect(c.Brand().Form(provider.OperationDevice, server.In(c).DeviceAuthorizationURL, url.Values{
			"client_id": {anotherClient}, "scope": {server.In(c).FirstScope()},
		})).To(judge.BeRefusedByOAuth())
	}, engine.Using(server, asks))
	Case("PACT-5.3-06", "token-endpoint", func(c *engine.C) {
		c.Expect(c.Brand().Form(provider.OperationToken, server.In(c).TokenURL, url.Values{
			"client_id": {anotherClient}, "grant_type": {provider.GrantDeviceCode}, "device_code": {waiting.In(c).DeviceCode},
		})).To(judge.BeRefusedByOAuth())
	}, engine.Using(server, waiting))
	Case("PACT-5.3-07", "device-endpoint", func(c *engine.C) {
		answer := c.Brand().Form(provider.OperationDevice, server.In(c).DeviceAuthorizationURL, url.Values{
			"client_id": {""}, "scope": {server.In(c).FirstScope()},
		})
		c.Observe("without client_id: %s", judge.Told(answer.Exchange))
	}, engine.Using(server))
})

// §5.3 Getting a token: polling
var _ = Clause("5.3", func() {
	Case("PACT-5.3-09", "pending", func(c *engine.C) {
		c.Expect(c.Brand().Redeem(server.In(c).Delegation, ask(c).DeviceCode)).
			To(judge.BeOAuthError(undecidedYet))
	}, engine.Using(server))
	Case("PACT-5.3-10", "fast", func(c *engine.C) {
		var told []string
		for _, poll := range hurried.In(c).fast {
			told = append(told, judge.Told(poll))
		}
		c.Observe("polls without a pause: %s", strings.Join(told, "; "))
	}, engine.Using(hurried))

	Case("PACT-5.3-11", "device-code", func(c *engine.C) {
		c.ControlOver(asks.In(c)[0]).To(judge.GiveACode())
		c.Expect(c.Brand().Redeem(server.In(c).Delegation, "unknown-"+uuid.NewString())).
			To(judge.BeOAuthError([]string{"invalid_grant"}, "*"))
	}, engine.Using(server, asks))
	Case("PACT-5.3-11", "refresh-token", func(c *engine.C) {
		c.ControlOver(asks.In(c)[0]).To(judge.GiveACode())
		c.Expect(c.Brand().Refresh(server.In(c).Delegation, "unknown-"+uuid.NewString())).
			To(judge.BeOAuthError([]string{"invalid_grant"}, "*"))
	}, engine.Using(server, asks))
	Case("PACT-5.3-14", "password", func(c *engine.C) {
		c.ControlOver(asks.In(c)[0]).To(judge.GiveACode())
		c.Expect(c.Brand().Form(provider.OperationToken, server.In(c).TokenURL, url.Values{"grant_type": {"urn:example:unknown"}})).
			To(judge.BeOAuthError([]string{"unsupported_grant_type"}))
	}, engine.Using(server, asks))

	Case("PACT-5.3-20", "expired", func(c *engine.C) {
		code := ask(c)
		if code.ExpiresIn <= 0 {
			c.Block("the device authorization does not say when its code expires, which PACT-5.3-01 says")
		}
		life := time.Duration(code.ExpiresIn * float64(time.Second))
		if longest := c.Setup().Limits.MaxWait; life+expiryMargin > longest {
			c.Slow("the code lives %s, and --max-wait is %s", life, longest)
		}
		c.Wait(life + expiryMargin)
		c.Expect(c.Brand().Redeem(server.In(c).Delegation, code.DeviceCode)).
			To(judge.BeOAuthError([]string{"expired_token"}, "invalid_grant"))
	}, engine.Using(server))

	Case("PACT-5.3-39", "get-device", func(c *engine.C) {
		c.Expect(c.Brand().GetWithToken(provider.OperationDevice, server.In(c).DeviceAuthorizationURL)).To(judge.BeNoRoute())
	}, engine.Using(server))
	Case("PACT-5.3-39", "get-token", func(c *engine.C) {
		c.Expect(c.Brand().GetWithToken(provider.OperationToken, server.In(c).TokenURL)).To(judge.BeNoRoute())
	}, engine.Using(server))
	Case("PACT-5.3-39", "json-device", func(c *engine.C) {
		c.Expect(c.Brand().Post(provider.OperationDevice, server.In(c).DeviceAuthorizationURL, "application/json",
			[]byte(`{"scope":"`+server.In(c).FirstScope()+`"}`))).To(judge.BeRefusedAtAll())
	}, engine.Using(server))
	Case("PACT-5.3-39", "json-token", func(c *engine.C) {
		c.Expect(c.Brand().Post(provider.OperationToken, server.In(c).TokenURL, "application/json",
			[]byte(`{"grant_type":"`+provider.GrantDeviceCode+`"}`))).To(judge.BeRefusedAtAll())
	}, engine.Using(server))

	Case("PACT-5.3-48", "provoked", func(c *engine.C) {
		unknown := c.Brand().Redeem(server.In(c).Delegation, "unknown-"+uuid.NewString())
		c.Control(unknown).To(judge.BeRefusedAtAll())
		c.Expect(unknown).To(judge.HaveOAuthErrorObject())
	}, engine.Using(server))
	Throughout("PACT-5.3-48", "every-error", oauthRefusal, judge.HaveOAuthErrorObject())

	Case("PACT-5.3-49", "none", func(c *engine.C) {
		d := server.In(c)
		none := c.Brand().Form(provider.OperationDevice, d.DeviceAuthorizationURL, nil)
		empty := c.Brand().Form(provider.OperationDevice, d.DeviceAuthorizationURL, url.Values{"scope": {""}})
		c.Observe("without scope: %s; with an empty one: %s", judge.Told(none.Exchange), judge.Told(empty.Exchange))
	}, engine.Using(server))
})

// hurry is a code that was polled without a pause.
type hurry struct {
	fast []*result.Exchange
	// later is the poll after a slow_down, once the client has waited as it was told; nil where there was none.
	later *provider.Answer
}

// hurried polls a code until it is told to slow down, and does so.
var hurried = engine.NewJourney("a code that is polled too fast", func(c *engine.C) hurry {
	r := primary(c).ask(c, server.In(c).FirstScope())
	var h hurry
	for range 3 {
		r.polled = time.Time{}
		answer := r.poll(c)
		h.fast = append(h.fast, answer.Exchange)
		if judge.OAuthError(answer.Exchange) == errSlowDown {
			if wait, longest := r.interval+courtesy, c.Setup().Limits.MaxWait; wait > longest {
				c.Slow("slow_down asks for a wait of %s, and --max-wait is %s", wait, longest)
			}
			h.later = r.poll(c)
			break
		}
	}
	return h
}, server)

const (
	unknownScope  = "unknown:scope"
	anotherClient = "https://another-client.example"
	// expiryMargin is how long after its expiry a code is tried.
	expiryMargin = 2 * time.Second
)

// ask asks for a scope of the card and returns the codes.
func ask(c *engine.C, scopes ...string) provider.DeviceCode {
	d := server.In(c)
	if len(scopes) == 0 {
		scopes = []string{d.FirstScope()}
	}
	answer := c.Brand().Authorize(d.Delegation, scopes...)
	c.Control(answer).To(judge.GiveACode())
	var code provider.DeviceCode
	answer.Into(&code)
	return code
}

// asks are three device authorizations for the same scope.
var asks = engine.NewJourney("three device authorizations", func(c *engine.C) []*result.Exchange {
	d := server.In(c)
	var all []*result.Exchange
	for range 3 {
		answer := c.Brand().Authorize(d.Delegation, d.FirstScope())
		all = append(all, answer.Exchange)
	}
	return all
}, server)

// waiting is a device authorization that nobody decides, whose code gives a right token no more than
// authorization_pending; under which status, PACT-5.3-09 says.
var waiting = engine.NewJourney("a pending device authorization", func(c *engine.C) provider.DeviceCode {
	code := ask(c)
	if answer := c.Brand().Redeem(server.In(c).Delegation, code.DeviceCode); !pending(answer) {
		c.Control(answer).To(judge.BeOAuthError(undecidedYet))
	}
	return code
}, server)

// undecidedYet is what the token endpoint says before the User has decided (RFC 8628 §3.5).
var undecidedYet = []string{errPending, errSlowDown}

// UnknownScope is a request for a scope that the card does not have.
func UnknownScope(id, name string, scopes func(known string) []string) {
	Case(id, name, func(c *engine.C) {
		d := server.In(c)
		c.ControlOver(asks.In(c)[0]).To(judge.GiveACode())
		c.Expect(c.Brand().Authorize(d.Delegation, scopes(d.FirstScope())...)).
			To(judge.BeOAuthError([]string{"invalid_scope"}))
	}, engine.Using(server, asks))
}

// endpoint is an OAuth endpoint with a request that is right but for the client's credential.
type endpoint struct {
	// redeems says that it is the token endpoint, which tells a right token authorization_pending.
	redeems bool
	request func(provider.Caller, authorizationServer, provider.DeviceCode) *provider.Answer
}

var (
	atDeviceEndpoint = endpoint{request: func(caller provider.Caller, s authorizationServer, _ provider.DeviceCode) *provider.Answer {
		return caller.Authorize(s.Delegation, s.FirstScope())
	}}
	atTokenEndpoint = endpoint{redeems: true, request: func(caller provider.Caller, s authorizationServer, code provider.DeviceCode) *provider.Answer {
		return caller.Redeem(s.Delegation, code.DeviceCode)
	}}
	atRefresh = endpoint{redeems: true, request: func(caller provider.Caller, s authorizationServer, _ provider.DeviceCode) *provider.Answer {
		return caller.Refresh(s.Delegation, "unknown-"+uuid.NewString())
	}}

	eachEndpoint = func(yield func(string, endpoint) bool) {
		_ = yield("device", atDeviceEndpoint) && yield("device-code", atTokenEndpoint) && yield("refresh-token", atRefresh)
	}
)

// row is the requirement that is about the endpoint.
func (e endpoint) row() string {
	if e.redeems {
		return "PACT-5.3-05"
	}
	return "PACT-5.3-04"
}

// using are the journeys of its control.
func (e endpoint) using() engine.Option {
	if e.redeems {
		return engine.Using(server, asks, waiting)
	}
	return engine.Using(server, asks)
}

// ask sends the request with a wrong credential, once a right one was accepted.
func (e endpoint) ask(c *engine.C, caller provider.Caller) *provider.Answer {
	c.ControlOver(asks.In(c)[0]).To(judge.GiveACode())
	var code provider.DeviceCode
	if e.redeems {
		code = waiting.In(c)
	}
	return e.request(caller.Expecting(result.ExpectUnauthorized), server.In(c), code)
}

// WrongClient is a bad personal-agent JWT at an OAuth endpoint: 401 as in §3.4, and no token.
func WrongClient(id, name string, at endpoint, spoil func(provider.Caller) provider.Caller, changes ...agent.Change) {
	Case(id, name, func(c *engine.C) { mustBeRefused(c, at.ask(c, spoil(c.Brand()))) }, at.using(), Changing(changes...))
}

// mustBeRefused judges a 401 as §3.4 has it, and no token.
func mustBeRefused(c *engine.C, answer *provider.Answer) {
	for _, j := range []judge.Judge{judge.BeUnauthorized(), judge.HaveChallenge(), judge.HaveNoA2ABody(), judge.GiveNoToken()} {
		c.Expect(answer).To(j)
	}
}

// oauthRefusal is an error of an OAuth endpoint; what is no route there is none.
func oauthRefusal(x *result.Exchange) bool {
	endpoints := []string{provider.OperationDevice, provider.OperationToken, provider.OperationRevocation}
	return slices.Contains(endpoints, x.Tags.Operation) && x.Request.Method == http.MethodPost &&
		x.Response.Status >= 400 && x.Response.Status < 500 &&
		x.Response.Status != http.StatusTooManyRequests && x.Response.Status != http.StatusUnsupportedMediaType
}
