package optimism

import (
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate"
)

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
