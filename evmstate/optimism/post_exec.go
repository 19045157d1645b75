package optimism

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
)

// PostExecType is the type byte of the transaction that ends a block with gas refunds, since the Lagoon upgrade.
const PostExecType = 0x7d

// postExecVersion is the version of the payload that lists gas refunds.
const postExecVersion = 1

// GasRefund is gas that the sender of the transaction at an index of a block got back: it counts for nothing.
type GasRefund struct{ Index, Gas uint64 }

// PostExec is the last transaction of a block, by which the sequencer says what it has refunded. It has no sender,
// nonce or signature, and executes nothing. It implements evmstate.Transaction.
type PostExec struct {
	data []byte // the payload: version, block number and refunds, as RLP
	hash common.Hash
}

// NewPostExec returns the transaction that ends a block, with the refunds in the order of their indices.
func NewPostExec(block uint64, refunds []GasRefund) *PostExec {
	data, err := rlp.EncodeToBytes(&struct {
		Version, Block uint64
		Refunds        []GasRefund
	}{postExecVersion, block, refunds})
	if err != nil {
		panic(err) // numbers always have an encoding
	}
	return PostExecOf(data)
}

// PostExecOf returns the transaction with a payload, which the caller must not modify afterwards.
func PostExecOf(data []byte) *PostExec {
	return &PostExec{data, crypto.Keccak256Hash([]byte{PostExecType}, data)}
}

// Hash returns the transaction hash.
func (p *PostExec) Hash() common.Hash { return p.hash }

// Type returns PostExecType.
func (p *PostExec) Type() uint8 { return PostExecType }

// To returns the zero address: nothing is created.
func (p *PostExec) To() *common.Address { return new(common.Address) }

// Nonce returns 0.
func (p *PostExec) Nonce() uint64 { return 0 }

// Value returns 0.
func (p *PostExec) Value() *big.Int { return noValue }

// Gas returns 0.
func (p *PostExec) Gas() uint64 { return 0 }

// Data returns the payload.
func (p *PostExec) Data() []byte { return p.data }

// MarshalBinary returns the type byte and the payload.
func (p *PostExec) MarshalBinary() ([]byte, error) {
	return append([]byte{PostExecType}, p.data...), nil
}

// Receipt returns the receipt of the transaction at the end of a block with these receipts before it.
func (p *PostExec) Receipt(block *big.Int, before types.Receipts) *types.Receipt {
	r := &types.Receipt{
		Type: PostExecType, Status: types.ReceiptStatusSuccessful, TxHash: p.hash, BlockNumber: block,
		TransactionIndex: uint(len(before)), EffectiveGasPrice: noValue,
	}
	if len(before) > 0 {
		r.CumulativeGasUsed = before[len(before)-1].CumulativeGasUsed
	}
	return r
}

// EncodeReceipt returns the consensus encoding of the receipt, which is that of other typed transactions.
func (p *PostExec) EncodeReceipt(r *types.Receipt) ([]byte, error) {
	encoded := bytes.NewBuffer(make([]byte, 0, receiptSize))
	encoded.WriteByte(PostExecType)
	if err := rlp.Encode(encoded, &struct {
		Status            []byte
		CumulativeGasUsed uint64
		Bloom             types.Bloom
		Logs              []*types.Log
	}{[]byte{1}, r.CumulativeGasUsed, r.Bloom, r.Logs}); err != nil {
		return nil, fmt.Errorf("receipt of transaction %s: %w", p.hash, err)
	}
	return encoded.Bytes(), nil
}
