package evmstate

import (
	"cmp"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// The contracts by which a native token moves the coin and blocks accounts.
var (
	CoinAuthority = common.HexToAddress("0x1800000000000000000000000000000000000000")
	CoinControl   = common.HexToAddress("0x1800000000000000000000000000000000000001")
)

// SupplySlot is the slot of CoinAuthority that has the total supply, in wei.
var SupplySlot = common.Hash{31: 2}

// BlockedSlot returns the slot of CoinControl that is not zero if an account is blocked.
func BlockedSlot(account common.Address) common.Hash {
	mapping := common.Hash{31: 2}
	return crypto.Keccak256Hash(common.LeftPadBytes(account[:], 32), mapping[:])
}

// ErrBlocked is the error of a transaction whose sender is blocked, or whose recipient is and gets a value.
//
//lint:ignore ST1005 the text is that of the chain
var ErrBlocked = errors.New("Blocked address")

// CheckParties returns ErrBlocked for the parties of a transaction that no block on the State of a chain with a native
// token may have, or the error of the State's Source. paid reports whether there is a value.
func (s *State) CheckParties(from common.Address, to *common.Address, paid bool) error {
	slot := BlockedSlot(from)
	if err := s.Load(CoinControl, slot); err != nil {
		return err
	}
	if s.Storage(CoinControl, slot) != (common.Hash{}) {
		return ErrBlocked
	}
	if to != nil && paid {
		return s.CheckParties(*to, nil, false)
	}
	return nil
}

// ledger is the state that the EVM sees where the native coin is a token, too.
type ledger struct {
	*Overlay
	evm     *vm.EVM
	given   *tracing.Hooks // of the EVM, before watch
	token   common.Address
	caller  common.Address // of the frame that begins, if it is a CALL
	refused common.Address // the recipient of that frame, if reason says why it fails
	reason  string
	leaves  *vm.Contract // its next instruction stands for SELFDESTRUCT
}

// SetNativeToken makes a token move the native coin of the next messages, besides these contracts, to whose map the
// Machine adds those of the coin.
func (m *Machine) SetNativeToken(token common.Address, contracts vm.PrecompiledContracts) {
	m.ledger = &ledger{Overlay: &m.overlay, evm: m.evm, token: token}
	m.evm.StateDB, m.evm.Context.Transfer = m.ledger, m.ledger.transfer
	m.SetPrecompiles(contracts)
	m.OverridePrecompiles(contracts)
}

// OverridePrecompiles replaces the precompiled contracts by those that state overrides have left, to which the Machine
// adds those of the coin.
func (m *Machine) OverridePrecompiles(contracts vm.PrecompiledContracts) {
	if m.ledger != nil {
		contracts[CoinAuthority], contracts[CoinControl] = coinContract{m.ledger}, coinContract{m.ledger}
	}
	m.evm.SetPrecompiles(contracts)
}

// pay executes a message by the rules of the coin: no fee is burned.
func (m *Machine) pay(msg *core.Message, gp *core.GasPool) (*core.ExecutionResult, error) {
	if m.ledger == nil {
		return m.execute(msg, gp)
	}
	if err := m.overlay.base.CheckParties(msg.From, msg.To, !msg.Value.IsZero()); err != nil {
		return nil, err
	}
	m.ledger.given = m.evm.Config.Tracer
	result, err := m.execute(msg, gp)
	m.evm.Config.Tracer = m.ledger.given
	if baseFee := m.evm.Context.BaseFee; err == nil && baseFee != nil { // the fee recipient has the tip
		price := uint256.MustFromBig(baseFee)
		if msg.GasPrice.Lt(price) {
			price.Set(msg.GasPrice) // of a call without a price
		}
		m.overlay.AddBalance(m.evm.Context.Coinbase, price.Mul(price, uint256.NewInt(result.UsedGas)), tracing.BalanceIncreaseRewardTransactionFee)
	}
	return result, err
}

// refusal returns why nothing may move from one account to another, or "".
func (l *ledger) refusal(from, to common.Address) string {
	switch {
	case from == common.Address{} || to == common.Address{}:
		return "Zero address not allowed"
	case l.GetState(CoinControl, BlockedSlot(from)) != common.Hash{}, l.GetState(CoinControl, BlockedSlot(to)) != common.Hash{}:
		return ErrBlocked.Error()
	case l.HasSelfDestructed(to):
		return "Cannot increase the balance of selfdestructed account"
	}
	return ""
}

// Snapshot begins a frame.
func (l *ledger) Snapshot() int {
	l.caller, l.reason = common.Address{}, ""
	return l.Overlay.Snapshot()
}

// transfer moves the value of a frame and logs it. The EVM cannot be told that this fails with a reason: then nothing
// moves, and the frame executes code that reverts.
func (l *ledger) transfer(_ vm.StateDB, from, to common.Address, wei *uint256.Int, _ *params.Rules) {
	l.caller, l.refused = from, to
	if !wei.IsZero() {
		l.reason = l.refusal(from, to)
	}
	if l.reason == "" {
		l.SubBalance(from, wei, tracing.BalanceChangeTransfer)
		l.AddBalance(to, wei, tracing.BalanceChangeTransfer)
		l.log(from, to, wei)
	}
}

// log adds the log of what has moved, if anything has.
func (l *ledger) log(from, to common.Address, wei *uint256.Int) {
	if from != to && !wei.IsZero() {
		l.AddLog(types.EthTransferLog(from, to, wei))
	}
}

// GetCode returns the code of an account, or in the place of a refused recipient's code that reverts.
func (l *ledger) GetCode(address common.Address) []byte {
	if reason := l.reason; reason != "" && address == l.refused {
		l.reason = ""
		return reverting(nil, reason)
	}
	code := l.Overlay.GetCode(address)
	for at := 0; at < len(code); at += width(vm.OpCode(code[at])) {
		if vm.OpCode(code[at]) == vm.SELFDESTRUCT {
			l.watch()
			break
		}
	}
	return code
}

// width returns how many bytes an instruction takes.
func width(op vm.OpCode) int {
	if vm.PUSH1 <= op && op <= vm.PUSH32 {
		return 1 + int(op-vm.PUSH0)
	}
	return 1
}

// CreateContract begins the frame of a creation.
func (l *ledger) CreateContract(address common.Address) {
	l.watch()
	l.Overlay.CreateContract(address)
}

// watch lets guard see the instructions of the frames that begin from now on, which takes time.
func (l *ledger) watch() {
	hooks := *cmp.Or(l.given, new(tracing.Hooks))
	hooks.OnOpcodeV2 = func(pc uint64, op byte, gas, cost tracing.Gas, scope tracing.OpContext, data []byte, depth int, err error) {
		l.given.EmitOpcode(pc, op, gas, cost, scope, data, depth, err)
		l.guard(pc, vm.OpCode(op), scope.(*vm.ScopeContext))
	}
	l.evm.Config.Tracer = &hooks
}

// guard sees an instruction before it is executed, and replaces the code behind it where nothing may move: by a revert
// in a creation, and by a JUMPDEST for SELFDESTRUCT, at which the heir is on the stack; not behind a jump or a call.
func (l *ledger) guard(pc uint64, op vm.OpCode, scope *vm.ScopeContext) {
	contract, leaves := scope.Contract, l.leaves
	code, next := contract.Code, int(pc)+width(op)
	l.leaves = nil
	switch {
	case leaves == contract:
		contract.Code = l.bequeath(code, contract.Address(), scope.StackData())
	case next >= len(code):
	case contract.IsDeployment && l.reason != "" && contract.Address() == l.refused:
		contract.Code, l.reason = reverting(code[:next], l.reason), ""
	case vm.OpCode(code[next]) == vm.SELFDESTRUCT && op < vm.CREATE && op != vm.JUMP && op != vm.JUMPI && op != vm.CODECOPY:
		contract.Code, l.leaves = append(code[:next:next], byte(vm.JUMPDEST)), contract
	}
}

// bequeath returns code with an end that destructs the contract, for the heir on the stack, or reverts. What moves has
// a log.
func (l *ledger) bequeath(code []byte, from common.Address, stack []uint256.Int) []byte {
	wei := l.GetBalance(from)
	if len(stack) == 0 || wei.IsZero() {
		return append(code, byte(vm.SELFDESTRUCT))
	}
	to := common.Address(stack[len(stack)-1].Bytes20())
	if reason := l.refusal(from, to); reason != "" {
		return reverting(code, reason)
	}
	if from == to {
		return append(code, byte(vm.PUSH0), byte(vm.PUSH0), byte(vm.REVERT))
	}
	if !l.evm.GetRules().IsAmsterdam { // from then on the EVM logs it
		l.log(from, to, wei)
	}
	return append(code, byte(vm.SELFDESTRUCT))
}

// reverting returns code with an end that copies the data of a revert to memory and reverts.
func reverting(code []byte, reason string) []byte {
	data, at := revertData(reason), len(code)+11
	size := byte(len(data))
	return slices.Concat(code, []byte{
		byte(vm.PUSH1), size, byte(vm.PUSH2), byte(at >> 8), byte(at), byte(vm.PUSH0), byte(vm.CODECOPY), byte(vm.PUSH1), size, byte(vm.PUSH0), byte(vm.REVERT),
	}, data)
}

// revertData returns the data of a revert for that reason: Error(string).
func revertData(reason string) []byte {
	data := append(crypto.Keccak256([]byte("Error(string)"))[:4], common.LeftPadBytes([]byte{32}, 32)...)
	data = append(data, common.LeftPadBytes([]byte{byte(len(reason))}, 32)...)
	return append(data, common.RightPadBytes([]byte(reason), (len(reason)+31)/32*32)...)
}

// coinContract is CoinAuthority and CoinControl, for one Machine.
type coinContract struct{ *ledger }

// coinFunctions has the functions of the coin's contracts by their selectors: their gas with cold storage, and the
// reason for callers other than the token. Anybody may call one without a reason.
var coinFunctions = map[[4]byte]struct {
	name   string
	gas    uint64
	denied string
}{
	selector("isBlocklisted(address)"):            {"isBlocklisted", 2_100, ""},
	selector("totalSupply()"):                     {"totalSupply", 2_100, ""},
	selector("blocklist(address)"):                {"blocklist", 4_025, "Not enabled for blocklisting"},
	selector("unBlocklist(address)"):              {"unBlocklist", 4_025, "Not enabled for unblocklisting"},
	selector("mint(address,uint256)"):             {"mint", 13_856, "Not enabled native coin minter"},
	selector("burn(address,uint256)"):             {"burn", 13_856, "Not enabled native coin burner"},
	selector("transfer(address,address,uint256)"): {"transfer", 15_956, "Not enabled for native coin transfers"},
}

func selector(signature string) [4]byte { return [4]byte(crypto.Keccak256([]byte(signature))) }

// Name implements vm.PrecompiledContract.
func (c coinContract) Name() string { return "NATIVE_COIN" }

// RequiredGas implements vm.PrecompiledContract.
func (c coinContract) RequiredGas(input []byte) uint64 {
	return coinFunctions[[4]byte(common.RightPadBytes(input, 4))].gas
}

// Run implements vm.PrecompiledContract. Writing in a static call is for the token to prevent: its own logs fail there.
func (c coinContract) Run(input []byte) ([]byte, error) {
	input = common.RightPadBytes(input, 4+3*32)
	f, words := coinFunctions[[4]byte(input)], input[4:]
	account, other := common.BytesToAddress(words[:32]), common.BytesToAddress(words[32:64])
	result, reason := common.Hash{31: 1}, ""
	switch {
	case f.name == "isBlocklisted":
		result = c.GetState(CoinControl, BlockedSlot(account))
	case f.name == "totalSupply":
		result = c.GetState(CoinAuthority, SupplySlot)
	case f.name == "" || c.caller != c.token:
		reason = cmp.Or(f.denied, "Execution reverted")
	case f.name == "blocklist":
		c.block(account, 1, "Blocklisted(address)")
	case f.name == "unBlocklist":
		c.block(account, 0, "UnBlocklisted(address)")
	case f.name == "mint":
		reason = c.carry(common.Address{}, account, words[32:64])
	case f.name == "burn":
		reason = c.carry(account, common.Address{}, words[32:64])
	case f.name == "transfer":
		reason = c.carry(account, other, words[64:96])
	}
	if reason != "" {
		return revertData(reason), vm.ErrExecutionReverted
	}
	return result[:], nil
}

// block sets whether an account is blocked, and emits an event.
func (l *ledger) block(account common.Address, status byte, event string) {
	l.SetState(CoinControl, BlockedSlot(account), common.Hash{31: status})
	l.AddLog(&types.Log{Address: CoinControl, Topics: []common.Hash{crypto.Keccak256Hash([]byte(event)), common.BytesToHash(account[:])}})
}

// carry moves the coin as the token says, and returns why not, or "". The zero address stands for what is minted and
// burned.
func (l *ledger) carry(from, to common.Address, amount []byte) string {
	wei := new(uint256.Int).SetBytes(amount)
	if reason := l.refusal(cmp.Or(from, to), cmp.Or(to, from)); reason != "" {
		return reason
	}
	supply := l.GetState(CoinAuthority, SupplySlot).Big()
	switch {
	case from == common.Address{}:
		supply.Add(supply, wei.ToBig())
	case l.GetBalance(from).Lt(wei):
		return "Insufficient funds"
	default:
		l.SubBalance(from, wei, tracing.BalanceChangeTransfer)
	}
	if to == (common.Address{}) {
		supply.Sub(supply, wei.ToBig())
	} else {
		l.AddBalance(to, wei, tracing.BalanceChangeTransfer)
	}
	l.SetState(CoinAuthority, SupplySlot, common.BigToHash(supply))
	l.log(from, to, wei)
	return ""
}
