package rpcserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// accountOverride is what a state override replaces in one account. A member it does not know is refused:
// a misspelt one would otherwise be a call that silently runs on the wrong state.
type accountOverride struct {
	Nonce   *hexutil.Uint64 `json:"nonce"`
	Code    *hexutil.Bytes  `json:"code"`
	Balance *hexutil.U256   `json:"balance"` // wei
	// State is the whole storage, StateDiff single slots.
	State            map[common.Hash]common.Hash `json:"state"`
	StateDiff        map[common.Hash]common.Hash `json:"stateDiff"`
	MovePrecompileTo *common.Address             `json:"movePrecompileToAddress"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *accountOverride) UnmarshalJSON(raw []byte) error {
	type members accountOverride
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode((*members)(o)); err != nil {
		return fmt.Errorf("%w; an account override has balance, nonce, code, state, stateDiff, movePrecompileToAddress", err)
	}
	return nil
}

// stateOverrides are account overrides by address (contract section 2.5).
type stateOverrides map[common.Address]accountOverride

func (stateOverrides) wanted() string { return "an object of account overrides by address" }

// orNone returns an optional parameter as the engine takes it.
func (o *stateOverrides) orNone() simulate.StateOverrides {
	if o == nil {
		return nil
	}
	return o.overrides()
}

// overrides returns them as the engine takes them.
func (o stateOverrides) overrides() simulate.StateOverrides {
	if len(o) == 0 {
		return nil
	}
	all := make(simulate.StateOverrides, len(o))
	for address, account := range o {
		all[address] = simulate.AccountOverride{
			Nonce:            (*uint64)(account.Nonce),
			Code:             (*[]byte)(account.Code),
			Balance:          (*uint256.Int)(account.Balance),
			State:            account.State,
			StateDiff:        account.StateDiff,
			MovePrecompileTo: account.MovePrecompileTo,
		}
	}
	return all
}

// blockOverrides replace fields of the block a call runs in (contract section 2.5). Each of the doubled
// ones has a second name in use among clients.
type blockOverrides struct {
	Number        *hexutil.Big             `json:"number"`
	BlockNumber   *hexutil.Big             `json:"blockNumber"`
	Time          *hexutil.Uint64          `json:"time"` // Unix seconds
	Timestamp     *hexutil.Uint64          `json:"timestamp"`
	GasLimit      *hexutil.Uint64          `json:"gasLimit"`
	FeeRecipient  *common.Address          `json:"feeRecipient"`
	Coinbase      *common.Address          `json:"coinbase"`
	PrevRandao    *common.Hash             `json:"prevRandao"`
	Random        *common.Hash             `json:"random"`
	BaseFeePerGas *hexutil.Big             `json:"baseFeePerGas"` // wei
	BaseFee       *hexutil.Big             `json:"baseFee"`
	BlobBaseFee   *hexutil.Big             `json:"blobBaseFee"` // wei
	Difficulty    *hexutil.Big             `json:"difficulty"`
	BeaconRoot    *common.Hash             `json:"beaconRoot"`
	Withdrawals   *types.Withdrawals       `json:"withdrawals"`
	BlockHash     map[blockKey]common.Hash `json:"blockHash"` // answers of BLOCKHASH
}

func (blockOverrides) wanted() string { return "an object of block overrides" }

// blockKey is a block number as a key of a JSON object: in decimal or hex.
type blockKey uint64

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *blockKey) UnmarshalText(text []byte) error {
	number, err := strconv.ParseUint(string(text), 0, 64)
	*k = blockKey(number)
	return err
}

// overrides returns them as the engine takes them; nil for none.
func (o *blockOverrides) overrides() *simulate.BlockOverrides {
	if o == nil {
		return nil
	}
	all := &simulate.BlockOverrides{
		Number:       (*big.Int)(either(o.Number, o.BlockNumber)),
		Time:         (*uint64)(either(o.Time, o.Timestamp)),
		GasLimit:     (*uint64)(o.GasLimit),
		FeeRecipient: either(o.FeeRecipient, o.Coinbase),
		PrevRandao:   either(o.PrevRandao, o.Random),
		BaseFee:      (*big.Int)(either(o.BaseFeePerGas, o.BaseFee)),
		BlobBaseFee:  (*big.Int)(o.BlobBaseFee),
		Difficulty:   (*big.Int)(o.Difficulty),
		BeaconRoot:   o.BeaconRoot,
		Withdrawals:  o.Withdrawals,
	}
	if o.BlockHash != nil {
		all.BlockHash = make(map[uint64]common.Hash, len(o.BlockHash))
		for number, hash := range o.BlockHash {
			all.BlockHash[uint64(number)] = hash
		}
	}
	return all
}

// either returns the first that was given.
func either[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}
