package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"
)

func (s *slots) queue() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}

func TestSlotsServeByPriorityThenArrival(t *testing.T) {
	g := NewWithT(t)
	ctx := context.Background()
	s := newSlots(1)
	g.Expect(s.acquire(ctx, 0, "")).To(Succeed())

	served := make(chan string)
	for i, priority := range []int{1, 5, 1, 9, 5, 0} {
		go func() {
			if s.acquire(ctx, priority, "") == nil {
				served <- fmt.Sprintf("%d:%d", priority, i)
			}
		}()
		eventually(t, s.queue).Should(Equal(i + 1))
	}
	var order []string
	for range 6 {
		s.release("")
		order = append(order, <-served)
	}
	g.Expect(order).To(Equal([]string{"9:3", "5:1", "5:4", "1:0", "1:2", "0:5"}))
}

func TestSlotsNeedAtLeastOne(t *testing.T) {
	NewWithT(t).Expect(newSlots(0).acquire(context.Background(), 0, "")).To(Succeed())
}

func TestWhoGivesUpWaitingHoldsNobodyUp(t *testing.T) {
	g := NewWithT(t)
	s := newSlots(1)
	g.Expect(s.acquire(context.Background(), 0, "")).To(Succeed())
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	left := make(chan error)
	go func() { left <- s.acquire(ctx, 9, "") }()
	eventually(t, s.queue).Should(Equal(1))
	cancel(why)
	g.Expect(<-left).To(MatchError(why))
	g.Expect(s.queue()).To(BeZero())

	s.release("")
	g.Expect(s.acquire(context.Background(), 0, "")).To(Succeed(), "the slot is free again")
}

// Giving up races with being served: no slot may be lost, whoever wins.
func TestNoSlotIsLostWhenGivingUpRacesWithBeingServed(t *testing.T) {
	g := NewWithT(t)
	s := newSlots(2)
	var group sync.WaitGroup
	for i := range 200 {
		group.Add(1)
		go func() {
			defer group.Done()
			ctx, cancel := context.WithCancel(context.Background())
			conversation := []string{"", "a", "b"}[i%3]
			if i%2 == 0 {
				go cancel()
			}
			if s.acquire(ctx, i%4, conversation) == nil {
				s.release(conversation)
			}
			cancel()
		}()
	}
	group.Wait()
	g.Expect(s.free).To(Equal(2))
	g.Expect(s.waiting).To(BeEmpty())
	g.Expect(s.busy).To(BeEmpty())
}

func TestWhoMetALimitGoesFirstAndLeavesOneSlotLess(t *testing.T) {
	g := NewWithT(t)
	ctx := context.Background()
	s := newSlots(3)
	for range 3 {
		g.Expect(s.acquire(ctx, 0, "")).To(Succeed())
	}
	served := make(chan string, 2)
	go func() {
		if s.acquire(ctx, 5, "") == nil {
			served <- "newcomer"
		}
	}()
	eventually(t, s.queue).Should(Equal(1))
	go func() {
		if s.again(ctx, ahead, "") == nil {
			served <- "limited"
		}
	}()
	eventually(t, s.queue).Should(Equal(2))
	s.release("")
	g.Expect(<-served).To(Equal("limited"))
	g.Expect(s.queue()).To(Equal(1), "two are in flight, and there are two slots")

	s.release("")
	g.Expect(<-served).To(Equal("newcomer"))
}

func TestTheLastSlotStays(t *testing.T) {
	g := NewWithT(t)
	s := newSlots(3)
	g.Expect(s.acquire(context.Background(), 0, "")).To(Succeed())
	for range 5 {
		g.Expect(s.again(context.Background(), ahead, "")).To(Succeed())
	}
	g.Expect(s.all).To(Equal(1))
	g.Expect(s.free).To(BeZero())
}

func TestGivingUpAfterALimitLosesNoSlot(t *testing.T) {
	g := NewWithT(t)
	s := newSlots(1)
	g.Expect(s.acquire(context.Background(), 0, "a")).To(Succeed())
	served := make(chan error, 1)
	go func() { served <- s.acquire(context.Background(), 2*ahead, "") }()
	eventually(t, s.queue).Should(Equal(1))
	ctx, cancel := context.WithCancel(context.Background())
	gaveUp := make(chan error, 1)
	go func() { gaveUp <- s.again(ctx, ahead, "a") }()
	g.Expect(<-served).To(Succeed())
	cancel()
	g.Expect(<-gaveUp).To(MatchError(context.Canceled))
	s.release("")
	g.Expect(s.acquire(context.Background(), 0, "a")).To(Succeed())
}

func TestAMessageWaitsForTheOneBeforeItInItsConversation(t *testing.T) {
	g := NewWithT(t)
	arrived, goOn := make(chan string, 10), make(chan struct{})
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- string(body)
		if strings.Contains(string(body), "first") {
			<-goOn
		}
	})
	b := newBench(t)
	caller := b.caller(t.Context(), server.URL)
	var group sync.WaitGroup
	send := func(text, conversation string) {
		group.Add(1)
		go func() {
			defer group.Done()
			caller.Send(text, InContext(conversation))
		}()
	}
	send("first", "one")
	g.Expect(<-arrived).To(ContainSubstring("first"))
	send("second", "one")
	eventually(t, b.slots.queue).Should(Equal(1))

	// Another conversation passes it by.
	send("other", "two")
	g.Expect(<-arrived).To(ContainSubstring("other"))
	g.Expect(arrived).To(BeEmpty())
	close(goOn)
	g.Expect(<-arrived).To(ContainSubstring("second"))
	group.Wait()
}

func TestAtOnceLetsMessagesInSideBySide(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	server := serve(t, func(http.ResponseWriter, *http.Request) {
		both.Done()
		both.Wait() // neither is answered before the other has come
	})
	b := newBench(t)
	caller := b.caller(t.Context(), server.URL).AtOnce()
	var group sync.WaitGroup
	for range 2 {
		group.Add(1)
		go func() {
			defer group.Done()
			NewWithT(t).Expect(caller.Send("hello", InContext("one")).Err).NotTo(HaveOccurred())
		}()
	}
	group.Wait()
}

func TestNoMoreRequestsInFlightThanAllowed(t *testing.T) {
	g := NewWithT(t)
	var mu sync.Mutex
	now, most := 0, 0
	full, goOn := make(chan struct{}, 12), make(chan struct{})
	server := serve(t, func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		if now == 3 {
			full <- struct{}{}
		}
		mu.Unlock()
		<-goOn
		mu.Lock()
		now--
		mu.Unlock()
	})
	b := newBench(t, func(o *Options) { o.Concurrency = 3 })
	caller := b.caller(t.Context(), server.URL)
	var group sync.WaitGroup
	for range 12 {
		group.Add(1)
		go func() {
			defer group.Done()
			caller.Tasks("")
		}()
	}
	<-full
	eventually(t, b.slots.queue).Should(Equal(9))
	close(goOn)
	group.Wait()
	// Closing goOn lets the count shoot up again only as far as there are slots.
	g.Expect(most).To(Equal(3))
}

func TestARequestThatStillWaitsEndsWithTheRun(t *testing.T) {
	g := NewWithT(t)
	goOn := make(chan struct{})
	server := serve(t, func(http.ResponseWriter, *http.Request) { <-goOn })
	b := newBench(t, func(o *Options) { o.Concurrency = 1 })
	why := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	answers := make(chan *Answer)
	go func() { answers <- b.caller(t.Context(), server.URL).Tasks("") }()
	eventually(t, func() int { b.slots.mu.Lock(); defer b.slots.mu.Unlock(); return b.slots.free }).Should(BeZero())
	go func() { answers <- b.caller(ctx, server.URL).Tasks("") }()
	eventually(t, b.slots.queue).Should(Equal(1))
	cancel(why)
	waiting := <-answers
	g.Expect(waiting.Err).To(MatchError(why))
	g.Expect(waiting.Exchange).To(BeNil(), "it was never sent")
	close(goOn)
	g.Expect((<-answers).Status).To(Equal(200))
	g.Expect(b.recorder.All()).To(HaveLen(1))
}
