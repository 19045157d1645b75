package optimism_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	_ "github.com/fakenode/fakenode/tracers"
)

// rollupTransaction holds the members of a transaction and its receipt that the tests read.
type rollupTransaction struct {
	Hash, TransactionHash, SourceHash          common.Hash
	From                                       common.Address
	To                                         *common.Address
	Type, TransactionIndex, GasUsed, Status    hexutil.Uint64
	Nonce, DepositNonce, DepositReceiptVersion *hexutil.Uint64
	Mint, Value, EffectiveGasPrice             *hexutil.Big
	L1Fee, L1GasPrice, L1GasUsed               *hexutil.Big
	OperatorFeeScalar, OperatorFeeConstant     *hexutil.Uint64
	IsSystemTx                                 *bool
	Logs                                       []types.Log
}

// rollupBlock holds the members of a block that the tests read.
type rollupBlock struct {
	Number, GasUsed, BlobGasUsed hexutil.Uint64
	Hash, WithdrawalsRoot        common.Hash
	Miner                        common.Address
	ExtraData                    hexutil.Bytes
	BaseFeePerGas                *hexutil.Big
	Transactions                 []rollupTransaction
}

// rollup is a node with the rules of optimism and a client of it.
type rollup struct {
	*fakenode.Node
	t   *testing.T
	rpc *rpc.Client
}

func newRollup(t *testing.T, c fakenode.Config) rollup {
	c.Rules = fakenode.OptimismRules
	return rollupOf(t, fakenode.RunConfigT(t, c))
}

func rollupOf(t *testing.T, node *fakenode.Node) rollup {
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return rollup{node, t, client}
}

func (r rollup) call(into any, method string, params ...any) {
	r.t.Helper()
	require.NoError(r.t, r.rpc.Call(into, method, params...))
}

func (r rollup) block(tag string) (b rollupBlock) {
	r.t.Helper()
	r.call(&b, "eth_getBlockByNumber", tag, true)
	return b
}

func (r rollup) receipt(hash common.Hash) (receipt rollupTransaction) {
	r.t.Helper()
	r.call(&receipt, "eth_getTransactionReceipt", hash)
	return receipt
}

func (r rollup) deposit(fields string) (hash common.Hash) {
	r.t.Helper()
	r.call(&hash, "fakenode_deposit", json.RawMessage(fields))
	return hash
}

func (r rollup) balance(of common.Address, tag string) *big.Int {
	r.t.Helper()
	var balance hexutil.Big
	r.call(&balance, "eth_getBalance", of, tag)
	return balance.ToInt()
}

// send sends ether from account 0 and returns the transaction's hash.
func (r rollup) send(wei int64, data []byte) (hash common.Hash) {
	r.t.Helper()
	to := r.Account(5).Address
	r.call(&hash, "eth_sendTransaction", map[string]any{
		"from": r.Account(0).Address, "to": to, "value": (*hexutil.Big)(big.NewInt(wei)), "data": hexutil.Bytes(data),
	})
	return hash
}
