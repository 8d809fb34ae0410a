package sample

import (
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

const unauthorized = `401 with WWW-Authenticate: Bearer realm="a2a" and no A2A body`

type special func(b *builder, row catalog.Requirement) []result.Case

// specials are the rows of Run that are not as usual: every outcome, alone and mixed.
var specials = map[string]special{
	"PACT-3.2-04": func(b *builder, row catalog.Requirement) []result.Case {
		return []result.Case{
			b.judged(row.ID+"/random", result.Passed, "BeUnauthorized", unauthorized, "", 401),
			b.judged(row.ID+"/pem", result.Failed, "BeUnauthorized", unauthorized, "200 application/a2a+json: the token was accepted", 200),
			b.judged(row.ID+"/der", result.Failed, "BeUnauthorized", unauthorized, "200 application/a2a+json: the token was accepted", 200),
			b.judged(row.ID+"/jwk", result.Passed, "BeUnauthorized", unauthorized, "", 401),
		}
	},
	"PACT-2.2-06": func(b *builder, row catalog.Requirement) []result.Case {
		empty := b.judged(row.ID+"/empty", result.Observed, "", "", "", 200)
		empty.Judgements, empty.Observations = nil, []string{"the empty value got 200"}
		return []result.Case{
			b.judged(row.ID+"/abc", result.Passed, "BeA2AError", "400 with the A2A error INVALID_PARAMS", "", 400),
			b.judged(row.ID+"/10x", result.Failed, "BeA2AError", "400 with the A2A error INVALID_PARAMS", "502 text/html: no A2A error envelope", 502),
			empty,
		}
	},
	"PACT-2.1-07": func(b *builder, row catalog.Requirement) []result.Case {
		return []result.Case{b.judged(row.ID+"/scheme", result.Warning, "DeclareThePersonalAgentJWT", `an httpAuthSecurityScheme with scheme "Bearer" and bearerFormat "JWT"`, `scheme "bearer": right but for the letter case`, 200)}
	},
	"PACT-3.4-05": func(b *builder, row catalog.Requirement) []result.Case {
		return []result.Case{b.judged(row.ID+"/alike", result.Warning, "BeAlike", "the same body for every failure", `two texts: "bad signature", "expired"`, 401)}
	},
	"PACT-4.1-13": func(b *builder, row catalog.Requirement) []result.Case {
		c := b.judged(row.ID+"/256k", result.Errored, "", "", "", 200)
		c.Judgements, c.Reason, c.SecondLook = nil, "read: connection reset by peer, twice", true
		last := &b.run.Exchanges[len(b.run.Exchanges)-1]
		last.Response, last.Error = nil, "read: connection reset by peer"
		last.Request.Body = strings.Repeat("long text ", 2000)
		last.Request.BodyBytes = 256 << 10
		return []result.Case{c}
	},
	"PACT-4.2-08": func(_ *builder, row catalog.Requirement) []result.Case {
		c := idle(row.ID+"/other-sub", result.Blocked, "the owner's next turn got 502 instead of 200", "")
		c.Journeys = []string{"conversation"}
		return []result.Case{c}
	},
	"PACT-4.2-12": func(_ *builder, row catalog.Requirement) []result.Case {
		return []result.Case{idle(row.ID+"/owner", result.Blocked, "the owner's next turn got 502 instead of 200", "")}
	},
	"PACT-3.1-03": func(_ *builder, row catalog.Requirement) []result.Case {
		return []result.Case{idle(row.ID+"/withdrawn", result.NotRun, "waits 600 s, beyond --max-wait 100s", "waits longer than --max-wait")}
	},
	"PACT-3.1-04": func(_ *builder, row catalog.Requirement) []result.Case {
		return []result.Case{idle(row.ID+"/tasks", result.NotRun, "needs disabled-agent: set agents.disabled, or none", "")}
	},
	"PACT-2.1-11": func(_ *builder, row catalog.Requirement) []result.Case {
		return []result.Case{idle(row.ID+"/standard-place", result.NotApplicable, "brand.domain is none", "brand.domain is declared none")}
	},
	"PACT-2.2-09": func(_ *builder, row catalog.Requirement) []result.Case {
		return []result.Case{idle(row.ID+"/stream", result.NotApplicable, "the card declares streaming", "")}
	},
	"PACT-4.2-13": closes, "PACT-4.2-14": closes, "PACT-4.2-18": closes,
	"PACT-4.2-19": remembers, "PACT-4.2-21": remembers,
	"PACT-5.3-32": noBrowser, "PACT-5.3-33": noBrowser, "PACT-5.3-34": noBrowser,
	"PACT-5.6-12": func(*builder, catalog.Requirement) []result.Case { return nil },
}

// NoChromium is what a run says where no page can be read.
const NoChromium = "there is no Chromium: none of chromium-headless-shell, chromium is installed"

func closes(_ *builder, row catalog.Requirement) []result.Case {
	return []result.Case{idle(row.ID+"/closed", result.NotApplicable, "prompts.close is none", "prompts.close is declared none")}
}

func remembers(_ *builder, row catalog.Requirement) []result.Case {
	return []result.Case{idle(row.ID+"/fact", result.NotRun, "needs prompt:memory: set prompts.memory, or none", "")}
}

func noBrowser(_ *builder, row catalog.Requirement) []result.Case {
	return []result.Case{idle(row.ID+"/page", result.NotRun, NoChromium, NoChromium)}
}
