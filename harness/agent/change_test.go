package agent

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/gomega"
)

// Values that a member may have besides a literal one.
type (
	absent   struct{}
	matching string
)

// bench is what the expectations of the table look things up in.
type bench struct {
	t          *testing.T
	agent      *Agent
	other      *Agent
	keys       map[string]jose.JSONWebKey
	token      Token
	parts      parts
	header     map[string]any
	es256, rsa string // kids of the published main keys
	otherKeys  map[string]jose.JSONWebKey
}

// Every change alters what it names and nothing else, and the token is signed as it should be.
func TestChanges(t *testing.T) {
	a, other := testAgent(t), otherAgent(t)
	keys, otherKeys := publicKeys(t, a), publicKeys(t, other)
	for _, row := range tableOfChanges(other) {
		t.Run(row.stable, func(t *testing.T) {
			g := NewWithT(t)
			g.Expect(row.change.String()).To(Equal(row.stable))
			minted, err := a.Mint(testParams(), row.change)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(minted.Credential).To(Equal(row.credential))

			b := &bench{t: t, agent: a, other: other, keys: keys, otherKeys: otherKeys, token: minted, parts: take(t, minted.Compact)}
			b.es256, b.rsa = a.Ring.es256.kid, "rs256-"+a.Ring.id
			b.header = members(t, b.parts.header)
			expectMembers(t, b.header, object{"alg": "ES256", "typ": "JWT", "kid": b.es256}, row.header)
			claims := members(t, b.parts.payload)
			expectMembers(t, claims, object{
				"iss": testIssuer, "sub": testSubject, "aud": testAudience, "jti": matching("^[A-Z2-7]{26}$"),
				"iat": json.Number("1790000000"), "exp": json.Number("1790000120"),
			}, row.claims)
			expectSame(t, minted.Header, b.header)
			expectSame(t, minted.Claims, claims)
			expectExpiry(t, minted, claims)

			alg, key := row.signed(b)
			switch {
			case alg == "empty":
				g.Expect(b.parts.signature).To(BeEmpty())
			case alg != "":
				g.Expect(verifies(alg, key, b.parts.input, b.parts.signature)).To(BeTrue(), "the signature")
			}
			if alg == "" || alg == "empty" {
				g.Expect(verifies("ES256", keys[b.es256].Key, b.parts.input, b.parts.signature)).To(BeFalse(), "a broken signature that verifies")
			}
			if row.lent != nil {
				lender := take(t, minted.Lender.Compact)
				g.Expect(verifies("ES256", keys[b.es256].Key, lender.input, lender.signature)).To(BeTrue(), "the lender")
				row.lent(b, lender)
			} else {
				g.Expect(minted.Lender).To(BeNil())
			}
		})
	}
}

func expectMembers(t *testing.T, got, base, altered object) {
	t.Helper()
	g := NewWithT(t)
	want := maps.Clone(base)
	maps.Copy(want, altered)
	for name, value := range want {
		switch value := value.(type) {
		case absent:
			g.Expect(got).NotTo(HaveKey(name))
		case matching:
			g.Expect(got).To(HaveKey(name))
			text, ok := got[name].(string)
			if !ok {
				raw, err := json.Marshal(got[name])
				g.Expect(err).NotTo(HaveOccurred())
				text = string(raw)
			}
			g.Expect(regexp.MustCompile(string(value)).MatchString(text)).To(BeTrue(), "%s is %s", name, text)
		case nil:
			g.Expect(got).To(HaveKeyWithValue(name, BeNil()))
		default:
			g.Expect(got).To(HaveKeyWithValue(name, value))
		}
	}
	for name := range got {
		g.Expect(want).To(HaveKey(name))
	}
}

// expectSame compares what a Token says of itself with what it carries.
func expectSame(t *testing.T, said, carried object) {
	t.Helper()
	raw, err := json.Marshal(said)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	NewWithT(t).Expect(members(t, raw)).To(Equal(carried))
}

func expectExpiry(t *testing.T, minted Token, claims object) {
	t.Helper()
	exp := strings.Trim(shown(claims["exp"]), `"`)
	NewWithT(t).Expect(strconv.FormatInt(minted.Expires.Unix(), 10)).To(Equal(exp))
}

// The tables of this package's tests name every exported function that makes a Change.
func TestEveryChangeIsTested(t *testing.T) {
	g := NewWithT(t)
	tested := map[string]bool{}
	for _, row := range tableOfChanges(otherAgent(t)) {
		name, _, _ := strings.Cut(row.stable, "(")
		tested[name] = true
	}
	for _, row := range malformed {
		name, _, _ := strings.Cut(row.change.String(), "(")
		tested[name] = true
	}
	tested["Algorithm"] = tested["ES384"]
	sources, err := filepath.Glob("*.go")
	g.Expect(err).NotTo(HaveOccurred())
	found := 0
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
		g.Expect(err).NotTo(HaveOccurred())
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || strings.HasPrefix(f.Name.Name, "Test") || f.Type.Results == nil {
				continue
			}
			if result, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && result.Name == "Change" {
				found++
				g.Expect(tested).To(HaveKey(f.Name.Name), "no test has this change")
			}
		}
	}
	g.Expect(found).To(BeNumerically(">", 50))
}
