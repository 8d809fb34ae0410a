package html

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/view"
)

// picture is a PNG. It stands in the page once, however many steps show it and however often it is seen.
type picture struct {
	ID            string
	Width, Height int
	// Part is the view of it that shows where there is little room, Whole all of it.
	Part, Whole string
	// Source is the attribute that holds the PNG itself.
	Source template.HTMLAttr
}

// shot is the picture of one step. A small one opens a large one, which has the id Large.
type shot struct {
	*picture
	Large string
	// Alt says what is to be seen.
	Alt              string
	Name, Of, When   string
	Caption          string
	Title, URL, Text string
	File             string
}

// album holds the pictures of a run.
type album struct {
	Pictures []*picture
	Shots    []*shot

	steps view.Steps
	of    map[*result.Step]*shot
}

// mostPictures is how many bytes of pictures the page takes; of the others it names the file.
const mostPictures = 16 << 20

func newAlbum(run *result.Run, names names, most int) *album {
	a := &album{steps: view.StepsOf(run), of: map[*result.Step]*shot{}}
	known, size := map[[sha256.Size]byte]*picture{}, 0
	add := func(owner string, steps []result.Step) {
		for i := range steps {
			step := &steps[i]
			data := run.Pictures[step.Picture]
			sum := sha256.Sum256(data)
			shown := known[sum]
			if shown == nil && size+len(data) <= most {
				if shown = pictureOf(data, len(a.Pictures)+1); shown != nil {
					known[sum], size = shown, size+len(data)
					a.Pictures = append(a.Pictures, shown)
				}
			}
			if shown == nil {
				continue
			}
			s := shotOf(step, shown, owner, len(a.Shots)+1, names)
			a.Shots = append(a.Shots, s)
			a.of[step] = s
		}
	}
	for i := range run.Journeys {
		add(run.Journeys[i].Name, run.Journeys[i].Steps)
	}
	for i := range run.Requirements {
		for j := range run.Requirements[i].Cases {
			c := &run.Requirements[i].Cases[j]
			add(c.Name, c.Steps)
		}
	}
	return a
}

// pictureOf is nil where the bytes are no PNG.
func pictureOf(data []byte, number int) *picture {
	whole, part, ok := content(data)
	if !ok {
		return nil
	}
	return &picture{
		ID: fmt.Sprintf("png-%d", number), Width: whole.Dx(), Height: whole.Dy(), Part: viewBox(part), Whole: viewBox(whole),
		Source: template.HTMLAttr(`href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(data) + `"`),
	}
}

func viewBox(r image.Rectangle) string {
	return fmt.Sprintf("%d %d %d %d", r.Min.X, r.Min.Y, r.Dx(), r.Dy())
}

// How much of a page's text stands in place of its picture, and beside it, and of a step's name below a
// small picture, in characters.
const (
	longestThumb   = 40
	longestAlt     = 160
	longestCaption = 1500
)

func shotOf(step *result.Step, of *picture, owner string, number int, names names) *shot {
	s := &shot{
		picture: of, Large: fmt.Sprintf("shot-%d", number),
		Name: view.Clip(view.Line(step.Name), longestName), Of: view.Line(owner), When: view.Seconds(step.At) + " after the start",
		Title: view.Clip(view.Line(step.Title), longestName), URL: view.Clip(names.path(step.URL), 3*longestURL), Text: lines(step.Text, longestCaption), File: "screenshots/" + view.Line(step.Picture),
	}
	s.Caption = view.Clip(s.Name, longestThumb)
	s.Alt = "A page without a title"
	if s.Title != "" {
		s.Alt = "The page “" + s.Title + "”"
	}
	if shows := view.Clip(view.Line(step.Text), longestAlt); shows != "" {
		s.Alt += ": " + shows
	}
	return s
}

// lines is text without empty lines, cut after so many characters.
func lines(text string, longest int) string {
	var kept []string
	for line := range strings.SplitSeq(view.Visible(text), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return view.Clip(strings.Join(kept, "\n"), longest)
}

// showing is the picture of the page that an exchange brought; nil where there is none.
func (a *album) showing(e *result.Exchange) *shot { return a.of[a.steps.Showing(e)] }

// owned are the pictures of a journey or case.
func (a *album) owned(owner string) []*shot {
	var all []*shot
	for _, step := range a.steps.Of(owner) {
		if s := a.of[step]; s != nil {
			all = append(all, s)
		}
	}
	return all
}

// distinct are the shots whose picture is not among the seen, up to a number; they are then. It also
// says how many more there are.
func distinct(seen map[*picture]bool, shots []*shot, most int) (shown []*shot, more int) {
	for _, s := range shots {
		switch {
		case s == nil || seen[s.picture]:
		case len(shown) == most:
			more++
		default:
			seen[s.picture] = true
			shown = append(shown, s)
		}
	}
	return shown, more
}
