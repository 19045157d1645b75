package optimism_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// bedrockDeposit is the first deposit of a block of OP Goerli, which clients of OP-stack chains test with.
const bedrockDeposit = "0x7ef9015aa044bae9d41b8380d781187b426c6fe43df5fb2fb57bd4466ef6a701e1f01e015694deaddeaddeaddeaddeaddeaddeaddeaddead000194420000000000000000000000000000000000001580808408f0d18001b90104015d8eb900000000000000000000000000000000000000000000000000000000008057650000000000000000000000000000000000000000000000000000000063d96d10000000000000000000000000000000000000000000000000000000000009f35273d89754a1e0387b89520d989d3be9c37c1f32495a88faf1ea05c61121ab0d1900000000000000000000000000000000000000000000000000000000000000010000000000000000000000002d679b567db6187c0c8323fa982cfb88b74dbcc7000000000000000000000000000000000000000000000000000000000000083400000000000000000000000000000000000000000000000000000000000f4240"

// Ensure a deposit of a public chain decodes, and encodes to the same bytes.
func TestDepositEncoding(t *testing.T) {
	t.Parallel()
	encoded := hexutil.MustDecode(bedrockDeposit)
	d, err := optimism.UnmarshalDeposit(encoded)
	require.NoError(t, err)
	require.Equal(t, optimism.Depositor, d.From)
	require.Equal(t, optimism.L1BlockAddress, *d.To)
	require.EqualValues(t, 150_000_000, d.Gas)
	require.True(t, d.IsSystem)
	again, err := d.MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, encoded, again)

	for _, wrong := range [][]byte{nil, {0x7d}, encoded[:len(encoded)-1], append(encoded, 0)} {
		_, err := optimism.UnmarshalDeposit(wrong)
		require.Error(t, err)
	}
	_, _, err = optimism.ReadAttributes(d)
	require.ErrorContains(t, err, "setL1BlockValuesJovian", "the call of an older upgrade")
}

// Ensure the L1 values in a block's first deposit can be read from it.
func TestAttributes(t *testing.T) {
	t.Parallel()
	l1 := optimism.L1{Number: 7, Time: 8, Hash: common.Hash{9}, BatcherHash: common.Hash{10}, Fees: optimism.Fees{
		L1BaseFee: *uint256.NewInt(11), BlobBaseFee: *uint256.NewInt(12), BaseFeeScalar: 13, BlobBaseFeeScalar: 14,
		OperatorFeeScalar: 15, OperatorFeeConstant: 16, DAFootprintGasScalar: 17,
	}}
	d := l1.Attributes(18)
	require.Len(t, d.Data, 178)
	read, sequence, err := optimism.ReadAttributes(d)
	require.NoError(t, err)
	require.EqualValues(t, 18, sequence)
	require.Equal(t, l1, read)
	require.NotEqual(t, d.Hash(), l1.Attributes(19).Hash())
}

// Ensure the L1 of a chain that was told of none is a block of 1 gwei at the chain's time, with the scalars of its
// rules or those of Base.
func TestDefaultL1(t *testing.T) {
	t.Parallel()
	gwei := *uint256.NewInt(1_000_000_000)
	base := optimism.L1{Number: 20_000_000, Time: 8, Hash: optimism.L1Hash(20_000_000), Fees: optimism.Fees{
		L1BaseFee: gwei, BlobBaseFee: gwei, BaseFeeScalar: 2269, BlobBaseFeeScalar: 1_055_762, DAFootprintGasScalar: optimism.Azul.FootprintScalar,
	}}
	rules := optimism.Azul.DefaultRules()
	require.Equal(t, base, rules.DefaultL1(8))
	rules.BaseFeeScalar, rules.BlobBaseFeeScalar = 5, 6
	own := base
	own.BaseFeeScalar, own.BlobBaseFeeScalar = 5, 6
	require.Equal(t, own, rules.DefaultL1(8))
}

// Ensure the fees follow the formulas of Fjord and Jovian, at the least size and above it.
func TestFees(t *testing.T) {
	t.Parallel()
	f := optimism.Fees{
		L1BaseFee: *uint256.NewInt(1_000_000_000), BlobBaseFee: *uint256.NewInt(10_000_000), BaseFeeScalar: 2,
		BlobBaseFeeScalar: 3, OperatorFeeScalar: 5, OperatorFeeConstant: 7,
	}
	const scaled = 2*16*1_000_000_000 + 3*10_000_000 // wei per byte, in millionths
	require.EqualValues(t, 100*scaled/1_000_000, f.L1Fee(0).Uint64())
	require.EqualValues(t, 100*scaled/1_000_000, f.L1Fee(170).Uint64(), "170 bytes are estimated as 99.6")
	require.EqualValues(t, (1000*836_500-42_585_600)/100*(scaled/100)/100_000_000, f.L1Fee(1000).Uint64())
	require.EqualValues(t, 1600, optimism.L1GasUsed(0))
	require.EqualValues(t, 21_000*5*100+7, f.OperatorFee(21_000).Uint64())
	require.EqualValues(t, 100*400, f.Footprint(50))
	require.EqualValues(t, 793*400, f.Footprint(1000))
}

// Ensure a deposit that cannot pay what it sends is a call or a creation that fails at once, with all its gas used.
func TestRejectedDeposits(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	from, to := common.Address{0xaa}, common.Address{0xbb}
	for kind, target := range map[string]*common.Address{"CALL": &to, "CREATE": nil} {
		hash, err := r.Timeline().Deposit(optimism.Deposit{From: from, To: target, Value: big.NewInt(5), Mint: big.NewInt(1), Gas: 90_000})
		require.NoError(t, err)
		r.Seal()
		receipt, err := r.Receipt(t.Context(), hash)
		require.NoError(t, err)
		require.Zero(t, receipt.Status)
		require.EqualValues(t, 90_000, receipt.GasUsed)
		var call struct {
			Type, Gas, GasUsed, Error string
			From, To                  *common.Address
		}
		r.call(&call, "debug_traceTransaction", hash, map[string]any{"tracer": "callTracer"})
		require.Equal(t, []string{kind, "0x15f90", "0x15f90"}, []string{call.Type, call.Gas, call.GasUsed})
		require.NotEmpty(t, call.Error)
		require.Equal(t, &from, call.From)
		require.Equal(t, target, call.To)
	}
	state, err := r.Moment().Latest().State()
	require.NoError(t, err)
	require.EqualValues(t, 2, state.Nonce(from))
	require.EqualValues(t, 2, state.Balance(from).Uint64(), "what was minted stays")
}
