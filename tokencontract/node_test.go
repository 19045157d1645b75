package tokencontract_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// What a transaction of nodeChain offers: gas for every call of the token and every deployment, and a fee per gas, in
// wei, that no test's base fee exceeds.
const (
	nodeChainGas = 10_000_000
	nodeChainFee = 100_000_000_000
)

// nodeChain is a node seen through JSON-RPC alone. It implements testChain.
type nodeChain struct {
	t       *testing.T
	client  *rpc.Client
	chainID *big.Int
	nonces  map[common.Address]uint64
}

func newNodeChain(t *testing.T, node *fakenode.Node) *nodeChain {
	t.Helper()
	client, err := rpc.DialContext(t.Context(), node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	c := &nodeChain{t: t, client: client, nonces: map[common.Address]uint64{}}
	var id hexutil.Big
	c.do(&id, "eth_chainId")
	c.chainID = id.ToInt()
	return c
}

func (c *nodeChain) do(result any, method string, params ...any) {
	c.t.Helper()
	require.NoError(c.t, c.client.CallContext(c.t.Context(), result, method, params...), method)
}

// ID implements testChain.
func (c *nodeChain) ID() uint64 { return c.chainID.Uint64() }

// Now implements testChain: the time of the block being built.
func (c *nodeChain) Now() uint64 {
	var block struct{ Timestamp hexutil.Uint64 }
	c.do(&block, "eth_getBlockByNumber", "pending", false)
	return uint64(block.Timestamp)
}

// SetTime implements testChain.
func (c *nodeChain) SetTime(timestamp uint64) {
	c.do(nil, "evm_setNextBlockTimestamp", hexutil.Uint64(timestamp))
}

// Send implements testChain. The output is that of eth_call in the same block, which must end as the transaction.
func (c *nodeChain) Send(from fixtures.Account, to *common.Address, data []byte) ending {
	outcome := c.call(from.Address, to, data, "pending")
	receipt := c.transact(from, &types.LegacyTx{
		Nonce: c.nonces[from.Address], GasPrice: big.NewInt(nodeChainFee), Gas: nodeChainGas, To: to, Data: data,
	})
	require.Equal(c.t, outcome.Succeeded, receipt.Status == types.ReceiptStatusSuccessful, "eth_call and the transaction differ")
	outcome.Created = receipt.ContractAddress
	c.do(&outcome.Logs, "eth_getLogs", map[string]any{"blockHash": receipt.BlockHash})
	require.Equal(c.t, receipt.Logs, append([]*types.Log{}, outcome.Logs...))
	return outcome
}

// transact signs a transaction, seals a block with it and returns its receipt.
func (c *nodeChain) transact(from fixtures.Account, inner types.TxData) *types.Receipt {
	c.t.Helper()
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(c.chainID), inner)
	require.NoError(c.t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(c.t, err)
	c.do(nil, "eth_sendRawTransaction", hexutil.Bytes(raw))
	c.nonces[from.Address]++
	c.do(nil, "fakenode_seal")
	var receipt *types.Receipt
	c.do(&receipt, "eth_getTransactionReceipt", tx.Hash())
	require.NotNil(c.t, receipt)
	return receipt
}

// Call implements testChain.
func (c *nodeChain) Call(from, to common.Address, data []byte) ending {
	return c.call(from, &to, data, "latest")
}

func (c *nodeChain) call(from common.Address, to *common.Address, data []byte, block string) ending {
	c.t.Helper()
	object := map[string]any{"from": from, "data": hexutil.Bytes(data), "gas": hexutil.Uint64(nodeChainGas)}
	if to != nil {
		object["to"] = to
	}
	var output hexutil.Bytes
	err := c.client.CallContext(c.t.Context(), &output, "eth_call", object, block)
	if err == nil {
		return ending{Succeeded: true, Output: output}
	}
	var failure rpc.Error
	require.ErrorAs(c.t, err, &failure)
	require.Equal(c.t, "execution reverted", failure.Error())
	require.Equal(c.t, -32000, failure.ErrorCode())
	if withData := rpc.DataError(nil); errors.As(err, &withData) && withData.ErrorData() != nil {
		output = hexutil.MustDecode(withData.ErrorData().(string))
	}
	return ending{Output: output}
}

// Storage implements testChain.
func (c *nodeChain) Storage(account common.Address, slot common.Hash) common.Hash {
	var word common.Hash
	c.do(&word, "eth_getStorageAt", account, slot, "latest")
	return word
}

// Delegate implements testChain.
func (c *nodeChain) Delegate(account fixtures.Account, to common.Address) {
	chainID := uint256.MustFromBig(c.chainID)
	nonce := c.nonces[account.Address]
	authorization, err := types.SignSetCode(account.Key, types.SetCodeAuthorization{ChainID: *chainID, Address: to, Nonce: nonce + 1})
	require.NoError(c.t, err)
	receipt := c.transact(account, &types.SetCodeTx{
		ChainID: chainID, Nonce: nonce, GasTipCap: new(uint256.Int), GasFeeCap: uint256.NewInt(nodeChainFee), Gas: nodeChainGas,
		To: fixtures.Dev(9).Address, AuthList: []types.SetCodeAuthorization{authorization},
	})
	require.Equal(c.t, types.ReceiptStatusSuccessful, receipt.Status)
	c.nonces[account.Address]++ // the authorization used one, too
}

// Ensure the token behaves over JSON-RPC as in the table: every function, signature form, bound, role and revert
// reason.
func TestTokenOnNode(t *testing.T) {
	t.Parallel()
	every := laboratory.Budget(t, 10, 1)
	for i, tc := range allCases() {
		if i%every != 0 {
			continue
		}
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tc.run(t, newNodeChain(t, fakenode.RunT(t)))
		})
	}
}
