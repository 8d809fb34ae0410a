package browser

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
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
	running *chromium
	options SessionOptions
	main    *tab
	// working is set while the session has its turn; only the goroutine that uses the session looks at it.
	working bool

	ctx    context.Context // ends with the session, or with its page's process
	cancel func()
	tasks  sync.WaitGroup

	mu        sync.Mutex
	context   cdp.BrowserContextID
	closed    bool
	crashed   bool
	tabs      []*tab
	records   []*record
	dialogs   []string
	windows   []string
	downloads []string
	stirred   time.Time
	// acted counts the requests before the User's last act, prompted is set from then until another
	// document is there; at and atFrame are where it was, news are the windows that opened since, the
	// latest last.
	acted    int
	prompted bool
	at       *tab
	atFrame  cdp.FrameID
	news     []*tab
	// active are the requests without an end yet, unrecorded those that are held before they are recorded.
	active     map[network.RequestID]*record
	unrecorded map[network.RequestID]*pausedRequest
	// made counts the requests of scripts by what they ask for, those that have not become a beat
	// since the last act.
	made    map[string]int
	saw     string // what was foremost at the last look
	secrets []string
	rules   []*rule
	// link was opened last; signedAt counts the requests before the login was sent, or the link
	// opened; loaded counts the downloads before it was opened; password is the one that was typed.
	link     string
	signedAt int
	loaded   int
	password string
}

// NewSession opens a fresh browser context, starting Chromium if need be.
func (b *Browser) NewSession(ctx context.Context, options SessionOptions) (*Session, error) {
	const name = "open a session"
	done, err := b.turn(ctx, b.ctx)
	if err != nil {
		return nil, b.notStarted(&Error{Kind: NotStarted, Step: name, Saw: "it was still waiting for its turn", Err: err})
	}
	defer done()
	running, err := b.start(ctx)
	if err != nil {
		return nil, err
	}
	s := &Session{
		browser: b, running: running, options: options, stirred: time.Now(),
		made: map[string]int{}, active: map[network.RequestID]*record{}, unrecorded: map[network.RequestID]*pausedRequest{},
	}
	s.ctx, s.cancel = context.WithCancel(running.ctx)
	for _, secret := range options.Secrets {
		s.AddSecret(secret)
	}
	ctx, cancel := context.WithTimeout(ctx, b.options.StartTimeout)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	if err = s.open(ctx); err != nil {
		trouble := s.fate(name, err)
		if trouble == nil {
			trouble = s.trouble(name, NotStarted, "", err)
		}
		_ = s.Close()
		return nil, trouble
	}
	return s, nil
}

// open makes the browser context and its page.
func (s *Session) open(ctx context.Context) error {
	chromium, yes := chromedp.FromContext(s.ctx).Browser, true
	if err := chromedp.ListenBrowser(s.ctx, s.on); err != nil {
		return err
	}
	made, err := cdp.Call(ctx, chromium, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.context = made.BrowserContextID
	s.mu.Unlock()
	// A file that a page would store is not stored; its name is told.
	_, err = cdp.Call(ctx, chromium, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: made.BrowserContextID, EventsEnabled: &yes,
	})
	if err != nil {
		return err
	}
	page, err := cdp.Call(ctx, chromium, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: made.BrowserContextID, NewWindow: &yes})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.main = newTab(s, page.TargetID, false)
	s.tabs, s.at = []*tab{s.main}, s.main
	s.mu.Unlock()
	return s.main.attach(ctx)
}

// closeTimeout bounds how long Chromium may take to close the pages of a session.
const closeTimeout = 5 * time.Second

// Close ends the session: its pages are closed and its cookies are gone. What it recorded stays
// readable. It may be called more than once. It fails when Chromium runs and does not close them.
func (s *Session) Close() error {
	s.mu.Lock()
	again, opened := s.closed, s.context
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.tasks.Wait()
	if again || opened == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_, err := cdp.Call(ctx, chromedp.FromContext(s.ctx).Browser, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: opened})
	if err != nil && s.running.alive() && !s.browser.isClosed() {
		return s.trouble("close", NotSettled, "Chromium does not close the pages", err)
	}
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

// touch notes that the User does something in a document.
func (s *Session) touch(v *sight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.act(v.tab, v.frame, true)
}

// stirs is stir for those who do not hold the mutex.
func (s *Session) stirs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stir()
}

// act notes that the User does something in a frame of a tab, or else leaves what it shows. The
// session's mutex is held.
func (s *Session) act(t *tab, frame cdp.FrameID, does bool) {
	s.acted, s.prompted, s.at, s.atFrame, s.news = len(s.records), does, t, frame, nil
	maps.DeleteFunc(s.made, func(_ string, times int) bool { return times < beat })
	s.stir()
}

// turn waits until the session may work; done lets the next one.
func (s *Session) turn(ctx context.Context) (done func(), err error) {
	if s.working {
		return func() {}, nil
	}
	give, err := s.browser.turn(ctx, s.ctx)
	if err != nil {
		return nil, err
	}
	s.working = true
	return func() { s.working = false; give() }, nil
}

// aftermath is how much of a step's time is kept for a look at what went wrong.
func (s *Session) aftermath() time.Duration {
	return min(4*glance, s.browser.options.StepTimeout/5)
}

// step bounds what a public method does, turns its error into one of this package and takes a
// picture of trouble.
func (s *Session) step(ctx context.Context, name string, do func(ctx context.Context) error) error {
	done, err := s.turn(ctx)
	if err != nil {
		if trouble := s.fate(name, err); trouble != nil {
			return trouble
		}
		return s.trouble(name, NotSettled, "it was still waiting for its turn", err)
	}
	defer done()
	after := s.aftermath()
	bounded, cancel := context.WithTimeout(ctx, s.browser.options.StepTimeout-after)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	if err = do(bounded); err == nil {
		return nil
	}
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), after)
	defer cancelLast()
	defer context.AfterFunc(s.ctx, cancelLast)()
	if errors.Is(ctx.Err(), context.Canceled) {
		cancelLast() // nobody waits for a look
	}
	err = s.explain(last, name, err)
	s.shoot(last, "trouble: "+name+": "+string(KindOf(err)))
	return err
}

// doubt is how long Chromium may take to tell that a page's process ended, after it has refused a
// call because of that.
const doubt = 300 * time.Millisecond

// fate is the error of a session that is over, whatever the step that noticed it failed of; nil while
// it is not over.
func (s *Session) fate(name string, err error) *Error {
	var known *Error
	if !errors.As(err, &known) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		select {
		case <-s.ctx.Done():
		case <-time.After(doubt):
		}
	}
	s.mu.Lock()
	crashed, closed := s.crashed, s.closed
	s.mu.Unlock()
	if errors.Is(err, context.Canceled) {
		err = nil // it says no more than that the session is over
	}
	switch {
	case closed || s.browser.isClosed():
		return &Error{Kind: Closed, Step: name}
	case crashed:
		return s.trouble(name, Crashed, "the page's process ended", err)
	case !s.running.alive():
		return s.trouble(name, Crashed, "Chromium ended", err)
	}
	return nil
}

// explain makes an error of this package out of any. ctx bounds the look at what the session shows.
func (s *Session) explain(ctx context.Context, name string, err error) error {
	if trouble := s.fate(name, err); trouble != nil {
		return trouble
	}
	var known *Error
	switch {
	case errors.As(err, &known):
		if known.Step == "" {
			known.Step = name
		}
		return known
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return s.trouble(name, NotSettled, s.lastSeen(ctx), err)
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
