package agent

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// malformed are the changes after which a token is none: what its segments are then.
var malformed = []struct {
	change     Change
	credential string
	check      func(g Gomega, segments []string, signedByKey bool)
}{
	{TwoSegments(), "ES256, two segments", func(g Gomega, segments []string, _ bool) {
		g.Expect(segments).To(HaveLen(2))
		g.Expect(decode(g, segments[0])).To(HaveKeyWithValue("alg", "ES256"))
		g.Expect(decode(g, segments[1])).To(HaveKeyWithValue("aud", testAudience))
	}},
	{FourSegments(), "ES256, four segments", func(g Gomega, segments []string, signed bool) {
		g.Expect(segments).To(HaveLen(4))
		g.Expect(segments[3]).NotTo(BeEmpty())
		g.Expect(signed).To(BeTrue(), "its first three segments are a right token")
	}},
	{BadBase64(), "ES256, bad base64url in the payload", func(g Gomega, segments []string, signed bool) {
		_, err := base64.RawURLEncoding.DecodeString(segments[1])
		g.Expect(err).To(HaveOccurred())
		g.Expect(decode(g, strings.TrimSuffix(segments[1], "!"))).To(HaveKeyWithValue("aud", testAudience))
		g.Expect(signed).To(BeTrue())
	}},
	{HeaderNotJSON(), "ES256, a header that is no JSON", func(g Gomega, segments []string, signed bool) {
		header, err := base64.RawURLEncoding.DecodeString(segments[0])
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(json.Valid(header)).To(BeFalse())
		g.Expect(signed).To(BeTrue())
	}},
	{PayloadList(), "ES256, a payload that is a list", func(g Gomega, segments []string, signed bool) {
		payload, err := base64.RawURLEncoding.DecodeString(segments[1])
		g.Expect(err).NotTo(HaveOccurred())
		var list []map[string]any
		g.Expect(json.Unmarshal(payload, &list)).To(Succeed())
		g.Expect(list).To(HaveLen(1))
		g.Expect(list[0]).To(HaveKeyWithValue("sub", testSubject))
		g.Expect(signed).To(BeTrue())
	}},
	{Junk(16 << 10), "junk", func(g Gomega, segments []string, _ bool) {
		g.Expect(segments).To(HaveLen(1))
		g.Expect(segments[0]).To(HaveLen(16384))
		g.Expect(segments[0]).To(MatchRegexp("^[A-Z2-7]+$"))
	}},
}

func decode(g Gomega, segment string) map[string]any {
	raw, err := base64.RawURLEncoding.DecodeString(segment)
	g.Expect(err).NotTo(HaveOccurred())
	var read map[string]any
	g.Expect(json.Unmarshal(raw, &read)).To(Succeed())
	return read
}

func TestMalformedTokens(t *testing.T) {
	a := testAgent(t)
	key := publicKeys(t, a)[a.Ring.es256.kid].Key
	for _, row := range malformed {
		t.Run(row.change.String(), func(t *testing.T) {
			g := NewWithT(t)
			minted, err := a.Mint(testParams(), row.change)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(minted.Credential).To(Equal(row.credential))
			segments := strings.Split(minted.Compact, ".")
			signed := false
			if len(segments) > 2 {
				signature, err := base64.RawURLEncoding.DecodeString(segments[2])
				g.Expect(err).NotTo(HaveOccurred())
				signed = verifies("ES256", key, segments[0]+"."+segments[1], signature)
			}
			row.check(g, segments, signed)
		})
	}
}
