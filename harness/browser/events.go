package browser

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// on takes an event of Chromium as a whole, of any session. It runs in the order of events and must
// not wait.
func (s *Session) on(ev any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch ev := ev.(type) {
	case *target.EventTargetCreated:
		info := ev.TargetInfo
		if info.BrowserContextID == s.context && info.Type == "page" && info.OpenerID != "" && info.Subtype == "" {
			s.onTarget(info)
		}
	case *target.EventTargetDestroyed:
		s.onGone(ev.TargetID)
	case *target.EventTargetCrashed:
		if slices.ContainsFunc(s.tabs, func(t *tab) bool { return t.id == ev.TargetID }) {
			s.crash()
		}
	case *browser.EventDownloadWillBegin:
		for _, t := range s.tabs {
			if _, own := t.frames[ev.FrameID]; own {
				s.downloads = append(s.downloads, ev.SuggestedFilename)
				s.stir()
				return
			}
		}
	}
}

// crash ends the session because a process of its pages ended. The session's mutex is held.
func (s *Session) crash() {
	s.crashed = true
	s.cancel()
}

// maxDialogs is how many dialogs are told of; a page may open them without end.
const maxDialogs = 20

// onDialog answers a dialog as a User does who means to go on: yes. The session's mutex is held.
func (s *Session) onDialog(t *tab, ev *page.EventJavascriptDialogOpening) {
	if len(s.dialogs) < maxDialogs {
		s.dialogs = append(s.dialogs, fmt.Sprintf("%s %q", ev.Type, excerpt(ev.Message, 120)))
	}
	s.stir()
	s.background(func(ctx context.Context) {
		if target := t.joined(); target != nil {
			_, _ = cdp.Call(ctx, target, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true, PromptText: ev.DefaultPrompt})
		}
	})
}

// joinTime bounds how long a window that opens keeps the session waiting before it is left alone.
const joinTime = 15 * time.Second

// onTarget joins a window that the page opened, or a frame in a process of its own. The session's
// mutex is held.
func (s *Session) onTarget(info *target.Info) {
	if slices.ContainsFunc(s.tabs, func(t *tab) bool { return t.id == info.TargetID }) {
		return
	}
	t := newTab(s, info.TargetID, info.Type == "iframe")
	s.tabs = append(s.tabs, t)
	t.asked = s.prompted
	if !t.frameOnly {
		s.windows, s.news = append(s.windows, info.URL), append(s.news, t)
	}
	s.stir()
	s.background(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, joinTime)
		defer cancel()
		if err := t.attach(ctx); err != nil {
			s.mu.Lock()
			s.onGone(t.id)
			s.mu.Unlock()
		}
	})
}

// onGone forgets a target that was closed. The session's mutex is held.
func (s *Session) onGone(id target.ID) {
	for i, t := range s.tabs {
		if t.id == id && t != s.main {
			t.gone = true
			s.tabs = slices.Delete(s.tabs, i, i+1)
			s.forsake(func(r *record) bool { return r.tab == t })
			s.stir()
			if t.cancel != nil {
				s.background(func(context.Context) { t.cancel() })
			}
			return
		}
	}
}

// forsake ends requests of which nothing more will be heard. The session's mutex is held.
func (s *Session) forsake(which func(*record) bool) {
	for id, r := range s.active {
		if which(r) {
			s.onEnd(id, "")
		}
	}
}
