package agent

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
)

// extension is the name of a header parameter that nobody defines.
const extension = "urn:pact-conform:unknown"

// Typ sets the header's typ, which is optional (RFC 7519 §5.1). JWT is the default.
func Typ(typ string) Change {
	return fine(call("Typ", typ), "typ "+typ, func(d *draft) error {
		d.header["typ"] = typ
		return nil
	})
}

// NoTyp leaves typ out.
func NoTyp() Change {
	return fine("NoTyp", "no typ", func(d *draft) error {
		delete(d.header, "typ")
		return nil
	})
}

// Crit puts an unknown extension into the header and names it in crit (RFC 7515 §4.1.11). Its twin is Extension.
func Crit() Change {
	return wrong("Crit", "crit with an unknown extension", func(d *draft) error {
		d.header[extension] = true
		d.header["crit"] = []string{extension}
		return nil
	}).beside(Extension())
}

// Extension puts the same extension into the header and names it nowhere: to be ignored (RFC 7515 §4).
func Extension() Change {
	return fine("Extension", "an unknown header parameter", func(d *draft) error {
		d.header[extension] = true
		return nil
	})
}

// HeaderJWK signs with an attacker's key and carries it in the header's jwk, under a kid of its own.
func HeaderJWK() Change {
	return attacking("HeaderJWK", "attacker's key in jwk", carryJWK)
}

func carryJWK(d *draft, k *key) error {
	d.header["jwk"] = k.published
	return nil
}

// HeaderX5C signs with an attacker's key and carries a self-signed certificate for it in x5c.
func HeaderX5C() Change {
	return attacking("HeaderX5C", "attacker's certificate in x5c", carryX5C)
}

func carryX5C(d *draft, k *key) error {
	der, err := certificate(k)
	if err != nil {
		return err
	}
	d.header["x5c"] = []string{base64.StdEncoding.EncodeToString(der)}
	return nil
}

// HeaderJKU signs with an attacker's key and names url in jku. With an empty url it is a new one below the issuer,
// where Server serves the attacker's key set; the token's Header tells it.
func HeaderJKU(url string) Change {
	return attacking(offering("HeaderJKU", url), "attacker's key set in jku", func(d *draft, k *key) error {
		d.header["jku"] = offered(d.agent, url, attackerJWKS)
		return nil
	})
}

// HeaderX5U signs with an attacker's key and names url in x5u. With an empty url it is a new one below the issuer,
// where Server serves the attacker's certificate; the token's Header tells it.
func HeaderX5U(url string) Change {
	return attacking(offering("HeaderX5U", url), "attacker's certificate in x5u", func(d *draft, k *key) error {
		d.header["x5u"] = offered(d.agent, url, attackerPEM(k.alg))
		return nil
	})
}

// PublishedKid names the kid of the published key, whatever key signs. It goes with HeaderJWK and its like, for a
// Provider that looks up the kid first and then trusts the key in the token.
func PublishedKid() Change {
	return wrong("PublishedKid", "the published kid", func(d *draft) error {
		k, err := d.agent.Ring.published(d.key.alg)
		if err != nil {
			return err
		}
		d.header["kid"] = k.kid
		return nil
	})
}

// attacking makes the attacker's key of the same algorithm sign, and edits the header.
func attacking(name, words string, edit func(*draft, *key) error) Change {
	return wrong(name, words, func(d *draft) error {
		k, err := d.agent.Ring.attacker(d.key.alg)
		if err != nil {
			return err
		}
		d.use(k)
		return edit(d, k)
	})
}

func offering(name, url string) string {
	if url == "" {
		return name
	}
	return call(name, url)
}

// offered is the URL of an attacker's document: the given one, or a new one below the agent's issuer.
func offered(a *Agent, url, file string) string {
	if url != "" {
		return url
	}
	return strings.TrimSuffix(a.Issuer, "/") + attackerPath + strings.ToLower(rand.Text()) + "/" + file
}
