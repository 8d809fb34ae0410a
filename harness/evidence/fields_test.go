package evidence_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/evidence"
	"github.com/pact-conform/pact-conform/harness/result"
)

// A code in a link is learned however often the link was encoded, masked in the link itself, and from then on
// wherever it turns up.
func TestCodesAreLearnedInsideLinks(t *testing.T) {
	const consent = "https://p.example/consent?lang=de&user_code=WDJB-MJHT&x=1"
	encoded := func(times int) string {
		link := consent
		for range times {
			link = "https://brand.example/login?return_to=" + url.QueryEscape(link) + "&theme=dark"
		}
		return link
	}
	masked := func(times int) string { return strings.Replace(encoded(times), "WDJB-MJHT", "[user_code-1:8]", 1) }
	for name, test := range map[string]struct{ link, want string }{
		"as it is":                   {encoded(0), masked(0)},
		"encoded":                    {encoded(1), masked(1)},
		"encoded twice":              {encoded(2), masked(2)},
		"encoded three times":        {encoded(3), masked(3)},
		"as §5.3 writes it":          {"https://brand.example/login?return_to=…user_code%3DWDJB-MJHT", "https://brand.example/login?return_to=…user_code%3D[user_code-1:8]"},
		"hexadecimal in lower case":  {"?r=x%3fuser_code%3dWDJB-MJHT%26y%3d1", "?r=x%3fuser_code%3d[user_code-1:8]%26y%3d1"},
		"with the whole encoded":     {"/login/%3Fuser_code%3DWDJB%2DMJHT", "/login/%3Fuser_code%3D[masked]"},
		"in JSON that escapes &":     {`{"link":"https://p.example/?x=1\u0026user_code=WDJB-MJHT\u0026y=2"}`, `{"link":"https://p.example/?x=1\u0026user_code=[user_code-1:8]\u0026y=2"}`},
		"in HTML":                    {`<a href="/?x=1&amp;user_code=WDJB-MJHT">`, `<a href="/?x=1&amp;user_code=[user_code-1:8]">`},
		"in a fragment":              {"/app#user_code=WDJB-MJHT", "/app#user_code=[user_code-1:8]"},
		"in a JSON object in a link": {"/?state=%7B%22user_code%22%3A%22WDJB-MJHT%22%7D", "/?state=%7B%22user_code%22%3A%22[user_code-1:8]%22%7D"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			r := evidence.NewRecorder(evidence.NewMasker())
			first := r.Record(result.Exchange{Response: &result.Response{Body: test.link}}, "")
			g.Expect(first.Response.Body).To(Equal(test.want))
			again := r.Record(result.Exchange{Request: result.Request{Body: "type WDJB-MJHT there"}}, "")
			g.Expect(again.Request.Body).To(Equal("type [user_code-1:8] there"))
		})
	}
}

func TestEachParameterOfALinkIsLearned(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker())
	inner := url.QueryEscape("https://p.example/?user_code=WDJB-MJHT&assertion=a+b/c=")
	x := r.Record(result.Exchange{Request: result.Request{URL: "https://b.example/?return_to=" + inner + "&otp=493021"}}, "")
	g.Expect(x.Request.URL).To(MatchRegexp(`\?return_to=https%3A%2F%2Fp.example%2F%3Fuser_code%3D\[user_code-1:8\]%26assertion%3D\[.+\]&otp=\[otp-3:6\]$`))
	g.Expect(x.Request.URL).NotTo(ContainSubstring("a%2Bb"))
	later := r.Record(result.Exchange{Request: result.Request{Body: "a b/c= 493021"}}, "")
	g.Expect(later.Request.Body).To(Equal("[assertion-2:5] [otp-3:6]"), "a + in a query is a space")
}

// What is too plain to be sought everywhere is masked where it stands.
func TestWordsInLinksAreMaskedByTheirName(t *testing.T) {
	g := NewWithT(t)
	m := evidence.NewMasker()
	link := "https://b.example/?return_to=x%3Fuser_code%3Dgarden%26lang%3Dde&more=%253Fpassword%253Dabc"
	m.Learn(link)
	g.Expect(m.Text(link)).To(Equal("https://b.example/?return_to=x%3Fuser_code%3D[masked]%26lang%3Dde&more=%253Fpassword%253D[masked]"))
	g.Expect(m.Text("in the garden")).To(Equal("in the garden"))
}

func TestFieldsWithOtherNamesStay(t *testing.T) {
	m := evidence.NewMasker()
	for _, text := range []string{
		"/?return_to=x%3Fmy_user_code_kind%3DWDJB-MJHT", "/?zip_code=WDJB-MJHT", "/?device_codec%3DH264-high", "/?user_code%3D", "/?user_code%3D%26x%3D1",
		"response_type=device_code&x=1", "the user_code is shown",
	} {
		m.Learn(text)
		NewWithT(t).Expect(m.Text(text)).To(Equal(text))
	}
	NewWithT(t).Expect(m.Text("WDJB-MJHT H264-high")).To(Equal("WDJB-MJHT H264-high"))
}

func TestCodesAreLearnedFromRedirects(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker())
	location := "https://p.example/consent?user_code=WDJB-MJHT"
	x := r.Record(result.Exchange{Response: &result.Response{Status: 302, Header: http.Header{"Location": {location}}, Body: "code WDJB-MJHT"}}, "")
	g.Expect(x.Response.Header.Get("Location")).To(Equal("https://p.example/consent?user_code=[user_code-1:8]"))
	g.Expect(x.Response.Body).To(Equal("code [user_code-1:8]"))
}

// The token of a revocation is the refresh token that it was from the start (RFC 7009 §2.1).
func TestRevokedTokens(t *testing.T) {
	revoking := func(body string) result.Exchange {
		return result.Exchange{Tags: result.Tags{Operation: evidence.Revocation}, Request: result.Request{Body: body}}
	}
	t.Run("known from the answer that gave it", func(t *testing.T) {
		g := NewWithT(t)
		r := evidence.NewRecorder(evidence.NewMasker())
		given := r.Record(result.Exchange{Response: &result.Response{Body: `{"refresh_token":"rt_9f3c+/="}`}}, "")
		g.Expect(given.Response.Body).To(Equal(`{"refresh_token":"[refresh_token-1:10]"}`))
		x := r.Record(revoking("client_id=c&token=rt_9f3c%2B%2F%3D&token_type_hint=refresh_token"), "")
		g.Expect(x.Request.Body).To(Equal("client_id=c&token=[refresh_token-1:10]&token_type_hint=refresh_token"))
	})
	t.Run("met here first", func(t *testing.T) {
		g := NewWithT(t)
		r := evidence.NewRecorder(evidence.NewMasker())
		x := r.Record(revoking("token=rt_9f3c"), "")
		g.Expect(x.Request.Body).To(Equal("token=[refresh_token-1:7]"))
		later := r.Record(result.Exchange{Request: result.Request{Body: "refresh_token=rt_9f3c"}}, "")
		g.Expect(later.Request.Body).To(Equal("refresh_token=[refresh_token-1:7]"))
	})
	t.Run("with other hints", func(t *testing.T) {
		g := NewWithT(t)
		r := evidence.NewRecorder(evidence.NewMasker())
		g.Expect(r.Record(revoking("token=at-9f3c&token_type_hint=access_token"), "").Request.Body).
			To(Equal("token=[access_token-1:6]&token_type_hint=access_token"))
		g.Expect(r.Record(revoking("token=garbage"), "").Request.Body).To(Equal("token=[masked]"))
		g.Expect(r.Record(revoking("token="+token), "").Request.Body).To(Equal("token=" + header + "." + claims + "." + evidence.SignatureMasked))
	})
	t.Run("nowhere else", func(t *testing.T) {
		x := evidence.NewRecorder(evidence.NewMasker()).Record(result.Exchange{Request: result.Request{Body: "token=rt_9f3c"}}, "")
		NewWithT(t).Expect(x.Request.Body).To(Equal("token=rt_9f3c"))
	})
}
