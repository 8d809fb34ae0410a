package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

func TestPublicSet(t *testing.T) {
	for _, row := range []struct {
		name   string
		agent  *Agent
		spares []Spare
		algs   map[string]int
	}{
		{"with extra keys", testAgent(t), nil, map[string]int{
			"ES256": 2, "RS256": 1, "ES384": 1, "ES512": 1, "EdDSA": 1, "RS384": 1, "RS512": 1, "PS256": 1, "PS384": 1, "PS512": 1}},
		{"plain", otherAgent(t), nil, map[string]int{"ES256": 2, "RS256": 1}},
		{"without the extra keys it has", New("", "", testAgent(t).Ring.WithoutExtraKeys()), nil, map[string]int{"ES256": 2, "RS256": 1}},
		{"with a spare", otherAgent(t), []Spare{RotationSpare}, map[string]int{"ES256": 3, "RS256": 1}},
		{"with both spares", otherAgent(t), []Spare{RotationSpare, WithdrawalSpare}, map[string]int{"ES256": 4, "RS256": 1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			g := NewWithT(t)
			algs := map[string]int{}
			for _, k := range publicKeys(t, row.agent, row.spares...) {
				g.Expect(k.Use).To(Equal("sig"))
				algs[k.Algorithm]++
			}
			g.Expect(algs).To(Equal(row.algs))
		})
	}
	_, err := testAgent(t).Ring.Public("no such spare")
	NewWithT(t).Expect(err).To(HaveOccurred())
}

func TestRingsShareNoKid(t *testing.T) {
	g := NewWithT(t)
	second := publicKeys(t, otherAgent(t))
	for kid := range publicKeys(t, testAgent(t)) {
		g.Expect(second).NotTo(HaveKey(kid))
	}
}

// A ring shows no key when it is printed, nor when something that holds it becomes JSON.
func TestRingIsPrintedWithoutKeys(t *testing.T) {
	g := NewWithT(t)
	a := testAgent(t)
	asJSON, err := json.Marshal(a)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(asJSON)).To(ContainSubstring(`"Ring":{}`))
	g.Expect(fmt.Sprintf("%v|%#v|%+v", a.Ring, a.Ring, a)).To(HavePrefix(
		"KeyRing(" + a.Ring.id + ")|KeyRing(" + a.Ring.id + ")|&{Role:primary Issuer:" + testIssuer + " Ring:KeyRing(" + a.Ring.id + ") "))
}

func TestKeyFile(t *testing.T) {
	g := NewWithT(t)
	primary, second := testAgent(t), otherAgent(t)
	path := filepath.Join(t.TempDir(), "keys.json")
	g.Expect(WriteKeyRings(path, map[string]*KeyRing{"primary": primary.Ring, "second": second.Ring})).To(Succeed())
	info, err := os.Stat(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))

	rings, err := LoadKeyRings(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(rings).To(HaveLen(2))
	for _, was := range []*Agent{primary, second} {
		spares := []Spare{RotationSpare, WithdrawalSpare}
		before, err := was.Ring.Public(spares...)
		g.Expect(err).NotTo(HaveOccurred())
		after, err := rings[was.Role].Public(spares...)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(after).To(Equal(before))
	}
	// A token of the ring that was read verifies with the keys of the one that was written.
	keys := publicKeys(t, primary)
	for _, alg := range slices.Concat([]string{"ES256", "RS256"}, extraOwn, extraRSA) {
		minted, err := New("primary", testIssuer, rings["primary"]).Mint(testParams(), Algorithm(alg))
		g.Expect(err).NotTo(HaveOccurred())
		p := take(t, minted.Compact)
		kid := members(t, p.header)["kid"].(string)
		g.Expect(verifies(alg, keys[kid].Key, p.input, p.signature)).To(BeTrue(), alg)
	}
}

func TestKeyFileIsNotOverwritten(t *testing.T) {
	g := NewWithT(t)
	path := filepath.Join(t.TempDir(), "keys.json")
	g.Expect(os.WriteFile(path, []byte("mine"), 0o600)).To(Succeed())
	err := WriteKeyRings(path, map[string]*KeyRing{"primary": testAgent(t).Ring})
	g.Expect(err).To(MatchError(ContainSubstring("exists already")))
	content, err := os.ReadFile(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(content)).To(Equal("mine"))
}

func TestKeyFileErrors(t *testing.T) {
	g := NewWithT(t)
	good := filepath.Join(t.TempDir(), "keys.json")
	g.Expect(WriteKeyRings(good, map[string]*KeyRing{"primary": testAgent(t).Ring})).To(Succeed())
	raw, err := os.ReadFile(good)
	g.Expect(err).NotTo(HaveOccurred())
	var file keyFile
	g.Expect(json.Unmarshal(raw, &file)).To(Succeed())
	edited := func(edit func(*keyFile)) string {
		var copied keyFile
		g.Expect(json.Unmarshal(raw, &copied)).To(Succeed())
		edit(&copied)
		text, err := json.Marshal(copied)
		g.Expect(err).NotTo(HaveOccurred())
		return string(text)
	}
	private := string(file.Rings["primary"].Keys["es256"])
	for _, row := range []struct {
		name, content string
		mode          os.FileMode
		want          string
	}{
		{"readable by the group", string(raw), 0o640, "mode 0640"},
		{"readable by others", string(raw), 0o604, "mode 0604"},
		{"no JSON", "keys", 0o600, "no JSON"},
		{"another version", edited(func(f *keyFile) { f.Version = 2 }), 0o600, "version 2"},
		{"a key missing", edited(func(f *keyFile) { delete(f.Rings["primary"].Keys, "rs256") }), 0o600, "the key rs256 is missing"},
		{"an extra key missing", edited(func(f *keyFile) { delete(f.Rings["primary"].Keys, "es512") }), 0o600, "the key es512 is missing"},
		{"a key in another's place", edited(func(f *keyFile) { f.Rings["primary"].Keys["es256"] = f.Rings["primary"].Keys["rs256"] }), 0o600, "no private ES256 key"},
		{"a broken key", edited(func(f *keyFile) {
			f.Rings["primary"].Keys["es256"] = json.RawMessage(strings.Replace(private, `"EC"`, `"??"`, 1))
		}), 0o600, "es256"},
		{"no id", edited(func(f *keyFile) { f.Rings["primary"] = privateRing{Keys: f.Rings["primary"].Keys} }), 0o600, "no id"},
	} {
		t.Run(row.name, func(t *testing.T) {
			g := NewWithT(t)
			path := filepath.Join(t.TempDir(), "keys.json")
			g.Expect(os.WriteFile(path, []byte(row.content), row.mode)).To(Succeed())
			g.Expect(os.Chmod(path, row.mode)).To(Succeed())
			_, err := LoadKeyRings(path)
			g.Expect(err).To(MatchError(And(ContainSubstring(row.want), ContainSubstring(path))))
			var key struct{ D string }
			g.Expect(json.Unmarshal([]byte(private), &key)).To(Succeed())
			g.Expect(key.D).NotTo(BeEmpty())
			g.Expect(err.Error()).NotTo(ContainSubstring(key.D))
		})
	}
	_, err = LoadKeyRings(filepath.Join(t.TempDir(), "none.json"))
	g.Expect(err).To(MatchError(os.ErrNotExist))
}
