package judge

// HaveTokenIssuer passes tokens whose iss is the Brand's authorization server (§5.4).
func HaveTokenIssuer(issuer string) Judge {
	_ = issuer
	return unwritten("HaveTokenIssuer")
}

// HaveTokenAudience passes tokens whose aud is the Brand's interface URL (§5.4).
func HaveTokenAudience(url string) Judge {
	_ = url
	return unwritten("HaveTokenAudience")
}

// HaveTokenSubject passes tokens whose sub is the Brand's id of the User (§5.4).
func HaveTokenSubject(id, agentSub string) Judge {
	_, _ = id, agentSub
	return unwritten("HaveTokenSubject")
}

// ShareTheSubject passes tokens that all have the same sub (§5.4).
func ShareTheSubject() Judge { return unwritten("ShareTheSubject") }

// HaveTokenClient passes tokens whose client_id is the personal agent's issuer (§5.4).
func HaveTokenClient(issuer string) Judge {
	_ = issuer
	return unwritten("HaveTokenClient")
}

// ListTheGrantedScopes passes tokens whose scope is that of the answer (§5.4).
func ListTheGrantedScopes() Judge { return unwritten("ListTheGrantedScopes") }

// HaveGrantID passes tokens with a grant_id (§5.4).
func HaveGrantID() Judge { return unwritten("HaveGrantID") }

// HaveGrantIDsOfTheirOwn passes tokens of different grants (§5.4).
func HaveGrantIDsOfTheirOwn() Judge { return unwritten("HaveGrantIDsOfTheirOwn") }

// HaveTokenTimes passes tokens with iat and exp (§5.4).
func HaveTokenTimes(offset float64) Judge {
	_ = offset
	return unwritten("HaveTokenTimes")
}

// LiveAnHourAtMost passes tokens that live for an hour or less (§5.4).
func LiveAnHourAtMost() Judge { return unwritten("LiveAnHourAtMost") }

// AgreeOnExpiry passes answers whose expires_in is what exp leaves (§5.4).
func AgreeOnExpiry(offset float64) Judge {
	_ = offset
	return unwritten("AgreeOnExpiry")
}

// ExpireNoLater passes answers whose expires_in promises no more than exp leaves (§5.3).
func ExpireNoLater(offset float64) Judge {
	_ = offset
	return unwritten("ExpireNoLater")
}
