package optimism

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// DepositTopic is the first topic of the portal's event TransactionDeposited(address indexed from, address indexed to,
// uint256 indexed version, bytes opaqueData).
var DepositTopic = crypto.Keccak256Hash([]byte("TransactionDeposited(address,address,uint256,bytes)"))

const (
	wordSize = 32
	// opaqueSize is the least size of opaqueData, in bytes: mint and value in 32 each, gas in 8, whether it creates a
	// contract in 1, then the data.
	opaqueSize = 2*wordSize + 8 + 1
)

// DepositOf returns the deposit that a log of the portal makes, which is in L1 block l1Block. The error describes a log
// that makes none (OP stack, specs/protocol/deposits.md).
func DepositOf(log *types.Log, l1Block common.Hash) (*Deposit, error) {
	switch {
	case len(log.Topics) != 4 || log.Topics[0] != DepositTopic:
		return nil, fmt.Errorf("log %d is no TransactionDeposited", log.Index)
	case log.Topics[3] != (common.Hash{}):
		return nil, fmt.Errorf("deposit of log %d has version %s, want 0", log.Index, log.Topics[3])
	}
	opaque, err := onlyBytes(log.Data)
	if err != nil {
		return nil, fmt.Errorf("deposit of log %d: %w", log.Index, err)
	}
	if len(opaque) < opaqueSize {
		return nil, fmt.Errorf("deposit of log %d has %d bytes, want %d or more", log.Index, len(opaque), opaqueSize)
	}
	d := &Deposit{
		SourceHash: UserSource(l1Block, uint64(log.Index)),
		From:       common.BytesToAddress(log.Topics[1][:]),
		Value:      new(big.Int).SetBytes(opaque[wordSize : 2*wordSize]),
		Gas:        binary.BigEndian.Uint64(opaque[2*wordSize:]),
		Data:       opaque[opaqueSize:],
	}
	if mint := new(big.Int).SetBytes(opaque[:wordSize]); mint.Sign() > 0 {
		d.Mint = mint
	}
	switch opaque[opaqueSize-1] {
	case 0:
		to := common.BytesToAddress(log.Topics[2][:])
		d.To = &to
	case 1:
	default:
		return nil, fmt.Errorf("deposit of log %d: %d does not say whether it creates a contract", log.Index, opaque[opaqueSize-1])
	}
	return d, nil
}

// onlyBytes returns the argument of an event whose only unindexed argument is of type bytes. The encoding must be the
// shortest one.
func onlyBytes(data []byte) ([]byte, error) {
	if len(data) < 2*wordSize || len(data)%wordSize != 0 {
		return nil, fmt.Errorf("%d bytes of data are not two words or more", len(data))
	}
	offset, size := new(big.Int).SetBytes(data[:wordSize]), new(big.Int).SetBytes(data[wordSize:2*wordSize])
	rest := data[2*wordSize:]
	if offset.Cmp(big.NewInt(wordSize)) != 0 {
		return nil, fmt.Errorf("offset is %v, want %d", offset, wordSize)
	}
	if most := big.NewInt(int64(len(rest))); size.Cmp(most) > 0 || int64(len(rest))-size.Int64() >= wordSize {
		return nil, fmt.Errorf("length is %v, which %d bytes do not hold exactly", size, len(rest))
	}
	return rest[:size.Int64()], nil
}
