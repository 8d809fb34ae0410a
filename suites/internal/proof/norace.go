//go:build !race

package proof

// Raced says that the race detector watches.
const Raced = false
