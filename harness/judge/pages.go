package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// eachPage judges what the User saw in every exchange.
func eachPage(expected string, xs []*result.Exchange, say func(*result.Exchange) shortfall) Finding {
	return each(expected, xs, func(x *result.Exchange) shortfall {
		if x.Page == nil {
			return failing("no page was read")
		}
		return say(x)
	})
}

// ofKind judges pages by what they are for; right says whether a kind is.
func ofKind(expected string, right func(kind string) bool) func(none, []*result.Exchange) Finding {
	return func(_ none, xs []*result.Exchange) Finding {
		return eachPage(expected, xs, func(x *result.Exchange) shortfall {
			if right(x.Page.Kind) {
				return shortfall{}
			}
			return failing("%s", shownPage(x))
		})
	}
}

// shownPage says in a few words what a page is.
func shownPage(x *result.Exchange) string {
	address := x.Page.URL
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		address = address[:end]
	}
	text := fmt.Sprintf("a page of kind %q at %s", x.Page.Kind, address)
	if x.Response.Status >= 400 {
		text = fmt.Sprintf("%d with %s", x.Response.Status, text)
	}
	return text
}

const consentKind = "consent"

// BeConsent passes pages that ask the User to approve or deny (§5.3).
func BeConsent() Judge { return beConsent(none{}) }

var beConsent = define("BeConsent", ofKind("a consent page", func(kind string) bool { return kind == consentKind }))

// BeNoConsent passes any page that does not ask the User to approve: a login, an error, an end (§5.3).
func BeNoConsent() Judge { return beNoConsent(none{}) }

var beNoConsent = define("BeNoConsent", ofKind("no consent page", func(kind string) bool { return kind != consentKind && kind != "" }))

// BeLogin passes pages that ask for a user name, a password or a one-time code (§5.3).
func BeLogin() Judge { return beLogin(none{}) }

var beLogin = define("BeLogin", ofKind("a login page", func(kind string) bool {
	return kind == "login" || kind == "code" || kind == "one-time code"
}))

// fold makes one space of any white space, and takes it from both ends.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// ShowVerbatim passes pages whose text content has the description of each scope, given by its id:
// letter for letter, white space folded (§5.2).
func ShowVerbatim(descriptions map[string]string) Judge {
	return showVerbatim(descriptionArgs{Descriptions: descriptions})
}

type descriptionArgs struct {
	Descriptions map[string]string `json:"descriptions"`
}

var showVerbatim = define("ShowVerbatim", func(a descriptionArgs, xs []*result.Exchange) Finding {
	const expected = "the description of each scope, verbatim"
	if len(a.Descriptions) == 0 {
		return nothingToLookFor(expected, noScope)
	}
	return eachPage(expected, xs, func(x *result.Exchange) shortfall {
		content := fold(x.Page.Content)
		var short []string
		for _, id := range slices.Sorted(maps.Keys(a.Descriptions)) {
			switch text := fold(a.Descriptions[id]); {
			case text == "":
				short = append(short, id+" has no description")
			case !strings.Contains(content, text):
				short = append(short, fmt.Sprintf("%s: no %q", id, shorten(text)))
			}
		}
		return failing("%s", strings.Join(short, ", "))
	})
})

const noScope = "no scope was given"

// nothingToLookFor is the finding where a judge was made without what it is to look for.
func nothingToLookFor(expected, why string) Finding {
	return Finding{Outcome: result.Errored, Expected: expected, Got: why}
}

// ShowBrand passes pages whose text content has the Brand's name; without one, the card's name is
// looked for, and missing only a warning (§5.3). Letter case does not count.
func ShowBrand(name, fromCard string) Judge {
	return showBrand(brandArgs{Name: name, FromCard: fromCard})
}

type brandArgs struct {
	Name     string `json:"name"`
	FromCard string `json:"fromCard"`
}

var showBrand = define("ShowBrand", func(a brandArgs, xs []*result.Exchange) Finding {
	name, expected, found := fold(a.Name), fmt.Sprintf("the Brand's name %q", a.Name), failing
	if name == "" {
		name, expected, found = fold(a.FromCard), fmt.Sprintf("the name on the card, %q", a.FromCard), warning
	}
	return eachPage(expected, xs, func(x *result.Exchange) shortfall {
		content := fold(x.Page.Content)
		if name != "" && strings.Contains(strings.ToLower(content), strings.ToLower(name)) {
			return shortfall{}
		}
		return found("%q", shorten(content))
	})
})

// OfferBoxes passes pages with one checkbox for each of the scopes that the User can change; one
// more that belongs to none of them is a warning (§5.3).
func OfferBoxes(scopes []string) Judge { return offerBoxes(boxArgs{Scopes: scopes}) }

type boxArgs struct {
	Scopes []string `json:"scopes"`
}

var offerBoxes = define("OfferBoxes", func(a boxArgs, xs []*result.Exchange) Finding {
	expected := "one checkbox for each of " + strings.Join(a.Scopes, ", ") + ", and no other"
	if len(a.Scopes) == 0 {
		return nothingToLookFor(expected, noScope)
	}
	return eachPage(expected, xs, func(x *result.Exchange) shortfall {
		var short []string
		for _, id := range a.Scopes {
			count, locked := 0, false
			for _, box := range x.Page.Checkboxes {
				if box.Scope == id {
					count++
					locked = locked || !box.Enabled
				}
			}
			switch {
			case count == 0:
				short = append(short, "none for "+id)
			case count > 1:
				short = append(short, fmt.Sprintf("%d for %s", count, id))
			case locked:
				short = append(short, "one for "+id+" that cannot be changed")
			}
		}
		return failing("%s", strings.Join(short, ", ")).or(boxesBeyond(x.Page, a.Scopes))
	})
})

// OfferOnly passes consent pages whose checkboxes all belong to the scopes; others are a warning (§5.5).
func OfferOnly(scopes []string) Judge { return offerOnly(boxArgs{Scopes: scopes}) }

var offerOnly = define("OfferOnly", func(a boxArgs, xs []*result.Exchange) Finding {
	expected := "a consent page without a checkbox beyond " + strings.Join(a.Scopes, ", ")
	if len(a.Scopes) == 0 {
		return nothingToLookFor(expected, noScope)
	}
	return eachPage(expected, xs, func(x *result.Exchange) shortfall {
		if x.Page.Kind != consentKind {
			return failing("%s", shownPage(x))
		}
		return boxesBeyond(x.Page, a.Scopes)
	})
})

// boxesBeyond warns of the checkboxes that belong to none of the scopes.
func boxesBeyond(p *result.Page, scopes []string) shortfall {
	var others []string
	for _, box := range p.Checkboxes {
		switch {
		case slices.Contains(scopes, box.Scope):
		case box.Scope != "":
			others = append(others, "one for "+box.Scope)
		default:
			others = append(others, fmt.Sprintf("one more, %q", shorten(fold(box.Label))))
		}
	}
	return warning("%s", strings.Join(others, ", "))
}
