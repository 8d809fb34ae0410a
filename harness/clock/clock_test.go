package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pact-conform/pact-conform/harness/clock"
)

func TestObserve(t *testing.T) {
	base := time.Date(2026, 11, 30, 12, 0, 0, 700e6, time.UTC)
	for name, test := range map[string]struct {
		date, sent, received time.Time
		want                 time.Duration
	}{
		"whole seconds explain it": {base.Truncate(time.Second), base, base.Add(20 * time.Millisecond), 0},
		"the answer took long":     {base.Add(3 * time.Second).Truncate(time.Second), base, base.Add(4 * time.Second), 0},
		"ahead":                    {base.Add(time.Minute).Truncate(time.Second), base, base.Add(time.Second), 59300 * time.Millisecond},
		"behind":                   {base.Add(-time.Minute).Truncate(time.Second), base, base.Add(time.Second), -60700 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			m := clock.NewMeasured(clock.System{})
			m.Observe(test.date, test.sent, test.received)
			if m.Offset() != test.want {
				t.Errorf("offset %v, want %v", m.Offset(), test.want)
			}
			if ahead := m.Now().Sub(m.Local()); (ahead - test.want).Abs() > time.Second {
				t.Errorf("Now is %v ahead of Local, want about %v", ahead, test.want)
			}
		})
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stopped)
	if err := (clock.System{}).Wait(ctx, time.Hour); !errors.Is(err, stopped) {
		t.Errorf("got %v, want the cause %v", err, stopped)
	}
	if err := (clock.System{}).Wait(context.Background(), time.Microsecond); err != nil {
		t.Errorf("got %v, want nil after the wait", err)
	}
}
