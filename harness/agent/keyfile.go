package agent

import (
	"crypto"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/lestrrat-go/jwx/v2/jwk"
)

// keyFileVersion is the version of the file's form.
const keyFileVersion = 1

// keyFile is the file with the private rings of a configuration's agents, by role.
type keyFile struct {
	Version int                    `json:"version"`
	Rings   map[string]privateRing `json:"rings"`
}

// privateRing is a ring as it is written: private JWKs by the name that their kid begins with.
type privateRing struct {
	ID   string                     `json:"id"`
	Keys map[string]json.RawMessage `json:"keys"`
}

// WriteKeyRings writes the private rings, by role, to a new file that only its owner can read. It never
// overwrites: a published key that is lost needs a new registration.
func WriteKeyRings(path string, rings map[string]*KeyRing) (err error) {
	file := keyFile{Version: keyFileVersion, Rings: map[string]privateRing{}}
	for role, ring := range rings {
		if file.Rings[role], err = ring.private(); err != nil {
			return fmt.Errorf("key file %s: ring of %s: %w", path, role, err)
		}
	}
	content, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("key file %s: %w", path, err)
	}
	return writeNew(path, append(content, '\n'))
}

// writeNew writes a file that did not exist, whole or not at all.
func writeNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("key file %s exists already and is not overwritten", path)
	}
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("key file: %w", errors.Join(err, os.Remove(path)))
	}
	return nil
}

// LoadKeyRings reads the private rings, by role. It refuses a file that others than its owner can read.
func LoadKeyRings(path string) (map[string]*KeyRing, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("key file %s has mode %04o and is open to others than its owner: chmod 600 it", path, mode)
	}
	var content keyFile
	if err := json.NewDecoder(file).Decode(&content); err != nil {
		return nil, fmt.Errorf("key file %s is no JSON of key rings: %w", path, err)
	}
	if content.Version != keyFileVersion {
		return nil, fmt.Errorf("key file %s has version %d, this program reads version %d", path, content.Version, keyFileVersion)
	}
	rings := map[string]*KeyRing{}
	for role, private := range content.Rings {
		if rings[role], err = private.ring(); err != nil {
			return nil, fmt.Errorf("key file %s: ring of %s: %w", path, role, err)
		}
	}
	return rings, nil
}

// private is the ring as it is written. The keys that share the RSA key are made again on reading.
func (r *KeyRing) private() (privateRing, error) {
	rsa, err := r.rsa()
	if err != nil {
		return privateRing{}, err
	}
	keys := []*key{r.es256, r.second, rsa["RS256"]}
	for _, k := range r.spares {
		keys = append(keys, k)
	}
	for _, k := range r.extra {
		keys = append(keys, k)
	}
	written := privateRing{ID: r.id, Keys: map[string]json.RawMessage{}}
	for _, k := range keys {
		private, err := asJWK(k.kid, k.alg, k.private)
		if err != nil {
			return privateRing{}, err
		}
		if written.Keys[strings.TrimSuffix(k.kid, "-"+r.id)], err = json.Marshal(private); err != nil {
			return privateRing{}, fmt.Errorf("key %s: %w", k.kid, err)
		}
	}
	return written, nil
}

// ring is the ring that was written.
func (p privateRing) ring() (*KeyRing, error) {
	r := &KeyRing{id: p.ID, spares: map[Spare]*key{}}
	if p.ID == "" {
		return nil, errors.New("it has no id")
	}
	var err error
	read := func(name, alg string) *key {
		k, failed := p.key(name, alg, r.kid(name))
		err = errors.Join(err, failed)
		return k
	}
	r.es256 = read("es256", "ES256")
	r.second = read("es256-2", "ES256")
	for _, spare := range []Spare{RotationSpare, WithdrawalSpare} {
		r.spares[spare] = read("es256-"+string(spare), "ES256")
	}
	if p.hasExtra() {
		r.extra = map[string]*key{}
		for _, alg := range extraOwn {
			r.extra[alg] = read(strings.ToLower(alg), alg)
		}
	}
	main := read("rs256", "RS256")
	if err != nil {
		return nil, err
	}
	rsa, err := r.rsaKeys(main)
	if err != nil {
		return nil, err
	}
	r.rsa = sync.OnceValues(func() (map[string]*key, error) { return rsa, nil })
	return r, r.arm()
}

// hasExtra reports whether the ring was written with extra keys: with one of them, all must be there.
func (p privateRing) hasExtra() bool {
	return slices.ContainsFunc(extraOwn, func(alg string) bool { return p.Keys[strings.ToLower(alg)] != nil })
}

// key reads one private JWK. Errors never quote it.
func (p privateRing) key(name, alg, kid string) (*key, error) {
	written, found := p.Keys[name]
	if !found {
		return nil, fmt.Errorf("the key %s is missing", name)
	}
	parsed, err := jwk.ParseKey(written)
	if err != nil {
		return nil, fmt.Errorf("the key %s is no JWK", name)
	}
	var raw any
	if err := parsed.Raw(&raw); err != nil {
		return nil, fmt.Errorf("the key %s is no usable JWK", name)
	}
	private, ok := raw.(crypto.Signer)
	if !ok || parsed.KeyID() != kid || parsed.Algorithm().String() != alg {
		return nil, fmt.Errorf("the key %s is no private %s key with the kid %s", name, alg, kid)
	}
	return newKey(kid, alg, private)
}
