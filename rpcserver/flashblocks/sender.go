package flashblocks

import (
	"fmt"
	"sync"
)

// maxUnsent is the number of frames that may wait to be encoded for the readers of one encoding.
const maxUnsent = 1 << 16

// sender encodes frames for the readers of one encoding, and sends them, in order. It has a goroutine while there are
// frames to send, so nothing else waits for a slow encoding. Safe for concurrent use.
type sender struct {
	compresses bool
	running    *sync.WaitGroup // counts the goroutine

	mu    sync.Mutex
	tasks []func() // oldest first
	busy  bool     // the goroutine is there
}

// send sends a frame to readers. It cuts them off if the sender is too far behind, or if the frame cannot be encoded.
func (s *sender) send(made *frame, readers []*reader) {
	if s.isFull() {
		for _, r := range readers {
			r.sub.TooSlow(fmt.Sprintf("more than %d flashblocks wait to be encoded", maxUnsent))
		}
		return
	}
	s.do(func() {
		for _, r := range readers {
			if !r.sub.IsOpen() {
				continue
			}
			message, err := made.encoded(s.compresses)
			if err != nil {
				r.sub.Fail(err.Error())
				continue
			}
			r.sub.Notify(made.news, message...)
		}
	})
}

func (s *sender) isFull() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tasks) >= maxUnsent
}

// do adds a task for the goroutine, after all earlier ones.
func (s *sender) do(task func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks = append(s.tasks, task)
	if !s.busy {
		s.busy = true
		s.running.Go(s.run)
	}
}

// wait waits until all earlier tasks are done.
func (s *sender) wait() {
	s.mu.Lock()
	if !s.busy {
		s.mu.Unlock()
		return
	}
	done := make(chan struct{})
	s.tasks = append(s.tasks, func() { close(done) })
	s.mu.Unlock()
	<-done
}

// run runs tasks until there are none.
func (s *sender) run() {
	for {
		s.mu.Lock()
		if len(s.tasks) == 0 {
			s.busy = false
			s.mu.Unlock()
			return
		}
		tasks := s.tasks
		s.tasks = nil
		s.mu.Unlock()
		for i, task := range tasks {
			tasks[i] = nil
			task()
		}
	}
}
