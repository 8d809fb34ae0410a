package agent

import (
	"crypto/rand"
	"encoding/json"
	"strconv"
	"strings"
)

// TwoSegments leaves out the signature and the dot before it.
func TwoSegments() Change {
	return wrong("TwoSegments", "two segments", func(d *draft) error {
		d.spoil = append(d.spoil, func(s *segments) error {
			s.unsigned = true
			return nil
		})
		return nil
	})
}

// FourSegments puts a fourth segment behind a right token.
func FourSegments() Change {
	return wrong("FourSegments", "four segments", func(d *draft) error {
		d.spoil = append(d.spoil, func(s *segments) error {
			s.extra = ".e30"
			return nil
		})
		return nil
	})
}

// HeaderNotJSON signs a header that is text.
func HeaderNotJSON() Change {
	return wrong("HeaderNotJSON", "a header that is no JSON", func(d *draft) error {
		d.rawHeader = []byte("this is no JSON")
		return nil
	})
}

// PayloadList signs a payload that is a JSON list of the claims object.
func PayloadList() Change {
	return wrong("PayloadList", "a payload that is a list", func(d *draft) error {
		var err error
		d.rawPayload, err = json.Marshal([]any{d.claims})
		return err
	})
}

// BadBase64 puts a character that base64url has not into the payload segment, and signs the token with it.
func BadBase64() Change {
	return wrong("BadBase64", "bad base64url in the payload", func(d *draft) error {
		d.badBase64 = true
		return nil
	})
}

// Junk is so many bytes of random letters and digits in place of a token.
func Junk(size int) Change {
	return wrong(call("Junk", strconv.Itoa(size)), "junk", func(d *draft) error {
		var b strings.Builder
		for b.Len() < size {
			b.WriteString(rand.Text())
		}
		d.compact = b.String()[:size]
		return nil
	}).algorithm()
}
