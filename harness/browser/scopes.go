package browser

import (
	"slices"
	"strings"
	"unicode"
)

// Scope is what the User may grant, as the Brand's card lists it (§5.2).
type Scope struct {
	ID          string
	Description string
}

// Checkbox is a checkbox of a consent page, native or by its role. Texts are masked.
type Checkbox struct {
	Label, Name, Value string
	// Row is the text around the box that belongs to it alone.
	Row string
	// Checked is its state when the page was read; Enabled says whether a User could change it.
	Checked, Enabled bool
	// Required is set where the form cannot be sent without it.
	Required bool
	// Native is set for an input, else it is an element with the role.
	Native bool
	// Shown says whether the box, its label or its row is visible.
	Shown bool

	box box
}

// How surely a box belongs to a scope.
const (
	byRecipe      = 200
	byValue       = 100
	byMarkup      = 80
	byWhole       = 78
	byLabelID     = 70
	byDescription = 60
	byRow         = 40
	byWord        = 30
)

// boxScore says how surely a box is that of the scope.
func boxScore(b box, scope Scope) int {
	description := strings.ToLower(fold(scope.Description))
	label, row := strings.ToLower(fold(b.Label)), strings.ToLower(b.Row)
	switch {
	case b.Value == scope.ID:
		return byValue
	case holdsToken(b.Name, scope.ID), holdsToken(b.ID, scope.ID), holdsToken(b.Value, scope.ID),
		slices.ContainsFunc(b.Data, func(data string) bool { return holdsToken(data, scope.ID) }):
		return byMarkup
	case description != "" && (label == description || row == description):
		return byWhole
	case holdsToken(b.Label, scope.ID) && !plainWord(scope.ID):
		return byLabelID
	case description != "" && strings.Contains(label, description):
		// Of two descriptions of which one holds the other, the longer is meant.
		return byDescription + 8*len(description)/len(label)
	case holdsToken(b.Row, scope.ID) && !plainWord(scope.ID):
		return byRow + 9
	case description != "" && strings.Contains(row, description):
		return byRow + 8*len(description)/len(row)
	case holdsToken(b.Label, scope.ID), holdsToken(b.Row, scope.ID):
		return byWord
	}
	return 0
}

// plainWord reports whether an id is a word that any text may hold.
func plainWord(id string) bool {
	return !strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsLetter(r) })
}

// holdsToken reports whether text holds the id where it is not a part of a longer id.
func holdsToken(text, id string) bool {
	if id == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], id)
		if at < 0 {
			return false
		}
		at += from
		if !idLetter(lastRune(text[:at])) && !idContinues(text[at+len(id):]) {
			return true
		}
		from = at + 1
	}
}

func idLetter(r rune) bool { return wordLetter(r) || strings.ContainsRune(":.-/", r) }

// idContinues reports whether the id goes on: a dot or colon at the end of a sentence does not.
func idContinues(rest string) bool {
	first := firstRune(rest)
	if strings.ContainsRune(":.-/", first) && rest != "" {
		return wordLetter(firstRune(rest[1:]))
	}
	return idLetter(first) || first == '_'
}

// assign gives each scope its box, the surest pairs first, no box twice.
func assign(boxes []box, scopes []Scope, recipe map[string]int) map[string]int {
	type pair struct{ scope, box, score int }
	var pairs []pair
	for i, scope := range scopes {
		for j, b := range boxes {
			score := boxScore(b, scope)
			if n, given := recipe[partScope+scope.ID]; given && n == b.N {
				score = byRecipe
			}
			if score > 0 && !b.Cookie {
				pairs = append(pairs, pair{i, j, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return b.score - a.score })
	taken := map[int]bool{}
	found := map[string]int{}
	for _, p := range pairs {
		id := scopes[p.scope].ID
		if _, has := found[id]; !has && !taken[p.box] {
			found[id] = p.box
			taken[p.box] = true
		}
	}
	return found
}

// mentions counts the scopes whose id or description the text holds.
func mentions(text string, scopes []Scope) int {
	lower, count := strings.ToLower(text), 0
	for _, scope := range scopes {
		if description := strings.ToLower(fold(scope.Description)); holdsToken(text, scope.ID) || description != "" && strings.Contains(lower, description) {
			count++
		}
	}
	return count
}
