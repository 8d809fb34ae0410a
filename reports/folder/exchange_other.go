//go:build !linux

package folder

import "errors"

// exchange swaps two folders in one step, which this system does not offer.
func exchange(_, _ string) error { return errors.ErrUnsupported }
