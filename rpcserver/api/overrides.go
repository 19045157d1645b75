package api

import (
	"maps"
	"math/big"
	"reflect"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// accountOverride holds the parts of one account that a state override replaces.
type accountOverride struct {
	Nonce   *hexutil.Uint64 `json:"nonce"`
	Code    *hexutil.Bytes  `json:"code"`
	Balance *hexutil.U256   `json:"balance"` // wei
	// State is the whole storage, StateDiff single slots. Storage is the contract's name for StateDiff; geth has none.
	State            map[common.Hash]common.Hash `json:"state"`
	StateDiff        map[common.Hash]common.Hash `json:"stateDiff"`
	Storage          map[common.Hash]common.Hash `json:"storage"`
	MovePrecompileTo *common.Address             `json:"movePrecompileToAddress"`
}

// StateOverrides are account overrides by address (contract 2.5-stateOverrides, 2.5-blockOverrides).
type StateOverrides map[common.Address]accountOverride

func (StateOverrides) Wanted() string {
	return "an object of account overrides by address: balance, nonce, code, state, stateDiff or storage, movePrecompileToAddress"
}

// Strict implements jsonrpc.Strict.
func (StateOverrides) Strict(lenient bool) bool { return !lenient }

// Overrides returns them for package simulate, nil for none. Under the geth profile it drops what geth does not have.
func (o *StateOverrides) Overrides(profile shape.Profile) (simulate.StateOverrides, error) {
	if o == nil || len(*o) == 0 {
		return nil, nil
	}
	all := make(simulate.StateOverrides, len(*o))
	for address, account := range *o {
		if account.Storage != nil && profile != shape.Geth {
			if account.StateDiff != nil && !maps.Equal(account.Storage, account.StateDiff) {
				return nil, InvalidParams("override of account %s: storage and stateDiff are one and the same, but not equal", address)
			}
			account.StateDiff = account.Storage
		}
		all[address] = simulate.AccountOverride{
			Nonce:            (*uint64)(account.Nonce),
			Code:             (*[]byte)(account.Code),
			Balance:          (*uint256.Int)(account.Balance),
			State:            account.State,
			StateDiff:        account.StateDiff,
			MovePrecompileTo: account.MovePrecompileTo,
		}
	}
	return all, nil
}

// BeyondGeth returns the name of a member that geth does not have, "" for none.
func (o *StateOverrides) BeyondGeth() string {
	for _, account := range *o {
		if account.Storage != nil {
			return "storage"
		}
	}
	return ""
}

// BlockOverrides replace fields of the block a call runs in (contract 2.5-stateOverrides, 2.5-blockOverrides).
type BlockOverrides struct {
	ContractObject
	Number        *hexutil.Big       `json:"number"`
	Time          *hexutil.Uint64    `json:"time"` // Unix seconds
	GasLimit      *hexutil.Uint64    `json:"gasLimit"`
	FeeRecipient  *common.Address    `json:"feeRecipient"`
	PrevRandao    *common.Hash       `json:"prevRandao"`
	BaseFeePerGas *hexutil.Big       `json:"baseFeePerGas"` // wei
	BlobBaseFee   *hexutil.Big       `json:"blobBaseFee"`   // wei
	Difficulty    *hexutil.Big       `json:"difficulty"`
	BeaconRoot    *common.Hash       `json:"beaconRoot"`
	Withdrawals   *types.Withdrawals `json:"withdrawals"`
	moreOverrides
}

// moreOverrides are block overrides that geth does not have: second names in use among clients, and the answers of
// BLOCKHASH.
type moreOverrides struct {
	BlockNumber *hexutil.Big             `json:"blockNumber"`
	Timestamp   *hexutil.Uint64          `json:"timestamp"` // the contract's name
	Coinbase    *common.Address          `json:"coinbase"`
	Random      *common.Hash             `json:"random"`
	BaseFee     *hexutil.Big             `json:"baseFee"`
	BlockHash   map[blockKey]common.Hash `json:"blockHash"`
}

func (BlockOverrides) Wanted() string {
	return "an object of block overrides: number, timestamp or time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, " +
		"blobBaseFee, difficulty, beaconRoot, withdrawals, blockHash"
}

// check rejects a field that is given under both its names, with different values.
func (o *BlockOverrides) check() error {
	for _, field := range []struct {
		names  string
		differ bool
	}{
		{"number and blockNumber", differ(o.Number, o.BlockNumber)},
		{"time and timestamp", differ(o.Time, o.Timestamp)},
		{"feeRecipient and coinbase", differ(o.FeeRecipient, o.Coinbase)},
		{"prevRandao and random", differ(o.PrevRandao, o.Random)},
		{"baseFeePerGas and baseFee", differ(o.BaseFeePerGas, o.BaseFee)},
	} {
		if field.differ {
			return InvalidParams("block overrides %s are one and the same, but not equal", field.names)
		}
	}
	return nil
}

// differ reports whether both were given, unequal.
func differ[T any](a, b *T) bool { return a != nil && b != nil && !reflect.DeepEqual(a, b) }

// blockKey is a block number as a key of a JSON object: in decimal or hex.
type blockKey uint64

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *blockKey) UnmarshalText(text []byte) error {
	number, err := strconv.ParseUint(string(text), 0, 64)
	*k = blockKey(number)
	return err
}

// Overrides returns them for package simulate, nil for none. Under the geth profile it drops those that geth does not
// have.
func (o *BlockOverrides) Overrides(profile shape.Profile) (*simulate.BlockOverrides, error) {
	if o == nil {
		return nil, nil
	}
	more := o.moreOverrides
	if profile == shape.Geth {
		more = moreOverrides{}
	} else if err := o.check(); err != nil {
		return nil, err
	}
	all := &simulate.BlockOverrides{
		Number:       (*big.Int)(either(o.Number, more.BlockNumber)),
		Time:         (*uint64)(either(o.Time, more.Timestamp)),
		GasLimit:     (*uint64)(o.GasLimit),
		FeeRecipient: either(o.FeeRecipient, more.Coinbase),
		PrevRandao:   either(o.PrevRandao, more.Random),
		BaseFee:      (*big.Int)(either(o.BaseFeePerGas, more.BaseFee)),
		BlobBaseFee:  (*big.Int)(o.BlobBaseFee),
		Difficulty:   (*big.Int)(o.Difficulty),
		BeaconRoot:   o.BeaconRoot,
		Withdrawals:  o.Withdrawals,
	}
	if more.BlockHash != nil {
		all.BlockHash = make(map[uint64]common.Hash, len(more.BlockHash))
		for number, hash := range more.BlockHash {
			all.BlockHash[uint64(number)] = hash
		}
	}
	return all, nil
}

// BeyondGeth returns the name of a member that geth does not have, "" for none.
func (o *BlockOverrides) BeyondGeth() string {
	if o == nil {
		return ""
	}
	for field, value := range reflect.ValueOf(o.moreOverrides).Fields() {
		if !value.IsNil() {
			return field.Tag.Get("json")
		}
	}
	return ""
}

// either returns the first that was given.
func either[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}
