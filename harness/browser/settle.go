package browser

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/cdp"
)

// sight is one document of the session as it was read.
type sight struct {
	look
	tab   *tab
	frame cdp.FrameID
	// loader names the document: another one in the same frame has another.
	loader cdp.LoaderID
	kind   PageKind
	// unreachable is the URL that this document, an error page of Chromium's own, stands for.
	unreachable string
}

// main reports whether it is the document of a whole page.
func (v *sight) main() bool { return v.Top && !v.tab.frameOnly }

// says is what there is for the User to do and to read, without what ticks by itself: numbers and
// signs that count down or turn.
func (v *sight) says() string {
	return v.considered() + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, v.Text)
}

// asks is what of a page has to be still before the User acts on it. A form to sign in with may stand
// in any bustle.
func (v *sight) asks() string {
	if v.kind == PageLogin || v.kind == PageCode {
		return string(v.loader) + v.considered()
	}
	return string(v.loader) + v.says()
}

// How long a page must have been still before it counts as settled: a page that offers a User
// something to do at once, one that offers nothing after a while, because it may be about to go on.
const (
	stillKnown   = 150 * time.Millisecond
	stillUnknown = 1500 * time.Millisecond
	// again is the pause between two looks at a page where something happens; seldom is that between
	// looks at one where nothing does, since scripts may change a page without anything to be heard.
	again  = 40 * time.Millisecond
	seldom = 200 * time.Millisecond
)

// see reads all documents of the session. A document that changes under the look is left out.
func (s *Session) see(ctx context.Context) ([]*sight, error) {
	type spot struct {
		tab   *tab
		frame cdp.FrameID
		document
	}
	var places []spot
	s.mu.Lock()
	for _, t := range s.tabs {
		for frame := range t.worlds {
			if t.ready {
				places = append(places, spot{t, frame, t.frames[frame]})
			}
		}
	}
	s.mu.Unlock()
	recipe := jsValue(selectors(s.options.Login, s.options.Consent, s.options.Scopes))
	var seen []*sight
	for _, p := range places {
		v := &sight{tab: p.tab, frame: p.frame, loader: p.document.loader, unreachable: p.unreachable}
		switch err := p.tab.run(ctx, p.frame, "pact.look("+recipe+")", &v.look); {
		case errors.Is(err, errGone):
			continue
		case err != nil:
			return nil, err
		}
		v.kind = v.look.kind(s.options.Scopes)
		seen = append(seen, v)
	}
	return seen, nil
}

// rank orders what is seen: what asks the User for something comes before what does not, and a
// consent before all.
var rank = map[PageKind]int{PageConsent: 5, PageLogin: 4, PageCode: 3, PageContinue: 2, PageOther: 1}

// foremost is the document that the User would turn to; nil when nothing is seen. Of equals it is a
// whole page before a frame, and in the window that opened last since the User acted, else in that
// where the User did.
func (s *Session) foremost(seen []*sight) *sight {
	s.mu.Lock()
	defer s.mu.Unlock()
	weigh := func(v *sight) []int {
		weight := []int{rank[v.kind], 0, slices.Index(s.news, v.tab)}
		if v.main() {
			weight[1] = 1
		}
		if v.tab == s.at {
			weight = append(weight, 1)
		}
		return weight
	}
	var best *sight
	for _, v := range seen {
		if best == nil || slices.Compare(weigh(v), weigh(best)) > 0 {
			best = v
		}
	}
	return best
}

// still is how long nothing has happened; zero while the session is busy.
func (s *Session) still() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for _, t := range s.tabs {
		if !t.ready {
			return 0
		}
	}
	for _, r := range s.active {
		if r.counts(now) {
			return 0
		}
	}
	return now.Sub(s.stirred)
}

// await looks at the session until ready accepts what is foremost, given how long it has been still.
// It fails when ctx ends, which is at the latest when the session does.
func (s *Session) await(ctx context.Context, ready func(v *sight, still time.Duration) bool) (*sight, error) {
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		looked := time.Now()
		v, err := s.look(ctx)
		if err != nil {
			return nil, err
		}
		accepted := func() bool { return v != nil && v.Ready != "loading" && ready(v, s.still()) }
		if accepted() {
			return v, nil
		}
		for due := false; !due; due = s.stirredSince(looked) || time.Since(looked) >= seldom || accepted() {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-tick.C:
			}
		}
	}
}

// look reads the session; nil when there is no document. A page that its own scripts change is as
// busy as one that loads.
func (s *Session) look(ctx context.Context) (*sight, error) {
	seen, err := s.see(ctx)
	v := s.foremost(seen)
	if err != nil || v == nil {
		return nil, err
	}
	now := v.asks()
	s.mu.Lock()
	defer s.mu.Unlock()
	if now != s.saw {
		s.saw = now
		s.stir()
	}
	return v, nil
}

func (s *Session) stirredSince(then time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stirred.After(then)
}

// settled accepts a page that a User would act upon, or read as the end.
func settled(v *sight, still time.Duration) bool {
	switch {
	case v.unreachable != "":
		return still >= stillKnown
	case v.kind == PageConsent:
		// Boxes may still be on their way; what is busy besides them does not matter.
		return still >= stillKnown || v.Ready == "complete" && len(v.Boxes) > 0 && still > again
	case v.kind != PageOther:
		return still >= stillKnown
	}
	return still >= stillUnknown && !v.Leaving
}
