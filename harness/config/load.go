package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// DefaultFile is read when no file is named and it is there.
const DefaultFile = "pact-conform.yaml"

// Overrides are flags that were given, by name and as they were typed: {"card": "https://…"}. The
// names are those in Fields.
type Overrides map[string]string

// Load reads the configuration: the file at path, over it the environment's PACT_CONFORM_…
// variables, over both the flags. An empty path means DefaultFile if it is there, and no file
// otherwise. env finds variables, as os.LookupEnv does. What is wrong is returned as Problems, all of
// it at once.
func Load(path string, env Lookup, flags Overrides) (*Config, error) {
	if path == "" {
		if _, err := os.Stat(DefaultFile); !errors.Is(err, fs.ErrNotExist) {
			path = DefaultFile
		}
	}
	s := newSettings(path)
	s.setDefaults()
	if path != "" && !readFile(env, s) {
		return nil, s.problems
	}
	s.setEnvironment(env)
	s.setFlags(flags)
	s.require()
	c := s.build()
	s.check(c)
	if len(s.problems) > 0 {
		return nil, s.problems.sorted()
	}
	return c, nil
}

func (s *settings) setDefaults() {
	for i := range Fields {
		if f := &Fields[i]; f.Default != "" {
			s.setText(f, f.Path, f.Default, f.Default, source{})
		}
	}
	// That a key inside has a default makes no section one that somebody wrote.
	clear(s.sections)
}

func (s *settings) setEnvironment(env Lookup) {
	for i := range Fields {
		f := &Fields[i]
		name := f.Variable()
		if name == "" {
			continue
		}
		if text, _ := env(name); text != "" {
			s.mentioned[f.Path] = true
			s.setText(f, f.Path, text, text, source{name: name})
		}
	}
}

func (s *settings) setFlags(flags Overrides) {
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		at, text := source{name: "--" + name}, flags[name]
		i := slices.IndexFunc(Fields, func(f Field) bool { return f.Flag == name })
		switch {
		case name == "" || i < 0:
			s.problem(at, "is no flag of the configuration")
		case text == "":
			s.mentioned[Fields[i].Path] = true
			s.problem(at, "is empty")
		default:
			s.mentioned[Fields[i].Path] = true
			s.setText(&Fields[i], Fields[i].Path, text, text, at)
		}
	}
}

// require notes the keys that are missing in sections that are there.
func (s *settings) require() {
	sections := maps.Clone(s.sections)
	for i := range Fields {
		f := &Fields[i]
		if _, there := sections[f.Path]; f.Required && f.Kind.Name == Section.Name && !there {
			sections[f.Path] = source{file: s.file}
		}
	}
	if s.file != "" {
		sections[""] = source{file: s.file, line: 1}
	}
	for _, section := range slices.Sorted(maps.Keys(sections)) {
		for _, f := range fields.keys[schemaPath(section)] {
			place := join(section, f.name())
			if !f.Required || f.Kind.Name == Section.Name || s.mentioned[place] {
				continue
			}
			if _, there := s.values[place]; there {
				continue
			}
			if at, empty := s.empty[place]; empty {
				s.problem(at, "%s is empty%s", place, f.remedy(s.file))
				continue
			}
			s.problem(sections[section], "%s is missing%s", place, f.remedy(s.file))
		}
	}
}

// remedy says where a value comes from that is missing in the file, if there is one.
func (f *Field) remedy(file string) string {
	text := ""
	if f.Hint != "" {
		text = ": " + f.Hint
	}
	switch {
	case f.Flag == "":
	case file == "":
		text += "; give --" + f.Flag + " or set it in " + DefaultFile
	default:
		text += "; set it here or give --" + f.Flag
	}
	return text
}

// path is the value of a key that names a file: what the file says is relative to the file's folder,
// anything else to the working directory.
func (s *settings) path(place, dir string) string {
	v := s.values[place]
	name, _ := v.parsed.(string)
	if name == "" || v.file == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
