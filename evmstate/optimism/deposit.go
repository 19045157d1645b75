package optimism

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
)

// DepositType is the type byte of a deposit transaction.
const DepositType = 0x7e

// Domains of source hashes, by the origin of the deposit.
const (
	userDomain       = 0
	attributesDomain = 1
	baseTimeDomain   = 3
)

// Limits of a user's deposit, as the portal on L1 has them.
const (
	maxDepositGas  = 20_000_000
	maxDepositData = 120_000 // bytes
	depositGas     = 21_000  // least, and for each byte of data
	depositByteGas = 40
)

// Deposit is a transaction on L2 that comes from L1. It has no signature, pays no fee and cannot be left out. The
// fields are in the order of its encoding.
type Deposit struct {
	SourceHash common.Hash     // makes the hash unique
	From       common.Address  // sender
	To         *common.Address `rlp:"nil"` // nil creates a contract
	Mint       *big.Int        `rlp:"nil"` // wei created for the sender; nil is none
	Value      *big.Int        // wei; never nil
	Gas        uint64          // limit
	IsSystem   bool            // always false since the Regolith upgrade
	Data       []byte
}

// Check rejects a deposit that the portal on L1 would not take from a user. The error names the value and its limit.
func (d *Deposit) Check() error {
	least := depositGas + depositByteGas*uint64(len(d.Data))
	_, own := ReadBaseTime(d)
	switch {
	case own:
		return fmt.Errorf("only the chain makes deposits from %s that set the milliseconds in BaseTime", d.From)
	case len(d.Data) > maxDepositData:
		return fmt.Errorf("data of %d bytes is above the limit of %d", len(d.Data), maxDepositData)
	case d.Gas < least || d.Gas > maxDepositGas:
		return fmt.Errorf("gas %d is not between %d and %d", d.Gas, least, maxDepositGas)
	case d.Value == nil || d.Value.Sign() < 0 || d.Value.BitLen() > 256:
		return fmt.Errorf("value %v is not a 256-bit number", d.Value)
	case d.Mint != nil && (d.Mint.Sign() < 0 || d.Mint.BitLen() > 128):
		return fmt.Errorf("mint %v is not a 128-bit number", d.Mint)
	}
	return nil
}

// noValue is the value of the system's deposits and their price of gas. Nobody modifies it.
var noValue = new(big.Int)

// MarshalBinary returns the typed encoding: the type byte and the RLP of the fields.
func (d *Deposit) MarshalBinary() ([]byte, error) {
	encoded := bytes.NewBuffer(make([]byte, 0, 160+len(d.Data)))
	encoded.WriteByte(DepositType)
	if err := rlp.Encode(encoded, d); err != nil {
		return nil, fmt.Errorf("deposit transaction: %w", err)
	}
	return encoded.Bytes(), nil
}

// UnmarshalDeposit returns the deposit with the given typed encoding.
func UnmarshalDeposit(encoded []byte) (*Deposit, error) {
	if len(encoded) == 0 || encoded[0] != DepositType {
		return nil, fmt.Errorf("deposit transaction: want the type byte %#x first", DepositType)
	}
	d := new(Deposit)
	if err := rlp.DecodeBytes(encoded[1:], d); err != nil {
		return nil, fmt.Errorf("deposit transaction: %w", err)
	}
	return d, nil
}

// Hash returns the transaction hash.
func (d *Deposit) Hash() common.Hash { return crypto.Keccak256Hash(d.encode()) }

// encode is MarshalBinary for a deposit that has no negative amount, as nobody makes one.
func (d *Deposit) encode() []byte {
	encoded, err := d.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return encoded
}

// equal reports whether both are the same deposit of the system, which mints nothing.
func (d *Deposit) equal(other *Deposit) bool {
	return d.SourceHash == other.SourceHash && d.From == other.From && d.To != nil && other.To != nil && *d.To == *other.To &&
		d.Mint == nil && other.Mint == nil && d.Value.Cmp(other.Value) == 0 && d.Gas == other.Gas &&
		d.IsSystem == other.IsSystem && bytes.Equal(d.Data, other.Data)
}

// UserSource returns the source hash of a user's deposit, which a log at an index of an L1 block made.
func UserSource(l1Block common.Hash, logIndex uint64) common.Hash {
	return sourceHash(userDomain, l1Block, logIndex)
}

// sourceHash returns keccak(domain ‖ keccak(L1 block hash ‖ index)), with numbers as 32 bytes.
func sourceHash(domain byte, l1Block common.Hash, index uint64) common.Hash {
	var packed [64]byte
	copy(packed[:], l1Block[:])
	binary.BigEndian.PutUint64(packed[56:], index)
	return domainHash(domain, crypto.Keccak256Hash(packed[:]))
}

// domainHash returns keccak(domain ‖ id), with the domain as 32 bytes.
func domainHash(domain byte, id common.Hash) common.Hash {
	var packed [64]byte
	packed[31] = domain
	copy(packed[32:], id[:])
	return crypto.Keccak256Hash(packed[:])
}

// Addresses of the contracts that the rules name.
var (
	// SequencerFeeVault is the coinbase of every block: it receives the tips.
	SequencerFeeVault = common.HexToAddress("0x4200000000000000000000000000000000000011")
	// L1BlockAddress is the contract L1Block, which holds the L1 block.
	L1BlockAddress = common.HexToAddress("0x4200000000000000000000000000000000000015")
	// MessagePasser is the contract whose storage root is the withdrawals root of a header.
	MessagePasser = common.HexToAddress("0x4200000000000000000000000000000000000016")
	// BaseFeeVault receives the base fees, which Ethereum burns.
	BaseFeeVault = common.HexToAddress("0x4200000000000000000000000000000000000019")
	// L1FeeVault receives the fees for data on L1.
	L1FeeVault = common.HexToAddress("0x420000000000000000000000000000000000001A")
	// OperatorFeeVault receives the operator fees.
	OperatorFeeVault = common.HexToAddress("0x420000000000000000000000000000000000001b")
	// BaseTimeAddress is the contract BaseTime, which holds the milliseconds of the block's time, from Denim on.
	BaseTimeAddress = common.HexToAddress("0x4200000000000000000000000000000000000030")
	// Depositor sends the first deposit of every block, and the BaseTime deposit.
	Depositor = common.HexToAddress("0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001")
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
