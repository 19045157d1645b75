package api

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// CallObject is a transaction call object (contract 2.4-from and those after it) with the fields of every transaction
// type. Unknown members are ignored, because clients send many of their own.
type CallObject struct {
	From                 *common.Address `json:"from"`
	To                   *common.Address `json:"to"` // absent: creates a contract
	Gas                  *hexutil.Uint64 `json:"gas"`
	GasPrice             *hexutil.Big    `json:"gasPrice"`
	MaxFeePerGas         *hexutil.Big    `json:"maxFeePerGas"`
	MaxPriorityFeePerGas *hexutil.Big    `json:"maxPriorityFeePerGas"`
	Value                *hexutil.U256   `json:"value"`
	Nonce                *hexutil.Uint64 `json:"nonce"`
	// Data is the contract's name for the call data, Input newer clients' name; Input wins.
	Data                *hexutil.Bytes               `json:"data"`
	Input               *hexutil.Bytes               `json:"input"`
	AccessList          *types.AccessList            `json:"accessList"`
	ChainID             *hexutil.Big                 `json:"chainId"`
	MaxFeePerBlobGas    *hexutil.Big                 `json:"maxFeePerBlobGas"`
	BlobVersionedHashes []common.Hash                `json:"blobVersionedHashes"`
	AuthorizationList   []types.SetCodeAuthorization `json:"authorizationList"`
	// Type and Blobs are for methods that make a transaction of the object; geth has no Type.
	Type  *hexutil.Uint64 `json:"type"`
	Blobs []kzg4844.Blob  `json:"blobs"`

	sidecar *types.BlobTxSidecar // of Blobs, once filled
}

func (CallObject) Wanted() string { return "a transaction call object" }

// data returns the call data.
func (c *CallObject) data() []byte {
	switch {
	case c.Input != nil:
		return *c.Input
	case c.Data != nil:
		return *c.Data
	}
	return nil
}

// contradictory reports whether data and input differ.
func (c *CallObject) contradictory() bool {
	return c.Data != nil && c.Input != nil && !bytes.Equal(*c.Data, *c.Input)
}

// Call returns the object as a call for package simulate.
func (c *CallObject) Call() simulate.Call {
	return simulate.Call{
		From:                 c.From,
		To:                   c.To,
		Gas:                  (*uint64)(c.Gas),
		GasPrice:             (*big.Int)(c.GasPrice),
		MaxFeePerGas:         (*big.Int)(c.MaxFeePerGas),
		MaxPriorityFeePerGas: (*big.Int)(c.MaxPriorityFeePerGas),
		MaxFeePerBlobGas:     (*big.Int)(c.MaxFeePerBlobGas),
		Value:                (*uint256.Int)(c.Value),
		Nonce:                (*uint64)(c.Nonce),
		Data:                 c.data(),
		AccessList:           c.AccessList,
		ChainID:              (*big.Int)(c.ChainID),
		BlobHashes:           c.BlobVersionedHashes,
		Authorizations:       c.AuthorizationList,
	}
}
