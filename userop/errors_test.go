package userop_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
)

// Contracts of the table below, which do the same for all calls.
const (
	absent    = "0x"
	reverting = "0x60006000fd"
	silent    = "0x00" // returns nothing
)

var (
	tableSender    = common.HexToAddress("0x5e4de4")
	tableFactory   = common.HexToAddress("0xfac704")
	tablePaymaster = common.HexToAddress("0x9a4a57e4")

	willing = answering(common.Hash{})
	paying  = paymasterAnswering(common.Hash{})
	one     = common.BigToHash(common.Big1)
)

// answering returns the code of a contract that returns a word, as an account or a factory does.
func answering(word common.Hash) string { return fmt.Sprintf("0x7f%x60005260206000f3", word) }

// paymasterAnswering returns the code of a paymaster that returns no context and a word.
func paymasterAnswering(word common.Hash) string {
	return fmt.Sprintf("0x60406000527f%x60205260606000f3", word)
}

// failingLater is the code of a paymaster that returns a context and 0, and whose postOp of 0.6 reverts.
const failingLater = "0x60003560e01c63a9a2340914601e576040600052600160405260806000f35b60206000fd"

// until returns a validation's answer with a time range, in Unix seconds.
func until(end, after uint64) common.Hash {
	word := new(big.Int).Lsh(new(big.Int).SetUint64(after), 208)
	return common.BigToHash(word.Or(word, new(big.Int).Lsh(new(big.Int).SetUint64(end), 160)))
}

// blocksUntil is until for a range of blocks.
func blocksUntil(end, after uint64) common.Hash { return until(1<<47|end, 1<<47|after) }

// refusedSend is a row: an operation that is not valid, and its error.
type refusedSend struct {
	versions                   string // of EntryPoints
	sender, factory, paymaster string // codes
	change                     object
	code                       int
	text                       string // the message begins with it
	remedy                     string // and contains this
	data                       string // JSON; empty: any
}

// All errors of an operation to be sent. The node's blocks and times begin long before the ranges below.
var refusedSends = map[string]refusedSend{
	"deployed already":          {"0.6 0.7 0.8", willing, reverting, "", nil, -32500, "AA10 sender already constructed", "leave the factory out", ""},
	"factory fails":             {"0.6 0.7 0.8 0.9", absent, reverting, "", nil, -32500, "AA13 initCode failed or OOG", "raise verificationGasLimit", ""},
	"factory of another":        {"0.6 0.7 0.8 0.9", absent, answering(one), "", nil, -32500, "AA14 initCode must return sender", "is not the address", ""},
	"factory deploys nothing":   {"0.6 0.7 0.8 0.9", absent, answering(common.BytesToHash(tableSender[:])), "", nil, -32500, "AA15 initCode must create sender", "no account", ""},
	"not deployed":              {"0.6 0.7 0.8 0.9", absent, "", "", nil, -32500, "AA20 account not deployed", "give a factory", ""},
	"not delegated":             {"0.8 0.9", absent, "", "", object{"factory": "0x7702"}, -32500, "AA20 account not deployed", "eip7702Auth", ""},
	"poor":                      {"0.6 0.7 0.8 0.9", willing, "", "", object{"maxFeePerGas": "0x77359400"}, -32500, "AA21 didn't pay prefund", "give the sender ether", ""},
	"expired":                   {"0.6 0.7 0.8 0.9", answering(until(9, 2)), "", "", nil, -32503, "AA22 expired or not due", "sign the operation", `{"validAfter": "0x2", "validUntil": "0x9"}`},
	"not due":                   {"0.6 0.7 0.8 0.9", answering(until(0, 1<<40)), "", "", nil, -32503, "AA22 expired or not due", "sign the operation", `{"validAfter": "0x10000000000", "validUntil": "0x0"}`},
	"account reverts":           {"0.6 0.7 0.8 0.9", reverting, "", "", nil, -32500, "AA23 reverted", "look at validateUserOp", ""},
	"account answers nothing":   {"0.6 0.7 0.8 0.9", silent, "", "", nil, -32500, "AA23 reverted", "look at validateUserOp", ""},
	"signature":                 {"0.6 0.7 0.8 0.9", answering(one), "", "", nil, -32507, "AA24 signature error", "is the hash of this EntryPoint", ""},
	"aggregator":                {"0.6 0.7 0.8 0.9", answering(common.HexToHash("0xabcdef")), "", "", nil, -32506, "AA24 signature error", "abcDeF, and this bundler asks none: let the account check its signature itself", ""},
	"nonce":                     {"0.6 0.7 0.8 0.9", willing, "", "", object{"nonce": "0x5"}, -32500, "AA25 invalid account nonce", "take the nonce from getNonce", ""},
	"verification gas":          {"0.7 0.8 0.9", willing, "", "", object{"verificationGasLimit": "0x800"}, -32500, "AA26 over verificationGasLimit", "raise verificationGasLimit", ""},
	"verification gas, old":     {"0.6", willing, "", "", object{"verificationGasLimit": "0x800"}, -32500, "AA40 over verificationGasLimit", "raise verificationGasLimit", ""},
	"blocks to come":            {"0.9", answering(blocksUntil(1<<41, 1<<40)), "", "", nil, -32503, "AA27 outside valid block range", "sign the operation", `{"validAfter": "0x810000000000", "validUntil": "0x820000000000"}`},
	"paymaster not deployed":    {"0.6 0.7 0.8 0.9", willing, "", absent, nil, -32501, "AA30 paymaster not deployed", "has no code", tablePaymasterData},
	"paymaster poor":            {"0.6 0.7 0.8 0.9", willing, "", paying, object{"maxFeePerGas": "0x77359400"}, -32508, "AA31 paymaster deposit too low", "give the paymaster a deposit", tablePaymasterData},
	"paymaster expired":         {"0.6 0.7 0.8 0.9", willing, "", paymasterAnswering(until(9, 2)), nil, -32503, "AA32 paymaster expired or not due", "ask it", `{"validAfter": "0x2", "validUntil": "0x9", "paymaster": "0x000000000000000000000000000000009a4a57e4"}`},
	"paymaster reverts":         {"0.6 0.7 0.8 0.9", willing, "", reverting, nil, -32501, "AA33 reverted", "look at validatePaymasterUserOp", tablePaymasterData},
	"paymaster answers nothing": {"0.6 0.7 0.8", willing, "", silent, nil, -32501, "AA33 reverted", "look at validatePaymasterUserOp", tablePaymasterData},
	"paymaster malformed":       {"0.9", willing, "", silent, nil, -32501, "AA35 malformed paymaster data", "must return a context", tablePaymasterData},
	"paymaster's signature":     {"0.6 0.7 0.8 0.9", willing, "", paymasterAnswering(one), nil, -32507, "AA34 signature error", "was the operation changed", ""},
	"paymaster's gas":           {"0.7 0.8 0.9", willing, "", paying, object{"paymasterVerificationGasLimit": "0x100"}, -32501, "AA36 over p", "raise paymasterVerificationGasLimit", tablePaymasterData},
	"paymaster's blocks":        {"0.9", willing, "", paymasterAnswering(blocksUntil(1<<41, 1<<40)), nil, -32503, "AA37 paymaster inval block range", "ask it", ""},
	"nothing for the paymaster": {"0.6", willing, "", paying, object{"verificationGasLimit": "0x800"}, -32500, "AA4", "raise verificationGasLimit", ""},
	"postOp fails":              {"0.6", willing, "", failingLater, nil, -32501, "AA50 postOp revert", "look at postOp", tablePaymasterData},
	"overflow":                  {"0.6 0.7 0.8 0.9", willing, "", "", object{"preVerificationGas": "0x1000000000000000000000000000000"}, -32500, "AA94 gas values overflow", "below 2^120", ""},
	"too large":                 {"0.6 0.7 0.8 0.9", willing, "", "", object{"callGasLimit": "0x1000000"}, -32602, "user operation: its limits add up to a bundle of ", "a transaction has 16777216 at most", ""},
	"too large by far":          {"0.6 0.7 0.8 0.9", willing, "", "", object{"callGasLimit": "0xffffffffffffffffffffffffffffffff"}, -32602, "user operation: its limits add up to a bundle of ", "a transaction has 16777216 at most", ""},
	"no nonce":                  {"0.6 0.7 0.8 0.9", willing, "", "", object{"nonce": nil}, -32602, "user operation: nonce is missing", "", ""},
	"no limit":                  {"0.6 0.7 0.8 0.9", willing, "", "", object{"callGasLimit": nil}, -32602, "user operation: callGasLimit is missing", "eth_estimateUserOperationGas", ""},
	"no paymaster's limit":      {"0.7 0.8 0.9", willing, "", paying, object{"paymasterPostOpGasLimit": nil}, -32602, "user operation: paymasterPostOpGasLimit is missing", "", ""},
	"nobody pays":               {"0.7 0.8 0.9", willing, "", paying, object{"paymaster": common.Address{}}, -32602, "user operation: paymaster is the zero address", "leave it out", ""},
	"no address":                {"0.6 0.7 0.8 0.9", willing, "", "", object{"sender": "0x12"}, -32602, "invalid argument 0 (user operation)", "", ""},
}

// tablePaymasterData is the data of an error that the paymaster caused.
const tablePaymasterData = `{"paymaster": "0x000000000000000000000000000000009a4a57e4"}`

// Ensure the bundler rejects operations that its EntryPoint would reject, and incomplete ones, with the code of
// ERC-7769, the EntryPoint's reason and the remedy.
func TestRefusedOperations(t *testing.T) {
	t.Parallel()
	l := visit(t, fakenode.RunT(t))
	for name, row := range refusedSends {
		for version := range strings.SplitSeq(row.versions, " ") {
			what := name + ", " + version
			for account, code := range map[common.Address]string{tableSender: row.sender, tableFactory: row.factory, tablePaymaster: row.paymaster} {
				if code == "" {
					code = absent
				}
				l.do(nil, "anvil_setCode", account, code)
			}
			err := l.client.Call(nil, "eth_sendUserOperation", row.fields(version), entryPoints[version])
			require.Error(t, err, what)
			require.Equal(t, row.code, err.(rpc.Error).ErrorCode(), "%s: %s", what, err)
			require.True(t, strings.HasPrefix(err.Error(), row.text), "%s: %s", what, err)
			require.Contains(t, err.Error(), row.remedy, what)
			if row.data != "" {
				data, err := json.Marshal(err.(rpc.DataError).ErrorData())
				require.NoError(t, err, what)
				require.JSONEq(t, row.data, string(data), what)
			}
		}
	}
	var waiting []any
	for _, entryPoint := range entryPoints {
		l.do(&waiting, "debug_bundler_dumpMempool", entryPoint)
		require.Empty(t, waiting)
	}
}

// Ensure the bundler says what to do where its own account is delegated, which EntryPoint 0.9 takes no bundle from.
func TestDelegatedBundler(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	l := visit(t, node)
	l.do(nil, "anvil_setCode", tableSender, willing)
	accounts := node.Accounts()
	l.do(nil, "anvil_setCode", accounts[len(accounts)-1].Address, hexutil.Bytes(types.AddressToDelegation(tableFactory)))
	fields := parts{sender: tableSender}.fields("0.9")
	err := l.client.Call(nil, "eth_sendUserOperation", fields, entryPoints["0.9"])
	require.ErrorContains(t, err, "Reentrancy() (the bundler's account is delegated (EIP-7702)")
	require.ErrorContains(t, err, "--accounts")
	require.Equal(t, -32500, err.(rpc.Error).ErrorCode())
	l.do(nil, "eth_sendUserOperation", parts{sender: tableSender}.fields("0.8"), entryPoints["0.8"])
}

var entryPoints = map[string]common.Address{
	"0.6": entrypoint.V06Address, "0.7": entrypoint.V07Address, "0.8": entrypoint.V08Address, "0.9": entrypoint.V09Address,
}

// parts are the contracts of an operation, zero where there is none.
type parts struct {
	sender, factory, paymaster common.Address
}

// fields returns an operation without a signature and without fees, in the EntryPoint's form.
func (p parts) fields(version string) object {
	fields := object{
		"sender": p.sender, "nonce": "0x0", "callData": "0x", "signature": "0x", "callGasLimit": "0x10000", "verificationGasLimit": "0x80000",
		"preVerificationGas": "0x10000", "maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0",
	}
	none := common.Address{}
	switch {
	case p.factory != none && version == "0.6":
		fields["initCode"] = hexutil.Bytes(append(p.factory.Bytes(), 0))
	case p.factory != none:
		fields["factory"], fields["factoryData"] = p.factory, "0x00"
	}
	switch {
	case p.paymaster != none && version == "0.6":
		fields["paymasterAndData"] = hexutil.Bytes(p.paymaster[:])
	case p.paymaster != none:
		fields["paymaster"], fields["paymasterVerificationGasLimit"], fields["paymasterPostOpGasLimit"] = p.paymaster, "0x80000", "0x10000"
	}
	return fields
}

// fields returns the row's operation.
func (r refusedSend) fields(version string) object {
	p := parts{sender: tableSender}
	if r.factory != "" {
		p.factory = tableFactory
	}
	if r.paymaster != "" {
		p.paymaster = tablePaymaster
	}
	fields := p.fields(version)
	maps.Copy(fields, r.change)
	return fields
}

// Ensure the reason with which an account or a paymaster reverts is in the error, for every EntryPoint.
func TestReasonsOfValidations(t *testing.T) {
	t.Parallel()
	// Reverts with Error("no").
	data := common.FromHex("08c379a0" + fmt.Sprintf("%064x%064x", 32, 2) + "6e6f" + fmt.Sprintf("%060x", 0))
	saying := hexutil.Encode(program.New().Mstore(append(data, make([]byte, 28)...), 0).Push(len(data)).Push0().Op(vm.REVERT).Bytes())
	l := visit(t, fakenode.RunT(t))
	for version, entryPoint := range entryPoints {
		for want, codes := range map[string][2]string{"AA23 reverted: no (look at": {saying, paying}, "AA33 reverted: no (look at": {willing, saying}} {
			l.do(nil, "anvil_setCode", tableSender, codes[0])
			l.do(nil, "anvil_setCode", tablePaymaster, codes[1])
			fields := parts{sender: tableSender, paymaster: tablePaymaster}.fields(version)
			require.ErrorContains(t, l.client.Call(nil, "eth_sendUserOperation", fields, entryPoint), want, version)
		}
	}
}

// Ensure an account that asks for the whole operation by executeUserOp gets it in an estimate, too, from 0.7 on.
func TestEstimateOfExecuteUserOp(t *testing.T) {
	t.Parallel()
	l := visit(t, fakenode.RunT(t))
	// Reverts where it gets four bytes alone, which begin what it is to execute, and answers with a word of zeros.
	l.do(nil, "anvil_setCode", tableSender, "0x3660041460095760205ff35b5f5ffd")
	for version, entryPoint := range entryPoints {
		fields := parts{sender: tableSender}.fields(version)
		fields["callData"] = hexutil.Encode(entrypoint.ExecuteUserOpSelector[:])
		err := l.client.Call(nil, "eth_estimateUserOperationGas", fields, entryPoint)
		if version == "0.6" {
			require.ErrorContains(t, err, "execution reverted")
			continue
		}
		require.NoError(t, err, version)
		fields["callData"] = "0x12345678"
		require.ErrorContains(t, l.client.Call(nil, "eth_estimateUserOperationGas", fields, entryPoint), "execution reverted", version)
	}
}
