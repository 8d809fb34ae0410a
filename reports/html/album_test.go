package html

import (
	"bytes"
	"html"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
)

// window is the size of a page.
var window = image.Rect(0, 0, 1280, 900)

// drawn is a picture with a black box on white; noise makes it as many bytes as that of a busy page.
func drawn(t *testing.T, size, box image.Rectangle, noise int) []byte {
	t.Helper()
	page := image.NewGray(size)
	for i := range page.Pix {
		page.Pix[i] = 0xff
	}
	random := rand.New(rand.NewPCG(1, uint64(box.Min.X)))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			page.SetGray(x, y, color.Gray{uint8(random.IntN(noise + 1))})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, page); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pictured(t *testing.T, steps int, png func(i int) []byte) *result.Run {
	t.Helper()
	run := sample.Delegated()
	run.Pictures = map[string][]byte{}
	for i := range run.Journeys {
		run.Journeys[i].Steps = nil
	}
	journey := &run.Journeys[0]
	for i := range steps {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26)) + ".png"
		run.Pictures[name] = png(i)
		journey.Steps = append(journey.Steps, result.Step{Session: journey.Name, Name: "step", Picture: name})
	}
	return run
}

func TestEveryPictureStandsInThePageOnce(t *testing.T) {
	g := NewWithT(t)
	run, page := sample.Delegated(), delegatedPage()
	different := map[string]bool{}
	for _, data := range run.Pictures {
		different[string(data)] = true
	}
	g.Expect(len(run.Pictures)).To(BeNumerically(">", len(different)), "some pictures are the same")
	g.Expect(strings.Count(page, "data:image/png")).To(Equal(len(different)))
	defined := map[string]bool{}
	for _, m := range regexp.MustCompile(`<image id="([^"]*)" width="320" height="225" href="`).FindAllStringSubmatch(page, -1) {
		defined[m[1]] = true
	}
	g.Expect(defined).To(HaveLen(len(different)))
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`<use href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		g.Expect(defined).To(HaveKey(m[1]))
		used[m[1]] = true
	}
	g.Expect(slices.Sorted(maps.Keys(used))).To(Equal(slices.Sorted(maps.Keys(defined))), "every picture is shown")
	for _, m := range regexp.MustCompile(`popovertarget="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		g.Expect(strings.Count(page, `id="`+m[1]+`"`)).To(Equal(1))
	}
}

func TestPicturesSayWhatIsToBeSeen(t *testing.T) {
	g := NewWithT(t)
	labels := regexp.MustCompile(`<svg viewBox="[0-9 ]+"[^>]* role="img" aria-label="([^"]*)"><use`).FindAllStringSubmatch(delegatedPage(), -1)
	g.Expect(len(labels)).To(Equal(strings.Count(delegatedPage(), "<use ")))
	said := map[string]bool{}
	for _, l := range labels {
		said[html.UnescapeString(l[1])] = true
	}
	g.Expect(said).To(HaveKey("The page “Sign in · Example Co.”: Example Co. Sign in E-mail Password Sign in Forgot your password?"))
}

func TestARowShowsThePageThatItIsAbout(t *testing.T) {
	g := NewWithT(t)
	failed := part(t, richPage(), "article", "PACT-5.3-31/each")
	g.Expect(failed).To(MatchRegexp(`<dt>Seen</dt><dd class="thumbs"><button type="button" class="thumb" popovertarget="shot-2"><svg [^>]*aria-label="The page “Approve access · Example Co.”: Example Co. https://pa.example.com asks`))
	g.Expect(failed).To(ContainSubstring(`<span class="who User">User</span> GET …/oauth/consent`))
	g.Expect(failed).To(MatchRegexp(`<dt>Journeys</dt><dd class="thumbs"><div class="thumbs"><a href="#journey-a-consent-page">a consent page</a> <button [^>]*popovertarget="shot-1"`))
	denied := part(t, delegatedPage(), "article", "PACT-5.3-19/denied")
	g.Expect(strings.Count(denied, `class="thumb"`)).To(Equal(3), "the journey's pictures stand beside a row that has no page of its own")
	own := part(t, delegatedPage(), "article", "PACT-5.3-27/replayed")
	g.Expect(own).To(ContainSubstring("The User's part, step by step"))
	g.Expect(own).To(ContainSubstring("<b>send POST assertion again</b> Done · Example Co."))
}

func TestARowShowsAPictureOnce(t *testing.T) {
	g := NewWithT(t)
	run := sample.Delegated()
	for i := range run.Requirements {
		if q := &run.Requirements[i]; q.ID == "PACT-5.3-19" {
			q.Cases = append(q.Cases, q.Cases[0])
			q.Cases[1].Name = "PACT-5.3-19/again"
		}
	}
	again := part(t, written(run), "article", "PACT-5.3-19/again")
	g.Expect(again).To(ContainSubstring(`href="#journey-a-denial"`))
	g.Expect(again).NotTo(ContainSubstring(`class="thumb"`))
}

// Fifty pictures of forty kilobytes: what they add is what base64 makes of them, and little more.
func TestThePageStaysSmallWithPictures(t *testing.T) {
	g := NewWithT(t)
	size := 0
	run := pictured(t, 50, func(i int) []byte {
		data := drawn(t, image.Rect(0, 0, 400, 140), image.Rect(i, 10, 320+i, 132), 120)
		size += len(data)
		return data
	})
	g.Expect(size).To(BeNumerically("~", 50*40<<10, 50*8<<10))
	with := len(written(run))
	run.Pictures = nil
	without := len(written(run))
	t.Logf("%d bytes of pictures make a page of %d bytes, which has %d without them", size, with, without)
	g.Expect(with - without).To(BeNumerically("<", size*4/3+50*4000))
}

func TestWhatIsNoPictureIsNotShown(t *testing.T) {
	for name, data := range map[string][]byte{"text": []byte("<script>"), "nothing": nil, "cut": drawn(t, window, image.Rect(0, 0, 9, 9), 0)[:60]} {
		t.Run(name, func(t *testing.T) {
			run := pictured(t, 1, func(int) []byte { return data })
			run.Journeys[0].Steps[0].Text = "what was to be seen"
			run.Journeys[0].Steps[0].Picture += `"><b>`
			page := written(run)
			lacks(t, page, "data:image/png", "<use ", `.png"><b>`)
			holds(t, page, "Its picture is screenshots/aa.png&#34;&gt;&lt;b&gt;.", "what was to be seen</pre>")
		})
	}
}

func TestPicturesBeyondTheLimitAreNamed(t *testing.T) {
	g := NewWithT(t)
	size := 0
	run := pictured(t, 5, func(i int) []byte {
		data := drawn(t, image.Rect(0, 0, 100, 100), image.Rect(10*i, 0, 10*i+10, 10), 0)
		size = len(data)
		return data
	})
	names := newNames(run)
	album := newAlbum(run, names, 3*size+size/2)
	g.Expect(album.Pictures).To(HaveLen(3))
	var notes []string
	for _, m := range (teller{run, names, album}).timeline(run.Journeys[0].Name, 0, run.Journeys[0].Steps, nil) {
		notes = append(notes, m.Note)
	}
	g.Expect(notes).To(Equal([]string{"", "", "", "Its picture is screenshots/da.png.", "Its picture is screenshots/ea.png."}))
}

func TestContentIsWhatIsWorthALook(t *testing.T) {
	for name, c := range map[string]struct{ box, want image.Rectangle }{
		"a card in the middle": {image.Rect(400, 200, 900, 700), image.Rect(368, 168, 932, 732)},
		"a small word":         {image.Rect(600, 400, 640, 420), image.Rect(380, 368, 860, 452)},
		"at the edge":          {image.Rect(0, 500, 40, 900), image.Rect(0, 468, 260, 900)},
		"an empty page":        {image.Rectangle{}, window},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			whole, part, ok := content(drawn(t, window, c.box, 0))
			g.Expect(ok).To(BeTrue())
			g.Expect(whole).To(Equal(window))
			g.Expect(part).To(Equal(c.want))
		})
	}
}
