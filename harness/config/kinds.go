package config

import (
	"encoding/base32"
	"errors"
	"net"
	"net/url"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
)

// Kind is what the value of a key looks like.
type Kind struct {
	// Name says it in a word or two.
	Name string
	// parse reads a single text; nil for kinds that are no single text. Its errors complete the
	// sentence "key must be … " and never quote the text, which may be secret.
	parse func(text string) (any, error)
}

// The kinds.
var (
	Section = Kind{Name: "section"}
	List    = Kind{Name: "list"}
	// Command is a program and its arguments, started without a shell.
	Command = Kind{Name: "command"}
	// Headers are names and values of HTTP headers.
	Headers = Kind{Name: "headers"}

	Word     = Kind{Name: "word"}
	Text     = Kind{"text", func(text string) (any, error) { return text, nil }}
	Path     = Kind{"path", func(text string) (any, error) { return text, nil }}
	URL      = Kind{"URL", parseURL}
	BaseURL  = Kind{"URL", parseBaseURL}
	Domain   = Kind{"host name", parseDomain}
	Address  = Kind{"host:port", parseAddress}
	Switch   = Kind{"true or false", parseSwitch}
	Count    = Kind{"whole number", parseCount}
	Rate     = Kind{"number", parseRate}
	Duration = Kind{"duration", parseDuration}
	// Deadline is a duration above zero.
	Deadline = Kind{"duration", parseDeadline}
	Pattern  = Kind{"regular expression", parsePattern}
	Base32   = Kind{"base32 text", parseBase32}
)

func parseURL(text string) (any, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("an absolute http or https URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("an absolute URL that starts with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("a URL with a host")
	case u.User != nil:
		return nil, errors.New("a URL without user and password (gateway.headers carries what a gateway asks for)")
	case u.Fragment != "":
		return nil, errors.New("a URL without a fragment (#…)")
	}
	return text, nil
}

// parseBaseURL reads a URL to which paths are appended.
func parseBaseURL(text string) (any, error) {
	if _, err := parseURL(text); err != nil {
		return nil, err
	}
	if strings.Contains(text, "?") {
		return nil, errors.New("a URL without a query (?…)")
	}
	return text, nil
}

var hostName = regexp.MustCompile(`^(?i:[a-z0-9]([a-z0-9-]*[a-z0-9])?)(?i:\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d+)?$`)

func parseDomain(text string) (any, error) {
	if !hostName.MatchString(text) {
		return nil, errors.New("a host name such as brand.example, without https:// and path")
	}
	return text, nil
}

func parseAddress(text string) (any, error) {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return nil, errors.New("a host and a port such as 127.0.0.1:8700")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, errors.New("a host and a port from 1 to 65535")
	}
	return text, nil
}

func parseSwitch(text string) (any, error) {
	switch strings.ToLower(text) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return nil, errors.New("true or false")
}

func parseCount(text string) (any, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return nil, errors.New("a whole number from 1 up")
	}
	return n, nil
}

func parseRate(text string) (any, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1e6) {
		return nil, errors.New("a number from 0 up")
	}
	return x, nil
}

func parseDuration(text string) (any, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return nil, errors.New("a duration with its unit, such as 90s or 2m")
		}
		return nil, errors.New("a duration such as 90s or 2m")
	}
	if d < 0 {
		return nil, errors.New("a duration from 0s up")
	}
	return d, nil
}

func parseDeadline(text string) (any, error) {
	d, err := parseDuration(text)
	if err == nil && d == time.Duration(0) {
		return nil, errors.New("a duration above 0s")
	}
	return d, err
}

func parsePattern(text string) (any, error) {
	pattern, err := regexp.Compile(text)
	if err != nil {
		var bad *syntax.Error
		if errors.As(err, &bad) {
			return nil, errors.New("a regular expression (" + string(bad.Code) + ")")
		}
		return nil, errors.New("a regular expression")
	}
	return pattern, nil
}

func parseBase32(text string) (any, error) {
	plain := strings.ToUpper(strings.TrimRight(strings.ReplaceAll(text, " ", ""), "="))
	if _, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(plain); err != nil {
		return nil, errors.New("base32 (letters A to Z and digits 2 to 7)")
	}
	return text, nil
}
