package browser

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// Every request is there with method, origin, fields and answer, and no secret in any of them.
func TestRequestsAreRecordedAndMasked(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := newSite(t, design{login: "scripted", consent: "french"})
	b := New(Options{Chromium: shared.options.Chromium, Mask: func(s string) string { return strings.ReplaceAll(s, "Acme", "[brand]") }})
	t.Cleanup(func() { g.Expect(b.Close()).To(Succeed()) })
	code, link := web.ask(readScope)
	s := openWith(t, b, SessionOptions{Scopes: []Scope{readScope}, Secrets: []string{code}})
	c := reach(t, s, link)
	g.Expect(c.Holds(testBrand)).To(BeTrue(), "what is compared is not masked")
	g.Expect(c.Text).To(ContainSubstring("[brand]"), "what is shown is")
	g.Expect(c.URL).To(HaveSuffix("user_code=[masked]"))
	g.Expect(c.Link()).To(HaveSuffix("user_code=" + code))
	o, err := s.Decide(t.Context(), ApproveAll())
	g.Expect(err).NotTo(HaveOccurred())

	g.Expect(o.Request.Type).To(Equal("Fetch"))
	g.Expect(o.Request.MediaType).To(Equal("application/json"))
	g.Expect(o.Request.Fields).To(Equal([]Field{{"userCode", "[masked]"}, {"decision", "approved"}, {"scopes.0", readScope.ID}}))
	requests := s.Requests()
	for _, want := range []struct {
		method, path, kind, from string
		status                   int
	}{
		{http.MethodGet, "/login", "Document", "", 200},
		{http.MethodPost, "/api/login", "Fetch", web.brand.URL, 200},
		{http.MethodGet, "/back", "Document", web.brand.URL, 200},
		{http.MethodPost, "/return", "Document", web.brand.URL, 303},
		{http.MethodGet, "/consent", "Document", web.brand.URL, 200},
		{http.MethodPost, "/api/decision", "Fetch", web.provider.URL, 200},
	} {
		var found *Request
		for i, r := range requests {
			if r.Method == want.method && strings.HasSuffix(withoutQuery(r.URL), want.path) {
				found = &requests[i]
			}
		}
		g.Expect(found).NotTo(BeNil(), "%s %s", want.method, want.path)
		g.Expect(found.Type).To(Equal(want.kind), want.path)
		g.Expect(found.From).To(Equal(want.from), want.path)
		g.Expect(found.Status).To(Equal(want.status), want.path)
		g.Expect(found.Redirected).To(Equal(want.path == "/consent"))
	}
	x := o.Request.Exchange()
	g.Expect(x.Request.Method).To(Equal(http.MethodPost))
	g.Expect(x.Response.MediaType()).To(Equal("application/json"))
	g.Expect(x.Request.Body).To(Equal(o.Request.Body))
	text, err := json.Marshal(requests)
	g.Expect(err).NotTo(HaveOccurred())
	password, err := json.Marshal(testPassword)
	g.Expect(err).NotTo(HaveOccurred())
	for _, secret := range []string{code, strings.Trim(string(password), `"`)} {
		g.Expect(string(text)).NotTo(ContainSubstring(secret))
	}
}
