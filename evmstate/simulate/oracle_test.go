package simulate_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// randomCalls is a mix of transfers, contract calls, creations and failures.
func randomCalls(r *rand.Rand, n int) []simulate.Call {
	calls := make([]simulate.Call, n)
	for i := range calls {
		c := simulate.Call{From: &rich, Gas: ptr(100_000 + r.Uint64N(400_000)), GasPrice: big.NewInt(2*params.GWei + r.Int64N(5))}
		switch r.IntN(4) {
		case 0:
			c.To, c.Value = &nobody, uint256.NewInt(r.Uint64N(100))
		case 1:
			c.To = &target
		case 2:
			c.To = &another
		case 3:
			c.Data = program.New().ReturnViaCodeCopy(counter()).Bytes()
		}
		calls[i] = c
	}
	return calls
}

// TestRunGivesWhatBlocksWould seals the simulated transactions in real blocks, which must come out the same, down to
// the hash.
func TestRunGivesWhatBlocksWould(t *testing.T) {
	t.Parallel()
	for _, fork := range []string{"homestead", "byzantium", "istanbul", "berlin", "london", "paris", "shanghai", "cancun", "prague", "osaka", "amsterdam"} {
		t.Run(fork, func(t *testing.T) {
			t.Parallel()
			v := newView(t, fork, map[common.Address][]byte{
				target:  counter(),
				another: program.New().Sstore(1, 1).Op(vm.INVALID).Bytes(),
			})
			r := rand.New(rand.NewPCG(5, 5))
			payload := simulate.Payload{Rules: simulate.Rules{ComputeStateRoots: true}, Validation: true}
			for range 3 {
				payload.Blocks = append(payload.Blocks, simulate.Block{
					Calls: randomCalls(r, 8),
					Overrides: &simulate.BlockOverrides{
						FeeRecipient: &nobody, PrevRandao: ptr(word(r.Uint64())), BeaconRoot: ptr(word(r.Uint64())),
						Withdrawals: &types.Withdrawals{{Address: another, Amount: r.Uint64N(100)}},
					},
				})
			}
			c := v.Chain
			for i, result := range run(t, v, payload) {
				c = seal(t, c, result)
				require.Equal(t, c.Head().Header(), result.Block.Header())
				for j, receipt := range c.Head().Receipts() {
					require.Equal(t, receipt.Status == types.ReceiptStatusSuccessful, result.Calls[j].Err == nil)
					require.Equal(t, receipt.GasUsed, result.Calls[j].GasUsed)
				}
				require.Equal(t, uint64(i+1), c.Head().Number())
			}
		})
	}
}

// seal builds the simulated block on the head of c.
func seal(t *testing.T, c *chain.Chain, simulated simulate.BlockResult) *chain.Chain {
	t.Helper()
	h := simulated.Block.Header()
	env := chain.Env{
		Time: h.Time, Coinbase: h.Coinbase, GasLimit: h.GasLimit, BaseFee: h.BaseFee, PrevRandao: h.MixDigest,
		BeaconRoot: h.ParentBeaconRoot, Withdrawals: simulated.Block.Withdrawals(), ExtraData: h.Extra,
	}
	if h.Difficulty.Sign() > 0 {
		env.Difficulty = h.Difficulty
	}
	draft, err := c.NewDraft(env)
	require.NoError(t, err)
	for i, tx := range simulated.Block.Transactions() {
		draft, _, err = draft.Add(tx, simulated.Senders[i])
		require.NoError(t, err)
	}
	next, _, err := draft.Seal()
	require.NoError(t, err)
	return next
}

// TestNothingIsCommitted runs everything at once on one View.
func TestNothingIsCommitted(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter(), another: storage()})
	root, head, dump := v.State.Root(), v.Chain.Head(), v.State.Alloc()
	t.Run("together", func(t *testing.T) {
		for seed := range uint64(8) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(seed, 0))
				so := simulate.StateOverrides{target: {
					Balance: uint256.NewInt(r.Uint64()), Nonce: ptr(r.Uint64N(9)),
					StateDiff: map[common.Hash]common.Hash{word(0): word(r.Uint64N(9))},
				}, another: {State: map[common.Hash]common.Hash{}}}
				for range 20 {
					calls := randomCalls(r, 5)
					_, err := simulate.Run(t.Context(), v, simulate.Payload{
						Blocks:         []simulate.Block{{Calls: calls, StateOverrides: so}, {Calls: calls}},
						TraceTransfers: r.IntN(2) == 0, Rules: simulate.Rules{ComputeStateRoots: r.IntN(2) == 0},
					}, simulate.Limits{})
					require.NoError(t, err)
					_, err = simulate.RunCall(t.Context(), v, calls[0], so, nil, simulate.Limits{})
					require.NoError(t, err)
					_, err = simulate.EstimateGas(t.Context(), v, callTo(target), so, nil, simulate.Limits{})
					require.NoError(t, err)
					_, _, _, err = simulate.CreateAccessList(t.Context(), v, callTo(target), so, nil, simulate.Limits{})
					require.NoError(t, err)
				}
			})
		}
	})
	require.Equal(t, root, v.State.Root())
	require.Equal(t, dump, v.State.Alloc())
	require.Same(t, head, v.Chain.Head())
}
