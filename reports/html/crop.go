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
	part = filled(picture)
	if part.Empty() {
		return whole, whole, true
	}
	part = part.Inset(-margin)
	if missing := narrowest - part.Dx(); missing > 0 {
		part.Min.X, part.Max.X = part.Min.X-missing/2, part.Max.X+missing/2
	}
	return whole, part.Intersect(whole), true
}

// grain is how far apart the pixels are that are looked at: no letter is smaller.
const grain = 4

// filled is what of a picture does not look like its corner; it is empty where all does. It looks from
// the edges inwards, so that it need not look at all of it.
func filled(picture image.Image) image.Rectangle {
	part := picture.Bounds()
	background := picture.At(part.Min.X, part.Min.Y)
	blank := func(area image.Rectangle) bool {
		for y := area.Min.Y; y < area.Max.Y; y += grain {
			for x := area.Min.X; x < area.Max.X; x += grain {
				if differs(picture.At(x, y), background) {
					return false
				}
			}
		}
		return true
	}
	shrink := func(edge *int, by int, strip func() image.Rectangle) {
		for !part.Empty() && blank(strip()) {
			*edge += by
		}
	}
	shrink(&part.Min.Y, grain, func() image.Rectangle { return image.Rect(part.Min.X, part.Min.Y, part.Max.X, part.Min.Y+1) })
	shrink(&part.Max.Y, -grain, func() image.Rectangle { return image.Rect(part.Min.X, part.Max.Y-1, part.Max.X, part.Max.Y) })
	shrink(&part.Min.X, grain, func() image.Rectangle { return image.Rect(part.Min.X, part.Min.Y, part.Min.X+1, part.Max.Y) })
	shrink(&part.Max.X, -grain, func() image.Rectangle { return image.Rect(part.Max.X-1, part.Min.Y, part.Max.X, part.Max.Y) })
	return part
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
