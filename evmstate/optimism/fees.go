package optimism

import (
	"cmp"
	"fmt"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// Fees are the prices that a transaction pays besides its gas on L2, and the weight of its data.
type Fees struct {
	L1BaseFee            uint256.Int // wei per unit of L1 gas
	BlobBaseFee          uint256.Int // wei per unit of L1 blob gas
	BaseFeeScalar        uint32
	BlobBaseFeeScalar    uint32
	OperatorFeeScalar    uint32 // wei per 1/100 gas
	OperatorFeeConstant  uint64 // wei for each transaction
	DAFootprintGasScalar uint16 // gas for each byte of data; 0 is 400
}

const (
	// defaultFootprintScalar is the DA footprint's scalar if the L1 sets none.
	defaultFootprintScalar = 400
	// A transaction is taken to be posted with -42.5856 + 0.8365 × (its FastLZ size) bytes, at least 100 (Fjord). The
	// numbers are millionths.
	sizeIntercept = 42_585_600
	sizePerByte   = 836_500
	minSize       = 100_000_000
	million       = 1_000_000
	l1GasPerByte  = 16
	operatorScale = 100 // Jovian
)

// estimatedSize returns the bytes that a transaction of that FastLZ size takes on L1, in millionths.
func estimatedSize(compressed uint64) uint64 {
	return max(minSize, max(sizePerByte*compressed, sizeIntercept)-sizeIntercept)
}

// L1Fee returns the fee in wei for posting a transaction of that FastLZ size (Fjord).
func (f *Fees) L1Fee(compressed uint64) *uint256.Int {
	price := uint256.NewInt(uint64(f.BaseFeeScalar) * l1GasPerByte)
	price.Mul(price, &f.L1BaseFee)
	blobs := uint256.NewInt(uint64(f.BlobBaseFeeScalar))
	price.Add(price, blobs.Mul(blobs, &f.BlobBaseFee))
	fee := price.Mul(price, uint256.NewInt(estimatedSize(compressed)))
	return fee.Div(fee, uint256.NewInt(million*million))
}

// L1GasUsed returns the L1 gas that posting a transaction of that FastLZ size would take, which receipts still report.
func L1GasUsed(compressed uint64) uint64 { return estimatedSize(compressed) * l1GasPerByte / million }

// HasOperatorFee reports whether there is an operator fee.
func (f *Fees) HasOperatorFee() bool { return f.OperatorFeeScalar != 0 || f.OperatorFeeConstant != 0 }

// OperatorFee returns the operator's fee in wei for an amount of gas (Jovian).
func (f *Fees) OperatorFee(gas uint64) *uint256.Int {
	fee := uint256.NewInt(gas)
	fee.Mul(fee, uint256.NewInt(uint64(f.OperatorFeeScalar)*operatorScale))
	return fee.AddUint64(fee, f.OperatorFeeConstant)
}

// signatureSize is the number of bytes that a signature adds to a transaction, as the contract GasPriceOracle counts
// them.
const signatureSize = 68

// Unsigned returns the fees in wei besides gas for a transaction with that unsigned encoding: a fixed amount, and an
// amount for each unit of gas.
func (f *Fees) Unsigned(encoded []byte) (fixed, perGas *uint256.Int) {
	fixed = f.L1Fee(CompressedSize(encoded) + signatureSize)
	fixed.AddUint64(fixed, f.OperatorFeeConstant)
	return fixed, uint256.NewInt(uint64(f.OperatorFeeScalar) * operatorScale)
}

// FootprintScalar returns the gas for each byte of data.
func (f *Fees) FootprintScalar() uint16 {
	return cmp.Or(f.DAFootprintGasScalar, defaultFootprintScalar)
}

// Footprint returns the gas that the data of a transaction of that FastLZ size takes of the block (Jovian).
func (f *Fees) Footprint(compressed uint64) uint64 {
	return estimatedSize(compressed) / million * uint64(f.FootprintScalar())
}

// Levy takes the L1 fee and the operator fee from the sender of one transaction, gives back gas that the sequencer
// refunds, and gives the fees and the base fee to their vaults. It implements evmstate.Levy.
type Levy struct {
	fees   Fees
	l1Fee  *uint256.Int
	refund uint64 // gas
}

// NewLevy returns the levy on a transaction of that FastLZ size. Without rules nothing is refunded.
func (r *Rules) NewLevy(fees Fees, compressed uint64) *Levy {
	l := &Levy{fees: fees, l1Fee: fees.L1Fee(compressed)}
	if r != nil {
		l.refund = r.Upgrade.GasRefund
	}
	return l
}

// SizeOf returns the FastLZ size of a transaction.
func SizeOf(tx *types.Transaction) (uint64, error) {
	encoded, err := tx.MarshalBinary()
	if err != nil {
		return 0, err
	}
	return CompressedSize(encoded), nil
}

// Cost returns the most that the levy takes in wei from the sender of a transaction with that gas limit.
func (l *Levy) Cost(gasLimit uint64) *uint256.Int {
	cost := l.fees.OperatorFee(gasLimit)
	return cost.Add(cost, l.l1Fee)
}

// Charge takes the L1 fee and the operator fee of the gas limit. The error is core.ErrInsufficientFunds.
func (l *Levy) Charge(o *evmstate.Overlay, msg *core.Message) error {
	cost := l.Cost(msg.GasLimit)
	if balance := o.GetBalance(msg.From); balance.Lt(cost) {
		return fmt.Errorf("%w: address %s have %s want %s for the L1 fee and the operator fee", core.ErrInsufficientFunds,
			msg.From, balance, cost)
	}
	o.SubBalance(msg.From, cost, tracing.BalanceDecreaseGasBuy)
	return nil
}

// Settle gives back the operator fee of the gas that was not used and the gas that is refunded, and fills the vaults.
func (l *Levy) Settle(o *evmstate.Overlay, msg *core.Message, gasUsed uint64, block *vm.BlockContext) (int64, error) {
	refund := min(l.refund, gasUsed)
	gasUsed -= refund
	baseFee := uint256.MustFromBig(block.BaseFee)
	operator := l.fees.OperatorFee(gasUsed)
	unused := l.fees.OperatorFee(msg.GasLimit)
	o.AddBalance(msg.From, unused.Sub(unused, operator), tracing.BalanceIncreaseGasReturn)
	if refund > 0 {
		back := uint256.NewInt(refund)
		o.AddBalance(msg.From, new(uint256.Int).Mul(back, msg.GasPrice), tracing.BalanceIncreaseGasReturn)
		if msg.GasPrice.Gt(baseFee) {
			o.SubBalance(block.Coinbase, back.Mul(back, new(uint256.Int).Sub(msg.GasPrice, baseFee)), tracing.BalanceDecreaseGasBuy)
		}
	}
	burnt := uint256.NewInt(gasUsed)
	o.AddBalance(BaseFeeVault, burnt.Mul(burnt, baseFee), tracing.BalanceIncreaseRewardTransactionFee)
	o.AddBalance(L1FeeVault, l.l1Fee, tracing.BalanceIncreaseRewardTransactionFee)
	o.AddBalance(OperatorFeeVault, operator, tracing.BalanceIncreaseRewardTransactionFee)
	return int64(refund), nil
}

// Limits of FastLZ, level 1.
const (
	minInput    = 13 // a shorter input is kept as it is
	tail        = 13 // bytes at the end in which no match begins
	maxDistance = 1<<13 - 1
	maxLiterals = 32 // in one instruction
	longMatch   = 262
)

// CompressedSize returns the size of data in bytes after compression with FastLZ, level 1, from which the fee for data
// on L1 is computed. It equals the reference implementation's with an empty table, to the byte.
func CompressedSize(data []byte) uint64 {
	c := compressor{data: data}
	if len(data) < minInput {
		return literalSize(len(data))
	}
	limit := len(data) - tail
	at, anchor := 2, 0
	for at < limit {
		match, found := c.search(&at, limit)
		if !found {
			break
		}
		c.size += literalSize(at - anchor)
		length := c.common(match+3, at+3, limit+9)
		c.size += matchSize(length)
		at += length
		c.remember(at)
		c.remember(at + 1)
		at += 2
		anchor = at
	}
	return c.size + literalSize(len(data)-anchor)
}

// compressor counts the bytes that compression would write.
type compressor struct {
	data  []byte
	size  uint64
	table [1 << 13]uint32 // of the hash of three bytes: where they were last seen
}

// search moves at forward to the next three bytes that were seen before, and returns the place where. It reports false
// if there are none below limit.
func (c *compressor) search(at *int, limit int) (match int, found bool) {
	for ; *at < limit; *at++ {
		three := c.three(*at)
		seen := &c.table[hashOf(three)]
		match, *seen = int(*seen), uint32(*at)
		if *at-match <= maxDistance && c.three(match) == three {
			// The reference checks the limit after it has moved on, and so drops the last match.
			return match, *at+1 < limit
		}
	}
	return 0, false
}

// three returns the three bytes at i as a number.
func (c *compressor) three(i int) uint32 {
	return uint32(c.data[i]) | uint32(c.data[i+1])<<8 | uint32(c.data[i+2])<<16
}

func hashOf(three uint32) uint32 { return three * 2654435769 >> 19 & (1<<13 - 1) }

// remember notes the three bytes at i.
func (c *compressor) remember(i int) { c.table[hashOf(c.three(i))] = uint32(i) }

// common returns how far the bytes at p and q agree, the first that differ included, up to end.
func (c *compressor) common(p, q, end int) int {
	for n := range end - q {
		if c.data[p+n] != c.data[q+n] {
			return n + 1
		}
	}
	return end - q
}

// literalSize returns the size of n bytes that are copied: each instruction takes a byte and copies up to 32.
func literalSize(n int) uint64 {
	instructions := (n + maxLiterals - 1) / maxLiterals
	return uint64(n + instructions)
}

// matchSize returns the size of a reference to bytes before: two bytes if it is short, else three for each 262 bytes.
func matchSize(length int) uint64 {
	rest := length - 1
	size := 3 * (rest / longMatch)
	if rest%longMatch >= 6 {
		return uint64(size + 3)
	}
	return uint64(size + 2)
}
