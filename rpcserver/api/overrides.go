package api

import (
	"cmp"
	"maps"
	"math/big"
	"reflect"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
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

func (StateOverrides) Strict(lenient bool) bool { return !lenient }

// Overrides returns them for package simulate, nil for none. With StandardOverrides it drops storage.
func (o *StateOverrides) Overrides(b *Behaviour) (simulate.StateOverrides, error) {
	if o == nil || len(*o) == 0 {
		return nil, nil
	}
	all := make(simulate.StateOverrides, len(*o))
	for address, account := range *o {
		if account.Storage != nil && !b.StandardOverrides {
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

// Refused returns the name of a member that b does not take, "" for none.
func (o *StateOverrides) Refused(b *Behaviour) string {
	for _, account := range *o {
		if account.Storage != nil && b.StandardOverrides {
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

// moreOverrides are block overrides that geth does not have: clients' second names, and the answers of BLOCKHASH.
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

// Overrides returns the overrides of a call for package simulate.
func Overrides(b *Behaviour, state *StateOverrides, block *BlockOverrides) (simulate.StateOverrides, *simulate.BlockOverrides, error) {
	accounts, err := state.Overrides(b)
	if err != nil {
		return nil, nil, err
	}
	overrides, err := block.Overrides(b)
	return accounts, overrides, err
}

// blockKey is a block number as a key of a JSON object: in decimal or hex.
type blockKey uint64

func (k *blockKey) UnmarshalText(text []byte) error {
	number, err := strconv.ParseUint(string(text), 0, 64)
	*k = blockKey(number)
	return err
}

// Overrides returns them for package simulate, nil for none. With StandardBlockOverrides it drops the others.
func (o *BlockOverrides) Overrides(b *Behaviour) (*simulate.BlockOverrides, error) {
	if o == nil {
		return nil, nil
	}
	more := o.moreOverrides
	if b.StandardBlockOverrides {
		more = moreOverrides{}
	} else if err := o.check(); err != nil {
		return nil, err
	}
	all := &simulate.BlockOverrides{
		Number:       (*big.Int)(cmp.Or(o.Number, more.BlockNumber)),
		Time:         (*uint64)(cmp.Or(o.Time, more.Timestamp)),
		GasLimit:     (*uint64)(o.GasLimit),
		FeeRecipient: cmp.Or(o.FeeRecipient, more.Coinbase),
		PrevRandao:   cmp.Or(o.PrevRandao, more.Random),
		BaseFee:      (*big.Int)(cmp.Or(o.BaseFeePerGas, more.BaseFee)),
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

// Refused returns the name of a member that b does not take, "" for none.
func (o *BlockOverrides) Refused(b *Behaviour) string {
	if o == nil || !b.StandardBlockOverrides {
		return ""
	}
	for field, value := range reflect.ValueOf(o.moreOverrides).Fields() {
		if !value.IsNil() {
			return field.Tag.Get("json")
		}
	}
	return ""
}

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

func (c *CallObject) data() []byte {
	switch {
	case c.Input != nil:
		return *c.Input
	case c.Data != nil:
		return *c.Data
	}
	return nil
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

// Simulate executes the payload on top of a block or, with "pending", in the block being built.
func (r *Request) Simulate(payload simulate.Payload, tag BlockTag) ([]simulate.BlockResult, error) {
	v, err := r.View(tag)
	if err != nil {
		return nil, err
	}
	base, err := v.SimulateView()
	if err != nil {
		return nil, err
	}
	if v.Pending() {
		payload.Pending = v.Header()
	}
	if err := v.LoadTime(); err != nil {
		return nil, err
	}
	payload.BaseMilliseconds, _ = v.Milliseconds()
	blocks, err := simulate.Run(r.Ctx, base, payload, r.CallLimits())
	if err != nil {
		return nil, RefusedSimulation(err)
	}
	return blocks, nil
}

// SimulatePending executes calls one after another in the block being built, on top of its pre-confirmed transactions
// and of the overrides, and returns their results. A call that fails has a result, too, unless its sender lacks the
// funds for it.
func (r *Request) SimulatePending(overrides simulate.StateOverrides, calls ...simulate.Call) ([]simulate.CallResult, error) {
	payload := simulate.Payload{Blocks: []simulate.Block{{Calls: calls, StateOverrides: overrides}}, Rules: simulate.Rules{RejectUnfunded: true}}
	blocks, err := r.Simulate(payload, BlockTag{Kind: TagPending})
	if err != nil {
		return nil, err
	}
	return blocks[len(blocks)-1].Calls, nil
}

// CallOf returns the call that a transaction makes.
func CallOf(tx *types.Transaction, from common.Address) simulate.Call {
	value, _ := uint256.FromBig(tx.Value())
	return simulate.Call{
		From: &from, To: tx.To(), Gas: new(tx.Gas()), Value: value, Data: tx.Data(), Authorizations: tx.SetCodeAuthorizations(),
	}
}
