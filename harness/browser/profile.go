package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// profilePrefix starts the name of every profile folder.
const profilePrefix = "pact-conform-chromium-"

// lockName is the file in a profile folder that its run keeps locked. The system drops the lock when
// the run dies, however it dies, so that an unlocked profile is a stale one.
const lockName = "in-use.lock"

// profile is the folder with Chromium's private state.
type profile struct {
	dir  string
	lock *os.File
	// temp is where Chromium has its temporary files: in the profile, with which they are gone, or in
	// a shared folder where that path is too long for what Chromium makes there.
	temp string
}

// newProfile removes what killed runs left behind in the parent folder and makes a folder there for
// this one.
func newProfile(parent string) (*profile, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	sweep(parent)
	dir, err := os.MkdirTemp(parent, profilePrefix)
	if err != nil {
		return nil, fmt.Errorf("no folder for Chromium's profile: %w", err)
	}
	p := &profile{dir: dir}
	if p.lock, err = lockFile(filepath.Join(dir, lockName)); err == nil {
		switch temp := filepath.Join(dir, "tmp"); {
		case len(temp) <= longestTemp:
			p.temp, err = temp, os.Mkdir(temp, 0o700)
		case len(os.TempDir()) <= longestTemp:
			p.temp = os.TempDir()
		default:
			p.temp = "/tmp"
		}
	}
	if err != nil {
		_ = p.remove()
		return nil, fmt.Errorf("no private folder for Chromium's profile: %w", err)
	}
	return p, nil
}

// longestTemp is the longest path under which Chromium finds room for the name of a socket, of which
// systems take a hundred letters.
const longestTemp = 50

// removeTime bounds how long a process that was killed may still write into its profile.
const removeTime = 3 * time.Second

// remove deletes the folder. Chromium must have been ended; what of it is still dying may write once
// more, and then it is deleted once more.
func (p *profile) remove() error {
	_ = p.lock.Close()
	tick := time.NewTicker(again)
	defer tick.Stop()
	for deadline := time.Now().Add(removeTime); ; <-tick.C {
		err := os.RemoveAll(p.dir)
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// unlockedAge is how old a profile folder without a lock is when it is taken for stale: the start of
// a run makes the lock at once, and what a dying Chromium leaves has none.
const unlockedAge = 10 * time.Minute

// sweep removes the profile folders that nobody holds, and ends what is left of the Chromium that had
// one: it may have been too busy to notice that its run died.
func sweep(parent string) {
	stale, _ := filepath.Glob(filepath.Join(parent, profilePrefix+"*"))
	for _, dir := range stale {
		name := filepath.Join(dir, lockName)
		if _, err := os.Stat(name); err != nil {
			if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > unlockedAge {
				_ = os.RemoveAll(dir)
			}
			continue
		}
		if lock, err := lockFile(name); err == nil {
			endOrphans(dir)
			_ = (&profile{dir: dir, lock: lock}).remove()
		}
	}
}
