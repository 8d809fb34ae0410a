package config

// State tells a key that was left out from one that was declared to be none.
type State int

// The states.
const (
	// Unset: nobody said anything; what needs the value is not run.
	Unset State = iota
	// None: the Provider, the Brand or the set-up has no such thing; what needs it is not applicable.
	None
	// Set: there is a value.
	Set
)

// String is the state as a word.
func (s State) String() string {
	switch s {
	case None:
		return "none"
	case Set:
		return "set"
	}
	return "unset"
}

// Optional is a value that may be left out or declared to be none. The zero value is unset.
type Optional[T any] struct {
	state State
	value T
}

// Some is an Optional that holds v.
func Some[T any](v T) Optional[T] { return Optional[T]{state: Set, value: v} }

// Nothing is an Optional that was declared to be none.
func Nothing[T any]() Optional[T] { return Optional[T]{state: None} }

// State says which of the three it is.
func (o Optional[T]) State() State { return o.state }

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (T, bool) { return o.value, o.state == Set }
