package identity

import (
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §2.2 Operations: what they answer
var _ = Clause("2.2", func() {
	Case("PACT-2.2-01", "first", func(c *engine.C) {
		first := firstMessage.In(c).reply
		c.ControlOver(first).To(judge.BeOK())
		c.Judge(first).To(judge.BeMessageOrTask())
	}, engine.Using(firstMessage))
	Throughout("PACT-2.2-01", "every-200", sent200, judge.BeMessageOrTask())

	Lists("PACT-2.2-02", "empty", "", judge.BeEmptyTaskList())
	Lists("PACT-2.2-03", "default", "", judge.HavePageSize(50))
	Lists("PACT-2.2-04", "1", "pageSize=1", judge.HavePageSize(1))
	Lists("PACT-2.2-04", "100", "pageSize=100", judge.HavePageSize(100))
	for _, size := range []string{"0", "-1", "101"} {
		ListsWrongly("PACT-2.2-05", size, "pageSize="+size)
	}
	for _, size := range []string{"abc", "1.5", "10x"} {
		ListsWrongly("PACT-2.2-06", size, "pageSize="+size)
	}
	Case("PACT-2.2-06", "empty", func(c *engine.C) {
		c.Observe("pageSize=: %s", judge.Answered(c.Brand().Tasks("pageSize=").Exchange))
	})

	Case("PACT-2.2-07", "random-uuid", func(c *engine.C) {
		c.Expect(Task.Ask(c.Brand().Expecting(result.ExpectError))).To(judge.BeA2AError(judge.TaskNotFound))
	})
	Case("PACT-2.2-08", "empty-object", func(c *engine.C) {
		c.Expect(Cancel.Ask(c.Brand().Expecting(result.ExpectError))).To(judge.BeA2AError(judge.TaskNotFound))
	})
	Case("PACT-2.2-08", "no-body", func(c *engine.C) {
		c.Expect(c.Brand().Expecting(result.ExpectError).Do(provider.OperationCancel, http.MethodPost, "tasks/"+uuid.NewString()+":cancel", "", nil)).
			To(judge.BeA2AErrorOrWarn([]string{judge.TaskNotFound}, []string{judge.InvalidParams}))
	})

	Undeclared("PACT-2.2-09", "stream", streaming, stream, judge.UnsupportedOperation)
	Undeclared("PACT-2.2-10", "subscribe", streaming, subscribe, judge.UnsupportedOperation, judge.TaskNotFound)
	Case("PACT-2.2-11", "extended-card", func(c *engine.C) {
		if c.Card().Capabilities.ExtendedAgentCard {
			c.Expect(extendedCard(c.Brand())).To(judge.BeOKOr(judge.ExtendedAgentCardNotConfigured))
			return
		}
		c.Expect(extendedCard(c.Brand().Expecting(result.ExpectError))).To(judge.BeA2AError(judge.UnsupportedOperation))
	})
	for _, config := range pushConfigs {
		Undeclared("PACT-2.2-12", config.Name, push, config.Ask, judge.PushNotificationNotSupported)
	}
})

// §2.2 Operations: what is none
var _ = Clause("2.2", func() {
	for _, r := range noRoutes {
		Case("PACT-2.2-13", r.Name, func(c *engine.C) {
			c.Expect(r.Ask(c.Brand())).To(judge.BeNoRoute())
		})
		Case("PACT-2.2-14", r.Name, func(c *engine.C) {
			c.Expect(r.Ask(c.Brand())).To(judge.HaveNoA2ABody())
		})
		Case("PACT-2.2-15", r.Name, func(c *engine.C) {
			c.Control(matchedWithoutToken.In(c)).To(judge.BeUnauthorized())
			c.Expect(r.Ask(c.Brand().WithoutToken())).To(judge.BeNoRoute())
		}, engine.Using(matchedWithoutToken))
	}

	for _, op := range []Operation{Tasks, Send} {
		Case("PACT-2.2-16", op.Name, func(c *engine.C) {
			c.Controlled(RightToken.In(c).Control)
			answer := op.Ask(unknownBrandCaller(c).Expecting(result.ExpectNoRoute))
			c.Expect(answer).To(judge.HaveStatus(404))
			c.Expect(answer).To(judge.HaveNoA2ABody())
		}, engine.Using(RightToken))
		Case("PACT-2.2-17", op.Name, func(c *engine.C) {
			answer := op.Ask(unknownBrandCaller(c).WithoutToken().Expecting(result.ExpectNoRoute))
			c.Expect(answer).To(judge.HaveStatus(401, 404))
			c.Expect(answer).To(judge.HaveNoA2ABody())
		})
	}

	for _, odd := range []struct{ name, id string }{
		{"encoded-slash", "a/b"}, {"2-kib", strings.Repeat("a", 2<<10)}, {"unicode", "täsk-訂單-🧾"},
	} {
		Case("PACT-2.2-18", odd.name, func(c *engine.C) {
			c.Expect(c.Brand().Task(odd.id)).To(judge.BeRefusedAtAll())
		})
	}

	Case("PACT-2.2-19", "declared", func(c *engine.C) {
		declared := c.Card().Capabilities
		if !declared.Streaming && !declared.PushNotifications && !declared.ExtendedAgentCard {
			c.NotApplicable("the card declares no capability")
		}
		if declared.Streaming {
			c.Observe("message:stream: %s", judge.Answered(stream(c.Brand()).Exchange))
		}
		if declared.PushNotifications {
			c.Observe("push configurations: %s", judge.Answered(pushConfigs[0].Ask(c.Brand()).Exchange))
		}
		if declared.ExtendedAgentCard {
			c.Observe("extendedAgentCard: %s", judge.Answered(extendedCard(c.Brand()).Exchange))
		}
	})
})

// Lists judges the answer of GET tasks to a User who never had one.
func Lists(id, name, query string, j judge.Judge) {
	Case(id, name, func(c *engine.C) {
		c.Expect(c.Brand().Expecting(result.ExpectSuccess).Tasks(query)).To(j)
	})
}

// ListsWrongly is a GET tasks with a wrong pageSize, beside one with a right one.
func ListsWrongly(id, name, query string) {
	Case(id, name, func(c *engine.C) {
		c.Expect(c.Brand().Expecting(result.ExpectError).Tasks(query)).To(judge.BeA2AError(judge.InvalidParams))
	})
}

// capability is one that a card may declare.
type capability struct {
	name     string
	declared func(provider.Card) bool
}

var (
	streaming = capability{"streaming", func(card provider.Card) bool { return card.Capabilities.Streaming }}
	push      = capability{"push notifications", func(card provider.Card) bool { return card.Capabilities.PushNotifications }}
)

// Undeclared is an Operation of a capability that the card does not declare (A2A 1.0 §3.3.4).
func Undeclared(id, name string, of capability, ask func(provider.Caller) *provider.Answer, reasons ...string) {
	Case(id, name, func(c *engine.C) {
		if of.declared(c.Card()) {
			c.NotApplicable("the card declares %s", of.name)
		}
		c.Expect(ask(c.Brand().Expecting(result.ExpectError))).To(judge.BeA2AError(reasons...))
	})
}

// matchedWithoutToken shows that a route which is matched asks for the token.
var matchedWithoutToken = engine.NewJourney("a matched route without a token", func(c *engine.C) *provider.Answer {
	v := RightToken.In(c)
	return v.Ask(v.As(c).WithoutToken().Expecting(result.ExpectUnauthorized))
}, RightToken)

// noRoutes are requests that match no Operation of A2A.
var noRoutes = func() []Operation {
	var all []Operation
	for _, r := range []struct{ name, method, path, body string }{
		{"get-nothing-here", http.MethodGet, "nothing-here", ""},
		{"post-message-shout", http.MethodPost, "message:shout", "{}"},
		{"get-message-send", http.MethodGet, "message:send", ""},
		{"put-message-send", http.MethodPut, "message:send", "{}"},
		{"delete-message-send", http.MethodDelete, "message:send", ""},
		{"post-tasks", http.MethodPost, "tasks", "{}"},
		{"delete-tasks", http.MethodDelete, "tasks", ""},
		{"put-task", http.MethodPut, "tasks/no-task", "{}"},
	} {
		all = append(all, Operation{Name: r.name, Ask: func(c provider.Caller) *provider.Answer {
			contentType := ""
			if r.body != "" {
				contentType = mediaJSON
			}
			return c.Expecting(result.ExpectNoRoute).Do(provider.OperationNone, r.method, r.path, contentType, []byte(r.body))
		}})
	}
	return all
}()
