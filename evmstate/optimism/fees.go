package optimism

import "github.com/holiman/uint256"

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
	if f.DAFootprintGasScalar == 0 {
		return defaultFootprintScalar
	}
	return f.DAFootprintGasScalar
}

// Footprint returns the gas that the data of a transaction of that FastLZ size takes of the block (Jovian).
func (f *Fees) Footprint(compressed uint64) uint64 {
	return estimatedSize(compressed) / million * uint64(f.FootprintScalar())
}
