package bundler

import (
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Limits that the paymaster needs from v0.7 on, in gas. It has a postOp only where it takes tokens.
const (
	sponsorGas   = 60_000
	postGas      = 1
	tokenPostGas = 200_000 // also for the state gas of Amsterdam
)

// SponsorContext is what a client asks of the paymaster service. The zero value: that it costs nothing.
type SponsorContext struct {
	Token *common.Address `json:"token"` // that the account pays with, as Pimlico's clients name it
	ERC20 *common.Address `json:"erc20"` // and Coinbase's
}

// Wanted describes the object in error messages.
func (SponsorContext) Wanted() string { return "an object: {token?} or {erc20?}" }

// token returns what the account pays with, or nil.
func (c *SponsorContext) token() *common.Address {
	if c == nil {
		return nil
	}
	return cmp.Or(c.Token, c.ERC20)
}

// sponsorshipObject is the answer of the paymaster service (ERC-7677): of v0.6 paymasterAndData, later its parts.
type sponsorshipObject struct {
	PaymasterAndData              hexutil.Bytes   `json:"paymasterAndData,omitempty"`
	Paymaster                     *common.Address `json:"paymaster,omitempty"`
	PaymasterData                 hexutil.Bytes   `json:"paymasterData,omitempty"`
	PaymasterVerificationGasLimit *hexutil.Big    `json:"paymasterVerificationGasLimit,omitempty"`
	PaymasterPostOpGasLimit       *hexutil.Big    `json:"paymasterPostOpGasLimit,omitempty"`
	Sponsor                       *sponsorObject  `json:"sponsor,omitempty"`
}

// sponsorObject names who pays.
type sponsorObject struct {
	Name string `json:"name"`
}

// GetPaymasterStubData serves pm_getPaymasterStubData: data of the right length for the estimate of an operation, which
// no EntryPoint takes.
func GetPaymasterStubData(r *api.Request, o Operation, entryPoint common.Address, chainID hexutil.Big, c *SponsorContext) (any, error) {
	v, err := sponsored(r, &o, entryPoint, &chainID, c)
	if err != nil {
		return nil, err
	}
	// The words have no more zeros than those of any time range, and no EntryPoint finds them out of range.
	terms := entrypoint.Sponsorship{Until: 1<<48 - 1, After: 1}
	PaymasterOf(r.Moment()).prices(&terms, c)
	stub := append(terms.Words(), bytes.Repeat([]byte{0x11}, crypto.SignatureLength-1)...)
	object := answered(v, &o, c, append(stub, 27))
	object.Sponsor = &sponsorObject{"fakenode"}
	return object, nil
}

// GetPaymasterData serves pm_getPaymasterData: the paymaster's signature for an operation with all its limits.
func GetPaymasterData(r *api.Request, o Operation, entryPoint common.Address, chainID hexutil.Big, c *SponsorContext) (any, error) {
	v, err := sponsored(r, &o, entryPoint, &chainID, c)
	if err != nil {
		return nil, err
	}
	object := answered(v, &o, c, nil)
	o.Paymaster, o.PaymasterAndData = object.Paymaster, object.PaymasterAndData
	if o.PaymasterVerificationGasLimit == nil {
		o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit = object.PaymasterVerificationGasLimit, object.PaymasterPostOpGasLimit
	}
	if err := o.gasGiven(); err != nil {
		return nil, err
	}
	policy := PaymasterOf(r.Moment())
	if err := policy.affords(r.Moment(), v, &o); err != nil {
		return nil, err
	}
	terms, key := policy.signs(r.Moment())
	policy.prices(&terms, c)
	data, err := o.sponsor(chainID.ToInt().Uint64(), v, terms, key)
	if err != nil {
		return nil, err
	}
	return answered(v, &o, c, data), nil
}

// sponsored returns the EntryPoint of an operation that the paymaster is asked to pay for, if it sponsors the sender.
func sponsored(r *api.Request, o *Operation, entryPoint common.Address, chainID *hexutil.Big, c *SponsorContext) (version, error) {
	v, err := accepted(r, o, entryPoint)
	if err != nil {
		return version{}, err
	}
	if has := r.Network.ChainID(); !chainID.ToInt().IsUint64() || chainID.ToInt().Uint64() != has {
		return version{}, api.InvalidParams("chain id %s is not that of this chain, %#x", chainID, has)
	}
	if _, err := Deposits(r.Moment()); err != nil {
		return version{}, api.Errorf(api.CodeMethodNotFound, "%s: %s", r.Method, err)
	}
	if slices.Contains(PaymasterOf(r.Moment()).Deny, *o.Sender) {
		return version{}, unsponsored("sender %s is denied", o.Sender)
	}
	if token := c.token(); token != nil {
		state, err := r.Account(&api.BlockTag{Kind: api.TagPending}, *token)
		if err != nil {
			return version{}, err
		}
		if len(state.Code(*token)) == 0 {
			return version{}, api.InvalidParams("context: there is no token at %s", token)
		}
	}
	return v, nil
}

// prices adds the token that the account pays with, and its price.
func (p Paymaster) prices(terms *entrypoint.Sponsorship, c *SponsorContext) {
	if token := c.token(); token != nil {
		terms.Token, terms.TokenPerNative = *token, p.Rate()
	}
}

// unsponsored returns the error of an operation that the service does not pay for.
func unsponsored(format string, args ...any) error {
	err := api.Errorf(codePaymaster, "the paymaster does not sponsor the operation: "+format+" (fakenode_paymaster)", args...)
	err.Data = map[string]any{"paymaster": entrypoint.PaymasterAddress}
	return err
}

// affords returns an error if an operation may cost more than the policy allows.
func (p *Paymaster) affords(m *preconf.Moment, v version, o *Operation) error {
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

// paidBy returns what a paymaster has paid for operations on the chain and in the pending block, in wei. On a fork it
// does not look below the fork block.
func paidBy(m *preconf.Moment, paymaster common.Address) (*big.Int, error) {
	filter := chain.LogFilter{Addresses: addresses(), Topics: [][]common.Hash{{operationEvent}, nil, nil, {common.BytesToHash(paymaster[:])}}}
	logs, err := m.Logs(filter, preconf.At(m.Chain().Base()), preconf.Bound{Tag: preconf.Pending})
	if err != nil {
		return nil, err
	}
	sum := new(big.Int)
	for l := range logs {
		sum.Add(sum, eventWord(l, 2))
	}
	return sum, nil
}

// eventWord returns a word of the data of an operation's event: nonce, success, cost in wei, gas.
func eventWord(event *types.Log, i int) *big.Int {
	return new(big.Int).SetBytes(event.Data[32*i : 32*i+32])
}

// signs returns for which time the service signs now, and with which key.
func (p *Paymaster) signs(m *preconf.Moment) (terms entrypoint.Sponsorship, key *ecdsa.PrivateKey) {
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

// wrongKey is one that the paymaster does not know.
var wrongKey = func() *ecdsa.PrivateKey {
	key, err := crypto.ToECDSA(common.BigToHash(common.Big1).Bytes())
	if err != nil {
		panic(err) // 1 is a key
	}
	return key
}()

// sponsor returns the paymaster's data for an operation.
func (o *Operation) sponsor(chainID uint64, v version, terms entrypoint.Sponsorship, key *ecdsa.PrivateKey) ([]byte, error) {
	if v.legacy {
		return o.legacy().Sponsor(chainID, v.address, terms, key)
	}
	return o.packed().Sponsor(chainID, v.address, terms, key)
}

// answered returns the paymaster's data as clients of an EntryPoint take it, with limits where the operation has none.
func answered(v version, o *Operation, c *SponsorContext, data []byte) sponsorshipObject {
	if v.legacy {
		return sponsorshipObject{PaymasterAndData: append(entrypoint.PaymasterAddress.Bytes(), data...)}
	}
	object := sponsorshipObject{Paymaster: &entrypoint.PaymasterAddress, PaymasterData: data}
	if o.PaymasterVerificationGasLimit == nil {
		object.PaymasterVerificationGasLimit = (*hexutil.Big)(big.NewInt(sponsorGas))
		object.PaymasterPostOpGasLimit = (*hexutil.Big)(big.NewInt(postGas))
		if c.token() != nil {
			object.PaymasterPostOpGasLimit = (*hexutil.Big)(big.NewInt(tokenPostGas))
		}
	}
	return object
}

// prefund returns what an operation may cost, in wei, as an EntryPoint reckons it.
func (v version) prefund(o *Operation) *big.Int {
	gas := new(big.Int).Add(number(o.CallGasLimit), number(o.PreVerificationGas))
	verification := new(big.Int).Set(number(o.VerificationGasLimit))
	if v.legacy && o.paymaster() != nil { // it may be for the paymaster's two calls, too
		verification.Mul(verification, big.NewInt(3))
	}
	gas.Add(gas, verification).Add(gas, number(o.PaymasterVerificationGasLimit)).Add(gas, number(o.PaymasterPostOpGasLimit))
	return gas.Mul(gas, number(o.MaxFeePerGas))
}
