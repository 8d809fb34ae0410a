package provider

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

// failuresInARow is how many requests in a row may stay without any answer before the breaker opens.
const failuresInARow = 3

// ErrStopped is the cause of a run that the circuit breaker ended.
var ErrStopped = errors.New("the target stopped answering")

// breaker ends a run whose target does not answer: it is of no use to let each of hundreds of
// requests run into its own deadline.
type breaker struct {
	open func(error)

	mu     sync.Mutex
	row    int
	opened bool
}

// answered takes an answer, whatever it says.
func (b *breaker) answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.row = 0
}

// unanswered takes a request without an answer. Only what says that nobody is there counts: a
// deadline that passed, a connection that could not be made.
func (b *breaker) unanswered(err error) {
	var dial *net.OpError
	refused := errors.As(err, &dial) && dial.Op == "dial"
	if !refused && !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.row++
	if b.row < failuresInARow || b.opened {
		return
	}
	b.opened = true
	b.open(fmt.Errorf("%w: %d requests in a row had no answer, the last: %s", ErrStopped, b.row, Plain(err)))
}
