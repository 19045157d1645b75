package flashblocks

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/andybalholm/brotli"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// frame is a flashblock on its way to the readers, with the encodings that one of them has asked for.
type frame struct {
	config   *Config
	before   *preconf.View // the pending block before the flashblock, nil at index 0
	view     *preconf.View // and after it
	previous preconf.FlashblockID
	repeat   bool   // the frame before it is of the same flashblock, announced for the first time or again
	number   uint64 // of the frames of the feed
	cut      cut

	encodings [2][]json.RawMessage // one message each, by whether it is compressed; nil: nobody has asked
	news      *jsonrpc.News        // all of them, counted once for all readers
}

// cut is what a fault leaves of a message.
type cut struct {
	isCut bool
	bytes int // 0: half of them
}

// Brotli as the public endpoints use it.
var brotliOptions = brotli.WriterOptions{Quality: 5, LGWin: 22}

func (c *Config) newFrame(before, view *preconf.View, previous preconf.FlashblockID) *frame {
	return &frame{config: c, before: before, view: view, previous: previous, news: new(jsonrpc.News)}
}

// id returns which flashblock the frame holds.
func (f *frame) id() preconf.FlashblockID {
	return preconf.FlashblockID{Number: f.view.Number(), Index: f.view.FlashblockIndex()}
}

// linkedWrongly returns the frame with another flashblock before it than there is.
func (f *frame) linkedWrongly() *frame {
	wrong := f.config.newFrame(f.before, f.view, preconf.FlashblockID{Number: f.previous.Number, Index: f.previous.Index + 1})
	wrong.number = f.number
	return wrong
}

// truncated returns the frame with so many bytes left, 0: half of them.
func (f *frame) truncated(bytes int) *frame {
	short := f.config.newFrame(f.before, f.view, f.previous)
	short.number, short.cut = f.number, cut{true, bytes}
	return short
}

// encoded returns the frame as one message, compressed or not, which is made the first time it is asked for.
func (f *frame) encoded(compressed bool) ([]json.RawMessage, error) {
	which := 0
	if compressed {
		which = 1
	}
	if f.encodings[which] == nil {
		encoding, err := f.encode(compressed)
		if err != nil {
			return nil, err
		}
		f.encodings[which] = []json.RawMessage{encoding}
		f.news.Add(f.encodings[which])
	}
	return f.encodings[which], nil
}

func (f *frame) encode(compressed bool) ([]byte, error) {
	p, err := f.config.newPayload(f.before, f.view, f.previous)
	if err != nil {
		return nil, err
	}
	encoding, err := json.Marshal(p)
	if err == nil && compressed {
		encoding, err = compress(encoding)
	}
	if f.cut.isCut {
		encoding = encoding[:min(cmp.Or(f.cut.bytes, len(encoding)/2), len(encoding))]
	}
	return encoding, err
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
	a, err := f.encode(false)
	if err != nil {
		return false
	}
	b, err := other.encode(false)
	return err == nil && bytes.Equal(a, b)
}

// framesAfter returns the frames that tell a reader who knows the flashblocks of last of those of next: the newest, and
// before it all that were executed anew and came out differently. Last is nil where the reader knows none.
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
