package browser

import (
	"testing"

	. "github.com/onsi/gomega"
)

// Boxes find their scopes by value, markup, label or row; ids and descriptions that hold one another
// are told apart.
func TestBoxesAreAssignedToScopes(t *testing.T) {
	all := []Scope{{"orders:read", "Look up your orders"}, {"orders:read_all", "Look up your orders of all time"}, {"orders", "Orders"}}
	for name, boxes := range map[string][]box{
		"values":            {{Value: "orders:read_all"}, {Value: "orders"}, {Value: "orders:read"}},
		"names":             {{Name: "scope_orders:read_all", Value: "on"}, {Name: "scope[orders]", Value: "on"}, {Name: "scope.orders:read", ID: "b", Value: "on", Label: "orders:read"}},
		"labels with ids":   {{Label: "The id is orders:read_all."}, {Label: "orders (all)"}, {Label: "orders:read: look"}},
		"labels":            {{Label: "Look up your orders of all time"}, {Label: "ORDERS"}, {Label: "look up your orders"}},
		"rows":              {{Row: "✓ Look up your orders of all time now"}, {Row: "Orders"}, {Row: "Look up your orders"}},
		"data":              {{Data: []string{"x", "orders:read_all"}}, {Data: []string{"orders"}}, {Data: []string{"orders:read"}}},
		"with others about": {{Value: "orders:read_all"}, {Value: "orders"}, {Value: "orders:read"}, {Label: "Select all"}, {Label: "Orders", Cookie: true}},
	} {
		t.Run(name, func(t *testing.T) {
			NewWithT(t).Expect(assign(boxes, all, nil)).To(Equal(map[string]int{"orders:read_all": 0, "orders": 1, "orders:read": 2}))
		})
	}
	g := NewWithT(t)
	g.Expect(assign([]box{{Label: "Something else"}}, all, nil)).To(BeEmpty())
	g.Expect(assign([]box{{N: 7, Label: "Something else"}}, all[:1], map[string]int{"scope:orders:read": 7})).To(HaveLen(1))
}

// What is a consent, and what only leads to one.
func TestKinds(t *testing.T) {
	scopes := []Scope{readScope, cancelScope}
	told := readScope.Description + " and " + cancelScope.Description
	shown := func(texts ...string) (all []button) {
		for i, text := range texts {
			all = append(all, button{N: i + 1, Tag: "button", Text: text, Submits: true, Form: 1, Shown: true, Enabled: true})
		}
		return all
	}
	text := func(kind, label string) field {
		return field{Type: kind, Label: label, Shown: true, Enabled: true, Form: 1, Masked: kind == "password"}
	}
	for name, c := range map[string]struct {
		look
		want PageKind
	}{
		"boxes and a plain continue":           {look{Boxes: []box{{Value: readScope.ID}}, Buttons: shown("Continue", "Cancel")}, PageConsent},
		"boxes and words of no known language": {look{Boxes: []box{{Value: readScope.ID}}, Buttons: shown("Zorb", "Deny")}, PageConsent},
		"no boxes, both words":                 {look{Buttons: shown("Allow", "Deny")}, PageConsent},
		"no boxes, all told, approve":          {look{Content: told, Buttons: shown("Allow")}, PageConsent},
		"all told, but only a way on":          {look{Content: told, Buttons: shown("Continue")}, PageContinue},
		"continue and cancel":                  {look{Buttons: shown("Continue", "Cancel")}, PageContinue},
		"one button of no known language":      {look{Buttons: shown("Zorb")}, PageContinue},
		"told, and a user name asked":          {look{Content: told, Fields: []field{text("email", "Email")}, Buttons: shown("Continue", "Cancel")}, PageLogin},
		"a password":                           {look{Content: told, Fields: []field{text("password", "")}, Buttons: shown("Allow", "Deny")}, PageLogin},
		"a code":                               {look{Fields: []field{text("text", "Verification code")}, Buttons: shown("Verify")}, PageCode},
		"a user code is no one-time code":      {look{Fields: []field{text("text", "User code")}, Buttons: shown("Zorb")}, PageOther},
		"a search box":                         {look{Fields: []field{text("search", "Search")}, Buttons: shown("Go")}, PageOther},
		"only a cookie banner":                 {look{Buttons: []button{{Text: "Accept all", Shown: true, Enabled: true, Cookie: true}, {Text: "Reject all", Shown: true, Enabled: true, Cookie: true}}}, PageOther},
		"links":                                {look{Buttons: []button{{Tag: "a", Text: "Help", Action: "/help", Shown: true, Enabled: true}}}, PageOther},
	} {
		t.Run(name, func(t *testing.T) {
			c.Width, c.Height = 800, 600
			NewWithT(t).Expect(c.kind(scopes)).To(Equal(c.want))
		})
	}
	hidden := look{Width: 1, Height: 1, Fields: []field{text("password", "")}}
	NewWithT(t).Expect(hidden.kind(scopes)).To(Equal(PageOther), "a frame that nobody sees")
}
