package browser

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// programs are the names under which Chromium is found, best first: the headless shell starts and
// runs at half the cost of a whole browser.
var programs = []string{
	"chromium-headless-shell", "chrome-headless-shell", "headless-shell", "headless_shell",
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
}

// places are where installers put it without a name on the PATH.
var places = map[string][]string{
	"linux":  {"/usr/lib/chromium/headless_shell", "/snap/bin/chromium", "/opt/google/chrome/chrome"},
	"darwin": {"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"},
}

// Find is the program to run: the configured one, which must exist, or the first that is installed.
// Without any it is an Error of kind NoChromium whose text says how to install one.
func Find(configured string) (string, error) {
	if configured != "" {
		path, err := exec.LookPath(configured)
		if err != nil {
			return "", &Error{Kind: NoChromium, Saw: fmt.Sprintf("browser.chromium names %q, which cannot be run", configured), Err: err}
		}
		return path, nil
	}
	for _, name := range append(programs, places[runtime.GOOS]...) {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &Error{Kind: NoChromium, Saw: fmt.Sprintf("none of %s is installed; %s, or set browser.chromium to its path",
		strings.Join(programs[:1], ", ")+", chromium, google-chrome, chrome", advice())}
}

// advice is how Chromium is installed on this system.
func advice() string {
	switch runtime.GOOS {
	case "darwin":
		return "install it with: brew install --cask chromium"
	case "windows":
		return "install it with: winget install Google.Chrome"
	}
	if _, err := exec.LookPath("apt-get"); err == nil {
		return "install it with: apt-get install -y chromium-headless-shell (or chromium)"
	}
	return "install your system's package chromium"
}
