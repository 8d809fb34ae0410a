package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// tab is one target of a session: its page, a window that the page opened, or a frame that Chromium
// runs in a process of its own. All maps are guarded by the session's mutex.
type tab struct {
	session *Session
	id      target.ID
	// frameOnly is set for a frame with a process of its own.
	frameOnly bool
	// asked is set for a window that opened because of what the User did.
	asked bool
	// gone is set once the target is no more; what it did last may be told after that.
	gone bool
	// intercepted is set while Chromium holds the tab's requests for the session's rules.
	intercepted bool
	// target carries calls to the tab; nil before it has been joined. The tab is ready once it is set
	// up: what is seen of it before that may be of another document than it seems.
	target cdp.Session
	ready  bool
	cancel func()

	// worlds are the isolated worlds of the documents, by the names that Chromium gave them.
	worlds map[cdp.FrameID]string
	frames map[cdp.FrameID]document
}

// document is what a frame shows.
type document struct {
	name        string
	url         string
	loader      cdp.LoaderID
	parent      cdp.FrameID
	unreachable string
	// shown ends when the frame shows another document, or is no more.
	shown context.Context
	leave func()
}

func newTab(s *Session, id target.ID, frameOnly bool) *tab {
	return &tab{
		session: s, id: id, frameOnly: frameOnly,
		worlds: map[cdp.FrameID]string{}, frames: map[cdp.FrameID]document{},
	}
}

// attach joins the target and sets it up, as long as ctx allows. The tab lives until the session
// ends, or its target.
func (t *tab) attach(ctx context.Context) error {
	own, cancel := chromedp.NewContext(t.session.ctx, chromedp.WithTargetID(t.id), chromedp.WithDetachOnCancel(), chromedp.WithListener(t.on))
	defer context.AfterFunc(ctx, cancel)()
	t.session.mu.Lock()
	t.cancel = cancel
	t.session.mu.Unlock()
	err := chromedp.Do(own)
	if err == nil {
		t.session.mu.Lock()
		t.target = &line{chromedp.FromContext(own).Target, own}
		t.session.mu.Unlock()
		err = t.setUp(own)
		t.session.mu.Lock()
		t.ready = err == nil
		t.session.stir()
		t.session.mu.Unlock()
	}
	if ctx.Err() != nil {
		err = ctx.Err() // of which own ended
	}
	if err != nil {
		cancel()
	}
	return err
}

// joined is the target of the tab; nil before it has been joined.
func (t *tab) joined() cdp.Session {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	return t.target
}

// maxBody is the most of a request's body that Chromium reports, in bytes.
const maxBody = 1 << 20

func (t *tab) setUp(ctx context.Context) error {
	soon := true
	_, err := cdp.Call(ctx, t.target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: lookScript + coverScript, WorldName: worldName, RunImmediately: &soon,
	})
	steps := []func() error{
		func() error {
			most := int64(maxBody)
			_, err := cdp.Call(ctx, t.target, network.Enable, network.EnableParams{MaxPostDataSize: &most})
			return err
		},
		func() error {
			_, err := cdp.Call(ctx, t.target, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
			return err
		},
		func() error {
			// Every page believes that it is looked at, so that typing into several at once works.
			_, err := cdp.Call(ctx, t.target, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
			return err
		},
		func() error {
			tree, err := cdp.Call(ctx, t.target, page.GetFrameTree, cdp.Empty{})
			if err == nil {
				t.session.mu.Lock()
				t.know(tree.FrameTree)
				t.session.mu.Unlock()
			}
			return err
		},
		func() error { return t.intercept(ctx) },
	}
	// What chromedp turns on and nothing here listens to, in every session about every other.
	for _, unused := range []struct {
		method string
		params any
	}{
		{target.SetDiscoverTargets.Method, target.SetDiscoverTargetsParams{}},
		{page.SetLifecycleEventsEnabled.Method, page.SetLifecycleEventsEnabledParams{}},
		{log.Disable.Method, cdp.Empty{}}, {css.Disable.Method, cdp.Empty{}}, {dom.Disable.Method, cdp.Empty{}},
	} {
		steps = append(steps, func() error { return t.target.Call(ctx, unused.method, unused.params, nil) })
	}
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	return err
}

// know fills in the frames that were there before the tab was joined.
func (t *tab) know(tree *page.FrameTree) {
	f := tree.Frame
	if _, known := t.frames[f.ID]; !known {
		t.show(f)
	}
	for _, child := range tree.ChildFrames {
		t.know(child)
	}
}

// show notes which document a frame shows. The session's mutex is held.
func (t *tab) show(f *cdp.Frame) {
	t.leave(f.ID)
	shown, leave := context.WithCancel(t.session.ctx)
	t.frames[f.ID] = document{
		name: f.Name, url: f.URL + f.URLFragment, loader: f.LoaderID, parent: f.ParentID, unreachable: f.UnreachableURL,
		shown: shown, leave: leave,
	}
}

// leave forgets the document of a frame. The session's mutex is held.
func (t *tab) leave(frame cdp.FrameID) {
	if doc, known := t.frames[frame]; known {
		doc.leave()
		delete(t.frames, frame)
	}
}

// on takes an event of the target. It runs in the order of events and must not wait.
func (t *tab) on(ev any) {
	s := t.session
	s.mu.Lock()
	defer s.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		t.onRequest(ev)
	case *network.EventResponseReceived:
		s.onResponse(ev.RequestID, ev.Response)
	case *network.EventLoadingFinished:
		s.onEnd(ev.RequestID, "")
	case *network.EventLoadingFailed:
		s.onEnd(ev.RequestID, strings.TrimSpace(ev.ErrorText+" "+string(ev.BlockedReason)))
	case *page.EventFrameNavigated:
		t.show(ev.Frame)
		s.forsake(func(r *record) bool { return r.frame == ev.Frame.ID && r.loader != ev.Frame.LoaderID && !r.document() })
		if ev.Frame.ParentID == "" {
			s.prompted = false
		}
		s.stir()
	case *page.EventNavigatedWithinDocument:
		if doc, known := t.frames[ev.FrameID]; known {
			doc.url = ev.URL
			t.frames[ev.FrameID] = doc
		}
		s.stir()
	case *page.EventFrameDetached:
		if ev.Reason == page.FrameDetachedReasonSwap {
			// Another process has the frame now, and tells the rest to another tab.
			s.forsake(func(r *record) bool { return r.frame == ev.FrameID })
		}
		t.leave(ev.FrameID)
		delete(t.worlds, ev.FrameID)
		s.stir()
	case *page.EventLoadEventFired:
		s.stir()
	case *runtime.EventExecutionContextCreated:
		t.onWorld(ev)
	case *runtime.EventExecutionContextDestroyed:
		for frame, w := range t.worlds {
			if w == ev.ExecutionContextUniqueID {
				delete(t.worlds, frame)
			}
		}
	case *runtime.EventExecutionContextsCleared:
		clear(t.worlds)
	case *page.EventJavascriptDialogOpening:
		s.onDialog(t, ev)
	case *inspector.EventTargetCrashed:
		s.crash()
	case *fetch.EventRequestPaused:
		s.background(func(ctx context.Context) { s.paused(ctx, t, ev) })
	case *target.EventAttachedToTarget:
		if ev.TargetInfo.Type == "iframe" {
			s.onTarget(ev.TargetInfo)
		}
	}
}

func (t *tab) onWorld(ev *runtime.EventExecutionContextCreated) {
	var of struct {
		FrameID cdp.FrameID `json:"frameId"`
	}
	if ev.Context.Name != worldName || json.Unmarshal(ev.Context.AuxData, &of) != nil {
		return
	}
	t.worlds[of.FrameID] = ev.Context.UniqueID
	t.session.stir()
}

// errGone says that a document is no longer there; whoever looked at it looks again.
var errGone = errors.New("the document is gone")

// run evaluates an expression in the isolated world of a frame and decodes its value into out, which
// may be nil.
func (t *tab) run(ctx context.Context, frame cdp.FrameID, expression string, out any) error {
	object, err := t.evaluate(ctx, frame, expression, true)
	if err != nil || out == nil {
		return err
	}
	if len(object.Value) == 0 {
		return fmt.Errorf("a script of the harness returned nothing")
	}
	return json.Unmarshal(object.Value, out)
}

func (t *tab) evaluate(ctx context.Context, frame cdp.FrameID, expression string, byValue bool) (*runtime.RemoteObject, error) {
	object, err := t.evaluateRaw(ctx, frame, expression, byValue)
	if errors.Is(err, errBare) {
		// Chromium makes a world, now and then, without running the scripts that belong into it.
		if _, err = t.evaluateRaw(ctx, frame, lookScript+coverScript+"; true", true); err == nil {
			object, err = t.evaluateRaw(ctx, frame, expression, byValue)
		}
	}
	return object, err
}

// errBare says that the harness's scripts have not run in a world.
var errBare = errors.New("the world is bare")

func (t *tab) evaluateRaw(ctx context.Context, frame cdp.FrameID, expression string, byValue bool) (*runtime.RemoteObject, error) {
	t.session.mu.Lock()
	w, known := t.worlds[frame]
	t.session.mu.Unlock()
	if !known {
		return nil, errGone
	}
	gesture := true
	result, err := call(ctx, t, frame, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, UniqueContextID: w, ReturnByValue: &byValue, UserGesture: &gesture,
	})
	switch {
	case err != nil:
		return nil, err
	case result.ExceptionDetails != nil:
		thrown := result.ExceptionDetails.Exception
		if thrown == nil || thrown.Description == "" {
			return nil, errGone // the script was ended with its document
		}
		text := result.ExceptionDetails.Text + " " + thrown.Description
		if strings.Contains(text, "ReferenceError: pact") {
			return nil, errBare
		}
		return nil, fmt.Errorf("a script of the harness failed: %s", excerpt(text, 200))
	}
	return result.Result, nil
}

// call makes a call about the document that a frame shows. It ends with the document, as errGone: a
// call that is under way when Chromium hands the frame to another process may never be answered.
func call[P, R any](ctx context.Context, t *tab, frame cdp.FrameID, command cdp.Command[P, R], params P) (R, error) {
	t.session.mu.Lock()
	doc, target := t.frames[frame], t.target
	t.session.mu.Unlock()
	var none R
	if doc.shown == nil || target == nil {
		return none, errGone
	}
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(doc.shown, cancel)()
	answer, err := cdp.Call(bounded, target, command, params)
	switch {
	case ctx.Err() != nil:
		return none, ctx.Err()
	case err != nil && (doc.shown.Err() != nil || gone(err)):
		return none, errGone
	}
	return answer, err
}

// gone reports whether Chromium says that there is no such document any more.
func gone(err error) bool {
	var refused *cdproto.Error
	if !errors.As(err, &refused) {
		return errors.Is(err, chromedp.ErrTargetDetached)
	}
	for _, text := range []string{"ontext", "navigated or closed", "node", "target", "session"} {
		if strings.Contains(refused.Message, text) {
			return true
		}
	}
	return false
}
