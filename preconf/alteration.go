package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// alterationsOf returns whose logs a flashblock of b announces altered, and the faults that stay armed then.
func (f faults) alterationsOf(b batch) (altered map[common.Hash]bool, left faults) {
	if f.alterations == 0 && f.alter == nil {
		return nil, f
	}
	altered = make(map[common.Hash]bool)
	if f.alterations > 0 {
		for i, r := range b.receipts {
			if len(r.Logs) > 0 {
				altered[b.transactions[i].Hash()] = true
			}
		}
		if len(altered) > 0 {
			f.alterations--
		}
	}
	f.alter = intersect(f.alter, b.entries, altered)
	return altered, f
}

// alteredReceipt returns r with other logs than those of its execution.
func alteredReceipt(r *types.Receipt) *types.Receipt {
	altered := *r
	altered.Logs = make([]*types.Log, len(r.Logs))
	for i, l := range r.Logs {
		other := *l
		switch {
		case len(l.Data) > 0:
			other.Data = common.CopyBytes(l.Data)
			other.Data[len(l.Data)-1] ^= 1
		case len(l.Topics) > 0:
			other.Topics = slices.Clone(l.Topics)
			other.Topics[len(l.Topics)-1][common.HashLength-1] ^= 1
		default:
			other.Data = []byte{1}
		}
		altered.Logs[i] = &other
	}
	altered.Bloom = types.CreateBloom(&altered)
	return &altered
}
