package browser

import (
	"encoding/json"
	"slices"
	"strings"
)

// AddScope is the decision with one more scope in it, written as the scopes that it carries are. It
// fails with NotForged when the request does not show how it carries scopes: nothing in its body
// names one of the known ones.
func (d Draft) AddScope(known []Scope, scope string) (Draft, error) {
	var ids []string
	for _, k := range known {
		if k.ID != scope {
			ids = append(ids, k.ID)
		}
	}
	forged, changed := d, false
	switch d.encoding() {
	case encodingForm, encodingMultipart:
		var fields []Field
		if fields, changed = addToFields(d.Fields(), ids, scope); changed {
			forged = d.withFields(fields)
		}
	case encodingJSON:
		value, err := parseJSON(d.Body)
		if err == nil {
			value, changed = addToJSON(value, ids, scope)
		}
		if changed {
			body, err := json.Marshal(value)
			if err != nil {
				return d, &Error{Kind: NotForged, Step: "add scope " + scope, Err: err}
			}
			forged.Body = body
		}
	}
	if !changed {
		return d, &Error{Kind: NotForged, Step: "add scope " + scope, Saw: d.String() + " names no scope that was asked for"}
	}
	return forged, nil
}

// addToFields adds a scope to the fields of a form: as another box of the name that a scope is the
// value of, in a list that a field holds, or as a field of its own where names tell the scopes.
func addToFields(fields []Field, ids []string, scope string) ([]Field, bool) {
	for i, f := range slices.Backward(fields) {
		for _, id := range ids {
			switch {
			case f.Value == id:
				return slices.Insert(slices.Clone(fields), i+1, Field{f.Name, scope}), true
			case holdsToken(f.Value, id):
				fields = slices.Clone(fields)
				fields[i].Value += separator(f.Value, id) + scope
				return fields, true
			case strings.Contains(f.Name, id):
				return slices.Insert(slices.Clone(fields), i+1, Field{strings.Replace(f.Name, id, scope, 1), f.Value}), true
			}
		}
	}
	return fields, false
}

// separator is what stands beside an id in a list of ids.
func separator(list, id string) string {
	at := strings.Index(list, id)
	before, after := strings.TrimSpace(list[:at]), strings.TrimSpace(list[at+len(id):])
	for _, mark := range []string{",", ";", "|"} {
		if strings.HasPrefix(after, mark) || strings.HasSuffix(before, mark) {
			return mark
		}
	}
	return " "
}

// addToJSON adds a scope to every list of scopes in a value, and to every object whose members are
// named after scopes.
func addToJSON(value any, ids []string, scope string) (any, bool) {
	changed := false
	switch inner := value.(type) {
	case []any:
		twin := addToList(inner, ids, scope)
		for i := range inner {
			if _, text := inner[i].(string); !text && twin == nil {
				var did bool
				inner[i], did = addToJSON(inner[i], ids, scope)
				changed = changed || did
			}
		}
		if twin != nil {
			return append(inner, twin), true
		}
	case *object:
		for _, name := range inner.names {
			if slices.Contains(ids, name) && !changed {
				inner.set(scope, clone(inner.values[name]))
				changed = true
			}
		}
		for _, name := range inner.names {
			var did bool
			inner.values[name], did = addToJSON(inner.values[name], ids, scope)
			changed = changed || did
		}
	case string:
		for _, id := range ids {
			if holdsToken(inner, id) {
				return inner + separator(inner, id) + scope, true
			}
		}
	}
	return value, changed
}

// addToList is the element for the scope, made like that of a scope in the list; nil when the list
// has none.
func addToList(list []any, ids []string, scope string) any {
	for _, element := range list {
		switch element := element.(type) {
		case string:
			if slices.Contains(ids, element) {
				return scope
			}
		case *object:
			for _, name := range element.names {
				if id, text := element.values[name].(string); text && slices.Contains(ids, id) {
					twin := clone(element).(*object)
					twin.set(name, scope)
					return twin
				}
			}
		}
	}
	return nil
}
