package judge_test

import "github.com/pact-conform/pact-conform/harness/judge"

const (
	wantsTimes  = "a token with iat, about the time of the exchange, and exp, after iat, as numbers"
	wantsHour   = "a token that lives for 3600 s at most"
	wantsAgreed = "expires_in within 10 s of what the token's exp leaves"
	wantsNoMore = "expires_in that promises no more than the token's exp leaves"
)

var _ = add(
	passes("now", judge.HaveTokenTimes(0), issued()),
	passes("fractions", judge.HaveTokenTimes(0), issued("1767225600", "1767225600.25")),
	passes("a minute off", judge.HaveTokenTimes(0), issued("1767225600", "1767225540"), issued("1767225600", "1767225662")),
	passes("by a clock that is an hour ahead", judge.HaveTokenTimes(3600), issued("1767225600", "1767229200", "1767229200", "1767232800")),
	fails("too early", judge.HaveTokenTimes(0), wantsTimes, "iat 1767225539, 61 s before the request (x1)", issued("1767225600", "1767225539")),
	fails("too late", judge.HaveTokenTimes(0), wantsTimes, "iat 1767225663, 61 s after the answer (x1)", issued("1767225600", "1767225663")),
	fails("milliseconds", judge.HaveTokenTimes(0), wantsTimes, "iat 1767225600000, 1765458374398 s after the answer (x1)", issued("1767225600", "1767225600000")),
	fails("by a clock that is an hour behind", judge.HaveTokenTimes(-3600), wantsTimes, "iat 1767225600, 3598 s after the answer (x1)", issued()),
	fails("over before it began", judge.HaveTokenTimes(0), wantsTimes, "exp 1767225600, iat 1767225600 (x1)", issued("1767229200", "1767225600")),
	fails("no iat", judge.HaveTokenTimes(0), wantsTimes, "iat missing, exp 1767229200 (x1)", issued(`"iat"`, `"at"`)),
	fails("texts", judge.HaveTokenTimes(0), wantsTimes, `iat "1767225600", exp true (x2)`, issued(), named("x2", issued("1767225600", `"1767225600"`, "1767229200", "true"))),
	fails("an error", judge.HaveTokenTimes(0), wantsTimes, notGranted, oauthError(400, "access_denied")),

	passes("an hour", judge.LiveAnHourAtMost(), issued()),
	fails("a second more", judge.LiveAnHourAtMost(), wantsHour, "3601 s from iat to exp (x1)", issued("1767229200", "1767229201")),
	fails("no iat", judge.LiveAnHourAtMost(), wantsHour, "iat missing, exp 1767229200 (x1)", issued(`"iat"`, `"at"`)),
	fails("an error", judge.LiveAnHourAtMost(), wantsHour, notGranted, oauthError(400, "access_denied")),

	passes("the same", judge.AgreeOnExpiry(0), issued()),
	passes("ten seconds off", judge.AgreeOnExpiry(0), saying(issued(), "3600", "3610"), saying(issued(), "3600", "3588")),
	passes("by a clock that is ahead", judge.AgreeOnExpiry(100), saying(issued(), "3600", "3500")),
	fails("more", judge.AgreeOnExpiry(0), wantsAgreed, "expires_in 3611, exp leaves 3600 s (x1)", saying(issued(), "3600", "3611")),
	fails("less", judge.AgreeOnExpiry(0), wantsAgreed, "expires_in 3587, exp leaves 3600 s (x1)", saying(issued(), "3600", "3587")),
	fails("a text", judge.AgreeOnExpiry(0), wantsAgreed, `expires_in "3600" (x1)`, saying(issued(), "3600", `"3600"`)),
	fails("no exp", judge.AgreeOnExpiry(0), wantsAgreed, "exp missing (x1)", issued(`"exp"`, `"until"`)),
	fails("an error", judge.AgreeOnExpiry(0), wantsAgreed, notGranted, oauthError(400, "access_denied")),

	passes("the same", judge.ExpireNoLater(0), issued()),
	passes("less", judge.ExpireNoLater(0), saying(issued(), "3600", "60")),
	passes("a minute more", judge.ExpireNoLater(0), saying(issued(), "3600", "3660")),
	passes("no exp", judge.ExpireNoLater(0), issued(`"exp"`, `"until"`), issued("1767229200", `"1767229200"`), granted()),
	fails("more", judge.ExpireNoLater(0), wantsNoMore, "expires_in 3661, exp leaves 3600 s (x1)", saying(issued(), "3600", "3661")),
	fails("of a token that is over", judge.ExpireNoLater(4000), wantsNoMore, "expires_in 60, exp leaves -400 s (x1)", saying(issued(), "3600", "60")),
	fails("a text", judge.ExpireNoLater(0), wantsNoMore, `200 OK (application/json), expires_in "3600" (x1)`, saying(issued(), "3600", `"3600"`)),
	fails("an error", judge.ExpireNoLater(0), wantsNoMore, `400 Bad Request (application/json), error "access_denied", expires_in missing (x1)`, oauthError(400, "access_denied")),
)
