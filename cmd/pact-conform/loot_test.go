package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pact-conform/pact-conform/fixtures/provider"
)

// loot is what a Provider could tell of a run, each secret with its kind.
type loot struct {
	mu    sync.Mutex
	found map[string]string
}

// watch has the loot collected from what passes a gateway before the Provider.
func (l *loot) watch(b *provider.Behaviour) {
	next := b.Gateway
	b.Gateway = func(r *http.Request, a provider.Answer) provider.Answer {
		a = next(r, a)
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, name := range []string{"Authorization", "X-A2a-User-Delegation"} {
			_, token, _ := strings.Cut(r.Header.Get(name), " ")
			l.keep(name, token)
		}
		for _, name := range []string{"assertion", "device_code", "refresh_token", "user_code"} {
			l.keep(name, r.FormValue(name))
		}
		for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
			l.keep("cookie", cookie.Value)
		}
		var members map[string]any
		if json.Unmarshal(a.Body, &members) == nil {
			for _, name := range []string{"device_code", "user_code", "access_token", "refresh_token"} {
				text, _ := members[name].(string)
				l.keep(name, text)
			}
		}
		return a
	}
}

// keep keeps a secret; of a signed token its signature, for the rest of it may be shown.
func (l *loot) keep(kind, secret string) {
	if compact.MatchString(secret) {
		secret = secret[strings.LastIndexByte(secret, '.')+1:]
	} else if strings.HasPrefix(secret, "ey") || kind == "Authorization" || kind == "X-A2a-User-Delegation" {
		return // one that is malformed on purpose
	}
	if l.found == nil {
		l.found = map[string]string{}
	}
	// What a case makes up is no secret: an unknown code, an empty one.
	if len(secret) >= 8 && !strings.HasPrefix(secret, "unknown-") {
		l.found[secret] = kind
	}
}

// marks are the secrets that nothing may show, with their kinds.
func (l *loot) marks(t *testing.T) map[string]string {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, user := range accounts() {
		l.found[user.Password] = "password"
	}
	private, err := os.ReadFile(keys)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range privateParts(string(private)) {
		l.found[part] = "private key"
	}
	return l.found
}

// nothingShows looks for secrets in every byte that a run put out.
func nothingShows(t *testing.T, dir string, ran finished, marks map[string]string) {
	t.Helper()
	texts := map[string]string{"stdout": ran.stdout, "stderr": ran.stderr}
	err := filepath.WalkDir(filepath.Join(dir, "pact-conform-report"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		texts[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 6 {
		t.Errorf("there are %d texts to look into, and not all that a run puts out", len(texts))
	}
	for name, text := range texts {
		for secret, kind := range marks {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows a secret: %s %s…", name, kind, secret[:4])
			}
		}
	}
}
