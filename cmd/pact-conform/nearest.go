package main

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest is the candidate that takes the fewest changes to reach from a word; letter case costs
// nothing. Of equally near ones it is the first.
func nearest(word string, candidates []string) string {
	best, least := "", -1
	for _, candidate := range candidates {
		changes := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(candidate))
		if least < 0 || changes < least {
			best, least = candidate, changes
		}
	}
	return best
}

// commas splits the values of a flag that may be repeated, and may name several things at once.
func commas(values []string) []string {
	var words []string
	for _, value := range values {
		for word := range strings.SplitSeq(value, ",") {
			words = append(words, strings.TrimSpace(word))
		}
	}
	return words
}
