// Package entrypoint is the EntryPoint of ERC-4337 in versions 0.6, 0.7, 0.8 and 0.9, and a paymaster: Solidity source,
// compiled code, Go bindings. EntryPointV09 has all functions of version 0.8. The code is fakenode's own and differs
// from the published one in gas. Versions 0.8 and 0.9 need the rules of cancun.
package entrypoint

import (
	"bytes"
	"fmt"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
)

// Addresses of the contracts on every chain.
var (
	V06Address              = common.HexToAddress("0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789")
	V06SenderCreatorAddress = common.HexToAddress("0x7fc98430eAEdbb6070B35B39D798725049088348")
	V07Address              = common.HexToAddress("0x0000000071727De22E5E9d8BAf0edAc6f37da032")
	V07SenderCreatorAddress = common.HexToAddress("0xEFC2c1444eBCC4Db75e7613d20C6a62fF67A167C")
	V08Address              = common.HexToAddress("0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108")
	V08SenderCreatorAddress = common.HexToAddress("0x449ED7C3e6Fee6a97311d4b55475DF59C44AdD33")
	V09Address              = common.HexToAddress("0x433709009B8330FDa32311DF1C2AFA402eD8D009")
	V09SenderCreatorAddress = common.HexToAddress("0x0A630a99Df908A81115A3022927Be82f9299987e")
)

// Predeploys returns the genesis accounts of all versions, and of a paymaster with a deposit at each. Do not modify.
var Predeploys = sync.OnceValue(func() types.GenesisAlloc {
	alloc := types.GenesisAlloc{
		V06Address:              {Code: v06Runtime(), Balance: new(big.Int), Nonce: 2},
		V07Address:              {Code: v07Runtime(), Balance: new(big.Int), Nonce: 2},
		V08Address:              {Code: v08Runtime(), Balance: new(big.Int), Nonce: 2},
		V09Address:              {Code: v09Runtime(), Balance: new(big.Int), Nonce: 2},
		V06SenderCreatorAddress: {Code: senderCreatorRuntime(), Balance: new(big.Int), Nonce: 1},
		V07SenderCreatorAddress: {Code: senderCreatorRuntime(), Balance: new(big.Int), Nonce: 1},
		V08SenderCreatorAddress: {Code: v08SenderCreatorRuntime(), Balance: new(big.Int), Nonce: 1},
		V09SenderCreatorAddress: {Code: v09SenderCreatorRuntime(), Balance: new(big.Int), Nonce: 1},
	}
	addPaymaster(alloc)
	return alloc
})

// UnpackHandleOps returns the operations in call data of v0.6's handleOps; ok is false for other call data.
func UnpackHandleOps(data []byte) (ops []UserOperation, ok bool) {
	return unpackOps[UserOperation](v06Binding().abi, data)
}

// UnpackHandlePackedOps returns the operations in call data of handleOps of v0.7, v0.8 and v0.9; ok is false for other
// call data.
func UnpackHandlePackedOps(data []byte) (ops []PackedUserOperation, ok bool) {
	return unpackOps[PackedUserOperation](v07Binding().abi, data)
}

func unpackOps[O any](contract abi.ABI, data []byte) (ops []O, ok bool) {
	method := contract.Methods["handleOps"]
	if !bytes.HasPrefix(data, method.ID) {
		return nil, false
	}
	values, err := method.Inputs.Unpack(data[len(method.ID):])
	if err != nil {
		return nil, false
	}
	return *abi.ConvertType(values[0], new([]O)).(*[]O), true
}

// PackValidateUserOp returns the call data with which an EntryPoint asks an account whether it accepts an operation.
func PackValidateUserOp(op any, hash common.Hash, missingFunds *big.Int) []byte {
	return packWith("validateUserOp", op, [32]byte(hash), missingFunds)
}

// PackValidatePaymasterUserOp returns the call data with which an EntryPoint asks a paymaster whether it pays, at most
// maxCost wei.
func PackValidatePaymasterUserOp(op any, hash common.Hash, maxCost *big.Int) []byte {
	return packWith("validatePaymasterUserOp", op, [32]byte(hash), maxCost)
}

// PackExecuteUserOp returns the call data with which an EntryPoint executes an operation whose own call data begins
// with ExecuteUserOpSelector.
func PackExecuteUserOp(op PackedUserOperation, hash common.Hash) []byte {
	return packWith("executeUserOp", op, [32]byte(hash))
}

// ExecuteUserOpSelector begins the call data of operations that the account receives as a whole.
var ExecuteUserOpSelector = [4]byte{0x8d, 0xd7, 0x71, 0x2f}

// packWith returns the call of a function whose parameters are an operation, then at most a hash and a number.
func packWith(function string, op any, more ...any) []byte {
	contract := v07Binding().abi
	if _, ok := op.(UserOperation); ok {
		contract = v06Binding().abi
	}
	arguments := abi.Arguments{{Type: *contract.Methods["handleOps"].Inputs[0].Type.Elem}}
	arguments = append(arguments, abi.Arguments{{Type: contracts.Type("bytes32")}, {Type: contracts.Type("uint256")}}[:len(more)]...)
	signature := function + "("
	for i, argument := range arguments {
		if i > 0 {
			signature += ","
		}
		signature += argument.Type.String()
	}
	packed, err := arguments.Pack(append([]any{op}, more...)...)
	if err != nil {
		panic(fmt.Sprintf("call of %s cannot be encoded: %v", function, err)) // the types are those of the ABI
	}
	return append(crypto.Keccak256([]byte(signature + ")"))[:4], packed...)
}

// FailedOp returns the error FailedOp(uint256 opIndex, string reason) of all versions.
func FailedOp() abi.Error { return v07Binding().abi.Errors["FailedOp"] }

// FailedOpWithRevert returns the error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner) from v0.7 on.
func FailedOpWithRevert() abi.Error { return v07Binding().abi.Errors["FailedOpWithRevert"] }

// PaymasterStake is the stake of the paymaster in a genesis, in wei, at each EntryPoint: it reads its signer from its
// storage, and returns a context, which ERC-7562 allows a paymaster with a stake only.
func PaymasterStake() *uint256.Int { return uint256.NewInt(1e18) }

// stakeDelay is the time for which the stake stays locked, in seconds: a day.
const stakeDelay = 86_400

// stakeAt returns the slot of an account's stake in the storage of an EntryPoint, and its value there for that much wei
// that is locked.
func stakeAt(account common.Address, wei *uint256.Int) (slot, value common.Hash) {
	next := new(uint256.Int).SetBytes(DepositSlot(account).Bytes())
	word := new(uint256.Int).Lsh(uint256.NewInt(stakeDelay), 8+112)
	word.Or(word, new(uint256.Int).Lsh(wei, 8)).Or(word, uint256.NewInt(1))
	return next.AddUint64(next, 1).Bytes32(), word.Bytes32()
}

// PackGetDepositInfo returns the call data of getDepositInfo, which is the same in all versions.
func PackGetDepositInfo(account common.Address) []byte {
	return v07Binding().PackGetDepositInfo(account)
}

// Stake is an account's stake at an EntryPoint.
type Stake struct {
	Locked bool
	Wei    *big.Int
	Delay  uint32 // from unlocking to withdrawal, in seconds
}

// UnpackStake returns the stake in an answer of getDepositInfo.
func UnpackStake(data []byte) (Stake, error) {
	info, err := v07Binding().UnpackGetDepositInfo(data)
	return Stake{info.Staked, info.Stake, info.UnstakeDelaySec}, err
}
