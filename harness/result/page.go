package result

// Page is what a User saw in the browser at one moment, masked.
type Page struct {
	// Kind is what the page is for: login, one-time code, consent, continue or other.
	Kind  string `json:"kind"`
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	// Text is the visible text. Content is all text of the document, laid out or not, white space folded.
	Text    string `json:"text,omitempty"`
	Content string `json:"content,omitempty"`
	// Checkboxes are those of a consent page, in its order.
	Checkboxes []Checkbox `json:"checkboxes,omitempty"`
	// Approve and Deny are the texts of the controls of the decision; empty when none was found.
	Approve string `json:"approve,omitempty"`
	Deny    string `json:"deny,omitempty"`
}

// Checkbox is a checkbox of a consent page (§5.3).
type Checkbox struct {
	// Scope is the id of the scope that the box was found to belong to; empty for none.
	Scope string `json:"scope,omitempty"`
	Label string `json:"label,omitempty"`
	// Checked is its state when the page was read, Enabled whether a User could change it.
	Checked bool `json:"checked,omitempty"`
	Enabled bool `json:"enabled,omitempty"`
	// Required is set where the page cannot be sent without it.
	Required bool `json:"required,omitempty"`
}

// Step is one moment of a User's part in a journey or case, masked, with its picture.
type Step struct {
	// Session names the browser of the User, Name the step.
	Session string `json:"session"`
	Name    string `json:"name"`
	// At is the time since the run began, in seconds.
	At    float64 `json:"at"`
	URL   string  `json:"url,omitempty"`
	Title string  `json:"title,omitempty"`
	Text  string  `json:"text,omitempty"`
	// Picture is the name of the PNG in the report's folder screenshots, and the key in Run.Pictures;
	// empty when none could be taken without showing what is secret.
	Picture string `json:"picture,omitempty"`
}
