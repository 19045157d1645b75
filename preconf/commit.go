package preconf

import "github.com/ethereum/go-ethereum/core/types"

// verifiedLag is how many blocks the newest verified block is behind the finalized one.
const verifiedLag = 3

// committed returns the numbers of the newest blocks that are voted, finalized and verified.
func (w *world) committed() [3]uint64 {
	finalized := w.finalizedNumber()
	return [3]uint64{w.safeNumber(), finalized, max(finalized, w.chain.Base()+verifiedLag) - verifiedLag}
}

// notifyState notifies readers that a block, or its logs if it has any, reached a commit state.
func (c *change) notifyState(kind EventKind, v *View, logs []*types.Log, state string) {
	if c.cfg.CommitStates && (kind == HeadCommitted || len(logs) > 0) {
		c.emit(&Event{Kind: kind, View: v, Logs: logs, State: state})
	}
}

// notifyCommitted notifies readers of the blocks that have reached a further commit state since the last publish.
func (c *change) notifyCommitted() {
	was, is := c.timeline.Moment().committed(), c.committed()
	for i, state := range []string{"Voted", "Finalized", "Verified"} {
		for n := was[i] + 1; n <= is[i]; n++ {
			b := c.chain.BlockByNumber(n)
			c.notifyState(HeadCommitted, c.sealed(b), nil, state)
			c.notifyState(LogsCommitted, c.sealed(b), b.Logs(), state)
		}
	}
}
