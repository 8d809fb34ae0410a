package browser

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

//go:embed look.js
var lookScript string

//go:embed cover.js
var coverScript string

// worldName is the isolated world that the scripts run in.
const worldName = "pact-conform"

// look is what look.js reads of one document.
type look struct {
	URL          string   `json:"url"`
	Origin       string   `json:"origin"`
	Title        string   `json:"title"`
	Ready        string   `json:"ready"`
	Top          bool     `json:"top"`
	Width        int      `json:"width"`
	Height       int      `json:"height"`
	Text         string   `json:"text"`
	Content      string   `json:"content"`
	Alternatives []string `json:"alternatives"`
	Fields       []field  `json:"fields"`
	Boxes        []box    `json:"boxes"`
	Buttons      []button `json:"buttons"`
	// Recipe has the elements that a recipe names; 0 where its selector matches nothing that is shown.
	Recipe map[string]int `json:"recipe"`
	Alert  string         `json:"alert"`
	// Leaving is set when the document means to go elsewhere by itself: a refresh, or a form that
	// shows nothing and waits for its script.
	Leaving bool `json:"leaving"`
}

// field is a text field. N names it to the scripts.
type field struct {
	N            int    `json:"n"`
	Type         string `json:"type"`
	Name         string `json:"name"`
	ID           string `json:"id"`
	Label        string `json:"label"`
	Beside       string `json:"beside"`
	Placeholder  string `json:"placeholder"`
	Autocomplete string `json:"autocomplete"`
	InputMode    string `json:"inputMode"`
	MaxLength    int    `json:"maxLength"`
	Filled       bool   `json:"filled"`
	ReadOnly     bool   `json:"readOnly"`
	Shown        bool   `json:"shown"`
	Enabled      bool   `json:"enabled"`
	Form         int    `json:"form"`
	// Masked is set when what is typed does not show.
	Masked bool `json:"masked"`
}

// usable reports whether a User could type into the field.
func (f field) usable() bool { return f.Shown && f.Enabled && !f.ReadOnly }

// box is a checkbox, native or by role.
type box struct {
	N        int      `json:"n"`
	Native   bool     `json:"native"`
	Name     string   `json:"name"`
	Value    string   `json:"value"`
	ID       string   `json:"id"`
	Data     []string `json:"data"`
	Label    string   `json:"label"`
	Row      string   `json:"row"`
	Checked  bool     `json:"checked"`
	Enabled  bool     `json:"enabled"`
	Required bool     `json:"required"`
	Shown    bool     `json:"shown"`
	Cookie   bool     `json:"cookie"`
	Form     int      `json:"form"`
}

// button is whatever can be pressed: a button, a link, an element with a handler.
type button struct {
	N       int    `json:"n"`
	Tag     string `json:"tag"`
	Text    string `json:"text"`
	Aria    string `json:"aria"`
	Name    string `json:"name"`
	Value   string `json:"value"`
	ID      string `json:"id"`
	Classes string `json:"classes"`
	Action  string `json:"action"`
	Submits bool   `json:"submits"`
	Form    int    `json:"form"`
	Shown   bool   `json:"shown"`
	Enabled bool   `json:"enabled"`
	// Cookie is set for a button of a banner about cookies.
	Cookie bool `json:"cookie"`
}

// said is what the button says to the User.
func (b button) said() string {
	if b.Text != "" {
		return b.Text
	}
	return b.Aria
}

// link reports whether it only leads elsewhere.
func (b button) link() bool { return b.Tag == "a" }

// considered lists the controls that a User could use, in a line for an error.
func (l *look) considered() string {
	var all []string
	for _, f := range l.Fields {
		if f.Shown {
			all = append(all, fmt.Sprintf("%s field %q", f.Type, firstOf(f.Label, f.Placeholder, f.Beside, f.Name, f.ID)))
		}
	}
	for _, b := range l.Boxes {
		if b.Shown {
			all = append(all, fmt.Sprintf("checkbox %q", excerpt(firstOf(b.Label, b.Row, b.Name), 40)))
		}
	}
	for _, b := range l.Buttons {
		if !b.Shown || b.said() == "" {
			continue
		}
		what := "button"
		if b.link() {
			what = "link"
		}
		if !b.Enabled {
			what = "disabled " + what
		}
		all = append(all, fmt.Sprintf("%s %q", what, excerpt(b.said(), 40)))
	}
	const most = 12
	if more := len(all) - most; more > 0 {
		all = append(all[:most], fmt.Sprintf("%d more", more))
	}
	if len(all) == 0 {
		return "no controls"
	}
	return strings.Join(all, ", ")
}

// unmatched names the parts of a recipe that match nothing here, for an error.
func (l *look) unmatched() string {
	var parts []string
	for part, n := range l.Recipe {
		if n == 0 {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return "; the recipe's " + strings.Join(parts, ", ") + " matches nothing here"
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// excerpt is the beginning of a text, in one line.
func excerpt(text string, most int) string {
	text = fold(text)
	if letters := []rune(text); len(letters) > most {
		return strings.TrimSpace(string(letters[:most])) + "…"
	}
	return text
}

// fold makes all white space one blank.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// jsValue writes a value as a script's literal.
func jsValue(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("browser: a value that JSON cannot hold: " + err.Error())
	}
	return string(text)
}
