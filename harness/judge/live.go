package judge

import "github.com/pact-conform/pact-conform/harness/result"

// What live judges say was found while the run still had what the mask takes away from the record.
// Made again from a stored judgement they can say nothing.

// VerifySignature is the judgement over a signature, made while the run still had it: the record
// keeps header and claims, the mask takes the signature. problem is empty where it verified.
func VerifySignature(of, problem string) Judge {
	return seen(verifySignature(signatureArgs{Of: of}), signedAs(of), problem)
}

type signatureArgs struct {
	Of string `json:"of"`
}

func signedAs(of string) string {
	return of + ": a JWS with ES256 or RS256 that verifies with the keys at jwks_uri"
}

var verifySignature = define("VerifySignature", func(a signatureArgs, _ []*result.Exchange) Finding {
	return unseen(signedAs(a.Of))
})

// Witness is the judgement over what only the run could see. what says in plain words what was
// looked for; problem is empty where it was there. The exchanges beside it are not looked at, and
// need no answer.
func Witness(what, problem string) Judge { return seen(witness(whatArgs{What: what}), what, problem) }

type whatArgs struct {
	What string `json:"what"`
}

var witness = silent(define("Witness", func(a whatArgs, _ []*result.Exchange) Finding { return unseen(a.What) }))

// seen makes a judge say what the run saw.
func seen(j Judge, expected, problem string) Judge {
	j.find = func([]*result.Exchange) Finding {
		if problem != "" {
			return failed(expected, "%s", problem)
		}
		return passed(expected)
	}
	return j
}

func unseen(expected string) Finding {
	return Finding{Outcome: result.Errored, Expected: expected, Got: "this needs what the mask took away"}
}
