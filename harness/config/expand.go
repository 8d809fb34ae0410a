package config

import (
	"fmt"
	"regexp"
	"strings"
)

// Lookup finds a variable of the environment, as os.LookupEnv does.
type Lookup func(name string) (string, bool)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// expanded is a text of the file with its variables filled in.
type expanded struct {
	text string
	// values are the values of the variables, in order.
	values []string
	// problems say what kept a variable from being filled in.
	problems []string
}

// expand fills in each ${NAME} of raw; $${ stands for ${ itself. A variable's value is taken as it
// is, whatever it holds.
func expand(raw string, env Lookup) expanded {
	var x expanded
	var out strings.Builder
	fail := func(format string, args ...any) { x.problems = append(x.problems, fmt.Sprintf(format, args...)) }
	for rest := raw; ; {
		start := strings.Index(rest, "${")
		if start < 0 {
			out.WriteString(rest)
			break
		}
		if start > 0 && rest[start-1] == '$' {
			out.WriteString(rest[:start-1] + "${")
			rest = rest[start+2:]
			continue
		}
		out.WriteString(rest[:start])
		name, after, closed := strings.Cut(rest[start+2:], "}")
		if !closed {
			fail(`has "${" without "}"; $${ stands for the two characters themselves`)
			break
		}
		rest = after
		if !variableName.MatchString(name) {
			fail("has %q, which names no variable: only ${NAME} is filled in, and $${ stands for the two characters themselves", "${"+name+"}")
			continue
		}
		value, ok := env(name)
		if !ok {
			fail("needs the environment variable %s, which is not set", name)
			continue
		}
		x.values = append(x.values, value)
		out.WriteString(value)
	}
	x.text = out.String()
	return x
}
