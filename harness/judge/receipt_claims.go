package judge

// ReceiptNamesTheGrant passes receipts whose grantId is that of the token (§5.6).
func ReceiptNamesTheGrant() Judge { return unwritten("ReceiptNamesTheGrant") }

// ReceiptNamesTheUser passes receipts whose user is the token's sub (§5.6).
func ReceiptNamesTheUser() Judge { return unwritten("ReceiptNamesTheUser") }

// ReceiptNamesTheAgent passes receipts whose pa is the personal agent's issuer (§5.6).
func ReceiptNamesTheAgent() Judge { return unwritten("ReceiptNamesTheAgent") }

// ReceiptNamesTheBrand passes receipts whose brand is the interface URL (§5.6).
func ReceiptNamesTheBrand(urls map[string]string) Judge {
	_ = urls
	return unwritten("ReceiptNamesTheBrand")
}

// ReceiptUsesScopesOfTheToken passes receipts that use scopes of the token (§5.6).
func ReceiptUsesScopesOfTheToken(needs map[string]string) Judge {
	_ = needs
	return unwritten("ReceiptUsesScopesOfTheToken")
}

// ReceiptListsActions passes receipts with a list of actions (§5.6).
func ReceiptListsActions() Judge { return unwritten("ReceiptListsActions") }

// ReceiptIsOfTheTurn passes receipts whose ts is the time of the turn (§5.6).
func ReceiptIsOfTheTurn(offset float64) Judge {
	_ = offset
	return unwritten("ReceiptIsOfTheTurn")
}

// ReceiptUsesNothingUnneeded passes receipts that use scopes for actions only (§5.6).
func ReceiptUsesNothingUnneeded(plain string) Judge {
	_ = plain
	return unwritten("ReceiptUsesNothingUnneeded")
}

// ReceiptUses passes receipts that use the scope (§5.6).
func ReceiptUses(scope string) Judge {
	_ = scope
	return unwritten("ReceiptUses")
}
