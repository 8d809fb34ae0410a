package judge

import (
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// ForbidFraming passes pages with a Content-Security-Policy whose frame-ancestors is 'none', enforced;
// X-Frame-Options DENY in place of frame-ancestors is a warning (§5.3).
func ForbidFraming() Judge { return forbidFraming(none{}) }

var forbidFraming = define("ForbidFraming", func(_ none, xs []*result.Exchange) Finding {
	return eachPage("Content-Security-Policy: frame-ancestors 'none'", xs, func(x *result.Exchange) shortfall {
		policies := x.Response.Header.Values("Content-Security-Policy")
		ancestors := frameAncestors(policies)
		options := x.Response.Header.Values("X-Frame-Options")
		switch {
		case slices.Contains(ancestors, "'none'"):
			return shortfall{}
		case len(ancestors) == 0 && denies(options):
			return warning("X-Frame-Options: DENY alone")
		case len(policies) > 0:
			return failing("Content-Security-Policy: %s", shorten(strings.Join(policies, ", ")))
		case len(options) > 0:
			return failing("X-Frame-Options: %s", strings.Join(options, ", "))
		}
		return failing("no Content-Security-Policy")
	})
})

// frameAncestors are the values of frame-ancestors in the policies of the header (CSP3 §2.2): a
// comma parts policies, which all apply; of a directive that a policy has twice the first counts.
func frameAncestors(headers []string) []string {
	var all []string
	for policy := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		for directive := range strings.SplitSeq(policy, ";") {
			words := strings.Fields(strings.ToLower(directive))
			if len(words) > 0 && words[0] == "frame-ancestors" {
				all = append(all, strings.Join(words[1:], " "))
				break
			}
		}
	}
	return all
}

// denies reports whether X-Frame-Options says DENY and nothing else (HTML, "The `X-Frame-Options` header").
func denies(headers []string) bool {
	if len(headers) == 0 {
		return false
	}
	for option := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		if !strings.EqualFold(strings.TrimSpace(option), "DENY") {
			return false
		}
	}
	return true
}
