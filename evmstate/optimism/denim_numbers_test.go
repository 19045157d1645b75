package optimism_test

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the numbers of a block are those of Base divided by ten: gas limit, extra data, least base fee, how far the
// base fee moves, and the footprint of data.
func TestDenimFees(t *testing.T) {
	t.Parallel()
	r := newDenim(t)
	var tip hexutil.Big
	r.call(&tip, "eth_maxPriorityFeePerGas")
	require.GreaterOrEqual(t, tip.ToInt().Int64(), int64(1_000_000))

	r.call(nil, "anvil_setNextBlockBaseFeePerGas", hexutil.Uint64(5_000_004))
	small := r.send(1, nil)
	loop, start := program.New().Jumpdest()
	r.call(nil, "anvil_setCode", common.Address{0xaa}, hexutil.Bytes(loop.Jump(start).Bytes()))
	r.Advance(time.Second)
	h := r.header("0x1")
	require.EqualValues(t, 40_000_000, h.GasLimit)
	require.Equal(t, "0x01000003e80000000500000000004c4b40", h.ExtraData.String())
	require.EqualValues(t, 148*100, h.BlobGasUsed, "a small transaction counts as 100 bytes")
	require.EqualValues(t, 1, r.receipt(small).Status)
	require.EqualValues(t, 5_000_004, h.BaseFeePerGas.ToInt().Int64())
	require.EqualValues(t, 5_000_000, r.header("0x2").BaseFeePerGas.ToInt().Int64(), "it falls no further")
	require.EqualValues(t, 5_000_000, r.header("latest").BaseFeePerGas.ToInt().Int64())

	var hash common.Hash
	r.call(&hash, "eth_sendTransaction", map[string]any{
		"from": r.Account(0).Address, "to": common.Address{0xaa}, "gas": hexutil.Uint64(params.MaxTxGas),
	})
	r.Seal()
	const target = 8_000_000
	full := r.header("latest")
	require.EqualValues(t, params.MaxTxGas, r.receipt(hash).GasUsed)
	require.Greater(t, uint64(full.GasUsed), uint64(params.MaxTxGas))
	r.Seal()
	fee := full.BaseFeePerGas.ToInt().Uint64()
	require.Equal(t, fee+fee*(uint64(full.GasUsed)-target)/target/1000, r.header("latest").BaseFeePerGas.ToInt().Uint64())

	// 40,000,000 / 148 is 270 kB of data that does not compress: three of these transactions fit, a fourth waits.
	source, data := rand.New(rand.NewPCG(1, 0)), make([]byte, 100_000)
	for i := range data {
		data[i] = byte(source.Uint32())
	}
	for range 4 {
		r.send(1, data)
	}
	r.Seal()
	h = r.header("latest")
	require.Len(t, h.Transactions, 2+3)
	require.Greater(t, uint64(h.BlobGasUsed), uint64(36_000_000))
	require.LessOrEqual(t, uint64(h.BlobGasUsed), uint64(h.GasLimit))
	r.Seal()
	require.Len(t, r.header("latest").Transactions, 2+1)
}

// Ensure an L1 block is the origin of the 60 L2 blocks of its slot, which are numbered from 0, that it is not ahead of
// them, and that the attributes have Jovian's form.
func TestDenimOrigin(t *testing.T) {
	t.Parallel()
	r := newDenim(t)
	r.Advance(26 * time.Second)
	blocks := map[uint64]uint64{} // by number of the L1 block
	var last uint64
	for n := uint64(1); n <= 130; n++ {
		h := r.header(hexutil.EncodeUint64(n))
		require.Equal(t, optimism.SequencerFeeVault, h.Miner)
		require.Equal(t, []any{}, h.Withdrawals)
		attributes := h.Transactions[0].Input
		require.Len(t, attributes, 178)
		require.Equal(t, "0x3db6be2b", hexutil.Encode(attributes[:4]))
		number := new(big.Int).SetBytes(attributes[28:36]).Uint64()
		require.GreaterOrEqual(t, uint64(h.Timestamp), new(big.Int).SetBytes(attributes[20:28]).Uint64(), "block %d", n)
		require.GreaterOrEqual(t, number, last)
		if last != 0 && number > last {
			require.Equal(t, last+1, number)
			require.Zero(t, new(big.Int).SetBytes(attributes[12:20]).Uint64(), "block %d is the first of its origin", n)
		}
		blocks[number]++
		last = number
	}
	require.GreaterOrEqual(t, len(blocks), 3)
	for number, count := range blocks {
		if number != last && blocks[number-1] != 0 {
			require.EqualValues(t, 60, count, "L1 block %d", number)
		}
	}
}

// Ensure what counts blocks covers a tenth of the time, and what counts seconds does not: BLOCKHASH has 256 entries,
// EIP-2935 8,191, the five blocks of a second write one slot of EIP-4788, and safe and finalized are as many minutes
// behind as with blocks of 2 s.
func TestDenimWindows(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	r := newDenim(t)
	r.Advance(8_200 * 200 * time.Millisecond)
	head := r.BlockNumber()
	require.EqualValues(t, 8_200, head)
	ask := func(to *common.Address, code, input []byte) common.Hash {
		var answer hexutil.Bytes
		call := map[string]any{"input": hexutil.Bytes(input)}
		overrides := map[string]any{}
		if to == nil {
			to = &common.Address{0xaa}
			overrides[to.Hex()] = map[string]any{"code": hexutil.Bytes(code)}
		}
		call["to"] = to
		r.call(&answer, "eth_call", call, "latest", overrides)
		return common.BytesToHash(answer)
	}
	number := func(n uint64) []byte { return common.BigToHash(new(big.Int).SetUint64(n)).Bytes() }
	hashOf := program.New().Push0().Op(vm.CALLDATALOAD, vm.BLOCKHASH).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
	require.Equal(t, r.block(hexutil.EncodeUint64(head-256)).Hash, ask(nil, hashOf, number(head-256)))
	require.Zero(t, ask(nil, hashOf, number(head-257)))
	require.Equal(t, r.block(hexutil.EncodeUint64(head-8_191)).Hash, ask(&params.HistoryStorageAddress, nil, number(head-8_191)))
	call := map[string]any{"to": params.HistoryStorageAddress, "input": hexutil.Bytes(number(head - 8_192))}
	require.Error(t, r.rpc.Call(nil, "eth_call", call, "latest"))

	second := uint64(r.header("latest").Timestamp)
	for n := head - 10; n < head; n++ {
		tag := hexutil.EncodeUint64(n)
		at := uint64(r.header(tag).Timestamp)
		var value common.Hash
		r.call(&value, "eth_getStorageAt", params.BeaconRootsAddress, common.BytesToHash(number(at%8_191)), "latest")
		require.Equal(t, at, new(big.Int).SetBytes(value[:]).Uint64(), "the slot of a second")
		require.LessOrEqual(t, second-at, uint64(2))
	}
	require.EqualValues(t, head-320, r.header("safe").Number)
	require.EqualValues(t, head-640, r.header("finalized").Number)
}
