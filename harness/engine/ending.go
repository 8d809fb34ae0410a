package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// endingTime bounds what is done when a run has ended, also one that was interrupted.
const endingTime = 30 * time.Second

// closeAll does what was left for the end, the last first.
func closeAll(closers []func()) {
	for _, do := range slices.Backward(closers) {
		do()
	}
}

// Finally has something done when all cases have ended, however the run ended: what it made at the
// Provider is taken back. It is told as a journey of that name, once for all that is asked for by it.
func (c *C) Finally(name string, do func(*C)) {
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	if c.run.finally == nil {
		c.run.finally = map[string][]func(*C){}
	}
	c.run.finally[name] = append(c.run.finally[name], do)
}

// end does what was left for the end of the run.
func (r *run) end() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), endingTime)
	defer cancel()
	r.mu.Lock()
	finally, closers := r.finally, r.closers
	r.mu.Unlock()
	closeAll(closers)
	for _, name := range slices.Sorted(maps.Keys(finally)) {
		s := &started{done: make(chan struct{}), record: newRecord(name, r.now())}
		r.order = append(r.order, s)
		c := r.newC(name, s.record, nil, 0, false)
		c.ctx, c.isJourney = ctx, true
		c.do(func() {
			for _, do := range finally[name] {
				c.alone(func() { do(c) })
			}
		})
		close(s.done)
	}
}

// alone does something that may end the body, and goes on behind it all the same.
func (c *C) alone(do func()) {
	ended := make(chan struct{})
	c.run.spawn(func() {
		defer close(ended)
		defer func() { c.caught(recover()) }()
		do()
	})
	<-ended
}

// keepPicture keeps a picture under a name of its own.
func (r *run) keepPicture(of string, png []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pictures == nil {
		r.pictures = map[string][]byte{}
	}
	name := fmt.Sprintf("%03d-%s.png", len(r.pictures)+1, plainName(of))
	r.pictures[name] = png
	return name
}
