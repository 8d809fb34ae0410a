package browser

import "testing"

// What controls say in many languages, denials in the words of approvals above all.
func TestMeanings(t *testing.T) {
	for want, texts := range map[meaning][]string{
		approve: {
			"Allow", "Authorize", "Authorise Example Agent", "Yes, allow access", "Grant access", "I agree", "Approve and continue", "Accept", "Confirm",
			"Zugriff erlauben", "Zulassen", "Ja, zustimmen", "Autoriser", "J’accepte", "Accepter et continuer", "Permitir", "Autorizar acceso", "Aceptar",
			"Permitir no aplicativo", "Consenti", "Autorizza", "Toestaan", "Akkoord", "Tillåt", "Godkend", "Hyväksy", "Zezwól", "Povolit", "Разрешить", "İzin ver",
			"許可する", "同意して連携する", "承認", "同意", "授权", "允许访问", "허용", "동의함", "السماح", "אישור",
		},
		deny: {
			"Deny", "Don’t allow", "Do not authorize", "No thanks", "Cancel", "Decline", "Reject all", "Not now", "← Back",
			"Ablehnen", "Nicht erlauben", "Zugriff nicht zulassen", "Abbrechen", "Nein", "Ne pas autoriser", "Refuser", "Annuler", "Non, merci",
			"No permitir", "Denegar", "Rechazar", "Recusar", "Não permitir", "Non consentire", "Annulla", "Rifiuta", "Niet toestaan", "Weigeren", "Tillåt inte", "Ikke tillat",
			"Älä salli", "Nie zezwalaj", "Odmítnout", "Не разрешать", "Отмена", "İzin verme", "許可しない", "同意しない", "キャンセル", "拒否", "不同意", "拒绝", "허용 안함", "거부", "رفض",
		},
		proceed: {"Continue", "Next", "Weiter", "Continuer", "Suivant", "Continuar", "Siguiente", "Avanti", "Doorgaan", "Fortsätt", "次へ", "続ける", "继续", "계속", "OK", "Weiter zum Anbieter"},
		signIn:  {"Sign in", "Log in", "Anmelden", "Se connecter", "Iniciar sesión", "Entrar", "Accedi", "Inloggen", "ログイン", "登录", "로그인", "Войти"},
		aside:   {"Sign in with Google", "Continue with Apple", "Mit Passkey anmelden", "Forgot password?", "Show password", "Create an account", "Passwort vergessen?", "Privacy policy", "新規登録"},
		unknown: {"", "Zorb", "…", "42"},
	} {
		for _, text := range texts {
			if got, score := meaningOf(text); got != want {
				t.Errorf("%q means %v (%d), not %v", text, got, score, want)
			}
		}
	}
}

// A control without words is told by its markup, which never outweighs words.
func TestMarkupTellsWhereWordsDoNot(t *testing.T) {
	for _, c := range []struct {
		button
		want meaning
	}{
		{button{Text: "✓", Value: "approve"}, approve},
		{button{Text: "✗", Name: "decision", Value: "deny"}, deny},
		{button{ID: "btnAuthorize"}, approve},
		{button{Classes: "button consent_deny"}, deny},
		{button{Text: "Deny", Value: "allow"}, deny},
		{button{Text: "x", Classes: "allowance novel"}, unknown},
	} {
		if got, _ := c.meaningOf(); got != c.want {
			t.Errorf("%+v means %v, not %v", c.button, got, c.want)
		}
	}
}
