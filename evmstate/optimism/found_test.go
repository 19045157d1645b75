package optimism_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
)

// foundDeposit holds the values of a deposit that are the same at every place in the chain.
type foundDeposit struct {
	hash    common.Hash
	from    common.Address
	nonce   uint64
	created *common.Address // nil if it creates no contract
}

// json returns the answer to a call as JSON.
func (r rollup) json(method string, params ...any) string {
	r.t.Helper()
	var answer json.RawMessage
	r.call(&answer, method, params...)
	return string(answer)
}

// requireFound requires that all that finds a transaction finds the deposit, at that index of the block of the tag.
func (r rollup) requireFound(d foundDeposit, where preconf.Where, tag string, index int) {
	t := r.t
	t.Helper()
	require.Equal(t, where, r.Place(d.hash).Where)
	found, err := r.Moment().Find(d.hash)
	require.NoError(t, err)
	require.Equal(t, where, found.Where)
	require.Equal(t, d.hash, found.Transaction.Hash())
	require.Equal(t, d.nonce, found.Transaction.Nonce())
	require.EqualValues(t, optimism.DepositType, found.Transaction.Type())
	require.Equal(t, d.from, found.Sender)
	require.Equal(t, index, found.Index)
	require.Equal(t, d.hash, found.View.Transaction(index).Hash())
	again, err := r.Moment().FindNonce(d.from, d.nonce)
	require.NoError(t, err)
	require.Equal(t, found, again)
	receipt, err := r.Receipt(t.Context(), d.hash)
	require.NoError(t, err)
	require.Same(t, found.Receipt, receipt)
	require.Equal(t, d.hash, receipt.TxHash)
	require.EqualValues(t, index, receipt.TransactionIndex)

	at := hexutil.Uint64(index)
	transaction := r.json("eth_getTransactionByHash", d.hash)
	require.Contains(t, transaction, `"type":"0x7e"`)
	require.Equal(t, transaction, r.json("eth_getTransactionBySenderAndNonce", d.from, hexutil.Uint64(d.nonce)))
	require.Equal(t, transaction, r.json("eth_getTransactionByBlockNumberAndIndex", tag, at))
	var raw hexutil.Bytes
	r.call(&raw, "eth_getRawTransactionByHash", d.hash)
	require.Equal(t, d.hash, crypto.Keccak256Hash(raw))
	require.Equal(t, `"`+raw.String()+`"`, r.json("eth_getRawTransactionByBlockNumberAndIndex", tag, at))
	var receipts []json.RawMessage
	r.call(&receipts, "eth_getBlockReceipts", tag)
	require.Equal(t, string(receipts[index]), r.json("eth_getTransactionReceipt", d.hash))
	var answer struct{ ContractAddress *common.Address }
	require.NoError(t, json.Unmarshal(receipts[index], &answer))
	require.Equal(t, d.created, answer.ContractAddress)
	var frame struct{ From common.Address }
	r.call(&frame, "debug_traceTransaction", d.hash, map[string]string{"tracer": "callTracer"})
	require.Equal(t, d.from, frame.From)
	var traces []struct{ TransactionPosition int }
	r.call(&traces, "trace_transaction", d.hash)
	require.Equal(t, index, traces[0].TransactionPosition)
	require.Equal(t, `"`+d.hash.Hex()+`"`, r.json("ots_getTransactionBySenderAndNonce", d.from, d.nonce))
}

// Ensure a deposit is found by all that finds transactions once the next block has begun: pre-confirmed, sealed, and
// sealed again by a reorg.
func TestRollupFound(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	user := common.HexToAddress("0xa1")
	created := crypto.CreateAddress(user, 1)
	first := foundDeposit{hash: r.deposit(`{"from": "` + user.Hex() + `", "to": "` + user.Hex() + `", "mint": 100}`), from: user}
	second := foundDeposit{
		hash: r.deposit(`{"from": "` + user.Hex() + `", "data": "0x60016000526001601ff3", "gas": 200000}`),
		from: user, nonce: 1, created: &created,
	}
	both := func(where preconf.Where, tag string) {
		r.requireFound(first, where, tag, 1)
		r.requireFound(second, where, tag, 2)
	}
	require.Equal(t, fakenode.Unknown, r.Place(first.hash).Where, "the block has not begun")
	r.Preconfirm()
	both(fakenode.Preconfirmed, "pending")
	r.send(1, nil)
	r.Preconfirm()
	both(fakenode.Preconfirmed, "pending")
	r.Seal()
	both(fakenode.Sealed, "0x1")
	r.Seal()
	_, err := r.Reorg(fakenode.ReorgOptions{Depth: 2})
	require.NoError(t, err)
	both(fakenode.Sealed, "0x1")
}

// Ensure the deposit that a removed block began with is orphaned where no block has it again.
func TestRollupOrphanFound(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	r.Seal()
	removed := r.Seal()
	orphaned := r.block("latest").Transactions[0].Hash
	_, err := r.Reorg(fakenode.ReorgOptions{Depth: 2, Length: new(int)})
	require.NoError(t, err)
	place := r.Place(orphaned)
	require.Equal(t, fakenode.Orphaned, place.Where)
	require.Equal(t, removed, place.View.Hash())
	found, err := r.Moment().Find(orphaned)
	require.NoError(t, err)
	require.Equal(t, removed, found.Receipt.BlockHash)
	require.Equal(t, "null", r.json("eth_getTransactionByHash", orphaned))
	_, err = r.Receipt(t.Context(), orphaned)
	require.ErrorContains(t, err, "a reorg removed the one it was in")
	r.Seal()
	r.Seal()
	require.Equal(t, fakenode.Sealed, r.Place(orphaned).Where, "the second block on the same L1 block again")
}

// Ensure a fork of an OP-stack chain finds the deposits at and below the fork block, and answers them as that chain
// does.
func TestRollupForkFound(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	below := newRollup(t, fakenode.Config{})
	user := common.HexToAddress("0xa1")
	deposit := below.deposit(`{"from": "` + user.Hex() + `", "to": "` + user.Hex() + `", "value": 0, "mint": 100}`)
	below.Seal()
	below.Seal()
	fork := rollupOf(t, fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}}))
	for n, hash := range []common.Hash{1: deposit, 2: below.block("latest").Transactions[0].Hash} {
		if n == 0 {
			continue
		}
		place := fork.Place(hash)
		require.Equal(t, fakenode.Sealed, place.Where)
		require.EqualValues(t, n, place.View.Number())
		found, err := fork.Moment().Find(hash)
		require.NoError(t, err)
		require.Equal(t, hash, found.Transaction.Hash())
		require.EqualValues(t, optimism.DepositType, found.Transaction.Type())
		require.Equal(t, below.Place(hash).View.Hash(), found.View.Hash())
		require.Equal(t, hash, found.View.Transaction(found.Index).Hash())
		receipt, err := fork.Receipt(t.Context(), hash)
		require.NoError(t, err)
		want, err := below.Receipt(t.Context(), hash)
		require.NoError(t, err)
		require.Equal(t, want.CumulativeGasUsed, receipt.CumulativeGasUsed)
		for _, method := range []string{
			"eth_getTransactionByHash", "eth_getTransactionReceipt", "eth_getRawTransactionByHash", "debug_traceTransaction",
		} {
			require.JSONEq(t, below.json(method, hash), fork.json(method, hash))
		}
	}
	place := fork.Place(common.Hash{1})
	require.Equal(t, fakenode.Unknown, place.Where)
	require.NoError(t, place.Reason)
	below.Close()
	place = fork.Place(common.Hash{2})
	require.Equal(t, fakenode.Unknown, place.Where)
	require.Error(t, place.Reason, "the other chain does not answer")
	var failed *remote.Error
	_, err := fork.Receipt(t.Context(), common.Hash{2})
	require.ErrorAs(t, err, &failed)
	var none *fakenode.NoReceiptError
	_, err = fork.RevertReason(common.Hash{2})
	require.ErrorAs(t, err, &none)
	require.ErrorAs(t, err, &failed)
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
