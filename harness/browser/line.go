package browser

import (
	"context"

	"github.com/chromedp/chromedp"
)

// line carries calls to a tab. Chromium sends no answer to a call that is under way when the tab is
// left or ends; on a line such a call fails then.
type line struct {
	*chromedp.Target
	tab context.Context // ends with the tab
}

// Call is that of cdp.Session.
func (l *line) Call(ctx context.Context, method string, params, result any) error {
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.tab, cancel)()
	err := l.Target.Call(bounded, method, params, result)
	if err != nil && ctx.Err() == nil && l.tab.Err() != nil {
		return chromedp.ErrTargetDetached
	}
	return err
}
