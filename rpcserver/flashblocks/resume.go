package flashblocks

import (
	"slices"

	"github.com/fakenode/fakenode/preconf"
)

// missed returns which of the recent frames come after a flashblock: those behind its first frame, or where it is not
// among them, those whose block and index are above its own. A flashblock that was announced again is among them once.
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
