package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/pact-conform/pact-conform/harness/agent"
	"github.com/pact-conform/pact-conform/harness/config"
)

// ErrRegistration is in every error of Open that came of making an agent known to the Provider: the
// configuration may be right, and the Provider or the command not.
var ErrRegistration = errors.New("agents.register")

// registration is what a Provider has to know of a personal agent (§3.1).
type registration struct {
	Role    string `json:"role"`
	Issuer  string `json:"issuer"`
	JWKSURI string `json:"jwksUri"`
}

// register makes the agents known to the Provider, in the way that is configured: by a call of
// their own, or by a command. The disabled agent is left alone: being disabled, it is known.
func (s *Session) register(ctx context.Context, c *config.Config) error {
	how, ok := c.Agents.Register.Get()
	if !ok {
		return nil
	}
	for _, a := range []*agent.Agent{s.Setup.Primary, s.Setup.Second} {
		if a == nil {
			continue
		}
		body, err := json.Marshal(registration{a.Role, a.Issuer, a.JWKSURI()})
		if err == nil && how.URL != "" {
			err = callRegistration(ctx, a, how.URL, s.Setup.Headers, body)
		} else if err == nil {
			err = runCommand(ctx, c.Dir, how.Command, body)
		}
		if err != nil {
			return fmt.Errorf("%w: the agent %s (%s): %s", ErrRegistration, a.Role, a.Issuer, masking(c)(err.Error()))
		}
	}
	return nil
}

// callRegistration posts to a URL where agents register themselves, with a JWT whose aud is that URL.
func callRegistration(ctx context.Context, a *agent.Agent, url string, headers http.Header, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, commandDeadline)
	defer cancel()
	token, err := a.Mint(agent.Params{Subject: a.Issuer, Audience: url, Now: time.Now()})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, values := range headers {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token.Compact)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered %s", url, answer.Status)
	}
	return nil
}
