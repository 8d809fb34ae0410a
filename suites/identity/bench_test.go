package identity_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/fixtures/provider"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/suites/internal/proof"
)

// BenchmarkProfile runs the whole profile against an agent that thinks for two seconds, side by
// side and one request at a time, five times each, and prints medians: the turns, the longest chain
// of turns that a row needs, both times and their ratios.
func BenchmarkProfile(b *testing.B) {
	const times, latency = 5, 2 * time.Second
	run := func(concurrency int) *result.Run {
		target := proof.New(b, func(o *provider.Options) { o.AgentLatency = latency })
		target.Setup.Limits.Concurrency = concurrency
		target.Setup.Limits.MaxWait, target.Setup.Limits.RotationWait = 3*time.Second, 3*time.Second
		return suite.Run(b, target)
	}
	for b.Loop() {
		var beside, serial []float64
		var last *result.Run
		for range times {
			last = run(8)
			beside = append(beside, last.Duration)
			serial = append(serial, run(1).Duration)
		}
		chain := float64(last.Stats.Chain) * latency.Seconds()
		fmt.Printf("\nturns %d, longest chain %d turns = %.1f s; side by side %.1f s = %.2f × the chain; one at a time %.1f s; side by side takes %.2f of that\n",
			last.Stats.Turns, last.Stats.Chain, chain, median(beside), median(beside)/chain, median(serial), median(beside)/median(serial))
		b.ReportMetric(float64(last.Stats.Turns), "turns")
		b.ReportMetric(median(beside)/chain, "of-chain")
		b.ReportMetric(median(beside)/median(serial), "of-serial")
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
