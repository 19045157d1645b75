package userop

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Paymaster is the policy of the node's paymaster service (ERC-7677). The zero value sponsors every operation. It is in
// snapshots and worlds, and a reorg does not change it.
type Paymaster struct {
	// Deny lists senders whose operations are rejected.
	Deny []common.Address
	// MaxCost limits the cost of an operation, in wei: the sum of its limits at its highest fee. Nil: no limit.
	MaxCost *uint256.Int
	// Budget limits the sum of costs, in wei: all that the paymaster has paid on the chain and in the pending block, plus
	// the most that the new operation can cost. Nil: no limit.
	Budget *uint256.Int
	// ValidFor is the time on the clock that a signature is valid, in whole seconds. Zero: for ever.
	ValidFor time.Duration
	// Signature makes the signatures invalid in this way. Empty: they are valid.
	Signature PaymasterSignature
	// ExchangeRate is the price of an ether in token units, for accounts that pay with a token. Nil: 3,000 of the payment
	// token.
	ExchangeRate *uint256.Int
}

// Rate returns the ExchangeRate that applies, in token units.
func (p Paymaster) Rate() *uint256.Int {
	if p.ExchangeRate != nil {
		return p.ExchangeRate
	}
	return uint256.NewInt(3_000_000_000)
}

// PaymasterSignature names a kind of signatures of the service.
type PaymasterSignature string

// The kinds of signatures.
const (
	ValidSignature   PaymasterSignature = "valid"
	WrongSignature   PaymasterSignature = "wrong"   // of another key: AA34
	ExpiredSignature PaymasterSignature = "expired" // expired a second ago: AA32
	EarlySignature   PaymasterSignature = "early"   // valid in an hour: AA32
)

// PaymasterSignatures lists the kinds of signatures.
func PaymasterSignatures() []PaymasterSignature {
	return []PaymasterSignature{ValidSignature, WrongSignature, ExpiredSignature, EarlySignature}
}

// paymasterNote is the name of the timeline's note with the encoded Paymaster.
const paymasterNote = "paymaster"

// SetPaymaster sets the policy of a timeline's paymaster service from now on. The error names the invalid field of p.
func SetPaymaster(t *preconf.Timeline, p Paymaster) error {
	switch {
	case p.Signature != "" && !slices.Contains(PaymasterSignatures(), p.Signature):
		return fmt.Errorf("signature %.40q is unknown: want one of %v", p.Signature, PaymasterSignatures())
	case p.ValidFor < 0 || p.ValidFor > control.LongestTime:
		return fmt.Errorf("valid for %s is not between 0 and %s", p.ValidFor, control.LongestTime)
	case p.ValidFor%time.Second != 0:
		return fmt.Errorf("valid for %s is no whole number of seconds", p.ValidFor)
	case p.ExchangeRate != nil && p.ExchangeRate.BitLen() > maxRate:
		return fmt.Errorf("exchange rate %s is over the limit of 2^%d - 1", p.ExchangeRate, maxRate)
	case p.ValidFor != 0 && p.Signature != "" && p.Signature != ValidSignature:
		return fmt.Errorf("valid for %s and signature %q do not go together", p.ValidFor, p.Signature)
	}
	note, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return t.SetNote(paymasterNote, note)
}

// PaymasterOf returns the policy of the paymaster service at a moment.
func PaymasterOf(m *preconf.Moment) (p Paymaster) {
	if note := m.Note(paymasterNote); note != nil {
		if err := json.Unmarshal(note, &p); err != nil {
			return Paymaster{} // a file is checked against damage where it is read
		}
	}
	return p
}

// ErrNoPaymaster is returned if the chain lacks the paymaster.
var ErrNoPaymaster = fmt.Errorf("the chain has no paymaster of the node at %s, as a genesis with the payment contracts has it", entrypoint.PaymasterAddress)

// maxRate is the most bits of an exchange rate, so that its product with a cost fits a word.
const maxRate = 128

// maxDeposit is the most bits of a deposit: the published EntryPoint 0.6 accepts no more.
const maxDeposit = 112

// SetPaymasterDeposit sets the paymaster's deposit at every EntryPoint in wei, below 2^112, by an edit of the state.
// Errors: ErrNoPaymaster, and the errors of preconf.Timeline.EditState.
func SetPaymasterDeposit(t *preconf.Timeline, wei *uint256.Int) error {
	if wei.BitLen() > maxDeposit {
		return fmt.Errorf("a deposit of %s wei is over the limit of 2^%d - 1", wei, maxDeposit)
	}
	deposits, err := Deposits(t.Moment())
	if err != nil {
		return err
	}
	slot := entrypoint.DepositSlot(entrypoint.PaymasterAddress)
	return t.EditState(func(s *evmstate.State) *evmstate.State {
		for _, d := range deposits {
			had := new(uint256.Int).SetBytes(s.Storage(d.EntryPoint, slot).Bytes())
			balance := new(uint256.Int).Sub(s.Balance(d.EntryPoint), had)
			s = s.WithStorage(d.EntryPoint, slot, wei.Bytes32()).WithBalance(d.EntryPoint, evmstate.Sum(balance, wei))
		}
		return s
	})
}

// Deposit is the paymaster's deposit at an EntryPoint.
type Deposit struct {
	EntryPoint common.Address
	Wei        *uint256.Int
}

// Deposits returns the paymaster's deposit at each EntryPoint of the chain after the pre-confirmed transactions, the
// newest EntryPoint first. Error: ErrNoPaymaster.
func Deposits(m *preconf.Moment) (deposits []Deposit, err error) {
	state, err := m.Pending().State()
	if err != nil {
		return nil, err
	}
	if err := state.Load(entrypoint.PaymasterAddress); err != nil {
		return nil, err
	}
	if len(state.Code(entrypoint.PaymasterAddress)) == 0 {
		return nil, ErrNoPaymaster
	}
	slot := entrypoint.DepositSlot(entrypoint.PaymasterAddress)
	for _, address := range addresses() {
		if err := state.Load(address, slot); err != nil {
			return nil, err
		}
		if len(state.Code(address)) > 0 {
			deposits = append(deposits, Deposit{address, new(uint256.Int).SetBytes(state.Storage(address, slot).Bytes())})
		}
	}
	return deposits, nil
}
