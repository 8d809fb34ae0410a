package agent

import (
	"crypto/rand"
	"fmt"
	"strings"
)

// WrongKeySameKid signs with a key that was never published, under the published kid.
func WrongKeySameKid() Change {
	return wrong("WrongKeySameKid", "another key under the published kid", func(d *draft) error {
		k, err := d.agent.Ring.attacker(d.key.alg)
		if err != nil {
			return err
		}
		d.sign = k.sign
		return nil
	})
}

// UnpublishedKey signs with a key that was never published, under a kid of its own, new each time.
func UnpublishedKey() Change {
	return wrong("UnpublishedKey", "unpublished key and kid", func(d *draft) error {
		k, err := d.agent.Ring.attacker(d.key.alg)
		if err != nil {
			return err
		}
		d.sign = k.sign
		d.header["kid"] = unpublished()
		return nil
	})
}

// UnpublishedKid signs with the published key under a kid that is not in the key set, new each time.
func UnpublishedKid() Change {
	return wrong("UnpublishedKid", "published key under an unpublished kid", func(d *draft) error {
		d.header["kid"] = unpublished()
		return nil
	})
}

func unpublished() string { return "unpublished-" + strings.ToLower(rand.Text()) }

// SwappedKid names the kid of the one published ES256 key and signs with the other.
func SwappedKid() Change {
	return wrong("SwappedKid", "ES256, kid of another published key", func(d *draft) error {
		d.use(d.agent.Ring.second)
		d.header["kid"] = d.agent.Ring.es256.kid
		return nil
	}).algorithm().beside(SecondKey())
}

// SecondKey signs with the second published ES256 key, under its own kid.
func SecondKey() Change {
	return fine("SecondKey", "ES256 by the second published key", func(d *draft) error {
		d.use(d.agent.Ring.second)
		return nil
	}).algorithm()
}

// NoKid leaves kid out, as §3.2 allows (it is a SHOULD).
func NoKid() Change {
	return fine("NoKid", "no kid", func(d *draft) error {
		delete(d.header, "kid")
		return nil
	})
}

// KeyOf signs with the other agent's published key of the same algorithm, under that key's kid; iss stays.
func KeyOf(other *Agent) Change {
	return wrong(call("KeyOf", other.Role), "key and kid of the agent "+other.Role, func(d *draft) error {
		k, err := other.Ring.published(d.key.alg)
		if err != nil {
			return err
		}
		d.use(k)
		return nil
	})
}

// KeyOfUnderOwnKid signs with the other agent's published key of the same algorithm, under the kid of this agent's.
func KeyOfUnderOwnKid(other *Agent) Change {
	return wrong(call("KeyOfUnderOwnKid", other.Role), "key of the agent "+other.Role+" under the own kid", func(d *draft) error {
		k, err := other.Ring.published(d.key.alg)
		if err != nil {
			return err
		}
		d.sign = k.sign
		return nil
	})
}

// SignedBySpare signs with a spare ES256 key, under its kid. The token is right while that key is published.
func SignedBySpare(spare Spare) Change {
	return fine(call("SignedBySpare", string(spare)), "ES256 by the "+string(spare)+" key", func(d *draft) error {
		k := d.agent.Ring.spares[spare]
		if k == nil {
			return fmt.Errorf("there is no spare key %q", string(spare))
		}
		d.use(k)
		return nil
	}).algorithm()
}
