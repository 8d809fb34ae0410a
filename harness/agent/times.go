package agent

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// ExpiresIn sets exp that long after now. iat stays.
func ExpiresIn(d time.Duration) Change {
	return timed(lawful(d), call("ExpiresIn", seconds(d)), "exp in "+seconds(d), func(t *draft) error {
		t.claims["exp"] = t.now.Add(d).Unix()
		return nil
	})
}

// Lifetime sets exp that long after iat. iat stays, now by default.
func Lifetime(d time.Duration) Change {
	return timed(lawful(d), call("Lifetime", seconds(d)), "lifetime "+seconds(d), func(t *draft) error {
		iat, ok := t.claims["iat"].(int64)
		if !ok {
			return errors.New("there is no iat to count the lifetime from")
		}
		t.claims["exp"] = time.Unix(iat, 0).Add(d).Unix()
		return nil
	})
}

// LifetimeShifted sets iat to issuedAgo in the past, and exp a lifetime after it.
func LifetimeShifted(lifetime, issuedAgo time.Duration) Change {
	words := fmt.Sprintf("lifetime %s, issued %s ago", seconds(lifetime), seconds(issuedAgo))
	right := lawful(lifetime) && issuedAgo >= 0 && issuedAgo < lifetime
	return timed(right, call("LifetimeShifted", seconds(lifetime), seconds(issuedAgo)), words, func(t *draft) error {
		t.lives(t.now.Add(-issuedAgo), lifetime)
		return nil
	})
}

// IssuedAt sets iat that far from now, in the future or (negative) in the past. exp moves along.
func IssuedAt(offset time.Duration) Change {
	const skew = 30 * time.Second
	right := offset <= skew && -offset < DefaultLifetime
	return timed(right, call("IssuedAt", seconds(offset)), "iat "+signed(offset), func(t *draft) error {
		if -offset >= DefaultLifetime {
			return fmt.Errorf("iat %s would leave the token expired: LifetimeShifted or Expired says so", signed(offset))
		}
		t.lives(t.now.Add(offset), DefaultLifetime)
		return nil
	})
}

// Expired sets exp that long before now. iat moves along, so that the lifetime stays what it is.
func Expired(ago time.Duration) Change {
	return timed(false, call("Expired", seconds(ago)), "expired "+seconds(ago)+" ago", func(t *draft) error {
		t.lives(t.now.Add(-ago-DefaultLifetime), DefaultLifetime)
		return nil
	})
}

// NotBefore sets nbf that far from now, in the future or (negative) in the past. Its twin is nbf 60 s in the past.
func NotBefore(offset time.Duration) Change {
	c := timed(offset <= 0, call("NotBefore", seconds(offset)), "nbf "+signed(offset), func(t *draft) error {
		t.claims["nbf"] = t.now.Add(offset).Unix()
		return nil
	})
	if c.right {
		return c
	}
	return c.beside(NotBefore(-time.Minute))
}

// StringTime writes a time claim, iat or exp, as a string of digits.
func StringTime(claim string) Change {
	return wrong(call("StringTime", claim), claim+" as a string", func(d *draft) error {
		value, ok := d.claims[claim].(int64)
		if !ok {
			return fmt.Errorf("%s is no number", claim)
		}
		d.claims[claim] = strconv.FormatInt(value, 10)
		return nil
	})
}

func timed(right bool, name, words string, edit func(*draft) error) Change {
	c := wrong(name, words, edit)
	c.right = right
	return c
}

// lawful reports whether §3.2 allows the lifetime.
func lawful(lifetime time.Duration) bool { return lifetime > 0 && lifetime <= MaxLifetime }

// signed writes an offset with its sign.
func signed(offset time.Duration) string {
	if offset < 0 {
		return seconds(offset)
	}
	return "+" + seconds(offset)
}

// seconds writes a duration as the specification does.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}
