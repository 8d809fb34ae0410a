package config

import (
	"regexp"
	"strings"
)

// Field is one key of the configuration.
type Field struct {
	// Path names the key from the top, with [] for the elements of a list: users[].password.
	Path string
	Kind Kind
	// Words are values with a meaning of their own, besides those of Kind or instead of them.
	Words []string
	// Default holds where the key is left out; empty for none.
	Default string
	// Derived says in words what holds where the key is left out, when that depends on other keys.
	Derived string
	// Required keys must be there when the section that they are in is there.
	Required bool
	// Hint says where a required value comes from.
	Hint string
	// Secret values are never shown.
	Secret bool
	// Flag is the name of the flag that overrides the key; empty when there is none.
	Flag string
	// Needs lists the set-up that the key gives, in the words of the catalogue of requirements.
	Needs []string
	// Doc says what the key means.
	Doc string
}

// Fields is every key of the configuration, in the order of the documentation. Sections come before their keys.
var Fields = []Field{
	{Path: "version", Kind: Word, Words: []string{"1"}, Required: true, Hint: `write "version: 1" at the top`,
		Doc: "Version of this file's format."},

	{Path: "provider", Kind: Section, Required: true, Doc: "The Provider under test."},
	{Path: "provider.name", Kind: Text, Doc: "Its name, as the report shows it."},
	{Path: "provider.version", Kind: Text, Doc: "What of it is certified, as the report shows it."},
	{Path: "provider.audience", Kind: Text, Required: true, Flag: "audience",
		Hint: "the Provider assigns it to a personal agent at registration (§3.1)",
		Doc:  "The audience that it assigned (§3.1); goes into `aud` as it stands."},
	{Path: "provider.policy", Kind: Word, Words: []string{"allowlist", "open"}, Default: "allowlist",
		Doc: "Which personal agents it accepts (§3.1): registered ones, or any issuer that serves keys."},

	{Path: "brand", Kind: Section, Required: true, Doc: "The Brand that the run talks to."},
	{Path: "brand.card", Kind: URL, Required: true, Flag: "card", Hint: "the URL of the Brand's Agent Card (§2.1)",
		Doc: "URL of its Agent Card."},
	{Path: "brand.name", Kind: Text, Doc: "Its name, as the consent page shows it."},
	{Path: "brand.domain", Kind: Domain, Words: []string{"none"}, Needs: []string{"brand-domain"},
		Doc: "Its own host name, where the card's standard place is checked (§2.1)."},
	{Path: "brand.unknownCard", Kind: URL, Derived: "made from `brand.card`",
		Doc: "Card URL of a Brand that does not exist."},

	{Path: "otherBrand", Kind: Section, Words: []string{"none"}, Needs: []string{"second-brand", "second-delegated-brand"},
		Doc: "A second Brand of the same Provider."},
	{Path: "otherBrand.card", Kind: URL, Required: true, Flag: "other-card", Doc: "URL of its Agent Card."},
	{Path: "otherBrand.name", Kind: Text, Doc: "Its name, as the report shows it."},

	{Path: "gateway", Kind: Section, Doc: "What stands in front of the Provider, if anything."},
	{Path: "gateway.headers", Kind: Headers, Secret: true,
		Doc: "Names and values of headers that every request to the Provider carries, an access key of a staging gateway for instance."},

	{Path: "agents", Kind: Section, Doc: "The personal agents that are played."},
	{Path: "agents.mode", Kind: Word, Words: []string{"served", "static"}, Default: "served", Needs: []string{"served-jwks"},
		Doc: "`served`: pact-conform serves issuers and JWKS while it runs. `static`: you have published them (`pact-conform keys`)."},
	{Path: "agents.listen", Kind: Address, Default: "127.0.0.1:8700", Doc: "Served: host and port to listen on."},
	{Path: "agents.publicUrl", Kind: BaseURL, Derived: "made from `agents.listen`",
		Doc: "Served: URL under which the Provider reaches that address."},
	{Path: "agents.tls", Kind: Section, Doc: "Served: TLS of that address; without it plain HTTP."},
	{Path: "agents.tls.cert", Kind: Path, Doc: "PEM file of the certificate and its chain; goes with `key`."},
	{Path: "agents.tls.key", Kind: Path, Doc: "PEM file of its private key."},
	{Path: "agents.keys", Kind: Path, Derived: "fresh keys in each run",
		Doc: "Key ring that `pact-conform keys` wrote. Required in static mode."},
	{Path: "agents.extraKeys", Kind: Switch, Default: "true",
		Doc: "Publish a key of each algorithm that must be refused (§3.2), so that a refusal can only be about the algorithm."},
	{Path: "agents.primary", Kind: Section, Doc: "The agent that makes nearly all requests. The JWKS of an agent is `{issuer}/.well-known/jwks.json`."},
	{Path: "agents.primary.issuer", Kind: BaseURL, Derived: "`{publicUrl}/primary` in served mode",
		Doc: "Its issuer, exactly as registered. Required in static mode."},
	{Path: "agents.second", Kind: Section, Words: []string{"none"}, Needs: []string{"second-agent"}, Doc: "A second agent, registered too."},
	{Path: "agents.second.issuer", Kind: BaseURL, Required: true, Doc: "Its issuer, exactly as registered."},
	{Path: "agents.disabled", Kind: Section, Words: []string{"none"}, Needs: []string{"disabled-agent"},
		Doc: "An agent that is registered and disabled (§3.1); `none` where the Provider disables none."},
	{Path: "agents.disabled.issuer", Kind: BaseURL, Required: true, Doc: "Its issuer, exactly as registered."},
	{Path: "agents.register", Kind: Section, Words: []string{"none"}, Derived: "as `none`",
		Doc: "How agents are made known to the Provider: out of band (`none`), by `url` or by `command`."},
	{Path: "agents.register.url", Kind: URL, Doc: "Takes a self-registration call, where the Provider offers it."},
	{Path: "agents.register.command", Kind: Command, Doc: "Command that registers an agent; `role`, `issuer` and `jwksUri` stand in the JSON on its standard input."},

	{Path: "users", Kind: List, Needs: []string{"brand-user", "second-user"},
		Doc: "Accounts with the Brand, for the Delegated profile: the first signs in, the second is somebody else."},
	{Path: "users[].username", Kind: Text, Required: true, Doc: "As the login page takes it."},
	{Path: "users[].password", Kind: Text, Secret: true, Derived: "**required** where Chromium signs in",
		Doc: "The password. A person or a hook needs none here."},
	{Path: "users[].totp", Kind: Base32, Secret: true, Doc: "Secret of one-time codes (RFC 6238), where the login asks for them."},
	{Path: "users[].id", Kind: Text, Doc: "The Brand's id of this user, which `sub` of the delegation token must equal (§5.4)."},

	{Path: "prompts", Kind: Section, Doc: "Texts that make the Brand's agent do what a requirement is about."},
	{Path: "prompts.plain", Kind: Text, Default: "Hello, what can you help me with?", Doc: "Needs no scope."},
	{Path: "prompts.scopes", Kind: List, Needs: []string{"prompt:scope"}, Doc: "Texts that each need a scope."},
	{Path: "prompts.scopes[].needs", Kind: Text, Required: true, Doc: "Id of the scope on the card."},
	{Path: "prompts.scopes[].text", Kind: Text, Required: true, Doc: "The text."},
	{Path: "prompts.stepUp", Kind: Section, Needs: []string{"prompt:stepup"}, Doc: "A text that needs a scope which the run leaves out at first (§5.5)."},
	{Path: "prompts.stepUp.needs", Kind: Text, Required: true, Doc: "Id of the scope on the card."},
	{Path: "prompts.stepUp.text", Kind: Text, Required: true, Doc: "The text."},
	{Path: "prompts.close", Kind: Section, Words: []string{"none"}, Needs: []string{"prompt:close"},
		Doc: "Ends the conversation (§4.2); `none` where the Provider closes none."},
	{Path: "prompts.close.text", Kind: Text, Required: true, Doc: "The text."},
	{Path: "prompts.memory", Kind: Section, Words: []string{"none"}, Needs: []string{"prompt:memory"},
		Doc: "Shows that the agent remembers; `none` where it answers each message by itself."},
	{Path: "prompts.memory.tell", Kind: Text, Required: true, Doc: "Tells a fact."},
	{Path: "prompts.memory.ask", Kind: Text, Required: true, Doc: "Asks for it."},
	{Path: "prompts.memory.expect", Kind: Pattern, Required: true, Doc: "Matches an answer that knows the fact, and no other."},

	{Path: "revoke", Kind: Section, Words: []string{"auto", "none"}, Default: "auto", Needs: []string{"revoke"},
		Doc: "How a grant is revoked: at the `revocation_endpoint` of the metadata (`auto`), by `command`, or not at all."},
	{Path: "revoke.command", Kind: Command, Required: true, Doc: "Command that revokes a grant; `issuer`, `user`, `grantId` and `refreshToken` stand in the JSON on its standard input."},

	{Path: "browser", Kind: Section, Doc: "How the User's part is played, for the Delegated profile."},
	{Path: "browser.chromium", Kind: Text, Derived: "found by itself", Doc: "The Chromium to run: its path, or its name on the PATH."},
	{Path: "browser.user", Kind: Section, Words: []string{"auto", "manual"}, Default: "auto",
		Doc: "Who logs in and decides: Chromium, a person who is shown the link, or a `hook`."},
	{Path: "browser.user.hook", Kind: Command, Required: true, Doc: "Command that signs in and decides; `link`, `userCode`, `user`, `decision`, `scopes` and `expires` stand in the JSON on its standard input."},
	{Path: "browser.login", Kind: Word, Words: []string{"auto"}, Default: "auto", Doc: "The login page: its fields and buttons are found by themselves."},
	{Path: "browser.consent", Kind: Word, Words: []string{"auto"}, Default: "auto", Doc: "The consent page, likewise."},

	{Path: "limits", Kind: Section, Doc: "What the run may ask of the Provider, and how long it waits."},
	{Path: "limits.concurrency", Kind: Count, Default: "8", Flag: "concurrency", Doc: "Requests in flight at most."},
	{Path: "limits.rate", Kind: Rate, Default: "0", Doc: "Requests per second at most; 0 for no limit."},
	{Path: "limits.turnTimeout", Kind: Deadline, Default: "120s", Doc: "Deadline of a message that the Brand's agent answers."},
	{Path: "limits.requestTimeout", Kind: Deadline, Default: "20s", Doc: "Deadline of any other request."},
	{Path: "limits.maxWait", Kind: Duration, Default: "100s", Flag: "max-wait", Needs: []string{"slow"},
		Doc: "Longest wait that a case may ask for; cases that wait longer are not run."},
	{Path: "limits.rotationWait", Kind: Deadline, Default: "90s", Doc: "How long a new key may take to be accepted (PACT-3.1-02)."},
	{Path: "limits.withdrawalWait", Kind: Deadline, Default: "660s", Doc: "How long after its withdrawal a key is tried again (PACT-3.1-03); more than 600s."},

	{Path: "report", Kind: Section, Doc: "What the run leaves behind."},
	{Path: "report.dir", Kind: Path, Default: "pact-conform-report", Flag: "report-dir", Doc: "Folder of the report; an earlier one is replaced."},
}

// index finds fields by path, and the keys of a section by its path.
type index struct {
	byPath map[string]*Field
	// keys lists the fields directly inside a section; "" is the top.
	keys map[string][]*Field
}

var fields = newIndex()

func newIndex() index {
	x := index{byPath: map[string]*Field{}, keys: map[string][]*Field{}}
	for i := range Fields {
		f := &Fields[i]
		x.byPath[f.Path] = f
		x.keys[parent(f.Path)] = append(x.keys[parent(f.Path)], f)
	}
	return x
}

// key finds the field with the name inside a section; nil when the section has no such key.
func (x index) key(section, name string) *Field { return x.byPath[join(schemaPath(section), name)] }

var element = regexp.MustCompile(`\[\d+\]`)

// schemaPath is the path of the field that a place in a file belongs to: users[1].id is users[].id.
func schemaPath(place string) string { return element.ReplaceAllString(place, "[]") }

// parent is the path of the section that a path is in; "" for the top.
func parent(path string) string {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return ""
	}
	return path[:i]
}

// name is the last part of a path: the key itself.
func (f *Field) name() string { return f.Path[strings.LastIndexByte(f.Path, '.')+1:] }

func join(section, key string) string {
	if section == "" {
		return key
	}
	return section + "." + key
}

// Variable is the environment variable that overrides the key: PACT_CONFORM_LIMITS_MAX_WAIT for
// limits.maxWait. Lists, what is in them, commands and headers have none, and it is empty.
func (f *Field) Variable() string {
	if !f.scalar() || strings.Contains(f.Path, "[]") || f.Path == "version" {
		return ""
	}
	var name strings.Builder
	name.WriteString("PACT_CONFORM_")
	for _, r := range f.Path {
		switch {
		case r == '.':
			r = '_'
		case r >= 'A' && r <= 'Z':
			name.WriteByte('_')
		}
		name.WriteRune(r)
	}
	return strings.ToUpper(name.String())
}

// scalar reports whether a single text can be the field's value.
func (f *Field) scalar() bool { return f.Kind.parse != nil || len(f.Words) > 0 }
