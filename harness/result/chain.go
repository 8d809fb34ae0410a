package result

// LongestChain is the most agent turns that one case made and waited for, its journeys' included:
// what a run takes at least, however much goes on side by side.
func (r *Run) LongestChain() int {
	turns := map[string]int{} // by case or journey
	for _, x := range r.Exchanges {
		if x.Turn && !x.Tags.SecondLook {
			turns[x.Tags.Case]++
		}
	}
	uses := map[string][]string{}
	for _, j := range r.Journeys {
		uses[j.Name] = j.Journeys
	}
	known := map[string]int{}
	var chain func(name string, journeys []string) int
	chain = func(name string, journeys []string) int {
		longest := 0
		for _, j := range journeys {
			if _, done := known[j]; !done {
				known[j] = 0 // a journey never waits for itself
				known[j] = chain(j, uses[j])
			}
			longest = max(longest, known[j])
		}
		return turns[name] + longest
	}
	longest := 0
	for _, q := range r.Requirements {
		for _, c := range q.Cases {
			longest = max(longest, chain(c.Name, c.Journeys))
		}
	}
	return longest
}
