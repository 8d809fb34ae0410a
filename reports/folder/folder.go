// Package folder writes the report folder: results.json, junit.xml, report.html, summary.md and
// screenshots/. A report that is there stays whole until the new one is.
package folder

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/html"
	"github.com/pact-conform/pact-conform/reports/json"
	"github.com/pact-conform/pact-conform/reports/junit"
	"github.com/pact-conform/pact-conform/reports/markdown"
)

// screenshots is the folder of pictures, the only one in a report.
const screenshots = "screenshots"

// reports are the files of a report. The master comes last: where files change one by one, a new
// results.json says that the others are new too.
var reports = []struct {
	name  string
	write func(io.Writer, *result.Run) error
}{
	{"junit.xml", junit.Write},
	{"summary.md", markdown.Write},
	{"report.html", html.Write},
	{"results.json", json.Write},
}

// Write writes the reports of the run and its pictures into the folder, which it creates where it is
// missing. Files in the folder that belong to no report stay. An error is one line, and leaves an old
// report as it was.
func Write(dir string, run *result.Run) error {
	target, err := resolve(dir)
	if err != nil {
		return failure(dir, err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return failure(dir, err)
	}
	fill := func(stage string) error { return fill(stage, run) }
	if replaceable(target) {
		done, err := swap(target, fill)
		if done || err != nil {
			return failure(dir, err)
		}
	}
	return failure(dir, moveIn(target, fill))
}

// Probe reports, before a run, whether Write will be able to write the folder. It leaves nothing behind.
func Probe(dir string) error {
	target, err := resolve(dir)
	if err != nil {
		return failure(dir, err)
	}
	place := target
	for {
		info, err := os.Stat(place)
		if err == nil && !info.IsDir() {
			return failure(dir, fmt.Errorf("%s is a file", place))
		}
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || place == filepath.Dir(place) {
			return failure(dir, err)
		}
		place = filepath.Dir(place)
	}
	made, err := stage(place, target)
	if err != nil {
		return failure(dir, err)
	}
	return failure(dir, os.Remove(made))
}

// resolve is the absolute path of the folder, through symbolic links: what is replaced is the
// folder, never a link to it.
func resolve(dir string) (string, error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(target)
	if errors.Is(err, fs.ErrNotExist) {
		return target, nil
	}
	return real, err
}

// fill writes the files of a report into an empty folder.
func fill(dir string, run *result.Run) error {
	if err := fillPictures(filepath.Join(dir, screenshots), run.Pictures); err != nil {
		return err
	}
	for _, r := range reports {
		if err := writeFile(filepath.Join(dir, r.name), run, r.write); err != nil {
			return err
		}
	}
	return nil
}

// pictureName is what a picture may be called: a name of no folder, that no shell or page takes for
// more than a name. results.schema.json has the same pattern.
var pictureName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*\.png$`)

// fillPictures writes the pictures into the folder, which it makes where there are any.
func fillPictures(dir string, pictures map[string][]byte) error {
	if len(pictures) == 0 {
		return nil
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for name, png := range pictures {
		if !pictureName.MatchString(name) {
			return fmt.Errorf("%q is no name for a picture", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), png, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, run *result.Run, write func(io.Writer, *result.Run) error) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, file.Close())
	}()
	buffer := bufio.NewWriter(file)
	if err := write(buffer, run); err != nil {
		return err
	}
	return buffer.Flush()
}

// failure says in one line what is wrong with the folder. Paths of staging folders, which are gone
// by then, are left out.
func failure(dir string, err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("report folder %s cannot be written: %w", dir, err)
}
