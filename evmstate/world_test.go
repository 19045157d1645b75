package evmstate_test

import (
	"crypto/ecdsa"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// choices turns random bytes into decisions. Once they are used up, every decision is the first of its options.
type choices struct{ data []byte }

func (c *choices) more() bool { return len(c.data) > 0 }

// below returns a number in [0, n), n at most 256.
func (c *choices) below(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b) % n
}

// once returns true one time in n.
func (c *choices) once(n int) bool { return c.below(n) == n-1 }

func pick[T any](c *choices, of []T) T { return of[c.below(len(of))] }

var (
	coinbase = common.HexToAddress("0xc01ba5e")
	specials = []common.Address{
		coinbase,
		common.BytesToAddress([]byte{1}),
		common.BytesToAddress([]byte{2}),
		common.BytesToAddress([]byte{3}),
		common.BytesToAddress([]byte{4}),
		common.BytesToAddress([]byte{9}),
		common.BytesToAddress([]byte{1, 0}),
		common.HexToAddress("0xdead"),    // never there at first
		common.HexToAddress("0xe317"),    // there, but empty
		common.HexToAddress("0xe317510"), // empty but for storage
		params.SystemAddress,
	}
)

// world holds a genesis with random contracts and makes random messages to them.
type world struct {
	*choices
	rules     params.Rules
	config    *params.ChainConfig
	keys      []*ecdsa.PrivateKey
	senders   []common.Address
	contracts []common.Address
	created   []common.Address // where CREATE2 would put a contract
	inits     [][]byte
	alloc     types.GenesisAlloc
}

func newWorld(c *choices, config *params.ChainConfig, rules params.Rules) *world {
	w := &world{choices: c, rules: rules, config: config, alloc: types.GenesisAlloc{}}
	for i := range 4 {
		key, err := crypto.ToECDSA(crypto.Keccak256([]byte{byte(i)}))
		if err != nil {
			panic(err)
		}
		sender := crypto.PubkeyToAddress(key.PublicKey)
		w.keys, w.senders = append(w.keys, key), append(w.senders, sender)
		w.alloc[sender] = types.Account{Balance: big.NewInt(1e12)}
	}
	for i := range 5 {
		w.contracts = append(w.contracts, common.BytesToAddress([]byte{0xc0, 0, byte(i)}))
	}
	w.inits = append(w.inits, program.New().ReturnViaCodeCopy(program.New().Selfdestruct(coinbase).Bytes()).Bytes())
	for range 3 {
		w.inits = append(w.inits, w.init())
	}
	for _, contract := range w.contracts[:3] {
		for _, init := range w.inits {
			for salt := range 2 {
				w.created = append(w.created, crypto.CreateAddress2(contract, common.BigToHash(big.NewInt(int64(salt))), crypto.Keccak256(init)))
			}
		}
	}
	for _, contract := range w.contracts {
		w.alloc[contract] = types.Account{
			Nonce:   uint64(w.below(3)),
			Balance: big.NewInt(int64(w.below(4))),
			Code:    w.code(12).Bytes(),
			Storage: map[common.Hash]common.Hash{w.hash(): w.hash(), w.hash(): w.hash()},
		}
	}
	if !rules.IsMerge {
		w.alloc[common.HexToAddress("0xe317")] = types.Account{Balance: new(big.Int)}
		w.alloc[common.BytesToAddress([]byte{3})] = types.Account{Balance: new(big.Int)}
		w.alloc[common.HexToAddress("0xe317510")] = types.Account{
			Balance: new(big.Int),
			Storage: map[common.Hash]common.Hash{{1}: {2}, {}: {3}},
		}
	}
	for address, account := range core.SystemContractAllocs() {
		if rules.IsCancun {
			w.alloc[address] = account
		}
	}
	return w
}

// hash returns one of four hashes, so that slots and values are used more than once.
func (w *world) hash() common.Hash { return common.BytesToHash([]byte{byte(w.below(4))}) }

func (w *world) address() common.Address {
	switch w.below(8) {
	case 0, 1, 2:
		return pick(w.choices, w.contracts)
	case 3, 4:
		if len(w.created) > 0 {
			return pick(w.choices, w.created)
		}
		return pick(w.choices, w.contracts)
	case 5:
		return pick(w.choices, w.senders)
	default:
		return pick(w.choices, specials)
	}
}

// init returns init code, which may fail to create a contract.
func (w *world) init() []byte {
	p := w.code(w.below(4))
	switch w.below(8) {
	case 0:
		return p.Bytes()
	case 1:
		return p.Selfdestruct(w.address()).Bytes()
	case 2:
		return p.ReturnData([]byte{0xef, 0}).Bytes() // EIP-3541
	default:
		runtime := w.code(w.below(6))
		if w.once(2) {
			runtime.Selfdestruct(w.address())
		}
		return p.ReturnViaCodeCopy(runtime.Bytes()).Bytes()
	}
}

// code returns a program of random actions that leave the stack empty.
func (w *world) code(actions int) *program.Program {
	p := program.New()
	for range actions {
		w.action(p)
	}
	return p
}

func (w *world) action(p *program.Program) {
	kinds := 24
	if w.rules.IsAmsterdam {
		kinds = 27
	}
	switch w.below(kinds) {
	case 0, 1, 2:
		p.Sstore(w.below(4), w.below(4))
	case 3:
		p.Push(w.below(4)).Op(vm.SLOAD).Push(w.below(4)).Op(vm.SSTORE)
	case 4, 5, 6, 7:
		w.call(p)
		p.Push(w.below(4)).Op(vm.SSTORE) // whether it succeeded
	case 8:
		init := pick(w.choices, w.inits)
		p.Mstore(init, 0)
		p.Push(len(init)).Push(0).Push(w.below(3)).Op(vm.CREATE, vm.POP)
	case 9, 10:
		if w.rules.IsConstantinople {
			p.Create2(pick(w.choices, w.inits), w.below(2)).Op(vm.POP)
		}
	case 11:
		if w.rules.IsConstantinople {
			p.Create2ThenCall(pick(w.choices, w.inits), w.below(2))
		}
	case 12:
		p.Selfdestruct(w.address())
	case 13:
		p.Op(vm.ADDRESS, vm.SELFDESTRUCT)
	case 14:
		topics := w.below(5)
		for range topics {
			p.Push(w.below(4))
		}
		p.Push(w.below(64)).Push(0).Op(vm.LOG0 + vm.OpCode(topics))
	case 15:
		p.Push(w.address()).Op(vm.BALANCE).Push(w.below(4)).Op(vm.SSTORE)
	case 16:
		if w.rules.IsConstantinople {
			p.Push(w.address()).Op(vm.EXTCODEHASH).Push(w.below(4)).Op(vm.SSTORE)
		}
	case 17:
		p.Push(w.address()).Op(vm.EXTCODESIZE).Push(w.below(4)).Op(vm.SSTORE)
	case 18:
		p.ExtcodeCopy(w.address(), 0, 0, w.below(64))
	case 19:
		if w.rules.IsCancun {
			p.Tstore(w.below(3), w.below(3))
		}
	case 20:
		if w.rules.IsCancun {
			p.Push(w.below(3)).Op(vm.TLOAD).Push(w.below(4)).Op(vm.SSTORE)
		}
	case 21:
		p.Op(vm.GAS).Push(3).Op(vm.SSTORE)
	case 22:
		if w.rules.IsIstanbul {
			p.Op(vm.SELFBALANCE).Push(w.below(4)).Op(vm.SSTORE)
		}
	case 23:
		w.end(p)
	case 24:
		p.Op(vm.SLOTNUM).Push(w.below(4)).Op(vm.SSTORE)
	case 25, 26:
		w.shuffle(p)
	}
}

// shuffle reaches deep into the stack (EIP-8024), sometimes with a forbidden operand or deeper than the stack is.
func (w *world) shuffle(p *program.Program) {
	const depth = 20
	for i := range depth {
		p.Push(i)
	}
	operand := pick(w.choices, []byte{0x80, 0x81, 0x82, 0x83, 0x84, 0x5a, 0x5b, 0x7f, 0x00, 0x8e, 0x9d})
	op := pick(w.choices, []vm.OpCode{vm.DUPN, vm.SWAPN, vm.EXCHANGE})
	p.Op(op).Append([]byte{operand})
	p.Push(w.below(4)).Op(vm.SSTORE)
	left := depth - 1
	if op == vm.DUPN {
		left = depth
	}
	for range left {
		p.Op(vm.POP)
	}
}

func (w *world) call(p *program.Program) {
	var gas *uint256.Int // all
	if w.once(3) {
		gas = uint256.NewInt(pick(w.choices, []uint64{0, 100, 700, 2_300, 9_000, 30_000}))
	}
	address := w.address()
	switch w.below(6) {
	case 0:
		p.CallCode(gas, address, w.below(3), 0, w.below(40), 0, 32)
	case 1:
		if w.rules.IsHomestead {
			p.DelegateCall(gas, address, 0, w.below(40), 0, 32)
			return
		}
		p.Push(1)
	case 2:
		if w.rules.IsByzantium {
			p.StaticCall(gas, address, 0, w.below(40), 0, 32)
			return
		}
		p.Push(1)
	default:
		p.Call(gas, address, w.below(3), 0, w.below(40), 0, 32)
	}
}

func (w *world) end(p *program.Program) {
	switch w.below(5) {
	case 0:
		p.Op(vm.STOP)
	case 1:
		p.Op(vm.INVALID)
	case 2:
		p.Return(0, w.below(64))
	default:
		if w.rules.IsByzantium {
			p.Push(w.below(64)).Push(0).Op(vm.REVERT)
		}
	}
}
