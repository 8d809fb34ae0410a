package agent

import (
	"crypto/rand"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Claim sets a claim to a value, which is encoded as JSON. A claim that §3.2 and RFC 7519 do not define leaves the
// token right.
func Claim(name string, value any) Change {
	c := claim(call("Claim", name, shown(value)), name, value)
	c.right = !slices.Contains([]string{"iss", "sub", "aud", "exp", "nbf", "iat", "jti"}, name)
	return c
}

// Issuer sets iss to a value.
func Issuer(value any) Change { return claim(call("Issuer", shown(value)), "iss", value) }

// Subject sets sub to a value. Any text makes a right token.
func Subject(value any) Change {
	c := claim(call("Subject", shown(value)), "sub", value)
	text, ok := value.(string)
	c.right = ok && text != ""
	return c
}

// AudienceValue sets aud to a value.
func AudienceValue(value any) Change { return claim(call("AudienceValue", shown(value)), "aud", value) }

func claim(name, claim string, value any) Change {
	return wrong(name, claim+" "+shown(value), func(d *draft) error {
		d.claims[claim] = value
		return nil
	})
}

// Without leaves a claim out.
func Without(name string) Change {
	return wrong(call("Without", name), "no "+name, func(d *draft) error {
		delete(d.claims, name)
		return nil
	})
}

// NoJTI leaves jti out, as §3.2 allows.
func NoJTI() Change {
	c := Without("jti")
	c.name, c.right = "NoJTI", true
	return c
}

// varied is a change that varies a claim's string; vary returns it unchanged where it has no such variation.
func varied(name, words, claim string, vary func(string) string) Change {
	return wrong(name, words, func(d *draft) error {
		was, ok := d.claims[claim].(string)
		if !ok {
			return errors.New(claim + " is no string to vary")
		}
		now := vary(was)
		if now == was {
			return &Unavailable{Reason: claim + " " + strconv.Quote(was) + " has no such variation"}
		}
		d.claims[claim] = now
		return nil
	})
}

// IssuerTrailingSlash adds a slash to the end of iss, or removes the one that is there.
func IssuerTrailingSlash() Change {
	return varied("IssuerTrailingSlash", "iss with a trailing slash more or less", "iss", trailingSlash)
}

// URLPart names a part of an issuer URL.
type URLPart string

// The parts of an issuer URL that can have letters.
const (
	Scheme URLPart = "scheme"
	Host   URLPart = "host"
	Path   URLPart = "path"
)

// IssuerLetterCase changes the case of every letter in one part of iss.
func IssuerLetterCase(part URLPart) Change {
	return varied(call("IssuerLetterCase", string(part)), "iss with another letter case in its "+string(part), "iss", func(iss string) string {
		scheme, rest, found := strings.Cut(iss, "://")
		if !found {
			return iss
		}
		host, path := rest, ""
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			host, path = rest[:i], rest[i:]
		}
		switch part {
		case Scheme:
			scheme = otherCase(scheme)
		case Host:
			host = otherCase(host)
		case Path:
			path = otherCase(path)
		}
		return scheme + "://" + host + path
	})
}

// IssuerDefaultPort adds the scheme's default port to iss, or removes it where it is written out.
func IssuerDefaultPort() Change {
	return varied("IssuerDefaultPort", "iss with the default port more or less", "iss", func(iss string) string {
		u, err := url.Parse(iss)
		if err != nil {
			return iss
		}
		port := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]
		before := u.Scheme + "://" + u.Host
		if port == "" || !strings.HasPrefix(iss, before) {
			return iss
		}
		rest := strings.TrimPrefix(iss, before)
		switch {
		case strings.HasSuffix(u.Host, port):
			return strings.TrimSuffix(before, port) + rest
		case u.Port() == "":
			return before + port + rest
		}
		return iss
	})
}

// UnknownIssuer sets iss to a URL beside the agent's issuer, new each time, that nobody registered and that serves nothing.
func UnknownIssuer() Change {
	return varied("UnknownIssuer", "unknown iss", "iss", func(iss string) string {
		u, err := url.Parse(iss)
		if err != nil || u.Host == "" {
			return iss
		}
		return u.Scheme + "://" + u.Host + "/" + "unknown-" + strings.ToLower(rand.Text())
	})
}

// IssuerList sets iss to a list of the issuer alone.
func IssuerList() Change {
	return wrong("IssuerList", "iss as a list", func(d *draft) error {
		d.claims["iss"] = []any{d.claims["iss"]}
		return nil
	})
}

// AudiencePrefix drops the last character of aud.
func AudiencePrefix() Change {
	return varied("AudiencePrefix", "a prefix as aud", "aud", func(aud string) string {
		letters := []rune(aud)
		if len(letters) < 2 {
			return aud
		}
		return string(letters[:len(letters)-1])
	})
}

// AudienceLonger puts a character behind aud.
func AudienceLonger() Change {
	return varied("AudienceLonger", "a longer aud", "aud", func(aud string) string { return aud + "x" })
}

// AudienceLetterCase changes the case of every letter in aud.
func AudienceLetterCase() Change {
	return varied("AudienceLetterCase", "aud in another letter case", "aud", otherCase)
}

// AudienceTrailingSlash adds a slash to the end of aud, or removes the one that is there.
func AudienceTrailingSlash() Change {
	return varied("AudienceTrailingSlash", "aud with a trailing slash more or less", "aud", trailingSlash)
}

// AudienceList sets aud to a list of the audience and of others, if any (§3.2 asks for one string).
func AudienceList(others ...string) Change {
	words := "aud as a list"
	if len(others) > 0 {
		words += " with another value"
	}
	return wrong(call("AudienceList", others...), words, func(d *draft) error {
		list := []any{d.claims["aud"]}
		for _, other := range others {
			list = append(list, other)
		}
		d.claims["aud"] = list
		return nil
	})
}

func trailingSlash(s string) string {
	if trimmed, found := strings.CutSuffix(s, "/"); found {
		return trimmed
	}
	return s + "/"
}

func otherCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}
