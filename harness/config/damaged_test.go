package config

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// Whatever a file holds, reading it ends in a Config or in problems of one line each: here the full
// file cut off, and with one character after the other replaced by one that YAML has a meaning for.
func TestDamagedFiles(t *testing.T) {
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "")
	try := func(content []byte) {
		t.Helper()
		if err := os.WriteFile(DefaultFile, content, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load("", environment(fullEnvironment), nil)
		if (c == nil) == (err == nil) {
			t.Fatalf("Config %v with error %v of\n%s", c, err, content)
		}
		var problems Problems
		if errors.As(err, &problems); err != nil && len(problems) == 0 {
			t.Errorf("%v are no problems", err)
		}
		for _, problem := range problems {
			if strings.ContainsAny(problem.String(), "\n\t") || problem.Text == "" {
				t.Errorf("no plain line: %q", problem.String())
			}
		}
	}
	const marks = "{}[]:#&*!|>-?\"'\n\t $%@"
	for i := 0; i < len(full); i += 3 {
		try(full[:i])
		damaged := bytes.Clone(full)
		damaged[i] = marks[i/3%len(marks)]
		try(damaged)
	}
}
