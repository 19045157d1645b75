package bundler

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// validity is what an account or a paymaster answers an EntryPoint.
type validity struct {
	aggregator common.Address // or 1 for a wrong signature
	// The time range in Unix seconds, or that of blocks with the highest bit of both set. Zero until: it has no end.
	after, until uint64
}

// validityObject is the data of the error of an operation whose time range does not hold the next block.
type validityObject struct {
	ValidAfter hexutil.Uint64  `json:"validAfter"`
	ValidUntil hexutil.Uint64  `json:"validUntil"`
	Paymaster  *common.Address `json:"paymaster,omitempty"`
}

// validity returns what the account answers, or the paymaster if the step is payment; nil if it does not answer.
func (b *bundle) validity(name string) *validity {
	overrides := b.delegation(nil)
	steps, err := b.steps(b.Request, b.version, overrides)
	if err != nil {
		return nil
	}
	var calls []simulate.Call
	for _, s := range steps {
		calls = append(calls, s.call)
		if s.name == name {
			break
		}
	}
	results, err := run(b.Request, *b.Sender, b.replaced, overrides, calls...)
	if err != nil {
		return nil
	}
	data := results[len(results)-1].ReturnData
	if name == payment { // a context stands before it
		data = data[min(len(data), 32):]
	}
	if len(data) < 32 {
		return nil
	}
	return &validity{
		after: binary.BigEndian.Uint64(append(make([]byte, 2), data[:6]...)), until: binary.BigEndian.Uint64(append(make([]byte, 2), data[6:12]...)),
		aggregator: common.BytesToAddress(data[12:32]),
	}
}
