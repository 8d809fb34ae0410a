package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// SessionOptions are how one session is played.
type SessionOptions struct {
	// Name names the session in its steps, after the journey it serves.
	Name string
	// Scopes are what will be asked for; Expect changes them later.
	Scopes []Scope
	// Login and Consent override what is otherwise found.
	Login   LoginRecipe
	Consent ConsentRecipe
	// Secrets are texts to be masked and blacked out, user codes for instance; see AddSecret.
	Secrets []string
	// Sink takes the steps with their pictures; nil for none, and then no picture is taken.
	Sink Sink
}

// Session is one User's browser: cookies of its own, one page with what it opens, every request
// recorded. It lives until Close and may be used again and again, by one goroutine at a time;
// several sessions run side by side.
type Session struct {
	browser *Browser
	options SessionOptions
	main    *tab

	ctx    context.Context // ends with the session
	cancel func()
	tasks  sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	tabs      []*tab
	records   []*record
	dialogs   []string
	windows   []string
	downloads []string
	crashed   bool
	stirred   time.Time
	// active are the requests without an end yet, unrecorded those that are held before they are recorded.
	active     map[network.RequestID]*record
	unrecorded map[network.RequestID]*pausedRequest
	saw        string // what was foremost at the last look
	secrets    []string
	rules      []*rule
	// link was opened last; signedAt counts the requests before the login was sent, or the link
	// opened; password is the one that was typed.
	link     string
	signedAt int
	password string
}

// NewSession opens a fresh browser context, starting Chromium if need be.
func (b *Browser) NewSession(ctx context.Context, options SessionOptions) (*Session, error) {
	running, err := b.start(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.options.StartTimeout)
	defer cancel()
	s := &Session{browser: b, options: options, stirred: time.Now(), active: map[network.RequestID]*record{}, unrecorded: map[network.RequestID]*pausedRequest{}}
	s.ctx, s.cancel = context.WithCancel(running.ctx)
	for _, secret := range options.Secrets {
		s.AddSecret(secret)
	}
	s.main = newTab(s, "", false)
	s.tabs = []*tab{s.main}
	err = s.main.attach(ctx, s.ctx, chromedp.WithNewBrowserContext())
	if err == nil {
		err = s.refuseDownloads(ctx)
	}
	if err != nil {
		_ = s.Close()
		return nil, s.trouble("open a session", NotStarted, "", err)
	}
	return s, nil
}

// refuseDownloads keeps files that a page would store from being stored, and notes their names.
func (s *Session) refuseDownloads(ctx context.Context) error {
	chromedp.ListenBrowser(s.main.ctx, func(ev any) {
		begins, is := ev.(*browser.EventDownloadWillBegin)
		if !is {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, t := range s.tabs {
			if _, own := t.frames[begins.FrameID]; own {
				s.downloads = append(s.downloads, begins.SuggestedFilename)
				s.stir()
				return
			}
		}
	})
	c, report := chromedp.FromContext(s.main.ctx), true
	_, err := cdp.Call(ctx, c.Browser, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: c.BrowserContextID, EventsEnabled: &report,
	})
	return err
}

// Close ends the session: its pages are closed and its cookies are gone. What it recorded stays
// readable. It may be called more than once.
func (s *Session) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	if s.main.cancel != nil {
		s.main.cancel() // waits until the page is closed
	}
	s.tasks.Wait()
	return nil
}

// Expect says which scopes the next consent page is asked about.
func (s *Session) Expect(scopes ...Scope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.options.Scopes = scopes
}

// AddSecret adds a text that is masked in whatever leaves the session and blacked out in its pictures.
func (s *Session) AddSecret(text string) {
	if len(text) < 4 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.secrets, text) {
		s.secrets = append(s.secrets, text)
		slices.SortFunc(s.secrets, func(a, b string) int { return len(b) - len(a) })
	}
}

// masked stands where a secret of the session stood.
const masked = "[masked]"

// mask takes secrets out of a text: the session's own, then those of the run.
func (s *Session) mask(text string) string {
	s.mu.Lock()
	for _, secret := range s.secrets {
		for _, form := range formsOf(secret) {
			text = strings.ReplaceAll(text, form, masked)
		}
	}
	s.mu.Unlock()
	return s.browser.options.Mask(text)
}

// background runs a task that ends with the session. The session's mutex is held.
func (s *Session) background(task func(ctx context.Context)) {
	if !s.closed {
		s.tasks.Go(func() { task(s.ctx) })
	}
}

// stir notes that something happened. The session's mutex is held.
func (s *Session) stir() { s.stirred = time.Now() }

// touch notes that the User did something.
func (s *Session) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stir()
}

// onDialog answers a dialog as a User does who means to go on: yes. The session's mutex is held.
func (s *Session) onDialog(t *tab, ev *page.EventJavascriptDialogOpening) {
	s.dialogs = append(s.dialogs, fmt.Sprintf("%s %q", ev.Type, excerpt(ev.Message, 120)))
	s.stir()
	s.background(func(ctx context.Context) {
		if target := t.joined(); target != nil {
			_, _ = cdp.Call(ctx, target, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true, PromptText: ev.DefaultPrompt})
		}
	})
}

// onTarget joins a window that the page opened, or a frame in a process of its own. The session's
// mutex is held.
func (s *Session) onTarget(info *target.Info) {
	if s.main.ctx == nil || info.BrowserContextID != chromedp.FromContext(s.main.ctx).BrowserContextID {
		return
	}
	if slices.ContainsFunc(s.tabs, func(t *tab) bool { return t.id == info.TargetID }) {
		return
	}
	t := newTab(s, info.TargetID, info.Type == "iframe")
	s.tabs = append(s.tabs, t)
	if !t.frameOnly {
		s.windows = append(s.windows, info.URL)
	}
	s.stir()
	s.background(func(ctx context.Context) {
		if err := t.attach(ctx, s.main.ctx, chromedp.WithTargetID(info.TargetID), chromedp.WithDetachOnCancel()); err != nil {
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

// step bounds what a public method does, turns its error into one of this package and takes a
// picture of trouble.
func (s *Session) step(ctx context.Context, name string, do func(ctx context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, s.browser.options.StepTimeout)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	err := do(bounded)
	if err == nil {
		return nil
	}
	err = s.explain(name, err)
	s.shoot(context.WithoutCancel(ctx), "trouble: "+name+": "+string(KindOf(err)))
	return err
}

// explain makes an error of this package out of any.
func (s *Session) explain(name string, err error) error {
	s.mu.Lock()
	crashed, closed := s.crashed, s.closed
	s.mu.Unlock()
	var known *Error
	switch {
	case closed || s.browser.isClosed():
		return &Error{Kind: Closed, Step: name}
	case crashed:
		return s.trouble(name, Crashed, "the page's process ended", err)
	case s.ctx.Err() != nil:
		return s.trouble(name, Crashed, "Chromium ended", err)
	case errors.As(err, &known):
		if known.Step == "" {
			known.Step = name
		}
		return known
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return s.trouble(name, NotSettled, s.lastSeen(), err)
	}
	return s.trouble(name, NotSettled, "", err)
}

// trouble is an error with the session's secrets taken out.
func (s *Session) trouble(step string, kind Kind, saw string, err error) *Error {
	if err != nil {
		err = &hidden{s.mask(err.Error()), err}
	}
	return &Error{Kind: kind, Step: step, Saw: s.mask(saw), Err: err}
}

// hidden is an error whose text has been masked.
type hidden struct {
	text string
	err  error
}

func (h *hidden) Error() string { return h.text }
func (h *hidden) Unwrap() error { return h.err }
