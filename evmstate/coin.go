package evmstate

import (
	"errors"
	"maps"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// Coin holds the choices in which the native coins of chains differ. The zero value is ether.
type Coin struct {
	// NativeToken is the contract that shows the native coin as a token. What moves then has a log (EIP-7708), the zero
	// address takes part in nothing, and nor do the accounts that the contract blocks. Zero: there is none.
	NativeToken common.Address
	// KeepBaseFee gives the fee recipient of a block the base fee as well. False: it is burned.
	KeepBaseFee bool
}

// The contracts by which a native token moves the coin and blocks accounts.
var (
	CoinAuthority = common.HexToAddress("0x1800000000000000000000000000000000000000")
	CoinControl   = common.HexToAddress("0x1800000000000000000000000000000000000001")
)

// CoinSupplySlot is the slot of CoinAuthority that holds the supply of the coin, in wei.
var CoinSupplySlot = common.Hash{31: 2}

// BlockedSlot returns the slot of CoinControl that is not zero if an account is blocked.
func BlockedSlot(account common.Address) common.Hash {
	const mapping = 2
	return crypto.Keccak256Hash(common.LeftPadBytes(account[:], 32), common.LeftPadBytes([]byte{mapping}, 32))
}

// Reasons of reverts.
const (
	blockedAddress = "Blocked address"
	zeroAddress    = "Zero address not allowed"
	selfDestructed = "Cannot increase the balance of selfdestructed account"
)

// ErrBlocked is the error of a message whose sender is blocked, or whose recipient is and gets a value.
var ErrBlocked = errors.New(blockedAddress)

// Check returns ErrBlocked for a transaction that no block on a State may have, or the error of the State's Source.
func (c Coin) Check(tx *types.Transaction, from common.Address, in *State) error {
	if c.NativeToken == (common.Address{}) {
		return nil
	}
	parties := []common.Address{from}
	if to := tx.To(); to != nil && tx.Value().Sign() > 0 {
		parties = append(parties, *to)
	}
	for _, account := range parties {
		slot := BlockedSlot(account)
		if err := in.Load(CoinControl, slot); err != nil {
			return err
		}
		if in.Storage(CoinControl, slot) != (common.Hash{}) {
			return ErrBlocked
		}
	}
	return nil
}

// ledger is the state that the EVM sees where the native coin is a token, too. It also is the contracts by which the
// token moves it.
type ledger struct {
	*Overlay
	token   common.Address
	silent  bool           // the EVM itself logs what moves
	caller  common.Address // of the frame that begins, if it is a CALL
	refused common.Address // the recipient of that frame, if reason says why it fails
	reason  string
	leaving common.Address // the contract that destructs itself
}

// SetCoin gives the next messages the coin of their chain. It must be called after SetPrecompiles.
func (m *Machine) SetCoin(c Coin) {
	m.keepBaseFee = c.KeepBaseFee
	if c.NativeToken == (common.Address{}) {
		return
	}
	rules := m.evm.GetRules()
	m.ledger = &ledger{Overlay: &m.overlay, token: c.NativeToken, silent: rules.IsAmsterdam}
	m.evm.StateDB, m.evm.Context.Transfer = m.ledger, m.ledger.transfer
	contracts := maps.Clone(m.overlay.contracts)
	if contracts == nil {
		contracts = vm.ActivePrecompiledContracts(rules)
	}
	m.OverridePrecompiles(contracts)
}

// OverridePrecompiles replaces the precompiled contracts by those that state overrides have left. Those of the coin
// stay: the Machine adds them to the map.
func (m *Machine) OverridePrecompiles(contracts vm.PrecompiledContracts) {
	if m.ledger != nil {
		contracts[CoinAuthority] = coinContract{m.ledger, CoinAuthority}
		contracts[CoinControl] = coinContract{m.ledger, CoinControl}
	}
	m.evm.SetPrecompiles(contracts)
}

// admits returns ErrBlocked for a message that no block may have.
func (l *ledger) admits(msg *core.Message) error {
	if l.blocked(msg.From) || msg.To != nil && !msg.Value.IsZero() && l.blocked(*msg.To) {
		return ErrBlocked
	}
	return nil
}

func (l *ledger) blocked(account common.Address) bool {
	return l.GetState(CoinControl, BlockedSlot(account)) != common.Hash{}
}

// refusal returns why nothing may move from one account to another, or "".
func (l *ledger) refusal(from, to common.Address) string {
	switch {
	case from == common.Address{} || to == common.Address{}:
		return zeroAddress
	case l.blocked(from) || l.blocked(to):
		return blockedAddress
	case l.HasSelfDestructed(to):
		return selfDestructed
	}
	return ""
}

// Snapshot begins a frame.
func (l *ledger) Snapshot() int {
	l.caller, l.reason = common.Address{}, ""
	return l.Overlay.Snapshot()
}

// transfer is core.Transfer with what a native token adds. The EVM cannot be told that a transfer fails with a reason:
// nothing moves, and the frame executes revertCode.
func (l *ledger) transfer(_ vm.StateDB, from, to common.Address, wei *uint256.Int, rules *params.Rules) {
	l.caller = from
	if !wei.IsZero() {
		if l.reason = l.refusal(from, to); l.reason != "" {
			l.refused = to
			return
		}
	}
	core.Transfer(l.Overlay, from, to, wei, rules)
	l.log(from, to, wei)
}

// log adds the log of what has moved, unless there is none.
func (l *ledger) log(from, to common.Address, wei *uint256.Int) {
	if !l.silent && from != to && !wei.IsZero() {
		l.AddLog(types.EthTransferLog(from, to, wei))
	}
}

// GetCode returns the code of an account, or code that reverts in the place of that of a refused recipient.
func (l *ledger) GetCode(address common.Address) []byte {
	if l.reason != "" && address == l.refused {
		return revertCode(l.reason)
	}
	return l.Overlay.GetCode(address)
}

// RevertToSnapshot ends a frame that failed.
func (l *ledger) RevertToSnapshot(id int) {
	l.reason = ""
	l.Overlay.RevertToSnapshot(id)
}

// IsNewContract is what the EVM asks first when a contract destructs itself.
func (l *ledger) IsNewContract(address common.Address) bool {
	l.leaving = address
	return l.Overlay.IsNewContract(address)
}

// AddBalance gives the balance of a contract that destructs itself back where it may not go: the EVM cannot be told
// that this fails.
func (l *ledger) AddBalance(to common.Address, wei *uint256.Int, reason tracing.BalanceChangeReason) uint256.Int {
	if reason == tracing.BalanceIncreaseSelfdestruct && !wei.IsZero() {
		if l.refusal(l.leaving, to) != "" {
			to = l.leaving
		}
		l.log(l.leaving, to, wei)
	}
	return l.Overlay.AddBalance(to, wei, reason)
}

// keepFee gives the fee recipient the base fee that a message has paid.
func (m *Machine) keepFee(msg *core.Message, gasUsed uint64) {
	price := uint256.MustFromBig(m.evm.Context.BaseFee)
	if msg.GasPrice.Lt(price) {
		price = msg.GasPrice // of a call without a price
	}
	fee := uint256.NewInt(gasUsed)
	m.overlay.AddBalance(m.evm.Context.Coinbase, fee.Mul(fee, price), tracing.BalanceIncreaseRewardTransactionFee)
}
