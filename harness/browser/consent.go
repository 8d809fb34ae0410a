package browser

import (
	"context"
	"slices"
)

// Consent is a consent page as it was found.
type Consent struct {
	Page
	// Checkboxes are all of the page, in its order, but for those of a banner about cookies.
	Checkboxes []Checkbox
	// Approve and Deny are the controls of the decision; nil when none was found.
	Approve, Deny *Control
}

// Control is a control of the decision. Text is masked.
type Control struct {
	Text string
	// Enabled says whether it could be pressed when the page was read.
	Enabled bool

	n int
}

// Consent reads the consent page that is open.
func (s *Session) Consent(ctx context.Context) (*Consent, error) {
	var c *Consent
	err := s.step(ctx, "read the consent", func(ctx context.Context) error {
		v, err := s.await(ctx, settled)
		if err != nil {
			return err
		}
		if v.kind != PageConsent {
			return &Error{Kind: ConsentNotFound, Saw: s.pageOf(v).Seen()}
		}
		c = s.consentOf(v)
		s.shootPage(ctx, "consent", &c.Page)
		return nil
	})
	return c, err
}

func (s *Session) consentOf(v *sight) *Consent {
	c := &Consent{Page: *s.pageOf(v)}
	for _, b := range v.Boxes {
		if !b.Cookie {
			c.Checkboxes = append(c.Checkboxes, s.checkboxOf(b))
		}
	}
	boxes, told := v.evident(s.options.Scopes)
	found := v.decisions(boxes || told)
	c.Approve, c.Deny = s.controlOf(found.approve), s.controlOf(found.deny)
	return c
}

func (s *Session) controlOf(b *button) *Control {
	if b == nil {
		return nil
	}
	return &Control{Text: s.mask(b.said()), Enabled: b.Enabled, n: b.N}
}

func (s *Session) checkboxOf(b box) Checkbox {
	return Checkbox{
		Label: s.mask(b.Label), Name: s.mask(b.Name), Value: s.mask(b.Value), Row: s.mask(b.Row),
		Checked: b.Checked, Enabled: b.Enabled, Required: b.Required, Native: b.Native, Shown: b.Shown, box: b,
	}
}

// Boxes gives each of the scopes its checkbox, by the box's value, its markup, its label or the row
// it stands in. A scope without one is missing from the result.
func (c *Consent) Boxes(scopes []Scope) map[string]*Checkbox {
	var raw []box
	for _, box := range c.Checkboxes {
		raw = append(raw, box.box)
	}
	found := map[string]*Checkbox{}
	for id, i := range assign(raw, scopes, c.sight.Recipe) {
		found[id] = &c.Checkboxes[i]
	}
	return found
}

// Others are the checkboxes that belong to none of the scopes.
func (c *Consent) Others(scopes []Scope) []Checkbox {
	boxes := c.Boxes(scopes)
	var others []Checkbox
	for i := range c.Checkboxes {
		taken := false
		for _, box := range boxes {
			taken = taken || box == &c.Checkboxes[i]
		}
		if !taken {
			others = append(others, c.Checkboxes[i])
		}
	}
	return slices.Clip(others)
}
