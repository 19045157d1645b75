package chain_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

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
	Sender               *common.Address     `json:"sender"`
	SecretKey            hexutil.Bytes       `json:"secretKey"`
	GasPrice             *quantity           `json:"gasPrice"`
	MaxFeePerGas         *quantity           `json:"maxFeePerGas"`
	MaxPriorityFeePerGas *quantity           `json:"maxPriorityFeePerGas"`
	MaxFeePerBlobGas     *quantity           `json:"maxFeePerBlobGas"`
	Nonce                *quantity           `json:"nonce"`
	To                   string              `json:"to"` // "" creates a contract
	Data                 []string            `json:"data"`
	AccessLists          []*types.AccessList `json:"accessLists"`
	GasLimit             []quantity          `json:"gasLimit"`
	Value                []quantity          `json:"value"`
	BlobHashes           []common.Hash       `json:"blobVersionedHashes"`
	Authorizations       []struct {
		ChainID *quantity           `json:"chainId"`
		Address common.Address      `json:"address"`
		Nonce   math.HexOrDecimal64 `json:"nonce"`
		V       math.HexOrDecimal64 `json:"v"`
		R       *quantity           `json:"r"`
		S       *quantity           `json:"s"`
	} `json:"authorizationList"`
}

// message returns the alternative that a subtest names; baseFee is nil before London. A value that no transaction can
// hold is an error, as if the transaction had been rejected.
func (tx *stateTestTransaction) message(post stateTestPost, baseFee *big.Int) (*core.Message, error) {
	msg := &core.Message{BlobHashes: tx.BlobHashes}
	at := post.Indexes
	return msg, cmp.Or(
		tx.nonce(msg),
		tx.sender(msg),
		tx.recipient(msg),
		pick("gas limit", tx.GasLimit, at.Gas, func(gas quantity) error { return gas.uint64("gas limit", &msg.GasLimit) }),
		pick("value", tx.Value, at.Value, func(value quantity) error { return value.word("value", &msg.Value) }),
		pick("data", tx.Data, at.Data, func(data string) (err error) {
			msg.Data, err = hex.DecodeString(strings.TrimPrefix(data, "0x"))
			return err
		}),
		tx.accessList(msg, at.Data),
		tx.fees(msg, baseFee),
		tx.authorizations(msg),
	)
}

// pick calls use with one of the alternatives.
func pick[T any](name string, alternatives []T, at int, use func(T) error) error {
	if at < 0 || at >= len(alternatives) {
		return fmt.Errorf("%s %d of %d", name, at, len(alternatives))
	}
	return use(alternatives[at])
}

func (tx *stateTestTransaction) nonce(msg *core.Message) error {
	return tx.Nonce.uint64("nonce", &msg.Nonce)
}

func (tx *stateTestTransaction) sender(msg *core.Message) error {
	switch {
	case tx.Sender != nil:
		msg.From = *tx.Sender
	case len(tx.SecretKey) > 0:
		key, err := crypto.ToECDSA(tx.SecretKey)
		if err != nil {
			return err
		}
		msg.From = crypto.PubkeyToAddress(key.PublicKey)
	}
	return nil
}

func (tx *stateTestTransaction) recipient(msg *core.Message) error {
	if tx.To == "" {
		return nil
	}
	msg.To = new(common.Address)
	return msg.To.UnmarshalText([]byte(tx.To))
}

func (tx *stateTestTransaction) accessList(msg *core.Message, at int) error {
	if tx.AccessLists == nil {
		return nil
	}
	return pick("access list", tx.AccessLists, at, func(list *types.AccessList) error {
		if list != nil {
			msg.AccessList = *list
		}
		return nil
	})
}

// fees sets the prices of gas (EIP-1559). A transaction with a gas price pays all of it.
func (tx *stateTestTransaction) fees(msg *core.Message, baseFee *big.Int) error {
	feeCap := cmp.Or(tx.MaxFeePerGas, tx.GasPrice)
	tip := cmp.Or(tx.MaxPriorityFeePerGas, feeCap)
	if err := cmp.Or(
		feeCap.word("fee cap", &msg.GasFeeCap),
		tip.word("tip", &msg.GasTipCap),
	); err != nil {
		return err
	}
	if tx.MaxFeePerBlobGas != nil { // go-ethereum takes a message with a blob fee cap, even 0, for a blob transaction
		if err := tx.MaxFeePerBlobGas.word("blob fee cap", &msg.BlobGasFeeCap); err != nil {
			return err
		}
	}
	if baseFee == nil {
		if tx.GasPrice == nil {
			return errors.New("no gas price, before london")
		}
		return tx.GasPrice.word("gas price", &msg.GasPrice)
	}
	msg.GasPrice = msg.GasFeeCap
	if effective := new(big.Int).Add(baseFee, msg.GasTipCap.ToBig()); effective.Cmp(msg.GasFeeCap.ToBig()) < 0 {
		msg.GasPrice = uint256.MustFromBig(effective)
	}
	return nil
}

func (tx *stateTestTransaction) authorizations(msg *core.Message) error {
	if tx.Authorizations == nil {
		return nil
	}
	msg.SetCodeAuthorizations = make([]types.SetCodeAuthorization, len(tx.Authorizations))
	for i, auth := range tx.Authorizations {
		var id, r, s *uint256.Int
		if err := cmp.Or(auth.ChainID.word("chain id", &id), auth.R.word("r", &r), auth.S.word("s", &s)); err != nil {
			return fmt.Errorf("authorization %d: %w", i, err)
		}
		msg.SetCodeAuthorizations[i] = types.SetCodeAuthorization{
			ChainID: *id, Address: auth.Address, Nonce: uint64(auth.Nonce), V: uint8(auth.V), R: *r, S: *s,
		}
	}
	return nil
}

// quantity is a number as the tests write it: decimal or hex, "" or "0x" for 0, and with "0x:bigint " in front where it
// has more bits than its field can hold. Nil is 0.
type quantity struct{ n big.Int }

// UnmarshalJSON implements json.Unmarshaler.
func (q *quantity) UnmarshalJSON(raw []byte) error {
	text := strings.TrimPrefix(string(bytes.Trim(raw, `"`)), "0x:bigint ")
	base := 10
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		text, base = digits, 16
	}
	if text == "" {
		return nil
	}
	if _, ok := q.n.SetString(text, base); !ok {
		return fmt.Errorf("%s is not a number", raw)
	}
	return nil
}

// uint64 stores the number, which must have at most 64 bits.
func (q *quantity) uint64(name string, into *uint64) error {
	if q == nil {
		return nil
	}
	if *into = q.n.Uint64(); !q.n.IsUint64() {
		return fmt.Errorf("%s %v is not a 64-bit number", name, &q.n)
	}
	return nil
}

// word stores the number, which must have at most 256 bits.
func (q *quantity) word(name string, into **uint256.Int) error {
	*into = new(uint256.Int)
	if q == nil {
		return nil
	}
	if overflow := (*into).SetFromBig(&q.n); overflow || q.n.Sign() < 0 {
		return fmt.Errorf("%s %v is not a 256-bit number", name, &q.n)
	}
	return nil
}
