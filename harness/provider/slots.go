package provider

import (
	"container/heap"
	"context"
	"sync"
)

// slots limits the requests in flight. Who waits is served by priority, then in order of arrival.
type slots struct {
	mu      sync.Mutex
	free    int
	arrived int
	waiting waitingList
}

func newSlots(n int) *slots { return &slots{free: max(n, 1)} }

// acquire takes a slot, or returns the context's cause.
func (s *slots) acquire(ctx context.Context, priority int) error {
	s.mu.Lock()
	if s.free > 0 && len(s.waiting) == 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	s.arrived++
	w := &waiter{priority: priority, arrived: s.arrived, granted: make(chan struct{})}
	heap.Push(&s.waiting, w)
	s.mu.Unlock()

	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.index < 0 { // granted meanwhile: hand it on
		s.handOn()
	} else {
		heap.Remove(&s.waiting, w.index)
	}
	return context.Cause(ctx)
}

func (s *slots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handOn()
}

// handOn gives a slot to the next who waits, or puts it back.
func (s *slots) handOn() {
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	close(heap.Pop(&s.waiting).(*waiter).granted)
}

type waiter struct {
	priority, arrived, index int
	granted                  chan struct{}
}

// waitingList is a heap (container/heap): highest priority first, then first come.
type waitingList []*waiter

func (l waitingList) Len() int { return len(l) }

func (l waitingList) Less(i, j int) bool {
	if l[i].priority != l[j].priority {
		return l[i].priority > l[j].priority
	}
	return l[i].arrived < l[j].arrived
}

func (l waitingList) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].index, l[j].index = i, j
}

func (l *waitingList) Push(x any) {
	w := x.(*waiter)
	w.index = len(*l)
	*l = append(*l, w)
}

func (l *waitingList) Pop() any {
	last := len(*l) - 1
	w := (*l)[last]
	*l = (*l)[:last]
	w.index = -1
	return w
}
