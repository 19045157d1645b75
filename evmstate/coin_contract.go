package evmstate

import (
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// coinContract is CoinAuthority or CoinControl, for one Machine.
type coinContract struct {
	*ledger
	address common.Address
}

// coinFunction is a function of a contract of the coin. Its arguments are words.
type coinFunction struct {
	arguments int
	gas       uint64 // with cold storage
	denied    string // the reason for callers other than the token; empty: anybody may call it
	run       func(l *ledger, words []common.Hash) (result *uint256.Int, reason string)
}

// Gas of what the functions do.
const (
	coinRead  = params.ColdSloadCostEIP2929
	coinWrite = params.SstoreResetGasEIP2200 - params.ColdSloadCostEIP2929
	coinLog   = params.LogGas + params.LogTopicGas // with one topic
	movedLog  = coinLog + 2*params.LogTopicGas + 32*params.LogDataGas
)

// coinFunctions has the functions of each contract by their selectors.
var coinFunctions = map[common.Address]map[[4]byte]coinFunction{
	CoinAuthority: {
		selector("mint(address,uint256)"): {
			2, 3*coinRead + 2*coinWrite + movedLog, "Not enabled native coin minter", func(l *ledger, words []common.Hash) (*uint256.Int, string) {
				return l.issue(common.Address{}, addressIn(words[0]), numberIn(words[1]))
			},
		},
		selector("burn(address,uint256)"): {
			2, 3*coinRead + 2*coinWrite + movedLog, "Not enabled native coin burner", func(l *ledger, words []common.Hash) (*uint256.Int, string) {
				return l.issue(addressIn(words[0]), common.Address{}, numberIn(words[1]))
			},
		},
		selector("transfer(address,address,uint256)"): {
			3, 4*coinRead + 2*coinWrite + movedLog, "Not enabled for native coin transfers", func(l *ledger, words []common.Hash) (*uint256.Int, string) {
				from, to, wei := addressIn(words[0]), addressIn(words[1]), numberIn(words[2])
				if reason := l.refusal(from, to); reason != "" {
					return nil, reason
				}
				return l.move(from, to, wei)
			},
		},
		selector("totalSupply()"): {0, coinRead, "", func(l *ledger, _ []common.Hash) (*uint256.Int, string) {
			return numberIn(l.GetState(CoinAuthority, CoinSupplySlot)), ""
		}},
	},
	CoinControl: {
		selector("isBlocklisted(address)"): {1, coinRead, "", func(l *ledger, words []common.Hash) (*uint256.Int, string) {
			if l.blocked(addressIn(words[0])) {
				return uint256.NewInt(1), ""
			}
			return new(uint256.Int), ""
		}},
		selector("blocklist(address)"):   setsBlocked("Blocklisted(address)", "Not enabled for blocklisting", common.Hash{31: 1}),
		selector("unBlocklist(address)"): setsBlocked("UnBlocklisted(address)", "Not enabled for unblocklisting", common.Hash{}),
	},
}

// setsBlocked returns the function that sets whether an account is blocked, with that event.
func setsBlocked(event, denied string, to common.Hash) coinFunction {
	topic := crypto.Keccak256Hash([]byte(event))
	return coinFunction{1, coinWrite + coinLog + params.LogTopicGas, denied, func(l *ledger, words []common.Hash) (*uint256.Int, string) {
		l.SetState(CoinControl, BlockedSlot(addressIn(words[0])), to)
		l.AddLog(&types.Log{Address: CoinControl, Topics: []common.Hash{topic, words[0]}})
		return uint256.NewInt(1), ""
	}}
}

// issue mints or burns: from or to is the zero address.
func (l *ledger) issue(from, to common.Address, wei *uint256.Int) (*uint256.Int, string) {
	supply := numberIn(l.GetState(CoinAuthority, CoinSupplySlot))
	change, overflow := supply.AddOverflow, "Arithmetic overflow"
	if to == (common.Address{}) {
		change, overflow = supply.SubOverflow, "Insufficient funds"
	}
	switch _, over := change(supply, wei); {
	case from == to:
		return nil, zeroAddress
	case l.blocked(from) || l.blocked(to):
		return nil, blockedAddress
	case wei.IsZero():
		return nil, "Zero amount invalid"
	case over:
		return nil, overflow
	}
	l.SetState(CoinAuthority, CoinSupplySlot, supply.Bytes32())
	return l.move(from, to, wei)
}

// move moves the coin and logs it. The zero address has as much as is minted.
func (l *ledger) move(from, to common.Address, wei *uint256.Int) (*uint256.Int, string) {
	if from != (common.Address{}) {
		if l.GetBalance(from).Lt(wei) {
			return nil, "Insufficient funds"
		}
		l.SubBalance(from, wei, tracing.BalanceChangeTransfer)
	}
	if to != (common.Address{}) {
		l.Overlay.AddBalance(to, wei, tracing.BalanceChangeTransfer)
	}
	l.log(from, to, wei)
	return uint256.NewInt(1), ""
}

// Name implements vm.PrecompiledContract.
func (c coinContract) Name() string {
	if c.address == CoinAuthority {
		return "NATIVE_COIN_AUTHORITY"
	}
	return "NATIVE_COIN_CONTROL"
}

// call returns the function that the input calls, and its arguments.
func (c coinContract) call(input []byte) (f coinFunction, words []common.Hash, ok bool) {
	if len(input) < 4 {
		return f, nil, false
	}
	f, ok = coinFunctions[c.address][[4]byte(input)]
	if !ok || len(input) < 4+32*f.arguments {
		return f, nil, false
	}
	for i := range f.arguments {
		words = append(words, common.Hash(input[4+32*i:]))
	}
	return f, words, true
}

// RequiredGas implements vm.PrecompiledContract.
func (c coinContract) RequiredGas(input []byte) uint64 {
	const refused = 200
	if f, _, ok := c.call(input); ok && (f.denied == "" || c.caller == c.token) {
		return f.gas
	}
	return refused
}

// Run implements vm.PrecompiledContract. The token makes sure that it writes in no static call: its own logs fail
// there.
func (c coinContract) Run(input []byte) ([]byte, error) {
	f, words, ok := c.call(input)
	switch {
	case !ok:
		return revertData("Execution reverted"), vm.ErrExecutionReverted
	case f.denied != "" && c.caller != c.token:
		return revertData(f.denied), vm.ErrExecutionReverted
	}
	result, reason := f.run(c.ledger, words)
	if reason != "" {
		return revertData(reason), vm.ErrExecutionReverted
	}
	word := result.Bytes32()
	return word[:], nil
}

func selector(signature string) [4]byte { return [4]byte(crypto.Keccak256([]byte(signature))) }

func addressIn(word common.Hash) common.Address { return common.BytesToAddress(word[:]) }

func numberIn(word common.Hash) *uint256.Int { return new(uint256.Int).SetBytes(word[:]) }

// revertData returns the data of a revert for that reason: Error(string).
func revertData(reason string) []byte {
	text, _ := abi.NewType("string", "", nil)
	packed, err := abi.Arguments{{Type: text}}.Pack(reason)
	if err != nil {
		panic(err) // a text can be packed
	}
	return append(crypto.Keccak256([]byte("Error(string)"))[:4], packed...)
}

// revertCode returns code that reverts for that reason: it copies the data behind it to memory.
func revertCode(reason string) []byte {
	data := revertData(reason)
	size := byte(len(data))
	code := []byte{byte(vm.PUSH1), size, byte(vm.PUSH1), 0, byte(vm.PUSH0), byte(vm.CODECOPY), byte(vm.PUSH1), size, byte(vm.PUSH0), byte(vm.REVERT)}
	code[3] = byte(len(code))
	return append(code, data...)
}
