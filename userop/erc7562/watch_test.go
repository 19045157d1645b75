package erc7562_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/userop/erc7562"
)

var (
	entryPoint = common.HexToAddress("0xe000000000000000000000000000000000000001")
	creator    = common.HexToAddress("0xe000000000000000000000000000000000000002")
	account    = common.HexToAddress("0xa000000000000000000000000000000000000001") // the sender where no factory makes one
	factory    = common.HexToAddress("0xf000000000000000000000000000000000000001")
	paymaster  = common.HexToAddress("0xba00000000000000000000000000000000000001")
	helper     = common.HexToAddress("0x1e11000000000000000000000000000000000001") // runs the code of a case
	store      = common.HexToAddress("0x1e11000000000000000000000000000000000002") // reads slot 5, or writes it if it gets data
	ledger     = common.HexToAddress("0x1e11000000000000000000000000000000000003") // writes the slot after that of its mapping of callers
	delegated  = common.HexToAddress("0x1e11000000000000000000000000000000000004") // delegates to the store
	nobody     = common.HexToAddress("0x1e11000000000000000000000000000000000005")
)

// validation holds the programs that run before the EntryPoint executes the operation. A nil program is a contract that
// the operation does not have, except for the sender.
type validation struct {
	sender, factory, paymaster, helper *program.Program
	context                            int // bytes of context that the paymaster returns
}

// calls returns code that calls an account with all gas, some wei and data.
func calls(to common.Address, wei int, data ...byte) *program.Program {
	return program.New().Mstore(append(data, make([]byte, 32)...), 0).Call(nil, to, wei, 0, len(data), 0, 0).Op(vm.POP)
}

// run executes a validation and then the operation, and returns the Watch of it, and how often it asked to stop.
func (v validation) run(t *testing.T) (w *erc7562.Watch, stops int) {
	t.Helper()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	require.NoError(t, err)
	set := func(address common.Address, code []byte) { db.SetCode(address, code, tracing.CodeChangeGenesis) }
	code := func(p *program.Program) []byte {
		if p == nil {
			p = program.New()
		}
		return program.New().Append(p.Bytes()).Op(vm.STOP).Bytes()
	}
	op := erc7562.Operation{EntryPoint: entryPoint, Creator: creator, Sender: account}
	whole := program.New().Op(vm.ORIGIN, vm.CALLER, vm.EQ).Push(7).Op(vm.JUMPI, vm.STOP, vm.JUMPDEST) // it takes other calls as they are
	if v.factory == nil {
		set(account, code(v.sender))
	} else {
		init := program.New().ReturnViaCodeCopy(code(v.sender)).Bytes()
		op.Factory, op.Sender = &factory, crypto.CreateAddress2(factory, common.Hash{}, crypto.Keccak256(init))
		set(creator, code(calls(factory, 0)))
		set(factory, code(program.New().Append(v.factory.Bytes()).Create2(init, 0)))
		whole.Append(calls(creator, 0).Bytes())
	}
	whole.Append(calls(op.Sender, 0).Bytes())
	if v.paymaster != nil {
		op.Paymaster = &paymaster
		set(paymaster, program.New().Append(v.paymaster.Bytes()).Push(64).Push0().Op(vm.MSTORE).Push0().Push(32).Op(vm.MSTORE).
			Push(v.context).Push(64).Op(vm.MSTORE).Return(0, 96+v.context).Bytes())
		whole.Append(calls(paymaster, 0).Bytes())
	}
	set(entryPoint, whole.Append(calls(entryPoint, 0).Bytes()).Bytes())
	set(helper, code(v.helper))
	set(store, program.New().Op(vm.CALLDATASIZE).Push(9).Op(vm.JUMPI).Push(5).Op(vm.SLOAD, vm.STOP, vm.STOP, vm.JUMPDEST).Sstore(5, 1).Bytes())
	set(ledger, program.New().Op(vm.CALLER).Push0().Op(vm.MSTORE).Push0().Push(32).Op(vm.MSTORE).Push(64).Push0().Op(vm.KECCAK256).
		Push(1).Op(vm.ADD).Push(1).Op(vm.SWAP1, vm.SSTORE).Bytes())
	set(delegated, types.AddressToDelegation(store))
	for _, rich := range []common.Address{entryPoint, op.Sender, factory, paymaster} {
		db.AddBalance(rich, uint256.NewInt(100), tracing.BalanceChangeUnspecified)
	}

	w = erc7562.New(op)
	hooks := w.Hooks(func() { stops++ })
	hooks.OnTxStart(&tracing.VMContext{StateDB: db}, nil, common.Address{})
	_, _, err = runtime.Call(entryPoint, nil, &runtime.Config{
		ChainConfig: params.MergedTestChainConfig, State: db, GasLimit: 10_000_000, Random: new(common.Hash), BlockNumber: big.NewInt(1),
		EVMConfig: vm.Config{Tracer: hooks},
	})
	require.NoError(t, err)
	hooks.OnTxEnd(nil, nil)
	return w, stops
}

// texts returns violations as rule, entity, breach and the entities whose stake allows it.
func texts(violations []erc7562.Violation) (all []string) {
	for _, v := range violations {
		all = append(all, fmt.Sprintf("%s %s %s %v", v.Rule, v.Entity, v.Did, v.Staked))
	}
	return all
}

// Ensure a validation that keeps the rules has no violation, and that each breach has its rule, the entity, and the
// entities whose stake allows it.
func TestRules(t *testing.T) {
	t.Parallel()
	does := func(ops ...vm.OpCode) *program.Program { return program.New().Op(ops...) }
	help := calls(helper, 0)
	of := func(selector string, of common.Address) []byte {
		return append(common.FromHex(selector), common.LeftPadBytes(of[:], 32)...)
	}
	none := program.New()
	create := program.New().Push0().Push0().Push0().Op(vm.CREATE, vm.POP)
	in := " in the code of " + helper.Hex()
	mapped := func(size int) *program.Program { // reads the slot that its caller and as many bytes in all are the key of
		return program.New().Op(vm.CALLER).Push0().Op(vm.MSTORE).Push(size).Push0().Op(vm.KECCAK256, vm.SLOAD)
	}
	beyond := new(uint256.Int).SetBytes(crypto.Keccak256(common.RightPadBytes(common.LeftPadBytes(account[:], 32), 513))).Hex()
	for name, test := range map[string]struct {
		validation
		want []string
	}{
		"nothing":     {validation{}, nil},
		"all of them": {validation{factory: none, paymaster: none}, nil},

		"the transaction":      {validation{sender: does(vm.ORIGIN)}, []string{"OP-011 sender uses ORIGIN []"}},
		"of a block":           {validation{sender: does(vm.TIMESTAMP)}, []string{"OP-011 sender uses TIMESTAMP []"}},
		"of a block, called":   {validation{sender: help, helper: does(vm.NUMBER)}, []string{"OP-011 sender uses NUMBER" + in + " []"}},
		"by the paymaster":     {validation{paymaster: does(vm.COINBASE)}, []string{"OP-011 paymaster uses COINBASE []"}},
		"by the factory":       {validation{factory: does(vm.BASEFEE)}, []string{"OP-011 factory uses BASEFEE []"}},
		"invalid":              {validation{sender: help, helper: does(vm.INVALID)}, []string{"OP-011 sender uses INVALID" + in + " []"}},
		"unassigned":           {validation{sender: help, helper: does(0x0c)}, []string{"OP-013 sender meets an invalid opcode: opcode 0xc not defined" + in + " []"}},
		"gas":                  {validation{sender: does(vm.GAS, vm.POP)}, []string{"OP-012 sender uses GAS not right before a call []"}},
		"gas for a call":       {validation{sender: program.New().Push0().Push0().Push0().Push0().Push(store).Op(vm.GAS, vm.DELEGATECALL, vm.POP)}, nil},
		"out of gas":           {validation{sender: program.New().Call(uint256.NewInt(100), helper, 0, 0, 0, 0, 0), helper: program.New().Sstore(1, 1)}, []string{"OP-020 sender runs out of gas" + in + " []"}},
		"balance":              {validation{sender: program.New().Push0().Op(vm.BALANCE)}, []string{"OP-080 sender uses BALANCE [sender]"}},
		"balance, twice":       {validation{sender: does(vm.SELFBALANCE, vm.SELFBALANCE), paymaster: does(vm.SELFBALANCE)}, []string{"OP-080 sender uses SELFBALANCE [sender]", "OP-080 paymaster uses SELFBALANCE [paymaster]"}},
		"nothing after an end": {validation{sender: does(vm.SELFBALANCE, vm.ORIGIN, vm.NUMBER)}, []string{"OP-080 sender uses SELFBALANCE [sender]", "OP-011 sender uses ORIGIN []"}},

		"creation":                        {validation{sender: create}, []string{"OP-011 sender uses CREATE []"}},
		"creation by a new sender":        {validation{factory: none, sender: create}, nil},
		"creation by a factory":           {validation{factory: create}, []string{"OP-011 factory uses CREATE [factory]"}},
		"second creation by a factory":    {validation{factory: program.New().Create2([]byte{0}, 7).Op(vm.POP)}, []string{"OP-031 factory uses CREATE2 [factory]"}},
		"creation by a paymaster":         {validation{paymaster: create}, []string{"OP-011 paymaster uses CREATE []"}},
		"creation of its own by a sender": {validation{sender: program.New().Create2([]byte{0}, 0)}, []string{"OP-031 sender uses CREATE2 []"}},

		"call of a contract":     {validation{sender: help}, nil},
		"call of nobody":         {validation{sender: calls(nobody, 0)}, []string{"OP-041 sender uses CALL of " + nobody.Hex() + ", which has no code []"}},
		"code of nobody":         {validation{sender: program.New().Push(nobody).Op(vm.EXTCODEHASH)}, []string{"OP-041 sender uses EXTCODEHASH of " + nobody.Hex() + ", which has no code []"}},
		"own code":               {validation{sender: does(vm.ADDRESS, vm.EXTCODESIZE)}, nil},
		"precompile":             {validation{sender: calls(common.BytesToAddress([]byte{2}), 0)}, nil},
		"P-256":                  {validation{sender: calls(common.BytesToAddress([]byte{1, 0}), 0)}, nil},
		"a later precompile":     {validation{sender: calls(common.BytesToAddress([]byte{0x12}), 0)}, []string{"OP-062 sender uses CALL of 0x0000000000000000000000000000000000000012 []"}},
		"value":                  {validation{sender: calls(helper, 7)}, []string{"OP-061 sender sends 7 wei to " + helper.Hex() + " []"}},
		"a delegated account":    {validation{sender: calls(delegated, 0)}, []string{"AUTH-030 sender uses CALL of " + delegated.Hex() + ", an account with a delegation []"}},
		"is there an EntryPoint": {validation{sender: program.New().Push(entryPoint).Op(vm.EXTCODESIZE, vm.ISZERO)}, nil},
		"size of the EntryPoint": {validation{sender: program.New().Push(entryPoint).Op(vm.EXTCODESIZE, vm.POP)}, []string{"OP-054 sender uses EXTCODESIZE of the EntryPoint []"}},
		"hash of the EntryPoint": {validation{sender: program.New().Push(entryPoint).Op(vm.EXTCODEHASH)}, []string{"OP-054 sender uses EXTCODEHASH of the EntryPoint []"}},
		"payment":                {validation{sender: calls(entryPoint, 1)}, nil},
		"payment by a paymaster": {validation{paymaster: calls(entryPoint, 1)}, []string{"OP-054 paymaster calls the EntryPoint (CALL) []"}},
		"deposit":                {validation{sender: calls(entryPoint, 1, of("0xb760faf9", account)...)}, nil},
		"deposit for another":    {validation{sender: calls(entryPoint, 1, of("0xb760faf9", nobody)...)}, []string{"OP-054 sender calls the EntryPoint (CALL of 0xb760faf9) []"}},
		"nonce":                  {validation{sender: calls(entryPoint, 0, of("0x0bd28e3b", nobody)...)}, nil},
		"nonce, for another":     {validation{paymaster: calls(entryPoint, 0, of("0x0bd28e3b", nobody)...)}, []string{"OP-054 paymaster calls the EntryPoint (CALL of 0x0bd28e3b) []"}},
		"another function":       {validation{sender: calls(entryPoint, 0, of("0x70a08231", account)...)}, []string{"OP-054 sender calls the EntryPoint (CALL of 0x70a08231) []"}},
		"a function by delegate": {validation{sender: program.New().DelegateCall(nil, entryPoint, 0, 0, 0, 0)}, []string{"OP-054 sender calls the EntryPoint (DELEGATECALL) []"}},
		"context":                {validation{paymaster: none, context: 32}, []string{"EREP-050 paymaster returns a context [paymaster]"}},

		"own storage":                     {validation{sender: program.New().Sstore(5, 1).Tstore(5, 1)}, nil},
		"own storage, by delegate":        {validation{sender: program.New().Mstore([]byte{1}, 0).DelegateCall(nil, store, 0, 1, 0, 0)}, nil},
		"another's slot":                  {validation{sender: calls(store, 0)}, []string{"STO-021 sender reads slot 0x5 of " + store.Hex() + " (SLOAD) [sender]"}},
		"another's slot, written":         {validation{sender: calls(store, 0, 1)}, []string{"STO-021 sender writes slot 0x5 of " + store.Hex() + " (SSTORE) []"}},
		"another's transient slot":        {validation{sender: help, helper: program.New().Tstore(3, 1)}, []string{"STO-021 sender writes slot 0x3 of " + helper.Hex() + " (TSTORE) []"}},
		"slot of the sender's address":    {validation{sender: help, helper: program.New().Push(account).Op(vm.SLOAD)}, nil},
		"mapping":                         {validation{sender: calls(ledger, 0)}, nil},
		"mapping of long keys":            {validation{sender: help, helper: mapped(512)}, nil},
		"mapping of longer keys":          {validation{sender: help, helper: mapped(513)}, []string{"STO-021 sender reads slot " + beyond + " of " + helper.Hex() + " (SLOAD) [sender]"}},
		"paymaster's storage":             {validation{paymaster: program.New().Sstore(1, 1)}, []string{"STO-031 paymaster writes slot 0x1 of " + paymaster.Hex() + " (SSTORE) [paymaster]"}},
		"paymaster reads another's slot":  {validation{paymaster: calls(store, 0)}, []string{"STO-033 paymaster reads slot 0x5 of " + store.Hex() + " (SLOAD) [paymaster]"}},
		"paymaster writes another's slot": {validation{paymaster: calls(store, 0, 1)}, []string{"STO-032 paymaster writes slot 0x5 of " + store.Hex() + " (SSTORE) []"}},
		"slot of the paymaster's address": {validation{paymaster: help, helper: program.New().Push(1).Push(paymaster).Op(vm.SSTORE)}, []string{"STO-032 paymaster writes slot " + uint256.NewInt(0).SetBytes(paymaster[:]).Hex() + " of " + helper.Hex() + " (SSTORE) [paymaster]"}},
		"factory's storage":               {validation{factory: program.New().Sstore(1, 1)}, []string{"STO-031 factory writes slot 0x1 of " + factory.Hex() + " (SSTORE) [factory]"}},
		"a paymaster beside a factory":    {validation{factory: none, paymaster: calls(store, 0)}, []string{"STO-033 paymaster reads slot 0x5 of " + store.Hex() + " (SLOAD) [paymaster]"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, stops := test.run(t)
			require.Equal(t, test.want, texts(w.Violations()))
			for _, v := range w.Violations() {
				require.Equal(t, w.Operation().Address(v.Entity), v.Address)
				require.NotEmpty(t, v.Remedy)
			}
			last := len(test.want) - 1
			ended := last >= 0 && len(w.Violations()[last].Staked) == 0
			require.Equal(t, !ended, stops == 1, "it stops before the operation, unless a breach ended the check")
		})
	}
}

// Ensure a new sender may use mappings by its address with a stake of the factory only.
func TestMappingOfNewSender(t *testing.T) {
	t.Parallel()
	w, _ := validation{factory: program.New(), sender: calls(ledger, 0)}.run(t)
	require.Len(t, w.Violations(), 1)
	v := w.Violations()[0]
	require.Equal(t, "STO-022", v.Rule)
	require.Contains(t, v.Staked, erc7562.Factory)
}

// Ensure a factory or paymaster with a delegation breaks a rule, and a sender with one does not.
func TestDelegatedEntities(t *testing.T) {
	t.Parallel()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	require.NoError(t, err)
	for _, address := range []common.Address{account, factory, paymaster} {
		db.SetCode(address, types.AddressToDelegation(helper), tracing.CodeChangeGenesis)
	}
	for entity, from := range map[erc7562.Entity]common.Address{erc7562.Sender: entryPoint, erc7562.Factory: creator, erc7562.Paymaster: entryPoint} {
		w := erc7562.New(erc7562.Operation{EntryPoint: entryPoint, Creator: creator, Sender: account, Factory: &factory, Paymaster: &paymaster})
		hooks := w.Hooks(func() {})
		hooks.OnTxStart(&tracing.VMContext{StateDB: db}, nil, common.Address{})
		hooks.OnEnter(0, byte(vm.CALL), common.Address{}, entryPoint, nil, 0, new(big.Int))
		hooks.OnEnter(1, byte(vm.CALL), from, w.Operation().Address(entity), nil, 0, new(big.Int))
		if entity == erc7562.Sender {
			require.Empty(t, w.Violations())
		} else {
			require.Equal(t, []string{fmt.Sprintf("AUTH-020 %s is an account with a delegation []", entity)}, texts(w.Violations()))
		}
	}
}

// Ensure a Watch begins anew with each transaction, and checks nothing before the first and after the last.
func TestWatchesTheLastTransaction(t *testing.T) {
	t.Parallel()
	w, _ := validation{sender: program.New().Op(vm.ORIGIN)}.run(t)
	require.Len(t, w.Violations(), 1)
	hooks := w.Hooks(func() {})
	hooks.OnEnter(0, byte(vm.CALL), common.Address{}, entryPoint, nil, 0, new(big.Int)) // of no transaction
	hooks.OnExit(0, nil, 0, vm.ErrOutOfGas, true)
	require.Len(t, w.Violations(), 1)
	hooks.OnTxStart(&tracing.VMContext{}, nil, common.Address{})
	require.Empty(t, w.Violations())
	require.Empty(t, erc7562.New(erc7562.Operation{}).Violations())
}
