package provider

import (
	"context"
	"slices"
	"sync"
)

// slots lets requests through: only so many at once, and of those that name a conversation one at a
// time. Who waits is served by priority, then in order of arrival; whoever waits for a conversation
// holds nobody else up.
type slots struct {
	mu      sync.Mutex
	all     int
	free    int             // below 0 while more are in flight than there are slots left
	busy    map[string]bool // conversations
	waiting []*waiter       // in the order in which they are served

	strain strain
}

// strain is how much the target is spared because it failed under parallel requests.
type strain struct {
	// taken are slots that were taken away, wave counts how often; calm are the good answers since.
	taken, wave, calm int
}

// calmAgain is after how many good answers in a row a strained target gets a slot back.
const calmAgain = 25

type waiter struct {
	priority     int
	conversation string
	granted      chan struct{}
}

func newSlots(n int) *slots { return &slots{all: max(n, 1), free: max(n, 1), busy: map[string]bool{}} }

// acquire takes a slot, and the conversation unless it is empty, or returns the context's cause.
func (s *slots) acquire(ctx context.Context, priority int, conversation string) error {
	s.mu.Lock()
	w := s.enqueue(priority, conversation)
	s.serve()
	s.mu.Unlock()
	return s.await(ctx, w)
}

// again gives a slot back to queue for another, or returns the context's cause, and then holds none.
// It is for who met a limit: one slot less stays, and nobody of a lower priority gets in between, so
// that who is limited does not run into the limit over and over because of the others.
func (s *slots) again(ctx context.Context, priority int, conversation string) error {
	s.mu.Lock()
	w := s.enqueue(priority, conversation)
	if s.all > 1 {
		s.all--
		s.free--
	}
	s.giveBack(conversation)
	s.mu.Unlock()
	return s.await(ctx, w)
}

func (s *slots) enqueue(priority int, conversation string) *waiter {
	w := &waiter{priority: priority, conversation: conversation, granted: make(chan struct{})}
	at, _ := slices.BinarySearchFunc(s.waiting, w, func(there, w *waiter) int {
		if there.priority >= w.priority {
			return -1
		}
		return 1
	})
	s.waiting = slices.Insert(s.waiting, at, w)
	return w
}

// await waits until w is served.
func (s *slots) await(ctx context.Context, w *waiter) error {
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.Index(s.waiting, w); at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	} else { // granted meanwhile
		s.giveBack(w.conversation)
	}
	return context.Cause(ctx)
}

// wave is what strained wants to know: how often the target had been spared when a request went out.
func (s *slots) wave() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.strain.wave
}

// strained halves the slots: a request of that wave met a failure while others were under way. Those
// that went out with it do not count again.
func (s *slots) strained(wave int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strain.calm = 0
	if wave != s.strain.wave || s.all == 1 {
		return
	}
	less := s.all / 2
	s.all, s.free = s.all-less, s.free-less
	s.strain.taken += less
	s.strain.wave++
}

// relieved counts a good answer, and gives a slot back after many of them.
func (s *slots) relieved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.strain.taken == 0 {
		return
	}
	if s.strain.calm++; s.strain.calm < calmAgain {
		return
	}
	s.strain.calm = 0
	s.strain.taken--
	s.all++
	s.free++
	s.serve()
}

// release gives back what acquire took.
func (s *slots) release(conversation string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.giveBack(conversation)
}

func (s *slots) giveBack(conversation string) {
	s.free++
	delete(s.busy, conversation)
	s.serve()
}

// serve lets through who can go.
func (s *slots) serve() {
	for i := 0; i < len(s.waiting) && s.free > 0; {
		w := s.waiting[i]
		if w.conversation != "" && s.busy[w.conversation] {
			i++
			continue
		}
		s.free--
		if w.conversation != "" {
			s.busy[w.conversation] = true
		}
		s.waiting = slices.Delete(s.waiting, i, i+1)
		close(w.granted)
	}
}
