package session

import (
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/pact-conform/pact-conform/harness/config"
)

// gateway makes the run's requests and remembers to which origins the gateway's headers went: there
// Chromium sends them too. The Brand's own site, where the login may be, gets none from it.
type gateway struct {
	*http.Transport
	headers http.Header
	brand   string

	mu      sync.Mutex
	origins map[string]bool
}

func newGateway(c *config.Config, headers http.Header) *gateway {
	own := http.DefaultTransport.(*http.Transport).Clone()
	own.MaxIdleConnsPerHost = max(c.Limits.Concurrency, 2)
	brand, _ := c.Brand.Domain.Get()
	return &gateway{Transport: own, headers: headers, brand: strings.ToLower(brand), origins: map[string]bool{}}
}

// RoundTrip sends a request.
func (g *gateway) RoundTrip(r *http.Request) (*http.Response, error) {
	if g.carries(r) && !strings.EqualFold(r.URL.Host, g.brand) {
		g.mu.Lock()
		g.origins[origin(r.URL)] = true
		g.mu.Unlock()
	}
	return g.Transport.RoundTrip(r)
}

// carries reports whether the headers are on a request: on a redirect to another host they are not.
func (g *gateway) carries(r *http.Request) bool {
	for name := range g.headers {
		if r.Header.Get(name) == "" {
			return false
		}
	}
	return true
}

// headersFor are the headers for requests of Chromium to an origin; nil where it gets none.
func (g *gateway) headersFor(origin string) map[string]string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.origins[origin] {
		return nil
	}
	headers := map[string]string{}
	for name := range g.headers {
		headers[name] = g.headers.Get(name)
	}
	return headers
}

// origin is that of a URL as browsers write it, without the port that its scheme has by default.
func origin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}
