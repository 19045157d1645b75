package flashblocks

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Kind is the name of the feed in lists of subscription kinds.
const Kind = "flashblocks"

// kept is the number of frames from which a reader can resume.
const kept = preconf.RecentFlashblocks - 1

// Frames describes the frames of a feed.
type Frames struct {
	// Brotli compresses them for readers that do not ask for either. False: text.
	Brotli bool
	// Metadata decides what each has besides the block. Empty: Minimal.
	Metadata Metadata
}

// Config configures a Feed. All but Frames must be set.
type Config struct {
	// Timeline makes the flashblocks.
	Timeline *preconf.Timeline
	// Replica is the number of the replica that the readers read, whose frames are late; nobody resumes there. 0: none.
	Replica int
	// Header returns the header of a pending block so far, with gas, bloom and roots.
	Header func(*preconf.View) *types.Header
	// Endpoint is the endpoint whose clients the readers are: it bounds their unread bytes, and cuts them off.
	Endpoint *jsonrpc.Endpoint
	// Running counts the goroutines of the Feed.
	Running *sync.WaitGroup
	Frames
}

// Feed is the raw feed of one network. It has a preconf.Feed and a goroutine only while there are readers. It never
// waits for a reader, and nothing waits while frames are encoded. Safe for concurrent use.
type Feed struct {
	config Config
	sender sender

	mu      sync.Mutex
	events  *preconf.Feed // nil without readers
	done    chan struct{} // closed with events
	readers []*reader     // in the order in which they joined
	last    *preconf.Flashblock
	recent  []*frame // the last that were made, at most kept, oldest first
	made    uint64   // frames so far
	plan    plan
	held    []*frame // held back by faults, oldest first
}

type reader struct {
	sub        *jsonrpc.Subscription
	compressed bool
	joined     uint64 // frames made before it came
}

// New returns a Feed. It has no readers yet.
func New(config Config) *Feed {
	return &Feed{config: config, sender: sender{running: config.Running}}
}

// Fail sets a fault: each frame is struck by the first that is due. The error names the wrong field of the fault.
func (f *Feed) Fail(fault Fault) (err error) {
	if err := fault.check(); err != nil {
		return err
	}
	f.do(func() { err = f.plan.add(fault) })
	return err
}

// ClearFaults removes all faults. A frame that one of them holds back goes out behind the next.
func (f *Feed) ClearFaults() { f.do(func() { f.plan = nil }) }

// Faults returns the faults in force with the remaining Nth and Count, in the order set.
func (f *Feed) Faults() (faults []Fault) {
	f.do(func() { faults = f.plan.faults() })
	return faults
}

// Readers returns the number of clients that read the feed, without those that are being cut off.
func (f *Feed) Readers() (reading int) {
	f.do(func() {
		for _, r := range f.readers {
			if r.sub.IsOpen() {
				reading++
			}
		}
	})
	return reading
}

// join sends sub the frames it resumes with, and all later ones. The function it returns ends that.
func (f *Feed) join(sub *jsonrpc.Subscription, q query) (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.events == nil {
		events, done := f.open(), make(chan struct{})
		f.events, f.done = events, done
		f.config.Running.Go(func() { f.run(events, done) })
	}
	f.tellAll()
	r := &reader{sub: sub, compressed: q.compressed}
	if q.after != nil && f.config.Replica == 0 {
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
		f.forget()
	}
}

// end removes all readers; the caller holds mu.
func (f *Feed) end() {
	if f.events != nil {
		f.events.Close()
		close(f.done)
		f.events, f.readers = nil, nil
	}
}

// forget frees the frames kept for readers; the caller holds mu.
func (f *Feed) forget() { f.last, f.recent, f.held = nil, nil, nil }

// do calls then once all events so far are delivered. No other event is delivered meanwhile.
func (f *Feed) do(then func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tellAll()
	then()
}

// run delivers events as they happen, until there are no readers.
func (f *Feed) run(events *preconf.Feed, done chan struct{}) {
	for {
		f.mu.Lock()
		if f.events != events {
			f.mu.Unlock()
			return
		}
		var changed <-chan struct{} // a replica may see more then
		if f.config.Replica != 0 {
			changed = f.config.Timeline.Changed()
		}
		f.tellAll()
		ready := events.Ready()
		if f.toldAll() {
			ready = nil
		}
		f.mu.Unlock()
		select {
		case <-ready:
		case <-changed:
		case <-done:
		}
	}
}

// toldAll reports whether readers have got all that their replica has seen; the caller holds mu.
func (f *Feed) toldAll() bool {
	return f.events == nil || f.events.Passed() >= f.config.Timeline.LastEvent(f.config.Replica)
}

// tellAll delivers all events so far; the caller holds mu.
func (f *Feed) tellAll() {
	for !f.toldAll() {
		event, err := f.events.Poll()
		switch {
		case err != nil:
			for _, r := range f.readers {
				r.sub.TooSlow(err.Error())
			}
			f.end()
		case event == nil:
			return
		case !f.tell(event):
			f.end()
		}
	}
}

// catchUp returns once all frames so far are in the queues of the readers.
func (f *Feed) catchUp() {
	f.do(func() {})
	f.sender.wait()
}

// open returns the events from now on, for the first reader, and makes the frames that it can resume from.
func (f *Feed) open() *preconf.Feed {
	f.forget()
	events, recent := f.config.Timeline.SubscribeAs(preconf.Reader{Lag: preconf.Lag{Replica: f.config.Replica}})
	if f.config.Replica != 0 {
		return events
	}
	if len(recent) == preconf.RecentFlashblocks {
		f.last, recent = recent[0], recent[1:]
	}
	for _, flashblock := range recent {
		f.make(flashblock)
	}
	return events
}

// tell sends the readers the frames that an event adds, and reports whether the feed goes on.
func (f *Feed) tell(event *preconf.Event) bool {
	if event.Kind != preconf.FlashblockAdded {
		return true
	}
	for _, made := range f.make(event.Flashblock) {
		if !f.publish(made) {
			return false
		}
	}
	return true
}

// make returns the frames that a flashblock adds to the feed.
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

// publish sends a frame to the readers, as the faults will, and reports whether they may have another.
func (f *Feed) publish(made *frame) bool {
	if len(f.readers) == 0 {
		return true
	}
	fault := f.plan.next()
	switch fault.Kind {
	case Gap:
		return true
	case Reorder:
		f.held = append(f.held, made)
		return true
	case Disconnect:
		for _, r := range f.readers {
			f.sender.do(func() { _ = r.sub.Disconnect(jsonrpc.Disconnection{Code: fault.Code}) }) // Fail has checked the code
		}
		return false
	case WrongLink:
		made = made.again(preconf.FlashblockID{Number: made.previous.Number, Index: made.previous.Index + 1})
	case Truncate:
		made = made.again(made.previous)
		made.keep = func(size int) int { return min(cmp.Or(fault.Bytes, size/2), size) }
	}
	slices.Reverse(f.held)
	frames := append([]*frame{made}, f.held...)
	f.held = nil
	f.send(frames, f.readers)
	return true
}

// send sends frames to readers that joined before they were made.
func (f *Feed) send(frames []*frame, readers []*reader) {
	for _, made := range frames {
		var to []*reader
		for _, r := range readers {
			if made.number > r.joined {
				to = append(to, r)
			}
		}
		if len(to) > 0 {
			f.sender.send(made, to)
		}
	}
}
