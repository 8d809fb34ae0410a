package config

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
)

// Secret is a text that is never printed: formatting and encoding it show stars. string(s) reveals it.
type Secret string

const stars = "***"

// String hides the text; an empty Secret shows as empty.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return stars
}

// GoString hides the text from %#v.
func (s Secret) GoString() string { return `"` + s.String() + `"` }

// MarshalText hides the text from JSON and other encodings.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ShortestSecret is the length, in bytes, from which a text can be masked. A shorter one occurs
// everywhere by chance, so that masking it would tear other texts apart and give it away besides.
const ShortestSecret = 4

// secrets collects what must be masked. It is kept behind a pointer so that printing a Config does
// not print it.
type secrets struct{ texts []string }

// add keeps text, unless it is too short to be masked.
func (s *secrets) add(text string) {
	if len(text) >= ShortestSecret && !slices.Contains(s.texts, text) {
		s.texts = append(s.texts, text)
	}
}

// addKeyFile keeps what is private in a key file: the lines of a PEM body, the private members of
// JWKs. A file that cannot be read adds nothing: whoever needs it says so.
func (s *secrets) addKeyFile(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	var keys any
	if json.Unmarshal(data, &keys) == nil {
		s.addJWK(keys)
		return
	}
	for line := range strings.Lines(string(data)) {
		// The last line of a body can be a few letters that tell nothing and occur elsewhere.
		if line = strings.TrimSpace(line); len(line) >= 16 && !strings.HasPrefix(line, "-----") {
			s.add(line)
		}
	}
}

// privateMembers are the members of a JWK that are private (RFC 7518 §6.2.2, §6.3.2, §6.4.1).
var privateMembers = []string{"d", "p", "q", "dp", "dq", "qi", "k"}

func (s *secrets) addJWK(v any) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			s.addJWK(element)
		}
	case map[string]any:
		for name, member := range v {
			if text, ok := member.(string); ok && slices.Contains(privateMembers, name) {
				s.add(text)
			}
			s.addJWK(member)
		}
	}
}

// Secrets lists the texts that must be masked wherever they occur, longest first so that a secret
// inside another one is masked with it: texts that came from a ${VAR}, passwords, one-time-code
// secrets, the gateway's headers and the private parts of key files. Texts shorter than
// ShortestSecret are left out; passwords and one-time-code secrets are never that short.
func (c *Config) Secrets() []string {
	if c.secrets == nil {
		return nil
	}
	texts := slices.Clone(c.secrets.texts)
	slices.SortStableFunc(texts, func(a, b string) int { return len(b) - len(a) })
	return texts
}
