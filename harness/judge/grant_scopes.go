package judge

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// A grant names its scopes in two places.
const (
	inAnswer = "the answer"
	inToken  = "the token"
)

// said is what stands for scope in one of the places.
type said struct {
	where string
	value any
}

// scopesSaid are the member scope of a token answer and the claim scope of its token, or why there
// is no token to read.
func scopesSaid(x *result.Exchange) ([]said, shortfall) {
	claims, short := tokenClaims(x)
	if claims == nil {
		return nil, short
	}
	return []said{{inAnswer, object(x)["scope"]}, {inToken, claims["scope"]}}, shortfall{}
}

// ids are the ids of a scope that has the right form; ok is false for any other.
func (s said) ids() (found []string, ok bool) {
	scope, ok := s.value.(string)
	return ids(scope), ok
}

// meant are the ids as leniently as they can be read, where some are known: with commas, unless
// they are part of a known id. ok is false for what is neither text nor a list nor missing.
func (s said) meant(known []string) (found []string, ok bool) {
	switch s.value.(type) {
	case nil, string, []any:
	default:
		return nil, false
	}
	for _, text := range texts(s.value, nil) {
		for _, id := range strings.Fields(text) {
			if slices.Contains(known, id) {
				found = append(found, id)
			} else {
				found = append(found, pieces(id)...)
			}
		}
	}
	return found, true
}

// odd is the shortfall of a value that cannot be read.
func (s said) odd() shortfall { return failing("scope %s in %s", show(s.value), s.where) }

// against says how the ids differ from those that are wanted. More of them is only a warning where
// all of it was approved elsewhere.
func (s said) against(ids, wanted, elsewhere []string) shortfall {
	lacking, more := beyond(wanted, ids), beyond(ids, wanted)
	switch {
	case len(lacking) > 0, len(beyond(more, elsewhere)) > 0:
		return s.odd()
	case len(more) > 0:
		return warning("scope %s in %s, of which another consent approved %s", show(s.value), s.where, words(more))
	}
	return shortfall{}
}

// words are ids as they are shown: a scope.
func words(ids []string) string { return fmt.Sprintf("%q", strings.Join(ids, " ")) }

type grantedArgs struct {
	Scopes    []string `json:"scopes"`
	Elsewhere []string `json:"elsewhere,omitempty"`
}

// GrantExactly passes token answers that have just the approved scopes, in the answer and in the
// token (§5.3). A further scope that was approved elsewhere, by another consent of the same User for
// the same personal agent, is a warning.
func GrantExactly(approved, elsewhere []string) Judge {
	return grantExactly(grantedArgs{Scopes: approved, Elsewhere: elsewhere})
}

var grantExactly = define("GrantExactly", func(a grantedArgs, xs []*result.Exchange) Finding {
	return each("just the scopes that were approved, "+words(a.Scopes), xs, func(x *result.Exchange) shortfall {
		both, short := scopesSaid(x)
		for _, s := range both {
			granted, ok := s.ids()
			if !ok {
				return s.odd()
			}
			short = short.or(s.against(granted, a.Scopes, a.Elsewhere))
		}
		return short
	})
})

// GrantWithin passes OAuth errors that are no invitation to go on polling, and token answers of
// allowed scopes alone (§5.3). A scope that was approved elsewhere, by another consent of the same
// User for the same personal agent, is a warning. Where no scope is named, none is granted; whether
// what is named has the right form is left to ListTheGrantedScopes.
func GrantWithin(allowed, elsewhere []string) Judge {
	return grantWithin(grantedArgs{Scopes: allowed, Elsewhere: elsewhere})
}

var grantWithin = define("GrantWithin", func(a grantedArgs, xs []*result.Exchange) Finding {
	expected := "an OAuth error, or no scope besides " + words(a.Scopes)
	if len(a.Scopes) == 0 {
		expected = "an OAuth error, or an empty scope"
	}
	return each(expected, xs, func(x *result.Exchange) shortfall {
		if refusedByOAuth(x) {
			return shortfall{}
		}
		both, short := scopesSaid(x)
		for _, s := range both {
			granted, ok := s.meant(slices.Concat(a.Scopes, a.Elsewhere))
			if !ok {
				return s.odd()
			}
			short = short.or(s.against(granted, common(a.Scopes, granted), a.Elsewhere))
		}
		return short
	})
})

// common are the ids that are among the others.
func common(ids, others []string) []string { return beyond(ids, beyond(ids, others)) }

// refusedByOAuth reports whether an answer is an OAuth error after which a client does not go on polling.
func refusedByOAuth(x *result.Exchange) bool {
	code, status := oauthError(x), x.Response.Status
	return (status == 400 || status == 401) && code != "" && !slices.Contains(pending, code) && object(x)["access_token"] == nil
}

// ContinueTheGrant judges a token answer and the answers to refreshes after it: each has a token of
// the same grant, with the scopes of the first (RFC 6749 §6). An answer to a refresh may leave out a
// scope that is unchanged (RFC 6749 §5.1). A scope more that was approved elsewhere is a warning.
func ContinueTheGrant(elsewhere []string) Judge {
	return continueTheGrant(elsewhereArgs{Elsewhere: elsewhere})
}

type elsewhereArgs struct {
	Elsewhere []string `json:"elsewhere,omitempty"`
}

// lasting are the claims that say whose grant a token is of.
var lasting = []string{"sub", "grant_id", "client_id", "aud"}

var continueTheGrant = define("ContinueTheGrant", func(a elsewhereArgs, xs []*result.Exchange) Finding {
	const expected = "a token of the same grant: sub, grant_id, client_id, aud and scope as in the first"
	wanted, short := scopesSaid(xs[0])
	for _, s := range wanted {
		if _, ok := s.ids(); !ok {
			short = short.or(s.odd())
		}
	}
	switch {
	case short.got != "":
		return failed(expected, "%s (%s)", short.got, xs[0].ID)
	case len(xs) == 1:
		return failed(expected, "no answer to a refresh")
	}
	first, _ := tokenClaims(xs[0])
	return each(expected, xs[1:], func(x *result.Exchange) shortfall {
		both, short := scopesSaid(x)
		if both == nil {
			return short
		}
		again, _ := tokenClaims(x)
		for _, name := range lasting {
			if first[name] != nil && !reflect.DeepEqual(first[name], again[name]) {
				return failing("%s %s, in the first %s", name, show(again[name]), show(first[name]))
			}
		}
		for i, s := range both {
			if s.where == inAnswer && s.value == nil {
				continue
			}
			granted, ok := s.ids()
			if !ok {
				return s.odd()
			}
			before, _ := wanted[i].ids()
			if found := s.against(granted, before, a.Elsewhere); found.got != "" {
				found.got += "; in the first " + show(wanted[i].value)
				short = short.or(found)
			}
		}
		return short
	})
})
