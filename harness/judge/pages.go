package judge

// BeConsent passes consent pages (§5.3).
func BeConsent() Judge { return unwritten("BeConsent") }

// BeNoConsent passes pages that are no consent (§5.3).
func BeNoConsent() Judge { return unwritten("BeNoConsent") }

// BeLogin passes pages on which the User signs in (§5.3).
func BeLogin() Judge { return unwritten("BeLogin") }

// ShowVerbatim passes pages with the description of each scope (§5.2).
func ShowVerbatim(descriptions map[string]string) Judge {
	_ = descriptions
	return unwritten("ShowVerbatim")
}

// ShowOrigin passes pages that show the origin of the personal agent (§5.3).
func ShowOrigin(origin string) Judge {
	_ = origin
	return unwritten("ShowOrigin")
}

// ShowBrand passes pages that show the Brand (§5.3).
func ShowBrand(name, fromCard string) Judge {
	_, _ = name, fromCard
	return unwritten("ShowBrand")
}

// OfferBoxes passes pages with a checkbox for each scope (§5.3).
func OfferBoxes(scopes []string) Judge {
	_ = scopes
	return unwritten("OfferBoxes")
}

// OfferOnly passes pages without a checkbox for another scope (§5.5).
func OfferOnly(scopes []string) Judge {
	_ = scopes
	return unwritten("OfferOnly")
}

// ForbidFraming passes pages that cannot be framed (§5.3).
func ForbidFraming() Judge { return unwritten("ForbidFraming") }
