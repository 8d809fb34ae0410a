package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/brandsite"
	"github.com/pact-conform/pact-conform/fixtures/provider"
)

// target is the embedded Provider, up and listening, with the web sites of its Brands. The sites are
// on localhost and the Provider on 127.0.0.1, so that they are other sites to a browser.
type target struct {
	*provider.Server
	options targetOptions
}

// targetOptions say how the embedded Provider is set up.
type targetOptions struct {
	listen string
	// agents is where pact-conform will serve the JWKS of its personal agents.
	agents  string
	latency time.Duration
	keyTTL  time.Duration
	// interval is the least time between two polls for a decision, in whole seconds.
	interval time.Duration
	variants []variant
}

// The roles of the personal agents that the embedded Provider knows.
const (
	primary  = "primary"
	second   = "second"
	disabled = "disabled"
)

func (o targetOptions) issuer(role string) string { return "http://" + o.agents + "/" + role }

// provider are the options of the Provider itself, but for where it listens.
func (o targetOptions) provider() provider.Options {
	options := provider.Options{
		AgentLatency: o.latency, KeyTTL: o.keyTTL, Delegation: &provider.Delegation{Interval: o.interval, Users: accounts()},
	}
	for _, role := range []string{primary, second, disabled} {
		options.Agents = append(options.Agents, provider.Registration{Issuer: o.issuer(role), Enabled: role != disabled})
	}
	for _, v := range o.variants {
		v.apply(&options)
	}
	return options
}

// accounts are the users of the Brands. Their passwords are words that occur nowhere else: what is
// masked in a report would otherwise tear other texts apart.
func accounts() []brandsite.User {
	users := brandsite.DefaultUsers()
	for i := range users {
		users[i].Password = "heron-" + users[i].ID
	}
	return users
}

// startTarget starts the Provider, and the Brands' sites on the ports after the Provider's.
func startTarget(o targetOptions) (*target, error) {
	port, err := loopback(o.listen)
	if err != nil {
		return nil, err
	}
	options := o.provider()
	if port > 0 {
		for i := range provider.DefaultBrands() {
			options.Delegation.SiteAddrs = append(options.Delegation.SiteAddrs, net.JoinHostPort("127.0.0.1", strconv.Itoa(port+1+i)))
		}
	}
	server, err := provider.Start(o.listen, options)
	if err != nil {
		return nil, misuse("--listen: %w", err)
	}
	return &target{server, o}, nil
}

// loopback refuses addresses that others could reach: the embedded Provider is for trying things
// out. It returns the port of any other.
func loopback(address string) (int, error) {
	host, service, err := net.SplitHostPort(address)
	port, numberErr := strconv.Atoi(service)
	if err != nil || numberErr != nil {
		return 0, misuse("--listen: %q is no address such as 127.0.0.1:8800", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return 0, misuse("--listen: the embedded Provider listens on this machine alone, such as on 127.0.0.1:8800, not on %q", host)
	}
	return port, nil
}

// failed receives the error that ended serving before Close.
func (t *target) failed() <-chan error {
	failed := make(chan error, 1)
	go func() {
		if err := <-t.Done(); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	return failed
}

// domain is the host of the web site of the first Brand; none where it has none.
func (t *target) domain() string {
	site, err := url.Parse(t.SiteURL(t.Brands()[0].ID))
	if err != nil || site.Host == "" {
		return "none"
	}
	return site.Host
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
	put("  domain: %q", t.domain())
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
	put("users:")
	for _, user := range t.Users() {
		put("  - {username: %q, password: %q, id: %q}", user.Username, user.Password, user.ID)
	}
	put("prompts:")
	put("  scopes:")
	put("    - {needs: %q, text: %q}", "orders:read", "What is the status of my last order?")
	put("    - {needs: %q, text: %q}", "orders:read-all", "Show me all orders I have ever placed.")
	put("  stepUp: {needs: %q, text: %q}", "refunds:issue", "Please refund my last order.")
	put("  close: {text: %q}", "Goodbye, please close this conversation.")
	put("  memory: {tell: %q, ask: %q, expect: %q}", "My name is Ada.", "What is my name?", "(?i)ada")
	return b.String()
}
