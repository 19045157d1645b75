package integration_test

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure a contract that is deployed in a flashblock can be called at pending, by eth_call and in a simulation, and is
// not there at latest.
func TestSimulatePreconfirmedDeployment(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	contract := created(node.Account(0).Address, 0)
	node.send(0, nil, labcode.Deployment(labcode.Counter()))
	for _, preconfirmed := range []bool{false, true} {
		if preconfirmed {
			node.Preconfirm()
		}
		for tag, want := range map[string]hexutil.Bytes{"latest": {}, "pending": {}} {
			if preconfirmed && tag == "pending" {
				want = word(1).Bytes()
			}
			var answer hexutil.Bytes
			node.do(&answer, "eth_call", object{"to": contract}, tag)
			require.Equal(t, want, answer, tag)
			called := node.simulate(payload(object{"calls": []object{{"to": contract}}}), tag)[0].Calls[0]
			require.EqualValues(t, 1, called.Status)
			require.Equal(t, want, called.ReturnData, tag)
			require.Len(t, called.Logs, min(len(want), 1))
		}
	}
}

// Ensure a captured payment is spent at pending and not at latest, also for a simulated second capture.
func TestSimulatePreconfirmedCapture(t *testing.T) {
	t.Parallel()
	node := visit(t, fakenode.RunT(t))
	token := node.Token()
	payer, merchant := node.Account(0), node.Account(1)
	amount := fixtures.USD("25.00")
	payment := fixtures.Sign(payer, token.Domain(), fixtures.Authorization(payer, merchant, amount, node.Now()))
	address := token.Address()
	node.send(1, &address, payment.Capture())
	node.Preconfirm()

	capture := object{"from": merchant.Address, "to": address, "data": hexutil.Bytes(payment.Capture())}
	state := object{"to": address, "data": hexutil.Bytes(tokencontract.PackAuthorizationState(payer.Address, payment.Authorization.Nonce))}
	balance := object{"to": address, "data": hexutil.Bytes(tokencontract.PackBalanceOf(merchant.Address))}
	before := token.BalanceOf(merchant.Address)
	after := before.Clone().Add(before, amount)
	for _, tc := range []struct {
		tag              string
		used             byte
		holds            common.Hash
		capture, settled byte // status of a capture now, and authorizationState after it
	}{
		{tag: "latest", used: 0, holds: common.Hash(before.Bytes32()), capture: 1},
		{tag: "pending", used: 1, holds: common.Hash(after.Bytes32()), capture: 0},
	} {
		calls := node.simulate(payload(object{"calls": []object{state, balance, capture, state}}), tc.tag)[0].Calls
		require.Equal(t, word(tc.used).Bytes(), []byte(calls[0].ReturnData), tc.tag)
		require.Equal(t, tc.holds.Bytes(), []byte(calls[1].ReturnData), tc.tag)
		require.EqualValues(t, tc.capture, calls[2].Status, tc.tag)
		require.Len(t, calls[2].Logs, 2*int(tc.capture))
		require.Equal(t, word(1).Bytes(), []byte(calls[3].ReturnData), tc.tag)
		if tc.capture == 0 {
			require.Equal(t, "execution reverted: FiatTokenV2: authorization is used or canceled", calls[2].Error)
		}
	}
}

// Ensure simulated blocks on pending continue it: numbers follow the head, the second sees the first, what is
// pre-confirmed is applied once, and BLOCKHASH knows the head and the simulated block before.
func TestSimulateBlocksOnPending(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	node.Seal()
	head := node.Seal()
	node.send(0, &counter, nil)
	node.Preconfirm()
	node.send(0, &counter, nil)
	node.Preconfirm()
	node.send(0, &counter, nil) // in the pool: not seen

	calls := []object{{"to": counter}, {"to": observer}}
	blocks := node.simulate(payload(object{"calls": calls}, object{"calls": calls}, object{"calls": calls}), "pending")
	require.Len(t, blocks, 3)
	parent, headTime := head, uint64(node.Moment().Latest().Time())
	for i, block := range blocks {
		require.EqualValues(t, 3+i, block.Number)
		require.EqualValues(t, headTime+uint64(12*(i+1)), block.Timestamp)
		require.Equal(t, parent, block.ParentHash)
		require.Equal(t, word(byte(3+i)).Bytes(), []byte(block.Calls[0].ReturnData))
		require.EqualValues(t, 3+i, block.Calls[0].Logs[0].BlockNumber)
		require.Equal(t, block.Hash, block.Calls[0].Logs[0].BlockHash)
		seen := block.Calls[1].ReturnData
		require.Equal(t, common.BigToHash(big.NewInt(int64(3+i))), common.Hash(seen[:32]))
		require.Equal(t, parent, common.Hash(seen[96:]), "BLOCKHASH of the block before")
		parent = block.Hash
	}
	require.Equal(t, word(1).Bytes(), []byte(node.simulate(payload(object{"calls": calls}), "latest")[0].Calls[0].ReturnData))
}

// Ensure overrides lie on top of pre-confirmed state: they replace what they name and nothing else.
func TestSimulateOverridesOnPending(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	alice, bob := node.Account(0).Address, node.Account(1).Address
	own := created(alice, 0)
	node.send(0, nil, labcode.Deployment(labcode.Counter()))
	node.send(0, &counter, nil)
	node.Preconfirm()

	slot := word(0).Hex()
	var balance hexutil.Big
	node.do(&balance, "eth_getBalance", alice, "pending")
	ask := func(account common.Address) object {
		return object{"to": teller, "input": hexutil.Bytes(addressWord(account))}
	}
	blocks := node.simulate(payload(
		object{
			"stateOverrides": object{own.Hex(): object{"stateDiff": object{slot: word(40)}}, bob.Hex(): object{"balance": "0x7"}},
			"calls":          []object{{"to": own}, {"to": counter}, ask(bob), ask(alice)},
		},
		object{
			"stateOverrides": object{counter.Hex(): object{"state": object{}, "code": hexutil.Bytes(labContracts()[teller])}},
			"calls":          []object{{"to": own}, {"to": counter, "input": hexutil.Bytes(addressWord(bob))}},
		},
	), "pending")
	for i, want := range []common.Hash{word(41), word(2), word(7), common.BigToHash(balance.ToInt())} {
		require.Equal(t, want.Bytes(), []byte(blocks[0].Calls[i].ReturnData), "call %d", i)
	}
	for i, want := range []common.Hash{word(42), word(7)} {
		require.Equal(t, want.Bytes(), []byte(blocks[1].Calls[i].ReturnData), "block 2, call %d", i)
	}
	var answer hexutil.Bytes
	node.do(&answer, "eth_call", object{"to": own}, "pending", object{own.Hex(): object{"stateDiff": object{slot: word(40)}}})
	require.Equal(t, word(41).Bytes(), []byte(answer))
	node.do(&answer, "eth_call", object{"to": own}, "pending")
	require.Equal(t, word(1).Bytes(), []byte(answer))
}

// Ensure validation counts pre-confirmed transactions, not those of the pool.
func TestSimulateValidationOnPending(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	node.send(0, &counter, nil)
	node.Preconfirm()
	node.send(0, &counter, nil)
	simulation := func(nonce any) object {
		call := object{"from": node.Account(0).Address, "to": counter, "maxFeePerGas": "0x77359400", "gas": "0x186a0"}
		if nonce != nil {
			call["nonce"] = hexutil.Uint64(nonce.(int))
		}
		return object{"validation": true, "blockStateCalls": []object{{"calls": []object{call}}}}
	}
	for tag, next := range map[string]int{"latest": 0, "pending": 1} {
		require.EqualValues(t, 1, node.simulate(simulation(nil), tag)[0].Calls[0].Status)
		require.EqualValues(t, 1, node.simulate(simulation(next), tag)[0].Calls[0].Status)
		node.fails(-38011, "eth_simulateV1", simulation(next+1), tag)
		if next > 0 {
			node.fails(-38010, "eth_simulateV1", simulation(next-1), tag)
		}
	}
}

// Ensure every field of contract 2.6-fields is there at pending, of its type, with the zero state root.
func TestSimulatedFieldsOnPending(t *testing.T) {
	t.Parallel()
	const quantity, bytes32, address = `^"0x(0|[1-9a-f][0-9a-f]*)"$`, `^"0x[0-9a-f]{64}"$`, `^"0x[0-9a-f]{40}"$`
	fields := map[string]string{
		"number": quantity, "hash": bytes32, "parentHash": bytes32, "timestamp": quantity, "gasLimit": quantity,
		"gasUsed": quantity, "baseFeePerGas": quantity, "stateRoot": `^"0x0{64}"$`, "calls": `^\[\{`,
		"blobGasUsed": quantity, "difficulty": quantity, "excessBlobGas": quantity, "extraData": `^"0x([0-9a-f]{2})*"$`,
		"logsBloom": `^"0x[0-9a-f]{512}"$`, "miner": address, "mixHash": bytes32, "nonce": `^"0x[0-9a-f]{16}"$`,
		"parentBeaconBlockRoot": bytes32, "receiptsRoot": bytes32, "requestsHash": bytes32, "sha3Uncles": bytes32,
		"size": quantity, "transactions": `^\["0x[0-9a-f]{64}","0x[0-9a-f]{64}"\]$`, "transactionsRoot": bytes32,
		"uncles": `^\[\]$`, "withdrawals": `^\[\]$`, "withdrawalsRoot": bytes32,
	}
	callFields := map[string]string{
		"status": `^"0x[01]"$`, "gasUsed": quantity, "maxUsedGas": quantity, "returnData": `^"0x([0-9a-f]{2})*"$`, "logs": `^\[`, "error": `^"execution reverted"$`,
	}
	logFields := map[string]string{ // contract 2.3-address to 2.3-removed
		"address": address, "topics": `^\[`, "data": `^"0x([0-9a-f]{2})*"$`, "blockNumber": quantity, "blockTimestamp": quantity,
		"transactionHash": bytes32, "transactionIndex": quantity, "blockHash": bytes32, "logIndex": quantity, "removed": `^false$`,
	}
	check := func(fields map[string]string, got map[string]json.RawMessage) {
		require.Equal(t, slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(got)))
		for field, pattern := range fields {
			require.Regexp(t, regexp.MustCompile(pattern), string(got[field]), field)
		}
	}
	node := openLab(t, fakenode.Config{})
	node.send(0, &counter, nil)
	node.Preconfirm()
	var blocks, calls, logs []map[string]json.RawMessage
	node.do(&blocks, "eth_simulateV1", object{"traceTransfers": true, "blockStateCalls": []object{{"calls": []object{
		{"from": node.Account(0).Address, "to": counter, "value": "0x1"}, {"to": reverter},
	}}}}, "pending")
	require.Len(t, blocks, 1)
	check(fields, blocks[0])
	require.NoError(t, json.Unmarshal(blocks[0]["calls"], &calls))
	require.Len(t, calls, 2)
	check(callFields, calls[1])
	delete(callFields, "error")
	check(callFields, calls[0])
	require.NoError(t, json.Unmarshal(calls[0]["logs"], &logs))
	require.Len(t, logs, 2, "the transfer, and the counter's")
	for _, log := range logs {
		check(logFields, log)
	}
}
