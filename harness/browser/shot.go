package browser

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Sink takes the steps of sessions. It is called by many sessions at once and must not wait long.
type Sink interface {
	Step(Step)
}

// Step is one moment of a session, for a report. It holds no secrets: texts are masked, and in the
// picture password fields, one-time codes and the session's secrets are black.
type Step struct {
	// Session is the session's name, Name the step's.
	Session, Name    string
	Time             time.Time
	URL, Title, Text string
	// PNG is the visible part of the page; empty when no picture could be taken without showing
	// what is secret, or when the page does not answer.
	PNG []byte
}

// shotTime bounds the taking of a picture, glance a look at a page that may not answer.
const (
	shotTime = 10 * time.Second
	glance   = 2 * time.Second
)

// shootPage takes a step with a picture of the page as it is now, as far as ctx allows.
func (s *Session) shootPage(ctx context.Context, name string, p *Page) {
	sink := s.options.Sink
	if sink == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, shotTime)
	defer cancel()
	step := Step{Session: s.options.Name, Name: name, Time: time.Now(), PNG: s.picture(ctx, p.sight.tab)}
	step.URL, step.Title, step.Text = p.URL, p.Title, p.Text
	sink.Step(step)
}

// shoot takes a step of whatever the session shows, which may be nothing.
func (s *Session) shoot(ctx context.Context, name string) {
	sink := s.options.Sink
	if sink == nil {
		return
	}
	glancing, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	seen, err := s.see(glancing)
	if v := s.foremost(seen); err == nil && v != nil {
		s.shootPage(ctx, name, s.pageOf(v))
		return
	}
	step := Step{Session: s.options.Name, Name: name, Time: time.Now()}
	if err == nil && s.main != nil {
		step.PNG = s.picture(ctx, s.main) // Chromium's own page about the trouble
	}
	sink.Step(step)
}

// picture is the visible part of a tab's page with everything secret black; nil when that cannot be
// had. A page that changes under the camera is tried again, for a glance.
func (s *Session) picture(ctx context.Context, of *tab) []byte {
	if of.frameOnly {
		of = s.main
	}
	tick := time.NewTicker(again)
	defer tick.Stop()
	for began := time.Now(); ; <-tick.C {
		covered, whole := s.cover(ctx)
		var png []byte
		if whole {
			fast := true
			shot, err := cdp.Call(ctx, of.target, page.CaptureScreenshot, page.CaptureScreenshotParams{OptimizeForSpeed: &fast})
			if err == nil {
				png = shot.Data
			}
		}
		if s.uncover(ctx, covered) && whole && png != nil {
			return png
		}
		if ctx.Err() != nil || time.Since(began) > glance {
			return nil
		}
	}
}

// place is one document of the session.
type place struct {
	tab   *tab
	frame cdp.FrameID
}

// documents are the documents that there are, each with its loader; whole is false when one of them
// cannot be reached by scripts, so that it could show anything.
func (s *Session) documents() (all map[place]cdp.LoaderID, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, whole = map[place]cdp.LoaderID{}, true
	for _, t := range s.tabs {
		for frame, doc := range t.frames {
			_, reached := t.worlds[frame]
			if !reached && originOf(doc.url) != "" && doc.unreachable == "" && !s.elsewhere(t, frame) {
				whole = false
			}
			if reached {
				all[place{t, frame}] = doc.loader
			}
		}
	}
	return all, whole
}

// elsewhere reports whether a frame of one tab is drawn by another, in a process of its own. The
// session's mutex is held.
func (s *Session) elsewhere(t *tab, frame cdp.FrameID) bool {
	for _, other := range s.tabs {
		if other != t && string(other.id) == string(frame) {
			return true
		}
	}
	return false
}

// cover blacks out what is secret in every document.
func (s *Session) cover(ctx context.Context) (covered map[place]cdp.LoaderID, whole bool) {
	covered, whole = s.documents()
	for p := range covered {
		if err := p.tab.run(ctx, p.frame, "pactCover.cover("+jsValue(s.hiddenTexts())+")", nil); err != nil {
			whole = false
		}
	}
	return covered, whole
}

// uncover takes the black away and reports whether it lay over all that is secret the whole time.
func (s *Session) uncover(ctx context.Context, covered map[place]cdp.LoaderID) bool {
	now, whole := s.documents()
	whole = whole && maps.Equal(now, covered)
	for p := range covered {
		var kept bool
		if err := p.tab.run(ctx, p.frame, fmt.Sprintf("pactCover.uncover(%s)", jsValue(s.hiddenTexts())), &kept); err != nil || !kept {
			whole = false
		}
	}
	return whole
}

// hiddenTexts are the texts that must be black in a picture.
func (s *Session) hiddenTexts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.secrets...)
}
