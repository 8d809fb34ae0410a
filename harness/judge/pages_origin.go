package judge

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/pact-conform/pact-conform/harness/result"
)

// ShowOrigin passes pages whose visible text has the origin (scheme, host, port) of the personal
// agent's issuer; the host alone, with its port if it has one, is a warning (§5.3).
func ShowOrigin(origin string) Judge { return showOrigin(originArgs{Origin: origin}) }

type originArgs struct {
	Origin string `json:"origin"`
}

var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

var showOrigin = define("ShowOrigin", func(a originArgs, xs []*result.Exchange) Finding {
	expected := "the origin " + a.Origin
	at, err := url.Parse(a.Origin)
	if err != nil || at.Host == "" {
		return nothingToLookFor(expected, fmt.Sprintf("%q is no origin", a.Origin))
	}
	spare := "" // the port that need not be said
	host := at.Host
	if port := defaultPorts[at.Scheme]; at.Port() == "" || ":"+at.Port() == port {
		spare, host = port, strings.TrimSuffix(host, port)
	}
	return eachPage(expected, xs, func(x *result.Exchange) shortfall {
		text := strings.ToLower(plainText(x.Page.Text))
		switch {
		case holdsHost(text, strings.ToLower(at.Scheme+"://"+host), spare, false):
			return shortfall{}
		case holdsHost(text, strings.ToLower(host), spare, true):
			return warning("the host alone")
		}
		return failing("%q", shorten(fold(x.Page.Text)))
	})
})

// plainText takes away what is not seen: marks of direction, soft hyphens and the like, which may
// stand in a long address so that it can be broken.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

// holdsHost reports whether a text has an address that ends in a host, and not in a longer one: no
// further label, no other port, no user before an "@". With whole set it must begin there, too.
func holdsHost(text, address, spare string, whole bool) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], address)
		if i < 0 {
			return false
		}
		before, after := text[:from+i], text[from+i+len(address):]
		// Marks at the end are those of the sentence.
		rest := strings.TrimRight(after[:len(after)-len(strings.TrimLeftFunc(after, ofHost))], ".:-_")
		begins := !whole || strings.TrimRightFunc(before, ofHost) == before || strings.HasSuffix(before, ":")
		if begins && (rest == "" || rest == spare) {
			return true
		}
		from += i + len(address)
	}
}

// ofHost reports whether a character may stand in the authority of a URL.
func ofHost(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune(".:-_@%", r)
}
