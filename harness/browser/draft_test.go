package browser

import (
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
)

func drafted(contentType, body string) Draft {
	return Draft{Method: "POST", URL: "https://p.example/d?x=1", Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)}
}

const (
	formType = "application/x-www-form-urlencoded"
	jsonType = "application/json; charset=utf-8"
)

// A scope goes into a body in the way in which the body has scopes.
func TestAddScope(t *testing.T) {
	known := []Scope{{"a:r", ""}, {"b:w", ""}}
	for name, c := range map[string]struct{ media, body, want string }{
		"boxes of one name":  {formType, "c=1&scope=a%3Ar&scope=b%3Aw&ok=1", "c=1&scope=a%3Ar&scope=b%3Aw&scope=z%3Az&ok=1"},
		"a list with blanks": {formType, "scope=a%3Ar+b%3Aw", "scope=a%3Ar+b%3Aw+z%3Az"},
		"a list with commas": {formType, "scope=a%3Ar%2Cb%3Aw", "scope=a%3Ar%2Cb%3Aw%2Cz%3Az"},
		"names":              {formType, "s%5Ba%3Ar%5D=on&go=1", "s%5Ba%3Ar%5D=on&s%5Bz%3Az%5D=on&go=1"},
		"a JSON list":        {jsonType, `{"x":1,"scopes":["a:r","b:w"]}`, `{"x":1,"scopes":["a:r","b:w","z:z"]}`},
		"a JSON text":        {jsonType, `{"scope":"a:r b:w","y":null}`, `{"scope":"a:r b:w z:z","y":null}`},
		"JSON members":       {jsonType, `{"grants":{"a:r":true,"b:w":false}}`, `{"grants":{"a:r":true,"b:w":false,"z:z":true}}`},
		"JSON objects":       {"text/plain", `[{"id":"a:r","on":true,"n":1.50}]`, `[{"id":"a:r","on":true,"n":1.50},{"id":"z:z","on":true,"n":1.50}]`},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			before := drafted(c.media, c.body)
			forged, err := before.AddScope(known, "z:z")
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(string(forged.Body)).To(Equal(c.want))
			g.Expect(string(before.Body)).To(Equal(c.body), "the draft itself is untouched")
		})
	}
	for name, body := range map[string]string{"no scopes": "decision=1", "a longer id": "scope=a%3Arx", "nothing": ""} {
		t.Run(name, func(t *testing.T) {
			_, err := drafted(formType, body).AddScope(known, "z:z")
			NewWithT(t).Expect(KindOf(err)).To(Equal(NotForged))
		})
	}
}

// Fields are read and changed in place, in every encoding.
func TestFieldsAreChanged(t *testing.T) {
	g := NewWithT(t)
	form := drafted(formType, "a=1&b=x+y&a=2&token=t")
	g.Expect(form.Fields()).To(Equal([]Field{{"a", "1"}, {"b", "x y"}, {"a", "2"}, {"token", "t"}}))
	g.Expect(string(form.With("b", "&").Body)).To(Equal("a=1&b=%26&a=2&token=t"))
	g.Expect(string(form.With("new", "n").Body)).To(Equal("a=1&b=x+y&a=2&token=t&new=n"))
	g.Expect(string(form.Without("a").Body)).To(Equal("b=x+y&token=t"))

	object := drafted(jsonType, `{"z":{"y":[true,"s"]},"a":1e2}`)
	g.Expect(object.Fields()).To(Equal([]Field{{"z.y.0", "true"}, {"z.y.1", "s"}, {"a", "1e2"}}))
	g.Expect(string(object.With("z.y.1", "t").Body)).To(Equal(`{"z":{"y":[true,"t"]},"a":1e2}`))
	g.Expect(string(object.Without("z.y.0").Body)).To(Equal(`{"z":{"y":["s"]},"a":1e2}`))
	g.Expect(object.String()).To(Equal("POST https://p.example/d (30 bytes)"))

	g.Expect(drafted("text/plain", "free text").Fields()).To(BeEmpty())
	parts := drafted("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\nv\r\n--b--\r\n").With("k", "w")
	g.Expect(parts.Fields()).To(Equal([]Field{{"k", "w"}}))
}

// What a session gave out is taken away, what the decision says stays.
func TestBare(t *testing.T) {
	g := NewWithT(t)
	d := drafted(formType, "user_code=WDJB-MJHT&_csrf=abc&tx=K7sd8fJ2kd92kfKS82kd&scope=orders%3Aread&decision=approve&state=1&device=WDJB-MJHT")
	d.Header.Set("X-Csrf", "abc")
	g.Expect(string(d.Bare("WDJB-MJHT").Body)).To(Equal("user_code=WDJB-MJHT&scope=orders%3Aread&decision=approve&device=WDJB-MJHT"))
	g.Expect(d.Bare("WDJB-MJHT").Header).To(Equal(http.Header{"Content-Type": {formType}}))
	j := drafted(jsonType, `{"code":"WDJB-MJHT","csrfToken":"q","ok":true}`)
	g.Expect(string(j.Bare("WDJB-MJHT").Body)).To(Equal(`{"code":"WDJB-MJHT","ok":true}`))
}

// The assertion is told from the other fields of the request that brings it.
func TestAssertionIsFound(t *testing.T) {
	const link = "https://b.example/login?return_to=https%3A%2F%2Fp.example%2Fr%3Fuser_code%3DWDJB-MJHT"
	for name, c := range map[string]struct{ body, want string }{
		"by its name":      {"user_code=WDJB-MJHT&state=0a1b2c3d4e5f60718293a4b5c6d7e8f9&assertion=short-one", "assertion"},
		"by its shape":     {"user_code=WDJB-MJHT&t=eyJhbGciOiJF.eyJzdWIiOiIx.c2lnbmF0dXJl&relay=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "t"},
		"by its length":    {"state=0a1b2c3d4e5f60718293&payload=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "payload"},
		"the only new one": {"user_code=WDJB-MJHT&x=q-w-e-r-t-y", "x"},
		"none in the link": {"user_code=WDJB-MJHT&r=https%3A%2F%2Fp.example%2Fr", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f, ok := drafted(formType, c.body).Assertion(link)
			NewWithT(t).Expect(f.Name).To(Equal(c.want))
			NewWithT(t).Expect(ok).To(Equal(c.want != ""))
		})
	}
	g := NewWithT(t)
	g.Expect(Altered("abcde.12345.-")).To(Equal([]string{"abpde.12345.-", "abcde.12845.-", "abcde.12345.A"}))
	g.Expect(Altered("WXYZ")).To(Equal([]string{"WXLZ"}))
}
