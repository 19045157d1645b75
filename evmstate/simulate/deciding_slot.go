package simulate

import (
	"bytes"
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// DecidingSlot finds the storage slot that alone decides what a call returns, such as the balance that a token reports,
// also behind a proxy: with word in it the call returns word. found is false if there is no such slot. Its errors are
// RunCall's.
func DecidingSlot(ctx context.Context, v chain.View, c Call, word *uint256.Int, l Limits) (account common.Address, slot common.Hash, found bool, err error) {
	read, _, _, err := CreateAccessList(ctx, v, c, nil, nil, l)
	if err != nil {
		return account, slot, false, err
	}
	// The call may return the word for another reason, so another value is tried too.
	other := new(uint256.Int).AddUint64(word, 1)
	if word.Eq(new(uint256.Int).SetAllOne()) {
		other = uint256.NewInt(1)
	}
	for _, touched := range read {
		for _, key := range touched.StorageKeys {
			decides := true
			for _, value := range []*uint256.Int{word, other} {
				want := value.Bytes32()
				override := StateOverrides{touched.Address: {StateDiff: map[common.Hash]common.Hash{key: want}}}
				result, err := RunCall(ctx, v, c, override, nil, l)
				if err != nil {
					return account, slot, false, err
				}
				decides = decides && result.Err == nil && bytes.Equal(result.ReturnData, want[:])
			}
			if decides {
				return touched.Address, key, true, nil
			}
		}
	}
	return account, slot, false, nil
}
