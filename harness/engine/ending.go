package engine

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// endingTime bounds what is done when a run has ended, also one that was interrupted.
const endingTime = 30 * time.Second

// atEnd has something done when the body has ended; for a journey, which others go on with, when the
// run has.
func (c *C) atEnd(do func()) {
	if !c.isJourney {
		c.closers = append(c.closers, do)
		return
	}
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	c.run.closers = append(c.run.closers, do)
}

// close does what was left for the end, the last first.
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
	for name, all := range finally {
		s := &started{done: make(chan struct{}), record: newRecord(name, r.now())}
		r.order = append(r.order, s)
		c := r.newC(name, s.record, nil, 0, false)
		c.ctx, c.isJourney = ctx, true
		c.do(func() {
			for _, do := range all {
				do(c)
			}
		})
		close(s.done)
	}
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
