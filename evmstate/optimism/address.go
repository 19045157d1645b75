package optimism

import "github.com/ethereum/go-ethereum/common"

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
