//go:build !unix

package browser

import "os"

// lockFile removes what is there and makes the file anew: a system without advisory locks refuses to
// remove a file that another process holds open.
func lockFile(name string) (*os.File, error) {
	if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}
