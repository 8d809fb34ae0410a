package config

import (
	"os"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// head is a file's first three lines, with all that is required.
const head = `version: 1
provider: {audience: aud-123}
brand: {card: "https://p.example/card"}
`

func TestProblems(t *testing.T) {
	variables := map[string]string{
		"EMPTY": "", "WORD": "s3cret-word", "SHORT": "s3c", "URL": "s3cret://host", "WITH_USER": "https://u:s3cret@p.example/card", "N": "s3cret9",
	}
	for name, test := range map[string]struct {
		// content is the whole file; the lines are the whole message.
		content string
		want    []string
	}{
		// Keys.
		"misspelt key": {
			"version: 1\nprovider:\n  audiance: aud-123\n  audience: aud-123\nbrand: {card: \"https://p.example/card\"}\n",
			[]string{`pact-conform.yaml:3: unknown key "audiance" in provider; did you mean "audience"?`},
		},
		"misspelt section": {
			head + "limit: {concurrency: 2}\n",
			[]string{`pact-conform.yaml:4: unknown key "limit"; did you mean "limits"?`},
		},
		"other letter case": {
			head + "agents:\n  publicURL: http://127.0.0.1:8700\n",
			[]string{`pact-conform.yaml:5: unknown key "publicURL" in agents; did you mean "publicUrl"?`},
		},
		"key of another section": {
			head + "audience: aud-123\n",
			[]string{`pact-conform.yaml:4: unknown key "audience"; did you mean provider.audience?`},
		},
		"key far from all": {
			head + "report: {colour: red}\n",
			[]string{`pact-conform.yaml:4: unknown key "colour" in report; known here: dir`},
		},
		"misspelt key in a list": {
			head + "users:\n  - username: jane\n    pasword: s3cret\n",
			[]string{
				`pact-conform.yaml:5: users[0].password is missing: Chromium signs in with it (a person or a hook needs none)`,
				`pact-conform.yaml:6: unknown key "pasword" in users[0]; did you mean "password"?`,
			},
		},
		"merge key": {
			head + "limits: {<<: *head}\n",
			[]string{"pact-conform.yaml:4: merge keys (<<) are not understood: write the keys out"},
		},
		"duplicate key": {
			head + "report: {dir: a}\nreport: {dir: b}\n",
			[]string{`pact-conform.yaml:5: not valid YAML: mapping key "report" already defined at [4:1]`},
		},

		// Missing.
		"missing audience and card": {
			"version: 1\nprovider:\n  name: Example\n",
			[]string{
				"pact-conform.yaml:2: provider.audience is missing: the Provider assigns it to a personal agent at registration (§3.1); set it here or give --audience",
				"pact-conform.yaml: brand.card is missing: the URL of the Brand's Agent Card (§2.1); set it here or give --card",
			},
		},
		"empty audience": {
			"version: 1\nprovider:\n  name: Example\n  audience: \"\"\nbrand: {card: \"https://p.example/card\"}\n",
			[]string{"pact-conform.yaml:4: provider.audience is empty: the Provider assigns it to a personal agent at registration (§3.1); set it here or give --audience"},
		},
		"missing version": {
			strings.TrimPrefix(head, "version: 1\n"),
			[]string{`pact-conform.yaml:1: version is missing: write "version: 1" at the top`},
		},
		"other version": {
			strings.Replace(head, "1", "2", 1),
			[]string{`pact-conform.yaml:1: version must be 1, not "2"`},
		},
		"second Brand without a card": {
			head + "otherBrand:\n  name: Other\n",
			[]string{"pact-conform.yaml:4: otherBrand.card is missing; set it here or give --other-card"},
		},
		"password from an empty variable": {
			head + "users:\n  - username: jane\n    password: ${EMPTY}\n",
			[]string{"pact-conform.yaml:6: users[0].password is empty: Chromium signs in with it (a person or a hook needs none)"},
		},
		"the same user twice": {
			head + "browser: {user: manual}\nusers:\n  - {username: jane}\n  - {username: omar}\n  - {username: jane}\n",
			[]string{"pact-conform.yaml:8: users[2].username is that of users[0]: each must be somebody else"},
		},
		"empty sections that need a key": {
			head + "revoke: {}\nbrowser: {user: {}}\n",
			[]string{"pact-conform.yaml:4: revoke.command is missing", "pact-conform.yaml:5: browser.user.hook is missing"},
		},

		// Types.
		"text for a section": {
			head + "limits: s3cret\n",
			[]string{"pact-conform.yaml:4: limits must be a section with the keys concurrency, rate, turnTimeout, requestTimeout, maxWait, rotationWait, withdrawalWait"},
		},
		"list for a section": {
			head + "report: [a]\n",
			[]string{"pact-conform.yaml:4: report must be a section with the key dir, not a list"},
		},
		"section for a text": {
			head + "users:\n  - username: jane\n    password: {it: s3cret}\n",
			[]string{"pact-conform.yaml:6: users[0].password must be one value (text), not a section of keys"},
		},
		"list for a number": {
			head + "limits:\n  concurrency: [8]\n",
			[]string{"pact-conform.yaml:5: limits.concurrency must be one value (whole number), not a list"},
		},
		"list for a word": {
			head + "agents: {mode: [served]}\n",
			[]string{"pact-conform.yaml:4: agents.mode must be served or static, not a list"},
		},
		"section for a list": {
			head + "users: {username: jane, password: s3cret}\n",
			[]string{"pact-conform.yaml:4: users must be a list whose elements have the keys username, password, totp, id, not a section of keys"},
		},
		"texts in a list of sections": {
			head + "users: [s3cret, {username: jane, password: s3cret}]\n",
			[]string{"pact-conform.yaml:4: users[0] must be a section with the keys username, password, totp, id"},
		},
		"text for a command": {
			head + "revoke:\n  command: ./revoke.sh\n",
			[]string{"pact-conform.yaml:5: revoke.command must be a list such as [./program, argument]"},
		},
		"section in a command": {
			head + "revoke:\n  command: [./revoke.sh, {a: b}]\n",
			[]string{"pact-conform.yaml:5: revoke.command must be a list such as [./program, argument]"},
		},
		"command without a program": {
			head + "revoke:\n  command: []\n",
			[]string{"pact-conform.yaml:5: revoke.command names no program"},
		},

		"recipe": {
			head + "browser:\n  login: [{click: Continue}]\n",
			[]string{"pact-conform.yaml:5: browser.login must be auto, not a list"},
		},

		// Values.
		"word": {
			"version: 1\nprovider: {audience: aud-123, policy: opn}\nbrand: {card: \"https://p.example/card\"}\n",
			[]string{`pact-conform.yaml:2: provider.policy must be allowlist or open, not "opn"`},
		},
		"neither word nor section": {
			head + "agents:\n  register: automatic\nrevoke: atuo\n",
			[]string{
				`pact-conform.yaml:5: agents.register must be none or a section with the keys url, command, not "automatic"`,
				`pact-conform.yaml:6: revoke must be auto, none or a section with the key command, not "atuo"`,
			},
		},
		"durations": {
			head + "limits:\n  turnTimeout: 120\n  requestTimeout: 0s\n  maxWait: -1s\n  rotationWait: soon\n  withdrawalWait: 600s\n",
			[]string{
				`pact-conform.yaml:5: limits.turnTimeout must be a duration with its unit, such as 90s or 2m, not "120"`,
				`pact-conform.yaml:6: limits.requestTimeout must be a duration above 0s, not "0s"`,
				`pact-conform.yaml:7: limits.maxWait must be a duration from 0s up, not "-1s"`,
				`pact-conform.yaml:8: limits.rotationWait must be a duration such as 90s or 2m, not "soon"`,
				"pact-conform.yaml:9: limits.withdrawalWait must be more than 600s, for which a Provider may cache keys",
			},
		},
		"numbers": {
			head + "limits:\n  concurrency: 0\n  rate: -1\nagents: {extraKeys: yes}\n",
			[]string{
				`pact-conform.yaml:5: limits.concurrency must be a whole number from 1 up, not "0"`,
				`pact-conform.yaml:6: limits.rate must be a number from 0 up, not "-1"`,
				`pact-conform.yaml:7: agents.extraKeys must be true or false, not "yes"`,
			},
		},
		"URLs": {
			"version: 1\nprovider: {audience: aud-123}\nbrand:\n  card: p.example/card\n  unknownCard: \"https://p.example/%zz\"\n  domain: https://brand.example\n" +
				"otherBrand:\n  card: https:///card\nagents:\n  publicUrl: http://a.example/?x\n  primary: {issuer: \"ftp://a.example\"}\n  second: {issuer: \"https://a.example/#x\"}\n",
			[]string{
				`pact-conform.yaml:4: brand.card must be an absolute URL that starts with http:// or https://, not "p.example/card"`,
				`pact-conform.yaml:5: brand.unknownCard must be an absolute http or https URL, not "https://p.example/%zz"`,
				`pact-conform.yaml:6: brand.domain must be none or a host name such as brand.example, without https:// and path, not "https://brand.example"`,
				`pact-conform.yaml:8: otherBrand.card must be a URL with a host, not "https:///card"`,
				`pact-conform.yaml:10: agents.publicUrl must be a URL without a query (?…), not "http://a.example/?x"`,
				`pact-conform.yaml:11: agents.primary.issuer must be an absolute URL that starts with http:// or https://, not "ftp://a.example"`,
				`pact-conform.yaml:12: agents.second.issuer must be a URL without a fragment (#…), not "https://a.example/#x"`,
			},
		},
		"URL with a password": {
			"version: 1\nprovider: {audience: aud-123}\nbrand: {card: \"https://u:s3cret@p.example/card\"}\n",
			[]string{"pact-conform.yaml:3: brand.card must be a URL without user and password (gateway.headers carries what a gateway asks for)"},
		},
		"addresses": {
			head + "agents:\n  listen: 127.0.0.1\n",
			[]string{`pact-conform.yaml:5: agents.listen must be a host and a port such as 127.0.0.1:8700, not "127.0.0.1"`},
		},
		"port": {
			head + "agents:\n  listen: 127.0.0.1:0\n",
			[]string{`pact-conform.yaml:5: agents.listen must be a host and a port from 1 to 65535, not "127.0.0.1:0"`},
		},
		"pattern": {
			head + "prompts:\n  memory: {tell: a, ask: b, expect: \"(?i)(ada\"}\n",
			[]string{`pact-conform.yaml:5: prompts.memory.expect must be a regular expression (missing closing )), not "(?i)(ada"`},
		},
		"long value": {
			head + "agents: {mode: " + strings.Repeat("x", 200) + "}\n",
			[]string{`pact-conform.yaml:4: agents.mode must be served or static, not "` + strings.Repeat("x", 80) + `…"`},
		},
		"one-time-code secret": {
			head + "users:\n  - {username: jane, password: s3cret, totp: not-base-32}\n",
			[]string{"pact-conform.yaml:5: users[0].totp must be base32 (letters A to Z and digits 2 to 7)"},
		},
		"password too short to be masked": {
			head + "users:\n  - {username: jane, password: s3c}\n",
			[]string{"pact-conform.yaml:5: users[0].password has fewer than 4 characters and could not be kept out of the report: choose a longer one"},
		},
		"headers": {
			head + "gateway:\n  headers:\n    authorization: Bearer s3cret\n    bad name: s3cret\n    X-A: [s3cret]\n    X-B: \"s3cret\\n\"\n    X-C: s3cret\n    x-c: s3cret\n",
			[]string{
				"pact-conform.yaml:6: gateway.headers.Authorization is a header that the requests themselves set",
				`pact-conform.yaml:7: gateway.headers has "bad name", which is no name of an HTTP header`,
				"pact-conform.yaml:8: gateway.headers.X-A must be one value (text), not a list",
				"pact-conform.yaml:9: gateway.headers.X-B has a value that no HTTP header can carry",
				"pact-conform.yaml:11: gateway.headers.X-C stands here twice",
			},
		},

		// Variables.
		"unset variables": {
			head + "users:\n  - username: ${NOBODY}\n    password: a-${NOBODYS_PASSWORD}\n",
			[]string{
				"pact-conform.yaml:5: users[0].username needs the environment variable NOBODY, which is not set",
				"pact-conform.yaml:6: users[0].password needs the environment variable NOBODYS_PASSWORD, which is not set",
			},
		},
		"unset variable in a command": {
			head + "revoke:\n  command:\n    - ./revoke.sh\n    - ${NOBODY}\n",
			[]string{"pact-conform.yaml:7: revoke.command needs the environment variable NOBODY, which is not set"},
		},
		"no variable": {
			head + "report:\n  dir: \"${WORD:-out}\"\nprompts: {plain: \"${WORD\"}\n",
			[]string{
				`pact-conform.yaml:5: report.dir has "${WORD:-out}", which names no variable: only ${NAME} is filled in, and $${ stands for the two characters themselves`,
				`pact-conform.yaml:6: prompts.plain has "${" without "}"; $${ stands for the two characters themselves`,
			},
		},
		"wrong values of variables are not shown": {
			"version: 1\nprovider: {audience: aud-123, policy: \"${WORD}\"}\nbrand:\n  card: ${URL}\n  unknownCard: \"${WITH_USER}\"\nlimits:\n  maxWait: ${N}\n  concurrency: 1${N}\n" +
				"users: [{username: jane, password: \"${SHORT}\"}]\n",
			[]string{
				`pact-conform.yaml:2: provider.policy must be allowlist or open, not "${WORD}"`,
				`pact-conform.yaml:4: brand.card must be an absolute URL that starts with http:// or https://, not "${URL}"`,
				`pact-conform.yaml:5: brand.unknownCard must be a URL without user and password (gateway.headers carries what a gateway asks for), not "${WITH_USER}"`,
				`pact-conform.yaml:7: limits.maxWait must be a duration such as 90s or 2m, not "${N}"`,
				`pact-conform.yaml:8: limits.concurrency must be a whole number from 1 up, not "1${N}"`,
				"pact-conform.yaml:9: users[0].password has fewer than 4 characters and could not be kept out of the report: choose a longer one",
			},
		},

		// Keys that must fit together.
		"the same Brand twice": {
			head + "otherBrand:\n  card: https://p.example/card\n",
			[]string{"pact-conform.yaml:5: otherBrand.card is brand.card: the second Brand must be another one (or none)"},
		},
		"static mode": {
			head + "agents:\n  mode: static\n",
			[]string{
				"pact-conform.yaml:5: agents.keys is missing: static mode signs with the key ring that `pact-conform keys` wrote",
				"pact-conform.yaml:5: agents.primary.issuer is missing: static mode needs the issuer whose JWKS you have published",
			},
		},
		"every address": {
			head + "agents:\n  listen: 0.0.0.0:8700\n",
			[]string{"pact-conform.yaml:5: agents.listen is every address of this machine: agents.publicUrl must say which URL the Provider reaches it by"},
		},
		"issuers": {
			head + "agents:\n  second: {issuer: \"http://127.0.0.1:8700/primary\"}\n  disabled: {issuer: \"https://elsewhere.example\"}\n",
			[]string{
				"pact-conform.yaml:5: agents.second.issuer is agents.primary.issuer: each agent needs an issuer of its own",
				"pact-conform.yaml:6: agents.disabled.issuer must begin with agents.publicUrl, under which its keys are served",
			},
		},
		"half a certificate": {
			head + "agents:\n  tls: {cert: cert.pem}\n",
			[]string{"pact-conform.yaml:5: agents.tls needs cert and key together"},
		},
		"registration two ways": {
			head + "agents:\n  register: {url: \"https://p.example/register\", command: [./register.sh]}\n",
			[]string{"pact-conform.yaml:5: agents.register needs either url or command"},
		},
		"registration no way": {
			head + "agents:\n  register: {}\n",
			[]string{"pact-conform.yaml:5: agents.register needs either url or command"},
		},

		// YAML.
		"empty":                  {"", []string{"pact-conform.yaml: holds no configuration"}},
		"only a comment":         {"# version: 1\n", []string{"pact-conform.yaml: holds no configuration"}},
		"list":                   {"- version: 1\n", []string{"pact-conform.yaml:1: the file must hold keys and values (key: value), not a list"}},
		"text":                   {"\nversion\n", []string{"pact-conform.yaml:2: the file must hold keys and values (key: value), not a single text"}},
		"two documents":          {head + "---\nversion: 1\n", []string{"pact-conform.yaml:5: a second YAML document starts here: the file must hold one"}},
		"not UTF-8":              {"version: \xff\n", []string{"pact-conform.yaml: is not UTF-8 text"}},
		"tab":                    {head + "report:\n\tdir: x\n", []string{`pact-conform.yaml:5: not valid YAML: found character '\t' that cannot start any token`}},
		"open quote":             {head + "report:\n  dir: \"x\n", []string{"pact-conform.yaml:5: not valid YAML: could not find end character of double-quoted text"}},
		"indentation":            {head + "report:\n    dir: x\n  more: y\n", []string{"pact-conform.yaml:6: not valid YAML: value is not allowed in this context"}},
		"variable without quote": {head + "report: {dir: ${WORD}}\n", []string{`pact-conform.yaml:4: not valid YAML: ',' or '}' must be specified (inside { } and [ ] a ${NAME} must stand in quotes: "${NAME}")`}},
		"alias of nothing":       {head + "report:\n  dir: *folder\n", []string{"pact-conform.yaml:5: *folder names no anchor above it"}},
		"alias of what it is in": {head + "report: &folder\n  dir: *folder\n", []string{"pact-conform.yaml:5: report.dir must be one value (path), not a section of keys"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			write(t, test.content)
			_, err := Load("", environment(variables), nil)
			g.Expect(err).To(HaveOccurred())
			g.Expect(strings.Split(err.Error(), "\n")).To(Equal(test.want))
			g.Expect(err.Error()).NotTo(ContainSubstring("s3c"))
		})
	}
}

func TestProblemsOutsideAFile(t *testing.T) {
	for name, test := range map[string]struct {
		file      string
		flags     Overrides
		variables map[string]string
		want      []string
	}{
		"nothing given": {want: []string{
			"brand.card is missing: the URL of the Brand's Agent Card (§2.1); give --card or set it in pact-conform.yaml",
			"provider.audience is missing: the Provider assigns it to a personal agent at registration (§3.1); give --audience or set it in pact-conform.yaml",
		}},
		"no such file": {file: "staging.yaml", want: []string{"staging.yaml: cannot be read: no such file or directory"}},
		"a folder":     {file: ".", want: []string{".: cannot be read: is a directory"}},
		"flags": {
			flags: Overrides{"card": "p.example", "audience": "", "concurrency": "many", "max-wait": "100"},
			want: []string{
				"--audience: is empty",
				`--card: brand.card must be an absolute URL that starts with http:// or https://, not "p.example"`,
				`--concurrency: limits.concurrency must be a whole number from 1 up, not "many"`,
				`--max-wait: limits.maxWait must be a duration with its unit, such as 90s or 2m, not "100"`,
			},
		},
		"variables": {
			flags:     Overrides{"card": "https://p.example/card", "audience": "aud-123"},
			variables: map[string]string{"PACT_CONFORM_AGENTS_MODE": "off", "PACT_CONFORM_OTHER_BRAND": "nil"},
			want: []string{
				`PACT_CONFORM_OTHER_BRAND: otherBrand must be none or a section with the keys card, name, not "nil"`,
				`PACT_CONFORM_AGENTS_MODE: agents.mode must be served or static, not "off"`,
			},
		},
		"no flag": {
			flags: Overrides{"card": "https://p.example/card", "audience": "aud-123", "colour": "red"},
			want:  []string{"--colour: is no flag of the configuration"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			t.Chdir(t.TempDir())
			_, err := Load(test.file, environment(test.variables), test.flags)
			g.Expect(err).To(HaveOccurred())
			g.Expect(strings.Split(err.Error(), "\n")).To(Equal(test.want))
		})
	}
}

func TestProblemsNameTheFileAsItWasNamed(t *testing.T) {
	g := NewWithT(t)
	write(t, head)
	g.Expect(os.Mkdir("ci", 0o700)).To(Succeed())
	g.Expect(os.WriteFile("ci/staging.yaml", []byte("version: 3\n"+strings.TrimPrefix(head, "version: 1\n")), 0o600)).To(Succeed())
	_, err := Load("ci/staging.yaml", nothingSet, nil)
	g.Expect(err).To(MatchError(`ci/staging.yaml:1: version must be 1, not "3"`))
}
