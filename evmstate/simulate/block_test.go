package simulate_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

func TestRunHeaderFieldsByFork(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fork                                            string
		difficulty, baseFee, withdrawals, blobs, hashes bool
	}{
		{"berlin", true, false, false, false, false},
		{"london", true, true, false, false, false},
		{"paris", false, true, false, false, false},
		{"shanghai", false, true, true, false, false},
		{"cancun", false, true, true, true, false},
		{"prague", false, true, true, true, true},
		{"osaka", false, true, true, true, true},
	} {
		t.Run(test.fork, func(t *testing.T) {
			t.Parallel()
			v := newView(t, test.fork, map[common.Address][]byte{target: counter()})
			h := runCalls(t, v, callTo(target)).Block.Header()
			require.Equal(t, test.difficulty, h.Difficulty.Sign() > 0)
			require.Equal(t, test.baseFee, h.BaseFee != nil)
			require.Equal(t, test.withdrawals, h.WithdrawalsHash != nil)
			require.Equal(t, test.blobs, h.BlobGasUsed != nil)
			require.Equal(t, test.blobs, h.ExcessBlobGas != nil)
			require.Equal(t, test.blobs, h.ParentBeaconRoot != nil)
			require.Equal(t, test.hashes, h.RequestsHash != nil)
		})
	}
}

func TestRunTransactionTypes(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter()})
	with := func(change func(*simulate.Call)) simulate.Call {
		c := callTo(target)
		change(&c)
		return c
	}
	blob := common.Hash{1}
	r := runCalls(t, v,
		with(func(c *simulate.Call) { c.GasPrice = new(big.Int) }),
		with(func(c *simulate.Call) { c.GasPrice, c.AccessList = new(big.Int), &types.AccessList{{Address: target}} }),
		with(func(c *simulate.Call) { c.AccessList = &types.AccessList{{Address: target}} }),
		with(func(c *simulate.Call) { c.BlobHashes, c.MaxFeePerBlobGas = []common.Hash{blob}, big.NewInt(1) }),
		with(func(c *simulate.Call) { c.Authorizations = []types.SetCodeAuthorization{{}} }),
	)
	for i, tx := range r.Block.Transactions() {
		require.NoError(t, r.Calls[i].Err)
		require.Equal(t, uint8(i), tx.Type())
		v, _, _ := tx.RawSignatureValues()
		require.Zero(t, v.Sign())
		if tx.Type() != types.LegacyTxType {
			require.Equal(t, int64(chainID), tx.ChainId().Int64())
		}
	}
	require.Equal(t, uint64(params.BlobTxBlobGasPerBlob), *r.Block.BlobGasUsed())
	require.Equal(t, r.Block.TxHash(), types.DeriveSha(r.Block.Transactions(), trie.NewStackTrie(nil)))
}

// Ensure GasPriceDecides reports calls with a gasPrice as geth does: of type 0, or 1 with an access list, whatever else
// they have.
func TestRunGasPriceDecides(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter()})
	listed := callTo(target)
	listed.GasPrice, listed.AccessList = big.NewInt(params.GWei), &types.AccessList{{Address: target, StorageKeys: []common.Hash{{}}}}
	blobs := callTo(target)
	blobs.GasPrice, blobs.BlobHashes, blobs.MaxFeePerBlobGas = big.NewInt(params.GWei), []common.Hash{{1}}, big.NewInt(1)
	priced := func(decides bool) simulate.BlockResult {
		return run(t, v, simulate.Payload{Rules: simulate.Rules{GasPriceDecides: decides}, Blocks: []simulate.Block{{Calls: []simulate.Call{listed, blobs}}}})[0]
	}
	own, decided := priced(false), priced(true)
	for i, kinds := range [][2]uint8{{types.AccessListTxType, types.AccessListTxType}, {types.BlobTxType, types.LegacyTxType}} {
		require.Equal(t, kinds[0], own.Block.Transactions()[i].Type())
		require.Equal(t, kinds[1], decided.Block.Transactions()[i].Type())
		require.Equal(t, own.Calls[i].GasUsed, decided.Calls[i].GasUsed)
	}
	require.Zero(t, *decided.Block.BlobGasUsed())
}

func TestRunCreditsWithdrawals(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: program.New().Push(nobody).Op(vm.BALANCE).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()})
	paid := types.Withdrawals{{Index: 1, Validator: 2, Address: nobody, Amount: 3}}
	root := word(77)
	results := run(t, v, simulate.Payload{Blocks: []simulate.Block{
		{Calls: []simulate.Call{callTo(target)}, Overrides: &simulate.BlockOverrides{Withdrawals: &paid, BeaconRoot: &root}},
		{Calls: []simulate.Call{callTo(target), callTo(params.BeaconRootsAddress, word(v.Header.Time+12).Bytes()...)}},
	}})
	require.Equal(t, word(0).Bytes(), results[0].Calls[0].ReturnData)
	require.Equal(t, paid, results[0].Block.Withdrawals())
	require.Equal(t, word(3*params.GWei).Bytes(), results[1].Calls[0].ReturnData)
	require.Equal(t, root.Bytes(), results[1].Calls[1].ReturnData, "EIP-4788")
}

func TestRunOverridesBlobBaseFee(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: returning(vm.BLOBBASEFEE)})
	results := run(t, v, simulate.Payload{Blocks: []simulate.Block{
		{Calls: []simulate.Call{callTo(target)}, Overrides: &simulate.BlockOverrides{BlobBaseFee: big.NewInt(42)}},
		{Calls: []simulate.Call{callTo(target)}},
	}})
	require.Equal(t, word(42).Bytes(), results[0].Calls[0].ReturnData)
	require.Equal(t, word(1).Bytes(), results[1].Calls[0].ReturnData)
}

func TestRunOverridesState(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: storage()})
	slot := word(1)
	read := []simulate.Call{callTo(target, slot[:]...)}
	set := simulate.StateOverrides{target: {StateDiff: map[common.Hash]common.Hash{slot: word(5)}}}
	identity := common.BytesToAddress([]byte{4})
	results := run(t, v, simulate.Payload{Blocks: []simulate.Block{
		{StateOverrides: set, Calls: read},
		{Calls: read},
		{StateOverrides: simulate.StateOverrides{identity: {MovePrecompileTo: &another}}, Calls: []simulate.Call{callTo(another, 1), callTo(identity, 1)}},
		{Calls: []simulate.Call{callTo(another, 1), callTo(identity, 1)}},
	}})
	require.Equal(t, word(5).Bytes(), results[0].Calls[0].ReturnData)
	require.Equal(t, word(5).Bytes(), results[1].Calls[0].ReturnData, "stays")
	require.Equal(t, [][]byte{{1}, nil}, [][]byte{results[2].Calls[0].ReturnData, results[2].Calls[1].ReturnData}, "moved for the block")
	require.Equal(t, [][]byte{nil, {1}}, [][]byte{results[3].Calls[0].ReturnData, results[3].Calls[1].ReturnData}, "and back")
}

// Ensure blocks that rules put 200 ms apart have the second of their time, none is before its parent, and a time may
// come again.
func TestTimesOfDenim(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_800_000_000, 0)
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, StartTime: start})
	v, err := node.Moment().Latest().SimulateView()
	require.NoError(t, err)
	times := func(milliseconds uint64, blocks ...simulate.Block) (seconds []uint64, err error) {
		payload := simulate.Payload{Blocks: blocks, BaseMilliseconds: uint64(start.UnixMilli()) + milliseconds}
		results, err := simulate.Run(t.Context(), v, payload, simulate.Limits{})
		for _, r := range results {
			seconds = append(seconds, r.Block.Header().Time-uint64(start.Unix()))
		}
		return seconds, err
	}
	at := func(seconds int64) simulate.Block {
		return simulate.Block{Overrides: &simulate.BlockOverrides{Time: ptr(uint64(start.Unix() + seconds))}}
	}
	seconds, err := times(0, make([]simulate.Block, 6)...)
	require.NoError(t, err)
	require.Equal(t, []uint64{0, 0, 0, 0, 1, 1}, seconds)
	seconds, err = times(800, make([]simulate.Block, 6)...)
	require.NoError(t, err)
	require.Equal(t, []uint64{1, 1, 1, 1, 1, 2}, seconds)
	seconds, err = times(0, at(3), at(3), simulate.Block{})
	require.NoError(t, err)
	require.Equal(t, []uint64{3, 3, 3}, seconds)
	_, err = times(0, at(3), at(2))
	require.ErrorIs(t, err, simulate.ErrBlockTimeOrder)
	require.ErrorContains(t, err, "1800000002 < 1800000003")
}

// Ensure a difficulty of one's own is that of blocks before the merge, and of no block after it, or ends the simulation
// if RejectDifficulty is set.
func TestDifficultyOverride(t *testing.T) {
	t.Parallel()
	for fork, want := range map[string]int64{"berlin": 7, "london": 7, "paris": 0, "osaka": 0} {
		v := newView(t, fork, map[common.Address][]byte{target: returning(vm.DIFFICULTY)})
		r := run(t, v, simulate.Payload{Blocks: []simulate.Block{{
			Calls: []simulate.Call{callTo(target)}, Overrides: &simulate.BlockOverrides{Difficulty: big.NewInt(7), PrevRandao: ptr(word(9))},
		}}})[0]
		require.Equal(t, want, r.Block.Difficulty().Int64(), fork)
		seen := uint64(7)
		if want == 0 {
			seen = 9
		}
		require.Equal(t, word(seen).Bytes(), r.Calls[0].ReturnData, fork)
	}
	payload := simulate.Payload{Blocks: []simulate.Block{{}, {Overrides: &simulate.BlockOverrides{Difficulty: big.NewInt(0)}}}, Rules: simulate.Rules{RejectDifficulty: true}}
	_, err := simulate.Run(t.Context(), newView(t, "", nil), payload, simulate.Limits{})
	require.ErrorIs(t, err, simulate.ErrDifficulty)
	require.ErrorContains(t, err, "block 2: ")
}

// Ensure a call with blobs that offers nothing for them runs as if they cost nothing, and one that offers a fee sees
// what they cost.
func TestBlobsForNothing(t *testing.T) {
	t.Parallel()
	v := newView(t, "osaka", map[common.Address][]byte{target: returning(vm.BLOBBASEFEE)})
	for fee, want := range map[int64]uint64{0: 0, 5: 1} {
		call := callTo(target)
		call.BlobHashes, call.MaxFeePerBlobGas = []common.Hash{{1}}, big.NewInt(fee)
		r, err := simulate.RunCall(t.Context(), v, call, nil, nil, simulate.Limits{})
		require.NoError(t, err)
		require.Equal(t, word(want).Bytes(), r.ReturnData, fee)
	}
}
