package rpcserver

import (
	"math"

	"github.com/fakenode/fakenode/rpcserver/flashblocks"
)

// What the raw feed knows of its frames; see package flashblocks.
type (
	// FeedFault spoils frames of the raw feed on purpose.
	FeedFault = flashblocks.Fault
	// FeedFaultKind names what goes wrong with the raw feed itself.
	FeedFaultKind = flashblocks.FaultKind
	// FlashblocksMetadata says how much each frame tells beside what the block will hold.
	FlashblocksMetadata = flashblocks.Metadata
)

// The kinds of FeedFault, and how much frames tell.
const (
	FeedGap        = flashblocks.Gap
	FeedWrongLink  = flashblocks.WrongLink
	FeedTruncate   = flashblocks.Truncate
	FeedReorder    = flashblocks.Reorder
	FeedDisconnect = flashblocks.Disconnect

	FlashblocksMinimal = flashblocks.Minimal
	FlashblocksFull    = flashblocks.Full
)

// feedFaultParams is FeedFault as fakenode_feedFault takes it.
type feedFaultParams struct {
	controlObject
	Kind  FeedFaultKind `json:"kind"`
	Nth   *Number       `json:"nth"`
	Count *Number       `json:"count"`
	Bytes *Number       `json:"bytes"`
	Code  *Number       `json:"code"`
}

func (feedFaultParams) Wanted() string { return "{kind, nth?, count?, bytes?, code?}" }

// feedFault serves fakenode_feedFault, for the network it is sent to.
func feedFault(r *request, p feedFaultParams) (any, error) {
	fault := FeedFault{Kind: p.Kind}
	for _, number := range []struct {
		name  string
		given *Number
		to    *int
	}{
		{"nth", p.Nth, &fault.Nth}, {"count", p.Count, &fault.Count}, {"bytes", p.Bytes, &fault.Bytes}, {"code", p.Code, &fault.Code},
	} {
		if number.given == nil {
			continue
		}
		if *number.given == 0 {
			return nil, invalidParams("%s: %s is 0, want 1 or more", r.method, number.name)
		}
		*number.to = int(min(*number.given, math.MaxInt32))
	}
	if err := r.served.failFeed(fault); err != nil {
		return nil, r.badInput(err)
	}
	return nil, nil
}

// failFeed sets a fault of the network's raw feed, and logs it. The error reports what is wrong with the fault.
func (n *served) failFeed(fault FeedFault) error {
	if err := n.feed.Fail(fault); err != nil {
		return err
	}
	n.endpoint.Events().Info("feed fault", "kind", fault.Kind, "nth", max(fault.Nth, 1), "count", max(fault.Count, 1))
	return nil
}
