package browser

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"crypto/rand"
)

//go:embed testdata
var testdata embed.FS

var pages = template.Must(template.ParseFS(testdata, "testdata/login/*.html"))
var consents = template.Must(template.ParseFS(testdata, "testdata/consent/*.html"))

// The people and things of the test site.
const (
	testUser, testPassword, testTOTP = "ada@example.test", "correct horse 9!ü", "402817"
	testBrand                        = "Acme & Sons"
	testIssuer                       = "https://pa.example.test:8443"
)

var (
	readScope   = Scope{"orders:read", "Look up your orders"}
	cancelScope = Scope{"orders:cancel", "Look up your orders and cancel one that has not shipped"}
	refundScope = Scope{"refunds:issue", "Issue refunds"}
)

// site is a Brand on localhost and a Provider on 127.0.0.1, as much of them as a browser sees.
type site struct {
	brand, provider *httptest.Server
	design          design

	mu         sync.Mutex
	grants     map[string]*grant
	assertions map[string]string // assertion → user code
	sessions   map[string]string // cookie → csrf
	events     int
}

// design is how the site looks and behaves.
type design struct {
	login, consent string
	// between is the page from the Brand to the Provider: "" posts itself, "continue" has a button,
	// "get" carries the assertion in the URL, "slow" posts itself after a while.
	between string
	// wrong is the status of the answer to a wrong password.
	wrong int
	// oneOrigin serves login and consent from the Provider, without an assertion.
	oneOrigin bool
	// frameable leaves the header out that forbids frames; legacy sends X-Frame-Options only.
	frameable, legacy bool
}

// grant is what the site knows of a user code.
type grant struct {
	scopes   []Scope
	decision string
	approved []string
}

func newSite(t *testing.T, d design) *site {
	t.Helper()
	s := &site{design: d, grants: map[string]*grant{}, assertions: map[string]string{}, sessions: map[string]string{}}
	brand, provider := http.NewServeMux(), http.NewServeMux()
	brand.HandleFunc("GET /login", s.showLogin)
	brand.HandleFunc("POST /login", s.login)
	brand.HandleFunc("POST /api/login", s.apiLogin)
	brand.HandleFunc("GET /back", s.back)
	provider.HandleFunc("POST /return", s.assertion)
	provider.HandleFunc("GET /return", s.assertion)
	provider.HandleFunc("GET /consent", s.consent)
	provider.HandleFunc("POST /consent", s.decide)
	provider.HandleFunc("POST /decision", s.decide)
	provider.HandleFunc("POST /api/decision", s.decide)
	provider.HandleFunc("GET /cancelled", s.decide)
	provider.HandleFunc("POST /events", func(w http.ResponseWriter, _ *http.Request) { s.mu.Lock(); s.events++; s.mu.Unlock() })
	provider.HandleFunc("GET /done", func(w http.ResponseWriter, _ *http.Request) {
		html(w, "<title>Done</title><p>You may close this window.")
	})
	if d.oneOrigin {
		for path, handler := range map[string]http.HandlerFunc{"GET /login": s.showLogin, "POST /login": s.login} {
			provider.HandleFunc(path, handler)
		}
	}
	s.brand, s.provider = httptest.NewServer(brand), httptest.NewServer(provider)
	s.brand.URL = strings.Replace(s.brand.URL, "127.0.0.1", "localhost", 1)
	t.Cleanup(func() {
		s.brand.CloseClientConnections()
		s.provider.CloseClientConnections()
		s.brand.Close()
		s.provider.Close()
	})
	return s
}

func html(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html>"+text)
}

// ask makes a user code for scopes and its link.
func (s *site) ask(scopes ...Scope) (code, link string) {
	code = rand.Text()[:4] + "-" + rand.Text()[:4]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants[code] = &grant{scopes: scopes}
	base := s.brand.URL
	if s.design.oneOrigin {
		base = s.provider.URL
	}
	return code, base + "/login?user_code=" + code
}

// decided is what came of a user code.
func (s *site) decided(code string) (decision string, approved []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.grants[code]
	return g.decision, slices.Clone(g.approved)
}

func (s *site) show(w http.ResponseWriter, set *template.Template, name string, data map[string]any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := set.ExecuteTemplate(w, name+".html", data); err != nil {
		panic(err)
	}
}

func (s *site) showLogin(w http.ResponseWriter, r *http.Request) {
	code := r.FormValue("user_code")
	if s.design.login == "framed" && r.FormValue("in") == "" {
		// The frame is of the Provider's host, another site than the page around it.
		frame := strings.Replace(s.brand.URL, "localhost", "127.0.0.1", 1) + "/login?in=1&user_code=" + url.QueryEscape(code)
		s.show(w, pages, "framed", map[string]any{"FrameURL": frame})
		return
	}
	s.loginPage(w, http.StatusOK, map[string]any{"UserCode": code})
}

func (s *site) loginPage(w http.ResponseWriter, status int, data map[string]any) {
	name := s.design.login
	if name == "framed" {
		name, data["Target"] = "inframe", "_top"
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	s.show(w, pages, name, data)
}

func (s *site) login(w http.ResponseWriter, r *http.Request) {
	code := r.FormValue("user_code")
	wrong := max(s.design.wrong, http.StatusOK)
	switch next := r.FormValue("next"); {
	case next == "twostep" && r.FormValue("step") == "user":
		s.loginPage(w, http.StatusOK, map[string]any{"UserCode": code, "Username": r.FormValue("u")})
		return
	case next == "code" && r.FormValue("ticket") != "":
		if r.FormValue("ticket") != "t-"+code || strings.Join(r.Form["d"], "") != testTOTP {
			s.loginPage(w, wrong, map[string]any{"UserCode": code, "Error": true, "Ticket": "t-" + code})
			return
		}
	case r.FormValue("u") != testUser || r.FormValue("p") != testPassword || r.FormValue("x") != "" || r.FormValue("bad") != "":
		data := map[string]any{"UserCode": code, "Error": true}
		if next == "twostep" {
			data["Username"] = r.FormValue("u")
		}
		s.loginPage(w, wrong, data)
		return
	case next == "code":
		s.loginPage(w, http.StatusOK, map[string]any{"UserCode": code, "Ticket": "t-" + code})
		return
	}
	http.Redirect(w, r, s.wayBack(w, code), http.StatusSeeOther)
}

func (s *site) apiLogin(w http.ResponseWriter, r *http.Request) {
	var body struct{ Email, Password, UserCode string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.Email != testUser || body.Password != testPassword {
		w.WriteHeader(max(s.design.wrong, http.StatusForbidden))
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"next": s.wayBack(w, body.UserCode)})
}

// wayBack is where the Brand sends a User who has signed in.
func (s *site) wayBack(w http.ResponseWriter, code string) string {
	if s.design.oneOrigin {
		s.open(w)
		return s.provider.URL + "/consent?user_code=" + code
	}
	return s.brand.URL + "/back?user_code=" + code
}

// back hands the User over to the Provider with an assertion.
func (s *site) back(w http.ResponseWriter, r *http.Request) {
	code := r.FormValue("user_code")
	assertion := "a." + rand.Text() + "." + rand.Text()
	s.mu.Lock()
	s.assertions[assertion] = code
	s.mu.Unlock()
	if s.design.between == "get" {
		http.Redirect(w, r, s.provider.URL+"/return?user_code="+code+"&assertion="+assertion, http.StatusSeeOther)
		return
	}
	form := fmt.Sprintf(`<form method="post" action="%s/return"><input type="hidden" name="user_code" value="%s"><input type="hidden" name="state" value="%s"><input type="hidden" name="assertion" value="%s">`,
		s.provider.URL, code, rand.Text(), assertion)
	switch s.design.between {
	case "continue":
		html(w, form+`<h1>Almost there</h1><p>You are going to another site.</p><button>Weiter zum Anbieter</button></form>`)
	case "slow":
		html(w, form+`</form><p>One moment…</p><script>setTimeout(() => document.forms[0].submit(), 1800)</script>`)
	default:
		html(w, form+`<noscript><button>Continue</button></noscript></form><script>document.forms[0].submit()</script>`)
	}
}

// assertion takes the User from the Brand: the assertion works once, for its user code.
func (s *site) assertion(w http.ResponseWriter, r *http.Request) {
	code, assertion := r.FormValue("user_code"), r.FormValue("assertion")
	s.mu.Lock()
	known, ok := s.assertions[assertion]
	delete(s.assertions, assertion)
	s.mu.Unlock()
	if !ok || known != code {
		w.WriteHeader(http.StatusBadRequest)
		html(w, "<title>Error</title><h1>This link does not work</h1>")
		return
	}
	s.open(w)
	http.Redirect(w, r, "/consent?user_code="+code, http.StatusSeeOther)
}

// open gives the browser a session with the Provider.
func (s *site) open(w http.ResponseWriter) {
	id, csrf := rand.Text(), rand.Text()
	s.mu.Lock()
	s.sessions[id] = csrf
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

func (s *site) csrf(r *http.Request) string {
	cookie, err := r.Cookie("sid")
	if err != nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[cookie.Value]
}

func (s *site) consent(w http.ResponseWriter, r *http.Request) {
	code := r.FormValue("user_code")
	csrf := s.csrf(r)
	s.mu.Lock()
	g := s.grants[code]
	s.mu.Unlock()
	switch {
	case s.design.frameable:
	case s.design.legacy:
		w.Header().Set("X-Frame-Options", "DENY")
	default:
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	}
	if g == nil || csrf == "" && !s.design.frameable {
		w.WriteHeader(http.StatusForbidden)
		html(w, "<title>Sign in first</title><h1>Please use the link again</h1>")
		return
	}
	s.show(w, consents, s.design.consent, map[string]any{"UserCode": code, "CSRF": csrf, "Brand": testBrand, "Issuer": testIssuer, "Scopes": g.scopes})
}

// decide takes a decision in whatever form the design sends it. A decision is final, needs the
// session, and grants what was asked for alone.
func (s *site) decide(w http.ResponseWriter, r *http.Request) {
	var code, csrf, decision string
	var scopes []string
	if strings.HasPrefix(r.URL.Path, "/api/") {
		var body struct {
			UserCode, Decision string
			Scopes             []string
		}
		if json.NewDecoder(r.Body).Decode(&body) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		code, decision, scopes, csrf = body.UserCode, body.Decision, body.Scopes, r.Header.Get("X-CSRF-Token")
	} else {
		_ = r.ParseMultipartForm(1 << 20)
		code, csrf, decision, scopes = r.FormValue("user_code"), r.FormValue("csrf"), r.FormValue("decision"), r.Form["scope"]
		for name := range r.Form {
			if id, ok := strings.CutPrefix(name, "s_"); ok {
				scopes = append(scopes, id)
			}
			if id, ok := strings.CutPrefix(name, "grant["); ok {
				scopes = append(scopes, strings.TrimSuffix(id, "]"))
			}
		}
	}
	approves := slices.Contains([]string{"approve", "approved", "yes", "1", "b", "approve-x2"}, decision)
	mine := s.csrf(r)
	s.mu.Lock()
	g := s.grants[code]
	allowed := g != nil && mine != "" && csrf == mine && g.decision == ""
	if allowed {
		g.decision = "denied"
		if approves {
			g.decision, g.approved = "approved", scopes
		}
	}
	s.mu.Unlock()
	if !allowed {
		w.WriteHeader(http.StatusForbidden)
		html(w, "<title>No</title><h1>That cannot be done</h1>")
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
		return
	}
	http.Redirect(w, r, "/done", http.StatusSeeOther)
}
