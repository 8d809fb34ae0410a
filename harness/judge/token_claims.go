package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// eachToken judges the delegation token of every token answer by itself.
func eachToken(expected string, xs []*result.Exchange, say func(claims map[string]any) shortfall) Finding {
	return each(expected, xs, func(x *result.Exchange) shortfall {
		claims, short := tokenClaims(x)
		if claims == nil {
			return short
		}
		return say(claims)
	})
}

type textArgs struct {
	Text string `json:"text"`
}

// claimIs judges a claim of the tokens that has to be a certain text.
func claimIs(name string) func(textArgs, []*result.Exchange) Finding {
	return func(a textArgs, xs []*result.Exchange) Finding {
		return eachToken(fmt.Sprintf("a token with %s %q", name, a.Text), xs, func(claims map[string]any) shortfall {
			if claims[name] != a.Text {
				return failing("%s %s", name, show(claims[name]))
			}
			return shortfall{}
		})
	}
}

// HaveTokenIssuer passes token answers whose token has the Brand's authorization server, as its
// metadata names it, as iss (§5.4).
func HaveTokenIssuer(issuer string) Judge { return haveTokenIssuer(textArgs{Text: issuer}) }

var haveTokenIssuer = define("HaveTokenIssuer", claimIs("iss"))

// HaveTokenClient passes token answers whose token has the personal agent's issuer as client_id (§5.4).
func HaveTokenClient(issuer string) Judge { return haveTokenClient(textArgs{Text: issuer}) }

var haveTokenClient = define("HaveTokenClient", claimIs("client_id"))

// HaveTokenAudience passes token answers whose token has the interface URL as aud (§5.4); a list with
// that URL alone is a warning.
func HaveTokenAudience(url string) Judge { return haveTokenAudience(textArgs{Text: url}) }

var haveTokenAudience = define("HaveTokenAudience", func(a textArgs, xs []*result.Exchange) Finding {
	return eachToken(fmt.Sprintf("a token with aud %q", a.Text), xs, func(claims map[string]any) shortfall {
		if claims["aud"] == a.Text {
			return shortfall{}
		}
		if list, _ := claims["aud"].([]any); len(list) == 1 && list[0] == a.Text {
			return warning("aud %s, a list", show(list))
		}
		return failing("aud %s", show(claims["aud"]))
	})
})

// HaveTokenSubject passes token answers whose token has the Brand's id of the User as sub, where that
// id is known, and in no case the sub of the personal-agent JWT (§5.4).
func HaveTokenSubject(id, agentSub string) Judge {
	return haveTokenSubject(subjectArgs{ID: id, AgentSub: agentSub})
}

type subjectArgs struct {
	ID       string `json:"id,omitempty"`
	AgentSub string `json:"agentSub,omitempty"`
}

var haveTokenSubject = define("HaveTokenSubject", func(a subjectArgs, xs []*result.Exchange) Finding {
	expected := "a token with the Brand's id of the User as sub"
	if a.ID != "" {
		expected = fmt.Sprintf("a token with sub %q", a.ID)
	}
	return eachToken(expected, xs, func(claims map[string]any) shortfall {
		sub, _ := claims["sub"].(string)
		switch {
		case sub == "", a.ID != "" && sub != a.ID:
			return failing("sub %s", show(claims["sub"]))
		case sub == a.AgentSub:
			return failing("sub %q, which is that of the personal agent", sub)
		}
		return shortfall{}
	})
})

// ShareTheSubject passes token answers whose tokens all have the same sub (§5.4).
func ShareTheSubject() Judge { return shareTheSubject(none{}) }

var shareTheSubject = define("ShareTheSubject", func(_ none, xs []*result.Exchange) Finding {
	first := ""
	return eachToken("tokens with the same sub", xs, func(claims map[string]any) shortfall {
		sub, _ := claims["sub"].(string)
		if first == "" {
			first = sub
		}
		switch {
		case sub == "":
			return failing("sub %s", show(claims["sub"]))
		case sub != first:
			return failing("sub %q, before it %q", sub, first)
		}
		return shortfall{}
	})
})

// HaveGrantID passes token answers whose token has a grant_id (§5.4).
func HaveGrantID() Judge { return haveGrantID(none{}) }

var haveGrantID = define("HaveGrantID", func(_ none, xs []*result.Exchange) Finding {
	return eachToken("a token with a non-empty grant_id", xs, func(claims map[string]any) shortfall {
		if id, _ := claims["grant_id"].(string); id == "" {
			return failing("grant_id %s", show(claims["grant_id"]))
		}
		return shortfall{}
	})
})

// HaveGrantIDsOfTheirOwn passes token answers whose tokens have another grant_id each (§5.4).
func HaveGrantIDsOfTheirOwn() Judge { return haveGrantIDsOfTheirOwn(none{}) }

var haveGrantIDsOfTheirOwn = define("HaveGrantIDsOfTheirOwn", func(_ none, xs []*result.Exchange) Finding {
	seen := map[string]bool{}
	return eachToken("another grant_id for each grant", xs, func(claims map[string]any) shortfall {
		id, _ := claims["grant_id"].(string)
		switch {
		case id == "":
			return failing("grant_id %s", show(claims["grant_id"]))
		case seen[id]:
			return failing("grant_id %q again", id)
		}
		seen[id] = true
		return shortfall{}
	})
})

// ListTheGrantedScopes passes token answers whose token has the scopes of the answer, set apart by
// single spaces, as scope (§5.4).
func ListTheGrantedScopes() Judge { return listTheGrantedScopes(none{}) }

var listTheGrantedScopes = define("ListTheGrantedScopes", func(_ none, xs []*result.Exchange) Finding {
	return each("the ids of the answer's scope in the token's scope, a text with spaces between them", xs, func(x *result.Exchange) shortfall {
		claims, short := tokenClaims(x)
		if claims == nil {
			return short
		}
		granted, ok := object(x)["scope"].(string)
		if !ok {
			return failing("the answer's scope %s", show(object(x)["scope"]))
		}
		scope, ok := claims["scope"].(string)
		switch {
		case !ok:
			return failing("the token's scope %s is no text", show(claims["scope"]))
		case scope != "" && slices.Contains(strings.Split(scope, " "), ""):
			return failing("the token's scope %q has a space too many", scope)
		case sameSet(ids(scope), ids(granted)):
			return shortfall{}
		case sameSet(pieces(scope), ids(granted)):
			return failing("the token's scope %q has other separators", scope)
		}
		return failing("the token's scope %q, the answer's %q", scope, granted)
	})
})

func sameSet(one, other []string) bool {
	return len(beyond(one, other)) == 0 && len(beyond(other, one)) == 0
}
