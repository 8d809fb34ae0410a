package judge

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// oauthError is the member error of an OAuth error answer (RFC 6749 §5.2); empty when there is none.
func oauthError(x *result.Exchange) string {
	code, _ := object(x)["error"].(string)
	return code
}

// Told says in one line what an OAuth endpoint answered.
func Told(x *result.Exchange) string {
	if code := oauthError(x); code != "" {
		return fmt.Sprintf("%s, error %q", Answered(x), code)
	}
	return Answered(x)
}

// BeOAuthError passes a 400 with one of the error codes (RFC 6749 §5.2, RFC 8628 §3.5); one of
// tolerated is a warning, and "*" tolerates any other refusal that is an OAuth error.
func BeOAuthError(codes []string, tolerated ...string) Judge {
	return beOAuthError(oauthArgs{Codes: codes, Tolerated: tolerated})
}

type oauthArgs struct {
	Codes     []string `json:"codes"`
	Tolerated []string `json:"tolerated,omitempty"`
}

// pending are the errors that refuse nothing: the client is to go on polling.
var pending = []string{"authorization_pending", "slow_down"}

var beOAuthError = define("BeOAuthError", func(a oauthArgs, xs []*result.Exchange) Finding {
	expected := "400 with the OAuth error " + strings.Join(a.Codes, " or ")
	worst := passed(expected)
	for _, x := range xs {
		code := oauthError(x)
		refused := x.Response.Status == 400 || x.Response.Status == 401
		switch {
		case x.Response.Status == 400 && slices.Contains(a.Codes, code):
		case refused && slices.Contains(a.Tolerated, code),
			refused && code != "" && slices.Contains(a.Tolerated, "*") && !slices.Contains(pending, code):
			worst = warned(expected, "%s (%s)", Told(x), x.ID)
		default:
			return failed(expected, "%s (%s)", Told(x), x.ID)
		}
	}
	return worst
})

// StillPending passes the answer to a poll before the decision: authorization_pending; slow_down is a
// warning (§5.3).
func StillPending() Judge { return BeOAuthError([]string{"authorization_pending"}, "slow_down") }

// BeRefusedByOAuth passes any OAuth error, under 400 or 401, that is no invitation to go on polling.
func BeRefusedByOAuth() Judge { return beRefusedByOAuth(none{}) }

var beRefusedByOAuth = define("BeRefusedByOAuth", eachAnswer("an OAuth error, and no token", func(x *result.Exchange) string {
	code := oauthError(x)
	status := x.Response.Status
	if status != 400 && status != 401 || code == "" && status != 401 || slices.Contains(pending, code) || object(x)["access_token"] != nil {
		return Told(x)
	}
	return ""
}))

// BeAnyOAuthError passes any OAuth error under 400 or 401, also the invitation to go on polling, and no token.
func BeAnyOAuthError() Judge { return beAnyOAuthError(none{}) }

var beAnyOAuthError = define("BeAnyOAuthError", eachAnswer("an OAuth error, and no token", func(x *result.Exchange) string {
	code, status := oauthError(x), x.Response.Status
	if status != 400 && status != 401 || code == "" && status != 401 || object(x)["access_token"] != nil {
		return Told(x)
	}
	return ""
}))

// GiveNoToken passes answers without an access token.
func GiveNoToken() Judge { return giveNoToken(none{}) }

var giveNoToken = define("GiveNoToken", eachAnswer("no access token", func(x *result.Exchange) string {
	if object(x)["access_token"] != nil {
		return Told(x) + " with an access_token"
	}
	return ""
}))

// HaveOAuthErrorObject passes OAuth errors that are JSON objects with a string member error, and no
// A2A media type; an empty 401 (§3.4) passes too.
func HaveOAuthErrorObject() Judge { return haveOAuthErrorObject(none{}) }

var haveOAuthErrorObject = define("HaveOAuthErrorObject", eachAnswer("an RFC 6749 §5.2 object", func(x *result.Exchange) string {
	switch {
	case x.Response.Status == 401 && oauthError(x) == "":
		return ""
	case x.Response.MediaType() == mediaA2A:
		return "the media type " + mediaA2A
	case !jsonMedia.MatchString(x.Response.MediaType()) || oauthError(x) == "":
		return fmt.Sprintf("%s: %s", Answered(x), shorten(x.Response.Body))
	}
	return ""
}))

// BeDeviceAuthorization passes the answer of a device authorization (RFC 8628 §3.2).
func BeDeviceAuthorization() Judge { return beDeviceAuthorization(none{}) }

var beDeviceAuthorization = define("BeDeviceAuthorization", eachAnswer("200 with device_code, user_code, verification_uri, verification_uri_complete and expires_in", func(x *result.Exchange) string {
	if x.Response.Status != 200 || x.Response.MediaType() != "application/json" {
		return Told(x)
	}
	answer := object(x)
	var short []string
	for _, name := range []string{"device_code", "user_code"} {
		if text, _ := answer[name].(string); text == "" {
			short = append(short, name+" "+show(answer[name]))
		}
	}
	for _, name := range []string{"verification_uri", "verification_uri_complete"} {
		if !absolute(answer[name]) {
			short = append(short, name+" "+show(answer[name]))
		}
	}
	if seconds, ok := answer["expires_in"].(float64); !ok || seconds <= 0 {
		short = append(short, "expires_in "+show(answer["expires_in"]))
	}
	if interval, there := answer["interval"]; there {
		if seconds, ok := interval.(float64); !ok || seconds <= 0 {
			short = append(short, "interval "+show(interval))
		}
	}
	return strings.Join(short, ", ")
}))

// absolute reports whether a value is an absolute https URL, or http on a loopback host.
func absolute(value any) bool {
	text, _ := value.(string)
	at, err := url.Parse(text)
	return err == nil && at.Host != "" && (at.Scheme == "https" || at.Scheme == "http" && loopback(at.Hostname()))
}

// HaveLinksOfTheirOwn passes device authorizations whose verification_uri_complete differ.
func HaveLinksOfTheirOwn() Judge { return haveLinksOfTheirOwn(none{}) }

var haveLinksOfTheirOwn = define("HaveLinksOfTheirOwn", func(_ none, xs []*result.Exchange) Finding {
	return different(xs, "verification_uri_complete", "another verification_uri_complete for each request")
})

func different(xs []*result.Exchange, member, expected string) Finding {
	seen := map[string]string{}
	for _, x := range xs {
		value, _ := object(x)[member].(string)
		if earlier, known := seen[value]; value == "" || known {
			return failed(expected, "%s %s (%s%s)", member, show(value), x.ID, after(", as in ", earlier))
		}
		seen[value] = x.ID
	}
	return passed(expected)
}

// CarryTheUserCode passes device authorizations whose verification_uri_complete carries the
// user_code. Both are recorded by the same label.
func CarryTheUserCode() Judge { return carryTheUserCode(none{}) }

var carryTheUserCode = define("CarryTheUserCode", eachAnswer("the user_code in verification_uri_complete", func(x *result.Exchange) string {
	code, _ := object(x)["user_code"].(string)
	link, _ := object(x)["verification_uri_complete"].(string)
	if code == "" || !strings.Contains(link, code) {
		return shorten(link)
	}
	return ""
}))

// codeLabel is what stands for a code in the record: its length comes last.
var codeLabel = regexp.MustCompile(`^\[[a-z_]+-\d+:(\d+)\]$`)

// BeUnguessable passes device authorizations whose codes differ and are long enough to be unguessable:
// 22 characters for a device_code, 8 without separators for a user_code (RFC 8628 §5.1, §5.2, §6.1).
func BeUnguessable() Judge { return beUnguessable(none{}) }

var beUnguessable = define("BeUnguessable", func(_ none, xs []*result.Exchange) Finding {
	const expected = "another device_code of 22 characters or more and user_code of 8 or more each time"
	least := map[string]int{"device_code": 22, "user_code": 8}
	for _, member := range []string{"device_code", "user_code"} {
		if f := different(xs, member, expected); f.Outcome != result.Passed {
			return f
		}
		for _, x := range xs {
			code, _ := object(x)[member].(string)
			length := len(code)
			if match := codeLabel.FindStringSubmatch(code); match != nil {
				length, _ = strconv.Atoi(match[1])
			}
			if length < least[member] {
				return failed(expected, "a %s of %d characters (%s)", member, length, x.ID)
			}
		}
	}
	return passed(expected)
})

// BeTokenAnswer passes the answer of the token endpoint (§5.3).
func BeTokenAnswer() Judge { return beTokenAnswer(none{}) }

var beTokenAnswer = define("BeTokenAnswer", eachAnswer("200 with token_type Bearer, access_token, expires_in and scope", func(x *result.Exchange) string {
	if x.Response.Status != 200 || x.Response.MediaType() != "application/json" {
		return Told(x)
	}
	answer := object(x)
	var short []string
	if kind, _ := answer["token_type"].(string); !strings.EqualFold(kind, "Bearer") {
		short = append(short, "token_type "+show(answer["token_type"]))
	}
	for _, name := range []string{"access_token", "scope"} {
		if _, ok := answer[name].(string); !ok {
			short = append(short, name+" "+show(answer[name]))
		}
	}
	if seconds, ok := answer["expires_in"].(float64); !ok || seconds <= 0 {
		short = append(short, "expires_in "+show(answer["expires_in"]))
	}
	return strings.Join(short, ", ")
}))

// NotBeStored passes answers whose Cache-Control has no-store (RFC 6749 §5.1).
func NotBeStored() Judge { return notBeStored(none{}) }

var notBeStored = define("NotBeStored", eachAnswer("Cache-Control: no-store", func(x *result.Exchange) string {
	for _, value := range x.Response.Header.Values("Cache-Control") {
		for _, directive := range strings.Split(value, ",") {
			if strings.EqualFold(strings.TrimSpace(directive), "no-store") {
				return ""
			}
		}
	}
	return fmt.Sprintf("Cache-Control %q", x.Response.Header.Get("Cache-Control"))
}))

// OAuthError is the error code of an OAuth error answer (RFC 6749 §5.2); empty where there is none.
func OAuthError(x *result.Exchange) string {
	if x == nil || x.Response == nil {
		return ""
	}
	return oauthError(x)
}

// GiveACode passes a device authorization that has a device_code, whatever else it lacks.
func GiveACode() Judge { return giveACode(none{}) }

var giveACode = define("GiveACode", eachAnswer("an answer with a device_code", given("device_code")))

// GiveAToken passes an answer that has an access_token, whatever else it lacks.
func GiveAToken() Judge { return giveAToken(none{}) }

var giveAToken = define("GiveAToken", eachAnswer("an answer with an access_token", given("access_token")))

// given finds fault with an answer without a text of that name.
func given(member string) func(*result.Exchange) string {
	return func(x *result.Exchange) string {
		if text, _ := object(x)[member].(string); x.Response.Status/100 != 2 || text == "" {
			return Told(x)
		}
		return ""
	}
}

// GiveARefreshToken passes token answers with a refresh_token (§5.3).
func GiveARefreshToken() Judge { return giveARefreshToken(none{}) }

var giveARefreshToken = define("GiveARefreshToken", eachAnswer("an answer with a refresh_token", given("refresh_token")))

// Member is a text member of an answer's object; empty where it is none.
func Member(x *result.Exchange, name string) string {
	text, _ := object(x)[name].(string)
	return text
}
