package integration_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/tokencontract"
)

// The tests of this file and contract_payment_test.go are named after parts of the contract. They ask over the wire, as
// any client would; docs/contract.md describes which rule is shown where.

// Ensure both networks answer the four methods to a plain POST, each from its own chain, with an envelope of exactly
// three members that echoes the id (contract 1-methods, 1-testnet, 2.1-response).
func TestContractEndpoints(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	networks := map[string]*fakenode.Network{"main": node.Network, "testnet": node.Testnet()}
	for name, network := range networks {
		token := network.Token().Address()
		separator, err := tokencontract.ABI().Pack("DOMAIN_SEPARATOR")
		require.NoError(t, err)
		for method, request := range map[string]struct {
			params []any
			check  func(t *testing.T, result json.RawMessage)
		}{
			"eth_getLogs": {[]any{object{"fromBlock": "pending", "toBlock": "pending"}}, func(t *testing.T, result json.RawMessage) {
				require.Equal(t, "[]", string(result))
			}},
			"eth_call": {[]any{object{"to": token, "data": hexutil.Bytes(separator)}, "pending"}, func(t *testing.T, result json.RawMessage) {
				require.Equal(t, `"`+network.Token().Domain().Separator().Hex()+`"`, string(result))
			}},
			"eth_getCode": {[]any{token, "pending"}, func(t *testing.T, result json.RawMessage) {
				var code hexutil.Bytes
				require.NoError(t, json.Unmarshal(result, &code))
				require.Equal(t, tokencontract.DocumentedFlow.RuntimeCode(), []byte(code))
			}},
			"eth_simulateV1": {[]any{object{"blockStateCalls": []object{{}, {}}}, "pending"}, func(t *testing.T, result json.RawMessage) {
				var blocks []simulated
				require.NoError(t, json.Unmarshal(result, &blocks))
				require.Len(t, blocks, 2)
				require.Equal(t, network.Moment().Latest().Hash(), blocks[0].ParentHash)
			}},
		} {
			t.Run(name+"/"+method, func(t *testing.T) {
				t.Parallel()
				body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 42, "method": method, "params": request.params})
				require.NoError(t, err)
				answer, err := http.Post(network.URL(), "application/json", bytes.NewReader(body))
				require.NoError(t, err)
				defer answer.Body.Close()
				require.Equal(t, http.StatusOK, answer.StatusCode)
				require.Equal(t, "application/json", answer.Header.Get("Content-Type"))
				text, err := io.ReadAll(answer.Body)
				require.NoError(t, err)
				var envelope map[string]json.RawMessage
				require.NoError(t, json.Unmarshal(text, &envelope), string(text))
				require.Equal(t, `"2.0"`, string(envelope["jsonrpc"]))
				require.Equal(t, "42", string(envelope["id"]))
				request.check(t, envelope["result"])
				require.Len(t, envelope, 3)
			})
		}
	}
}

// Ensure every method sees a transaction at "pending" 200 ms after it was sent and not a millisecond before, and at
// "latest" only once the block is sealed (contract 1-pending, 1-200ms).
func TestContractRefresh(t *testing.T) {
	t.Parallel()
	node := visit(t, fakenode.RunT(t))
	initCode := labcode.Deployment(program.New().Op(vm.CALLER).Push0().Op(vm.MSTORE).Push0().Push0().Op(vm.LOG0).Return(0, 32).Bytes())
	contract := created(node.Account(0).Address, 0)
	node.send(0, nil, initCode)
	node.submit(0, contract, nil) // its code is still in the pool
	sees := func(tag string) [4]bool {
		var code, answer hexutil.Bytes
		var logs []types.Log
		var blocks []simulated
		node.do(&code, "eth_getCode", contract, tag)
		node.do(&answer, "eth_call", object{"to": contract}, tag)
		node.do(&logs, "eth_getLogs", object{"fromBlock": tag, "toBlock": tag})
		node.do(&blocks, "eth_simulateV1", payload(object{"calls": []object{{"to": contract}}}), tag)
		return [4]bool{len(code) > 0, len(answer) > 0, len(logs) > 0, len(blocks[0].Calls[0].ReturnData) > 0}
	}
	nothing, everything := [4]bool{}, [4]bool{true, true, true, true}

	node.Advance(199 * time.Millisecond)
	require.Equal(t, nothing, sees("pending"))
	node.Advance(time.Millisecond)
	require.Equal(t, everything, sees("pending"))
	require.Equal(t, nothing, sees("latest"))
	node.Advance(2*time.Second - 201*time.Millisecond)
	require.Equal(t, nothing, sees("latest"))
	node.Advance(time.Millisecond)
	require.Equal(t, everything, sees("latest"))
}

// Ensure a node with a provider's limit answers to a block 1,999 above the first, and rejects one 2,000 above with a
// range that will do; without the limit any range is answered, each log once and in order (contract 8-range).
func TestContractLogRange(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	limited := openLab(t, fakenode.Config{Limits: fakenode.Limits{LogsMaxRange: 2000}})
	for _, n := range []*lab{node, limited} {
		n.emit(0, 1, 2)
		n.Seal()
		_, err := n.Timeline().Seal(2998)
		require.NoError(t, err)
		n.emit(0, 3, 4)
		n.Seal()
	}
	ask := func(n *lab, from, to uint64) (blocks []uint64) {
		var logs []types.Log
		n.do(&logs, "eth_getLogs", object{"fromBlock": hexutil.Uint64(from), "toBlock": hexutil.Uint64(to)})
		for _, log := range logs {
			blocks = append(blocks, log.BlockNumber)
		}
		return blocks
	}
	require.Equal(t, []uint64{1, 3000}, ask(node, 0, 3000))
	require.Equal(t, []uint64{1}, ask(limited, 1, 2000))
	_, hint := limited.fails(-32602, "eth_getLogs", object{"fromBlock": "0x1", "toBlock": "0x7d1"})
	require.Equal(t, object{"from": "0x1", "to": "0x7d0"}, hint)
	require.Equal(t, []uint64{3000}, ask(limited, 1001, 3000))
}

// Ensure what each field of a call object sets, and what holds without it, as the code that is called sees it (contract
// 2.4-from to 2.4-data).
func TestContractCallObject(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	alice := node.Account(0).Address
	baseFee := new(big.Int).Set(node.Moment().Latest().Header().BaseFee)
	wei := func(n int64) common.Hash { return common.BigToHash(big.NewInt(n)) }
	for _, tc := range []struct {
		name string
		op   vm.OpCode // what the called code returns
		call object
		want common.Hash
	}{
		{"from, default", vm.CALLER, object{}, common.Hash{}},
		{"from", vm.CALLER, object{"from": alice}, common.BytesToHash(alice.Bytes())},
		{"value, default", vm.CALLVALUE, object{}, common.Hash{}},
		{"value", vm.CALLVALUE, object{"from": alice, "value": "0x7b"}, wei(123)},
		{"gasPrice, default", vm.GASPRICE, object{"from": alice}, common.Hash{}},
		{"gasPrice", vm.GASPRICE, object{"from": alice, "gasPrice": "0x77359400"}, wei(2_000_000_000)},
		{"maxFeePerGas", vm.GASPRICE, object{"from": alice, "maxFeePerGas": "0x77359400"}, common.BigToHash(baseFee)},
		{"maxPriorityFeePerGas", vm.GASPRICE, object{"from": alice, "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x5"}, common.BigToHash(new(big.Int).Add(baseFee, big.NewInt(5)))},
		{"data, default", vm.CALLDATASIZE, object{}, common.Hash{}},
		{"data", vm.CALLDATASIZE, object{"data": "0x70a08231"}, wei(4)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			code := program.New().Op(tc.op).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
			tc.call["to"] = common.Address{0xca}
			node := visit(t, node.Node)
			var answer hexutil.Bytes
			node.do(&answer, "eth_call", tc.call, "latest", object{common.Address{0xca}.Hex(): object{"code": hexutil.Bytes(code)}})
			require.Equal(t, tc.want.Bytes(), []byte(answer))
		})
	}
	t.Run("gas", func(t *testing.T) {
		t.Parallel()
		node := visit(t, node.Node)
		million := hexutil.Bytes(common.BigToHash(big.NewInt(1_000_000)).Bytes())
		node.do(new(hexutil.Bytes), "eth_call", object{"to": burner, "data": million}, "latest") // the default is high
		node.do(new(hexutil.Bytes), "eth_call", object{"to": burner, "data": million, "gas": "0x1e8480"}, "latest")
		node.fails(-32000, "eth_call", object{"to": burner, "data": million, "gas": "0xf4240"}, "latest")
	})
}

// Ensure what a Transfer looks like (contract 6-Transfer), and that a filter by position of a topic finds it; a node
// that only answers reads has no logs (contract 6-reads).
func TestContractTransferEvent(t *testing.T) {
	t.Parallel()
	node := visit(t, fakenode.RunT(t))
	payer, payee := node.Account(0).Address, node.Account(1).Address
	token := node.Token().Address()
	node.do(new(hexutil.Bytes), "eth_call", object{"from": payer, "to": token, "data": hexutil.Bytes(tokencontract.PackTransfer(payee, usd("1.25")))}, "latest")
	node.do(new([]simulated), "eth_simulateV1", payload(object{"calls": []object{{"from": payer, "to": token, "data": hexutil.Bytes(tokencontract.PackTransfer(payee, usd("1.25")))}}}), "latest")
	node.Seal()
	require.Equal(t, "[]", node.ask("eth_getLogs", object{"fromBlock": "earliest", "toBlock": "pending"}), "reads emit nothing")

	node.send(0, &token, tokencontract.PackTransfer(payee, usd("1.25")))
	node.Preconfirm()
	signature := crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	from, to := common.BytesToHash(payer.Bytes()), common.BytesToHash(payee.Bytes())
	var logs []types.Log
	node.do(&logs, "eth_getLogs", object{"fromBlock": "pending", "toBlock": "pending", "address": token, "topics": []any{signature, nil, []common.Hash{to, {1}}}})
	require.Len(t, logs, 1)
	require.Equal(t, []common.Hash{signature, from, to}, logs[0].Topics)
	require.Equal(t, common.BigToHash(big.NewInt(1_250_000)).Bytes(), logs[0].Data, "the amount has 6 decimals")
	for _, other := range []any{[]any{nil, to}, []any{from}, []any{signature, nil, []common.Hash{{1}}}} {
		require.Equal(t, "[]", node.ask("eth_getLogs", object{"fromBlock": "pending", "topics": other}))
	}
}

// Ensure BASEFEE is zero for a call without a price, and the block's for one with, at every tag and with an override;
// in a simulation it is the base fee of the simulated block (contract D-callBaseFee).
func TestContractBaseFeeOfACall(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{Lags: fakenode.Lags{PendingLag: 2}})
	_, err := node.Timeline().Seal(5)
	require.NoError(t, err)
	asker := common.Address{0xca}
	code := object{asker.Hex(): object{"code": hexutil.Bytes(program.New().Op(vm.BASEFEE).Push0().Op(vm.MSTORE).Return(0, 32).Bytes())}}
	alice := node.Account(0).Address
	sees := func(fields object, rest ...any) *big.Int {
		t.Helper()
		call := object{"from": alice, "to": asker}
		for name, value := range fields {
			call[name] = value
		}
		var answer hexutil.Bytes
		node.do(&answer, "eth_call", append([]any{call}, rest...)...)
		return new(big.Int).SetBytes(answer)
	}
	latest := node.Moment().Latest().Header().BaseFee
	behind, err := node.eth.HeaderByNumber(t.Context(), big.NewInt(4))
	require.NoError(t, err)
	require.NotEqual(t, latest, behind.BaseFee)
	for tag, want := range map[string]*big.Int{"latest": latest, "0x4": behind.BaseFee, "pending": behind.BaseFee} { // pending lags (contract 4-rule3)
		for _, unpriced := range []object{{}, {"gasPrice": "0x0"}, {"maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0"}} {
			require.Zero(t, sees(unpriced, tag, code).Sign(), tag)
		}
		for _, priced := range []object{{"gasPrice": "0x77359400"}, {"maxFeePerGas": "0x77359400"}} {
			require.Equal(t, want, sees(priced, tag, code), tag)
		}
	}
	override := object{"baseFeePerGas": "0x69"}
	require.Zero(t, sees(object{}, "latest", code, override).Sign())
	require.EqualValues(t, 0x69, sees(object{"gasPrice": "0x70"}, "latest", code, override).Int64())

	simulates := func(blockOverrides object) *big.Int {
		blocks := node.simulate(payload(object{"stateOverrides": code, "blockOverrides": blockOverrides, "calls": []object{{"to": asker}}}), "latest")
		seen := new(big.Int).SetBytes(blocks[0].Calls[0].ReturnData)
		require.Zero(t, blocks[0].BaseFeePerGas.ToInt().Cmp(seen))
		return seen
	}
	require.Zero(t, simulates(object{}).Sign())
	require.EqualValues(t, 0x69, simulates(override).Int64())
}

// Ensure maxUsedGas is the gas that a call needs, and gasUsed what is left of it to pay after refunds (contract
// D-maxUsedGas).
func TestContractMaxUsedGas(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	var blocks []struct {
		Calls []struct{ GasUsed, MaxUsedGas hexutil.Uint64 }
	}
	node.do(&blocks, "eth_simulateV1", payload(object{"calls": []object{
		{"to": cleaner, "data": word(0)}, {"to": node.Account(1).Address},
	}}), "latest")
	cleaned, plain := blocks[0].Calls[0], blocks[0].Calls[1]
	const refund = 4800 // of a slot that becomes zero (EIP-3529)
	require.EqualValues(t, refund, cleaned.MaxUsedGas-cleaned.GasUsed)
	require.Equal(t, plain.GasUsed, plain.MaxUsedGas)
}

// Ensure a call has the gas that it asks for: at most 50,000,000 in eth_call, and in a simulation at most the gas that
// its block and the request have left (contract D-callGas).
func TestContractCallGas(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	gauge := common.Address{0xca} // returns the gas it has, and used under 100 until then
	override := object{gauge.Hex(): object{"code": hexutil.Bytes(program.New().Op(vm.GAS).Push0().Op(vm.MSTORE).Return(0, 32).Bytes())}}
	has := func(want uint64, answer hexutil.Bytes) {
		t.Helper()
		got := common.BytesToHash(answer).Big().Uint64() + 21_000
		require.LessOrEqual(t, got, want)
		require.Greater(t, got, want-100)
	}
	for gas, want := range map[any]uint64{nil: 50_000_000, "0x186a0": 100_000, "0xffffffffffffffff": 50_000_000} {
		var answer hexutil.Bytes
		node.do(&answer, "eth_call", object{"to": gauge, "gas": gas}, "latest", override)
		has(want, answer)
	}

	calls := node.simulate(payload(object{"stateOverrides": override, "calls": []object{
		{"to": gauge}, {"to": gauge, "gas": "0x186a0"}, {"to": gauge},
	}}), "latest")[0].Calls
	const limit = 30_000_000 // of a block
	has(limit, calls[0].ReturnData)
	has(100_000, calls[1].ReturnData)
	has(limit-uint64(calls[0].GasUsed+calls[1].GasUsed), calls[2].ReturnData)
	node.fails(-38015, "eth_simulateV1", payload(object{"calls": []object{{"to": gauge, "gas": "0x1c9c381"}}}), "latest")

	const request = 200_000
	capped := openLab(t, fakenode.Config{Limits: fakenode.Limits{GasCap: request}})
	blocks := capped.simulate(payload(object{"stateOverrides": override, "calls": []object{{"to": gauge}}}, object{"calls": []object{{"to": gauge}}}), "latest")
	has(request, blocks[0].Calls[0].ReturnData)
	has(request-uint64(blocks[0].Calls[0].GasUsed), blocks[1].Calls[0].ReturnData)
}
