package provider

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
)

// The one interface that PACT asks for (§2.1).
const (
	Binding = "HTTP+JSON"
	Version = "1.0"
)

// Interface is where a Brand's operations are.
type Interface struct {
	// URL is the interface URL, verbatim from the card.
	URL string `json:"url"`
	// Tenant, where the card has one, goes into every path (A2A 1.0).
	Tenant string `json:"tenant"`
}

// Operation is the URL of an operation: the interface URL's text with one trailing slash trimmed,
// a slash and the path, with no resolution by RFC 3986.
func (i Interface) Operation(path string) string {
	base := strings.TrimSuffix(i.URL, "/")
	if i.Tenant != "" {
		base += "/" + url.PathEscape(i.Tenant)
	}
	return base + "/" + path
}

// ErrNoInterface says that a card lists no interface that PACT can be spoken over.
var ErrNoInterface = errors.New("the card lists no supportedInterfaces entry with protocolBinding " + Binding + ", protocolVersion " + Version + " and a url")

// Card is what the harness itself needs of an Agent Card; judges read the recorded body.
type Card struct {
	Name         string `json:"name"`
	Capabilities struct {
		Streaming         bool `json:"streaming"`
		PushNotifications bool `json:"pushNotifications"`
		ExtendedAgentCard bool `json:"extendedAgentCard"`
	}
	Interface Interface
	// Delegation is what the card offers of §5; nil where it offers none.
	Delegation *Delegation
}

// ParseCard reads a card and picks its interface by binding and version, whatever its position.
// Members that the harness does not need may have any form.
func ParseCard(body []byte) (Card, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return Card{}, errors.New("the card is no JSON object")
	}
	card := Card{Delegation: ParseDelegation(body)}
	_ = json.Unmarshal(members["name"], &card.Name)
	_ = json.Unmarshal(members["capabilities"], &card.Capabilities)
	var entries []json.RawMessage
	_ = json.Unmarshal(members["supportedInterfaces"], &entries)
	for _, entry := range entries {
		var candidate struct {
			Interface
			ProtocolBinding string `json:"protocolBinding"`
			ProtocolVersion string `json:"protocolVersion"`
		}
		if json.Unmarshal(entry, &candidate) == nil &&
			candidate.ProtocolBinding == Binding && candidate.ProtocolVersion == Version && candidate.URL != "" {
			card.Interface = candidate.Interface
			return card, nil
		}
	}
	return card, ErrNoInterface
}
