package provider

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pact-conform/pact-conform/harness/evidence"
)

// Names of the OAuth endpoints, as exchanges are tagged (§5.3, RFC 8414, RFC 7009).
const (
	OperationMetadata   = "oauth metadata"
	OperationKeys       = "oauth jwks"
	OperationDevice     = "device authorization"
	OperationToken      = "token"
	OperationRevocation = evidence.Revocation
	// OperationPage is a request of the User's browser.
	OperationPage = "page"
)

// The grant types of §5.3.
const (
	GrantDeviceCode = "urn:ietf:params:oauth:grant-type:device_code"
	GrantRefresh    = "refresh_token"
)

const mediaForm = "application/x-www-form-urlencoded"

// Delegation is what a card says of delegated authority (§5.1).
type Delegation struct {
	DeviceAuthorizationURL, TokenURL, MetadataURL string
	// Scopes are the ids with their descriptions.
	Scopes map[string]string
}

// ParseDelegation reads the first oauth2SecurityScheme, by name, with a deviceCode flow; nil where
// there is none. Members of another type are left empty: whether they are right is judged.
func ParseDelegation(body []byte) *Delegation {
	var card struct {
		SecuritySchemes map[string]struct {
			OAuth2 *struct {
				Flows struct {
					DeviceCode *struct {
						DeviceAuthorizationURL string            `json:"deviceAuthorizationUrl"`
						TokenURL               string            `json:"tokenUrl"`
						Scopes                 map[string]string `json:"scopes"`
					} `json:"deviceCode"`
				} `json:"flows"`
				MetadataURL string `json:"oauth2MetadataUrl"`
			} `json:"oauth2SecurityScheme"`
		} `json:"securitySchemes"`
	}
	_ = json.Unmarshal(body, &card)
	for _, name := range slices.Sorted(maps.Keys(card.SecuritySchemes)) {
		scheme := card.SecuritySchemes[name]
		if scheme.OAuth2 != nil && scheme.OAuth2.Flows.DeviceCode != nil {
			flow := scheme.OAuth2.Flows.DeviceCode
			return &Delegation{
				DeviceAuthorizationURL: flow.DeviceAuthorizationURL, TokenURL: flow.TokenURL,
				MetadataURL: scheme.OAuth2.MetadataURL, Scopes: flow.Scopes,
			}
		}
	}
	return nil
}

// scopeToken is what a scope id is made of (RFC 6749 §3.3): the others cannot be asked for.
var scopeToken = regexp.MustCompile(`^[\x21\x23-\x5B\x5D-\x7E]+$`)

// ScopeIDs are the ids of the card's scopes that can be asked for, sorted.
func (d *Delegation) ScopeIDs() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(d.Scopes)), func(id string) bool { return !scopeToken.MatchString(id) })
}

// FirstScope is a scope of the card, the same in every run; empty where it has none.
func (d *Delegation) FirstScope() string {
	if ids := d.ScopeIDs(); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// Metadata is what the harness needs of RFC 8414 metadata.
type Metadata struct {
	Issuer             string `json:"issuer"`
	JWKSURI            string `json:"jwks_uri"`
	RevocationEndpoint string `json:"revocation_endpoint"`
}

// Form posts a form to an OAuth endpoint, with the personal-agent JWT as client credential. A
// client_id of the agent's issuer goes along unless the form has one; an empty one is left out.
func (c Caller) Form(operation, endpoint string, form url.Values) *Answer {
	body := url.Values{"client_id": {c.Agent.Issuer}}
	for name, values := range form {
		body[name] = values
	}
	if body.Get("client_id") == "" {
		body.Del("client_id")
	}
	return c.request(operation, http.MethodPost, endpoint, mediaForm, []byte(body.Encode()), "")
}

// Authorize asks for scopes by device code (RFC 8628 §3.1).
func (c Caller) Authorize(d *Delegation, scopes ...string) *Answer {
	return c.Form(OperationDevice, d.DeviceAuthorizationURL, url.Values{"scope": {strings.Join(scopes, " ")}})
}

// Redeem polls the token endpoint once for a device code (RFC 8628 §3.4).
func (c Caller) Redeem(d *Delegation, deviceCode string) *Answer {
	return c.Form(OperationToken, d.TokenURL, url.Values{"grant_type": {GrantDeviceCode}, "device_code": {deviceCode}})
}

// Refresh asks for a new token of a grant (RFC 6749 §6); without scopes for those that it has.
func (c Caller) Refresh(d *Delegation, refreshToken string, scopes ...string) *Answer {
	form := url.Values{"grant_type": {GrantRefresh}, "refresh_token": {refreshToken}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	return c.Form(OperationToken, d.TokenURL, form)
}

// Revoke ends a grant by its refresh token (RFC 7009 §2.1).
func (c Caller) Revoke(m Metadata, refreshToken string) *Answer {
	return c.Form(OperationRevocation, m.RevocationEndpoint, url.Values{"token": {refreshToken}, "token_type_hint": {"refresh_token"}})
}

// Delegated sends a delegation token beside the personal-agent JWT (§5.5).
func (c Caller) Delegated(token string) Caller {
	return c.Header(DelegationHeader, "Bearer "+token)
}

// DelegationHeader carries the delegation token (§5.5).
const DelegationHeader = "X-A2A-User-Delegation"

// DeviceCode is the answer of a device authorization (RFC 8628 §3.2).
type DeviceCode struct {
	DeviceCode              string  `json:"device_code"`
	UserCode                string  `json:"user_code"`
	VerificationURI         string  `json:"verification_uri"`
	VerificationURIComplete string  `json:"verification_uri_complete"`
	ExpiresIn               float64 `json:"expires_in"`
	Interval                float64 `json:"interval"`
}

// TokenAnswer is the answer of the token endpoint (§5.3).
type TokenAnswer struct {
	TokenType    string  `json:"token_type"`
	AccessToken  string  `json:"access_token"`
	RefreshToken string  `json:"refresh_token"`
	ExpiresIn    float64 `json:"expires_in"`
	Scope        string  `json:"scope"`
	Error        string  `json:"error"`
}

// Into reads the body as JSON into a value, as far as it fits.
func (a *Answer) Into(value any) { _ = json.Unmarshal(a.Body, value) }

// Context is what bounds the caller's requests.
func (c Caller) Context() context.Context { return c.ctx }
