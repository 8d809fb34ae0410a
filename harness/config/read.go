package config

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"golang.org/x/net/http/httpguts"
)

// reader takes the values of a file into settings.
type reader struct {
	*settings
	env Lookup
	// anchors are the nodes that an alias below them can name. An alias may well name what it stands
	// in: reading ends nevertheless, because it only goes where Fields has keys.
	anchors map[string]ast.Node
}

// readFile takes the values of the file into s; false when the file as a whole cannot be read.
func readFile(env Lookup, s *settings) bool {
	r := reader{settings: s, env: env, anchors: map[string]ast.Node{}}
	data, err := os.ReadFile(s.file)
	if err != nil {
		var cause *os.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		r.problem(r.at(0), "cannot be read: %v", err)
		return false
	}
	if !utf8.Valid(data) {
		r.problem(r.at(0), "is not UTF-8 text")
		return false
	}
	body := r.parse(data)
	if body == nil {
		return false
	}
	r.section(body, "")
	return true
}

func (r *reader) at(line int) source { return source{file: r.file, line: line} }

func (r *reader) node(n ast.Node) source { return r.at(n.GetToken().Position.Line) }

// parse finds the one mapping that the file must hold; nil when a problem was noted.
func (r *reader) parse(data []byte) ast.MapNode {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		r.syntax(err, data)
		return nil
	}
	var documents []ast.Node
	for _, document := range file.Docs {
		if _, directive := document.Body.(*ast.DirectiveNode); document.Body != nil && !directive {
			documents = append(documents, document.Body)
		}
	}
	switch len(documents) {
	case 0:
		r.problem(r.at(0), "holds no configuration")
		return nil
	case 1:
	default:
		r.problem(r.node(documents[1]), "a second YAML document starts here: the file must hold one")
		return nil
	}
	body, ok := r.resolve(documents[0]).(ast.MapNode)
	if !ok {
		r.problem(r.node(documents[0]), "the file must hold keys and values (key: value), not %s", called(documents[0]))
	}
	return body
}

// syntax notes an error of the YAML itself.
func (r *reader) syntax(err error, data []byte) {
	var bad *yaml.SyntaxError
	if !errors.As(err, &bad) || bad.Token == nil {
		r.problem(r.at(0), "is not valid YAML")
		return
	}
	line := bad.Token.Position.Line
	hint := ""
	if lines := strings.Split(string(data), "\n"); line <= len(lines) && strings.Contains(lines[line-1], "${") {
		hint = ` (inside { } and [ ] a ${NAME} must stand in quotes: "${NAME}")`
	}
	r.problem(r.at(line), "not valid YAML: %s%s", oneLine.Replace(bad.Message), hint)
}

// oneLine shows the characters that would break or bend a line.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// section takes the keys of a mapping at a place.
func (r *reader) section(mapping ast.MapNode, place string) {
	for entries := mapping.MapRange(); entries.Next(); {
		key := entries.Key()
		if key.IsMergeKey() {
			r.problem(r.node(key), "merge keys (<<) are not understood: write the keys out")
			continue
		}
		name := key.GetToken().Value
		f := fields.key(place, name)
		if f == nil {
			r.problem(r.node(key), "unknown key %q%s; %s", name, inSection(place), advice(schemaPath(place), name))
			continue
		}
		r.value(entries.Value(), f, join(place, name), r.node(key))
	}
}

func inSection(place string) string {
	if place == "" {
		return ""
	}
	return " in " + place
}

// value takes the value of a key, which may be any kind of node.
func (r *reader) value(n ast.Node, f *Field, place string, at source) {
	n = r.resolve(n)
	if n == nil {
		return
	}
	r.mentioned[place] = true
	switch node := n.(type) {
	case *ast.NullNode:
		delete(r.mentioned, place)
	case ast.MapNode:
		switch f.Kind.Name {
		case Section.Name:
			r.sections[place] = at
			r.section(node, place)
		case Headers.Name:
			r.headers(node, f, place, at)
		default:
			r.mistaken(n, f, place, at)
		}
	case *ast.SequenceNode:
		switch f.Kind.Name {
		case List.Name:
			r.list(node, place)
		case Command.Name:
			r.command(node, f, place, at)
		default:
			r.mistaken(n, f, place, at)
		}
	default:
		x, ok := r.text(n, place)
		if !f.public(x.text) {
			r.keep(x)
		}
		switch {
		case !ok:
		case x.text == "":
			delete(r.mentioned, place)
			r.empty[place] = r.node(n)
		default:
			r.setText(f, place, x.text, rawText(n), r.node(n))
		}
	}
}

// mistaken notes a node of the wrong kind.
func (r *reader) mistaken(n ast.Node, f *Field, place string, at source) {
	form := ""
	if f.Kind.parse != nil {
		form = "one value (" + f.Kind.Name + ")"
	}
	r.problem(at, "%s must be %s, not %s", place, f.wanted(form), called(n))
}

// called is what a node is, in words.
func called(n ast.Node) string {
	switch n.(type) {
	case ast.MapNode:
		return "a section of keys"
	case *ast.SequenceNode:
		return "a list"
	}
	return "a single text"
}

// text is a scalar with its variables filled in.
func (r *reader) text(n ast.Node, place string) (expanded, bool) {
	x := expand(rawText(n), r.env)
	for _, problem := range x.problems {
		r.problem(r.node(n), "%s %s", place, problem)
	}
	return x, len(x.problems) == 0
}

// keep makes secret what came from variables.
func (r *reader) keep(x expanded) {
	for _, secret := range x.values {
		r.secrets.add(secret)
	}
}

// public reports whether a text is no secret wherever it came from: a word such as none, a number, a
// duration. Masking such a text would only tear others apart.
func (f *Field) public(text string) bool {
	switch f.Kind.Name {
	case Switch.Name, Count.Name, Rate.Name, Duration.Name:
		return true
	}
	return slices.Contains(f.Words, text)
}

// rawText is a scalar as it was written, numbers letter by letter: a version 1.10 is not 1.1.
func rawText(n ast.Node) string {
	if literal, ok := n.(*ast.LiteralNode); ok {
		return literal.Value.Value
	}
	return n.GetToken().Value
}

// list takes a list of sections.
func (r *reader) list(sequence *ast.SequenceNode, place string) {
	r.counts[place] = len(sequence.Values)
	for i, n := range sequence.Values {
		element := fmt.Sprintf("%s[%d]", place, i)
		mapping, ok := r.resolve(n).(ast.MapNode)
		if !ok {
			r.problem(r.node(sequence), "%s must be a section with %s", element, keyNames(schemaPath(element)))
			continue
		}
		r.sections[element] = r.firstLine(mapping, sequence)
		r.section(mapping, element)
	}
}

// firstLine is the line of a mapping's first key; the token of a mapping is its first colon, which can stand elsewhere.
func (r *reader) firstLine(mapping ast.MapNode, outside ast.Node) source {
	if entries := mapping.MapRange(); entries.Next() {
		return r.node(entries.Key())
	}
	return r.node(outside)
}

// command takes a program and its arguments.
func (r *reader) command(sequence *ast.SequenceNode, f *Field, place string, at source) {
	var words []string
	for _, n := range sequence.Values {
		n = r.resolve(n)
		switch n.(type) {
		case nil, *ast.NullNode, ast.MapNode, *ast.SequenceNode:
			r.problem(at, "%s must be %s", place, f.wanted(""))
			return
		}
		x, ok := r.text(n, place)
		if !ok {
			return
		}
		r.keep(x)
		words = append(words, x.text)
	}
	if len(words) == 0 || words[0] == "" {
		r.problem(at, "%s names no program", place)
		return
	}
	r.set(place, value{source: at, parsed: words})
}

// ownHeaders are headers that the requests under test are about or that HTTP itself sets.
var ownHeaders = []string{"Authorization", "A2a-Version", "X-A2a-User-Delegation", "Accept", "Content-Type", "Content-Length",
	"Transfer-Encoding", "Connection", "Host", "User-Agent", "Traceparent"}

// headers takes names and values of HTTP headers.
func (r *reader) headers(mapping ast.MapNode, f *Field, place string, section source) {
	headers := map[string]Secret{}
	for entries := mapping.MapRange(); entries.Next(); {
		at, n := r.node(entries.Key()), r.resolve(entries.Value())
		name := http.CanonicalHeaderKey(entries.Key().GetToken().Value)
		if n == nil {
			continue
		}
		if !httpguts.ValidHeaderFieldName(name) {
			r.problem(at, "%s has %q, which is no name of an HTTP header", place, name)
			continue
		}
		inside := join(place, name)
		if _, scalar := n.(ast.ScalarNode); !scalar {
			r.problem(at, "%s must be one value (text), not %s", inside, called(n))
			continue
		}
		x, ok := r.text(n, inside)
		r.keep(x)
		switch {
		case !ok:
		case !httpguts.ValidHeaderFieldValue(x.text) || x.text == "":
			r.problem(at, "%s has a value that no HTTP header can carry", inside)
		case slices.Contains(ownHeaders, name):
			r.problem(at, "%s is a header that the requests themselves set", inside)
		case headers[name] != "":
			r.problem(at, "%s stands here twice", inside)
		default:
			headers[name] = Secret(x.text)
			r.addSecret(f, inside, x.text, at)
		}
	}
	r.set(place, value{source: section, parsed: headers})
}

// resolve follows anchors, aliases and tags to the node that counts; nil when an alias names nothing.
func (r *reader) resolve(n ast.Node) ast.Node {
	switch node := n.(type) {
	case *ast.AnchorNode:
		target := r.resolve(node.Value)
		r.anchors[node.Name.GetToken().Value] = target
		return target
	case *ast.TagNode:
		return r.resolve(node.Value)
	case *ast.AliasNode:
		name := node.Value.GetToken().Value
		if target, ok := r.anchors[name]; ok {
			return target
		}
		r.problem(r.node(node), "*%s names no anchor above it", name)
		return nil
	}
	return n
}
