package flashblocks

import (
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Kind names the feed where kinds of subscription are named.
const Kind = "flashblocks"

// kept is how many frames a reader can resume from.
const kept = preconf.RecentFlashblocks - 1

// Config configures a Feed. All but Brotli and Metadata must be set.
type Config struct {
	// Timeline makes the flashblocks.
	Timeline *preconf.Timeline
	// Header returns the header of a pending block so far, with gas, bloom and the roots of what it holds.
	Header func(*preconf.View) *types.Header
	// Endpoint is the one whose clients the readers are: it bounds what they leave unread, and cuts them off.
	Endpoint *jsonrpc.Endpoint
	// Running counts the goroutine of the Feed.
	Running *sync.WaitGroup
	// Brotli compresses the frames for readers that do not ask for either. False: text.
	Brotli bool
	// Metadata of the frames. Empty: Minimal.
	Metadata Metadata
}

// Feed is the raw feed of one network. It has a preconf.Feed and a goroutine while there are readers, and neither
// without. It never waits for a reader. Safe for concurrent use.
type Feed struct {
	config Config

	mu      sync.Mutex
	events  *preconf.Feed // nil without readers
	done    chan struct{} // closed with events
	readers []*reader     // in the order in which they came
	last    *preconf.Flashblock
	recent  []*frame // the last that were made, at most kept, oldest first
	made    uint64   // frames so far
	plan    plan
	held    []*frame // back by faults, oldest first
}

// reader is a client of the feed.
type reader struct {
	sub        *jsonrpc.Subscription
	compressed bool
	joined     uint64 // frames made before it came
}

// New returns a Feed. It has no readers yet.
func New(config Config) *Feed { return &Feed{config: config} }

// Fail sets a fault. Faults add up: each frame is struck by the first that is due. The error describes what is wrong
// with the fault.
func (f *Feed) Fail(fault Fault) error {
	if err := fault.check(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drain() // what happened before is not struck
	f.plan.add(fault)
	return nil
}

// ClearFaults removes all faults. A frame that one of them holds back goes out behind the next.
func (f *Feed) ClearFaults() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drain()
	f.plan = nil
}

// Faults returns the faults that are set, with the Nth and Count that are left, in the order set.
func (f *Feed) Faults() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drain()
	return f.plan.faults()
}

// Readers returns how many clients read the feed, without those that are being cut off.
func (f *Feed) Readers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	reading := 0
	for _, r := range f.readers {
		if r.sub.IsOpen() {
			reading++
		}
	}
	return reading
}

// CatchUp sends all that has been made so far.
func (f *Feed) CatchUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drain()
}

// join sends r what it resumes with, and all that is made from now on. The function it returns ends that.
func (f *Feed) join(r *reader, q query) (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.events == nil {
		f.begin()
	}
	f.drain() // what happened before is not for r, unless it resumes
	if q.after != nil {
		f.send(missed(f.recent, *q.after), []*reader{r})
	}
	r.joined = f.made
	f.readers = append(f.readers, r)
	return func() { f.leave(r) }
}

func (f *Feed) leave(r *reader) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.readers, r); i >= 0 {
		f.readers = slices.Delete(f.readers, i, i+1)
	}
	if len(f.readers) == 0 {
		f.end()
	}
}

// begin reads events; the caller holds mu.
func (f *Feed) begin() {
	events, recent := f.config.Timeline.SubscribeRecent()
	done := make(chan struct{})
	f.events, f.done = events, done
	f.last, f.recent = nil, nil
	if len(recent) == preconf.RecentFlashblocks {
		f.last, recent = recent[0], recent[1:]
	}
	for _, flashblock := range recent {
		f.make(flashblock)
	}
	f.config.Running.Go(func() { f.run(events, done) })
}

// end stops reading events; the caller holds mu.
func (f *Feed) end() {
	if f.events != nil {
		f.events.Close()
		close(f.done)
		f.events, f.readers, f.last, f.recent, f.held = nil, nil, nil, nil, nil
	}
}

// run sends frames as they are made, until there are no readers.
func (f *Feed) run(events *preconf.Feed, done chan struct{}) {
	for {
		f.mu.Lock()
		if f.events != events {
			f.mu.Unlock()
			return
		}
		f.drain()
		ready := events.Ready()
		f.mu.Unlock()
		select {
		case <-ready:
		case <-done:
		}
	}
}

// drain is CatchUp; the caller holds mu.
func (f *Feed) drain() {
	for f.events != nil {
		event, err := f.events.Poll()
		if err != nil {
			for _, r := range f.readers {
				r.sub.TooSlow(err.Error())
			}
			f.end()
			return
		}
		if event == nil {
			return
		}
		if event.Kind == preconf.FlashblockAdded {
			for _, made := range f.make(event.Flashblock) {
				f.publish(made)
			}
		}
	}
}

// make returns the frames that a flashblock adds to the feed; the caller holds mu.
func (f *Feed) make(flashblock *preconf.Flashblock) []*frame {
	frames := f.config.framesAfter(f.last, flashblock)
	for _, made := range frames {
		f.made++
		made.number = f.made
	}
	f.last = flashblock
	f.recent = append(f.recent, frames...)
	f.recent = slices.Clone(f.recent[max(0, len(f.recent)-kept):])
	return frames
}

// publish sends a frame to the readers, as the faults will; the caller holds mu.
func (f *Feed) publish(made *frame) {
	if len(f.readers) == 0 {
		return
	}
	fault := f.plan.next()
	switch fault.Kind {
	case Gap:
		return
	case Reorder:
		f.held = append(f.held, made)
		return
	case Disconnect:
		for _, r := range f.readers {
			_ = r.sub.Disconnect(jsonrpc.Disconnection{Code: fault.Code}) // Fail has checked the code
		}
		f.end()
		return
	case WrongLink:
		made = made.linkedWrongly()
	case Truncate:
		made = made.truncated(fault.Bytes)
	}
	slices.Reverse(f.held)
	frames := append([]*frame{made}, f.held...)
	f.held = nil
	f.send(frames, f.readers)
}

// send gives frames to readers that were there when they were made. A reader to whom a frame cannot be encoded is cut
// off. The caller holds mu.
func (f *Feed) send(frames []*frame, readers []*reader) {
	for _, made := range frames {
		for _, r := range readers {
			if made.number <= r.joined {
				continue
			}
			items, err := made.encoded(r.compressed)
			if err != nil {
				r.sub.Fail(err.Error())
				continue
			}
			r.sub.Notify(made.news, items...)
		}
	}
}
