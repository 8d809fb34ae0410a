package browser

import (
	"context"
	"errors"
	"time"

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

// How long a page must have been still before it counts as settled: a page that offers a User
// something to do at once, one that offers nothing after a while, because it may be about to go on.
const (
	stillKnown   = 150 * time.Millisecond
	stillUnknown = 1500 * time.Millisecond
	// again is the pause between two looks at a page.
	again = 40 * time.Millisecond
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
			if t.target != nil {
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

// foremost is the document that the User would turn to; nil when nothing is seen. A window that was
// opened later lies before the others.
func foremost(seen []*sight) *sight {
	var best *sight
	for _, v := range seen {
		if best == nil || rank[v.kind] > rank[best.kind] || rank[v.kind] == rank[best.kind] && v.main() && (!best.main() || v.tab != best.tab) {
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
		if t.target == nil {
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
// It fails when ctx ends.
func (s *Session) await(ctx context.Context, ready func(v *sight, still time.Duration) bool) (*sight, error) {
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		seen, err := s.see(ctx)
		if err != nil {
			return nil, err
		}
		if v := foremost(seen); v != nil {
			// A page that its own scripts change is as busy as one that loads.
			now := string(v.loader) + v.Text + v.considered()
			s.mu.Lock()
			if now != s.saw {
				s.saw = now
				s.stir()
			}
			s.mu.Unlock()
			if v.Ready != "loading" && ready(v, s.still()) {
				return v, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.ctx.Done():
			return nil, s.ctx.Err()
		case <-tick.C:
		}
		if s.hasCrashed() {
			return nil, &Error{Kind: Crashed, Saw: "the page's process ended"}
		}
	}
}

func (s *Session) hasCrashed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.crashed
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
