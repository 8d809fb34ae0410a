package delegated_test

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/pact-conform/pact-conform/fixtures/defects"
	"github.com/pact-conform/pact-conform/fixtures/looks"
	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/browser"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

// chromium is the one that all runs with pages share.
var chromium = sync.OnceValues(func() (*browser.Browser, error) {
	if _, err := browser.Find(os.Getenv("CHROMIUM")); err != nil {
		return nil, err
	}
	return browser.New(browser.Options{Chromium: os.Getenv("CHROMIUM")}), nil
})

// browsing bounds how many runs read pages at once: one Chromium bears only so many.
var browsing = make(chan struct{}, 4)

// withPages gives a target the shared Chromium, when it is its turn.
func withPages(t *testing.T, target *proof.Target) {
	t.Helper()
	browsing <- struct{}{}
	t.Cleanup(func() { <-browsing })
	shared, err := chromium()
	if err != nil {
		t.Fatalf("the proof needs a Chromium (make deps installs one): %v", err)
	}
	target.Setup.Chromium, target.Setup.NoPages, target.Setup.NoPictures = shared, "", true
}

// read reports whether the run with that number is made: one of so many, and all of them where PROOF is
// full. A browser costs more than all else, and the race detector watches none of these.
func read(number, of int) bool {
	return !proof.Raced && (number%of == 0 || os.Getenv("PROOF") == "full")
}

// TestEveryLookIsRead runs the profile with a real browser as the User on every design of login and consent.
func TestEveryLookIsRead(t *testing.T) {
	for i, look := range looks.All() {
		if !read(i, 3) {
			continue
		}
		t.Run(look.Name, func(t *testing.T) {
			t.Parallel()
			target := proof.Delegating(t, func(o *provider.Options) { o.Delegation.Look = look.Name })
			withPages(t, target)
			target.Setup.Player = nil
			rows := proof.All
			if look.Name != looks.Plain {
				rows = onPages
			}
			suite.Correct(t, "look "+look.Name, suite.RunRows(t, target, rows))
		})
	}
}

// decided are rows that a scripted User could show too, and that the pages decide: whether what was
// unticked, denied or left empty is what the Provider took.
var decided = []string{"PACT-5.3-17", "PACT-5.3-19", "PACT-5.3-38"}

// onPages reports whether pages show or decide a row.
func onPages(id string) bool { return needsPage(id) || slices.Contains(decided, id) }

// subjects are rows that one part of the pages is about. A defect in one of them is run against that
// subject whole, and against what the pages show.
var subjects = [][]string{
	{"PACT-5.2-02", "PACT-5.3-25", "PACT-5.3-26", "PACT-5.3-29", "PACT-5.3-30", "PACT-5.3-31", "PACT-5.3-32", "PACT-5.3-37"},
	{"PACT-5.3-25", "PACT-5.3-26", "PACT-5.3-27", "PACT-5.3-28"},
	{"PACT-5.3-17", "PACT-5.3-19", "PACT-5.3-33", "PACT-5.3-34", "PACT-5.3-35", "PACT-5.3-38", "PACT-5.3-46", "PACT-5.3-47"},
}

// around chooses the rows that a defect names, and those of their subjects.
func around(named []string) func(id string) bool {
	wanted := slices.Concat(named, subjects[0])
	for _, subject := range subjects {
		if slices.ContainsFunc(subject, func(id string) bool { return slices.Contains(named, id) }) {
			wanted = append(wanted, subject...)
		}
	}
	return func(id string) bool { return slices.Contains(wanted, id) }
}

// TestEveryDefectOfPagesIsCaught runs the profile with pages against the defects that only pages
// show. The rows that no page shows are left to the others.
func TestEveryDefectOfPagesIsCaught(t *testing.T) {
	pages := slices.DeleteFunc(defects.Delegated(), func(d defects.Defect) bool { return !d.Pages })
	for i, d := range pages {
		if !read(i, 4) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			target := proof.Delegating(t, func(o *provider.Options) { o.Vary = append(o.Vary, d.Apply) })
			withPages(t, target)
			target.Setup.Player = nil
			run := suite.RunRows(t, target, around(slices.Concat(d.Fails, d.Warns, d.Blocks)))
			suite.Caught(t, d, run, proof.All)
		})
	}
}
