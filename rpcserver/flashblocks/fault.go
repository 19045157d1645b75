package flashblocks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// FaultKind names a fault of the feed itself. Frames replayed for resume are always whole.
type FaultKind string

const (
	// Gap loses the frame.
	Gap FaultKind = "gap"
	// WrongLink sends the frame with a prev_flashblock_id that names a flashblock one index too high.
	WrongLink FaultKind = "wrongLink"
	// Truncate sends the first Bytes bytes of the frame, as text or compressed.
	Truncate FaultKind = "truncate"
	// Reorder sends the frame behind the next one that is not struck; several that are held back are sent newest first.
	Reorder FaultKind = "reorder"
	// Disconnect cuts the connections of all readers in place of sending the frame.
	Disconnect FaultKind = "disconnect"
)

// Fault spoils frames of a feed on purpose, for all its readers alike. Only frames that are made while the feed has
// readers count. Fields that do not apply to Kind are rejected.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// Nth is the first frame to strike, counted from when the fault was set. Zero: 1, the next one.
	Nth int `json:"nth"`
	// Count is the number of frames in a row that are struck. Zero: 1. At most 1,000,000, as Nth.
	Count int `json:"count"`
	// Bytes is the number of bytes that Truncate leaves of a frame. Zero: half of them.
	Bytes int `json:"bytes,omitempty"`
	// Code is the code of the close frame of Disconnect, 1000 to 4999. Zero: there is no close frame, as when a network
	// fails.
	Code int `json:"code,omitempty"`
}

const maxFaultFrames = 1_000_000

// faultKinds lists, for each kind, the fields besides Nth and Count that apply to it.
var faultKinds = map[string]struct{ bytes, code bool }{
	string(Gap): {}, string(WrongLink): {}, string(Truncate): {bytes: true}, string(Reorder): {}, string(Disconnect): {code: true},
}

// check returns an error that names the wrong field of the fault.
func (f Fault) check() error {
	heeds, known := faultKinds[string(f.Kind)]
	switch {
	case !known:
		return fmt.Errorf("unknown kind %.80q: want one of %s", f.Kind, strings.Join(slices.Sorted(maps.Keys(faultKinds)), ", "))
	case f.Nth < 0 || f.Nth > maxFaultFrames:
		return fmt.Errorf("nth is %d, want 1 to %d", f.Nth, maxFaultFrames)
	case f.Count < 0 || f.Count > maxFaultFrames:
		return fmt.Errorf("count is %d, want 1 to %d", f.Count, maxFaultFrames)
	case f.Bytes < 0:
		return fmt.Errorf("bytes is %d, want 1 or more", f.Bytes)
	case f.Bytes != 0 && !heeds.bytes:
		return fmt.Errorf("a fault %q leaves no bytes: bytes is for truncate", f.Kind)
	case f.Code != 0 && !heeds.code:
		return fmt.Errorf("a fault %q closes no connection: code is for disconnect", f.Kind)
	}
	return jsonrpc.Disconnection{Code: f.Code}.Validate()
}

type plan []*plannedFault // in the order set

type plannedFault struct {
	Fault
	wait int // frames before the first strike
	left int // strikes
}

const plannedSize = 128

func (p *plan) add(f Fault) error {
	if err := control.CheckBudget("feed faults", plannedSize*(len(*p)+1)); err != nil {
		return err
	}
	*p = append(*p, &plannedFault{Fault: f, wait: max(f.Nth, 1) - 1, left: cmp.Or(f.Count, 1)})
	return nil
}

// faults returns the faults with the remaining Nth and Count.
func (p plan) faults() []Fault {
	faults := make([]Fault, len(p))
	for i, planned := range p {
		faults[i] = planned.Fault
		faults[i].Nth, faults[i].Count = planned.wait+1, planned.left
	}
	return faults
}

// next counts a frame and returns the first fault that strikes it, or the zero Fault.
func (p *plan) next() (struck Fault) {
	for _, f := range *p {
		switch {
		case f.wait > 0:
			f.wait--
		case struck.Kind == "":
			struck = f.Fault
			f.left--
		}
	}
	*p = slices.DeleteFunc(*p, func(f *plannedFault) bool { return f.left == 0 })
	return struck
}
