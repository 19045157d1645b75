package userop

import (
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
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
func (p Paymaster) Rate() *uint256.Int { return cmp.Or(p.ExchangeRate, uint256.NewInt(3_000_000_000)) }

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
	return keepNote(t, paymasterNote, p)
}

// PaymasterOf returns the policy of the paymaster service at a moment.
func PaymasterOf(m *preconf.Moment) Paymaster { return noteOf[Paymaster](m, paymasterNote) }

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

// Limits that the paymaster needs from v0.7 on, in gas. Its postOp runs only if the account pays with tokens.
const (
	sponsorGas   = 60_000
	postGas      = 1
	tokenPostGas = 200_000 // also for the state gas of Amsterdam
)

// Payment holds an operation's members about its paymaster: PaymasterAndData in v0.6, later its parts.
type Payment struct {
	PaymasterAndData              hexutil.Bytes   `json:"paymasterAndData,omitempty"`
	Paymaster                     *common.Address `json:"paymaster,omitempty"`
	PaymasterData                 hexutil.Bytes   `json:"paymasterData,omitempty"`
	PaymasterVerificationGasLimit *hexutil.Big    `json:"paymasterVerificationGasLimit,omitempty"`
	PaymasterPostOpGasLimit       *hexutil.Big    `json:"paymasterPostOpGasLimit,omitempty"`
}

// Sponsors returns an error if the service pays for no operations of the sender. The account pays with the token, or
// nothing if token is nil. Errors: ErrNoPaymaster.
func (p Paymaster) Sponsors(m *preconf.Moment, o *Operation, token *common.Address) error {
	if _, err := Deposits(m); err != nil {
		return err
	}
	if slices.Contains(p.Deny, *o.Sender) {
		return unsponsored("sender %s is denied", o.Sender)
	}
	if token == nil {
		return nil
	}
	state, err := stateOf(m.Pending(), *token)
	if err != nil {
		return err
	}
	if len(state.Code(*token)) == 0 {
		return invalid("context: there is no token at %s", token)
	}
	return nil
}

// Stub returns a payment of the right length for the estimate of an operation, which no EntryPoint accepts.
func (p Paymaster) Stub(o *Operation, v EntryPoint, token *common.Address) Payment {
	// The words have no more zeros than the words of any time range, and every EntryPoint finds the time in range.
	terms := entrypoint.Sponsorship{Until: 1<<48 - 1, After: 1}
	p.prices(&terms, token)
	stub := append(terms.Words(), bytes.Repeat([]byte{0x11}, crypto.SignatureLength-1)...)
	return o.payment(v, token, append(stub, 27))
}

// Sponsor returns the paymaster's signature for an operation with all its limits; it fills in missing limits of the
// paymaster.
func (p Paymaster) Sponsor(m *preconf.Moment, o *Operation, v EntryPoint, token *common.Address) (Payment, error) {
	blank, own := o.payment(v, token, nil), *o
	own.Paymaster, own.PaymasterAndData = blank.Paymaster, blank.PaymasterAndData
	if own.PaymasterVerificationGasLimit == nil {
		own.PaymasterVerificationGasLimit, own.PaymasterPostOpGasLimit = blank.PaymasterVerificationGasLimit, blank.PaymasterPostOpGasLimit
	}
	if err := own.GasGiven(); err != nil {
		return Payment{}, err
	}
	if err := p.affords(m, v, &own); err != nil {
		return Payment{}, err
	}
	terms, key := p.signs(m)
	p.prices(&terms, token)
	data, err := own.sponsor(m.Chain().Config().ChainID.Uint64(), v, terms, key)
	if err != nil {
		return Payment{}, err
	}
	return own.payment(v, token, data), nil
}

// prices adds the token that the account pays with, and its price.
func (p Paymaster) prices(terms *entrypoint.Sponsorship, token *common.Address) {
	if token != nil {
		terms.Token, terms.TokenPerNative = *token, p.Rate()
	}
}

// unsponsored returns the error of an operation for which the service does not pay.
func unsponsored(format string, args ...any) error {
	err := refusedFor(ByPaymaster, "the paymaster does not sponsor the operation: "+format+" (fakenode_paymaster)", args...)
	err.Data = Payer{&entrypoint.PaymasterAddress}
	return err
}

// affords returns an error if an operation may cost more than the policy allows.
func (p Paymaster) affords(m *preconf.Moment, v EntryPoint, o *Operation) error {
	cost := v.prefund(o)
	if p.MaxCost != nil && cost.Cmp(p.MaxCost.ToBig()) > 0 {
		return unsponsored("it may cost %s wei, and maxCost is %s", cost, p.MaxCost)
	}
	if p.Budget == nil {
		return nil
	}
	paid, err := paidBy(m, entrypoint.PaymasterAddress)
	if err != nil {
		return err
	}
	if new(big.Int).Add(paid, cost).Cmp(p.Budget.ToBig()) > 0 {
		return unsponsored("it may cost %s wei, and %s of the budget of %s are spent", cost, paid, p.Budget)
	}
	return nil
}

// paidBy returns the sum that a paymaster has paid for operations on the chain and in the pending block, in wei. On a
// fork it does not look below the fork block.
func paidBy(m *preconf.Moment, paymaster common.Address) (*big.Int, error) {
	payments := chain.LogFilter{Addresses: addresses(), Topics: [][]common.Hash{{operationEvent}, nil, nil, {common.BytesToHash(paymaster[:])}}}
	logs, err := m.Logs(payments, filter.At(m.Chain().Base()), filter.Bound{Tag: filter.Pending})
	if err != nil {
		return nil, err
	}
	sum := new(big.Int)
	for l := range logs {
		sum.Add(sum, eventWord(l, costWord))
	}
	return sum, nil
}

// signs returns the time range that the service signs now, and the key it signs with.
func (p Paymaster) signs(m *preconf.Moment) (terms entrypoint.Sponsorship, key *ecdsa.PrivateKey) {
	now, key := max(uint64(m.Now().Unix()), m.NextHeader().Time), entrypoint.PaymasterKey()
	switch {
	case p.Signature == WrongSignature:
		key = wrongKey
	case p.Signature == ExpiredSignature:
		terms.Until = now - 1
	case p.Signature == EarlySignature:
		terms.After = now + 3600
	case p.ValidFor > 0:
		terms.Until = uint64(m.Now().Add(p.ValidFor).Unix())
	}
	return terms, key
}

// wrongKey is a key whose signatures the paymaster does not accept.
var wrongKey = func() *ecdsa.PrivateKey {
	key, err := crypto.ToECDSA(common.BigToHash(common.Big1).Bytes())
	if err != nil {
		panic(err) // 1 is a key
	}
	return key
}()

func (o *Operation) sponsor(chainID uint64, v EntryPoint, terms entrypoint.Sponsorship, key *ecdsa.PrivateKey) ([]byte, error) {
	if v.legacy {
		return o.legacy().Sponsor(chainID, v.Address, terms, key)
	}
	return o.packed().Sponsor(chainID, v.Address, terms, key)
}

// payment returns the paymaster's data in an EntryPoint's form, with limits where the operation has none.
func (o *Operation) payment(v EntryPoint, token *common.Address, data []byte) Payment {
	if v.legacy {
		return Payment{PaymasterAndData: append(entrypoint.PaymasterAddress.Bytes(), data...)}
	}
	p := Payment{Paymaster: &entrypoint.PaymasterAddress, PaymasterData: data}
	if o.PaymasterVerificationGasLimit == nil {
		p.PaymasterVerificationGasLimit = (*hexutil.Big)(big.NewInt(sponsorGas))
		p.PaymasterPostOpGasLimit = (*hexutil.Big)(big.NewInt(postGas))
		if token != nil {
			p.PaymasterPostOpGasLimit = (*hexutil.Big)(big.NewInt(tokenPostGas))
		}
	}
	return p
}

// prefund returns the most that an operation can cost, in wei, as an EntryPoint computes it.
func (v EntryPoint) prefund(o *Operation) *big.Int {
	gas := new(big.Int).Add(number(o.CallGasLimit), number(o.PreVerificationGas))
	verification := new(big.Int).Set(number(o.VerificationGasLimit))
	if v.legacy && o.paymaster() != nil { // the limit may also be for the paymaster's two calls
		verification.Mul(verification, big.NewInt(3))
	}
	gas.Add(gas, verification).Add(gas, number(o.PaymasterVerificationGasLimit)).Add(gas, number(o.PaymasterPostOpGasLimit))
	return gas.Mul(gas, number(o.MaxFeePerGas))
}
