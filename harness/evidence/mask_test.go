package evidence_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/evidence"
	"github.com/pact-conform/pact-conform/harness/result"
)

const token = header + "." + claims + "." + signature

func TestNoFormOfASecretIsKept(t *testing.T) {
	const secret = `q"<é&+/ \ 'w`
	htmlFree := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret)
	escaped, _ := json.Marshal(secret)
	m := evidence.NewMasker(secret)
	for name, text := range map[string]string{
		"plain": secret, "in a query": url.QueryEscape(secret), "in a path": url.PathEscape(secret),
		"in a query within a query": url.QueryEscape(url.QueryEscape(secret)),
		"in JSON":                   string(escaped[1 : len(escaped)-1]), "in JSON that escapes no HTML": htmlFree,
		"in base64": base64.StdEncoding.EncodeToString([]byte(secret)), "in base64url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
	} {
		t.Run(name, func(t *testing.T) {
			NewWithT(t).Expect(strings.TrimRight(m.Text("<"+text+">"), "=>")).To(Equal("<" + evidence.Masked))
		})
	}
}

func TestMaskingKeepsJSONWhole(t *testing.T) {
	for _, secret := range []string{`ends with a quote"`, `ends with a backslash\`, `"quoted"`, "line\nbreak"} {
		body, _ := json.Marshal(map[string]string{"echo": secret, "next": "x"})
		var members map[string]string
		masked := evidence.NewMasker(secret).Text(string(body))
		if err := json.Unmarshal([]byte(masked), &members); err != nil || members["echo"] != evidence.Masked || members["next"] != "x" {
			t.Errorf("%q became %s", secret, masked)
		}
	}
}

func TestSignaturesAreMaskedWhereverTheyStand(t *testing.T) {
	spaced := base64.RawURLEncoding.EncodeToString([]byte("{ \"alg\": \"ES256\"}"))
	for name, text := range map[string]string{
		"percent-encoded space before": "/login?auth=Bearer%20" + token,
		"a letter before":              "x" + token,
		"an underscore before":         "dc_" + token,
		"quoted in quotes":             `{"message":"bad \"Bearer ` + token + `\""}`,
		"in angle brackets":            "<" + token + ">",
		"a header with white space":    spaced + "." + claims + "." + signature,
		"twice":                        token + " " + token,
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			masked := evidence.NewMasker().Text(text)
			g.Expect(masked).NotTo(ContainSubstring(signature))
			g.Expect(masked).To(ContainSubstring(claims + "." + evidence.SignatureMasked))
		})
	}
}

func TestNamesWithDotsAreNoTokens(t *testing.T) {
	m := evidence.NewMasker()
	for _, text := range []string{
		"https://eyewear-shop.example.com/a2a", "https://monkeybusiness.example.com.au/", "they.said.so",
		"com.survey.journey.Handler.handle", "newsletter.example.org.uk", "frameworks-and-more.example.com",
	} {
		NewWithT(t).Expect(m.Text(text)).To(Equal(text))
	}
}

func TestTheRequestsOwnTokenIsMaskedWhateverItLooksLike(t *testing.T) {
	long := strings.Repeat("s1g", 20)
	for name, token := range map[string]string{
		"header no JSON":     "bm90LWpzb24." + claims + "." + long,
		"bad base64":         header + "." + claims + "!." + long,
		"four segments":      header + "." + claims + ".short." + long,
		"an empty header":    "." + claims + "." + long,
		"an ordinary token":  header + "." + claims + "." + long,
		"an odd first brace": "e30." + claims + "." + long,
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			x := evidence.NewRecorder(evidence.NewMasker()).Record(result.Exchange{
				Request:  result.Request{URL: "https://p.example/?t=" + url.QueryEscape(token), Header: http.Header{"Authorization": {"Bearer " + token}}, Body: token},
				Response: &result.Response{Header: http.Header{"X-Echo": {"Bearer " + token}}, Body: `{"echo":"` + token + `"}`, FinalURL: token},
				Error:    token, Curl: token,
			}, "", token)
			all, err := json.Marshal(x)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(string(all)).NotTo(ContainSubstring("s1gs1g"))
		})
	}
}

func TestASecretAtTheCutIsMaskedWhole(t *testing.T) {
	g := NewWithT(t)
	const secret = "hunter2-and-more-of-it"
	for before := evidence.MaxBody - len(secret) - 2; before <= evidence.MaxBody; before++ {
		x := evidence.NewRecorder(evidence.NewMasker(secret)).Record(result.Exchange{
			Request: result.Request{Body: strings.Repeat("a", before) + secret + strings.Repeat("b", 100)},
		}, "")
		g.Expect(x.Request.Body).NotTo(ContainSubstring("h"), "%d bytes before", before)
	}
}

func TestWordsAreNotLearned(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker())
	r.Record(result.Exchange{Response: &result.Response{Body: `{"assertion":"true","password":"message","otp":"none"}`}}, "")
	x := r.Record(result.Exchange{Response: &result.Response{Body: `{"message":{"ok":true,"auth":"none"}}`}}, "")
	g.Expect(x.Response.Body).To(Equal(`{"message":{"ok":true,"auth":"none"}}`))
	again := r.Record(result.Exchange{Response: &result.Response{Body: `{"password":"message"}`}}, "")
	g.Expect(again.Response.Body).To(Equal(`{"password":"[masked]"}`), "by its name it is masked all the same")
}

func TestWhatIsMaskedIsNoSecret(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker("hunter2"))
	r.Record(result.Exchange{Request: result.Request{URL: "https://p.example/?user_code=[masked]"}}, "")
	x := r.Record(result.Exchange{Request: result.Request{Body: "hunter2"}}, "")
	g.Expect(x.Request.Body).To(Equal(evidence.Masked))
}

func TestJudgesSeeWhatTheConfigurationHides(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker("https://provider.example"))
	card := `{"url":"https://provider.example/a2a/1","device_code":"dc-12345678","t":"` + token + `"}`
	x := r.Record(result.Exchange{Response: &result.Response{Body: card}}, "reply")
	plain := r.Record(result.Exchange{Response: &result.Response{Body: "{}"}}, "")
	g.Expect(x.Response.Body).To(HavePrefix(`{"url":"[masked]/a2a/1","device_code":"[device_code-1:10]"`))

	seen, differ := r.Judged([]*result.Exchange{x, plain})
	g.Expect(differ).To(BeTrue())
	g.Expect(seen[0].Response.Body).To(HavePrefix(`{"url":"https://provider.example/a2a/1","device_code":"[device_code-1:10]"`))
	g.Expect(seen[0].Response.Body).NotTo(ContainSubstring(signature))
	g.Expect(seen[0].ID).To(Equal(x.ID))
	g.Expect(seen[0].Turn).To(BeTrue())
	g.Expect(seen[1]).To(BeIdenticalTo(plain))
	_, differ = r.Judged([]*result.Exchange{plain})
	g.Expect(differ).To(BeFalse())
}
