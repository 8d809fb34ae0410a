package judge_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// page is a page that the User saw, of that kind.
func page(kind string, changes ...func(*result.Exchange)) *result.Exchange {
	made := x(200, html, "", on("page"), func(x *result.Exchange) {
		x.Page = &result.Page{Kind: kind, URL: "https://p.example/consent?user_code=[user_code-2:8]"}
	})
	for _, change := range changes {
		change(made)
	}
	return made
}

// unread is the exchange of a page that nobody read.
func unread() *result.Exchange { return x(200, html, "", on("page")) }

func content(text string) func(*result.Exchange) {
	return func(x *result.Exchange) { x.Page.Content = text }
}

func boxes(of ...result.Checkbox) func(*result.Exchange) {
	return func(x *result.Exchange) { x.Page.Checkboxes = of }
}

// box is a checkbox that the User can change.
func box(scope string) result.Checkbox {
	return result.Checkbox{Scope: scope, Label: "Allow  " + scope, Enabled: true}
}

const (
	read, cancel = "orders:read", "orders:cancel"
	noPage       = "no page was read (x1)"
	verbatim     = "the description of each scope, verbatim"
	wantsBoxes   = "one checkbox for each of orders:read, orders:cancel, and no other"
	wantsOnly    = "a consent page without a checkbox beyond orders:read"
	wantsAcme    = `the Brand's name "Acme  Shop"`
	wantsCard    = `the name on the card, "Acme Assistant"`
)

var (
	described2 = map[string]string{read: "Look up\n your orders", cancel: "Cancel orders"}
	onConsent  = page("consent", content("Acme shop asks: Look  up your orders\u00a0 Cancel orders"))
)

var _ = add(
	passes("a consent", judge.BeConsent(), page("consent"), page("consent")),
	fails("a login", judge.BeConsent(), "a consent page", `a page of kind "login" at https://p.example/consent (x2)`, page("consent"), named("x2", page("login"))),
	fails("an error", judge.BeConsent(), "a consent page", `403 with a page of kind "other" at https://p.example/e (x1)`, page("other", func(x *result.Exchange) {
		x.Response.Status, x.Page.URL = 403, "https://p.example/e#top"
	})),
	fails("nothing read", judge.BeConsent(), "a consent page", noPage, unread()),

	passes("a login, a code, an error, an end", judge.BeNoConsent(), page("login"), page("one-time code"), page("other"), page("continue")),
	fails("a consent", judge.BeNoConsent(), "no consent page", `a page of kind "consent" at https://p.example/consent (x2)`, page("login"), named("x2", page("consent"))),
	fails("of no kind", judge.BeNoConsent(), "no consent page", `a page of kind "" at https://p.example/consent (x1)`, page("")),
	fails("nothing read", judge.BeNoConsent(), "no consent page", noPage, unread()),

	passes("a login, and a code", judge.BeLogin(), page("login"), page("one-time code"), page("code")),
	fails("a consent", judge.BeLogin(), "a login page", `a page of kind "consent" at https://p.example/consent (x1)`, page("consent")),
	fails("a page to go on from", judge.BeLogin(), "a login page", `a page of kind "continue" at https://p.example/consent (x1)`, page("continue")),
	fails("nothing read", judge.BeLogin(), "a login page", noPage, unread()),

	passes("white space folded", judge.ShowVerbatim(described2), onConsent),
	fails("other letters", judge.ShowVerbatim(described2), verbatim, `orders:read: no "Look up your orders" (x1)`, page("consent", content("look up your orders, Cancel orders"))),
	fails("cut, and left out", judge.ShowVerbatim(described2), verbatim, `orders:cancel: no "Cancel orders", orders:read: no "Look up your orders" (x1)`, page("consent", content("Look up your…"))),
	fails("nothing to show", judge.ShowVerbatim(map[string]string{read: " ", cancel: "Cancel orders"}), verbatim, `orders:read has no description (x1)`, onConsent),
	fails("seen, but not in the text content", judge.ShowVerbatim(described2), verbatim, `orders:cancel: no "Cancel orders", orders:read: no "Look up your orders" (x1)`,
		page("consent", func(x *result.Exchange) { x.Page.Text = "Look up your orders Cancel orders" })),
	fails("nothing read", judge.ShowVerbatim(described2), verbatim, noPage, unread()),

	passes("the name", judge.ShowBrand("Acme  Shop", "Acme Assistant"), onConsent),
	passes("the card's", judge.ShowBrand("", "ACME shop"), onConsent),
	fails("the card's in place of the name", judge.ShowBrand("Acme  Shop", "Acme Assistant"), wantsAcme, `"Acme Assistant asks" (x1)`, page("consent", content("Acme Assistant asks"))),
	warns("not the card's", judge.ShowBrand(" ", "Acme Assistant"), wantsCard, `"Acme asks" (x1)`, page("consent", content("Acme asks"))),
	warns("no name to look for", judge.ShowBrand("", ""), `the name on the card, ""`, `"Acme asks" (x1)`, page("consent", content("Acme asks"))),
	fails("nothing read", judge.ShowBrand("", "Acme Assistant"), wantsCard, noPage, unread()),

	passes("one each", judge.OfferBoxes([]string{read, cancel}), page("consent", boxes(box(cancel), box(read)))),
	warns("one more, of no scope", judge.OfferBoxes([]string{read, cancel}), wantsBoxes, `one more, "Allow all" (x1)`, page("consent", boxes(box(read), box(cancel), result.Checkbox{Label: " Allow\n all", Enabled: true}))),
	warns("one more, of another scope", judge.OfferBoxes([]string{read, cancel}), wantsBoxes, "one for profile (x1)", page("consent", boxes(box(read), box(cancel), box("profile")))),
	fails("one for both", judge.OfferBoxes([]string{read, cancel}), wantsBoxes, "none for orders:cancel (x1)", page("consent", boxes(box(read), box("")))),
	fails("two for one, and a locked one", judge.OfferBoxes([]string{read, cancel}), wantsBoxes, "2 for orders:read, one for orders:cancel that cannot be changed (x1)",
		page("consent", boxes(box(read), result.Checkbox{Scope: cancel, Checked: true}, box(read)))),
	fails("none", judge.OfferBoxes([]string{read, cancel}), wantsBoxes, "none for orders:read, none for orders:cancel (x1)", page("consent")),
	fails("nothing read", judge.OfferBoxes([]string{read, cancel}), wantsBoxes, noPage, unread()),

	passes("what was missing", judge.OfferOnly([]string{read}), page("consent", boxes(box(read))), page("consent")),
	warns("another scope, and one of none", judge.OfferOnly([]string{read}), wantsOnly, `one for orders:cancel, one more, "Allow" (x1)`, page("consent", boxes(box(cancel), box(read), box("")))),
	fails("another page", judge.OfferOnly([]string{read}), wantsOnly, `a page of kind "other" at https://p.example/consent (x1)`, page("other")),
	fails("nothing read", judge.OfferOnly([]string{read}), wantsOnly, noPage, unread()),
)

func TestAPageIsNotJudgedByNothing(t *testing.T) {
	for about, j := range map[string]judge.Judge{
		"descriptions": judge.ShowVerbatim(nil), "boxes": judge.OfferBoxes(nil), "other boxes": judge.OfferOnly([]string{}),
		"an origin": judge.ShowOrigin("pa.example.com"),
	} {
		t.Run(about, func(t *testing.T) {
			NewWithT(t).Expect(j.Find(onConsent).Outcome).To(Equal(result.Errored))
		})
	}
}
