package bundler

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// bundle is an operation on its way into a transaction of its own.
type bundle struct {
	*api.Request
	version
	*Operation
	hash     common.Hash    // of the operation
	from     common.Address // who sends it
	data     []byte         // the call of handleOps
	gas      uint64         // limit, without what an authorization costs
	replaced *waiting       // the operation of the same sender and nonce in the pool; nil: there is none
}

// check returns an error if handleOps would fail in the block being built, or the validation breaks a rule.
func (b *bundle) check() error {
	call := simulate.Call{From: &b.from, To: &b.version.address, Gas: &b.gas, Data: b.data, Authorizations: b.authorizations()}
	watch := b.watch()
	if watch != nil {
		call.Tracer = watch.Hooks
	}
	results, err := run(b.Request, *b.Sender, b.replaced, nil, call)
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

// post sends the bundle and returns it. Before it does, it tells its hash, unless before is nil.
func (b *bundle) post(t *preconf.Timeline, before func(common.Hash) error) (*types.Transaction, error) {
	var nonce *uint64
	fees := b.fees(t.Moment())
	if b.replaced != nil {
		nonce, fees = new(b.replaced.bundle.Nonce()), fees.above(b.replaced.bundle)
	}
	return b.sign(t, nonce, func(nonce uint64) *types.Transaction { return b.transaction(fees, nonce) }, before)
}

// sign sends a transaction of the bundler and returns it. Before it does, it tells its hash, unless before is nil.
func (b *bundle) sign(
	t *preconf.Timeline, nonce *uint64, fill func(nonce uint64) *types.Transaction, before func(common.Hash) error,
) (*types.Transaction, error) {
	return t.SendAs(b.from, nonce, func(nonce uint64) (*types.Transaction, error) {
		tx, err := types.SignTx(fill(nonce), b.Signer(), b.Network.Key(b.from))
		if err == nil {
			_, err = types.Sender(sender{b.Signer(), b.from}, tx) // remembered, so that nobody recovers it
		}
		if err == nil && before != nil {
			err = before(tx.Hash())
		}
		return tx, err
	})
}

// sender is a signer that knows whose signature it is.
type sender struct {
	types.Signer
	address common.Address
}

func (s sender) Sender(*types.Transaction) (common.Address, error) { return s.address, nil }

// fees are those of a bundle, in wei per gas.
type fees struct{ tip, feeCap *big.Int }

// fees returns those of the bundle in the next block. Its tip is that of the operation, so that the pool orders it
// among the transactions of others.
func (b *bundle) fees(m *preconf.Moment) fees {
	feeCap := api.SuggestedPrice(m)
	feeCap.Add(feeCap, feeCap)
	tip := number(b.MaxPriorityFeePerGas)
	if tip.Cmp(feeCap) > 0 {
		tip = feeCap
	}
	return fees{tip, feeCap}
}

// above returns fees that are high enough to replace a transaction.
func (f fees) above(tx *types.Transaction) fees {
	most := func(a, b *big.Int) *big.Int {
		if a.Cmp(b) > 0 {
			return a
		}
		return b
	}
	return fees{most(f.tip, raised(tx.GasTipCap())), most(f.feeCap, raised(tx.GasFeeCap()))}
}

// raised returns a fee that is 10 % higher, rounded up.
func raised(fee *big.Int) *big.Int {
	raised := new(big.Int).Mul(fee, big.NewInt(11))
	return raised.Add(raised, big.NewInt(9)).Quo(raised, big.NewInt(10))
}

// transaction returns the unsigned transaction.
func (b *bundle) transaction(f fees, nonce uint64) *types.Transaction {
	tx := types.DynamicFeeTx{
		ChainID: b.Moment().Chain().Config().ChainID, Nonce: nonce, GasTipCap: f.tip, GasFeeCap: f.feeCap, Gas: b.gas, To: &b.version.address, Data: b.data,
	}
	authorizations := b.authorizations()
	tx.Gas += uint64(len(authorizations)) * params.CallNewAccountGas
	return unsigned(tx, authorizations)
}

// withNonce returns a bundle, unsigned, with another nonce.
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

// replacedBy returns the operation in the pool that the new one takes the place of, or nil. The error names both where
// the new one does not pay 10 % more.
func replacedBy(r *api.Request, hash common.Hash, o *Operation) (*waiting, error) {
	for _, old := range pooled(r.Moment()) {
		if *old.Sender != *o.Sender || number(old.Nonce).Cmp(number(o.Nonce)) != 0 {
			continue
		}
		known, err := hashOf(r.Moment(), old.version, old.Operation)
		switch {
		case err != nil:
			return nil, err
		case known == hash:
			return nil, api.InvalidParams("user operation %s is already known", hash)
		case number(o.MaxFeePerGas).Cmp(raised(number(old.MaxFeePerGas))) < 0,
			number(o.MaxPriorityFeePerGas).Cmp(raised(number(old.MaxPriorityFeePerGas))) < 0:
			return nil, api.InvalidParams(
				"user operation %s does not replace %s, which has the same sender and nonce: its maxFeePerGas and maxPriorityFeePerGas are %s and %s, want at least %s and %s, 10 %% more",
				hash, known, number(o.MaxFeePerGas), number(o.MaxPriorityFeePerGas), raised(number(old.MaxFeePerGas)), raised(number(old.MaxPriorityFeePerGas)),
			)
		}
		return &old, nil
	}
	return nil, nil
}
