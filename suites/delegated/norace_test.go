//go:build !race

package delegated_test

// raced says that the race detector watches.
const raced = false
