package optimism_test

import (
	"context"
	"encoding/json"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure the encoding of a block with a deposit has its transactions as they are one by one: one with a type as bytes.
func TestRollupRawBlock(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	sent := r.send(7, nil)
	r.Seal()
	var raw hexutil.Bytes
	r.call(&raw, "debug_getRawBlock", "latest")
	var block struct {
		Header       *types.Header
		Transactions [][]byte
		Uncles       []*types.Header
		Withdrawals  types.Withdrawals
	}
	require.NoError(t, rlp.DecodeBytes(raw, &block))
	require.Len(t, block.Transactions, 2)
	for i, hash := range []common.Hash{r.block("latest").Transactions[0].Hash, sent} {
		var alone hexutil.Bytes
		r.call(&alone, "debug_getRawTransaction", hash)
		require.Equal(t, []byte(alone), block.Transactions[i])
		require.Equal(t, hash, crypto.Keccak256Hash(block.Transactions[i]))
	}
}

// Ensure every block, the pending one too, begins with the deposit that describes L1, so that go-ethereum's client
// fails on it as on Base, and that the header has the fields of Jovian.
func TestRollupBlock(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	sent := r.send(7, nil)
	r.Preconfirm()
	for _, tag := range []string{"pending", "latest"} {
		if tag == "latest" {
			r.Seal()
		}
		b := r.block(tag)
		require.Len(t, b.Transactions, 2, tag)
		first, second := b.Transactions[0], b.Transactions[1]
		require.EqualValues(t, 0x7e, first.Type)
		require.Equal(t, optimism.Depositor, first.From)
		require.Equal(t, optimism.L1BlockAddress, *first.To)
		require.NotZero(t, first.SourceHash)
		require.Nil(t, first.IsSystemTx)
		require.Zero(t, first.Mint.ToInt().Sign())
		require.EqualValues(t, 0, *first.Nonce)
		require.EqualValues(t, 1, *first.DepositReceiptVersion)
		require.Equal(t, sent, second.Hash)
		require.EqualValues(t, 1, second.TransactionIndex)
		require.Equal(t, optimism.SequencerFeeVault, b.Miner)
		require.Equal(t, optimism.Azul.DefaultRules().ExtraData(), []byte(b.ExtraData))
		require.EqualValues(t, 40_000, b.BlobGasUsed, "the footprint of a transaction of the least size")

		receipt := r.receipt(first.Hash)
		require.EqualValues(t, 1, receipt.Status)
		require.EqualValues(t, 0, *receipt.DepositNonce)
		require.Nil(t, receipt.L1Fee)
		require.Equal(t, b.GasUsed, receipt.GasUsed+r.receipt(sent).GasUsed)
		require.EqualValues(t, 1, r.receipt(sent).TransactionIndex)

		for _, index := range []int{0, 1, 2} {
			var found *rollupTransaction
			r.call(&found, "eth_getTransactionByBlockNumberAndIndex", tag, hexutil.Uint64(index))
			if index == 2 {
				require.Nil(t, found)
				continue
			}
			require.Equal(t, b.Transactions[index].Hash, found.Hash)
			var raw hexutil.Bytes
			r.call(&raw, "eth_getRawTransactionByHash", found.Hash)
			require.Equal(t, index == 0, raw[0] == 0x7e)
		}
		var count hexutil.Uint64
		r.call(&count, "eth_getBlockTransactionCountByNumber", tag)
		require.EqualValues(t, 2, count)
	}
	client := ethclient.NewClient(r.rpc)
	_, err := client.BlockByNumber(context.Background(), nil)
	require.ErrorIs(t, err, types.ErrTxTypeNotSupported)
	header, err := client.HeaderByNumber(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, r.block("latest").Hash, header.Hash(), "go-ethereum computes the hash of the header")
	r.Seal()
	require.EqualValues(t, 1, *r.block("latest").Transactions[0].Nonce, "the depositor's second")
}

// Ensure a transaction pays for its gas, for its data on L1 and to the operator, to the wei, and that each fee goes to
// its vault.
func TestRollupFees(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	r.call(nil, "fakenode_setL1", json.RawMessage(`{"baseFee": "0x77359400", "operatorFeeScalar": 3, "operatorFeeConstant": 1000}`))
	sender := r.Account(0).Address
	before := r.balance(sender, "latest")
	hash := r.send(7, common.FromHex(strings.Repeat("00112233445566778899", 30)))
	r.Seal()

	receipt, header := r.receipt(hash), r.block("latest")
	require.EqualValues(t, 2_000_000_000, receipt.L1GasPrice.ToInt().Int64())
	require.EqualValues(t, 3, *receipt.OperatorFeeScalar)
	require.EqualValues(t, 1000, *receipt.OperatorFeeConstant)
	gas := new(big.Int).SetUint64(uint64(receipt.GasUsed))
	fee := new(big.Int).Mul(gas, receipt.EffectiveGasPrice.ToInt())
	operator := new(big.Int).Mul(gas, big.NewInt(300))
	operator.Add(operator, big.NewInt(1000))
	burnt := new(big.Int).Mul(gas, header.BaseFeePerGas.ToInt())
	paid := new(big.Int).Add(fee, operator)
	paid.Add(paid, receipt.L1Fee.ToInt())
	paid.Add(paid, big.NewInt(7))
	require.Equal(t, paid, new(big.Int).Sub(before, r.balance(sender, "latest")))
	require.Equal(t, burnt, r.balance(optimism.BaseFeeVault, "latest"))
	require.Equal(t, receipt.L1Fee.ToInt(), r.balance(optimism.L1FeeVault, "latest"))
	require.Equal(t, operator, r.balance(optimism.OperatorFeeVault, "latest"))
	require.Equal(t, new(big.Int).Sub(fee, burnt), r.balance(optimism.SequencerFeeVault, "latest"))

	// A trace of the transaction executes it with the same fees.
	var diff struct {
		Post map[common.Address]struct{ Balance *hexutil.Big }
	}
	r.call(&diff, "debug_traceTransaction", hash, json.RawMessage(`{"tracer": "prestateTracer", "tracerConfig": {"diffMode": true}}`))
	require.Equal(t, r.balance(sender, "latest"), diff.Post[sender].Balance.ToInt())
}

// Ensure the pool and the gas estimate know what a transaction pays beside gas.
func TestRollupBalance(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	price := big.NewInt(2_000_000_000)
	poor, err := fakenode.RunT(t).Account(9), error(nil)
	r.call(nil, "anvil_setBalance", poor.Address, (*hexutil.Big)(new(big.Int).Mul(price, big.NewInt(21_000)))) // gas alone
	tx := map[string]any{"from": poor.Address, "to": r.Account(1).Address, "gas": "0x5208", "gasPrice": (*hexutil.Big)(price)}
	err = r.rpc.Call(nil, "eth_sendTransaction", tx)
	require.ErrorContains(t, err, "insufficient funds")
	err = r.rpc.Call(nil, "eth_estimateGas", tx)
	require.Error(t, err)
	r.call(nil, "anvil_setBalance", poor.Address, (*hexutil.Big)(big.NewInt(1e18)))
	r.call(nil, "eth_estimateGas", tx)
	r.call(nil, "eth_sendTransaction", tx)
}

// Ensure a deposit mints, executes before the transactions of the next block that has not begun, and stays in the block
// when it fails.
func TestRollupDeposit(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	const from, to = "0x00000000000000000000000000000000000000a1", "0x00000000000000000000000000000000000000b2"
	user, payee := common.HexToAddress(from), common.HexToAddress(to)
	hash := r.deposit(`{"from": "` + from + `", "to": "` + to + `", "mint": "0x64", "value": "0x28"}`)
	require.Zero(t, r.balance(user, "pending").Sign(), "the next block has not begun")
	r.Preconfirm()
	require.EqualValues(t, 60, r.balance(user, "pending").Int64())
	r.Seal()
	require.EqualValues(t, 60, r.balance(user, "latest").Int64())
	require.EqualValues(t, 40, r.balance(payee, "latest").Int64())
	b := r.block("latest")
	require.Len(t, b.Transactions, 2)
	require.Equal(t, hash, b.Transactions[1].Hash)
	require.EqualValues(t, 100, b.Transactions[1].Mint.ToInt().Int64())
	require.EqualValues(t, 21_000, r.receipt(hash).GasUsed)

	// It cannot pay its value: what it mints is minted, and the nonce is used up.
	r.send(1, nil)
	r.Preconfirm()
	hash = r.deposit(`{"from": "` + from + `", "to": "` + to + `", "mint": 1, "value": 1000, "gas": 21000}`)
	require.Len(t, r.block("pending").Transactions, 2, "a block that has begun stays as it is")
	r.Seal()
	r.Seal()
	receipt := r.receipt(hash)
	require.Zero(t, receipt.Status)
	require.EqualValues(t, 1, receipt.TransactionIndex)
	require.EqualValues(t, 1, *receipt.DepositNonce)
	require.EqualValues(t, 21_000, receipt.GasUsed)
	require.EqualValues(t, 61, r.balance(user, "latest").Int64())

	// A block whose first flashblock has nothing in it has begun as well.
	r.Preconfirm()
	hash = r.deposit(`{"from": "` + from + `", "to": "` + to + `"}`)
	require.Len(t, r.block("pending").Transactions, 1)
	r.Seal()
	require.Len(t, r.block("latest").Transactions, 1)
	r.Seal()
	require.Equal(t, hash, r.block("latest").Transactions[1].Hash)

	// One without a recipient creates a contract; here of code that emits a log while it is created.
	hash = r.deposit(`{"from": "` + from + `", "data": "0x60006000a000", "gas": 100000}`)
	r.Seal()
	receipt = r.receipt(hash)
	require.Len(t, receipt.Logs, 1)
	require.EqualValues(t, 1, receipt.Logs[0].TxIndex)
	require.Equal(t, hash, receipt.Logs[0].TxHash)
}

// Ensure what comes from L1 outlives a reorg of the L2, and that a snapshot brings it back.
func TestRollupReorg(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	user := common.HexToAddress("0xa1")
	r.call(nil, "fakenode_setL1", json.RawMessage(`{"number": 30000000, "baseFee": 5}`))
	deposit := r.deposit(`{"from": "` + user.Hex() + `", "to": "` + user.Hex() + `", "mint": 100}`)
	sent := r.send(1, nil)
	r.Seal()
	r.Seal()
	before := r.block("0x1")
	snapshot := r.Snapshot()

	_, err := r.Reorg(fakenode.ReorgOptions{Depth: 2, Length: new(3)})
	require.NoError(t, err)
	after := r.block("0x1")
	require.NotEqual(t, before.Hash, after.Hash)
	require.Equal(t, deposit, after.Transactions[1].Hash)
	require.Equal(t, before.Transactions[0].Hash, after.Transactions[0].Hash)
	require.EqualValues(t, 5, r.receipt(sent).L1GasPrice.ToInt().Int64())
	require.EqualValues(t, 100, r.balance(user, "latest").Int64())

	require.NoError(t, r.Revert(snapshot))
	require.Equal(t, before.Hash, r.block("0x1").Hash)
	r.call(nil, "anvil_rollback", 2)
	require.Zero(t, r.balance(user, "latest").Sign())
	r.Preconfirm()
	require.Equal(t, deposit, r.block("pending").Transactions[1].Hash, "it comes again")
}

// Ensure a kept node goes on under its rules, with what waits from L1, and rejects other rules.
func TestRollupKept(t *testing.T) {
	t.Parallel()
	config := fakenode.Config{State: filepath.Join(t.TempDir(), "state.db"), Rules: fakenode.OptimismRules}
	node, err := fakenode.New(config)
	require.NoError(t, err)
	r := rollupOf(t, node)
	r.call(nil, "fakenode_setL1", json.RawMessage(`{"baseFee": 12345}`))
	user := common.HexToAddress("0xa1")
	sealed := r.deposit(`{"from": "` + user.Hex() + `", "data": "0x60006000a000", "gas": 100000}`)
	sent := r.send(1, nil)
	r.Seal()
	waiting := r.deposit(`{"from": "` + user.Hex() + `", "to": "` + user.Hex() + `", "mint": 100}`)
	was := []rollupTransaction{r.receipt(sealed), r.receipt(sent)}
	require.NoError(t, node.Close())

	_, err = fakenode.New(fakenode.Config{State: config.State, Rules: fakenode.EthereumRules})
	require.ErrorContains(t, err, `rules "ethereum" differ from "azul"`)
	config.Rules = ""
	node, err = fakenode.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, node.Close()) })
	r = rollupOf(t, node)
	require.Equal(t, was, []rollupTransaction{r.receipt(sealed), r.receipt(sent)})
	r.Preconfirm()
	require.Equal(t, waiting, r.block("pending").Transactions[1].Hash)
	require.EqualValues(t, 40_000, r.block("latest").BlobGasUsed)
}

// Ensure rules that do not go together with the rest of a configuration are rejected in words.
func TestRollupRejections(t *testing.T) {
	t.Parallel()
	for why, c := range map[string]fakenode.Config{
		"a genesis":           {Genesis: fakenode.NewGenesis(nil)},
		"a fork":              {Fork: &fakenode.Fork{URL: "http://127.0.0.1:1"}},
		"blocks to import":    {Import: strings.NewReader("")},
		"comes before prague": {Hardfork: "cancun"},
	} {
		c.Rules = fakenode.OptimismRules
		_, err := fakenode.New(c)
		require.ErrorContains(t, err, why)
	}
	_, err := fakenode.New(fakenode.Config{Rules: "arbitrum"})
	require.ErrorContains(t, err, `want "ethereum", "op", "jovian", "azul", "karst"`)

	r := rollupOf(t, fakenode.RunT(t))
	require.ErrorContains(t, r.rpc.Call(nil, "fakenode_deposit", map[string]any{"from": common.Address{1}}), "--rules op")
	require.ErrorContains(t, r.rpc.Call(nil, "fakenode_setL1", map[string]any{}), "--rules op")

	r = newRollup(t, fakenode.Config{Preset: fakenode.BaseFlashblocks})
	require.ErrorContains(t, r.rpc.Call(nil, "fakenode_setL1", map[string]any{"baseFeeScalar": 1 << 32}), "baseFeeScalar 4294967296 is above 4294967295")
	require.ErrorContains(t, r.rpc.Call(nil, "fakenode_setL1", json.RawMessage(`{"basefee": 5, "bseFee": 5}`)), "bseFee")
	require.ErrorContains(t, r.rpc.Call(nil, "fakenode_deposit", map[string]any{"from": common.Address{1}, "vlaue": 5}), "vlaue")
	require.ErrorContains(t, r.rpc.Call(nil, "fakenode_deposit", map[string]any{"to": common.Address{1}}), "from is missing")
	require.ErrorContains(t, r.Importable(), "rules of optimism")
}

// Ensure the logs of a deposit are at pending when its receipt is, and not before.
func TestDepositLogsAtPending(t *testing.T) {
	t.Parallel()
	for preset, modes := range map[fakenode.Preset][]fakenode.Mode{
		fakenode.BaseFlashblocks: {fakenode.Manual, fakenode.Interval}, fakenode.Base: {fakenode.Manual}, fakenode.Optimism: {fakenode.Manual},
	} {
		for _, mode := range modes {
			r := rollupOf(t, fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: mode}))
			r.call(nil, "anvil_setCode", common.Address{0xbb}, "0x5f5fa0")
			check := func(hash common.Hash, when string) (logs int) {
				t.Helper()
				var receipt *struct{ Logs []any }
				r.call(&receipt, "eth_getTransactionReceipt", hash)
				var found []any
				for _, tag := range []string{"pending", "latest"} {
					var at []any
					r.call(&at, "eth_getLogs", map[string]any{"address": common.Address{0xbb}, "fromBlock": tag, "toBlock": "pending"})
					found = append(found, at...)
					if len(at) > 0 {
						break
					}
				}
				if receipt == nil {
					require.Empty(t, found, "%s %s: %s", preset, mode, when)
					return 0
				}
				require.Equal(t, receipt.Logs, found, "%s %s: %s", preset, mode, when)
				return len(found)
			}
			hash := r.deposit(`{"from": "0x00000000000000000000000000000000000000a1", "to": "0xbb00000000000000000000000000000000000000", "gas": 100000}`)
			check(hash, "sent")
			if preset != fakenode.Base {
				r.Preconfirm()
				require.Equal(t, 1, check(hash, "pre-confirmed"))
			}
			r.Seal()
			require.Equal(t, 1, check(hash, "sealed"))
		}
	}
}

// Ensure deposits do not wrap the balance of an account near 2^256 wei, by what they mint or by what they transfer, and
// that a mint of more than 2^256-1 wei is refused (contract D-amounts).
func TestDepositsDoNotWrap(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{Preset: fakenode.BaseFlashblocks})
	const rich, giver = "0x00000000000000000000000000000000000000e1", "0x00000000000000000000000000000000000000e2"
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	nearly := new(big.Int).Sub(most, big.NewInt(5))
	r.call(nil, "anvil_setBalance", rich, (*hexutil.Big)(nearly))
	r.call(nil, "anvil_setBalance", giver, (*hexutil.Big)(nearly))
	for _, deposit := range []string{
		`{"from": "` + rich + `", "mint": "0x6"}`,
		`{"from": "` + giver + `", "to": "` + rich + `", "mint": "0x9", "value": "0x9"}`,
	} {
		hash := r.deposit(deposit)
		r.Seal()
		require.EqualValues(t, 1, r.receipt(hash).Status)
		require.Equal(t, most, r.balance(common.HexToAddress(rich), "latest"), deposit)
	}
	require.Equal(t, new(big.Int).Sub(most, big.NewInt(9)), r.balance(common.HexToAddress(giver), "latest"))
	over := `{"from": "` + rich + `", "mint": "0x1` + strings.Repeat("0", 64) + `"}`
	require.ErrorContains(t, r.rpc.Call(nil, "fakenode_deposit", json.RawMessage(over)), "mint")
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
