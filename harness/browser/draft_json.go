package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// JSON bodies are held as *object, []any and leaves, so that members keep their order: a request that
// was changed in one place is otherwise the one that the page sent.
type object struct {
	names  []string
	values map[string]any
}

// dropped stands for a member that is left out.
var dropped = &struct{ int }{}

func parseJSON(body []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	return readJSON(decoder)
}

func readJSON(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := &object{values: map[string]any{}}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := readJSON(d)
			if err != nil {
				return nil, err
			}
			o.set(name.(string), value)
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := readJSON(d)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}

func (o *object) set(name string, value any) {
	if _, known := o.values[name]; !known {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(o.values[name])
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// leaves are the values that are no lists or objects, each under its path.
func leaves(path string, value any) []Field {
	var all []Field
	switch value := value.(type) {
	case *object:
		for _, name := range value.names {
			all = append(all, leaves(join(path, name), value.values[name])...)
		}
	case []any:
		for i, element := range value {
			all = append(all, leaves(join(path, strconv.Itoa(i)), element)...)
		}
	case nil:
		all = append(all, Field{path, "null"})
	default:
		all = append(all, Field{path, fmt.Sprint(value)})
	}
	return all
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// edit passes every value, under its path, through change, the inner ones first. A value that becomes
// dropped is left out.
func edit(path string, value any, change func(path string, old any) any) any {
	switch inner := value.(type) {
	case *object:
		copied := &object{values: map[string]any{}}
		for _, name := range inner.names {
			if v := edit(join(path, name), inner.values[name], change); v != any(dropped) {
				copied.set(name, v)
			}
		}
		value = copied
	case []any:
		list := []any{}
		for i, element := range inner {
			if v := edit(join(path, strconv.Itoa(i)), element, change); v != any(dropped) {
				list = append(list, v)
			}
		}
		value = list
	}
	return change(path, value)
}

// clone copies a value, as edit without a change does.
func clone(value any) any {
	return edit("", value, func(_ string, old any) any { return old })
}

// editJSON is the draft with its JSON body changed. A body that cannot be read stays as it is.
func (d Draft) editJSON(change func(path string, old any) any) Draft {
	value, err := parseJSON(d.Body)
	if err != nil {
		return d
	}
	body, err := json.Marshal(edit("", value, change))
	if err == nil {
		d.Body = body
	}
	d.Body = slices.Clone(d.Body)
	return d
}
