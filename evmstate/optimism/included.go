package optimism

import (
	"encoding/json"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate"
)

// ReceiptVersion is the depositReceiptVersion of every deposit's receipt since the Canyon upgrade.
const ReceiptVersion = 1

// receiptSize is the longest encoding of a receipt without logs, in bytes.
const receiptSize = 300

// Included is a deposit as a transaction of a block. It implements evmstate.Transaction.
type Included struct {
	deposit *Deposit
	encoded []byte
	hash    common.Hash
	nonce   uint64
}

// NewIncluded returns the deposit as a transaction whose sender had that nonce before. The caller must not modify d
// afterwards.
func NewIncluded(d *Deposit, nonce uint64) *Included {
	encoded := d.encode()
	return &Included{deposit: d, encoded: encoded, hash: crypto.Keccak256Hash(encoded), nonce: nonce}
}

// Deposit returns the deposit itself. The caller must not modify it.
func (i *Included) Deposit() *Deposit { return i.deposit }

// Hash returns the transaction hash.
func (i *Included) Hash() common.Hash { return i.hash }

// Type returns DepositType.
func (i *Included) Type() uint8 { return DepositType }

// To returns the recipient, or nil if the deposit creates a contract.
func (i *Included) To() *common.Address { return i.deposit.To }

// Nonce returns the nonce of the sender before the deposit.
func (i *Included) Nonce() uint64 { return i.nonce }

// Value returns the value in wei.
func (i *Included) Value() *big.Int { return i.deposit.Value }

// Gas returns the gas limit.
func (i *Included) Gas() uint64 { return i.deposit.Gas }

// Data returns the input.
func (i *Included) Data() []byte { return i.deposit.Data }

// MarshalBinary returns the typed encoding of the deposit. The caller must not modify it.
func (i *Included) MarshalBinary() ([]byte, error) { return i.encoded, nil }

// Size returns the length of the typed encoding in bytes.
func (i *Included) Size() uint64 { return uint64(len(i.encoded)) }

// receipt returns the receipt of a deposit that succeeds without a log, at that position of a block.
func (i *Included) receipt(block *big.Int, position int, gasUsed, cumulative uint64) *types.Receipt {
	return &types.Receipt{
		Type:              DepositType,
		Status:            types.ReceiptStatusSuccessful,
		TxHash:            i.hash,
		BlockNumber:       block,
		TransactionIndex:  uint(position),
		EffectiveGasPrice: noValue,
		GasUsed:           gasUsed,
		CumulativeGasUsed: cumulative,
	}
}

// EncodeReceipt returns the consensus encoding of the deposit's receipt, which includes the nonce.
func (i *Included) EncodeReceipt(r *types.Receipt) ([]byte, error) {
	w := rlp.NewEncoderBuffer(nil)
	list := w.List()
	w.WriteUint64(r.Status)
	w.WriteUint64(r.CumulativeGasUsed)
	w.WriteBytes(r.Bloom[:])
	err := rlp.Encode(w, r.Logs)
	w.WriteUint64(i.nonce)
	w.WriteUint64(ReceiptVersion)
	w.ListEnd(list)
	encoded := w.AppendToBytes(append(make([]byte, 0, receiptSize), DepositType))
	return encoded, errors.Join(err, w.Flush())
}

// UserDeposits returns the users' deposits among the deposits of a block.
func UserDeposits(deposits []*Deposit) []*Deposit {
	for i, d := range deposits {
		if _, ok := ReadBaseTime(d); i > 0 && !ok {
			return deposits[i:]
		}
	}
	return nil
}

// DepositsIn returns the deposits among the transactions of a block, in order.
func DepositsIn(transactions evmstate.Transactions) []*Deposit {
	var deposits []*Deposit
	for _, tx := range transactions {
		included, ok := tx.(*Included)
		if !ok {
			break // the rules put all deposits before the first other transaction
		}
		deposits = append(deposits, included.deposit)
	}
	return deposits
}

// answered is a deposit as a node answers it as a transaction.
type answered struct {
	Type       hexutil.Uint64  `json:"type"`
	Hash       common.Hash     `json:"hash"`
	Nonce      hexutil.Uint64  `json:"nonce"`
	SourceHash common.Hash     `json:"sourceHash"`
	From       common.Address  `json:"from"`
	To         *common.Address `json:"to"`
	Mint       *hexutil.Big    `json:"mint"`
	Value      *hexutil.Big    `json:"value"`
	Gas        hexutil.Uint64  `json:"gas"`
	IsSystem   bool            `json:"isSystemTx"`
	Input      hexutil.Bytes   `json:"input"`
}

// FromAnswer returns the deposit in an OP-stack node's answer for a transaction, or nil if the answer is of another
// type, or its hash is not the deposit's.
func FromAnswer(object json.RawMessage) *Included {
	var a answered
	if json.Unmarshal(object, &a) != nil || a.Type != DepositType || a.Value == nil {
		return nil
	}
	included := NewIncluded(&Deposit{
		SourceHash: a.SourceHash, From: a.From, To: a.To, Mint: (*big.Int)(a.Mint), Value: a.Value.ToInt(), Gas: uint64(a.Gas),
		IsSystem: a.IsSystem, Data: a.Input,
	}, uint64(a.Nonce))
	if included.hash != a.Hash {
		return nil
	}
	return included
}

// IncludedOf returns tx as a deposit, or nil if it is none.
func IncludedOf(tx evmstate.Transaction) *Included {
	switch tx := tx.(type) {
	case *Included:
		return tx
	case interface{ Deposit() *Included }:
		return tx.Deposit()
	}
	return nil
}
