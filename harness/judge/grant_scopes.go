package judge

// GrantExactly passes tokens of just the approved scopes (§5.3).
func GrantExactly(approved, elsewhere []string) Judge {
	_, _ = approved, elsewhere
	return unwritten("GrantExactly")
}

// GrantWithin passes tokens of allowed scopes alone, and OAuth errors (§5.3).
func GrantWithin(allowed, elsewhere []string) Judge {
	_, _ = allowed, elsewhere
	return unwritten("GrantWithin")
}

// ContinueTheGrant passes refreshes that give tokens of the same grant (RFC 6749 §6).
func ContinueTheGrant(elsewhere []string) Judge {
	_ = elsewhere
	return unwritten("ContinueTheGrant")
}
