package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Draft is a request to be sent, raw: it holds what a Request masks, and is never printed whole.
// Its methods return changed copies.
type Draft struct {
	Method, URL string
	// Origin is the origin of the document that sends it; the target's own when empty.
	Origin string
	// Header has what a page may set: the body's type and headers of the application, no cookies.
	Header http.Header
	Body   []byte
	// Navigation is set when it loads a document, as a form or a link does, and not set when a
	// script of the page sends it.
	Navigation bool
}

// String names the request without what it carries.
func (d Draft) String() string {
	return fmt.Sprintf("%s %s (%d bytes)", d.Method, withoutQuery(d.URL), len(d.Body))
}

// GoString keeps %#v from printing the body.
func (d Draft) GoString() string { return d.String() }

// Get is a draft of opening a URL.
func Get(link string) Draft { return Draft{Method: http.MethodGet, URL: link, Navigation: true} }

// browserHeaders are those that a browser sets itself, and a page cannot.
var browserHeaders = regexp.MustCompile(`(?i)^(sec-.*|proxy-.*|accept-encoding|accept-language|accept|connection|content-length|cookie|dnt|host|origin|referer|upgrade-insecure-requests|user-agent|cache-control|pragma|priority|te|trailer|transfer-encoding|authorization-proxy|purpose)$`)

// sendable are the headers that a page may set.
func sendable(header http.Header) http.Header {
	kept := http.Header{}
	for name, values := range header {
		if !browserHeaders.MatchString(name) {
			kept[http.CanonicalHeaderKey(name)] = slices.Clone(values)
		}
	}
	return kept
}

// encoding is how the fields of a body are written.
type encoding int

const (
	encodingNone encoding = iota
	encodingForm
	encodingMultipart
	encodingJSON
)

// encoding is told by the type and, where a page names none or a wrong one, by the body itself.
func (d Draft) encoding() encoding {
	media := mediaType(d.Header)
	trimmed := bytes.TrimSpace(d.Body)
	switch {
	case len(trimmed) == 0:
		return encodingNone
	case media == "application/x-www-form-urlencoded":
		return encodingForm
	case media == "multipart/form-data":
		return encodingMultipart
	case strings.HasSuffix(media, "json"), (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid(trimmed):
		return encodingJSON
	}
	return encodingNone
}

// Fields are the members of the body, in order. In JSON they are the strings, numbers and truth
// values, each under its path.
func (d Draft) Fields() []Field {
	switch d.encoding() {
	case encodingForm:
		return parseForm(string(d.Body))
	case encodingMultipart:
		return parseMultipart(d.Header.Get("Content-Type"), d.Body)
	case encodingJSON:
		value, err := parseJSON(d.Body)
		if err == nil {
			return leaves("", value)
		}
	}
	return nil
}

// Field is the first value of that name; empty when there is none.
func (d Draft) Field(name string) string {
	for _, f := range d.Fields() {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// With sets every field of that name to the value, or adds one to a form that has none.
func (d Draft) With(name, value string) Draft {
	if d.encoding() == encodingJSON {
		return d.editJSON(func(path string, old any) any {
			if path == name {
				return value
			}
			return old
		})
	}
	fields, found := d.Fields(), false
	for i := range fields {
		if fields[i].Name == name {
			fields[i].Value, found = value, true
		}
	}
	if !found {
		fields = append(fields, Field{name, value})
	}
	return d.withFields(fields)
}

// Without drops the fields of these names.
func (d Draft) Without(names ...string) Draft {
	if d.encoding() == encodingJSON {
		return d.editJSON(func(path string, old any) any {
			if slices.Contains(names, path) {
				return dropped
			}
			return old
		})
	}
	fields := slices.DeleteFunc(d.Fields(), func(f Field) bool { return slices.Contains(names, f.Name) })
	return d.withFields(fields)
}

// withFields writes a form's fields anew, in the encoding that the body had.
func (d Draft) withFields(fields []Field) Draft {
	d.Header = d.Header.Clone()
	if d.Header == nil {
		d.Header = http.Header{}
	}
	if d.encoding() == encodingMultipart {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for _, f := range fields {
			_ = w.WriteField(f.Name, f.Value) // a buffer takes everything
		}
		_ = w.Close()
		d.Body = body.Bytes()
		d.Header.Set("Content-Type", w.FormDataContentType())
		return d
	}
	var pairs []string
	for _, f := range fields {
		pairs = append(pairs, url.QueryEscape(f.Name)+"="+url.QueryEscape(f.Value))
	}
	d.Body = []byte(strings.Join(pairs, "&"))
	if d.Header.Get("Content-Type") == "" {
		d.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return d
}

func parseForm(body string) []Field {
	var fields []Field
	for pair := range strings.SplitSeq(strings.TrimSpace(body), "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, errName := url.QueryUnescape(name)
		value, errValue := url.QueryUnescape(value)
		if pair != "" && errName == nil && errValue == nil {
			fields = append(fields, Field{name, value})
		}
	}
	return fields
}

func parseMultipart(contentType string, body []byte) []Field {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil
	}
	var fields []Field
	for reader := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		part, err := reader.NextPart()
		if err != nil {
			return fields
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return fields
		}
		fields = append(fields, Field{part.FormName(), string(value)})
	}
}
