package identity

import (
	"net/http"
	"net/url"
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

// expiryWait is how long a token that was accepted is kept until it must be refused: it lives for
// tokenLife, and §3.2 allows 30 s of skew.
const (
	tokenLife  = 5 * time.Second
	expiryWait = tokenLife + 32*time.Second
)

// §3.2 Personal-agent JWT: algorithms, keys and signatures
var _ = Clause("3.2", func() {
	Signs("PACT-3.2-01", "es256", agent.ES256())
	Signs("PACT-3.2-02", "rs256", agent.RS256())

	for _, spelled := range []string{"none", "None", "NONE"} {
		Rejects("PACT-3.2-03", spelled, agent.None(spelled, false))
		Rejects("PACT-3.2-03", spelled+"-with-signature", agent.None(spelled, true))
	}

	Rejects("PACT-3.2-04", "random-secret", agent.HS256(agent.RandomSecret))
	for name, secret := range eachSecret {
		Rejects("PACT-3.2-04", name, agent.ES256(), agent.HS256(secret))
		Rejects("PACT-3.2-04", name+"-rsa", agent.RS256(), agent.HS256(secret))
	}

	for _, alg := range []string{"ES384", "ES512", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA"} {
		Rejects("PACT-3.2-05", strings.ToLower(alg), agent.Algorithm(alg))
	}
	Rejects("PACT-3.2-05", "es256-lower-case", agent.AlgorithmLetterCase("es256"))
	Rejects("PACT-3.2-05", "rs256-lower-case", agent.AlgorithmLetterCase("rs256"))

	Rejects("PACT-3.2-06", "payload", agent.TamperedPayload())
	Rejects("PACT-3.2-06", "signature", agent.TamperedSignature())
	Rejects("PACT-3.2-06", "truncated", agent.TruncatedSignature())
	Rejects("PACT-3.2-06", "empty", agent.EmptySignature())
	Rejects("PACT-3.2-06", "foreign-signature", agent.ForeignSignature())
	Rejects("PACT-3.2-06", "foreign-key", agent.WrongKeySameKid())
	Rejects("PACT-3.2-06", "payload-rs256", agent.RS256(), agent.TamperedPayload())
	Rejects("PACT-3.2-06", "foreign-key-rs256", agent.RS256(), agent.WrongKeySameKid())

	Rejects("PACT-3.2-07", "unpublished-key", agent.UnpublishedKey())
	Records("PACT-3.2-07", "unpublished-kid", agent.UnpublishedKid())
	Rejects("PACT-3.2-08", "swapped-kid", agent.SwappedKid())
	Records("PACT-3.2-09", "no-kid", agent.NoKid())

	Rejects("PACT-3.2-10", "jwk", agent.HeaderJWK())
	Rejects("PACT-3.2-10", "jwk-published-kid", agent.HeaderJWK(), agent.PublishedKid())
	Rejects("PACT-3.2-10", "x5c", agent.HeaderX5C())
	Rejects("PACT-3.2-10", "x5c-published-kid", agent.HeaderX5C(), agent.PublishedKid())
	Offers("PACT-3.2-10", "PACT-3.2-11", "jku", agent.HeaderJKU(""))
	Offers("PACT-3.2-10", "PACT-3.2-11", "x5u", agent.HeaderX5U(""))

	Rejects("PACT-3.2-12", "unknown-extension", agent.Crit())
})

// eachSecret are forms of a published key that a careless library takes for an HMAC secret.
var eachSecret = func(yield func(string, agent.Secret) bool) {
	_ = yield("pem", agent.PublicPEM) && yield("der", agent.PublicDER) && yield("jwk", agent.PublicJWK) &&
		yield("coordinate", agent.PublicCoordinate) && yield("coordinate-text", agent.PublicCoordinateText)
}

// §3.2 Personal-agent JWT: claims
var _ = Clause("3.2", func() {
	Rejects("PACT-3.2-13", "unknown", agent.UnknownIssuer())
	Rejects("PACT-3.2-13", "missing", agent.Without("iss"))
	Rejects("PACT-3.2-13", "list", agent.IssuerList())

	Rejects("PACT-3.2-14", "missing", agent.Without("sub"))
	RejectsSoftly("PACT-3.2-14", "empty", agent.Subject(""))
	RejectsSoftly("PACT-3.2-14", "null", agent.Subject(nil))
	RejectsSoftly("PACT-3.2-14", "number", agent.Subject(4471))

	Rejects("PACT-3.2-15", "another", agent.AudienceValue("another-"+uuid.NewString()))
	Rejects("PACT-3.2-15", "missing", agent.Without("aud"))
	Rejects("PACT-3.2-15", "prefix", agent.AudiencePrefix())
	Rejects("PACT-3.2-15", "longer", agent.AudienceLonger())
	RejectsFrom("PACT-3.2-15", "longer-before", func(s *engine.Setup) []agent.Change {
		return []agent.Change{agent.AudienceValue("x" + s.Audience)}
	})
	Rejects("PACT-3.2-15", "letter-case", agent.AudienceLetterCase())
	Rejects("PACT-3.2-15", "trailing-slash", agent.AudienceTrailingSlash())

	Rejects("PACT-3.2-16", "with-another", agent.AudienceList("https://another.example"))
	RejectsSoftly("PACT-3.2-16", "alone", agent.AudienceList())

	Rejects("PACT-3.2-17", "missing", agent.Without("iat"))
	RejectsSoftly("PACT-3.2-17", "string", agent.StringTime("iat"))
	Rejects("PACT-3.2-18", "40s", agent.IssuedAt(40*time.Second))
	Rejects("PACT-3.2-18", "1h", agent.IssuedAt(time.Hour))
	Accepts("PACT-3.2-19", "20s", agent.IssuedAt(20*time.Second))

	Rejects("PACT-3.2-20", "missing", agent.Without("exp"))
	RejectsSoftly("PACT-3.2-20", "string", agent.StringTime("exp"))
	Rejects("PACT-3.2-21", "40s", agent.Expired(Expired))
	Rejects("PACT-3.2-21", "1h", agent.Expired(time.Hour))
	Records("PACT-3.2-21", "10s", agent.Expired(10*time.Second))

	Rejects("PACT-3.2-22", "301s", agent.Lifetime(TooLong))
	Rejects("PACT-3.2-22", "10m", agent.Lifetime(10*time.Minute))
	Rejects("PACT-3.2-22", "1d", agent.Lifetime(24*time.Hour))
	Rejects("PACT-3.2-22", "301s-begun", agent.LifetimeShifted(TooLong, 200*time.Second))
	Accepts("PACT-3.2-23", "300s", agent.Lifetime(agent.MaxLifetime))

	Accepts("PACT-3.2-24", "no-jti", agent.NoJTI())
	Again("PACT-3.2-25", "no-jti", func(c *engine.C, answers []*provider.Answer) {
		c.Expect(answers...).To(judge.BeAccepted())
	}, agent.NoJTI())
	Again("PACT-3.2-26", "jti", func(c *engine.C, answers []*provider.Answer) {
		c.Control(answers[0]).To(judge.BeAccepted())
		c.Observe("a jti that was used before: %s", judge.Answered(answers[1].Exchange))
	})

	Rejects("PACT-3.2-27", "120s", agent.NotBefore(2*time.Minute))
	Accepts("PACT-3.2-28", "no-typ", agent.NoTyp())
	Accepts("PACT-3.2-28", "typ-jwt", agent.Typ("JWT"))

	Rejects("PACT-3.2-34", "der", agent.ES256(), agent.DERSignature())

	Case("PACT-3.2-35", "expires", func(c *engine.C) {
		v := RightToken.In(c)
		token := c.Mint(v.As(c).With(agent.NoJTI(), agent.ExpiresIn(tokenLife)))
		caller := v.As(c).WithToken(token.Compact, token.Credential)
		c.Control(v.Ask(caller)).To(judge.BeAccepted())
		c.Wait(expiryWait)
		c.Expect(v.Ask(caller.Expecting(result.ExpectUnauthorized))).To(judge.BeUnauthorized())
	}, engine.Using(RightToken), engine.WaitsFor(expiryWait))
})

// §3.2 Personal-agent JWT: where it is looked for, and on which requests
var _ = Clause("3.2", func() {
	Carries("PACT-3.2-29", "query", "in the query alone", func(r *http.Request, token string) {
		r.URL.RawQuery = url.Values{"access_token": {token}}.Encode()
	})
	Case("PACT-3.2-29", "form", func(c *engine.C) {
		c.Controlled(RightToken.In(c).Control)
		body := url.Values{"access_token": {c.Mint(c.Brand()).Compact}}.Encode()
		c.Expect(c.Brand().WithoutToken().Expecting(result.ExpectUnauthorized).
			SendBody("application/x-www-form-urlencoded", []byte(body))).To(judge.BeUnauthorized())
	}, engine.Using(RightToken))

	for _, op := range Operations {
		Case("PACT-3.2-30", op.Name, func(c *engine.C) {
			c.Controlled(RightToken.In(c).Control)
			c.Expect(op.Ask(c.Brand().WithoutToken().Expecting(result.ExpectUnauthorized))).To(judge.BeUnauthorized())
		}, engine.Using(RightToken))
	}

	Writes("PACT-3.2-31", "basic", "Basic", func(string) string { return "Basic dXNlcjpwYXNz" })
	Writes("PACT-3.2-31", "bearer-alone", "Bearer without a token", func(string) string { return "Bearer" })
	Rejects("PACT-3.2-31", "two-segments", agent.TwoSegments())
	Rejects("PACT-3.2-31", "four-segments", agent.FourSegments())
	Rejects("PACT-3.2-31", "bad-base64url", agent.BadBase64())
	Rejects("PACT-3.2-31", "header-no-json", agent.HeaderNotJSON())
	Rejects("PACT-3.2-31", "payload-list", agent.PayloadList())
	Case("PACT-3.2-31", "junk", func(c *engine.C) {
		v := RightToken.In(c)
		answer := v.Ask(v.As(c).With(agent.Junk(16 << 10)))
		c.Controlled(v.Control)
		c.Expect(answer).To(judge.HaveStatus(401, 431, 413, 400))
	}, engine.Using(RightToken), Changing(agent.Junk(16<<10)))
	Writes("PACT-3.2-31", "scheme-basic", "a right token under the scheme Basic", func(token string) string { return "Basic " + token })
	Writes("PACT-3.2-31", "scheme-jwt", "a right token under the scheme JWT", func(token string) string { return "JWT " + token })
	Writes("PACT-3.2-31", "no-scheme", "a right token under no scheme", func(token string) string { return token })

	Case("PACT-3.2-32", "lower-case", func(c *engine.C) {
		v := RightToken.In(c)
		c.Expect(v.Ask(v.As(c).Authorization("scheme written bearer", func(token string) string { return "bearer " + token }))).
			To(judge.BeAccepted())
	}, engine.Using(RightToken))

	for _, op := range Operations {
		for name, change := range EachWrongToken {
			Case("PACT-3.2-33", op.Name+"-"+name, func(c *engine.C) {
				through := Vehicle{Operation: op, Algorithm: RightToken.In(c).Algorithm, Control: letThrough[op.Name].In(c)}
				c.Expect(Refused(c, through, change)).To(judge.BeUnauthorized())
			}, engine.Using(RightToken, letThrough[op.Name]), Changing(change))
		}
	}

	for _, op := range undeclared {
		Case("PACT-3.2-36", op.Name, func(c *engine.C) {
			c.Controlled(RightToken.In(c).Control)
			answer := op.Ask(c.Brand().WithoutToken())
			c.Expect(answer).To(judge.SoftStatus([]int{401}, []int{404, 405}))
			if answer.Status != http.StatusUnauthorized {
				c.Expect(answer).To(judge.HaveNoA2ABody())
			}
		}, engine.Using(RightToken))
	}
})
