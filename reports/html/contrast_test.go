package html

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/pact-conform/pact-conform/harness/result"
)

// colours are the style sheet's variables, light and dark.
func colours(t *testing.T) map[string][2]float64 {
	t.Helper()
	found := map[string][2]float64{}
	for _, m := range regexp.MustCompile(`--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`).FindAllStringSubmatch(style, -1) {
		found[m[1]] = [2]float64{luminance(t, m[2]), luminance(t, m[3])}
	}
	return found
}

// luminance is the relative luminance of WCAG 2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	value, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(shift uint) float64 {
		c := float64(value>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

func TestTextHasTheContrastOfWCAGAA(t *testing.T) {
	all := colours(t)
	type pair struct{ text, back string }
	pairs := []pair{{"text", "page"}, {"text", "panel"}, {"muted", "page"}, {"muted", "panel"}, {"link", "page"}, {"link", "panel"}, {"text", "error-back"}, {"muted", "error-back"}, {"link", "error-back"}, {"user", "user-back"}}
	for _, o := range result.Outcomes {
		pairs = append(pairs, pair{string(o), string(o) + "-back"}, pair{string(o), "page"}, pair{string(o), "panel"})
	}
	for _, p := range pairs {
		text, okText := all[p.text]
		back, okBack := all[p.back]
		if !okText || !okBack {
			t.Errorf("the style sheet has no colour for %s on %s", p.text, p.back)
			continue
		}
		for i, mode := range []string{"light", "dark"} {
			light, dark := max(text[i], back[i]), min(text[i], back[i])
			if ratio := (light + 0.05) / (dark + 0.05); ratio < 4.5 {
				t.Errorf("%s on %s has a contrast of %.2f in %s mode", p.text, p.back, ratio, mode)
			}
		}
	}
}
