// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package contracts

import (
	"bytes"
	_ "embed"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// Multicall3Call is an auto generated low-level Go binding around an user-defined struct.
type Multicall3Call struct {
	Target   common.Address
	CallData []byte
}

// Multicall3Call3 is an auto generated low-level Go binding around an user-defined struct.
type Multicall3Call3 struct {
	Target       common.Address
	AllowFailure bool
	CallData     []byte
}

// Multicall3Call3Value is an auto generated low-level Go binding around an user-defined struct.
type Multicall3Call3Value struct {
	Target       common.Address
	AllowFailure bool
	Value        *big.Int
	CallData     []byte
}

// Multicall3Result is an auto generated low-level Go binding around an user-defined struct.
type Multicall3Result struct {
	Success    bool
	ReturnData []byte
}

// Multicall3MetaData contains all meta data concerning the Multicall3 contract.
var Multicall3MetaData = bind.MetaData{
	ABI: multicall3ABI,
	ID:  "Multicall3",
	Bin: multicall3Bin,
}

// Multicall3 is an auto generated Go binding around an Ethereum contract.
type Multicall3 struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Multicall3) GetABI() abi.ABI {
	return c.abi
}

// NewMulticall3 creates a new instance of Multicall3.
func NewMulticall3() *Multicall3 {
	parsed, err := Multicall3MetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Multicall3{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Multicall3) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackAggregate is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x252dba42.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function aggregate((address,bytes)[] calls) payable returns(uint256 blockNumber, bytes[] returnData)
func (multicall3 *Multicall3) PackAggregate(calls []Multicall3Call) []byte {
	enc, err := multicall3.abi.Pack("aggregate", calls)
	if err != nil {
		panic(err)
	}
	return enc
}

// AggregateOutput serves as a container for the return parameters of contract
// method Aggregate.
type AggregateOutput struct {
	BlockNumber *big.Int
	ReturnData  [][]byte
}

// UnpackAggregate is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x252dba42.
//
// Solidity: function aggregate((address,bytes)[] calls) payable returns(uint256 blockNumber, bytes[] returnData)
func (multicall3 *Multicall3) UnpackAggregate(data []byte) (AggregateOutput, error) {
	out, err := multicall3.abi.Unpack("aggregate", data)
	outstruct := new(AggregateOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.BlockNumber = abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	outstruct.ReturnData = *abi.ConvertType(out[1], new([][]byte)).(*[][]byte)
	return *outstruct, nil
}

// PackAggregate3 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x82ad56cb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function aggregate3((address,bool,bytes)[] calls) payable returns((bool,bytes)[] returnData)
func (multicall3 *Multicall3) PackAggregate3(calls []Multicall3Call3) []byte {
	enc, err := multicall3.abi.Pack("aggregate3", calls)
	if err != nil {
		panic(err)
	}
	return enc
}

// UnpackAggregate3 is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x82ad56cb.
//
// Solidity: function aggregate3((address,bool,bytes)[] calls) payable returns((bool,bytes)[] returnData)
func (multicall3 *Multicall3) UnpackAggregate3(data []byte) ([]Multicall3Result, error) {
	out, err := multicall3.abi.Unpack("aggregate3", data)
	if err != nil {
		return *new([]Multicall3Result), err
	}
	out0 := *abi.ConvertType(out[0], new([]Multicall3Result)).(*[]Multicall3Result)
	return out0, nil
}

// PackAggregate3Value is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x174dea71.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function aggregate3Value((address,bool,uint256,bytes)[] calls) payable returns((bool,bytes)[] returnData)
func (multicall3 *Multicall3) PackAggregate3Value(calls []Multicall3Call3Value) []byte {
	enc, err := multicall3.abi.Pack("aggregate3Value", calls)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackBlockAndAggregate is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc3077fa9.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function blockAndAggregate((address,bytes)[] calls) payable returns(uint256 blockNumber, bytes32 blockHash, (bool,bytes)[] returnData)
func (multicall3 *Multicall3) PackBlockAndAggregate(calls []Multicall3Call) []byte {
	enc, err := multicall3.abi.Pack("blockAndAggregate", calls)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetBasefee is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3e64a696.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getBasefee() view returns(uint256)
func (multicall3 *Multicall3) PackGetBasefee() []byte {
	enc, err := multicall3.abi.Pack("getBasefee")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetBlockHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xee82ac5e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getBlockHash(uint256 blockNumber) view returns(bytes32)
func (multicall3 *Multicall3) PackGetBlockHash(blockNumber *big.Int) []byte {
	enc, err := multicall3.abi.Pack("getBlockHash", blockNumber)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetBlockNumber is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x42cbb15c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getBlockNumber() view returns(uint256)
func (multicall3 *Multicall3) PackGetBlockNumber() []byte {
	enc, err := multicall3.abi.Pack("getBlockNumber")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetChainId is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3408e470.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getChainId() view returns(uint256)
func (multicall3 *Multicall3) PackGetChainId() []byte {
	enc, err := multicall3.abi.Pack("getChainId")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetCurrentBlockCoinbase is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa8b0574e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getCurrentBlockCoinbase() view returns(address)
func (multicall3 *Multicall3) PackGetCurrentBlockCoinbase() []byte {
	enc, err := multicall3.abi.Pack("getCurrentBlockCoinbase")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetCurrentBlockDifficulty is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x72425d9d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getCurrentBlockDifficulty() view returns(uint256)
func (multicall3 *Multicall3) PackGetCurrentBlockDifficulty() []byte {
	enc, err := multicall3.abi.Pack("getCurrentBlockDifficulty")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetCurrentBlockGasLimit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x86d516e8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getCurrentBlockGasLimit() view returns(uint256)
func (multicall3 *Multicall3) PackGetCurrentBlockGasLimit() []byte {
	enc, err := multicall3.abi.Pack("getCurrentBlockGasLimit")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetCurrentBlockTimestamp is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x0f28c97d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getCurrentBlockTimestamp() view returns(uint256)
func (multicall3 *Multicall3) PackGetCurrentBlockTimestamp() []byte {
	enc, err := multicall3.abi.Pack("getCurrentBlockTimestamp")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetEthBalance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4d2301cc.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getEthBalance(address account) view returns(uint256)
func (multicall3 *Multicall3) PackGetEthBalance(account common.Address) []byte {
	enc, err := multicall3.abi.Pack("getEthBalance", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackGetLastBlockHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x27e86d6e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getLastBlockHash() view returns(bytes32)
func (multicall3 *Multicall3) PackGetLastBlockHash() []byte {
	enc, err := multicall3.abi.Pack("getLastBlockHash")
	if err != nil {
		panic(err)
	}
	return enc
}

// PackTryAggregate is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbce38bd7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function tryAggregate(bool requireSuccess, (address,bytes)[] calls) payable returns((bool,bytes)[] returnData)
func (multicall3 *Multicall3) PackTryAggregate(requireSuccess bool, calls []Multicall3Call) []byte {
	enc, err := multicall3.abi.Pack("tryAggregate", requireSuccess, calls)
	if err != nil {
		panic(err)
	}
	return enc
}

// UnpackTryAggregate is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xbce38bd7.
//
// Solidity: function tryAggregate(bool requireSuccess, (address,bytes)[] calls) payable returns((bool,bytes)[] returnData)
func (multicall3 *Multicall3) UnpackTryAggregate(data []byte) ([]Multicall3Result, error) {
	out, err := multicall3.abi.Unpack("tryAggregate", data)
	if err != nil {
		return *new([]Multicall3Result), err
	}
	out0 := *abi.ConvertType(out[0], new([]Multicall3Result)).(*[]Multicall3Result)
	return out0, nil
}

// PackTryBlockAndAggregate is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x399542e9.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function tryBlockAndAggregate(bool requireSuccess, (address,bytes)[] calls) payable returns(uint256 blockNumber, bytes32 blockHash, (bool,bytes)[] returnData)
func (multicall3 *Multicall3) PackTryBlockAndAggregate(requireSuccess bool, calls []Multicall3Call) []byte {
	enc, err := multicall3.abi.Pack("tryBlockAndAggregate", requireSuccess, calls)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryBlockAndAggregateOutput serves as a container for the return parameters of contract
// method TryBlockAndAggregate.
type TryBlockAndAggregateOutput struct {
	BlockNumber *big.Int
	BlockHash   [32]byte
	ReturnData  []Multicall3Result
}

// UnpackTryBlockAndAggregate is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x399542e9.
//
// Solidity: function tryBlockAndAggregate(bool requireSuccess, (address,bytes)[] calls) payable returns(uint256 blockNumber, bytes32 blockHash, (bool,bytes)[] returnData)
func (multicall3 *Multicall3) UnpackTryBlockAndAggregate(data []byte) (TryBlockAndAggregateOutput, error) {
	out, err := multicall3.abi.Unpack("tryBlockAndAggregate", data)
	outstruct := new(TryBlockAndAggregateOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.BlockNumber = abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	outstruct.BlockHash = *abi.ConvertType(out[1], new([32]byte)).(*[32]byte)
	outstruct.ReturnData = *abi.ConvertType(out[2], new([]Multicall3Result)).(*[]Multicall3Result)
	return *outstruct, nil
}

var (
	//go:embed multicall3.abi
	multicall3ABI string
	//go:embed multicall3.bin
	multicall3Bin string
)

func multicall3Runtime() []byte { return common.Hex2Bytes(multicall3Bin[64:6424]) }
