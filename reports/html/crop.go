package html

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// margin is what is left around the content of a page, in pixels; narrowest keeps a small content from
// being blown up.
const (
	margin    = 32
	narrowest = 480
)

// content is the part of a picture of a page that is worth a look when there is little room: all but an
// empty margin. It is false where the bytes are no PNG.
func content(data []byte) (whole, part image.Rectangle, ok bool) {
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return whole, part, false
	}
	whole = picture.Bounds()
	background := picture.At(whole.Min.X, whole.Min.Y)
	for y := whole.Min.Y; y < whole.Max.Y; y += 2 {
		for x := whole.Min.X; x < whole.Max.X; x += 2 {
			if differs(picture.At(x, y), background) {
				part = part.Union(image.Rect(x, y, x+2, y+2))
			}
		}
	}
	if part.Empty() {
		return whole, whole, true
	}
	part = part.Inset(-margin)
	if missing := narrowest - part.Dx(); missing > 0 {
		part.Min.X, part.Max.X = part.Min.X-missing/2, part.Max.X+missing/2
	}
	return whole, part.Intersect(whole), true
}

// differs reports whether two colours are further apart than those of a soft background.
func differs(a, b color.Color) bool {
	const far = 0x1800
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return apart(r, r2) > far || apart(g, g2) > far || apart(bl, b2) > far
}

func apart(a, b uint32) uint32 {
	if a > b {
		return a - b
	}
	return b - a
}
