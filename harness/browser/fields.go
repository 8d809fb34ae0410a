package browser

import (
	"regexp"
	"strings"
)

// What fields are called, in labels, placeholders and markup of many languages.
var (
	userWords = regexp.MustCompile(`(?i)user|login|log-?in|e-?mail|account|member|customer|phone|mobile|benutzer|anmeldename|kunde|konto|nutzer|identifiant|utilisateur|courriel|compte|usuario|correo|cuenta|usuário|utilizador|conta|utente|gebruiker|klant|använd|bruger|bruker|käyttäjä|użytkownik|uživatel|пользовател|почт|логин|kullanıcı|ログイン|ユーザー|メール|会員|アカウント|用户|用戶|账号|帳號|邮箱|아이디|이메일|사용자`)
	passWords = regexp.MustCompile(`(?i)pass|pwd|kennwort|mot de passe|contraseña|clave|senha|palavra-passe|wachtwoord|lösenord|adgangskode|salasana|hasło|heslo|пароль|şifre|parola|パスワード|暗証|密码|密碼|비밀번호`)
	codeWords = regexp.MustCompile(`(?i)one-?time|otp|2fa|mfa|two-?factor|verification|authenticat|security code|passcode|einmal|bestätigungscode|sicherheitscode|à usage unique|verificación|verificação|verifica|verificatie|код подтверждения|ワンタイム|認証コード|確認コード|验证码|驗證碼|인증`)
	otherUses = regexp.MustCompile(`(?i)search|suche|recherche|buscar|cerca|zoek|検索|newsletter|coupon|promo|voucher|user.?code|device.?code|captcha|first.?name|last.?name|address`)
)

// called is everything that names a field.
func (f field) called() string {
	return strings.Join([]string{f.Label, f.Beside, f.Placeholder, f.Name, f.ID, f.Autocomplete}, " ")
}

// loginParts are the parts of a login that one page shows; each may be missing.
type loginParts struct {
	username, password *field
	// code are the fields of a one-time code: one, or one for each digit.
	code []field
	// fixed is set when the user name is shown and cannot be changed.
	fixed bool
}

// enters reports whether the page with the user name is a login: it has a control that signs in or
// goes on, or nothing else to do but to press Enter.
func (p loginParts) enters(l *look) bool {
	return userScore(*p.username) >= 20 || l.submits(p.username.Form, signIn, proceed) != nil
}

// loginParts finds the parts of a login in a document.
func (l *look) loginParts() loginParts {
	var parts loginParts
	parts.password = l.pick(partPassword, func(f field) int {
		score := 0
		switch {
		case f.Type == "password":
			score = 50
		case f.Masked:
			score = 30
		default:
			return 0
		}
		if f.Autocomplete == "current-password" {
			score += 30
		}
		if f.Autocomplete == "new-password" || l.passwordsIn(f.Form) > 1 {
			score -= 25
		}
		if f.Autocomplete == "one-time-code" || codeWords.MatchString(f.called()) && !passWords.MatchString(f.called()) {
			return 0
		}
		return score
	})
	parts.username = l.pick(partUsername, func(f field) int {
		score := userScore(f)
		if score > 0 && parts.password != nil {
			if f.Form == parts.password.Form {
				score += 40
			} else {
				score -= 30
			}
		}
		return score
	})
	for _, f := range l.Fields {
		if parts.password != nil && f.Form == parts.password.Form && f.Shown && f.Filled && (f.ReadOnly || !f.Enabled) {
			parts.fixed = true
		}
	}
	parts.code = l.codeFields()
	return parts
}

// pick is the recipe's field, or the usable one that scores highest.
func (l *look) pick(part string, score func(field) int) *field {
	var best *field
	highest := 0
	for i, f := range l.Fields {
		if n, given := l.Recipe[part]; given {
			if n == f.N && f.Shown {
				return &l.Fields[i]
			}
			continue
		}
		if !f.usable() {
			continue
		}
		if s := score(f); s > highest {
			best, highest = &l.Fields[i], s
		}
	}
	return best
}

// userScore says how well a field would take a user name.
func userScore(f field) int {
	if f.Masked || f.MaxLength == 1 || f.Type == "search" || otherUses.MatchString(f.called()) {
		return 0
	}
	score := 0
	switch f.Type {
	case "email":
		score = 20
	case "text", "tel", "textarea":
		score = 5
	case "number":
		score = 1
	default:
		return 0
	}
	switch {
	case strings.Contains(f.Autocomplete, "username"):
		score += 50
	case strings.Contains(f.Autocomplete, "email"):
		score += 30
	}
	if userWords.MatchString(f.called()) {
		score += 30
	}
	if codeWords.MatchString(f.called()) {
		score -= 30
	}
	return max(score, 0)
}

func (l *look) passwordsIn(form int) int {
	count := 0
	for _, f := range l.Fields {
		if f.Type == "password" && f.Shown && f.Form == form {
			count++
		}
	}
	return count
}

// codeFields are the fields for a one-time code: the recipe's, one that says so, or a row of fields
// for one digit each.
func (l *look) codeFields() []field {
	var digits []field
	for _, f := range l.Fields {
		if n, given := l.Recipe[partTOTP]; given {
			if n == f.N && f.Shown {
				return []field{f}
			}
			continue
		}
		if !f.usable() || otherUses.MatchString(f.called()) {
			continue
		}
		if f.MaxLength == 1 {
			digits = append(digits, f)
			continue
		}
		if f.Autocomplete == "one-time-code" || codeWords.MatchString(f.called()) && !passWords.MatchString(f.called()) {
			return []field{f}
		}
	}
	if len(digits) >= 4 && len(digits) <= 8 {
		return digits
	}
	return nil
}

// submits is the button that sends a form: one that says what is wanted, else the form's only submit
// button. Form 0 is a page without forms.
func (l *look) submits(form int, wanted ...meaning) *button {
	best := bestOf(l.Buttons, func(b button) int {
		if !b.Shown || b.Cookie {
			return 0
		}
		m, score := b.meaningOf()
		for _, w := range wanted {
			if m != w {
				continue
			}
			if b.link() {
				score -= 30
			}
			if b.Form == form {
				score += 60
			}
			return score
		}
		if b.Submits && b.Form == form && form != 0 && (m == unknown || m == approve) {
			return 50
		}
		return 0
	})
	if best == nil {
		return nil
	}
	return &best.button
}
