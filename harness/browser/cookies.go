package browser

import (
	"context"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// Cookie is what is told of a cookie: everything but its value.
type Cookie struct {
	Name, Domain, Path string
	HTTPOnly, Secure   bool
	// SameSite is Strict, Lax or None; empty when the server named none.
	SameSite string
	// Session is set when it ends with the browser.
	Session bool
}

// Cookies are those that the session has for an origin.
func (s *Session) Cookies(ctx context.Context, origin string) ([]Cookie, error) {
	var all []Cookie
	err := s.step(ctx, "read cookies", func(ctx context.Context) error {
		at, err := url.Parse(origin)
		if err != nil {
			return err
		}
		stored, err := cdp.Call(ctx, chromedp.FromContext(s.ctx).Browser, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: s.context})
		if err != nil {
			return err
		}
		for _, cookie := range stored.Cookies {
			host := strings.TrimPrefix(cookie.Domain, ".")
			if at.Hostname() != host && (!strings.HasPrefix(cookie.Domain, ".") || !strings.HasSuffix(at.Hostname(), "."+host)) {
				continue
			}
			all = append(all, Cookie{
				Name: cookie.Name, Domain: cookie.Domain, Path: cookie.Path, HTTPOnly: cookie.HTTPOnly, Secure: cookie.Secure,
				SameSite: string(cookie.SameSite), Session: cookie.Session,
			})
		}
		return nil
	})
	return all, err
}
