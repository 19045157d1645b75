package optimism_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// What is published of Base's contract BaseTime.
var (
	baseTime       = common.HexToAddress("0x4200000000000000000000000000000000000030")
	baseTimeLogic  = common.HexToAddress("0xc0D3C0d3C0d3C0D3c0d3C0d3c0D3C0d3c0d30030")
	baseTimeAdmin  = common.HexToAddress("0x4200000000000000000000000000000000000018")
	logicSlot      = common.HexToHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc")
	adminSlot      = common.HexToHash("0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103")
	millisPart     = hexutil.MustDecode("0x7b2fea99") // timestampMillisPart()
	timestampMs    = hexutil.MustDecode("0x5745a677") // timestampMs()
	contractString = hexutil.MustDecode("0x54fd4d50") // version()
	setMillisPart  = hexutil.MustDecode("0x86bdf394") // setTimestampMillisPart(uint16)
)

const (
	notDepositor  = "0x3c7b5203" // BaseTime_NotDepositor()
	invalidMillis = "0xceb5df05" // BaseTime_InvalidTimestampMillisPart()
)

// denimStart is when the chains of these tests begin, in Unix seconds.
const denimStart = 1_793_901_601

func newDenim(t *testing.T) rollup {
	return rollupOf(t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, StartTime: time.Unix(denimStart, 0)}))
}

// denimHeader holds the members of a header that the tests read.
type denimHeader struct {
	Number, Timestamp, GasLimit, GasUsed, BlobGasUsed hexutil.Uint64
	BaseFeePerGas                                     *hexutil.Big
	ExtraData                                         hexutil.Bytes
	Miner                                             common.Address
	Withdrawals                                       []any
	Transactions                                      []struct {
		Hash  common.Hash
		Type  hexutil.Uint64
		Input hexutil.Bytes
	}
}

func (r rollup) header(tag string) (h denimHeader) {
	r.t.Helper()
	r.call(&h, "eth_getBlockByNumber", tag, true)
	return h
}

// ask calls BaseTime at a block and returns the number it answers with.
func (r rollup) ask(function []byte, tag string) uint64 {
	r.t.Helper()
	var answer hexutil.Bytes
	r.call(&answer, "eth_call", map[string]any{"to": baseTime, "input": hexutil.Bytes(function)}, tag)
	require.Len(r.t, answer, 32)
	return new(big.Int).SetBytes(answer).Uint64()
}

// Ensure block N is 200·N ms after the genesis, that its timestamp is that in seconds, rounded down, and that its
// BaseTime deposit and the contract BaseTime say the same, whatever made the block.
func TestDenimLattice(t *testing.T) {
	t.Parallel()
	r := newDenim(t)
	require.EqualValues(t, denimStart, r.header("earliest").Timestamp)
	r.Seal()
	r.Advance(time.Second)
	r.call(nil, "evm_mine")
	r.call(nil, "fakenode_advance", 400)
	_, err := r.Reorg(fakenode.ReorgOptions{Depth: 3, Length: new(5)})
	require.NoError(t, err)
	require.EqualValues(t, 11, r.BlockNumber())
	for n := range uint64(12) {
		ms, tag := uint64(denimStart*1000+200*n), hexutil.EncodeUint64(n)
		h := r.header(tag)
		require.EqualValues(t, ms/1000, h.Timestamp, n)
		require.Equal(t, ms%1000, r.ask(millisPart, tag), n)
		require.Equal(t, ms, r.ask(timestampMs, tag), n)
		if n > 0 {
			require.Equal(t, ms%1000, new(big.Int).SetBytes(h.Transactions[1].Input[4:]).Uint64(), n)
		}
	}
}

// Ensure transaction 1 of every block is the BaseTime deposit, field by field, behind the L1 attributes and before the
// deposits and transactions of users.
func TestDenimBaseTimeDeposit(t *testing.T) {
	t.Parallel()
	r := newDenim(t)
	deposited := r.deposit(`{"from": "0x00000000000000000000000000000000000000a1", "to": "0x00000000000000000000000000000000000000a1", "mint": 5}`)
	sent := r.send(1, nil)
	r.Seal()
	for r.BlockNumber() < 9 {
		r.Seal()
	}
	sources := map[string]string{ // of block 1 and block 9, computed by viem's keccak256
		"0x1": "0x1069ed2cd445ebff576c8ac2ad8bfe550f5c700598ab04ead80cb51839aa8aeb",
		"0x9": "0x821a03cf41d4197c4b19f8f5cf89774b6771d14a189bf35f29b2775453bb5d7d",
	}
	for tag, source := range sources {
		var b struct {
			GasUsed      hexutil.Uint64
			Transactions []struct {
				rollupTransaction
				Gas   hexutil.Uint64
				Input hexutil.Bytes
			}
		}
		r.call(&b, "eth_getBlockByNumber", tag, true)
		tx := b.Transactions[1]
		require.EqualValues(t, 0x7e, tx.Type)
		require.Equal(t, optimism.Depositor, tx.From)
		require.Equal(t, baseTime, *tx.To)
		require.Equal(t, common.HexToHash(source), tx.SourceHash, tag)
		require.Zero(t, tx.Mint.ToInt().Sign())
		require.Zero(t, tx.Value.ToInt().Sign())
		require.EqualValues(t, 1_000_000, tx.Gas)
		require.Nil(t, tx.IsSystemTx, "as op-geth has it, only where it is true")
		require.Len(t, tx.Input, 36)
		require.Equal(t, append(setMillisPart, make([]byte, 30)...), []byte(tx.Input[:34]))

		var gas hexutil.Uint64
		for _, tx := range b.Transactions {
			receipt := r.receipt(tx.Hash)
			require.EqualValues(t, 1, receipt.Status)
			gas += receipt.GasUsed
		}
		require.Equal(t, b.GasUsed, gas, "the gas of the two system deposits counts")
		if tag == "0x1" {
			require.Len(t, b.Transactions, 4)
			require.Equal(t, optimism.L1BlockAddress, *b.Transactions[0].To)
			require.Equal(t, deposited, b.Transactions[2].Hash)
			require.Equal(t, sent, b.Transactions[3].Hash)
		}
	}
}

// Ensure the contract BaseTime is a proxy with the published slots, answers by its functions, rejects strangers before
// milliseconds that are none, and keeps what else is in the slot.
func TestDenimBaseTimeContract(t *testing.T) {
	t.Parallel()
	r := newDenim(t)
	r.Seal()
	word := func(slot common.Hash) (value common.Hash) {
		r.call(&value, "eth_getStorageAt", baseTime, slot, "latest")
		return value
	}
	require.Equal(t, common.BytesToHash(baseTimeLogic[:]), word(logicSlot))
	require.Equal(t, common.BytesToHash(baseTimeAdmin[:]), word(adminSlot))
	var code hexutil.Bytes
	r.call(&code, "eth_getCode", baseTimeLogic, "latest")
	require.NotEmpty(t, code)

	var version hexutil.Bytes
	r.call(&version, "eth_call", map[string]any{"to": baseTime, "input": hexutil.Bytes(contractString)}, "latest")
	require.Equal(t, "1.0.0", string(version[64:69]))

	set := func(from common.Address, millis int64) error {
		input := append(append([]byte{}, setMillisPart...), common.BigToHash(big.NewInt(millis)).Bytes()...)
		return r.rpc.Call(nil, "eth_call", map[string]any{"from": from, "to": baseTime, "input": hexutil.Bytes(input)}, "latest")
	}
	reason := func(err error) string {
		var data rpc.DataError
		require.ErrorAs(t, err, &data)
		return data.ErrorData().(string)
	}
	for _, millis := range []int64{0, 200, 400, 600, 800} {
		require.NoError(t, set(optimism.Depositor, millis))
	}
	for _, millis := range []int64{1, 199, 801, 1000, 65_400} {
		require.Equal(t, invalidMillis, reason(set(optimism.Depositor, millis)), millis)
		require.Equal(t, notDepositor, reason(set(r.Account(0).Address, millis)), millis)
	}
	require.Equal(t, notDepositor, reason(set(r.Account(0).Address, 200)))

	// A user's transaction with the same data reverts, and the block is valid all the same.
	var hash common.Hash
	r.call(&hash, "eth_sendTransaction", map[string]any{
		"from": r.Account(0).Address, "to": baseTime, "gas": hexutil.Uint64(100_000),
		"input": hexutil.Bytes(append(append([]byte{}, setMillisPart...), make([]byte, 32)...)),
	})
	r.Seal()
	require.Zero(t, r.receipt(hash).Status)
	require.EqualValues(t, 400, r.ask(millisPart, "latest"))

	upper := common.HexToHash("0xabcdef0000000000000000000000000000000000000000000000000000120000")
	r.call(nil, "anvil_setStorageAt", baseTime, common.Hash{}, upper)
	r.Seal()
	upper[30], upper[31] = 0x02, 0x58 // 600
	require.Equal(t, upper, word(common.Hash{}))
}

// Ensure nobody but the chain makes the deposit of the milliseconds, and what only resembles it is none.
func TestBaseTimeIsTheChains(t *testing.T) {
	t.Parallel()
	d := optimism.BaseTimeDeposit(7, 600)
	millis, ok := optimism.ReadBaseTime(d)
	require.True(t, ok)
	require.EqualValues(t, 600, millis)
	require.EqualError(t, d.Check(), fmt.Sprintf("only the chain makes deposits from %s that set the milliseconds in BaseTime", d.From))
	require.NotEqual(t, d.SourceHash, optimism.BaseTimeDeposit(8, 600).SourceHash)
	for name, change := range map[string]func(*optimism.Deposit){
		"from": func(d *optimism.Deposit) { d.From = common.Address{1} }, "to": func(d *optimism.Deposit) { d.To = &common.Address{1} },
		"creation": func(d *optimism.Deposit) { d.To = nil }, "long": func(d *optimism.Deposit) { d.Data = append(d.Data, 0) },
		"short": func(d *optimism.Deposit) { d.Data = d.Data[:35] }, "selector": func(d *optimism.Deposit) { d.Data[3]++ },
	} {
		other := optimism.BaseTimeDeposit(7, 600)
		change(other)
		_, ok := optimism.ReadBaseTime(other)
		require.False(t, ok, name)
		require.NoError(t, other.Check(), name)
	}
}
