package agent

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Failure is a way in which an agent's key set fails to be served.
type Failure string

// The failures.
const (
	// Healthy serves the key set.
	Healthy Failure = ""
	// Status500 answers 500.
	Status500 Failure = "500"
	// NotJSON answers 200 with a body that is no JSON.
	NotJSON Failure = "not JSON"
	// Hang answers nothing until the caller gives up, the failure is changed or the server closes.
	Hang Failure = "hang"
)

// ServerOptions say where a Server listens.
type ServerOptions struct {
	// Address is host:port, with port 0 for a free one. It is not looked at when Listener is set.
	Address  string
	Listener net.Listener
	// Certificate makes the server speak TLS.
	Certificate *tls.Certificate
	// ErrorLog gets what goes wrong on connections (a refused certificate); nil drops it.
	ErrorLog *log.Logger
}

// Server serves the documents of personal agents' issuers: for each, at the path of its issuer URL, the key set
// and the OpenID Connect discovery document (§3.1), and what an attacker would offer at the URLs of
// HeaderJKU, HeaderX5U and forgeries. It logs who fetched what.
type Server struct {
	http     *http.Server
	listener net.Listener
	scheme   string
	served   chan error
	// closing ends requests that hang.
	closing context.Context
	close   context.CancelFunc
	fetches fetchLog

	mu     sync.Mutex
	routes []*route
}

// route is one agent at the path of its issuer.
type route struct {
	agent *Agent
	path  string
	// spares are the published spare keys.
	spares  []Spare
	failure Failure
	// changed is closed when the failure changes.
	changed chan struct{}
}

// StartServer listens and serves, until Close. No issuer is known before Add.
func StartServer(o ServerOptions) (*Server, error) {
	listener := o.Listener
	if listener == nil {
		var err error
		if listener, err = net.Listen("tcp", o.Address); err != nil {
			if errors.Is(err, syscall.EADDRINUSE) {
				return nil, fmt.Errorf("JWKS server: %s is in use by another process", o.Address)
			}
			return nil, fmt.Errorf("JWKS server: %w", err)
		}
	}
	errorLog := o.ErrorLog
	if errorLog == nil {
		errorLog = log.New(io.Discard, "", 0)
	}
	s := &Server{listener: listener, scheme: "http", served: make(chan error, 1)}
	s.closing, s.close = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          errorLog,
	}
	if o.Certificate != nil {
		s.scheme = "https"
		s.http.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*o.Certificate}, MinVersion: tls.VersionTLS12}
	}
	go func() {
		if o.Certificate != nil {
			s.served <- s.http.ServeTLS(listener, "", "")
			return
		}
		s.served <- s.http.Serve(listener)
	}()
	return s, nil
}

// BaseURL is the URL that the server listens at: scheme, host and port, without a slash at the end. What the
// Provider sees may be another one.
func (s *Server) BaseURL() string {
	return s.scheme + "://" + s.listener.Addr().String()
}

// Add serves the agents' documents at the paths of their issuers.
func (s *Server) Add(agents ...*Agent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range agents {
		u, err := url.Parse(a.Issuer)
		if err != nil || u.Host == "" {
			return fmt.Errorf("JWKS server: the issuer %q of the agent %s is no absolute URL", a.Issuer, a.Role)
		}
		added := &route{agent: a, path: strings.TrimSuffix(u.Path, "/"), changed: make(chan struct{})}
		for _, r := range s.routes {
			if r.path == added.path {
				return fmt.Errorf("JWKS server: the issuers of the agents %s and %s have the same path %q", r.agent.Role, a.Role, added.path)
			}
			if r.agent.Role == a.Role {
				return fmt.Errorf("JWKS server: there are two agents with the role %s", a.Role)
			}
		}
		s.routes = append(s.routes, added)
		a.served.Store(true)
	}
	return nil
}

// Publish adds a spare key to the key set of the agent with that role.
func (s *Server) Publish(role string, spare Spare) error {
	return s.edit(role, func(r *route) {
		if !slices.Contains(r.spares, spare) {
			r.spares = append(slices.Clone(r.spares), spare)
		}
	})
}

// Withdraw takes a spare key out of the key set again.
func (s *Server) Withdraw(role string, spare Spare) error {
	return s.edit(role, func(r *route) {
		r.spares = slices.DeleteFunc(slices.Clone(r.spares), func(published Spare) bool { return published == spare })
	})
}

// Fail makes the key set of the agent with that role fail, or with Healthy be served again. The discovery
// document is served all the while.
func (s *Server) Fail(role string, failure Failure) error {
	return s.edit(role, func(r *route) {
		r.failure = failure
		close(r.changed)
		r.changed = make(chan struct{})
	})
}

func (s *Server) edit(role string, change func(*route)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.routes {
		if r.agent.Role == role {
			change(r)
			return nil
		}
	}
	return fmt.Errorf("JWKS server: there is no agent %q", role)
}

// Close ends the server: requests that hang at once, others when they are answered or ctx ends. What
// is open then is cut: often a connection that a client keeps in reserve and never used. It may be
// called again.
func (s *Server) Close(ctx context.Context) error {
	s.close()
	var err error
	if s.http.Shutdown(ctx) != nil {
		err = s.http.Close()
	}
	served := <-s.served
	s.served <- served
	if !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
