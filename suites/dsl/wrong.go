package dsl

import (
	"time"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/agent"
)

// Expired and TooLong are clearly beyond what §3.2 allows.
const (
	Expired = 40 * time.Second
	TooLong = agent.MaxLifetime + time.Second
)

// EachWrongToken are the ways of being wrong that every operation must notice.
var EachWrongToken = func(yield func(string, agent.Change) bool) {
	_ = yield("aud", agent.AudienceValue("another-"+uuid.NewString())) &&
		yield("expired", agent.Expired(Expired)) &&
		yield("signature", agent.WrongKeySameKid()) &&
		yield("none", agent.None("none", false)) &&
		yield("hs256", agent.HS256(agent.PublicPEM)) &&
		yield("301s", agent.Lifetime(TooLong)) &&
		yield("no-sub", agent.Without("sub")) &&
		yield("no-iat", agent.Without("iat"))
}
