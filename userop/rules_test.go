package userop_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Contracts that validations call.
var (
	ruledHelper    = common.HexToAddress("0x1e11000000000000000000000000000000000001") // runs the code of a case
	ruledStore     = common.HexToAddress("0x1e11000000000000000000000000000000000002") // reads slot 5
	ruledWriter    = common.HexToAddress("0x1e11000000000000000000000000000000000003") // writes slot 5
	ruledLedger    = common.HexToAddress("0x1e11000000000000000000000000000000000004") // adds 1 to slot 1 of its mapping of callers
	ruledDelegated = common.HexToAddress("0x1e11000000000000000000000000000000000005")
	ruledEmpty     = common.HexToAddress("0x1e11000000000000000000000000000000000006")
)

// callerLedger is the code that adds 1 behind a mapping's slot for the caller.
func callerLedger() *program.Program {
	return program.New().Op(vm.CALLER).Push0().Op(vm.MSTORE).Push0().Push(32).Op(vm.MSTORE).Push(64).Push0().Op(vm.KECCAK256).
		Push(1).Op(vm.ADD, vm.DUP1, vm.SLOAD).Push(1).Op(vm.ADD, vm.SWAP1, vm.SSTORE)
}

// ruled is a node whose bundler gets operations for one EntryPoint.
type ruled struct {
	*lab
	version    string // of the EntryPoint
	entryPoint common.Address
	count      int
}

func newRuled(t *testing.T, version string, config fakenode.Config) *ruled {
	r := &ruled{lab: visit(t, fakenode.RunConfigT(t, config)), version: version, entryPoint: entryPoints[version]}
	r.SetCode(ruledStore, program.New().Push(5).Op(vm.SLOAD).Bytes())
	r.SetCode(ruledWriter, program.New().Sstore(5, 1).Bytes())
	r.SetCode(ruledLedger, callerLedger().Bytes())
	r.Delegate(ruledDelegated, ruledStore)
	return r
}

// fresh returns an address that no case has used.
func (r *ruled) fresh() common.Address {
	r.count++
	return r.numbered()
}

func (r *ruled) numbered() common.Address {
	return common.HexToAddress(fmt.Sprintf("0x5e%038x", r.count))
}

// stake locks a stake of an account for a time, in seconds.
func (r *ruled) stake(account common.Address, delay uint32) {
	r.t.Helper()
	r.SetBalance(account, fixtures.Ether("3"))
	r.Impersonate(account)
	defer r.StopImpersonating(account)
	data := entrypoint.NewEntryPointV07().PackAddStake(delay)
	var hash common.Hash
	r.do(&hash, "eth_sendTransaction", object{"from": account, "to": r.entryPoint, "value": "0x1", "input": hexutil.Bytes(data)})
	r.Seal()
	receipt, err := r.Receipt(r.t.Context(), hash)
	require.NoError(r.t, err)
	require.EqualValues(r.t, 1, receipt.Status)
}

// send sends an operation.
func (r *ruled) send(p parts) error {
	return r.client.CallContext(r.t.Context(), nil, "eth_sendUserOperation", p.fields(r.version), r.entryPoint)
}

// accepting returns code that ends by accepting an operation.
func accepting(p *program.Program) []byte {
	return p.Push0().Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
}

// sponsoring returns code that ends by agreeing to pay for an operation, with a context of that length.
func sponsoring(p *program.Program, context int) []byte {
	return p.Push(64).Push0().Op(vm.MSTORE).Push0().Push(32).Op(vm.MSTORE).Push(context).Push(64).Op(vm.MSTORE).Return(0, 96+context).Bytes()
}

// deployingSender returns code that ends by deploying a sender with CREATE2, and its address.
func deployingSender(factory common.Address, p *program.Program, sender []byte) ([]byte, common.Address) {
	init := program.New().ReturnViaCodeCopy(sender).Bytes()
	code := p.Create2(init, 0).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
	return code, crypto.CreateAddress2(factory, common.Hash{}, crypto.Keccak256(init))
}

// helped returns code that calls the helper.
func helped() *program.Program {
	return program.New().Call(uint256.NewInt(50_000), ruledHelper, 0, 0, 0, 0, 0).Op(vm.POP)
}

// ruleCase is a validation and the rule that it breaks: the sender's validation, or the other entities' if given.
type ruleCase struct {
	sender, factory, paymaster func(r *ruled) *program.Program
	helper                     *program.Program
	context                    int
	staked                     string // the entity with a stake: sender, factory or paymaster
	delay                      uint32
	want                       string // the error from its rule on; empty: none
}

func does(p *program.Program) func(*ruled) *program.Program {
	return func(*ruled) *program.Program { return program.New().Append(p.Bytes()) }
}

func callsTo(to common.Address) func(*ruled) *program.Program {
	return does(program.New().Call(nil, to, 0, 0, 0, 0, 0).Op(vm.POP))
}

// callsEntryPoint calls the EntryPoint with a selector and an account, and wei.
func callsEntryPoint(wei int, selector string, account func(r *ruled) common.Address) func(*ruled) *program.Program {
	return func(r *ruled) *program.Program {
		data := common.FromHex(selector)
		if account != nil {
			data = append(data, addressWord(account(r))...)
		}
		return program.New().Mstore(data, 0).Call(nil, r.entryPoint, wei, 0, len(data), 0, 0).Op(vm.POP)
	}
}

// lastSender is the sender of the case that is being made.
func lastSender(r *ruled) common.Address { return r.numbered() }

func ruleCases() map[string]ruleCase {
	cases := map[string]ruleCase{
		"nothing": {}, "own storage": {sender: does(program.New().Sstore(5, 1).Tstore(5, 1))},
		"gas for a call": {sender: callsTo(ruledLedger)},
		"gas":            {sender: does(program.New().Op(vm.GAS, vm.POP)), want: "[OP-012] sender SENDER uses GAS not right before a call ("},
		"gas in another": {sender: does(helped()), helper: program.New().Op(vm.GAS, vm.POP), want: "[OP-012] sender SENDER uses GAS not right before a call in the code of " + ruledHelper.Hex() + " ("},
		"invalid":        {sender: does(helped()), helper: program.New().Op(vm.INVALID), want: "[OP-011] sender SENDER uses INVALID in the code of " + ruledHelper.Hex() + " (revert instead; --bundler-rules loose allows it)"},
		"self-destruct":  {sender: does(helped()), helper: program.New().Selfdestruct(ruledHelper), want: "[OP-011] sender SENDER uses SELFDESTRUCT in"},
		"unassigned":     {sender: does(helped()), helper: program.New().Op(0x0c), want: "[OP-013] sender SENDER meets an invalid opcode: opcode 0xc not defined in the code of "},
		"out of gas":     {sender: does(program.New().Call(uint256.NewInt(1000), ruledHelper, 0, 0, 0, 0, 0).Op(vm.POP)), helper: program.New().Sstore(1, 1), want: "[OP-020] sender SENDER runs out of gas in the code of " + ruledHelper.Hex()},
		"create":         {sender: does(program.New().Push0().Push0().Push0().Op(vm.CREATE, vm.POP)), want: "[OP-011] sender SENDER uses CREATE ("},
		"create2":        {sender: does(program.New().Create2([]byte{0}, 0).Op(vm.POP)), want: "[OP-031] sender SENDER uses CREATE2 ("},
		"call of nobody": {sender: callsTo(ruledEmpty), want: "[OP-041] sender SENDER uses CALL of " + ruledEmpty.Hex() + ", which has no code ("},
		"size of nobody": {sender: does(program.New().Push(ruledEmpty).Op(vm.EXTCODESIZE, vm.POP)), want: "[OP-041] sender SENDER uses EXTCODESIZE of"},
		"own size":       {sender: does(program.New().Op(vm.ADDRESS, vm.EXTCODESIZE, vm.POP))},
		"EntryPoint there": {sender: func(r *ruled) *program.Program {
			return program.New().Push(r.entryPoint).Op(vm.EXTCODESIZE, vm.ISZERO, vm.POP)
		}},
		"EntryPoint's size":      {sender: func(r *ruled) *program.Program { return program.New().Push(r.entryPoint).Op(vm.EXTCODESIZE, vm.POP) }, want: "[OP-054] sender SENDER uses EXTCODESIZE of the EntryPoint ("},
		"EntryPoint's hash":      {sender: func(r *ruled) *program.Program { return program.New().Push(r.entryPoint).Op(vm.EXTCODEHASH, vm.POP) }, want: "[OP-054] sender SENDER uses EXTCODEHASH of the EntryPoint ("},
		"deposit for itself":     {sender: callsEntryPoint(1, "0xb760faf9", lastSender)},
		"deposit for another":    {sender: callsEntryPoint(1, "0xb760faf9", func(*ruled) common.Address { return ruledEmpty }), want: "[OP-054] sender SENDER calls the EntryPoint (CALL of 0xb760faf9) ("},
		"payment":                {sender: callsEntryPoint(1, "", nil)},
		"nonce":                  {sender: callsEntryPoint(0, "0x0bd28e3b", func(*ruled) common.Address { return ruledEmpty })},
		"balance at EntryPoint":  {sender: callsEntryPoint(0, "0x70a08231", lastSender), want: "[OP-054] sender SENDER calls the EntryPoint (CALL of 0x70a08231) ("},
		"value":                  {sender: does(program.New().Call(nil, ruledStore, 7, 0, 0, 0, 0).Op(vm.POP)), want: "[OP-061] sender SENDER sends 7 wei to " + ruledStore.Hex() + " ("},
		"hash precompile":        {sender: does(program.New().StaticCall(nil, 2, 0, 0, 0, 0).Op(vm.POP))},
		"P-256 precompile":       {sender: does(program.New().StaticCall(nil, 0x100, 0, 0, 0, 0).Op(vm.POP))},
		"other precompile":       {sender: does(program.New().StaticCall(nil, 0x77, 0, 0, 0, 0).Op(vm.POP)), want: "[OP-062] sender SENDER uses STATICCALL of 0x0000000000000000000000000000000000000077 ("},
		"balance":                {sender: does(program.New().Push(ruledStore).Op(vm.BALANCE, vm.POP)), want: "[OP-080] sender SENDER uses BALANCE ("},
		"balance, staked":        {sender: does(program.New().Push(ruledStore).Op(vm.BALANCE, vm.POP)), staked: "sender", delay: 86_400},
		"balance, staked little": {sender: does(program.New().Op(vm.SELFBALANCE, vm.POP)), staked: "sender", delay: 86_399, want: "[OP-080] sender SENDER uses SELFBALANCE (balances change with any transaction: leave it to the operation's call, or lock a stake of the sender at the EntryPoint for a day: addStake(86400); --bundler-rules loose allows it)"},
		"delegated account":      {sender: callsTo(ruledDelegated), want: "[AUTH-030] sender SENDER uses CALL of " + ruledDelegated.Hex() + ", an account with a delegation ("},

		"associated":            {sender: callsTo(ruledLedger)},
		"another's slot":        {sender: callsTo(ruledStore), want: "[STO-021] sender SENDER reads slot 0x5 of " + ruledStore.Hex() + " (SLOAD) ("},
		"another's slot, write": {sender: callsTo(ruledWriter), want: "[STO-021] sender SENDER writes slot 0x5 of " + ruledWriter.Hex() + " (SSTORE) ("},
		"transient slot":        {sender: does(helped()), helper: program.New().Tstore(3, 1), want: "[STO-021] sender SENDER writes slot 0x3 of " + ruledHelper.Hex() + " (TSTORE) ("},
		"delegate's slot":       {sender: does(program.New().DelegateCall(nil, ruledWriter, 0, 0, 0, 0).Op(vm.POP))},

		"factory":                    {factory: does(program.New())},
		"factory's slot":             {factory: does(program.New().Sstore(1, 1)), want: "[STO-031] factory FACTORY writes slot 0x1 of FACTORY (SSTORE) ("},
		"factory's slot, staked":     {factory: does(program.New().Sstore(1, 1)), staked: "factory", delay: 86_400},
		"factory's creation":         {factory: does(program.New().Push0().Push0().Push0().Op(vm.CREATE, vm.POP)), want: "[OP-011] factory FACTORY uses CREATE (use CREATE2 for the sender, and leave other creations to the operation's call, or lock a stake of the factory "},
		"factory's creation, staked": {factory: does(program.New().Push0().Push0().Push0().Op(vm.CREATE, vm.POP)), staked: "factory", delay: 86_400},
		"factory's second":           {factory: does(program.New().Create2([]byte{0}, 7).Op(vm.POP)), want: "[OP-031] factory FACTORY uses CREATE2 ("},
		"new sender's creation":      {factory: does(program.New()), sender: does(program.New().Push0().Push0().Push0().Op(vm.CREATE, vm.POP))},
		"new sender's mapping":       {factory: does(program.New()), sender: callsTo(ruledLedger), want: "[STO-022] sender SENDER reads slot 0x"},
		"its mapping, staked":        {factory: does(program.New()), sender: callsTo(ruledLedger), staked: "factory", delay: 86_400},

		"paymaster":                {paymaster: does(program.New())},
		"paymaster's slot":         {paymaster: does(program.New().Push(1).Op(vm.SLOAD, vm.POP)), want: "[STO-031] paymaster PAYMASTER reads slot 0x1 of PAYMASTER (SLOAD) ("},
		"paymaster's mapping":      {paymaster: callsTo(ruledLedger), want: "[STO-032] paymaster PAYMASTER reads slot 0x"},
		"paymaster reads":          {paymaster: callsTo(ruledStore), want: "[STO-033] paymaster PAYMASTER reads slot 0x5 of " + ruledStore.Hex() + " (SLOAD) ("},
		"paymaster reads, staked":  {paymaster: callsTo(ruledStore), staked: "paymaster", delay: 86_400},
		"paymaster, staked":        {paymaster: callsTo(ruledLedger), staked: "paymaster", delay: 100_000},
		"paymaster writes, staked": {paymaster: callsTo(ruledWriter), staked: "paymaster", delay: 86_400, want: "[STO-032] paymaster PAYMASTER writes slot 0x5 of " + ruledWriter.Hex() + " (SSTORE) ("},
		"context":                  {paymaster: does(program.New()), context: 32, want: "[EREP-050] paymaster PAYMASTER returns a context ("},
		"context, staked":          {paymaster: does(program.New()), context: 32, staked: "paymaster", delay: 86_400},
		"paymaster pays":           {paymaster: callsEntryPoint(1, "", nil), want: "[OP-054] paymaster PAYMASTER calls the EntryPoint (CALL) ("},
	}
	for _, op := range []vm.OpCode{
		vm.ORIGIN, vm.GASPRICE, vm.COINBASE, vm.TIMESTAMP, vm.NUMBER, vm.PREVRANDAO, vm.GASLIMIT, vm.BASEFEE, vm.BLOBBASEFEE,
	} {
		cases[op.String()] = ruleCase{sender: does(program.New().Op(op, vm.POP)), want: fmt.Sprintf("[OP-011] sender SENDER uses %s (", op)}
	}
	for _, op := range []vm.OpCode{vm.BLOCKHASH, vm.BLOBHASH} {
		cases[op.String()] = ruleCase{sender: does(program.New().Push0().Op(op, vm.POP)), want: fmt.Sprintf("[OP-011] sender SENDER uses %s (", op)}
	}
	return cases
}

// make puts the contracts of a case onto the chain.
func (r *ruled) make(c ruleCase) (p parts) {
	r.t.Helper()
	nothing := does(program.New())
	if c.sender == nil {
		c.sender = nothing
	}
	p.sender = r.fresh()
	code := accepting(c.sender(r))
	if c.factory == nil {
		r.SetCode(p.sender, code)
		r.SetBalance(p.sender, fixtures.Ether("1"))
	} else {
		p.factory = common.BytesToAddress(append([]byte{0xfa}, p.sender[1:]...))
		code, p.sender = deployingSender(p.factory, c.factory(r), code)
		r.SetCode(p.factory, code)
	}
	if c.paymaster != nil {
		p.paymaster = common.BytesToAddress(append([]byte{0xba}, p.sender[1:]...))
		r.SetCode(p.paymaster, sponsoring(c.paymaster(r), c.context))
		r.SetBalance(p.paymaster, fixtures.Ether("1"))
	}
	if c.helper != nil {
		r.SetCode(ruledHelper, program.New().Append(c.helper.Bytes()).Bytes())
	}
	if account, ok := map[string]common.Address{"sender": p.sender, "factory": p.factory, "paymaster": p.paymaster}[c.staked]; ok {
		r.stake(account, c.delay)
	}
	return p
}

// Ensure an operation whose validation breaks a rule of ERC-7562 is rejected at each EntryPoint with the rule, the
// entity and the breach, and that one that keeps the rules or has the needed stake is accepted.
func TestBundlerRules(t *testing.T) {
	t.Parallel()
	for version := range entryPoints {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			r := newRuled(t, version, fakenode.Config{})
			for name, c := range ruleCases() {
				p := r.make(c)
				err := r.send(p)
				if c.want == "" {
					require.NoError(t, err, name)
					continue
				}
				require.Error(t, err, name)
				want := strings.NewReplacer("SENDER", p.sender.Hex(), "FACTORY", p.factory.Hex(), "PAYMASTER", p.paymaster.Hex()).Replace(c.want)
				require.True(t, strings.HasPrefix(err.Error(), want), "%s: %s\nwant %s", name, err, want)
				require.Equal(t, -32502, err.(rpc.Error).ErrorCode(), name)
				words := strings.Fields(want)
				require.Equal(t, object{
					"rule": strings.Trim(words[0], "[]"), "entity": words[1], "address": strings.ToLower(words[2]),
				}, err.(rpc.DataError).ErrorData(), name)
			}
		})
	}
}

// Ensure loose rules accept operations that strict ones reject, and that the error for bad rules names them.
func TestLooseBundler(t *testing.T) {
	t.Parallel()
	r := newRuled(t, "0.7", fakenode.Config{Bundler: fakenode.Bundler{Rules: fakenode.LooseBundler}})
	for name, c := range ruleCases() {
		require.NoError(t, r.send(r.make(c)), name)
	}
	_, err := fakenode.New(fakenode.Config{Bundler: fakenode.Bundler{Rules: "none"}})
	require.EqualError(t, err, `bundler rules "none" are unknown: want "strict", "loose"`)
}

// Ensure no method of operations allocates more than its limit (docs/maintainers/bounds.md), garbage included, whether
// the sender's validation or its execution calls itself as deep as its gas allows, again and again. The test counts all
// memory that is allocated, so it does not run in parallel with others.
func TestCostlyOperations(t *testing.T) {
	laboratory.OneGoroutine(t)
	versions := laboratory.Budget(t, []string{"0.6", "0.9"}, []string{"0.6", "0.7", "0.8", "0.9"})
	for _, work := range []struct{ name, code, failure string }{
		{"validation", "0x5b5f5f5f5f5f305af1505f56", "AA23 reverted"},
		// Calls itself unless it is called with more than 31 bytes, as for the validation; then it accepts.
		{"execution", "0x36602011600e575f5f5260205ff35b5f5f5f5f5f305af150600e56", "execution reverted: out of gas"},
	} {
		for _, version := range versions {
			r := newRuled(t, version, fakenode.Config{TxGasLimit: math.MaxUint64, Limits: fakenode.Limits{CallTimeout: time.Hour}})
			sender := r.fresh()
			r.SetCode(sender, common.FromHex(work.code))
			op := parts{sender: sender}.fields(version)
			op["callData"], op["callGasLimit"], op["verificationGasLimit"] = "0x01", "0xb71b00", "0xb71b00" // 12,000,000
			before := allocated()
			err := r.client.CallContext(t.Context(), nil, "eth_estimateUserOperationGas", op, r.entryPoint)
			cost := allocated() - before
			t.Logf("%s, EntryPoint %s: the estimate allocates %d bytes: %v", work.name, version, cost, err)
			require.ErrorContains(t, err, work.failure)
			require.Less(t, cost, uint64(maxCost))

			before = allocated()
			err = r.client.CallContext(t.Context(), nil, "eth_sendUserOperation", op, r.entryPoint)
			r.Seal()
			cost = allocated() - before
			t.Logf("%s, EntryPoint %s: sending and mining it allocates %d bytes: %v", work.name, version, cost, err)
			if work.name == "validation" {
				require.ErrorContains(t, err, work.failure)
			} else {
				require.NoError(t, err)
			}
			require.Less(t, cost, uint64(maxCost))
		}
	}
}

// maxCost is the memory, in bytes, that a request may allocate, the garbage included.
const maxCost = 512 << 20

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}
