package judge

import "github.com/pact-conform/pact-conform/harness/result"

// VerifySignature is the judgement over a signature, made while the run still had it: the record
// keeps header and claims, the mask takes the signature. problem is empty where it verified.
func VerifySignature(of, problem string) Judge {
	j := verifySignature(signatureArgs{Of: of})
	j.find = func([]*result.Exchange) Finding {
		if problem != "" {
			return failed(signedAs(of), "%s", problem)
		}
		return passed(signedAs(of))
	}
	return j
}

type signatureArgs struct {
	Of string `json:"of"`
}

func signedAs(of string) string {
	return of + ": a JWS with ES256 or RS256 that verifies with the keys at jwks_uri"
}

var verifySignature = define("VerifySignature", func(a signatureArgs, _ []*result.Exchange) Finding {
	return Finding{Outcome: result.Errored, Expected: signedAs(a.Of), Got: "this needs what the mask took away"}
})
