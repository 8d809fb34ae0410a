package folder

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/reports/internal/sample"
	"github.com/pact-conform/pact-conform/reports/json"
)

// entries are the names below a folder, with their folders.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// with is the run with the pictures.
func with(run *result.Run, names ...string) *result.Run {
	run.Pictures = map[string][]byte{}
	for _, name := range names {
		run.Pictures[name] = []byte("picture " + name)
	}
	return run
}

// ended is a run without rows that ended with the exit code.
func ended(code int) *result.Run {
	return &result.Run{SchemaVersion: result.SchemaVersion, ExitCode: code}
}

func exitCode(t *testing.T, dir string) int {
	t.Helper()
	run, err := json.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	return run.ExitCode
}

var files = []any{"junit.xml", "report.html", "results.json", "summary.md"}

func TestAReportIsWhole(t *testing.T) {
	g := NewWithT(t)
	dir := filepath.Join(t.TempDir(), "deep", "report")
	g.Expect(Write(dir, with(sample.Clean(), "consent.png"))).To(Succeed())
	g.Expect(entries(t, dir)).To(ConsistOf(append(files, "screenshots", "screenshots/consent.png")...))
	g.Expect(exitCode(t, dir)).To(Equal(0))
	picture, err := os.ReadFile(filepath.Join(dir, "screenshots", "consent.png"))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(picture)).To(Equal("picture consent.png"))
	for _, name := range entries(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(info.Size()).To(BeNumerically(">", 0))
	}
	g.Expect(entries(t, filepath.Dir(dir))).To(HaveLen(1+len(files)+2), "nothing is left beside it")
}

func TestAnOldReportIsReplacedAsAWhole(t *testing.T) {
	g := NewWithT(t)
	parent := t.TempDir()
	dir := filepath.Join(parent, "report")
	g.Expect(Write(dir, with(ended(1), "old.png"))).To(Succeed())
	g.Expect(exitCode(t, dir)).To(Equal(1))
	g.Expect(Write(dir, ended(0))).To(Succeed())
	g.Expect(exitCode(t, dir)).To(Equal(0))
	g.Expect(entries(t, dir)).To(ConsistOf(files...), "no picture of the old run is left")
	g.Expect(entries(t, parent)).To(HaveLen(1 + len(files)))
}

func TestAnOldReportStaysWhenTheNewOneCannotBeWritten(t *testing.T) {
	for name, foreign := range map[string]bool{"replaced as a whole": false, "files moved in": true} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			parent := t.TempDir()
			dir := filepath.Join(parent, "report")
			g.Expect(Write(dir, with(ended(1), "old.png"))).To(Succeed())
			if foreign {
				g.Expect(os.WriteFile(filepath.Join(dir, "mine.txt"), []byte("mine"), 0o600)).To(Succeed())
			}
			before := entries(t, parent)
			err := Write(dir, with(ended(0), "../broken.png"))
			g.Expect(err).To(MatchError(ContainSubstring("report folder %s cannot be written: ", dir)))
			g.Expect(err.Error()).NotTo(ContainSubstring("\n"))
			g.Expect(entries(t, parent)).To(Equal(before))
			g.Expect(exitCode(t, dir)).To(Equal(1))
		})
	}
}

func TestPicturesHavePlainNames(t *testing.T) {
	for _, name := range []string{"../x.png", "a/b.png", `a\b.png`, "x.svg", "x.png.html", ".png", ".x.png", "x", "", "x.PNG", "-rf.png", "a b.png", "a\n.png", "c:x.png"} {
		g := NewWithT(t)
		dir := filepath.Join(t.TempDir(), "report")
		err := Write(dir, with(ended(0), name))
		g.Expect(err).To(MatchError(ContainSubstring("report folder %s cannot be written: ", dir)), "%q", name)
		g.Expect(err.Error()).NotTo(ContainSubstring("\n"))
		g.Expect(entries(t, filepath.Dir(dir))).To(BeEmpty())
	}
}

func TestFilesThatAreNoReportStay(t *testing.T) {
	g := NewWithT(t)
	dir := t.TempDir()
	g.Expect(Write(dir, with(ended(1), "old.png"))).To(Succeed())
	g.Expect(os.WriteFile(filepath.Join(dir, "mine.txt"), []byte("mine"), 0o600)).To(Succeed())
	g.Expect(Write(dir, with(ended(0), "new.png"))).To(Succeed())
	g.Expect(entries(t, dir)).To(ConsistOf(append(files, "mine.txt", "screenshots", "screenshots/new.png")...))
	g.Expect(exitCode(t, dir)).To(Equal(0))
	g.Expect(Write(dir, ended(1))).To(Succeed())
	g.Expect(entries(t, dir)).To(ConsistOf(append(files, "mine.txt")...))
}

func TestTheCurrentFolderIsNotTakenAway(t *testing.T) {
	g := NewWithT(t)
	t.Chdir(t.TempDir())
	g.Expect(Write(".", ended(1))).To(Succeed())
	g.Expect(Write(".", ended(0))).To(Succeed())
	g.Expect(exitCode(t, ".")).To(Equal(0), "the process still stands in the folder that has the report")
}

func TestALinkToAFolderStaysALink(t *testing.T) {
	g := NewWithT(t)
	parent := t.TempDir()
	link := filepath.Join(parent, "latest")
	g.Expect(os.Mkdir(filepath.Join(parent, "real"), 0o777)).To(Succeed())
	g.Expect(os.Symlink("real", link)).To(Succeed())
	g.Expect(Write(link, ended(0))).To(Succeed())
	info, err := os.Lstat(link)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(info.Mode().Type()).To(Equal(fs.ModeSymlink))
	g.Expect(exitCode(t, filepath.Join(parent, "real"))).To(Equal(0))
}

// Whoever reads while reports replace each other finds a whole one, every time.
func TestAReaderAlwaysFindsAReport(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux exchanges folders in one step")
	}
	g := NewWithT(t)
	dir := filepath.Join(t.TempDir(), "report")
	g.Expect(Write(dir, ended(0))).To(Succeed())
	stop, found := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				found <- nil
				return
			default:
			}
			if _, err := json.ReadFile(filepath.Join(dir, "results.json")); err != nil {
				found <- err
				return
			}
		}
	}()
	for range 50 {
		g.Expect(Write(dir, ended(0))).To(Succeed())
	}
	close(stop)
	g.Expect(<-found).To(Succeed())
}

func TestReplacingWithoutAnExchange(t *testing.T) {
	g := NewWithT(t)
	parent := t.TempDir()
	made, target := filepath.Join(parent, "new"), filepath.Join(parent, "report")
	for _, dir := range []string{made, target} {
		g.Expect(os.Mkdir(dir, 0o777)).To(Succeed())
		g.Expect(os.WriteFile(filepath.Join(dir, filepath.Base(dir)), nil, 0o600)).To(Succeed())
	}
	g.Expect(rotate(made, target)).To(Succeed())
	g.Expect(entries(t, parent)).To(ConsistOf("report", "report/new"))
	g.Expect(rotate(filepath.Join(parent, "missing"), target)).NotTo(Succeed())
	g.Expect(entries(t, parent)).To(ConsistOf("report", "report/new"), "the old one is put back")
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	parent := t.TempDir()
	file := filepath.Join(parent, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"a file": file, "below a file": filepath.Join(file, "report")} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			for _, err := range []error{Probe(dir), Write(dir, ended(0))} {
				g.Expect(err).To(MatchError(HavePrefix("report folder " + dir + " cannot be written: ")))
				g.Expect(strings.Count(err.Error(), "\n")).To(BeZero())
				g.Expect(err.Error()).NotTo(ContainSubstring(staging))
			}
			g.Expect(entries(t, parent)).To(Equal([]string{"file"}))
		})
	}
	t.Run("no permission", func(t *testing.T) {
		if os.Getuid() == 0 {
			t.Skip("permissions do not bind this user")
		}
		g := NewWithT(t)
		locked := filepath.Join(parent, "locked")
		g.Expect(os.Mkdir(locked, 0o500)).To(Succeed())
		g.Expect(Probe(locked)).To(MatchError(ContainSubstring("permission denied")))
		g.Expect(Probe(filepath.Join(locked, "report"))).To(MatchError(ContainSubstring("permission denied")))
		g.Expect(Write(locked, ended(0))).To(MatchError(ContainSubstring("permission denied")))
	})
}

func TestProbeLeavesNothingBehind(t *testing.T) {
	g := NewWithT(t)
	parent := t.TempDir()
	g.Expect(Probe(filepath.Join(parent, "not", "yet", "there"))).To(Succeed())
	g.Expect(Probe(parent)).To(Succeed())
	g.Expect(entries(t, parent)).To(BeEmpty())
}
