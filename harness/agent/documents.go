package agent

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"strings"
	"time"
)

// The paths below an issuer.
const (
	jwksPath      = "/.well-known/jwks.json"
	discoveryPath = "/.well-known/openid-configuration"
	attackerPath  = "/attacker/"
)

// The documents that an attacker offers below attackerPath and an id of one's own.
const attackerJWKS = "jwks.json"

func attackerPEM(alg string) string { return strings.ToLower(alg) + ".pem" }

// attackerJWKSUnder is a key set with one key, for the algorithm and under that kid.
func attackerJWKSUnder(alg, kid string) string {
	return strings.ToLower(alg) + "/" + base64.RawURLEncoding.EncodeToString([]byte(kid)) + "/" + attackerJWKS
}

// JWKSURI is where the agent's key set is, §3.1's jwksUri.
func (a *Agent) JWKSURI() string { return strings.TrimSuffix(a.Issuer, "/") + jwksPath }

// ServeHTTP serves the documents and logs the request.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r, rest := s.route(req.URL.Path)
	fetch := Fetch{Method: req.Method, Path: req.URL.Path, RemoteAddr: req.RemoteAddr, UserAgent: req.UserAgent()}
	if r.agent != nil {
		fetch.Agent, fetch.Document = r.agent.Role, documentOf(rest)
	}
	done := s.fetches.begin(fetch)
	if fetch.Document == KeySet && r.failure == Hang {
		s.hang(w, req, r.changed)
	}
	status, contentType, body := answer(req.Method, r, rest)
	done(status)
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if status == http.StatusOK && r.failure == Healthy {
		w.Header().Set("Cache-Control", "public, max-age=10")
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", "GET, HEAD")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// route is a copy of the route whose path begins path, and what follows it; empty when there is none.
func (s *Server) route(path string) (route, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found *route
	for _, r := range s.routes {
		if strings.HasPrefix(path, r.path+"/") && (found == nil || len(r.path) > len(found.path)) {
			found = r
		}
	}
	if found == nil {
		return route{}, ""
	}
	return *found, strings.TrimPrefix(path, found.path)
}

// documentOf names the document at a path below an issuer.
func documentOf(path string) Document {
	switch {
	case path == jwksPath:
		return KeySet
	case path == discoveryPath:
		return Discovery
	case strings.HasPrefix(path, attackerPath):
		return Attacker
	}
	return ""
}

// hang waits for the caller to give up, the failure to change or the server to close, and cuts the connection.
func (s *Server) hang(w http.ResponseWriter, req *http.Request, changed <-chan struct{}) {
	// The server's own deadlines would end the wait; a writer that has none needs none lifted.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
	select {
	case <-req.Context().Done():
	case <-s.closing.Done():
	case <-changed:
	}
	panic(http.ErrAbortHandler)
}

// answer is the status, media type and body for a request.
func answer(method string, r route, path string) (int, string, []byte) {
	var contentType string
	var body []byte
	var err error
	document := documentOf(path)
	if document != "" && method != http.MethodGet && method != http.MethodHead {
		return text(http.StatusMethodNotAllowed)
	}
	switch document {
	case KeySet:
		switch r.failure {
		case Status500:
			return text(http.StatusInternalServerError)
		case NotJSON:
			return http.StatusOK, "text/html; charset=utf-8", []byte("<!doctype html><title>Not a key set</title>\n")
		}
		contentType = "application/json"
		body, err = r.agent.Ring.Public(r.spares...)
	case Discovery:
		contentType = "application/json"
		body, err = discovery(r.agent)
	case Attacker:
		contentType, body, err = attack(r.agent, strings.TrimPrefix(path, attackerPath))
	}
	switch {
	case err != nil:
		return text(http.StatusInternalServerError)
	case body == nil:
		return text(http.StatusNotFound)
	}
	return http.StatusOK, contentType, body
}

func text(status int) (int, string, []byte) {
	return status, "text/plain; charset=utf-8", []byte(http.StatusText(status) + "\n")
}

// discovery is the issuer's OpenID Connect discovery document, with the members that it must have. The issuer
// signs in nobody: nothing answers at the authorization endpoint.
func discovery(a *Agent) ([]byte, error) {
	return json.Marshal(map[string]any{
		"issuer":                                a.Issuer,
		"jwks_uri":                              a.JWKSURI(),
		"authorization_endpoint":                strings.TrimSuffix(a.Issuer, "/") + "/authorize",
		"response_types_supported":              []string{"id_token"},
		"subject_types_supported":               []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256", "ES256"},
	})
}

// attack is the attacker's document at {id}/{file}: the key set, where each key stands under its own kid and under
// that of the published key, a key set with one key under any kid, or a certificate.
func attack(a *Agent, path string) (contentType string, body []byte, err error) {
	id, file, _ := strings.Cut(path, "/")
	if id == "" {
		return "", nil, nil
	}
	var keys []*key
	for _, alg := range []string{"ES256", "RS256"} {
		kid, under := kidUnder(alg, file)
		wanted := file == attackerPEM(alg)
		if !wanted && !under && file != attackerJWKS {
			continue
		}
		k, err := a.Ring.attacker(alg)
		if err != nil {
			return "", nil, err
		}
		if wanted {
			der, err := certificate(k)
			return "application/pem-certificate-chain", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), err
		}
		if !under {
			published, err := a.Ring.published(alg)
			if err != nil {
				return "", nil, err
			}
			keys, kid = append(keys, k), published.kid
		}
		disguised, err := k.as(kid, alg)
		if err != nil {
			return "", nil, err
		}
		keys = append(keys, disguised)
	}
	if keys == nil {
		return "", nil, nil
	}
	body, err = keySet(keys...)
	return "application/json", body, err
}

// kidUnder is the kid in a name that attackerJWKSUnder made for the algorithm.
func kidUnder(alg, file string) (kid string, ok bool) {
	parts := strings.Split(file, "/")
	if len(parts) != 3 {
		return "", false
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	kid = string(raw)
	return kid, err == nil && file == attackerJWKSUnder(alg, kid)
}
