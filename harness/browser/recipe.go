package browser

import "strings"

// LoginRecipe names the parts of the login by CSS selectors, for pages on which they are not found by
// themselves. An empty selector leaves its part to be found.
type LoginRecipe struct {
	Username, Next, Password, TOTP, Submit string
}

// ConsentRecipe names the parts of the consent page by CSS selectors. An empty selector leaves its
// part to be found. Scope has {scope} where the scope's id goes.
type ConsentRecipe struct {
	Scope, Approve, Deny string
}

// The parts of a recipe.
const (
	partUsername, partNext, partPassword, partTOTP, partSubmit = "username", "next", "password", "totp", "submit"
	partApprove, partDeny, partScope                           = "approve", "deny", "scope:"
)

// selectors are the parts that are given, by name, as look.js takes them.
func selectors(login LoginRecipe, consent ConsentRecipe, scopes []Scope) map[string]string {
	all := map[string]string{
		partUsername: login.Username, partNext: login.Next, partPassword: login.Password, partTOTP: login.TOTP,
		partSubmit: login.Submit, partApprove: consent.Approve, partDeny: consent.Deny,
	}
	if consent.Scope != "" {
		for _, scope := range scopes {
			all[partScope+scope.ID] = strings.ReplaceAll(consent.Scope, "{scope}", cssString(scope.ID))
		}
	}
	for part, selector := range all {
		if selector == "" {
			delete(all, part)
		}
	}
	return all
}

// cssString escapes what would end a quoted string in a selector.
func cssString(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, `'`, `\'`).Replace(s)
}
