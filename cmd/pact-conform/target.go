package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
)

// target is the embedded Provider, up and listening, with the web site of its first Brand. The site
// is on localhost and the Provider on 127.0.0.1, so that they are two sites to a browser.
type target struct {
	*provider.Server
	site    *http.Server
	domain  string
	ended   chan error
	options targetOptions
}

// targetOptions say how the embedded Provider is set up.
type targetOptions struct {
	listen string
	// agents is where pact-conform will serve the JWKS of its personal agents.
	agents   string
	latency  time.Duration
	keyTTL   time.Duration
	variants []variant
}

// The roles of the personal agents that the embedded Provider knows.
const (
	primary  = "primary"
	second   = "second"
	disabled = "disabled"
)

func (o targetOptions) issuer(role string) string { return "http://" + o.agents + "/" + role }

// startTarget starts the Provider, and the site on the port after the Provider's.
func startTarget(o targetOptions) (*target, error) {
	if err := loopback(o.listen); err != nil {
		return nil, err
	}
	options := provider.Options{AgentLatency: o.latency, KeyTTL: o.keyTTL}
	for _, role := range []string{primary, second, disabled} {
		options.Agents = append(options.Agents, provider.Registration{Issuer: o.issuer(role), Enabled: role != disabled})
	}
	for _, v := range o.variants {
		v.apply(&options)
	}
	server, err := provider.Start(o.listen, options)
	if err != nil {
		return nil, misuse("--listen: %w", err)
	}
	t := &target{Server: server, options: o, ended: make(chan error, 1)}
	if err := t.startSite(); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	return t, nil
}

// loopback refuses addresses that others could reach: the embedded Provider is for trying things out.
func loopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return misuse("--listen: %q is no address such as 127.0.0.1:8800", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return misuse("--listen: the embedded Provider listens on this machine alone, such as on 127.0.0.1:8800, not on %q", host)
	}
	return nil
}

func (t *target) startSite() error {
	port := "0"
	if _, asked, _ := net.SplitHostPort(t.options.listen); asked != "0" {
		own := t.Addr.(*net.TCPAddr).Port
		port = strconv.Itoa(own + 1)
	}
	listener, err := net.Listen("tcp", "localhost:"+port)
	if err != nil {
		return misuse("the Brand's site: %w", err)
	}
	t.domain = "localhost:" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	t.site = &http.Server{Handler: t.BrandSite(t.Brands()[0].ID), ReadHeaderTimeout: 10 * time.Second}
	go func() { t.ended <- t.site.Serve(listener) }()
	return nil
}

// Close stops Provider and site.
func (t *target) Close() error { return errors.Join(t.site.Close(), t.Server.Close()) }

// failed receives the error that ended serving before Close.
func (t *target) failed() <-chan error {
	failed := make(chan error, 1)
	go func() {
		var err error
		select {
		case err = <-t.ended:
		case err = <-t.Done():
		}
		if !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	return failed
}

// config is the configuration of a run against the target. keys names the key file, or is empty for fresh keys.
func (t *target) config(keys string) string {
	var b strings.Builder
	brands := t.Brands()
	put := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	put("# A run against the embedded Provider of pact-conform.")
	put("version: 1")
	put("provider:")
	put("  name: Embedded Provider")
	put("  version: %q", toolVersion())
	put("  audience: %q", t.Audience())
	put("  policy: %s", t.Policy())
	put("brand:")
	put("  card: %q", t.CardURL(brands[0].ID))
	put("  name: %q", brands[0].Name)
	put("  domain: %q", t.domain)
	put("otherBrand:")
	put("  card: %q", t.CardURL(brands[1].ID))
	put("  name: %q", brands[1].Name)
	put("agents:")
	put("  listen: %q", t.options.agents)
	if keys != "" {
		put("  keys: %q", keys)
	}
	for _, role := range []string{primary, second, disabled} {
		put("  %s: {issuer: %q}", role, t.options.issuer(role))
	}
	put("prompts:")
	put("  close: {text: %q}", "Goodbye, please close this conversation.")
	put("  memory: {tell: %q, ask: %q, expect: %q}", "My name is Ada.", "What is my name?", "(?i)ada")
	return b.String()
}
