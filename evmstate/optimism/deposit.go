package optimism

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
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
	Value      *big.Int        // wei
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
	case d.Value.Sign() < 0 || d.Value.BitLen() > 256:
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
