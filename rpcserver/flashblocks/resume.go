package flashblocks

import (
	"slices"

	"github.com/fakenode/fakenode/preconf"
)

// missed returns the recent frames that come after a flashblock: the frames behind its first one or, if it has none
// among them, those with a higher block or index. A flashblock that was announced again is returned once.
func missed(recent []*frame, after preconf.FlashblockID) []*frame {
	first := slices.IndexFunc(recent, func(f *frame) bool { return f.id() == after })
	if first >= 0 {
		recent = recent[first+1:]
	}
	var left []*frame
	for i, f := range recent {
		id := f.id()
		above := id.Number > after.Number || id.Number == after.Number && id.Index > after.Index
		told := f.repeat && (first >= 0 || i > 0)
		if (first >= 0 || above) && !told {
			left = append(left, f)
		}
	}
	return left
}
