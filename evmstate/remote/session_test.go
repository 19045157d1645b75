package remote_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
	_ "github.com/fakenode/fakenode/tracers"
)

// session asks one fork and keeps the answers.
type session struct {
	t       *testing.T
	node    *fakenode.Node
	client  *rpc.Client
	answers []string
}

// runFork starts a fork on a manual clock, and a session with it.
func runFork(t *testing.T, fork fakenode.Fork) *session {
	t.Helper()
	node := fakenode.RunConfigT(t, fakenode.Config{Fork: &fork})
	return &session{t: t, node: node, client: dial(t, node)}
}

// dial connects to a node.
func dial(t *testing.T, node *fakenode.Node) *rpc.Client {
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// fixtureSlot is where the token keeps a balance.
func fixtureSlot(holder common.Address) common.Hash {
	return tokencontract.MappingSlot(tokencontract.SlotBalances, holder)
}

// ask makes a call that must succeed, and reads the answer into result unless that is nil.
func (s *session) ask(result any, method string, params ...any) {
	s.t.Helper()
	var raw json.RawMessage
	require.NoError(s.t, s.client.CallContext(context.Background(), &raw, method, params...), method)
	s.answers = append(s.answers, method+" "+string(raw))
	if result != nil {
		require.NoError(s.t, json.Unmarshal(raw, result), "%s: %s", method, raw)
	}
}

// pack encodes a call of the token.
func pack(t *testing.T, function string, arguments ...any) hexutil.Bytes {
	packed, err := tokencontract.ABI().Pack(function, arguments...)
	require.NoError(t, err)
	return packed
}

// play uses a fork of u for all that forks are for. What it gives depends on u's chain alone.
func (s *session) play(u *upstream) {
	s.readState(u)
	s.readBlocks(u)
	s.pay(u, true)
	s.readLogs(u)
	s.reorg(u)
}

// readState reads accounts at the fork block and below it.
func (s *session) readState(u *upstream) {
	t, base := s.t, hexutil.Uint64(s.node.Fork().Number())
	var balance hexutil.U256
	s.ask(&balance, "eth_getBalance", s.node.Account(3).Address, "latest")
	require.Equal(t, fixtures.Ether("10000"), (*uint256.Int)(&balance), "development accounts have their money")
	var code hexutil.Bytes
	s.ask(&code, "eth_getCode", u.token, "latest")
	require.NotEmpty(t, code)
	slot := fixtureSlot(u.holder)
	var stored, before, called common.Hash
	s.ask(&stored, "eth_getStorageAt", u.token, slot, "latest")
	s.ask(&before, "eth_getStorageAt", u.token, slot, "0x0")
	require.Equal(t, common.Hash(fixtures.USD("500").Bytes32()), stored)
	require.Zero(t, before, "the token did not exist in the first block")
	s.ask(&called, "eth_call", map[string]any{"to": u.token, "data": pack(t, "balanceOf", u.holder)}, "latest")
	require.Equal(t, stored, called)
	var proof struct{ Nonce hexutil.Uint64 }
	s.ask(&proof, "eth_getProof", u.token, []common.Hash{slot, {1}}, base)
	require.Equal(t, hexutil.Uint64(1), proof.Nonce)
}

// readBlocks reads blocks, transactions and receipts of the chain below, and the hashes that contracts see.
func (s *session) readBlocks(u *upstream) {
	t, base := s.t, s.node.Fork().Number()
	var tx struct {
		BlockNumber hexutil.Uint64
		BlockHash   common.Hash
		To          common.Address
	}
	s.ask(&tx, "eth_getTransactionByHash", u.mint)
	require.Equal(t, u.token, tx.To)
	require.Less(t, uint64(tx.BlockNumber), base)
	var receipt *types.Receipt
	s.ask(&receipt, "eth_getTransactionReceipt", u.mint)
	require.Len(t, receipt.Logs, 2)
	require.NotZero(t, receipt.Logs[0].BlockTimestamp)
	var block struct {
		Hash         common.Hash
		Transactions []struct{ Hash common.Hash }
	}
	s.ask(&block, "eth_getBlockByNumber", tx.BlockNumber, true)
	require.Equal(t, tx.BlockHash, block.Hash)
	require.Equal(t, u.mint, block.Transactions[0].Hash)
	var receipts []*types.Receipt
	s.ask(&receipts, "eth_getBlockReceipts", tx.BlockNumber)
	require.Equal(t, u.mint, receipts[0].TxHash)
	var count hexutil.Uint64
	s.ask(&count, "eth_getBlockTransactionCountByHash", tx.BlockHash)
	require.Equal(t, len(block.Transactions), int(count))
	s.ask(nil, "eth_getBlockByHash", common.Hash{1}, false)
	s.ask(nil, "eth_getTransactionReceipt", common.Hash{2})
	require.Equal(t, []string{"eth_getBlockByHash null", "eth_getTransactionReceipt null"}, s.answers[len(s.answers)-2:])

	// PUSH2 number, BLOCKHASH, and return it.
	blockHash := []byte{0x61, byte(tx.BlockNumber >> 8), byte(tx.BlockNumber), 0x40, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3}
	var seen common.Hash
	s.ask(&seen, "eth_call", map[string]any{"data": hexutil.Bytes(blockHash)}, "latest")
	require.Equal(t, tx.BlockHash, seen)

	var fees struct {
		OldestBlock   hexutil.Uint64
		BaseFeePerGas []*hexutil.Big
		Reward        [][]*hexutil.Big
	}
	s.ask(nil, "fakenode_seal", 2)
	s.ask(&fees, "eth_feeHistory", "0x5", "latest", []float64{50})
	require.Equal(t, hexutil.Uint64(base-2), fees.OldestBlock)
	require.Len(t, fees.BaseFeePerGas, 6)
	require.Len(t, fees.Reward, 5)
}

// pay captures a payment of the token that is on the chain below, with money given by hand. With traceBelow it also
// traces a transaction of that chain.
func (s *session) pay(u *upstream, traceBelow bool) {
	t, node := s.t, s.node
	payer, merchant := node.Account(1), node.Account(2)
	s.ask(nil, "anvil_dealERC20", payer.Address, u.token, hexutil.Uint64(25_000_000))
	var id hexutil.Uint64
	s.ask(&id, "eth_chainId")
	domain := tokencontract.Domain{
		Name: tokencontract.MainnetName, Version: tokencontract.Version, ChainID: uint64(id), VerifyingContract: u.token,
	}
	payment := fixtures.Sign(payer, domain, fixtures.Authorization(payer, merchant, fixtures.USD("25"), node.Now()))
	capture := map[string]any{"from": merchant.Address, "to": u.token, "data": hexutil.Bytes(payment.Capture()), "gas": hexutil.Uint64(200_000)}
	var simulated []struct {
		Calls []struct{ Status hexutil.Uint64 }
	}
	s.ask(&simulated, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{capture}}}}, "latest")
	require.Equal(t, hexutil.Uint64(1), simulated[0].Calls[0].Status)
	var hash common.Hash
	s.ask(&hash, "eth_sendTransaction", capture)
	s.ask(nil, "fakenode_preconfirm")
	var receipt *types.Receipt
	s.ask(&receipt, "eth_getTransactionReceipt", hash)
	require.Zero(t, receipt.BlockHash, "it is pre-confirmed")
	s.ask(nil, "fakenode_seal")
	s.ask(&receipt, "eth_getTransactionReceipt", hash)
	require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status)
	var trace struct{ Calls []any }
	s.ask(&trace, "debug_traceTransaction", hash, map[string]any{"tracer": "callTracer"})
	require.NotEmpty(t, trace)
	if traceBelow {
		var below struct{ To common.Address }
		s.ask(&below, "debug_traceTransaction", u.mint, map[string]any{"tracer": "callTracer"})
		require.Equal(t, u.token, below.To, "a transaction of the chain below is executed anew on its own state")
	}

	// Whoever holds tokens there can be acted for.
	s.ask(nil, "anvil_impersonateAccount", common.Address{0xaa})
	s.ask(nil, "anvil_setBalance", common.Address{0xaa}, "0xde0b6b3a7640000")
	s.ask(&hash, "eth_sendTransaction", map[string]any{
		"from": common.Address{0xaa}, "to": u.token, "data": pack(t, "transfer", merchant.Address, fixtures.USD("3").ToBig()),
	})
	s.ask(nil, "fakenode_seal")
	var held common.Hash
	s.ask(&held, "eth_call", map[string]any{"to": u.token, "data": pack(t, "balanceOf", merchant.Address)}, "latest")
	require.Equal(t, common.Hash(fixtures.USD("28").Bytes32()), held)
}

// readLogs reads logs on both sides of the fork block as one list.
func (s *session) readLogs(u *upstream) {
	transfer := crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	var logs []types.Log
	s.ask(&logs, "eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "latest", "address": u.token, "topics": []any{transfer}})
	var below, above int
	for i, log := range logs {
		require.NotZero(s.t, log.BlockTimestamp)
		if i > 0 {
			require.LessOrEqual(s.t, logs[i-1].BlockNumber, log.BlockNumber)
		}
		if log.BlockNumber <= s.node.Fork().Number() {
			below++
		} else {
			above++
		}
	}
	require.Equal(s.t, []int{3, 2}, []int{below, above})
}

// reorg replaces the newest blocks, but none of the chain below.
func (s *session) reorg(u *upstream) {
	t, node := s.t, s.node
	var result struct{ Removed, Added []common.Hash }
	s.ask(&result, "fakenode_reorg", map[string]any{"depth": 2})
	require.Len(t, result.Removed, 2)
	depth := node.BlockNumber() - node.Fork().Number()
	require.Error(t, s.client.Call(nil, "fakenode_reorg", map[string]any{"depth": depth + 1, "force": true}))
	s.ask(nil, "fakenode_reorg", map[string]any{"depth": depth, "force": true, "transactions": "drop", "length": 1})
	require.Equal(t, node.Fork().Number()+1, node.BlockNumber())
	var held common.Hash
	s.ask(&held, "eth_call", map[string]any{"to": u.token, "data": pack(t, "balanceOf", common.Address{0xaa})}, "pending")
	require.Equal(t, common.Hash(fixtures.USD("3").Bytes32()), held, "the payments are gone with their blocks")
	s.ask(nil, "eth_getBlockByNumber", "latest", false)
}
