package judge

import (
	"fmt"
	"time"

	"github.com/pact-conform/pact-conform/harness/result"
)

// slack is what a time may be off, for clocks and for the way (§5.4, §5.6).
const slack = 60 * time.Second

// offsetArgs have the Provider's clock minus ours, in seconds.
type offsetArgs struct {
	Offset float64 `json:"offset"`
}

// span is the time from request to answer, by the Provider's clock.
func (a offsetArgs) span(x *result.Exchange) (from, to time.Time) {
	from = x.Started.Add(seconds(a.Offset))
	return from, from.Add(seconds(x.Duration))
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// unixSeconds are those of a time since 1970.
func unixSeconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// off says how far a time is outside the span with its slack; nothing where it is inside.
func off(seconds float64, from, to time.Time) string {
	earliest, latest := unixSeconds(from), unixSeconds(to)
	switch {
	case seconds < earliest-slack.Seconds():
		return fmt.Sprintf("%.0f s before the request", earliest-seconds)
	case seconds > latest+slack.Seconds():
		return fmt.Sprintf("%.0f s after the answer", seconds-latest)
	}
	return ""
}

// times are iat and exp of a token, or what is wrong with them.
func times(claims map[string]any) (iat, exp float64, short shortfall) {
	iat, issued := claims["iat"].(float64)
	exp, expires := claims["exp"].(float64)
	if !issued || !expires {
		return 0, 0, failing("iat %s, exp %s", show(claims["iat"]), show(claims["exp"]))
	}
	return iat, exp, shortfall{}
}

// HaveTokenTimes passes token answers whose token has iat and exp as numbers: iat about the time of
// the exchange, exp after it (§5.4). offset is the Provider's clock minus ours, in seconds.
func HaveTokenTimes(offset float64) Judge { return haveTokenTimes(offsetArgs{offset}) }

var haveTokenTimes = define("HaveTokenTimes", func(a offsetArgs, xs []*result.Exchange) Finding {
	return each("a token with iat, about the time of the exchange, and exp, after iat, as numbers", xs, func(x *result.Exchange) shortfall {
		claims, short := tokenClaims(x)
		if claims == nil {
			return short
		}
		iat, exp, short := times(claims)
		if short.got != "" {
			return short
		}
		from, to := a.span(x)
		if away := off(iat, from, to); away != "" {
			return failing("iat %s, %s", show(iat), away)
		}
		if exp <= iat {
			return failing("exp %s, iat %s", show(exp), show(iat))
		}
		return shortfall{}
	})
})

// LiveAnHourAtMost passes token answers whose token has at most 3600 seconds from iat to exp (§5.4).
func LiveAnHourAtMost() Judge { return liveAnHourAtMost(none{}) }

var liveAnHourAtMost = define("LiveAnHourAtMost", func(_ none, xs []*result.Exchange) Finding {
	return eachToken("a token that lives for 3600 s at most", xs, func(claims map[string]any) shortfall {
		iat, exp, short := times(claims)
		if short.got != "" {
			return short
		}
		if exp-iat > 3600 {
			return failing("%s s from iat to exp", show(exp-iat))
		}
		return shortfall{}
	})
})

// AgreeOnExpiry passes token answers whose expires_in is within 10 seconds of what the token's exp
// leaves (§5.4). offset is the Provider's clock minus ours, in seconds.
func AgreeOnExpiry(offset float64) Judge { return agreeOnExpiry(offsetArgs{offset}) }

var agreeOnExpiry = define("AgreeOnExpiry", func(a offsetArgs, xs []*result.Exchange) Finding {
	const most = 10
	return each("expires_in within 10 s of what the token's exp leaves", xs, func(x *result.Exchange) shortfall {
		claims, short := tokenClaims(x)
		if claims == nil {
			return short
		}
		promised, ok := object(x)["expires_in"].(float64)
		if !ok {
			return failing("expires_in %s", show(object(x)["expires_in"]))
		}
		exp, ok := claims["exp"].(float64)
		if !ok {
			return failing("exp %s", show(claims["exp"]))
		}
		from, to := a.span(x)
		least, longest := exp-unixSeconds(to), exp-unixSeconds(from)
		if promised < least-most || promised > longest+most {
			return failing("expires_in %s, exp leaves %.0f s", show(promised), longest)
		}
		return shortfall{}
	})
})

// ExpireNoLater passes token answers whose expires_in promises no more than the token's exp leaves,
// but for a minute (§5.3). Without an exp that can be read it has nothing to say. offset is the
// Provider's clock minus ours, in seconds.
func ExpireNoLater(offset float64) Judge { return expireNoLater(offsetArgs{offset}) }

var expireNoLater = define("ExpireNoLater", func(a offsetArgs, xs []*result.Exchange) Finding {
	return each("expires_in that promises no more than the token's exp leaves", xs, func(x *result.Exchange) shortfall {
		token := tokenOf(x)
		promised, ok := object(x)["expires_in"].(float64)
		if token == "" || !ok {
			return failing("%s, expires_in %s", Told(x), show(object(x)["expires_in"]))
		}
		exp, ok := claimsOf(token)["exp"].(float64)
		if !ok {
			return shortfall{}
		}
		from, _ := a.span(x)
		if left := exp - unixSeconds(from); promised > left+slack.Seconds() {
			return failing("expires_in %s, exp leaves %.0f s", show(promised), left)
		}
		return shortfall{}
	})
})
