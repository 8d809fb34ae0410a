package agent

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The algorithms that §3.2 forbids, for which a ring can hold keys. The RSA ones need no keys of their
// own: the main RSA key stands in the key set once more under each of them, so that a refusal can only
// be about the algorithm.
var (
	extraOwn = []string{"ES384", "ES512", "EdDSA"}
	extraRSA = []string{"RS384", "RS512", "PS256", "PS384", "PS512"}
)

// Spare names a key that stands in the key set only once it is published.
type Spare string

// The spare keys of a ring, both ES256.
const (
	// RotationSpare is published while the run goes on, and stays.
	RotationSpare Spare = "rotation"
	// WithdrawalSpare is published and withdrawn again.
	WithdrawalSpare Spare = "withdrawal"
)

// KeyRing is the private keys of one personal agent. It prints as its id alone and is written by WriteKeyRings only.
//
// An attacker's keys, which are never published, are part of the ring while the process lives.
type KeyRing struct {
	// id ends the kid of each key, so that two rings never share one.
	id string
	// es256 and second are the published ES256 keys.
	es256, second *key
	spares        map[Spare]*key
	// extra holds the keys of extraOwn; nil when extra keys are left out.
	extra map[string]*key
	// rsa gives the published RSA keys by algorithm. Making them takes long, so it runs beside everything else.
	rsa func() (map[string]*key, error)

	attackerES256 *key
	attackerRS256 func() (*key, error)
}

// NewKeyRing generates a ring: two ES256 keys and an RS256 key to publish, and two spares. With extra, also a
// key for each algorithm that must be refused. It returns before the RSA key is there; what needs that key waits.
func NewKeyRing(extra bool) (*KeyRing, error) {
	r := &KeyRing{id: strings.ToLower(rand.Text()[:10]), spares: map[Spare]*key{}}
	var err error
	made := func(name, alg string) *key {
		private, failed := generate(alg)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("generate the %s key: %w", name, failed))
			return nil
		}
		k, failed := newKey(r.kid(name), alg, private)
		err = errors.Join(err, failed)
		return k
	}
	r.es256 = made("es256", "ES256")
	r.second = made("es256-2", "ES256")
	for _, spare := range []Spare{RotationSpare, WithdrawalSpare} {
		r.spares[spare] = made("es256-"+string(spare), "ES256")
	}
	if extra {
		r.extra = map[string]*key{}
		for _, alg := range extraOwn {
			r.extra[alg] = made(strings.ToLower(alg), alg)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := r.arm(); err != nil {
		return nil, err
	}
	r.rsa = sync.OnceValues(func() (map[string]*key, error) {
		private, err := generate("RS256")
		if err != nil {
			return nil, fmt.Errorf("generate the RSA key: %w", err)
		}
		main, err := newKey(r.kid("rs256"), "RS256", private)
		if err != nil {
			return nil, err
		}
		return r.rsaKeys(main)
	})
	go r.rsa() // whoever needs the key gets its error
	return r, nil
}

// kid is the key id for the name: unique in the ring by the name, and among rings by their id.
func (r *KeyRing) kid(name string) string { return name + "-" + r.id }

// rsaKeys are the published keys that share the main RSA key, by algorithm.
func (r *KeyRing) rsaKeys(main *key) (map[string]*key, error) {
	keys := map[string]*key{"RS256": main}
	if r.extra == nil {
		return keys, nil
	}
	for _, alg := range extraRSA {
		k, err := main.as(r.kid(strings.ToLower(alg)), alg)
		if err != nil {
			return nil, err
		}
		keys[alg] = k
	}
	return keys, nil
}

// arm gives the ring the attacker's keys, the RSA one when it is first asked for.
func (r *KeyRing) arm() error {
	made := func(alg string) (*key, error) {
		private, err := generate(alg)
		if err != nil {
			return nil, fmt.Errorf("generate the attacker's %s key: %w", alg, err)
		}
		return newKey(r.kid("attacker-"+strings.ToLower(alg)), alg, private)
	}
	var err error
	r.attackerES256, err = made("ES256")
	r.attackerRS256 = sync.OnceValues(func() (*key, error) { return made("RS256") })
	return err
}

// published is the main key for the algorithm.
func (r *KeyRing) published(alg string) (*key, error) {
	if alg == "ES256" {
		return r.es256, nil
	}
	if k := r.extra[alg]; k != nil {
		return k, nil
	}
	if alg != "RS256" && (r.extra == nil || !slices.Contains(extraRSA, alg)) {
		return nil, &Unavailable{Reason: "the key ring has no " + alg + " key", Setup: true}
	}
	keys, err := r.rsa()
	if err != nil {
		return nil, err
	}
	return keys[alg], nil
}

// WithoutExtraKeys is the same ring without the keys of algorithms that must be refused.
func (r *KeyRing) WithoutExtraKeys() *KeyRing {
	less := *r
	less.extra = nil
	return &less
}

// attacker is the unpublished key for the algorithm.
func (r *KeyRing) attacker(alg string) (*key, error) {
	if strings.HasPrefix(alg, "ES") {
		return r.attackerES256, nil
	}
	return r.attackerRS256()
}

// Public is the JWK set to publish: the main keys, the extra ones where the ring has them, and the spares that
// are named. It waits for the RSA key.
func (r *KeyRing) Public(spares ...Spare) ([]byte, error) {
	rsa, err := r.rsa()
	if err != nil {
		return nil, err
	}
	keys := []*key{r.es256, r.second, rsa["RS256"]}
	if r.extra != nil {
		for _, alg := range extraOwn {
			keys = append(keys, r.extra[alg])
		}
		for _, alg := range extraRSA {
			keys = append(keys, rsa[alg])
		}
	}
	for _, spare := range spares {
		k := r.spares[spare]
		if k == nil {
			return nil, fmt.Errorf("there is no spare key %q", spare)
		}
		keys = append(keys, k)
	}
	return keySet(keys...)
}

// String names the ring and shows no key.
func (r *KeyRing) String() string { return "KeyRing(" + r.id + ")" }

// GoString is String.
func (r *KeyRing) GoString() string { return r.String() }

// keySet is the JWK set of the keys' public halves.
func keySet(keys ...*key) ([]byte, error) {
	set := struct {
		Keys []json.RawMessage `json:"keys"`
	}{}
	for _, k := range keys {
		set.Keys = append(set.Keys, k.published)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(set); err != nil {
		return nil, fmt.Errorf("encode the key set: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}
