package simulate_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// dice makes requests that are mostly valid, with extreme numbers among them.
type dice struct{ *rand.Rand }

func (d dice) number() uint64 {
	return []uint64{0, 1, d.Uint64N(100), 21_000, d.Uint64N(1_000_000), 1_700_000_000 + d.Uint64N(1000), math.MaxUint64}[d.IntN(7)]
}

func (d dice) big() *big.Int {
	n := new(big.Int).SetUint64(d.number())
	if d.IntN(20) == 0 {
		n.Lsh(n, 250)
	}
	return n
}

func (d dice) address() common.Address {
	return []common.Address{rich, poor, nobody, target, another, common.BytesToAddress([]byte{byte(d.IntN(18))})}[d.IntN(6)]
}

// maybe returns a value one time out of n, otherwise nil.
func maybe[T any](d dice, n int, value func() T) *T {
	if d.IntN(n) > 0 {
		return nil
	}
	return ptr(value())
}

func (d dice) amount(n int) *big.Int {
	if d.IntN(n) > 0 {
		return nil
	}
	return d.big()
}

func (d dice) call() simulate.Call {
	c := simulate.Call{
		From: maybe(d, 2, d.address), To: maybe(d, 1+d.IntN(2), d.address), Gas: maybe(d, 3, d.number), Nonce: maybe(d, 9, d.number),
		GasPrice: d.amount(9), MaxFeePerGas: d.amount(9), MaxPriorityFeePerGas: d.amount(9), MaxFeePerBlobGas: d.amount(9),
		Data: make([]byte, d.IntN(40)),
	}
	switch d.IntN(12) {
	case 0:
		c.BlobHashes = make([]common.Hash, d.IntN(3))
		for i := range c.BlobHashes {
			c.BlobHashes[i][0] = byte(d.IntN(2))
		}
	case 1:
		c.Authorizations = make([]types.SetCodeAuthorization, d.IntN(3))
	case 2:
		c.AccessList = &types.AccessList{{Address: d.address(), StorageKeys: []common.Hash{{}}}}
	case 3:
		c.Value = uint256.NewInt(d.number())
	}
	return c
}

func (d dice) stateOverrides() simulate.StateOverrides {
	so := simulate.StateOverrides{}
	for range d.IntN(3) {
		a := simulate.AccountOverride{Nonce: maybe(d, 2, d.number), MovePrecompileTo: maybe(d, 6, d.address)}
		switch d.IntN(4) {
		case 0:
			a.State = map[common.Hash]common.Hash{word(d.number()): word(d.number())}
		case 1:
			a.StateDiff = map[common.Hash]common.Hash{word(d.number()): word(d.number())}
		case 2:
			a.Balance = uint256.NewInt(d.number())
		case 3:
			a.Code = ptr(returning(vm.NUMBER, vm.BASEFEE, vm.BLOBBASEFEE, vm.PREVRANDAO))
		}
		so[d.address()] = a
	}
	return so
}

func (d dice) blockOverrides() *simulate.BlockOverrides {
	return &simulate.BlockOverrides{
		Number: d.amount(9), Time: maybe(d, 9, d.number), GasLimit: maybe(d, 5, d.number), FeeRecipient: maybe(d, 5, d.address),
		PrevRandao: maybe(d, 5, func() common.Hash { return word(d.number()) }), BaseFee: d.amount(5), BlobBaseFee: d.amount(5), Difficulty: d.amount(5),
	}
}

// FuzzRequests demands that no request panics, that results add up, and that the View does not change.
func FuzzRequests(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Add(uint64(161)) // jumps to block 63
	forks := []string{"frontier", "london", "shanghai", "cancun", "osaka"}
	f.Fuzz(func(t *testing.T, seed uint64) {
		d := dice{rand.New(rand.NewPCG(seed, 1))}
		v := newView(t, forks[d.IntN(len(forks))], map[common.Address][]byte{target: counter(), another: checkedCall(target)})
		root := v.State.Root()
		defer func() { require.Equal(t, root, v.State.Root()) }()
		limits := simulate.Limits{GasCap: 2_000_000}
		payload := simulate.Payload{
			TraceTransfers: d.IntN(2) == 0, Validation: d.IntN(4) == 0, Rules: simulate.Rules{ComputeStateRoots: d.IntN(2) == 0, RejectDifficulty: d.IntN(2) == 0},
		}
		for range 1 + d.IntN(3) {
			block := simulate.Block{StateOverrides: d.stateOverrides(), Overrides: d.blockOverrides()}
			for range d.IntN(3) {
				block.Calls = append(block.Calls, d.call())
			}
			payload.Blocks = append(payload.Blocks, block)
		}
		parent, number := v.Header.Hash(), v.Header.Number.Uint64()
		results, err := simulate.Run(t.Context(), v, payload, limits)
		require.Equal(t, err == nil, results != nil)
		for _, r := range results {
			if r.Block.NumberU64() == number+1 { // else blocks that are not in the answer lie between (D-fillers)
				require.Equal(t, parent, r.Block.ParentHash())
			}
			require.Equal(t, len(r.Calls), len(r.Block.Transactions()))
			var gas uint64
			for _, c := range r.Calls {
				require.LessOrEqual(t, c.GasUsed, c.MaxUsedGas)
				gas += c.GasUsed
			}
			require.Equal(t, gas, r.Block.GasUsed())
			parent, number = r.Block.Hash(), r.Block.NumberU64()
		}
		call, so, bo := d.call(), d.stateOverrides(), d.blockOverrides()
		ran, runErr := simulate.RunCall(t.Context(), v, call, so, bo, limits)
		gas, err := simulate.EstimateGas(t.Context(), v, call, so, bo, limits)
		if runErr != nil || ran.Err != nil {
			return
		}
		if err == nil && bo.GasLimit == nil {
			call.Gas = &gas
			again, err := simulate.RunCall(t.Context(), v, call, so, bo, limits)
			require.NoError(t, err)
			require.NoError(t, again.Err)
		}
		list, _, _, err := simulate.CreateAccessList(t.Context(), v, call, so, bo, limits)
		require.Equal(t, err == nil, list != nil)
	})
}
