package api

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/internal/spelling"
	"github.com/fakenode/fakenode/preconf"
)

// Fill sets the missing fields of a transaction object, except the nonce: fees, gas, blob hashes. It takes turns with
// calls where it executes the transaction or computes proofs of blobs.
func (r *Request) Fill(object *CallObject) error {
	if r.Network.IgnoreType {
		object.Type = nil
	}
	if err := object.checkType(); err != nil {
		return InvalidParams("invalid argument 0 (transaction) of %s: %s", r.Method, err)
	}
	m := r.Moment()
	if object.GasPrice != nil && r.Network.AnyObject {
		object.MaxFeePerGas, object.MaxPriorityFeePerGas = nil, nil
	}
	if err := object.check(m, &r.Network.Behaviour); err != nil {
		return Refused(err)
	}
	if object.Blobs != nil || object.Gas == nil {
		if err := r.TakeTurn(); err != nil {
			return err
		}
		defer r.EndTurn()
	}
	if err := object.fillBlobs(m); err != nil {
		return Refused(err)
	}
	object.fillFees(m)
	if err := object.checkFees(); err != nil && !r.Network.AnyObject {
		return Refused(err)
	}
	if object.Gas != nil {
		return nil
	}
	// At pending, so that it can build on the sender's last transactions.
	v, err := m.Pending().CallView()
	if err != nil {
		return err
	}
	gas, err := simulate.EstimateGas(r.Ctx, v, object.Call(), nil, nil, r.CallLimits())
	r.LogRefusal(v, object.Call(), nil, nil, err)
	object.Gas = (*hexutil.Uint64)(&gas)
	return Refused(err)
}

// Decode returns the signed transaction that is the first parameter.
func (r *Request) Decode(raw []byte) (*types.Transaction, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return nil, Undecodable("invalid argument 0 (transaction) of %s: have %s, want a signed transaction: %s",
			r.Method, Excerpt(hexutil.Encode(raw)), spelling.Untyped(err.Error()))
	}
	return tx, nil
}

// LogRefusal logs an explanation if a call failed because the token refused a signature for its primary type: a client
// that estimates first does not send the transaction.
func (r *Request) LogRefusal(v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, failure error) {
	if !paytoken.RefusedSignature(failure) {
		return
	}
	tree, err := trace.TreeCall(r.Ctx, v, call, so, bo, r.CallLimits().GasCap)
	if err != nil {
		return
	}
	if note := paytoken.ExplainCall(r.Ctx, v, tree.Root); note != "" {
		r.Network.Log.Warn(note, "method", r.Method)
	}
}

// checkType rejects an unknown type, and one that the other members contradict.
func (c *CallObject) checkType() error {
	if c.Type == nil {
		return nil
	}
	kind := *c.Type
	blobs := c.BlobVersionedHashes != nil || c.Blobs != nil
	switch {
	case kind > types.SetCodeTxType:
		return fmt.Errorf("there is no transaction type %d, want 0 to %d", kind, types.SetCodeTxType)
	case kind < types.DynamicFeeTxType && (c.MaxFeePerGas != nil || c.MaxPriorityFeePerGas != nil):
		return fmt.Errorf("type %d has a gasPrice, not maxFeePerGas and maxPriorityFeePerGas", kind)
	case kind >= types.DynamicFeeTxType && c.GasPrice != nil:
		return fmt.Errorf("type %d has maxFeePerGas and maxPriorityFeePerGas, not a gasPrice", kind)
	case kind == types.LegacyTxType && c.AccessList != nil && len(*c.AccessList) > 0:
		return errors.New("type 0 has no accessList")
	case (kind == types.BlobTxType) != blobs:
		return fmt.Errorf("type %d with blobs or blobVersionedHashes %t: type 3 has them, no other", kind, blobs)
	case (kind == types.SetCodeTxType) != (c.AuthorizationList != nil):
		return fmt.Errorf("type %d with authorizationList %t: type 4 has it, no other", kind, c.AuthorizationList != nil)
	}
	return nil
}

// check rejects an object that no transaction can be made of.
func (c *CallObject) check(m *preconf.Moment, b *Behaviour) error {
	blobs := c.BlobVersionedHashes != nil || c.Blobs != nil
	switch {
	case c.Data != nil && c.Input != nil && !bytes.Equal(*c.Data, *c.Input):
		return errors.New(`both "data" and "input" are set and not equal`)
	case c.ChainID != nil && c.ChainID.ToInt().Cmp(m.Chain().Config().ChainID) != 0:
		return fmt.Errorf("chainId %s does not match the node's %s", c.ChainID.ToInt(), m.Chain().Config().ChainID)
	case c.GasPrice != nil && (c.MaxFeePerGas != nil || c.MaxPriorityFeePerGas != nil):
		return errors.New("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified")
	case c.GasPrice != nil && (c.AuthorizationList != nil || blobs && !b.GasPriceDropsBlobs):
		return errors.New("gasPrice specified for a transaction type that has maxFeePerGas")
	case c.To == nil && len(c.data()) == 0 && !b.AnyObject:
		return errors.New(`neither "to" nor "data": a contract creation needs data`)
	case c.To == nil && (c.AuthorizationList != nil || blobs):
		return errors.New(`missing "to": transactions with blobs or authorizations create no contract`)
	case blobs && len(c.BlobVersionedHashes)+len(c.Blobs) == 0:
		return errors.New("need at least 1 blob for a blob transaction")
	case max(len(c.BlobVersionedHashes), len(c.Blobs)) > params.BlobTxMaxBlobs:
		return fmt.Errorf("too many blobs in transaction (have=%d, max=%d)", max(len(c.BlobVersionedHashes), len(c.Blobs)), params.BlobTxMaxBlobs)
	case c.MaxFeePerBlobGas != nil && c.MaxFeePerBlobGas.ToInt().Sign() == 0:
		return simulate.ErrZeroBlobFee
	}
	return nil
}

// checkFees rejects fees that no block takes.
func (c *CallObject) checkFees() error {
	if c.GasPrice == nil && c.MaxPriorityFeePerGas.ToInt().Cmp(c.MaxFeePerGas.ToInt()) > 0 {
		return &tipError{c.MaxPriorityFeePerGas.ToInt(), c.MaxFeePerGas.ToInt()}
	}
	return nil
}

// tipError is core.ErrTipAboveFeeCap of a call object, in go-ethereum's words.
type tipError struct{ tip, feeCap *big.Int }

func (e *tipError) Error() string {
	return fmt.Sprintf("maxFeePerGas (%s) < maxPriorityFeePerGas (%s)", e.feeCap, e.tip)
}

func (e *tipError) Unwrap() error { return core.ErrTipAboveFeeCap }

// fillFees proposes fees that suffice for some full blocks: the tip and twice the base fee.
func (c *CallObject) fillFees(m *preconf.Moment) {
	base := NextBaseFee(m)
	legacy := base == nil
	if c.Type != nil {
		legacy = *c.Type < types.DynamicFeeTxType
	}
	switch {
	case c.GasPrice != nil:
		return
	case legacy && c.MaxFeePerGas == nil && c.MaxPriorityFeePerGas == nil:
		c.GasPrice = (*hexutil.Big)(SuggestedPrice(m))
		return
	}
	if c.MaxPriorityFeePerGas == nil {
		tip := m.SuggestedTip()
		if c.MaxFeePerGas != nil && c.MaxFeePerGas.ToInt().Cmp(tip) < 0 {
			tip = c.MaxFeePerGas.ToInt()
		}
		c.MaxPriorityFeePerGas = (*hexutil.Big)(tip)
	}
	if c.MaxFeePerGas == nil {
		limit := new(big.Int).Set(c.MaxPriorityFeePerGas.ToInt())
		if base != nil {
			limit.Add(limit, base.Lsh(base, 1))
		}
		c.MaxFeePerGas = (*hexutil.Big)(limit)
	}
}

// fillBlobs sets the fields that blobs and blob hashes need: a fee of twice the current one, hashes.
func (c *CallObject) fillBlobs(m *preconf.Moment) error {
	if c.Blobs != nil {
		sidecar, err := NewSidecar(c.Blobs)
		if err != nil {
			return err
		}
		if c.BlobVersionedHashes != nil && !slices.Equal(c.BlobVersionedHashes, sidecar.BlobHashes()) {
			return fmt.Errorf("blobVersionedHashes are not those of the blobs: have %s, want %s", c.BlobVersionedHashes, sidecar.BlobHashes())
		}
		c.sidecar, c.BlobVersionedHashes = sidecar, sidecar.BlobHashes()
	}
	if c.BlobVersionedHashes == nil || c.MaxFeePerBlobGas != nil {
		return nil
	}
	head := m.Latest().Header()
	if head.ExcessBlobGas == nil {
		return errors.New("blobs need the Cancun fork")
	}
	fee := eip4844.CalcBlobFee(m.Chain().Config(), head)
	c.MaxFeePerBlobGas = (*hexutil.Big)(fee.Lsh(fee, 1))
	return nil
}

// NewSidecar computes commitments and cell proofs of blobs (EIP-4844, EIP-7594).
func NewSidecar(blobs []kzg4844.Blob) (*types.BlobTxSidecar, error) {
	var commitments []kzg4844.Commitment
	var proofs []kzg4844.Proof
	for i := range blobs {
		commitment, err := kzg4844.BlobToCommitment(&blobs[i])
		if err != nil {
			return nil, fmt.Errorf("blob %d: %w", i, err)
		}
		cells, err := kzg4844.ComputeCellProofs(&blobs[i])
		if err != nil {
			return nil, fmt.Errorf("blob %d: %w", i, err)
		}
		commitments, proofs = append(commitments, commitment), append(proofs, cells...)
	}
	return types.NewBlobTxSidecar(types.BlobSidecarVersion1, blobs, commitments, proofs), nil
}

// kind is the transaction type that a filled object names, or that its fields need: by default EIP-1559's.
func (c *CallObject) kind() uint8 {
	switch {
	case c.Type != nil:
		return uint8(*c.Type)
	case c.GasPrice != nil && c.AccessList == nil:
		return types.LegacyTxType
	case c.GasPrice != nil:
		return types.AccessListTxType
	case c.AuthorizationList != nil:
		return types.SetCodeTxType
	case c.BlobVersionedHashes != nil:
		return types.BlobTxType
	}
	return types.DynamicFeeTxType
}

func (c *CallObject) transaction(kind uint8, chainID *big.Int, nonce uint64) *types.Transaction {
	value, access := (*uint256.Int)(cmp.Or(c.Value, new(hexutil.U256))), *cmp.Or(c.AccessList, &types.AccessList{})
	gas, data := uint64(*c.Gas), c.data()
	switch kind {
	case types.LegacyTxType:
		return types.NewTx(&types.LegacyTx{Nonce: nonce, GasPrice: c.GasPrice.ToInt(), Gas: gas, To: c.To, Value: value.ToBig(), Data: data})
	case types.AccessListTxType:
		return types.NewTx(&types.AccessListTx{ChainID: chainID, Nonce: nonce, GasPrice: c.GasPrice.ToInt(), Gas: gas,
			To: c.To, Value: value.ToBig(), Data: data, AccessList: access})
	}
	tip, limit := c.MaxPriorityFeePerGas.ToInt(), c.MaxFeePerGas.ToInt()
	switch kind {
	case types.SetCodeTxType:
		return types.NewTx(&types.SetCodeTx{ChainID: fee256(chainID), Nonce: nonce, GasTipCap: fee256(tip), GasFeeCap: fee256(limit), Gas: gas,
			To: *c.To, Value: value, Data: data, AccessList: access, AuthList: c.AuthorizationList})
	case types.BlobTxType:
		return types.NewTx(&types.BlobTx{ChainID: fee256(chainID), Nonce: nonce, GasTipCap: fee256(tip), GasFeeCap: fee256(limit), Gas: gas,
			To: *c.To, Value: value, Data: data, AccessList: access, BlobFeeCap: fee256(c.MaxFeePerBlobGas.ToInt()),
			BlobHashes: c.BlobVersionedHashes, Sidecar: c.sidecar})
	}
	return types.NewTx(&types.DynamicFeeTx{ChainID: chainID, Nonce: nonce, GasTipCap: tip, GasFeeCap: limit, Gas: gas,
		To: c.To, Value: value.ToBig(), Data: data, AccessList: access})
}

// fee256 converts a number that was decoded from at most 256 bits.
func fee256(v *big.Int) *uint256.Int {
	converted, _ := uint256.FromBig(v)
	return converted
}

// Sender returns the sender of the object, the zero address by default.
func (c *CallObject) Sender() common.Address {
	return *cmp.Or(c.From, new(common.Address))
}

// Transaction returns the unsigned transaction of a filled object, by default with the sender's next pool nonce.
func (r *Request) Transaction(object *CallObject) *types.Transaction {
	if object.Nonce != nil {
		return r.TransactionWith(object, uint64(*object.Nonce))
	}
	return r.TransactionWith(object, r.Moment().PoolNonce(object.Sender()))
}

// TransactionWith returns the unsigned transaction of a filled object with a nonce.
func (r *Request) TransactionWith(object *CallObject, nonce uint64) *types.Transaction {
	return object.transaction(object.kind(), r.Moment().Chain().Config().ChainID, nonce)
}

// Signer signs by the rules of the pending block.
func (r *Request) Signer() types.Signer { return r.Moment().Signer() }

// MostGas returns the largest gas limit of a transaction in the next block.
func MostGas(m *preconf.Moment) uint64 {
	next := m.NextHeader()
	return min(next.GasLimit, m.Chain().TxGasLimit.Gas(m.Chain().Config().Rules(next.Number, true, next.Time)))
}

// SuggestedPrice returns NextBaseFee and the suggested tip, in wei.
func SuggestedPrice(m *preconf.Moment) *big.Int {
	if fee := NextBaseFee(m); fee != nil {
		return fee.Add(fee, m.SuggestedTip())
	}
	return m.SuggestedTip()
}

// NextBaseFee is the base fee of the block at pending, in wei, the caller's to change; nil before London.
func NextBaseFee(m *preconf.Moment) *big.Int {
	if fee := m.PendingHeader().BaseFee; fee != nil {
		return new(big.Int).Set(fee)
	}
	return nil
}
