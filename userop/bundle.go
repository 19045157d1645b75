package userop

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/userop/erc7562"
)

// Bundle is an operation on its way into a transaction of its own.
type Bundle struct {
	// Hash is the hash of the operation, which its sender signs.
	Hash common.Hash

	bundler  *Bundler
	entry    EntryPoint
	op       *Operation
	from     common.Address // the account that sends it
	data     []byte         // the call of handleOps
	gas      uint64         // limit, without the cost of an authorization
	replaced *Waiting       // the operation of the same sender and nonce in the pool; nil: there is none
}

// bundleGas is the gas of a bundle of one operation on top of the operation's limits and the call data.
const bundleGas = 200_000

// Bundle returns the bundle of an operation that its EntryPoint would accept in the block being built.
func (b *Bundler) Bundle(o *Operation, v EntryPoint) (*Bundle, error) {
	if err := o.GasGiven(); err != nil {
		return nil, err
	}
	m := b.moment()
	if err := o.authorized(m); err != nil {
		return nil, err
	}
	hash, err := hashOf(m, v, o)
	if err != nil {
		return nil, err
	}
	own := &Bundle{Hash: hash, bundler: b, entry: v, op: o, from: crypto.PubkeyToAddress(b.Key.PublicKey), gas: gasOf(v, o)}
	own.data = v.handleOpsCalls(own.from, o)
	if most := b.MostGas(m); own.gas > most {
		return nil, invalid("user operation: its limits add up to a bundle of %d gas, and a transaction has %d at most", own.gas, most)
	}
	if own.replaced, err = replacedBy(m, hash, o); err != nil {
		return nil, err
	}
	return own, own.check()
}

// Send adds the bundle to the pool, unless a fault strikes it. The errors come from the timeline.
func (b *Bundle) Send() error {
	if t := b.bundler.Timeline; t.Moment().Control().Notes[bookNote] != nil {
		return t.Atomically(b.postFaulty)
	}
	_, err := b.post(b.bundler.Timeline, nil)
	return err
}

// gasOf returns the gas limit of a bundle of one operation. A call gets 63/64 of the gas at most (EIP-150).
func gasOf(v EntryPoint, o *Operation) uint64 {
	sum := new(big.Int).Add(number(o.CallGasLimit), number(o.VerificationGasLimit))
	sum.Add(sum, number(o.PaymasterVerificationGasLimit)).Add(sum, number(o.PaymasterPostOpGasLimit))
	if v.legacy { // asks for as much again behind the verification, for the paymaster
		sum.Add(sum, number(o.VerificationGasLimit))
		if len(o.PaymasterAndData) > 0 {
			sum.Add(sum, number(o.VerificationGasLimit))
		}
	}
	sum.Mul(sum, big.NewInt(64)).Quo(sum, big.NewInt(63)).Add(sum, big.NewInt(bundleGas))
	sum.Add(sum, new(big.Int).SetUint64(callDataGas(v.handleOpsCalls(common.Address{}, o))))
	if !sum.IsUint64() {
		return 1 << 63 // rejected with the limit
	}
	return sum.Uint64()
}

// callDataGas returns the most that a transaction pays for its call data (EIP-7623).
func callDataGas(data []byte) uint64 {
	return gasOfBytes(data, params.TxCostFloorPerToken, params.TxCostFloorPerToken*params.TxTokenPerNonZeroByte)
}

// gasOfBytes returns the gas for data at one price for each zero byte and another for each other byte.
func gasOfBytes(data []byte, zero, other uint64) uint64 {
	zeros := uint64(bytes.Count(data, []byte{0}))
	return zeros*zero + (uint64(len(data))-zeros)*other
}

// check returns an error if handleOps would fail in the block being built, or the validation breaks a rule.
func (b *Bundle) check() error {
	call := simulate.Call{From: &b.from, To: &b.entry.Address, Gas: &b.gas, Data: b.data, Authorizations: b.op.authorizations()}
	watch := b.watch()
	if watch != nil {
		call.Tracer = watch.Hooks
	}
	results, err := b.bundler.run(*b.op.Sender, b.replaced, nil, call)
	if err != nil {
		return err
	}
	if failure := results[0].Err; failure != nil {
		return b.refused(failure)
	}
	if watch != nil {
		return b.obeys(watch)
	}
	return nil
}

// post sends the bundle and returns its transaction. It first calls before with the hash, unless before is nil.
func (b *Bundle) post(t *preconf.Timeline, before func(common.Hash) error) (*types.Transaction, error) {
	var nonce *uint64
	fees := b.fees(t.Moment())
	if b.replaced != nil {
		nonce, fees = new(b.replaced.Bundle.Nonce()), fees.above(b.replaced.Bundle)
	}
	return b.sign(t, nonce, func(nonce uint64) *types.Transaction { return b.transaction(fees, nonce) }, before)
}

// sign sends a transaction of the bundler and returns it. It first calls before with the hash, unless before is nil.
func (b *Bundle) sign(
	t *preconf.Timeline, nonce *uint64, fill func(nonce uint64) *types.Transaction, before func(common.Hash) error,
) (*types.Transaction, error) {
	signer := b.bundler.moment().Signer()
	return t.SendAs(b.from, nonce, func(nonce uint64) (*types.Transaction, error) {
		tx, err := types.SignTx(fill(nonce), signer, b.bundler.Key)
		if err == nil && before != nil {
			err = before(tx.Hash())
		}
		return tx, err
	})
}

// fees are the fees of a bundle, in wei per gas.
type fees struct{ tip, feeCap *big.Int }

// fees returns the fees of the bundle in the next block. It pays the operation's tip, so that the pool orders it among
// the transactions of others.
func (b *Bundle) fees(m *preconf.Moment) fees {
	feeCap := b.bundler.Price(m)
	feeCap.Add(feeCap, feeCap)
	tip := number(b.op.MaxPriorityFeePerGas)
	if tip.Cmp(feeCap) > 0 {
		tip = feeCap
	}
	return fees{tip, feeCap}
}

// above returns fees that are high enough to replace a transaction.
func (f fees) above(tx *types.Transaction) fees {
	most := func(fees ...*big.Int) *big.Int { return slices.MaxFunc(fees, (*big.Int).Cmp) }
	return fees{most(f.tip, raised(tx.GasTipCap())), most(f.feeCap, raised(tx.GasFeeCap()))}
}

// raised returns a fee that is 10 % higher, rounded up, and not 0.
func raised(fee *big.Int) *big.Int {
	if fee.Sign() == 0 {
		return big.NewInt(1)
	}
	raised := new(big.Int).Mul(fee, big.NewInt(11))
	return raised.Add(raised, big.NewInt(9)).Quo(raised, big.NewInt(10))
}

func (b *Bundle) transaction(f fees, nonce uint64) *types.Transaction {
	tx := types.DynamicFeeTx{
		ChainID: b.bundler.moment().Chain().Config().ChainID, Nonce: nonce, GasTipCap: f.tip, GasFeeCap: f.feeCap, Gas: b.gas, To: &b.entry.Address, Data: b.data,
	}
	authorizations := b.op.authorizations()
	tx.Gas += uint64(len(authorizations)) * params.CallNewAccountGas
	return unsigned(tx, authorizations)
}

func withNonce(tx *types.Transaction, nonce uint64) *types.Transaction {
	return unsigned(types.DynamicFeeTx{
		ChainID: tx.ChainId(), Nonce: nonce, GasTipCap: tx.GasTipCap(), GasFeeCap: tx.GasFeeCap(), Gas: tx.Gas(), To: tx.To(), Data: tx.Data(),
	}, tx.SetCodeAuthorizations())
}

// unsigned returns a transaction of the type that its authorizations need.
func unsigned(tx types.DynamicFeeTx, authorizations []types.SetCodeAuthorization) *types.Transaction {
	if authorizations == nil {
		return types.NewTx(&tx)
	}
	return types.NewTx(&types.SetCodeTx{
		ChainID: uint256.MustFromBig(tx.ChainID), Nonce: tx.Nonce, GasTipCap: uint256.MustFromBig(tx.GasTipCap),
		GasFeeCap: uint256.MustFromBig(tx.GasFeeCap), Gas: tx.Gas, To: *tx.To, Data: tx.Data, AuthList: authorizations,
	})
}

// replacedBy returns the operation in the pool that the new one replaces, or nil. It is an error if the new one does
// not pay 10 % more.
func replacedBy(m *preconf.Moment, hash common.Hash, o *Operation) (*Waiting, error) {
	for _, old := range Pool(m) {
		if *old.Sender != *o.Sender || number(old.Nonce).Cmp(number(o.Nonce)) != 0 {
			continue
		}
		known, err := hashOf(m, old.EntryPoint, old.Operation)
		switch {
		case err != nil:
			return nil, err
		case known == hash:
			return nil, invalid("user operation %s is already known", hash)
		case number(o.MaxFeePerGas).Cmp(raised(number(old.MaxFeePerGas))) < 0,
			number(o.MaxPriorityFeePerGas).Cmp(raised(number(old.MaxPriorityFeePerGas))) < 0:
			return nil, invalid(
				"user operation %s does not replace %s, which has the same sender and nonce: its maxFeePerGas and maxPriorityFeePerGas are %s and %s, want at least %s and %s, 10 %% more",
				hash, known, number(o.MaxFeePerGas), number(o.MaxPriorityFeePerGas), raised(number(old.MaxFeePerGas)), raised(number(old.MaxPriorityFeePerGas)),
			)
		}
		return &old, nil
	}
	return nil, nil
}

// watch returns a Watch for the validation of the operation, or nil if the rules are loose.
func (b *Bundle) watch() *erc7562.Watch {
	if b.bundler.Loose {
		return nil
	}
	deployer, _ := b.op.factory()
	return erc7562.New(erc7562.Operation{
		EntryPoint: b.entry.Address, Creator: b.entry.creator, Sender: *b.op.Sender, Factory: deployer, Paymaster: b.op.paymaster(),
	})
}

// obeys returns an error that names the first rule that the validation broke without a stake that excuses it, or nil.
func (b *Bundle) obeys(w *erc7562.Watch) error {
	for _, v := range w.Violations() {
		staked, err := b.anyStaked(w.Operation(), v.Staked)
		if err != nil {
			return err
		}
		if !staked {
			return broken(v)
		}
	}
	return nil
}

// broken returns the error of an operation whose validation breaks a rule.
func broken(v erc7562.Violation) error {
	remedy := v.Remedy
	if len(v.Staked) > 0 {
		remedy += fmt.Sprintf(", or lock a stake of the %s at the EntryPoint for a day: addStake(%d)", v.Staked[0], uint(minStakeDelay))
	}
	err := refusedFor(BreaksRule, "[%s] %s %s %s (%s; --bundler-rules loose allows it)", v.Rule, v.Entity, v.Address, v.Did, remedy)
	err.Data = v
	return err
}

// minStakeDelay is the time that a stake must be locked, in seconds (SREP-010). Any amount is enough.
const minStakeDelay = 86_400

// anyStaked reports whether one of the operation's entities has a stake in the block being built.
func (b *Bundle) anyStaked(op *erc7562.Operation, entities []erc7562.Entity) (bool, error) {
	for _, e := range entities {
		results, err := b.bundler.Run(nil, simulate.Call{To: &b.entry.Address, Data: entrypoint.PackGetDepositInfo(op.Address(e))})
		if err != nil {
			return false, err
		}
		stake, err := entrypoint.UnpackStake(results[0].ReturnData)
		if err == nil && stake.Locked && stake.Wei.Sign() > 0 && stake.Delay >= minStakeDelay {
			return true, nil
		}
	}
	return false, nil
}
