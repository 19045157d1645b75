package optimism_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure the transaction that ends a block costs, moves and creates nothing, and its receipt goes on from the one
// before.
func TestPostExecIsNothing(t *testing.T) {
	t.Parallel()
	tx := optimism.NewPostExec(42, nil)
	require.Zero(t, tx.Nonce())
	require.Zero(t, tx.Value().Sign())
	require.Zero(t, tx.Gas())
	require.Equal(t, common.Address{}, *tx.To())
	require.EqualValues(t, 0x7d, tx.Type())
	before := types.Receipts{{CumulativeGasUsed: 21_000}, {CumulativeGasUsed: 50_000}}
	r := tx.Receipt(big.NewInt(42), before)
	require.Equal(t, types.ReceiptStatusSuccessful, r.Status)
	require.EqualValues(t, 50_000, r.CumulativeGasUsed)
	require.EqualValues(t, 2, r.TransactionIndex)
	require.Zero(t, r.GasUsed)
	require.Equal(t, tx.Hash(), r.TxHash)
	alone := tx.Receipt(big.NewInt(42), nil)
	require.Zero(t, alone.CumulativeGasUsed)
	require.Zero(t, alone.TransactionIndex)
	encoded, err := tx.EncodeReceipt(r)
	require.NoError(t, err)
	require.EqualValues(t, 0x7d, encoded[0])
	var read struct {
		Status []byte
		Gas    uint64
		Bloom  types.Bloom
		Logs   []*types.Log
	}
	require.NoError(t, rlp.DecodeBytes(encoded[1:], &read))
	require.Equal(t, []byte{1}, read.Status)
	require.EqualValues(t, 50_000, read.Gas)
	_, _, err = optimism.ReadL1(tx)
	require.EqualError(t, err, "transaction "+tx.Hash().Hex()+" is no deposit of L1 attributes")
	require.Nil(t, optimism.IncludedOf(tx))
	_, ok := optimism.ReadMillis(tx)
	require.False(t, ok)
}

// Ensure a node's answer is a deposit if it is whole and has its hash, and else none.
func TestFromAnswer(t *testing.T) {
	t.Parallel()
	d := &optimism.Deposit{
		SourceHash: common.Hash{1}, From: common.Address{2}, To: &common.Address{3}, Mint: big.NewInt(4), Value: big.NewInt(5), Gas: 6,
		Data: []byte{7},
	}
	answer := func(changes map[string]any) *optimism.Included {
		fields := map[string]any{
			"type": "0x7e", "hash": d.Hash(), "nonce": "0x9", "sourceHash": d.SourceHash, "from": d.From, "to": d.To, "mint": "0x4",
			"value": "0x5", "gas": "0x6", "isSystemTx": false, "input": "0x07",
		}
		for name, value := range changes {
			fields[name] = value
		}
		text, err := json.Marshal(fields)
		require.NoError(t, err)
		return optimism.FromAnswer(text)
	}
	whole := answer(nil)
	require.NotNil(t, whole)
	require.Equal(t, d, whole.Deposit())
	require.Equal(t, d.Hash(), whole.Hash())
	require.EqualValues(t, 9, whole.Nonce())
	for name, value := range map[string]any{
		"type": "0x2", "hash": common.Hash{}, "value": nil, "gas": "0x7", "to": nil, "mint": nil, "input": "0x", "isSystemTx": true, "from": 7,
	} {
		require.Nil(t, answer(map[string]any{name: value}), name)
	}
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

// Ensure the parameters of the base fee are read from whole extra data of this version, and else those of the rules
// hold.
func TestRulesInExtra(t *testing.T) {
	t.Parallel()
	fees := optimism.BaseFeeRules{Denominator: 7, Elasticity: 3, MinBaseFee: 9}
	extra := fees.ExtraData()
	require.Equal(t, "0x0100000007000000030000000000000009", hexutil.Encode(extra))
	require.Equal(t, &optimism.Rules{Upgrade: optimism.Jovian, BaseFeeRules: fees}, optimism.RulesIn(extra, optimism.Jovian))
	rules := optimism.Jovian.DefaultRules()
	require.Equal(t, fees, rules.After(&types.Header{Extra: extra}))
	version := append([]byte{2}, extra[1:]...)
	for name, wrong := range map[string][]byte{
		"none": nil, "short": extra[:16], "long": append(extra[:17:17], 0), "version": version,
		"denominator": optimism.BaseFeeRules{Elasticity: 3}.ExtraData(), "elasticity": optimism.BaseFeeRules{Denominator: 7}.ExtraData(),
	} {
		require.Nil(t, optimism.RulesIn(wrong, optimism.Jovian), name)
		require.Equal(t, rules.BaseFeeRules, rules.After(&types.Header{Extra: wrong}), name)
	}
}

// Ensure the base fee changes by the distance of what was used from the target, at least by 1 wei upwards, and not
// below the least.
func TestBaseFeeSteps(t *testing.T) {
	t.Parallel()
	extra := optimism.BaseFeeRules{Denominator: 10, Elasticity: 4, MinBaseFee: 90}.ExtraData()
	for _, c := range []struct{ limit, used, footprint, fee, want uint64 }{
		{4_000, 1_000, 0, 1_000, 1_000}, {4_000, 2_000, 0, 1_000, 1_100}, {4_000, 4_000, 0, 1_000, 1_300},
		{4_000, 1_001, 0, 1_000, 1_001}, {4_000, 0, 0, 1_000, 900}, {4_000, 999, 0, 1_000, 1_000}, {4_000, 980, 0, 1_000, 998},
		{4_000, 500, 2_000, 1_000, 1_100}, {4_000, 2_000, 500, 1_000, 1_100}, {4_000, 500, 1_000, 1_000, 1_000},
		{4_000, 0, 0, 100, 90}, {4_000, 0, 0, 91, 90}, {4_000, 1_000, 0, 89, 90}, {4_000, 1_000, 0, 90, 90}, {3, 3, 0, 1_000, 1_000},
	} {
		header := &types.Header{
			GasLimit: c.limit, GasUsed: c.used, BlobGasUsed: &c.footprint, BaseFee: new(big.Int).SetUint64(c.fee), Extra: extra,
		}
		rules := optimism.Jovian.DefaultRules()
		require.Equal(t, c.want, rules.NextBaseFee(header).Uint64(), "%+v", c)
		require.EqualValues(t, c.fee, header.BaseFee.Uint64(), "the parent stays")
		if c.footprint == 0 {
			header.BlobGasUsed = nil
			require.Equal(t, c.want, rules.NextBaseFee(header).Uint64(), "%+v", c)
		}
	}
}

// Ensure a block whose transactions are the system's alone can be made again from a few values, and any other cannot.
func TestSystemOf(t *testing.T) {
	t.Parallel()
	l1 := optimism.L1{Number: 7, Time: 8, Hash: common.Hash{9}, Fees: optimism.Fees{L1BaseFee: *uint256.NewInt(11)}}
	make := func() (evmstate.Transactions, types.Receipts) {
		txs := evmstate.Transactions{
			optimism.NewIncluded(l1.Attributes(3), 40), optimism.NewIncluded(optimism.BaseTimeDeposit(5, 200), 41),
		}
		return txs, types.Receipts{
			{Status: 1, GasUsed: 100, CumulativeGasUsed: 100}, {Status: 1, GasUsed: 30, CumulativeGasUsed: 130},
		}
	}
	txs, receipts := make()
	want := optimism.System{L1: &l1, Sequence: 3, Nonce: 40, Gas: [2]uint64{100, 30}, Millis: 200, HasTime: true}
	s, ok := optimism.SystemOf(5, txs, receipts)
	require.True(t, ok)
	require.Equal(t, want, s)
	again := s.Transactions(5)
	require.Len(t, again, 2)
	for i, tx := range again {
		require.Equal(t, txs[i].Hash(), tx.Hash())
		require.Equal(t, txs[i].Nonce(), tx.Nonce())
	}
	made := s.Receipts(5, again)
	require.EqualValues(t, 100, made[0].CumulativeGasUsed)
	require.EqualValues(t, 130, made[1].CumulativeGasUsed)
	require.EqualValues(t, 30, made[1].GasUsed)
	require.EqualValues(t, 1, made[1].TransactionIndex)

	one, ok := optimism.SystemOf(5, txs[:1], receipts[:1])
	require.True(t, ok)
	require.Equal(t, optimism.System{L1: &l1, Sequence: 3, Nonce: 40, Gas: [2]uint64{100}}, one)
	require.Len(t, one.Transactions(5), 1)
	for name, change := range map[string]func(evmstate.Transactions, types.Receipts){
		"other first":   func(txs evmstate.Transactions, _ types.Receipts) { txs[0] = txs[1] },
		"not a deposit": func(txs evmstate.Transactions, _ types.Receipts) { txs[0] = optimism.NewPostExec(5, nil) },
		"other second":  func(txs evmstate.Transactions, _ types.Receipts) { txs[1] = txs[0] },
		"none second":   func(txs evmstate.Transactions, _ types.Receipts) { txs[1] = optimism.NewPostExec(5, nil) },
		"other block": func(txs evmstate.Transactions, _ types.Receipts) {
			txs[1] = optimism.NewIncluded(optimism.BaseTimeDeposit(6, 200), 41)
		},
		"nonce": func(txs evmstate.Transactions, _ types.Receipts) {
			txs[1] = optimism.NewIncluded(optimism.BaseTimeDeposit(5, 200), 42)
		},
		"failed":           func(_ evmstate.Transactions, r types.Receipts) { r[1].Status = 0 },
		"first failed":     func(_ evmstate.Transactions, r types.Receipts) { r[0].Status = 0 },
		"a log":            func(_ evmstate.Transactions, r types.Receipts) { r[0].Logs = []*types.Log{{}} },
		"gas":              func(_ evmstate.Transactions, r types.Receipts) { r[1].CumulativeGasUsed++ },
		"gas of the first": func(_ evmstate.Transactions, r types.Receipts) { r[0].CumulativeGasUsed++ },
	} {
		txs, receipts := make()
		change(txs, receipts)
		_, ok := optimism.SystemOf(5, txs, receipts)
		require.False(t, ok, name)
	}
	_, ok = optimism.SystemOf(5, append(txs, txs[0]), append(receipts, receipts[0]))
	require.False(t, ok, "three")
	_, ok = optimism.SystemOf(5, nil, nil)
	require.False(t, ok, "none")
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
