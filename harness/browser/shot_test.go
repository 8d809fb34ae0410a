package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
)

// What is secret is black in the picture and nowhere else, and untouched in the page before and after.
func TestPicturesHideWhatIsSecret(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	const code = "WDJB-MJHT"
	place := func(top int) string {
		return fmt.Sprintf("position:absolute;left:100px;top:%dpx;width:300px;height:40px;background:#0f0;color:#0f0;border:0;padding:0;margin:0;font:20px monospace", top)
	}
	inner := serve(t, map[string]http.HandlerFunc{"/": text(`<title>in</title><body style="margin:0;background:#0f0"><p style="margin:0;color:#0f0;font:20px monospace">` + code + `</p>`)})
	web := serve(t, map[string]http.HandlerFunc{"/": text(`<title>Secrets</title><body style="background:#fff"><dialog id=d style="` + place(100) + `;max-width:none">` + code + `</dialog>
		<input type=password value="hunter2 hunter2" style="` + place(200) + `">
		<div style="` + place(300) + `"><b>WDJB</b> <i>M</i>JHT</div>
		<input value="` + code + `" style="` + place(400) + `">
		<div style="` + place(500) + `">nothing hidden</div>
		<iframe src="` + inner.URL + `" style="` + place(600) + `"></iframe>
		<script>d.showModal(); window.changes = 0; new MutationObserver(() => changes++).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true})</script>`)})
	s := openWith(t, shared, SessionOptions{Secrets: []string{code}, Sink: album})
	p, err := s.Open(t.Context(), web.URL)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.Text).To(ContainSubstring("[masked]"))
	g.Expect(p.Text).NotTo(ContainSubstring("WDJB-MJHT"))

	before := p.sight.Text
	s.shootPage(t.Context(), "secrets", p)
	steps := album.of(t.Name())
	step := steps[len(steps)-1]
	g.Expect(step.Name).To(Equal("secrets"))
	g.Expect(step.Title).To(Equal("Secrets"))
	picture, err := png.Decode(bytes.NewReader(step.PNG))
	g.Expect(err).NotTo(HaveOccurred())
	for top, black := range map[int]bool{100: true, 200: true, 300: true, 400: true, 500: false, 600: true} {
		g.Expect(dark(picture, top)).To(Equal(black), "at %d", top)
	}
	after, err := s.Page(t.Context())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(after.sight.Text).To(Equal(before))
	var changes int
	g.Expect(s.main.run(t.Context(), p.sight.frame, "document.querySelectorAll('[popover]').length", &changes)).To(Succeed())
	g.Expect(changes).To(BeZero(), "nothing of the black is left")
}

// dark reports whether the text at the left of a place is under black: the letters have the colour of
// their ground, so that nothing else there is.
func dark(picture image.Image, top int) bool {
	for x := 110; x < 140; x += 5 {
		for y := top + 6; y < top+14; y += 4 {
			if r, g, b, _ := picture.At(x, y).RGBA(); r|g|b != 0 {
				return false
			}
		}
	}
	return true
}

// Nothing is shown while a page changes faster than it can be covered.
func TestNoPictureOfWhatCannotBeCovered(t *testing.T) {
	t.Parallel()
	g := gomega(t)
	web := serve(t, map[string]http.HandlerFunc{"/": text(`<title>Restless</title><p id=p>WDJB-MJHT</p>
		<script>let n = 0; setInterval(() => { p.style.marginLeft = (++n % 400) + 'px'; }, 1)</script>`)})
	s := openWith(t, shared, SessionOptions{Secrets: []string{"WDJB-MJHT"}, Sink: album})
	p, err := s.Open(t.Context(), web.URL)
	g.Expect(err).NotTo(HaveOccurred())
	s.shootPage(t.Context(), "restless", p)
	steps := album.of(t.Name())
	g.Expect(steps[len(steps)-1].PNG).To(BeEmpty())
	g.Expect(steps[len(steps)-1].Title).To(Equal("Restless"))
}
