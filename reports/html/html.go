// Package html writes report.html: one file that needs nothing else, works without a network and
// without scripts, and shows every requirement with the exchanges behind it.
package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"

	"github.com/pact-conform/pact-conform/harness/result"
)

//go:embed page.html parts.html style.css script.js
var files embed.FS

var (
	style  = mustRead("style.css")
	script = mustRead("script.js")
	pages  = template.Must(template.ParseFS(files, "page.html", "parts.html"))
)

// policy lets the page run its own style and script and nothing else, whatever a Provider's text
// may hold: a second wall behind the escaping.
var policy = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src '" + digest(style) + "'; script-src '" + digest(script) + "'"

// Write writes the run as one HTML document.
func Write(w io.Writer, run *result.Run) error {
	return pages.ExecuteTemplate(w, "page.html", newPage(run))
}

func mustRead(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
