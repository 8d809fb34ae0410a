package folder

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// staging begins the names of folders in which a report is made before it is moved to its place.
const staging = ".pact-conform-"

// stage makes an empty folder in parent with a name of its own, where the target's report can be
// made. Unlike os.MkdirTemp it leaves the mode to the umask: the folder becomes the report's.
func stage(parent, target string) (string, error) {
	path := filepath.Join(parent, staging+filepath.Base(target)+"-"+rand.Text())
	return path, os.Mkdir(path, 0o777)
}

// replaceable reports whether the target may be replaced as a whole: it is not there, or it holds
// nothing but a report, and no process of ours stands in it.
func replaceable(target string) bool {
	entries, err := os.ReadDir(target)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return false
	}
	for _, e := range entries {
		if !ours(e.Name()) {
			return false
		}
	}
	here, err := os.Getwd()
	return err == nil && !strings.HasPrefix(here+string(filepath.Separator), target+string(filepath.Separator))
}

func ours(name string) bool {
	for _, r := range reports {
		if name == r.name {
			return true
		}
	}
	return name == screenshots || strings.HasPrefix(name, staging)
}

// swap makes the report beside the target and puts it in the target's place in one step. It reports
// false where the target cannot be replaced as a whole (its parent is not ours to write, it is a
// mount point); then nothing has changed.
func swap(target string, fill func(string) error) (bool, error) {
	made, err := stage(filepath.Dir(target), target)
	if err != nil {
		return false, nil
	}
	// After the exchange this is the old report. That it is gone matters less than that the new one is there.
	defer os.RemoveAll(made)
	if err := fill(made); err != nil {
		return false, err
	}
	if os.Rename(made, target) == nil {
		return true, nil
	}
	return exchange(made, target) == nil || rotate(made, target) == nil, nil
}

// rotate is the exchange for systems that have none: for a moment there is no target.
func rotate(made, target string) error {
	aside := made + "-old"
	if err := os.Rename(target, aside); err != nil {
		return err
	}
	if err := os.Rename(made, target); err != nil {
		return errors.Join(err, os.Rename(aside, target))
	}
	// As with the exchange: the new report is in its place, whatever becomes of the old one.
	_ = os.RemoveAll(aside)
	return nil
}

// moveIn makes the report inside the target and moves its parts to their places once all are there.
func moveIn(target string, fill func(string) error) error {
	if err := os.MkdirAll(target, 0o777); err != nil {
		return err
	}
	made, err := stage(target, target)
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	if err := fill(made); err != nil {
		return err
	}
	if err := movePictures(made, target); err != nil {
		return err
	}
	for _, r := range reports {
		if err := os.Rename(filepath.Join(made, r.name), filepath.Join(target, r.name)); err != nil {
			return err
		}
	}
	return nil
}

// movePictures replaces the pictures of the old report, which no rename can do while they are there.
func movePictures(made, target string) error {
	from, to := filepath.Join(made, screenshots), filepath.Join(target, screenshots)
	err := os.Rename(to, filepath.Join(made, screenshots+"-old"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
