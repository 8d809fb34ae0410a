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

const (
	header    = "eyJhbGciOiJFUzI1NiJ9"
	claims    = "eyJpc3MiOiJodHRwczovL3BhLmV4YW1wbGUifQ"
	signature = "c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
	password  = `p@ss "w&rd`
)

func TestTextMasks(t *testing.T) {
	m := evidence.NewMasker(password, "abc")
	for name, test := range map[string]struct{ in, want string }{
		"a JWS anywhere":             {"got " + header + "." + claims + "." + signature + " back", "got " + header + "." + claims + "." + evidence.SignatureMasked + " back"},
		"every segment after two":    {header + "." + claims + ".aa.bb", header + "." + claims + "." + evidence.SignatureMasked},
		"an empty payload":           {header + ".." + signature, header + ".." + evidence.SignatureMasked},
		"a secret as it is":          {"x" + password + "y", "x[masked]y"},
		"a secret in a query":        {"?p=" + url.QueryEscape(password), "?p=[masked]"},
		"a secret in a JSON string":  {`{"x":"p@ss \"w\u0026rd"}`, `{"x":"[masked]"}`},
		"members by name":            {`{"device_code" : "dc_\"9"}`, `{"device_code" : "[masked]"}`},
		"form fields by name":        {"grant_type=x&refresh_token=rt_1&client_id=c", "grant_type=x&refresh_token=[masked]&client_id=c"},
		"a token in the query":       {"/tasks?access_token=" + header + "." + claims + "." + signature, "/tasks?access_token=" + header + "." + claims + "." + evidence.SignatureMasked},
		"a secret too short to seek": {"abcdef", "abcdef"},
		"nothing else":               {"eyes on example.com.au.x", "eyes on example.com.au.x"},
	} {
		t.Run(name, func(t *testing.T) {
			NewWithT(t).Expect(m.Text(test.in)).To(Equal(test.want))
		})
	}
}

func TestHeaderMasks(t *testing.T) {
	g := NewWithT(t)
	masked := evidence.NewMasker().Header(http.Header{
		"Authorization":         {"Bearer " + header + "." + claims + "." + signature, "Basic dXNlcjpwYXNz", "tokenalone"},
		"Cookie":                {"session=s1; theme=dark"},
		"Set-Cookie":            {"session=s1; Path=/; HttpOnly"},
		"X-A2a-User-Delegation": {"Bearer secret"},
		"Content-Type":          {"application/json"},
	})
	g.Expect(masked).To(Equal(http.Header{
		"Authorization":         {"Bearer " + header + "." + claims + "." + evidence.SignatureMasked, "Basic [masked]", "[masked]"},
		"Cookie":                {"session=[masked]; theme=[masked]"},
		"Set-Cookie":            {"session=[masked]; Path=/; HttpOnly"},
		"X-A2a-User-Delegation": {"Bearer [masked]"},
		"Content-Type":          {"application/json"},
	}))
}

func TestRecordMasksEveryField(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker(password))
	x := r.Record(result.Exchange{
		Request:  result.Request{URL: "https://p.example/?q=" + url.QueryEscape(password), Header: http.Header{"X-Gateway": {password}}, Body: password},
		Response: &result.Response{Status: 200, Header: http.Header{"X-Echo": {password}}, Body: password, FinalURL: password},
		Error:    password, Curl: password,
	}, "")
	for _, field := range []string{x.Request.URL, x.Request.Header.Get("X-Gateway"), x.Request.Body, x.Response.Header.Get("X-Echo"), x.Response.Body, x.Response.FinalURL, x.Error, x.Curl} {
		g.Expect(field).To(ContainSubstring(evidence.Masked))
		g.Expect(field).NotTo(ContainSubstring("w&rd"))
	}
}

func TestRecordCountsTurnsAndReplays(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker())
	first, again, none := r.Record(result.Exchange{}, "reply-1"), r.Record(result.Exchange{}, "reply-1"), r.Record(result.Exchange{}, "")
	g.Expect([]bool{first.Turn, first.Replay, again.Turn, again.Replay, none.Turn, none.Replay}).
		To(Equal([]bool{true, false, false, true, false, false}))
	g.Expect([]string{first.ID, again.ID, none.ID}).To(Equal([]string{"x0001", "x0002", "x0003"}))
	g.Expect(r.All()).To(HaveExactElements(first, again, none))
}

func TestRecordCutsLongRequests(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker())
	x := r.Record(result.Exchange{Request: result.Request{Body: strings.Repeat("a", evidence.MaxBody+10)}}, "")
	g.Expect(x.Request.BodyBytes).To(Equal(evidence.MaxBody + 10))
	g.Expect(len(x.Request.Body)).To(BeNumerically("<", evidence.MaxBody+64))
}

func TestSecretsAreLearned(t *testing.T) {
	g := NewWithT(t)
	r := evidence.NewRecorder(evidence.NewMasker())
	answer := r.Record(result.Exchange{Response: &result.Response{
		Body: `{"device_code":"dc_9f3c","user_code":"WDJB-MJHT","verification_uri_complete":"https://b.example/login?return_to=x%3Fuser_code%3DWDJB-MJHT"}`,
	}}, "")
	g.Expect(answer.Response.Body).To(Equal(`{"device_code":"[device_code-1:7]","user_code":"[user_code-2:8]",` +
		`"verification_uri_complete":"https://b.example/login?return_to=x%3Fuser_code%3D[user_code-2:8]"}`))
	poll := r.Record(result.Exchange{Request: result.Request{Body: "grant_type=x&device_code=dc_9f3c"}}, "")
	g.Expect(poll.Request.Body).To(Equal("grant_type=x&device_code=[device_code-1:7]"))
	page := r.Record(result.Exchange{Request: result.Request{URL: "https://b.example/consent/WDJB-MJHT"}}, "")
	g.Expect(page.Request.URL).To(Equal("https://b.example/consent/[user_code-2:8]"))
}

func TestTokensThatDifferInTheirSignatureAloneStayApart(t *testing.T) {
	g := NewWithT(t)
	m := evidence.NewMasker()
	jwe := func(rest string) string {
		return "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0.." + strings.Repeat(rest, 20) + ".tag"
	}
	one, other := m.Text(jwe("ab")), m.Text(jwe("cd"))
	g.Expect(one).NotTo(Equal(other))
	g.Expect(one).To(Equal(m.Text(jwe("ab"))))
	g.Expect(one).To(HaveSuffix(evidence.SignatureMasked))
	g.Expect(one).NotTo(ContainSubstring("abab"))
}
