package judge_test

import (
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/result"
)

// text is a consent page with that visible text.
func text(visible string) *result.Exchange {
	return page("consent", func(x *result.Exchange) { x.Page.Text = visible })
}

const (
	pa        = "https://pa.example.com"
	local     = "http://127.0.0.1:8080"
	wantsPA   = "the origin https://pa.example.com"
	wantsPort = "the origin http://127.0.0.1:8080"
)

var _ = add(
	passes("in a sentence", judge.ShowOrigin(pa), text("Allow https://pa.example.com to:"), text("This is https://pa.example.com."), text("(https://pa.example.com)"), text("https://pa.example.com: asks"), text("https://pa.example.com - asks")),
	passes("with a path behind", judge.ShowOrigin(pa), text("https://pa.example.com/about"), text("https://pa.example.com/"), text("https://pa.example.com?x=1")),
	passes("in capitals, by a style", judge.ShowOrigin(pa), text("HTTPS://PA.EXAMPLE.COM ASKS")),
	passes("before letters of another script", judge.ShowOrigin(pa), text("https://pa.example.comがアクセスを求めています")),
	passes("with marks to break it at", judge.ShowOrigin(pa), text("https://\u200bpa.\u00adexample.com\u2069")),
	passes("with the port that goes without saying", judge.ShowOrigin(pa), text("https://pa.example.com:443 asks")),
	passes("and said in the origin", judge.ShowOrigin("https://pa.example.com:443"), text("https://pa.example.com asks"), text("https://pa.example.com:443")),
	passes("with another port", judge.ShowOrigin(local), text("Allow http://127.0.0.1:8080/ to:")),
	passes("behind a longer one", judge.ShowOrigin(pa), text("https://pa.example.com.evil is not https://pa.example.com")),
	passes("an address of IPv6", judge.ShowOrigin("http://[::1]:8080"), text("http://[::1]:8080 asks")),

	warns("the host alone", judge.ShowOrigin(pa), wantsPA, "the host alone (x1)", text("Allow pa.example.com to:")),
	warns("the host of another scheme", judge.ShowOrigin(pa), wantsPA, "the host alone (x1)", text("http://pa.example.com")),
	warns("the host behind a word", judge.ShowOrigin(pa), wantsPA, "the host alone (x1)", text("App:pa.example.com, App")),
	warns("the host and its port", judge.ShowOrigin(local), wantsPort, "the host alone (x2)", text("http://127.0.0.1:8080"), named("x2", text("127.0.0.1:8080 asks"))),

	fails("a longer host", judge.ShowOrigin(pa), wantsPA, `"https://pa.example.com.evil" (x1)`, text("https://pa.example.com.evil")),
	fails("a longer label", judge.ShowOrigin(pa), wantsPA, `"https://pa.example.com-evil.example" (x1)`, text("https://pa.example.com-evil.example")),
	fails("a user before another host", judge.ShowOrigin(pa), wantsPA, `"https://pa.example.com@evil.example" (x1)`, text("https://pa.example.com@evil.example")),
	fails("a password, too", judge.ShowOrigin(pa), wantsPA, `"https://pa.example.com:x@evil.example" (x1)`, text("https://pa.example.com:x@evil.example")),
	fails("a host below it", judge.ShowOrigin(pa), wantsPA, `"www.pa.example.com, me@pa.example.com" (x1)`, text("www.pa.example.com,\nme@pa.example.com")),
	fails("a port", judge.ShowOrigin(pa), wantsPA, `"https://pa.example.com:8443" (x1)`, text("https://pa.example.com:8443")),
	fails("no port", judge.ShowOrigin(local), wantsPort, `"http://127.0.0.1 asks" (x1)`, text("http://127.0.0.1 asks")),
	fails("a longer port", judge.ShowOrigin(local), wantsPort, `"http://127.0.0.1:80801" (x1)`, text("http://127.0.0.1:80801")),
	fails("in what is not seen", judge.ShowOrigin(pa), wantsPA, `"" (x1)`, page("consent", content(pa))),
	fails("a failure behind a warning", judge.ShowOrigin(pa), wantsPA, `"An agent" (x2)`, text("pa.example.com"), named("x2", text("An agent"))),
	fails("nothing read", judge.ShowOrigin(pa), wantsPA, noPage, unread()),
)
