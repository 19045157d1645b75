package flashblocks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"sync"

	"github.com/andybalholm/brotli"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// frame is a flashblock for the readers, with the encodings made so far.
type frame struct {
	config   *Config
	before   *preconf.View // the pending block before the flashblock, nil at index 0
	view     *preconf.View // and after it
	previous preconf.FlashblockID
	repeat   bool   // the frame before it is of the same flashblock, announced for the first time or again
	number   uint64 // of the frames of the feed
	cut      cut

	plain     func() ([]byte, error) // the whole message, made on first use
	encodings [2]encoding            // by whether they are compressed
	news      *jsonrpc.News          // all of them, counted once for all readers
}

// encoding is a frame in the form for its readers, made for the first of them. Safe for concurrent use.
type encoding struct {
	once    sync.Once
	message []json.RawMessage // one
	err     error
}

// cut describes how a fault shortens a message.
type cut struct {
	isCut bool
	bytes int // 0: half of them
}

// Brotli's settings, as on the public endpoints.
var brotliOptions = brotli.WriterOptions{Quality: 5, LGWin: 22}

func (c *Config) newFrame(before, view *preconf.View, previous preconf.FlashblockID) *frame {
	f := &frame{config: c, before: before, view: view, previous: previous, news: new(jsonrpc.News)}
	f.plain = sync.OnceValues(f.encode)
	return f
}

func (f *frame) id() preconf.FlashblockID {
	return preconf.FlashblockID{Number: f.view.Number(), Index: f.view.FlashblockIndex()}
}

// linkedWrongly returns the frame with a wrong flashblock before it.
func (f *frame) linkedWrongly() *frame {
	wrong := f.config.newFrame(f.before, f.view, preconf.FlashblockID{Number: f.previous.Number, Index: f.previous.Index + 1})
	wrong.number = f.number
	return wrong
}

// truncated returns the frame with only so many bytes, 0: half of them.
func (f *frame) truncated(bytes int) *frame {
	short := f.config.newFrame(f.before, f.view, f.previous)
	short.number, short.cut = f.number, cut{true, bytes}
	return short
}

// encoded returns the frame as one message, compressed or not.
func (f *frame) encoded(compressed bool) ([]json.RawMessage, error) {
	e := &f.encodings[0]
	if compressed {
		e = &f.encodings[1]
	}
	e.once.Do(func() {
		var message []byte
		if message, e.err = f.plain(); e.err == nil && compressed {
			message, e.err = compress(message)
		}
		if f.cut.isCut {
			message = message[:min(cmp.Or(f.cut.bytes, len(message)/2), len(message))]
		}
		e.message = []json.RawMessage{message}
		f.news.Add(e.message)
	})
	return e.message, e.err
}

func (f *frame) encode() ([]byte, error) {
	p, err := f.config.newPayload(f.before, f.view, f.previous)
	if err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

func compress(plain []byte) ([]byte, error) {
	var packed bytes.Buffer
	w := brotli.NewWriterOptions(&packed, brotliOptions)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err := w.Close()
	return packed.Bytes(), err
}

// equals reports whether two frames are the same message.
func (f *frame) equals(other *frame) bool {
	a, err := f.plain()
	if err != nil {
		return false
	}
	b, err := other.plain()
	return err == nil && bytes.Equal(a, b)
}

// framesAfter returns the frames that lead a reader from the flashblocks of last to the flashblocks of next: the
// newest, and before it all that were executed again with another result. Last is nil if the reader knows none.
func (c *Config) framesAfter(last, next *preconf.Flashblock) []*frame {
	if last == nil {
		return c.framesOf(next, 0)
	}
	from := min(next.View.SharedFlashblocks(last.View), next.Index)
	frames := c.framesOf(next, from)
	if len(frames) > 1 {
		for _, known := range c.framesOf(last, from) {
			known.previous = frames[0].previous
			if len(frames) == 1 || !known.equals(frames[0]) {
				break
			}
			frames = frames[1:]
		}
	}
	frames[0].repeat = next.ID() == last.ID() && next.Previous == last.Previous
	return frames
}

// framesOf returns the frames of a block's flashblocks up to f, from the one of index from on.
func (c *Config) framesOf(f *preconf.Flashblock, from int) []*frame {
	views := f.View.Flashblocks(max(from-1, 0))
	var before *preconf.View
	if from > 0 && len(views) > 0 {
		before, views = views[0], views[1:]
	}
	frames := make([]*frame, len(views))
	for i, view := range views {
		previous := f.Previous
		if index := from + i; index > 0 {
			previous = preconf.FlashblockID{Number: f.Number, Index: index - 1}
		}
		frames[i] = c.newFrame(before, view, previous)
		before = view
	}
	return frames
}
