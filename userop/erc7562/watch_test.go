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

// newSender is the account that a factory makes in the validations, by newCode, where it has no code of its own.
var (
	newCode   = program.New().ReturnViaCodeCopy([]byte{byte(vm.STOP)}).Bytes()
	newSender = crypto.CreateAddress2(factory, common.Hash{}, crypto.Keccak256(newCode))
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
// entities whose stake allows it: beside the breaches of the bundler's TestBundlerRules.
func TestRules(t *testing.T) {
	t.Parallel()
	does := func(ops ...vm.OpCode) *program.Program { return program.New().Op(ops...) }
	help := calls(helper, 0)
	of := func(selector string, of common.Address) []byte {
		return append(common.FromHex(selector), common.LeftPadBytes(of[:], 32)...)
	}
	none := program.New()
	create := program.New().Push0().Push0().Push0().Op(vm.CREATE, vm.POP)
	number := func(n uint64) common.Address { return common.BigToAddress(new(big.Int).SetUint64(n)) }
	// key puts the address of its caller, with the words before it changed, into memory, and hashes so many bytes.
	key := func(dirt, size int) *program.Program {
		return program.New().Op(vm.CALLER).Push(dirt).Push(248).Op(vm.SHL, vm.OR).Push0().Op(vm.MSTORE).Push(size).Push0().Op(vm.KECCAK256)
	}
	behind := func(n int) *program.Program { return key(0, 64).Push(n).Op(vm.ADD, vm.SLOAD) }
	word := common.LeftPadBytes(account[:], 32)
	hashed := func(data []byte) *uint256.Int { return new(uint256.Int).SetBytes(crypto.Keccak256(data)) }
	hash := hashed(common.RightPadBytes(word, 64))
	foreign := func(slot *uint256.Int) []string {
		return []string{"STO-021 sender reads slot " + slot.Hex() + " of " + helper.Hex() + " (SLOAD) [sender]"}
	}
	ofSender := new(uint256.Int).SetBytes(newSender[:]).Hex()
	for name, test := range map[string]struct {
		validation
		want []string
	}{
		"nothing":     {validation{}, nil},
		"all of them": {validation{factory: none, paymaster: none}, nil},

		"by the paymaster":     {validation{paymaster: does(vm.COINBASE)}, []string{"OP-011 paymaster uses COINBASE []"}},
		"by the factory":       {validation{factory: does(vm.BASEFEE)}, []string{"OP-011 factory uses BASEFEE []"}},
		"gas for a call":       {validation{sender: program.New().Push0().Push0().Push0().Push0().Push(store).Op(vm.GAS, vm.DELEGATECALL, vm.POP)}, nil},
		"balance, twice":       {validation{sender: does(vm.SELFBALANCE, vm.SELFBALANCE), paymaster: does(vm.SELFBALANCE)}, []string{"OP-080 sender uses SELFBALANCE [sender]", "OP-080 paymaster uses SELFBALANCE [paymaster]"}},
		"nothing after an end": {validation{sender: does(vm.SELFBALANCE, vm.ORIGIN, vm.NUMBER)}, []string{"OP-080 sender uses SELFBALANCE [sender]", "OP-011 sender uses ORIGIN []"}},

		"creation by a paymaster": {validation{paymaster: create}, []string{"OP-011 paymaster uses CREATE []"}},

		"code of nobody":         {validation{sender: program.New().Push(nobody).Op(vm.EXTCODEHASH)}, []string{"OP-041 sender uses EXTCODEHASH of " + nobody.Hex() + ", which has no code []"}},
		"a later precompile":     {validation{sender: calls(common.BytesToAddress([]byte{0x12}), 0)}, []string{"OP-062 sender uses CALL of 0x0000000000000000000000000000000000000012 []"}},
		"nonce, for another":     {validation{paymaster: calls(entryPoint, 0, of("0x0bd28e3b", nobody)...)}, []string{"OP-054 paymaster calls the EntryPoint (CALL of 0x0bd28e3b) []"}},
		"a function by delegate": {validation{sender: program.New().DelegateCall(nil, entryPoint, 0, 0, 0, 0)}, []string{"OP-054 sender calls the EntryPoint (DELEGATECALL) []"}},

		"slot of the sender's address":    {validation{sender: help, helper: program.New().Push(account).Op(vm.SLOAD)}, nil},
		"mapping of long keys":            {validation{sender: help, helper: key(0, 512).Op(vm.SLOAD)}, nil},
		"mapping of longer keys":          {validation{sender: help, helper: key(0, 513).Op(vm.SLOAD)}, foreign(hashed(common.RightPadBytes(word, 513)))},
		"slot of the paymaster's address": {validation{paymaster: help, helper: program.New().Push(1).Push(paymaster).Op(vm.SSTORE)}, []string{"STO-032 paymaster writes slot " + uint256.NewInt(0).SetBytes(paymaster[:]).Hex() + " of " + helper.Hex() + " (SSTORE) [paymaster]"}},
		"a paymaster beside a factory":    {validation{factory: none, paymaster: calls(store, 0)}, []string{"STO-033 paymaster reads slot 0x5 of " + store.Hex() + " (SLOAD) [paymaster]"}},

		"second account by the factory":    {validation{factory: program.New().Create2(newCode, 0).Op(vm.POP)}, []string{"OP-031 factory uses CREATE2 [factory]"}},
		"deposit by the factory":           {validation{factory: calls(entryPoint, 1, of("0xb760faf9", newSender)...)}, nil},
		"deposit by the paymaster":         {validation{paymaster: calls(entryPoint, 1, of("0xb760faf9", account)...)}, []string{"OP-054 paymaster calls the EntryPoint (CALL of 0xb760faf9) []"}},
		"deposit, cut short":               {validation{sender: calls(entryPoint, 1, of("0xb760faf9", account)[:35]...)}, []string{"OP-054 sender calls the EntryPoint (CALL of 0xb760faf9) []"}},
		"nonce of the factory":             {validation{factory: calls(entryPoint, 0, common.FromHex("0x0bd28e3b")...)}, []string{"OP-054 factory calls the EntryPoint (CALL of 0x0bd28e3b) []"}},
		"three bytes":                      {validation{sender: calls(entryPoint, 0, 1, 2, 3)}, []string{"OP-054 sender calls the EntryPoint (CALL) []"}},
		"code of the EntryPoint":           {validation{sender: program.New().ExtcodeCopy(entryPoint, 0, 0, 1)}, []string{"OP-054 sender uses EXTCODECOPY of the EntryPoint []"}},
		"copy of no code":                  {validation{sender: program.New().ExtcodeCopy(nobody, 0, 0, 1)}, []string{"OP-041 sender uses EXTCODECOPY of " + nobody.Hex() + ", which has no code []"}},
		"value to other code":              {validation{sender: program.New().CallCode(nil, helper, 7, 0, 0, 0, 0)}, []string{"OP-061 sender sends 7 wei to " + helper.Hex() + " []"}},
		"a wei":                            {validation{sender: calls(helper, 1)}, []string{"OP-061 sender sends 1 wei to " + helper.Hex() + " []"}},
		"a view":                           {validation{sender: program.New().StaticCall(nil, helper, 0, 0, 0, 0)}, nil},
		"other code of nobody":             {validation{sender: program.New().CallCode(nil, nobody, 0, 0, 0, 0, 0)}, []string{"OP-041 sender uses CALLCODE of " + nobody.Hex() + ", which has no code []"}},
		"gas, late":                        {validation{sender: program.New().Op(vm.GAS, vm.DUP1, vm.POP, vm.POP)}, []string{"OP-012 sender uses GAS not right before a call []"}},
		"first precompile":                 {validation{sender: calls(number(1), 0)}, nil},
		"last precompile":                  {validation{sender: calls(number(0x11), 0)}, nil},
		"beside P-256":                     {validation{sender: calls(number(0x101), 0)}, []string{"OP-062 sender uses CALL of " + number(0x101).Hex() + " []"}},
		"no precompile any more":           {validation{sender: calls(number(0x10000), 0)}, []string{"OP-041 sender uses CALL of " + number(0x10000).Hex() + ", which has no code []"}},
		"last slot of the hash":            {validation{sender: help, helper: behind(128)}, nil},
		"slot behind these":                {validation{sender: help, helper: behind(129)}, foreign(new(uint256.Int).AddUint64(hash, 129))},
		"slot before the hash":             {validation{sender: help, helper: key(0, 64).Push(1).Op(vm.SWAP1, vm.SUB, vm.SLOAD)}, foreign(new(uint256.Int).SubUint64(hash, 1))},
		"too little hashed":                {validation{sender: help, helper: key(0, 63).Op(vm.SLOAD)}, foreign(hashed(common.RightPadBytes(word, 63)))},
		"no address hashed":                {validation{sender: help, helper: key(1, 64).Op(vm.SLOAD)}, foreign(hashed(append([]byte{1}, common.RightPadBytes(word, 64)[1:]...)))},
		"beside its own address":           {validation{sender: help, helper: program.New().Push(1).Push(account).Op(vm.ADD, vm.SLOAD)}, foreign(new(uint256.Int).AddUint64(new(uint256.Int).SetBytes(account[:]), 1))},
		"paymaster reads by a new sender":  {validation{factory: none, paymaster: help, helper: program.New().Push(newSender).Op(vm.SLOAD)}, []string{"STO-022 paymaster reads slot " + ofSender + " of " + helper.Hex() + " (SLOAD) [factory paymaster]"}},
		"paymaster writes by a new sender": {validation{factory: none, paymaster: help, helper: program.New().Push(1).Push(newSender).Op(vm.SSTORE)}, []string{"STO-022 paymaster writes slot " + ofSender + " of " + helper.Hex() + " (SSTORE) [factory]"}},
		"paymaster's own by a new sender":  {validation{factory: none, paymaster: program.New().Push(newSender).Op(vm.SLOAD)}, []string{"STO-031 paymaster reads slot " + ofSender + " of " + paymaster.Hex() + " (SLOAD) [paymaster]"}},
		"paymaster's by an old sender":     {validation{paymaster: program.New().Push(account).Op(vm.SLOAD)}, nil},
		"paymaster in the sender's":        {validation{paymaster: help, helper: program.New().Push(1).Op(vm.TLOAD)}, []string{"STO-033 paymaster reads slot 0x1 of " + helper.Hex() + " (TLOAD) [paymaster]"}},
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

// Ensure a rule is told once for each entity and stake, also where the entity breaks it with others in between.
func TestBreachesAreToldOnce(t *testing.T) {
	t.Parallel()
	twice := calls(store, 0)
	twice.Append(calls(store, 0).Bytes()).Op(vm.SELFBALANCE).Append(calls(store, 0).Bytes())
	w, stops := validation{sender: twice, paymaster: calls(store, 0)}.run(t)
	require.Equal(t, []string{
		"STO-021 sender reads slot 0x5 of " + store.Hex() + " (SLOAD) [sender]", "OP-080 sender uses SELFBALANCE [sender]",
		"STO-033 paymaster reads slot 0x5 of " + store.Hex() + " (SLOAD) [paymaster]",
	}, texts(w.Violations()))
	require.Equal(t, 1, stops)
}
