package chain_test

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// stateTestTransaction is a transaction with alternatives for data (and access list), gas and value.
type stateTestTransaction struct {
	Sender               *common.Address       `json:"sender"`
	SecretKey            hexutil.Bytes         `json:"secretKey"`
	GasPrice             *math.HexOrDecimal256 `json:"gasPrice"`
	MaxFeePerGas         *math.HexOrDecimal256 `json:"maxFeePerGas"`
	MaxPriorityFeePerGas *math.HexOrDecimal256 `json:"maxPriorityFeePerGas"`
	MaxFeePerBlobGas     *math.HexOrDecimal256 `json:"maxFeePerBlobGas"`
	Nonce                *math.HexOrDecimal256 `json:"nonce"`
	To                   string                `json:"to"` // "" creates a contract
	Data                 []string              `json:"data"`
	AccessLists          []*types.AccessList   `json:"accessLists"`
	GasLimit             []math.HexOrDecimal64 `json:"gasLimit"`
	Value                []string              `json:"value"`
	BlobHashes           []common.Hash         `json:"blobVersionedHashes"`
	Authorizations       []struct {
		ChainID *math.HexOrDecimal256 `json:"chainId"`
		Address common.Address        `json:"address"`
		Nonce   math.HexOrDecimal64   `json:"nonce"`
		V       math.HexOrDecimal64   `json:"v"`
		R       *math.HexOrDecimal256 `json:"r"`
		S       *math.HexOrDecimal256 `json:"s"`
	} `json:"authorizationList"`
}

// message returns the alternative that a subtest names; baseFee is nil before London.
func (tx *stateTestTransaction) message(post stateTestPost, baseFee *big.Int) (*core.Message, error) {
	nonce := (*big.Int)(tx.Nonce)
	if !nonce.IsUint64() {
		return nil, fmt.Errorf("nonce %v has more than 64 bits", nonce)
	}
	msg := &core.Message{
		From:       tx.from(),
		Nonce:      nonce.Uint64(),
		GasLimit:   uint64(tx.GasLimit[post.Indexes.Gas]),
		Data:       common.FromHex(tx.Data[post.Indexes.Data]),
		BlobHashes: tx.BlobHashes,
	}
	if tx.To != "" {
		to := common.HexToAddress(tx.To)
		msg.To = &to
	}
	if tx.AccessLists != nil && tx.AccessLists[post.Indexes.Data] != nil {
		msg.AccessList = *tx.AccessLists[post.Indexes.Data]
	}
	value, ok := math.ParseBig256(tx.Value[post.Indexes.Value])
	if !ok && tx.Value[post.Indexes.Value] != "0x" {
		return nil, fmt.Errorf("value %s is not a 256-bit number", tx.Value[post.Indexes.Value])
	}
	msg.Value = word256(value)
	if tx.MaxFeePerBlobGas != nil {
		msg.BlobGasFeeCap = word256((*big.Int)(tx.MaxFeePerBlobGas))
	}
	if tx.Authorizations != nil {
		msg.SetCodeAuthorizations = tx.authorizations()
	}
	return msg, tx.price(msg, baseFee)
}

func (tx *stateTestTransaction) from() common.Address {
	if tx.Sender != nil {
		return *tx.Sender
	}
	key, err := crypto.ToECDSA(tx.SecretKey)
	if err != nil {
		return common.Address{}
	}
	return crypto.PubkeyToAddress(key.PublicKey)
}

// price sets the fees (EIP-1559). A transaction with a gas price pays it up to the whole.
func (tx *stateTestTransaction) price(msg *core.Message, baseFee *big.Int) error {
	price, tip := tx.GasPrice, tx.GasPrice
	if price == nil {
		price, tip = tx.MaxFeePerGas, tx.MaxPriorityFeePerGas
	}
	if price == nil || tip == nil {
		return errors.New("no gas price")
	}
	msg.GasFeeCap, msg.GasTipCap = word256((*big.Int)(price)), word256((*big.Int)(tip))
	msg.GasPrice = msg.GasFeeCap
	if baseFee == nil {
		return nil
	}
	if effective := new(big.Int).Add(baseFee, (*big.Int)(tip)); effective.Cmp((*big.Int)(price)) < 0 {
		msg.GasPrice = word256(effective)
	}
	return nil
}

func (tx *stateTestTransaction) authorizations() []types.SetCodeAuthorization {
	list := make([]types.SetCodeAuthorization, len(tx.Authorizations))
	for i, auth := range tx.Authorizations {
		list[i] = types.SetCodeAuthorization{
			ChainID: *word256((*big.Int)(auth.ChainID)), Address: auth.Address, Nonce: uint64(auth.Nonce),
			V: uint8(auth.V), R: *word256((*big.Int)(auth.R)), S: *word256((*big.Int)(auth.S)),
		}
	}
	return list
}

// word256 converts a number read from at most 256 bits; nil is 0.
func word256(n *big.Int) *uint256.Int {
	if n == nil {
		return new(uint256.Int)
	}
	return uint256.MustFromBig(n)
}
