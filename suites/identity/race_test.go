//go:build race

package identity_test

// raced says that the race detector watches.
const raced = true
