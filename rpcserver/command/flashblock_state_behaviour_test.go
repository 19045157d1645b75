package command_test

import (
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/tokencontract"
)

// stateBehaviours are the behaviours of the other suites.
var stateBehaviours = map[string]func(*servertest.Network){
	// tests/state.rs
	"state_overrides_persist_across_flashblocks": func(n *servertest.Network) {
		n.Pay(0, 5, 7)
		n.Do("fakenode_preconfirm")
		n.Pay(1, 6, 7)
		n.Do("fakenode_preconfirm")
		require.Equal(n, hexutil.EncodeBig(new(big.Int).Add(fixtures.Ether("10000").ToBig(), big.NewInt(7))), servertest.Fetch[string](n, "eth_getBalance", fixtures.Dev(5).Address, "pending"))
	},
	"state_overrides_persist_across_blocks": func(n *servertest.Network) {
		n.Pay(0, 5, 7)
		n.Do("fakenode_seal")
		n.Do("fakenode_preconfirm")
		want := hexutil.EncodeBig(new(big.Int).Add(fixtures.Ether("10000").ToBig(), big.NewInt(7)))
		require.Equal(n, want, servertest.Fetch[string](n, "eth_getBalance", fixtures.Dev(5).Address, "pending"))
		require.Equal(n, want, servertest.Fetch[string](n, "eth_getBalance", fixtures.Dev(5).Address, "latest"))
	},
	"only_current_pending_state_cleared_upon_canonical_block_reorg": func(n *servertest.Network) {
		n.Do("fakenode_seal")
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_reorg", map[string]any{"depth": 1, "length": 1})
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"})
		require.Len(n, logs, 1, "executed anew on the new head")
		require.EqualValues(n, 2, logs[0].BlockNumber)
	},
	"nonce_uses_pending_canon_block_instead_of_latest": func(n *servertest.Network) {
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_seal")
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		require.Equal(n, "0x2", servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(0).Address, "pending"), "counted once")
	},
	"next_block_index_0_works": func(n *servertest.Network) {
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_seal")
		require.JSONEq(n, `{"blockNumber":2,"index":0,"transactions":[]}`, string(servertest.Fetch[json.RawMessage](n, "fakenode_preconfirm")))
	},
	"duplicate_flashblock_ignored": func(n *servertest.Network) {
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_flashblockFault", map[string]any{"kind": "duplicate"})
		require.Len(n, servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"}), 1)
	},
	"non_sequential_payload_clears_pending_state": func(n *servertest.Network) {
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_flashblockFault", map[string]any{"kind": "stall"})
		require.Empty(n, servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"}), "pending falls back to latest")
	},
	"eth_call_sees_flashblock_state_changes": func(n *servertest.Network) {
		counter := deployCounter(n)
		increment(n, counter)
		n.Do("fakenode_preconfirm")
		read := map[string]any{"to": counter, "data": "0x01"}
		require.Equal(n, "0x"+servertest.Padded("1"), servertest.Fetch[string](n, "eth_call", read, "pending"))
		require.Equal(n, "0x", servertest.Fetch[string](n, "eth_call", read, "latest"), "not deployed there")
		increment(n, counter)
		n.Do("fakenode_preconfirm")
		require.Equal(n, "0x"+servertest.Padded("2"), servertest.Fetch[string](n, "eth_call", read, "pending"))
	},
	"sequential_nonces_across_flashblocks": func(n *servertest.Network) {
		for i := range 3 {
			n.Pay(0, 1, 1)
			n.Do("fakenode_preconfirm")
			require.Equal(n, hexutil.EncodeUint64(uint64(i+1)), servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(0).Address, "pending"))
		}
	},
	"progress_canonical_blocks_without_flashblocks": func(n *servertest.Network) {
		n.Do("fakenode_seal", 3)
		require.Equal(n, "0x3", servertest.Fetch[string](n, "eth_blockNumber"))
		require.Equal(n, "0x4", servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "pending", false).Number)
	},

	// tests/eth_call_erc20.rs
	"erc20_deployment": func(n *servertest.Network) {
		token := deployToken(n)
		require.Contains(n, string(servertest.Fetch[hexutil.Bytes](n, "eth_call", map[string]any{"to": token, "data": hexutil.Bytes(servertest.CallData("name()"))}, "pending")), "Pocket Money")
		require.Equal(n, uint64(tokencontract.Decimals), new(big.Int).SetBytes(servertest.Fetch[hexutil.Bytes](n, "eth_call", map[string]any{"to": token, "data": hexutil.Bytes(servertest.CallData("decimals()"))}, "pending")).Uint64())
		require.Equal(n, "0x", servertest.Fetch[string](n, "eth_getCode", token, "latest"))
		require.NotEqual(n, "0x", servertest.Fetch[string](n, "eth_getCode", token, "pending"))
	},
	"erc20_mint": func(n *servertest.Network) {
		balance := func(tag string) *big.Int {
			return new(big.Int).SetBytes(servertest.Fetch[hexutil.Bytes](n, "eth_call", map[string]any{"to": servertest.Token, "data": hexutil.Bytes(servertest.CallData("balanceOf(address)", common.HexToAddress("0xfeed")))}, tag))
		}
		require.Zero(n, balance("pending").Sign())
		capture(n, 1000)
		n.Do("fakenode_preconfirm")
		require.EqualValues(n, 1000, balance("pending").Int64())
		require.Zero(n, balance("latest").Sign())
	},

	// tests/eip7702_tests.rs
	"eip7702_delegation_in_pending_flashblock": func(n *servertest.Network) {
		tx := delegate(n, 3, servertest.Logger, 0)
		n.Do("fakenode_preconfirm")
		require.Equal(n, hexutil.Encode(types.AddressToDelegation(servertest.Logger)), servertest.Fetch[string](n, "eth_getCode", fixtures.Dev(3).Address, "pending"))
		require.Equal(n, "0x", servertest.Fetch[string](n, "eth_getCode", fixtures.Dev(3).Address, "latest"))
		require.Equal(n, "0x1", servertest.Fetch[map[string]any](n, "eth_getTransactionReceipt", tx.Hash())["status"])
	},
	"eip7702_multiple_delegations_same_flashblock": func(n *servertest.Network) {
		delegate(n, 3, servertest.Logger, 0)
		delegate(n, 4, servertest.Token, 0)
		n.Do("fakenode_preconfirm")
		require.Equal(n, hexutil.Encode(types.AddressToDelegation(servertest.Logger)), servertest.Fetch[string](n, "eth_getCode", fixtures.Dev(3).Address, "pending"))
		require.Equal(n, hexutil.Encode(types.AddressToDelegation(servertest.Token)), servertest.Fetch[string](n, "eth_getCode", fixtures.Dev(4).Address, "pending"))
	},
	"eip7702_delegation_then_execution": func(n *servertest.Network) {
		delegate(n, 3, servertest.Logger, 0)
		n.Do("fakenode_preconfirm")
		to := fixtures.Dev(3).Address
		n.Transact(1, &to, new(big.Int), servertest.LoggerCall("0xa1", "0xb1", 1))
		n.Do("fakenode_preconfirm")
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending", "address": to})
		require.Len(n, logs, 1)
	},

	// unit tests of pending_blocks.rs, block_assembler.rs and validation.rs
	"get_pending_logs_returns_logs_in_transaction_order": func(n *servertest.Network) {
		first, second := n.Logs(0, "0xa1", "0xb1", 1), n.Logs(1, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"})
		require.Equal(n, first.Hash(), logs[0].TransactionHash)
		require.Equal(n, second.Hash(), logs[1].TransactionHash)
	},
	"assemble_multiple_flashblocks": func(n *servertest.Network) {
		first, second := n.Pay(0, 1, 1), n.Pay(1, 1, 1)
		n.Do("fakenode_preconfirm")
		third := n.Pay(2, 1, 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_seal")
		require.Equal(n, summaryHashes{first.Hash(), second.Hash(), third.Hash()}, servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "latest", false).Transactions)
	},
	"reorg_detected_when_order_differs": func(n *servertest.Network) {
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Logs(1, "0xa1", "0xb1", 1)
		n.Do("fakenode_seal")
		before := servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "latest", false)
		n.Do("fakenode_reorg", map[string]any{"depth": 1, "length": 1, "transactions": "reverse"})
		after := servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "latest", false)
		require.NotEqual(n, before.Hash, after.Hash)
		require.Equal(n, summaryHashes{before.Transactions[1], before.Transactions[0]}, after.Transactions)
	},
}

type blockSummary struct {
	Number, Hash, ParentHash string
	Transactions             summaryHashes
}

// summaryHashes reads transactions that are hashes or objects.
type summaryHashes []common.Hash

func (h *summaryHashes) UnmarshalJSON(raw []byte) error {
	var objects []struct{ Hash common.Hash }
	if json.Unmarshal(raw, &objects) != nil {
		return json.Unmarshal(raw, (*[]common.Hash)(h))
	}
	*h = make(summaryHashes, len(objects))
	for i, object := range objects {
		(*h)[i] = object.Hash
	}
	return nil
}

type receiptSummary struct {
	GasUsed, BlockNumber string
	BlockHash            common.Hash
}

// spendAll asserts that a call spending what is pre-confirmed as spent fails at pending only.
func spendAll(n *servertest.Network, method string) {
	spend := map[string]any{"from": fixtures.Dev(0).Address, "to": fixtures.Dev(1).Address, "value": hexutil.EncodeBig(fixtures.Ether("9000").ToBig()), "gas": "0x5208"}
	n.Do(method, spend, "pending")
	to := fixtures.Dev(1).Address
	n.Transact(0, &to, fixtures.Ether("5000").ToBig(), nil)
	n.Do("fakenode_preconfirm")
	_, failure := n.Try(method, spend, "pending")
	require.NotNil(n, failure)
	require.Contains(n, failure.Message, "insufficient funds")
	n.Do(method, spend, "latest")
}

// deployCounter sends the creation of a contract that answers its count to a call with data and counts
// without.
func deployCounter(n *servertest.Network) common.Address {
	// If there is call data: return slot 0. Else: slot 0 += 1.
	runtime := common.FromHex("36600c575f546001015f55005b5f545f5260205ff3")
	code := append(common.FromHex("6015600c60003960156000f3"), runtime...)
	tx := n.Transact(0, nil, new(big.Int), code)
	return createdBy(n, tx)
}

func createdBy(n *servertest.Network, tx *types.Transaction) common.Address {
	n.Do("fakenode_preconfirm")
	return servertest.Fetch[struct{ ContractAddress common.Address }](n, "eth_getTransactionReceipt", tx.Hash()).ContractAddress
}

func increment(n *servertest.Network, counter common.Address) {
	tx, err := types.SignNewTx(fixtures.Dev(0).Key, types.LatestSignerForChainID(big.NewInt(servertest.ChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(servertest.ChainID), Nonce: n.Nonces[fixtures.Dev(0).Address], GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(20_000_000_000), Gas: 100_000, To: &counter,
	})
	require.NoError(n, err)
	n.Nonces[fixtures.Dev(0).Address]++
	require.NoError(n, n.Timeline.Send(tx))
}

// capture sends a payment of tokens from account 0 to 0xfeed.
func capture(n *servertest.Network, units int64) {
	data := servertest.CallData("transfer(address,uint256)", common.HexToAddress("0xfeed"))
	n.Transact(0, &servertest.Token, new(big.Int), append(data, common.BigToHash(big.NewInt(units)).Bytes()...))
}

// deployToken sends the creation of a token and pre-confirms it.
func deployToken(n *servertest.Network) common.Address {
	code := tokencontract.Strict.DeployCode(tokencontract.Params{Name: "Pocket Money", Owner: fixtures.Dev(0).Address})
	return createdBy(n, n.Transact(0, nil, new(big.Int), code))
}

// delegate sends a set-code transaction of account 0 by which account i delegates to a contract (EIP-7702).
func delegate(n *servertest.Network, i int, to common.Address, nonce uint64) *types.Transaction {
	authorization, err := types.SignSetCode(fixtures.Dev(i).Key, types.SetCodeAuthorization{ChainID: *uint256.NewInt(servertest.ChainID), Address: to, Nonce: nonce})
	require.NoError(n, err)
	from := fixtures.Dev(0)
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(big.NewInt(servertest.ChainID)), &types.SetCodeTx{
		ChainID: uint256.NewInt(servertest.ChainID), Nonce: n.Nonces[from.Address], GasTipCap: uint256.NewInt(1), GasFeeCap: uint256.NewInt(20_000_000_000),
		Gas: 200_000, To: fixtures.Dev(9).Address, AuthList: []types.SetCodeAuthorization{authorization},
	})
	require.NoError(n, err)
	n.Nonces[from.Address]++
	require.NoError(n, n.Timeline.Send(tx))
	return tx
}
