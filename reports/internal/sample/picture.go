package sample

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

// The tones of a drawn page.
const (
	paper = iota
	ink
	line
	accent
	dark
)

var tones = color.Palette{
	paper:  color.RGBA{0xff, 0xff, 0xff, 0xff},
	ink:    color.RGBA{0x3a, 0x3f, 0x4a, 0xff},
	line:   color.RGBA{0xd9, 0xdd, 0xe4, 0xff},
	accent: color.RGBA{0x1f, 0x6f, 0xd6, 0xff},
	dark:   color.RGBA{0, 0, 0, 0xff},
}

// The size of a drawn page, in pixels: the shape of a browser's window.
const pictureWidth, pictureHeight = 320, 225

// picture draws a page: a heading, lines of text, boxes (ticked ones filled) and as many buttons. A
// secret field is black, as in the pictures of a run.
func picture(lines int, ticked []bool, buttons int, secret bool) []byte {
	page := image.NewPaletted(image.Rect(0, 0, pictureWidth, pictureHeight), tones)
	fill := func(x, y, width, height int, tone uint8) {
		draw.Draw(page, image.Rect(x, y, x+width, y+height), image.NewUniform(tones[tone]), image.Point{}, draw.Src)
	}
	fill(0, 0, pictureWidth, 18, line)
	fill(40, 34, 130, 10, ink)
	y := 58
	for i := range lines {
		fill(40, y, 230-(i%3)*30, 5, line)
		y += 12
	}
	for _, on := range ticked {
		fill(40, y, 10, 10, ink)
		if !on {
			fill(41, y+1, 8, 8, paper)
		}
		fill(58, y+2, 150, 5, ink)
		y += 18
	}
	if secret {
		fill(40, y, 160, 16, line)
		fill(46, y+4, 60, 8, dark)
		y += 24
	}
	for i := range buttons {
		fill(40+i*74, y+6, 64, 18, uint8(accent-i))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, page); err != nil {
		panic(err) // a picture of ours can be written
	}
	return b.Bytes()
}
