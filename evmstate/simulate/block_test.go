package simulate_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

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
		return run(t, v, simulate.Payload{GasPriceDecides: decides, Blocks: []simulate.Block{{Calls: []simulate.Call{listed, blobs}}}})[0]
	}
	own, decided := priced(false), priced(true)
	for i, kinds := range [][2]uint8{{types.AccessListTxType, types.AccessListTxType}, {types.BlobTxType, types.LegacyTxType}} {
		require.Equal(t, kinds[0], own.Block.Transactions()[i].Type())
		require.Equal(t, kinds[1], decided.Block.Transactions()[i].Type())
		require.Equal(t, own.Calls[i].GasUsed, decided.Calls[i].GasUsed)
	}
	require.Zero(t, *decided.Block.BlobGasUsed())
}

// Ensure an override of the difficulty after the merge has no effect, or ends the simulation if RejectDifficulty is
// set.
func TestRunRejectsDifficulty(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	payload := simulate.Payload{Blocks: []simulate.Block{{}, {Overrides: &simulate.BlockOverrides{Difficulty: big.NewInt(0)}}}}
	require.Zero(t, run(t, v, payload)[1].Block.Difficulty().Sign())
	payload.RejectDifficulty = true
	_, err := simulate.Run(t.Context(), v, payload, simulate.Limits{})
	require.ErrorIs(t, err, simulate.ErrDifficulty)
	require.ErrorContains(t, err, "block 2: ")
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
	set := func(value uint64) simulate.StateOverrides {
		return simulate.StateOverrides{target: {StateDiff: map[common.Hash]common.Hash{slot: word(value)}}}
	}
	identity := common.BytesToAddress([]byte{4})
	results := run(t, v, simulate.Payload{Blocks: []simulate.Block{
		{StateOverrides: set(5), Calls: read},
		{Calls: read},
		{StateOverrides: set(6), Calls: append(read, simulate.Call{From: &poor, To: &nobody})},
		{StateOverrides: simulate.StateOverrides{poor: {Balance: uint256.NewInt(9)}}, Calls: []simulate.Call{{From: &poor, To: &nobody, Value: uint256.NewInt(9)}}},
		{StateOverrides: simulate.StateOverrides{identity: {MovePrecompileTo: &another}}, Calls: []simulate.Call{callTo(another, 1), callTo(identity, 1)}},
		{Calls: []simulate.Call{callTo(another, 1), callTo(identity, 1)}},
	}})
	require.Equal(t, word(5).Bytes(), results[0].Calls[0].ReturnData)
	require.Equal(t, word(5).Bytes(), results[1].Calls[0].ReturnData, "stays")
	require.Equal(t, word(6).Bytes(), results[2].Calls[0].ReturnData)
	require.NoError(t, results[3].Calls[0].Err)
	require.Equal(t, [][]byte{{1}, nil}, [][]byte{results[4].Calls[0].ReturnData, results[4].Calls[1].ReturnData}, "moved for the block")
	require.Equal(t, [][]byte{nil, {1}}, [][]byte{results[5].Calls[0].ReturnData, results[5].Calls[1].ReturnData}, "and back")
}
