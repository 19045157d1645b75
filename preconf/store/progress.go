package store

import (
	"fmt"
	"sync/atomic"
	"time"
)

// slow is the time after which reading or writing is reported, and the time between two reports.
const slow = time.Second

// progress reports every second how many records were read or written, unless writing failed before, which was
// reported. Call report for each record, and end at the end.
func (s *Store) progress(doing string) (report func(int), end func()) {
	if s.options.Progress == nil || s.failing {
		return func(int) {}, func() {}
	}
	var count atomic.Int64
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(slow)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.options.Progress(fmt.Sprintf("%s %s: %d records", doing, s.path, count.Load()))
			}
		}
	}()
	return func(n int) { count.Add(int64(n)) }, func() { close(done) }
}
