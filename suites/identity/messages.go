package identity

import (
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/judge"
	"github.com/pact-conform/pact-conform/harness/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	. "github.com/pact-conform/pact-conform/suites/dsl"
)

// §4.1 Request
var _ = Clause("4.1", func() {
	Invalid("PACT-4.1-01", "agent", provider.Member("role", "ROLE_AGENT"))
	Invalid("PACT-4.1-01", "unspecified", provider.Member("role", "ROLE_UNSPECIFIED"))
	Invalid("PACT-4.1-01", "user", provider.Member("role", "user"))
	Invalid("PACT-4.1-01", "missing", provider.Member("role", nil))

	Invalid("PACT-4.1-02", "no-parts", provider.Member("parts", nil))
	Invalid("PACT-4.1-02", "empty-parts", provider.Parts())
	Invalid("PACT-4.1-02", "blank", provider.Parts(provider.TextPart("   ")))
	Invalid("PACT-4.1-02", "tabs-and-newlines", provider.Parts(provider.TextPart(" \t\r\n"), provider.TextPart("\n\n")))
	Answers("PACT-4.1-03", "blank-first", judge.BeOK(), func(text string) provider.MessageOption {
		return provider.Parts(provider.TextPart(" "), provider.TextPart(text))
	})
	Answers("PACT-4.1-03", "blank-last", judge.BeOK(), func(text string) provider.MessageOption {
		return provider.Parts(provider.TextPart(text), provider.TextPart("\n"))
	})

	for _, kind := range otherKinds {
		Case("PACT-4.1-04", kind.name, func(c *engine.C) {
			plainly(c)
			c.Expect(c.Brand().Expecting(result.ExpectError).Ask(provider.Parts(kind.part))).
				To(judge.BeA2AErrorOrWarn([]string{judge.ContentTypeNotSupported}, []string{judge.InvalidParams}))
		}, engine.Using(firstMessage))
		Case("PACT-4.1-05", kind.name+"-after-text", func(c *engine.C) {
			plainly(c)
			c.Expect(c.Brand().Expecting(result.ExpectError).Ask(provider.Parts(provider.TextPart("Hello"), kind.part))).
				To(judge.BeA2AError(judge.ContentTypeNotSupported))
		}, engine.Using(firstMessage))
		Case("PACT-4.1-05", kind.name+"-before-text", func(c *engine.C) {
			plainly(c)
			c.Expect(c.Brand().Expecting(result.ExpectError).Ask(provider.Parts(kind.part, provider.TextPart("Hello")))).
				To(judge.BeA2AError(judge.ContentTypeNotSupported))
		}, engine.Using(firstMessage))
	}

	Case("PACT-4.1-06", "random-uuid", func(c *engine.C) {
		plainly(c)
		c.Expect(c.Brand().Expecting(result.ExpectError).Ask(provider.Member("taskId", uuid.NewString()))).
			To(judge.BeA2AError(judge.TaskNotFound))
	}, engine.Using(firstMessage))

	Invalid("PACT-4.1-07", "missing", provider.Member("messageId", nil))
	Invalid("PACT-4.1-07", "empty", provider.Member("messageId", ""))
	Invalid("PACT-4.1-07", "number", provider.Member("messageId", 1))

	InvalidBody("PACT-4.1-08", "empty", ``)
	InvalidBody("PACT-4.1-08", "truncated", `{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"Hel`)
	InvalidBody("PACT-4.1-08", "list", `[]`)
	InvalidBody("PACT-4.1-08", "null", `null`)
	InvalidBody("PACT-4.1-08", "string", `"Hello"`)
	InvalidBody("PACT-4.1-08", "no-message", `{}`)
	InvalidBody("PACT-4.1-08", "bare-message", `{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"Hello"}]}`)
	Invalid("PACT-4.1-08", "message-list", func(m *provider.Message) { m.Body["message"] = []any{m.Message} })
	Invalid("PACT-4.1-08", "parts-object", provider.Member("parts", provider.TextPart("Hello")))
	Invalid("PACT-4.1-08", "text-number", provider.Parts(map[string]any{"text": 7}))
	Invalid("PACT-4.1-08", "context-id-number", provider.Member("contextId", 7))

	Case("PACT-4.1-09", "both", func(c *engine.C) {
		plainly(c)
		nested := map[string]any{"client": map[string]any{"tags": []any{"a", 1, true, nil}}}
		c.Expect(c.Brand().Expecting(result.ExpectSuccess).Ask(
			provider.RequestMember("configuration", map[string]any{
				"acceptedOutputModes": []any{"text/plain"}, "historyLength": 3, "returnImmediately": true,
			}),
			provider.RequestMember("metadata", nested), provider.Member("metadata", nested),
		)).To(judge.BeReply())
	}, engine.Using(firstMessage))
	Answers("PACT-4.1-10", "each-level", judge.BeOK(), func(text string) provider.MessageOption {
		return func(m *provider.Message) {
			m.Body["xRequest"], m.Message["xMessage"] = map[string]any{"a": 1}, []any{"b"}
			m.Message["parts"] = []any{map[string]any{"text": text, "xPart": true}}
		}
	})
	Answers("PACT-4.1-11", "text-plain", judge.BeOK(), func(text string) provider.MessageOption {
		return provider.Parts(map[string]any{"text": text, "mediaType": "text/plain"})
	})
	Case("PACT-4.1-12", "unicode", func(c *engine.C) {
		plainly(c)
		body, err := json.Marshal(map[string]any{"message": map[string]any{
			"messageId": provider.NewMessageID(), "role": "ROLE_USER",
			"parts": []any{provider.TextPart("Grüße 👋🏽 שלום مرحبا e\u0301 你好 — " + c.Setup().Prompts.Plain + " §")},
		}})
		if err != nil {
			c.Fault(err)
		}
		escaped := strings.ReplaceAll(string(body), "§", `\ud83e\uddfe`)
		c.Expect(c.Brand().Expecting(result.ExpectSuccess).SendBody(mediaJSON, []byte(escaped))).To(judge.BeOK())
	}, engine.Using(firstMessage))
	Case("PACT-4.1-13", "256-kib", func(c *engine.C) {
		plainly(c)
		text := c.Setup().Prompts.Plain + " "
		c.Expect(c.Brand().Send(strings.Repeat(text, (256<<10)/len(text)+1))).To(judge.BeAnswered())
	}, engine.Using(firstMessage))
})

// otherKinds are the parts that are no text (A2A 1.0 §4.1).
var otherKinds = []struct {
	name string
	part map[string]any
}{
	{"url", map[string]any{"url": "https://pa.example/receipt.pdf", "mediaType": "application/pdf"}},
	{"raw", map[string]any{"raw": "JVBERi0xLjQ=", "mediaType": "application/pdf", "filename": "receipt.pdf"}},
	{"data", map[string]any{"data": map[string]any{"order": "A-88213"}}},
}

// plainly sees that a plain message gets a reply: the positive twin of what §4.1 says of others.
func plainly(c *engine.C) { c.ControlOver(firstMessage.In(c).reply).To(judge.BeReply()) }

// Invalid is a message that gets INVALID_PARAMS.
func Invalid(id, name string, change provider.MessageOption) {
	Case(id, name, func(c *engine.C) {
		plainly(c)
		c.Expect(c.Brand().Expecting(result.ExpectError).Ask(change)).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(firstMessage))
}

// InvalidBody is a body that gets INVALID_PARAMS.
func InvalidBody(id, name, body string) {
	Case(id, name, func(c *engine.C) {
		plainly(c)
		c.Expect(c.Brand().Expecting(result.ExpectError).SendBody(mediaJSON, []byte(body))).To(judge.BeA2AError(judge.InvalidParams))
	}, engine.Using(firstMessage))
}

// Answers is a message that is answered; change writes the plain text in some form.
func Answers(id, name string, j judge.Judge, change func(text string) provider.MessageOption) {
	Case(id, name, func(c *engine.C) {
		plainly(c)
		c.Expect(c.Brand().Expecting(result.ExpectSuccess).Ask(change(c.Setup().Prompts.Plain))).To(j)
	}, engine.Using(firstMessage))
}
