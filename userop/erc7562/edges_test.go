package erc7562_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/userop/erc7562"
)

// newSender is the account that a factory makes in the validations, by newCode, where it has no code of its own.
var (
	newCode   = program.New().ReturnViaCodeCopy([]byte{byte(vm.STOP)}).Bytes()
	newSender = crypto.CreateAddress2(factory, common.Hash{}, crypto.Keccak256(newCode))
)

// Ensure each rule holds up to its edge and no further.
func TestEdgesOfRules(t *testing.T) {
	t.Parallel()
	none, help := program.New(), calls(helper, 0)
	deposit := append(common.FromHex("0xb760faf9"), common.LeftPadBytes(newSender[:], 32)...)
	own := append(common.FromHex("0xb760faf9"), common.LeftPadBytes(account[:], 32)...)
	number := func(n uint64) common.Address { return common.BigToAddress(new(big.Int).SetUint64(n)) }
	// key puts the address of its caller, with the words before it changed, into memory, and hashes so many bytes.
	key := func(dirt, size int) *program.Program {
		return program.New().Op(vm.CALLER).Push(dirt).Push(248).Op(vm.SHL, vm.OR).Push0().Op(vm.MSTORE).Push(size).Push0().Op(vm.KECCAK256)
	}
	slot := func(n int) *program.Program { // behind the hash
		p := key(0, 64)
		if n < 0 {
			return p.Push(-n).Op(vm.SWAP1, vm.SUB, vm.SLOAD)
		}
		return p.Push(n).Op(vm.ADD, vm.SLOAD)
	}
	hash := new(uint256.Int).SetBytes(crypto.Keccak256(common.RightPadBytes(common.LeftPadBytes(account[:], 32), 64)))
	foreign := func(slot *uint256.Int) []string {
		return []string{"STO-021 sender reads slot " + slot.Hex() + " of " + helper.Hex() + " (SLOAD) [sender]"}
	}
	hashed := func(data []byte) *uint256.Int { return new(uint256.Int).SetBytes(crypto.Keccak256(data)) }
	word := common.LeftPadBytes(account[:], 32)
	ofSender := uint256.NewInt(0).SetBytes(newSender[:]).Hex()
	for name, test := range map[string]struct {
		validation
		want []string
	}{
		"second account of a new sender": {validation{factory: none, sender: program.New().Create2([]byte{0}, 0)}, []string{"OP-031 sender uses CREATE2 [factory]"}},
		"second account by the factory":  {validation{factory: program.New().Create2(newCode, 0).Op(vm.POP)}, []string{"OP-031 factory uses CREATE2 [factory]"}},
		"deposit by the factory":         {validation{factory: calls(entryPoint, 1, deposit...)}, nil},
		"deposit by the paymaster":       {validation{paymaster: calls(entryPoint, 1, own...)}, []string{"OP-054 paymaster calls the EntryPoint (CALL of 0xb760faf9) []"}},
		"deposit, cut short":             {validation{sender: calls(entryPoint, 1, own[:35]...)}, []string{"OP-054 sender calls the EntryPoint (CALL of 0xb760faf9) []"}},
		"nonce of the factory":           {validation{factory: calls(entryPoint, 0, common.FromHex("0x0bd28e3b")...)}, []string{"OP-054 factory calls the EntryPoint (CALL of 0x0bd28e3b) []"}},
		"payment by the factory":         {validation{factory: calls(entryPoint, 1)}, []string{"OP-054 factory calls the EntryPoint (CALL) []"}},
		"three bytes":                    {validation{sender: calls(entryPoint, 0, 1, 2, 3)}, []string{"OP-054 sender calls the EntryPoint (CALL) []"}},
		"four bytes":                     {validation{sender: calls(entryPoint, 0, 1, 2, 3, 4)}, []string{"OP-054 sender calls the EntryPoint (CALL of 0x01020304) []"}},
		"look at the EntryPoint":         {validation{sender: program.New().StaticCall(nil, entryPoint, 0, 0, 0, 0)}, []string{"OP-054 sender calls the EntryPoint (STATICCALL) []"}},
		"code of the EntryPoint":         {validation{sender: program.New().ExtcodeCopy(entryPoint, 0, 0, 1)}, []string{"OP-054 sender uses EXTCODECOPY of the EntryPoint []"}},
		"code of nobody":                 {validation{sender: program.New().ExtcodeCopy(nobody, 0, 0, 1)}, []string{"OP-041 sender uses EXTCODECOPY of " + nobody.Hex() + ", which has no code []"}},
		"size of nobody":                 {validation{sender: program.New().Push(nobody).Op(vm.EXTCODESIZE)}, []string{"OP-041 sender uses EXTCODESIZE of " + nobody.Hex() + ", which has no code []"}},
		"size of a contract":             {validation{sender: program.New().Push(helper).Op(vm.EXTCODESIZE, vm.POP)}, nil},

		"value to other code":    {validation{sender: program.New().CallCode(nil, helper, 7, 0, 0, 0, 0)}, []string{"OP-061 sender sends 7 wei to " + helper.Hex() + " []"}},
		"a wei":                  {validation{sender: calls(helper, 1)}, []string{"OP-061 sender sends 1 wei to " + helper.Hex() + " []"}},
		"no value to other code": {validation{sender: program.New().CallCode(nil, helper, 0, 0, 0, 0, 0)}, nil},
		"a view":                 {validation{sender: program.New().StaticCall(nil, helper, 0, 0, 0, 0)}, nil},
		"a view of nobody":       {validation{sender: program.New().StaticCall(nil, nobody, 0, 0, 0, 0)}, []string{"OP-041 sender uses STATICCALL of " + nobody.Hex() + ", which has no code []"}},
		"other code of nobody":   {validation{sender: program.New().CallCode(nil, nobody, 0, 0, 0, 0, 0)}, []string{"OP-041 sender uses CALLCODE of " + nobody.Hex() + ", which has no code []"}},
		"gas, late":              {validation{sender: program.New().Op(vm.GAS, vm.DUP1, vm.POP, vm.POP)}, []string{"OP-012 sender uses GAS not right before a call []"}},
		"first precompile":       {validation{sender: calls(number(1), 0)}, nil},
		"last precompile":        {validation{sender: calls(number(0x11), 0)}, nil},
		"beside P-256":           {validation{sender: calls(number(0x101), 0)}, []string{"OP-062 sender uses CALL of " + number(0x101).Hex() + " []"}},
		"last of precompiles":    {validation{sender: calls(number(0xffff), 0)}, []string{"OP-062 sender uses CALL of " + number(0xffff).Hex() + " []"}},
		"no precompile any more": {validation{sender: calls(number(0x10000), 0)}, []string{"OP-041 sender uses CALL of " + number(0x10000).Hex() + ", which has no code []"}},
		"zero address":           {validation{sender: calls(common.Address{}, 0)}, []string{"OP-041 sender uses CALL of " + common.Address{}.Hex() + ", which has no code []"}},

		"slot at the hash":       {validation{sender: help, helper: slot(0)}, nil},
		"last slot of the hash":  {validation{sender: help, helper: slot(128)}, nil},
		"slot behind these":      {validation{sender: help, helper: slot(129)}, foreign(new(uint256.Int).AddUint64(hash, 129))},
		"slot before the hash":   {validation{sender: help, helper: slot(-1)}, foreign(new(uint256.Int).SubUint64(hash, 1))},
		"too little hashed":      {validation{sender: help, helper: key(0, 63).Op(vm.SLOAD)}, foreign(hashed(common.RightPadBytes(word, 63)))},
		"no address hashed":      {validation{sender: help, helper: key(1, 64).Op(vm.SLOAD)}, foreign(hashed(append([]byte{1}, common.RightPadBytes(word, 64)[1:]...)))},
		"beside its own address": {validation{sender: help, helper: program.New().Push(1).Push(account).Op(vm.ADD, vm.SLOAD)}, foreign(new(uint256.Int).AddUint64(new(uint256.Int).SetBytes(account[:]), 1))},
		"transient slot read":    {validation{sender: help, helper: program.New().Push(3).Op(vm.TLOAD)}, []string{"STO-021 sender reads slot 0x3 of " + helper.Hex() + " (TLOAD) [sender]"}},

		"paymaster reads by a new sender":  {validation{factory: none, paymaster: help, helper: program.New().Push(newSender).Op(vm.SLOAD)}, []string{"STO-022 paymaster reads slot " + ofSender + " of " + helper.Hex() + " (SLOAD) [factory paymaster]"}},
		"paymaster writes by a new sender": {validation{factory: none, paymaster: help, helper: program.New().Push(1).Push(newSender).Op(vm.SSTORE)}, []string{"STO-022 paymaster writes slot " + ofSender + " of " + helper.Hex() + " (SSTORE) [factory]"}},
		"paymaster's own by a new sender":  {validation{factory: none, paymaster: program.New().Push(newSender).Op(vm.SLOAD)}, []string{"STO-031 paymaster reads slot " + ofSender + " of " + paymaster.Hex() + " (SLOAD) [paymaster]"}},
		"paymaster's by an old sender":     {validation{paymaster: program.New().Push(account).Op(vm.SLOAD)}, nil},
		"paymaster in the sender's":        {validation{paymaster: help, helper: program.New().Push(1).Op(vm.TLOAD)}, []string{"STO-033 paymaster reads slot 0x1 of " + helper.Hex() + " (TLOAD) [paymaster]"}},
		"paymaster writes for a while":     {validation{paymaster: help, helper: program.New().Tstore(1, 1)}, []string{"STO-032 paymaster writes slot 0x1 of " + helper.Hex() + " (TSTORE) []"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := test.run(t)
			require.Equal(t, test.want, texts(w.Violations()))
		})
	}
}

// Ensure each opcode of OP-011 is refused, with the remedy that fits it.
func TestBlockedOpcodes(t *testing.T) {
	t.Parallel()
	const block, bundle = "it is another one in the next block: leave it to the operation's call", "the bundle decides it: leave it to the operation's call"
	for op, remedy := range map[vm.OpCode]string{
		vm.ORIGIN: bundle, vm.GASPRICE: bundle, vm.BLOBHASH: bundle, vm.BLOCKHASH: block, vm.COINBASE: block, vm.NUMBER: block,
		vm.PREVRANDAO: block, vm.GASLIMIT: block, vm.BASEFEE: block, vm.BLOBBASEFEE: block,
		vm.TIMESTAMP: "return validAfter and validUntil, which the EntryPoint checks",
		vm.INVALID:   "revert instead", vm.SELFDESTRUCT: "leave it to the operation's call",
	} {
		w, _ := validation{sender: program.New().Push0().Op(op)}.run(t)
		require.Equal(t, []erc7562.Violation{
			{Rule: "OP-011", Entity: erc7562.Sender, Address: account, Did: "uses " + op.String(), Remedy: remedy},
		}, w.Violations())
	}
}

// Ensure what calls end with counts: a context that is not empty, of a paymaster that succeeds, and gas that runs out;
// but nothing of the EntryPoint's own.
func TestEndsOfCalls(t *testing.T) {
	t.Parallel()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	require.NoError(t, err)
	output := func(at uint64, size, length int) []byte {
		data := append(common.LeftPadBytes(new(big.Int).SetUint64(at).Bytes(), 32), make([]byte, 256)...)
		if at <= 256 {
			copy(data[at:], common.BigToHash(big.NewInt(int64(size))).Bytes())
		}
		return data[:length]
	}
	context := []string{"EREP-050 paymaster returns a context [paymaster]"}
	gas := []string{"OP-020 paymaster runs out of gas []"}
	huge := output(0, 0, 128)
	huge[0] = 1
	for name, c := range map[string]struct {
		output []byte
		err    error
		want   []string
	}{
		"empty":              {output(64, 0, 96), nil, nil},
		"a byte":             {output(64, 1, 96), nil, context},
		"at the end":         {output(96, 1, 128), nil, context},
		"cut off":            {output(97, 1, 128), nil, nil},
		"too short":          {output(32, 1, 95), nil, nil},
		"nowhere":            {output(1<<63, 1, 128), nil, nil},
		"far away":           {huge, nil, nil},
		"reverted":           {output(64, 1, 96), vm.ErrExecutionReverted, nil},
		"out of gas":         {nil, vm.ErrOutOfGas, gas},
		"no gas for code":    {nil, fmt.Errorf("create: %w", vm.ErrCodeStoreOutOfGas), gas},
		"another end":        {nil, errors.New("other"), nil},
		"an unknown opcode":  {nil, new(vm.ErrInvalidOpCode), []string{"OP-013 paymaster meets an " + new(vm.ErrInvalidOpCode).Error() + " []"}},
		"nothing at all":     {nil, nil, nil},
		"the largest length": {output(64, 1<<40, 128), nil, context},
	} {
		for _, by := range []common.Address{paymaster, account, nobody} {
			w := erc7562.New(erc7562.Operation{EntryPoint: entryPoint, Creator: creator, Sender: account, Paymaster: &paymaster})
			hooks := w.Hooks(func() {})
			hooks.OnTxStart(&tracing.VMContext{StateDB: db}, nil, common.Address{})
			hooks.OnEnter(0, byte(vm.CALL), common.Address{}, entryPoint, nil, 0, new(big.Int))
			hooks.OnEnter(1, byte(vm.CALL), entryPoint, by, nil, 0, new(big.Int))
			hooks.OnExit(1, c.output, 0, c.err, false)
			if by == paymaster {
				require.Equal(t, c.want, texts(w.Violations()), name)
			} else if by == nobody || c.err == nil {
				require.Empty(t, w.Violations(), name)
			}
			hooks.OnExit(0, nil, 0, vm.ErrOutOfGas, false)
			hooks.OnExit(0, nil, 0, vm.ErrOutOfGas, false)
			require.LessOrEqual(t, len(w.Violations()), 1, "the EntryPoint breaks none")
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

// Ensure nothing counts from the moment on in which the EntryPoint executes the operation.
func TestExecutionIsFree(t *testing.T) {
	t.Parallel()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	require.NoError(t, err)
	stops := 0
	w := erc7562.New(erc7562.Operation{EntryPoint: entryPoint, Creator: creator, Sender: account})
	hooks := w.Hooks(func() { stops++ })
	hooks.OnTxStart(&tracing.VMContext{StateDB: db}, nil, common.Address{})
	hooks.OnEnter(0, byte(vm.CALL), common.Address{}, entryPoint, nil, 0, new(big.Int))
	require.Zero(t, stops)
	for range 2 {
		hooks.OnEnter(1, byte(vm.CALL), entryPoint, entryPoint, nil, 0, new(big.Int))
		hooks.OnEnter(1, byte(vm.CALL), entryPoint, account, nil, 0, new(big.Int))
		hooks.OnExit(1, nil, 0, vm.ErrOutOfGas, true)
		require.Equal(t, 1, stops)
		require.Empty(t, w.Violations())
	}
}

// Ensure the mappings of each entity are its own, also where there are others.
func TestMappingsOfEntities(t *testing.T) {
	t.Parallel()
	none, of := program.New(), " (SSTORE) "
	slot := func(by common.Address) string {
		hash := new(uint256.Int).SetBytes(crypto.Keccak256(common.RightPadBytes(common.LeftPadBytes(by[:], 32), 64)))
		return " writes slot " + hash.AddUint64(hash, 1).Hex() + " of " + ledger.Hex() + of
	}
	w, _ := validation{factory: calls(ledger, 0), paymaster: calls(ledger, 0)}.run(t)
	require.Equal(t, []string{
		"STO-032 factory" + slot(factory) + "[factory]", "STO-032 paymaster" + slot(paymaster) + "[paymaster]",
	}, texts(w.Violations()))
	w, _ = validation{sender: calls(ledger, 0), paymaster: none}.run(t)
	require.Empty(t, w.Violations())
	with := calls(ledger, 0)
	sender := crypto.CreateAddress2(factory, common.Hash{}, crypto.Keccak256(
		program.New().ReturnViaCodeCopy(append(with.Bytes(), byte(vm.STOP))).Bytes()))
	w, _ = validation{factory: none, sender: with, paymaster: none}.run(t)
	require.Equal(t, []string{"STO-022 sender" + slot(sender) + "[factory sender]"}, texts(w.Violations()))
}
