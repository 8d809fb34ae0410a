package provider

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	. "github.com/onsi/gomega"
)

func TestAStrainedTargetGetsFewerRequestsAtOnce(t *testing.T) {
	g := NewWithT(t)
	s := newSlots(8)
	first := s.wave()
	s.strained(first)
	g.Expect(s.all).To(Equal(4))
	s.strained(first)
	g.Expect(s.all).To(Equal(4), "what went out with it counts once")
	s.strained(s.wave())
	s.strained(s.wave())
	s.strained(s.wave())
	g.Expect(s.all).To(Equal(1), "the last slot stays")
	g.Expect(s.free).To(Equal(1))

	for range calmAgain - 1 {
		s.relieved()
	}
	g.Expect(s.all).To(Equal(1))
	s.relieved()
	g.Expect(s.all).To(Equal(2), "many good answers give one back")
	s.strained(s.wave())
	for range 20 * calmAgain {
		s.relieved()
	}
	g.Expect(s.all).To(Equal(8), "and never more than there were")
	g.Expect(s.free).To(Equal(8))
}

func TestASlotThatIsGivenBackServesWhoWaits(t *testing.T) {
	g := NewWithT(t)
	s := newSlots(2)
	g.Expect(s.acquire(context.Background(), 0, "")).To(Succeed())
	s.strained(s.wave())
	served := make(chan error, 1)
	go func() { served <- s.acquire(context.Background(), 0, "") }()
	eventually(t, s.queue).Should(Equal(1))
	for range calmAgain {
		s.relieved()
	}
	g.Expect(<-served).To(Succeed())
}

// A server that fails whatever comes beside another request is got through, one by one.
func TestATargetThatBearsNoParallelRequestsIsSpared(t *testing.T) {
	g := NewWithT(t)
	var inFlight, failed atomic.Int32
	together := make(chan struct{})
	var begin sync.Once
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		defer inFlight.Add(-1)
		if inFlight.Add(1) > 1 {
			begin.Do(func() { close(together) })
			failed.Add(1)
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		<-together // the first is not answered before another has come beside it
	})
	b := newBench(t)
	var group sync.WaitGroup
	for range 60 {
		group.Add(1)
		go func() {
			defer group.Done()
			b.caller(t.Context(), server.URL).Tasks("")
		}()
	}
	group.Wait()
	g.Expect(failed.Load()).To(BeNumerically(">", 0))
	g.Expect(failed.Load()).To(BeNumerically("<", 30))
}

func TestSteadyAsksAgain(t *testing.T) {
	g := NewWithT(t)
	for fails, want := range map[int]int{0: 200, 3: 200, 4: 503} {
		asked := 0
		answer := Steady(func() *Answer {
			if asked++; asked <= fails {
				return &Answer{Status: 503}
			}
			return &Answer{Status: 200}
		})
		g.Expect(answer.Status).To(Equal(want), "%d failures", fails)
		g.Expect(asked).To(Equal(min(fails+1, 4)))
	}
	asked := 0
	g.Expect(Steady(func() *Answer { asked++; return &Answer{Status: 401} }).Status).To(Equal(401))
	g.Expect(asked).To(Equal(1))
}
