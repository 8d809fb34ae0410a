package identity

import (
	"crypto/rand"
	"net/url"
	"strings"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

const wellKnown = "/.well-known/agent-card.json"

// §2.1 Agent Card
var _ = Clause("2.1", func() {
	Case("PACT-2.1-01", "get", func(c *engine.C) {
		c.Expect(Card(c)).To(judge.BeCard())
	})
	Case("PACT-2.1-02", "garbage", func(c *engine.C) {
		plain, again := Card(c), Card(c)
		c.Control(plain, again).To(judge.BeCard())
		c.Expect(plain, again, c.Anywhere().Header("Authorization", "Bearer garbage").
			Get(provider.OperationCard, c.Setup().Brand.Card)).To(judge.BeSameCard())
	})
	Case("PACT-2.1-03", "random-id", func(c *engine.C) {
		c.Control(Card(c)).To(judge.BeOK())
		c.Expect(unknownCard(c)).To(judge.HaveStatus(404))
	})
	Case("PACT-2.1-04", "random-id", func(c *engine.C) {
		c.Expect(unknownCard(c)).To(judge.HaveNoA2ABody())
	})

	OnCard("PACT-2.1-05", "interface", judge.ListInterface())
	OnCard("PACT-2.1-06", "url", judge.HaveAbsoluteInterfaceURL(), judge.ListInterface())
	Case("PACT-2.1-06", "answers", func(c *engine.C) {
		caller := c.Interface()
		answer := Tasks.Ask(caller)
		for _, other := range []func() *provider.Answer{
			func() *provider.Answer { return Task.Ask(caller) },
			func() *provider.Answer { return Send.Ask(caller.WithoutToken()) },
		} {
			if judge.BeAnOperation().Find(answer.Recorded()...).Outcome == result.Passed {
				break
			}
			answer = other()
		}
		c.Expect(answer).To(judge.BeAnOperation())
	})
	OnCard("PACT-2.1-07", "scheme", judge.DeclareBearerJWT())
	OnCard("PACT-2.1-08", "alone", judge.RequireBearerAlone(), judge.DeclareBearerJWT())
	Case("PACT-2.1-09", "members", func(c *engine.C) {
		answer := Card(c)
		c.Control(answer).To(judge.BeCard())
		if text, _ := answer.Object()["description"].(string); text == "" {
			c.Observe("the card has no description, as the specification's own example has none")
		}
		c.Expect(answer).To(judge.HaveRequiredMembers())
	})

	Case("PACT-2.1-10", "both-brands", func(c *engine.C) {
		mine, other := Card(c), otherCard(c)
		c.Control(mine, other).To(judge.ListInterface())
		c.Control(mine, other).To(judge.HaveAbsoluteInterfaceURL())
		c.Expect(mine, other).To(judge.HaveInterfacesOfTheirOwn())
	})
	Case("PACT-2.1-11", "domain", func(c *engine.C) {
		own := Card(c)
		c.Control(own).To(judge.BeCard())
		c.Expect(own, c.Anywhere().Calling(provider.Interface{}, "domain").Get(provider.OperationCard, standardPlace(c.Setup().Brand.Domain))).
			To(judge.BeSameDirections())
	})
	Case("PACT-2.1-12", "headers", func(c *engine.C) {
		answer := Card(c)
		c.Observe("Cache-Control %q, ETag %q", answer.Header.Get("Cache-Control"), answer.Header.Get("ETag"))
	})
	OnCard("PACT-2.1-13", "names", judge.HaveCamelCase())
	Case("PACT-2.1-14", "place", func(c *engine.C) {
		has := "has not"
		if at, err := url.Parse(c.Setup().Brand.Card); err == nil && strings.HasSuffix(at.Path, wellKnown) && strings.Contains(at.Path, "/a2a/") {
			has = "has"
		}
		c.Observe("the card's URL %s the form {PROVIDER_URL}/a2a/{brandId}%s", has, wellKnown)
	})
})

func otherCard(c *engine.C) *provider.Answer {
	return c.Anywhere().Calling(provider.Interface{}, "other").Expecting(result.ExpectSuccess).
		Get(provider.OperationCard, c.Setup().OtherBrand.Card)
}

// unknownCard asks for the card of a Brand that does not exist.
func unknownCard(c *engine.C) *provider.Answer {
	at := c.Setup().UnknownCard
	if at == "" {
		own, unknown, ok := unknownBrand(c.Setup())
		if !ok {
			c.NotRun("the card's URL has no segment that names the Brand: set brand.unknownCard")
		}
		at = strings.Replace(c.Setup().Brand.Card, own, unknown, 1)
	}
	return c.Anywhere().Calling(provider.Interface{}, "unknown").Expecting(result.ExpectNoRoute).Get(provider.OperationCard, at)
}

// unknownBrand finds what names the Brand in its card's URL, with the slashes around it, and
// another of the same form that nobody has: the path segment in which the two Brands' URLs differ,
// or the one before /.well-known.
func unknownBrand(s *engine.Setup) (own, unknown string, ok bool) {
	mine, err := url.Parse(s.Brand.Card)
	if err != nil {
		return "", "", false
	}
	segments := strings.Split(mine.EscapedPath(), "/")
	at := -1
	if other, err := url.Parse(s.OtherBrand.Card); err == nil && s.OtherBrand.Card != "" {
		theirs := strings.Split(other.EscapedPath(), "/")
		for i := range min(len(segments), len(theirs)) {
			if segments[i] != theirs[i] {
				at = i
				break
			}
		}
	}
	for i := 1; i < len(segments) && at < 0; i++ {
		if segments[i] == ".well-known" {
			at = i - 1
		}
	}
	if at < 1 || segments[at] == "" {
		return "", "", false
	}
	return "/" + segments[at] + "/", "/" + scramble(segments[at]) + "/", true
}

// scramble is a random string of the same form: a digit for a digit, a letter for a letter of the same case.
func scramble(s string) string {
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHJKMNPQRSTVWXYZ"
	random := make([]byte, len(s))
	_, _ = rand.Read(random) // never fails (crypto/rand)
	out := []byte(s)
	// The first character keeps its place: it often has a meaning (a version, a time).
	for i := min(1, len(out)-1); i < len(out); i++ {
		class := ""
		switch b := out[i]; {
		case b >= '0' && b <= '9':
			class = digits
		case b >= 'a' && b <= 'f':
			class = "abcdef" // stay hexadecimal where it may be
		case b >= 'a' && b <= 'z':
			class = lower
		case b >= 'A' && b <= 'Z':
			class = upper
		default:
			continue
		}
		out[i] = class[int(random[i])%len(class)]
	}
	return string(out)
}

// standardPlace is where §2.1 looks for a card under the Brand's own domain. A loopback host has no certificate.
func standardPlace(domain string) string {
	host, _, _ := strings.Cut(domain, ":")
	if host == "localhost" || strings.HasPrefix(host, "127.") {
		return "http://" + domain + wellKnown
	}
	return "https://" + domain + wellKnown
}
