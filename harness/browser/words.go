package browser

import (
	"strings"
	"unicode"
)

// meaning is what pressing a control would do.
type meaning int

const (
	unknown meaning = iota
	deny
	approve
	proceed
	signIn
	// aside is a control that leads away from the conversation: another way to sign in, a forgotten
	// password, another language.
	aside
)

func (m meaning) String() string {
	return [...]string{"neither", "deny", "approve", "continue", "sign in", "aside"}[m]
}

// vocabulary is how the controls of such pages are worded. Phrases stand in lower case; one that
// starts with "=" must be the whole text. What denies is looked for before what approves, because
// denials are often worded as approvals with a "not".
var vocabulary = []struct{ language, deny, approve, proceed, signIn string }{
	{"English",
		"deny|decline|refuse|reject|cancel|disallow|don't|dont|do not|not now|=no|no thanks|no, thanks|abort|block|=back|go back|opt out|dismiss|without access|never",
		"allow|approve|authorize|authorise|accept|agree|grant|permit|consent|give access|give permission|=yes|yes,|confirm|connect|share access|=link|link account|trust",
		"continue|next|proceed|=ok|=okay|submit|go on|save|finish|=done|=send|got it|verify|return to|go to",
		"sign in|signin|log in|login|log on|logon|sign on|enter"},
	{"German",
		"ablehnen|verweigern|abbrechen|zurückweisen|untersagen|verbieten|=nein|nein,|nein danke|nicht|zurück|=sperren",
		"erlauben|zulassen|genehmigen|zustimmen|autorisieren|akzeptieren|annehmen|gestatten|freigeben|bestätigen|einwilligen|gewähren|erteilen|einverstanden|=ja|ja,|verbinden",
		"weiter|fortfahren|fortsetzen|absenden|speichern|fertig|abschließen|bestätigen und weiter",
		"anmelden|einloggen|log-in|anmeldung"},
	{"French",
		"refuser|rejeter|annuler|décliner|interdire|=non|non,|non merci|ne pas|n'autorise|je refuse|retour|bloquer",
		"autoriser|approuver|accepter|permettre|accorder|donner accès|consentir|j'accepte|j'autorise|=oui|oui,|confirmer|valider",
		"continuer|suivant|poursuivre|envoyer|enregistrer|terminer",
		"se connecter|connexion|s'identifier|identification|me connecter"},
	{"Spanish",
		"denegar|rechazar|cancelar|=no|no,|no gracias|no permitir|no autorizar|no aceptar|declinar|negar|bloquear|volver",
		"permitir|autorizar|aprobar|aceptar|conceder|dar acceso|consentir|otorgar|acepto|autorizo|=sí|=si|sí,|confirmar|de acuerdo",
		"continuar|siguiente|seguir|enviar|guardar|finalizar",
		"iniciar sesión|inicia sesión|acceder|entrar|ingresar|identificarse"},
	{"Portuguese",
		"negar|recusar|rejeitar|cancelar|=não|não,|não permitir|não autorizar|não, obrigado|bloquear|voltar",
		"permitir|autorizar|aprovar|aceitar|conceder|dar acesso|consentir|concordo|aceito|=sim|sim,|confirmar",
		"continuar|seguinte|próximo|próxima|avançar|prosseguir|enviar|salvar|guardar|concluir",
		"iniciar sessão|entrar|acessar|fazer login|aceder"},
	{"Italian",
		"nega|negare|rifiuta|rifiutare|annulla|=no|no,|no grazie|non consentire|non autorizzare|declina|blocca|indietro",
		"consenti|consentire|autorizza|autorizzare|approva|approvare|accetta|accettare|permetti|concedi|acconsento|acconsenti|accetto|autorizzo|=sì|sì,|conferma",
		"continua|avanti|prosegui|procedi|invia|salva|fine",
		"accedi|entra|effettua l'accesso|accesso"},
	{"Dutch",
		"weigeren|afwijzen|annuleren|=nee|nee,|nee bedankt|niet toestaan|verbieden|blokkeren|terug|weiger",
		"toestaan|goedkeuren|accepteren|autoriseren|machtigen|akkoord|toestemming geven|sta toe|=ja|ja,|bevestigen|verlenen",
		"doorgaan|verder|volgende|ga verder|verzenden|opslaan|voltooien",
		"inloggen|aanmelden|log in"},
	{"Swedish",
		"neka|avvisa|avbryt|avböj|=nej|nej,|nej tack|tillåt inte|tillbaka",
		"tillåt|godkänn|acceptera|auktorisera|medge|bevilja|samtyck|=ja|ja,|bekräfta",
		"fortsätt|nästa|gå vidare|skicka|spara", "logga in"},
	{"Danish and Norwegian",
		"afvis|avvis|afslå|avslå|annuller|avbryt|=nej|=nei|nej tak|nei takk|ikke|tilbage|tilbake",
		"tillad|tillat|godkend|godkjenn|accepter|aksepter|giv adgang|gi tilgang|samtyk|=ja|ja,|bekræft|bekreft|autoriser",
		"fortsæt|fortsett|næste|neste|videre|gem|lagre|send", "log ind|logg inn|logg på"},
	{"Finnish",
		"hylkää|kiellä|peruuta|=ei|ei kiitos|älä salli|takaisin|estä",
		"salli|hyväksy|valtuuta|myönnä|=kyllä|vahvista|suostu", "jatka|seuraava|lähetä|tallenna", "kirjaudu"},
	{"Polish",
		"odmów|odmowa|odrzuć|anuluj|=nie|nie,|nie zezwalaj|wstecz|zablokuj",
		"zezwól|zezwalaj|zatwierdź|autoryzuj|zaakceptuj|akceptuj|przyznaj|zgadzam się|udziel|=tak|tak,|potwierdź", "kontynuuj|dalej|następny|wyślij|zapisz", "zaloguj|logowanie"},
	{"Czech and Slovak",
		"odmítnout|odmietnuť|zamítnout|zamietnuť|zrušit|zrušiť|=ne|=nie|nepovolit|nepovoliť|zpět|späť",
		"povolit|povoliť|schválit|schváliť|autorizovat|autorizovať|přijmout|prijať|souhlasím|súhlasím|udělit|udeliť|=ano|=áno|potvrdit|potvrdiť", "pokračovat|pokračovať|další|ďalej|odeslat|odoslať|uložit", "přihlásit|prihlásiť"},
	{"Russian and Ukrainian",
		"отклонить|отказать|отказаться|запретить|отмена|отменить|=нет|=ні|не разрешать|не дозволяти|відхилити|заборонити|скасувати|назад",
		"разрешить|одобрить|принять|авторизовать|предоставить|согласен|согласиться|=да|=так|подтвердить|дозволити|схвалити|прийняти|надати|підтвердити", "продолжить|далее|отправить|сохранить|продовжити|далі|надіслати", "войти|вход|увійти|вхід"},
	{"Turkish",
		"reddet|iptal|vazgeç|=hayır|izin verme|geri|engelle",
		"izin ver|onayla|kabul et|yetkilendir|=evet|yetki ver", "devam|ileri|gönder|kaydet", "giriş yap|oturum aç"},
	{"Greek", "απόρριψη|άρνηση|ακύρωση|=όχι|πίσω", "αποδοχή|έγκριση|εξουσιοδότηση|να επιτρέπεται|επιτρέπω|=ναι|συμφωνώ|επιβεβαίωση", "συνέχεια|επόμενο|υποβολή|αποθήκευση", "σύνδεση|είσοδος"},
	{"Japanese",
		"拒否|許可しない|承認しない|同意しない|認めない|キャンセル|=いいえ|辞退|断る|戻る|やめる|中止|ブロック",
		"許可|承認|同意|認める|認可|=はい|連携する|受け入れる", "続ける|続行|次へ|進む|送信|保存|完了|確認", "ログイン|サインイン"},
	{"Chinese",
		"拒绝|拒絕|取消|不同意|不允许|不允許|不授权|不授權|=否|返回|禁止",
		"同意|允许|允許|授权|授權|批准|接受|核准|=是", "继续|繼續|下一步|提交|送出|保存|儲存|完成|确认|確認|确定|確定", "登录|登入|登錄"},
	{"Korean",
		"거부|거절|취소|허용 안|허용하지|동의하지|승인하지|=아니요|=아니오|뒤로|차단",
		"허용|승인|동의|수락|=예|권한 부여", "계속|다음|제출|저장|완료|확인", "로그인"},
	{"Arabic", "رفض|إلغاء|=لا|عدم السماح|عدم الموافقة|رجوع", "السماح|سماح|موافقة|أوافق|قبول|=نعم|تفويض", "متابعة|التالي|إرسال|حفظ", "تسجيل الدخول|دخول"},
	{"Hebrew", "דחה|דחייה|סירוב|ביטול|=לא|אל תאפשר|חזרה", "אפשר|אישור|אשר|הסכמה|קבל|=כן", "המשך|הבא|שלח|שמור", "התחבר|כניסה"},
	{"Hindi", "अस्वीकार|मना|रद्द|=नहीं|अनुमति न", "अनुमति|स्वीकार|स्वीकृत|सहमत|=हाँ", "जारी|आगे|अगला|जमा", "लॉग इन|साइन इन"},
}

// negations turn an approval into a denial when they stand in the same text.
var negations = []string{
	"not", "don't", "dont", "never", "without", "nicht", "kein", "keine", "ohne", "ne", "pas", "sans", "não", "non", "niet", "geen",
	"inte", "ikke", "älä", "nie", "не", "しない", "しません", "ない", "不", "안", "않", "μη", "لا", "לא", "न",
}

// leadingNegations deny only at the start of a text: elsewhere they are small words of other languages.
var leadingNegations = []string{"no "}

// elsewhere are texts of controls beside the conversation, in no order and many languages.
var elsewhere = []string{
	"google", "apple", "facebook", "microsoft", "github", "linkedin", "twitter", "amazon", "paypal", "passkey", "passkeys", "sso", "qr", "magic link", "security key",
	"forgot", "forgotten", "reset", "register", "sign up", "signup", "create account", "create an account", "new here", "join", "help", "privacy", "terms", "imprint", "show", "hide", "learn more", "need help", "contact", "resend", "remember",
	"vergessen", "registrieren", "konto erstellen", "konto anlegen", "hilfe", "datenschutz", "impressum", "agb", "anzeigen", "mehr erfahren",
	"oublié", "créer un compte", "inscription", "s'inscrire", "aide", "confidentialité", "mentions légales", "conditions", "afficher",
	"olvidado", "olvidaste", "olvidé", "crear cuenta", "registrarse", "regístrate", "ayuda", "privacidad", "términos", "mostrar",
	"esqueci", "esqueceu", "criar conta", "cadastre-se", "cadastrar", "ajuda", "privacidade", "termos",
	"dimenticato", "dimenticata", "crea account", "registrati", "aiuto", "mostra", "vergeten", "account aanmaken", "registreren", "hulp", "voorwaarden",
	"忘れ", "新規登録", "会員登録", "ヘルプ", "プライバシー", "利用規約", "表示", "忘记", "忘記", "注册", "註冊", "帮助", "분실", "찾기", "회원가입", "도움말", "забыли", "регистрация",
}

// How well a text carries a meaning.
const (
	exactly  = 100
	begins   = 80
	contains = 60
)

// meaningOf is what a text of a control says, and how plainly.
func meaningOf(text string) (meaning, int) {
	text = normal(text)
	if text == "" {
		return unknown, 0
	}
	best := map[meaning]int{}
	for _, words := range vocabulary {
		for m, phrases := range map[meaning]string{deny: words.deny, approve: words.approve, proceed: words.proceed, signIn: words.signIn} {
			best[m] = max(best[m], strongest(text, phrases))
		}
	}
	if best[approve] > 0 && negated(text) {
		return deny, max(best[deny], contains)
	}
	if best[deny] > 0 && best[deny] >= best[approve] {
		return deny, best[deny]
	}
	for _, phrase := range elsewhere {
		if score(text, phrase) > 0 && best[approve] < begins {
			return aside, contains
		}
	}
	if best[deny] > 0 && best[approve] < exactly {
		return deny, best[deny]
	}
	m := unknown
	for _, other := range []meaning{approve, signIn, proceed} {
		if best[other] > best[m] {
			m = other
		}
	}
	return m, best[m]
}

func negated(text string) bool {
	for _, word := range leadingNegations {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	for _, word := range negations {
		if score(text, word) > 0 {
			return true
		}
	}
	return false
}

// strongest is the best score of the phrases, which stand between bars.
func strongest(text, phrases string) int {
	best := 0
	for phrase := range strings.SplitSeq(phrases, "|") {
		best = max(best, score(text, phrase))
	}
	return best
}

// score says how well a text holds a phrase as whole words.
func score(text, phrase string) int {
	whole, exact := strings.CutPrefix(phrase, "=")
	switch {
	case text == whole:
		return exactly
	case exact:
		return 0
	}
	at := indexWord(text, whole)
	switch {
	case at == 0:
		return begins
	case at > 0:
		return contains
	}
	return 0
}

// indexWord is where word stands in text between word boundaries, or -1. Scripts without blanks
// between words have none to look for.
func indexWord(text, word string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		at += from
		before, after := lastRune(text[:at]), firstRune(text[at+len(word):])
		if !joined(before, firstRune(word)) && !joined(lastRune(word), after) {
			return at
		}
		from = at + len(word)
	}
}

// joined reports whether two letters beside each other belong to one word.
func joined(a, b rune) bool {
	return wordLetter(a) && wordLetter(b) && !blankless(a) && !blankless(b)
}

func wordLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// blankless scripts write words without blanks between them, or glue endings to them.
func blankless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return ' '
}

func lastRune(s string) rune {
	last := ' '
	for _, r := range s {
		last = r
	}
	return last
}

// normal is a text in lower case, with plain apostrophes, one blank between words and no decoration around them.
func normal(text string) string {
	text = strings.NewReplacer("’", "'", "‘", "'", "´", "'", "`", "'").Replace(strings.ToLower(text))
	text = strings.TrimFunc(text, func(r rune) bool { return !wordLetter(r) })
	return fold(text)
}
