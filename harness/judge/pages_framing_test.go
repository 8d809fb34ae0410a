package judge_test

import (
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

const (
	csp, xfo     = "Content-Security-Policy", "X-Frame-Options"
	wantsUnframe = "Content-Security-Policy: frame-ancestors 'none'"
)

// protected is a consent page with those values of the header.
func protected(name string, values ...string) *result.Exchange {
	return page("consent", header(name, values...))
}

// guarded is a consent page with both headers.
func guarded(policy, options string) *result.Exchange {
	return page("consent", header(csp, policy), header(xfo, options))
}

var _ = add(
	passes("alone", judge.ForbidFraming(), protected(csp, "frame-ancestors 'none'")),
	passes("in capitals, among others", judge.ForbidFraming(), protected(csp, "default-src 'self'; ;\tFrame-Ancestors  'NONE' ; form-action *")),
	passes("in one policy of several", judge.ForbidFraming(), protected(csp, "default-src 'self', frame-ancestors 'self', frame-ancestors 'none'")),
	passes("in another line", judge.ForbidFraming(), protected(csp, "frame-ancestors *", "frame-ancestors 'none'")),
	passes("twice, first of all", judge.ForbidFraming(), protected(csp, "frame-ancestors 'none'; frame-ancestors *")),
	passes("beside another header", judge.ForbidFraming(), guarded("frame-ancestors 'none'", "SAMEORIGIN")),

	warns("DENY alone", judge.ForbidFraming(), wantsUnframe, "X-Frame-Options: DENY alone (x1)", protected(xfo, "deny")),
	warns("DENY twice", judge.ForbidFraming(), wantsUnframe, "X-Frame-Options: DENY alone (x1)", protected(xfo, "DENY", "DENY, Deny")),
	warns("DENY beside a policy about other things", judge.ForbidFraming(), wantsUnframe, "X-Frame-Options: DENY alone (x1)", guarded("default-src 'self'", "DENY")),

	fails("DENY, which frame-ancestors overrules", judge.ForbidFraming(), wantsUnframe, "Content-Security-Policy: frame-ancestors 'self' (x1)", guarded("frame-ancestors 'self'", "DENY")),
	fails("the site itself may", judge.ForbidFraming(), wantsUnframe, "X-Frame-Options: SAMEORIGIN (x1)", protected(xfo, "SAMEORIGIN")),
	fails("an empty header", judge.ForbidFraming(), wantsUnframe, "X-Frame-Options:  (x1)", protected(xfo, "")),
	fails("with another source", judge.ForbidFraming(), wantsUnframe, "Content-Security-Policy: frame-ancestors 'none' https://b.example (x1)", protected(csp, "frame-ancestors 'none' https://b.example")),
	fails("without quotes", judge.ForbidFraming(), wantsUnframe, "Content-Security-Policy: frame-ancestors none (x1)", protected(csp, "frame-ancestors none")),
	fails("too late in a policy", judge.ForbidFraming(), wantsUnframe, "Content-Security-Policy: frame-ancestors *; frame-ancestors 'none' (x1)", protected(csp, "frame-ancestors *; frame-ancestors 'none'")),
	fails("another directive", judge.ForbidFraming(), wantsUnframe, "Content-Security-Policy: frame-src 'none', child-src 'none' (x1)", protected(csp, "frame-src 'none'", "child-src 'none'")),
	fails("reported only", judge.ForbidFraming(), wantsUnframe, "no Content-Security-Policy (x1)", protected(csp+"-Report-Only", "frame-ancestors 'none'")),
	fails("nothing read", judge.ForbidFraming(), wantsUnframe, noPage, x(200, html, "", header(csp, "frame-ancestors 'none'"))),
)
