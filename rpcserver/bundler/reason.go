package bundler

// Codes of ERC-7769. codeAggregator and codeExecution are those of other bundlers.
const (
	codeRejected   = -32500 // by the EntryPoint or the account
	codePaymaster  = -32501 // by the paymaster
	codeRules      = -32502 // of ERC-7562
	codeTime       = -32503 // not due yet, or expired
	codeAggregator = -32506 // of signatures, which this bundler does not ask
	codeSignature  = -32507 // of the account or the paymaster
	codeDeposit    = -32508 // the paymaster's does not cover the operation
	codeExecution  = -32521 // the account's call reverts
)

// reasons hold, by the beginning of an EntryPoint's reason, the code of the refusal and what to do.
var reasons = []struct {
	reason string
	code   int
	remedy string
}{
	{"AA10", codeRejected, "leave the factory out: the account is deployed"},
	{"AA13", codeRejected, "look at the factory's call, or raise verificationGasLimit"},
	{"AA14", codeRejected, "the sender is not the address that the factory deploys at"},
	{"AA15", codeRejected, "the factory deployed no account"},
	{"AA20", codeRejected, "deploy the account, or give a factory or eip7702Auth"},
	{"AA21", codeRejected, "give the sender ether, or a deposit at the EntryPoint"},
	{"AA22", codeTime, "the account's time range does not hold the next block's time: sign the operation for another one"},
	{"AA23", codeRejected, "look at validateUserOp of the account, or raise verificationGasLimit"},
	{"AA24", codeSignature, "the account does not accept the signature: is the hash of this EntryPoint and chain signed?"},
	{"AA25", codeRejected, "take the nonce from getNonce of the EntryPoint, operations in the pool counted in"},
	{"AA26", codeRejected, "raise verificationGasLimit"},
	{"AA27", codeTime, "the account's range of blocks does not hold the next block: sign the operation for another one"},
	{"AA30", codePaymaster, "the paymaster has no code: is its address that of this chain?"},
	{"AA31", codeDeposit, "give the paymaster a deposit at the EntryPoint"},
	{"AA32", codeTime, "the paymaster's time range does not hold the next block's time: ask it for other data"},
	{"AA33", codePaymaster, "look at validatePaymasterUserOp and the paymaster's data, or raise paymasterVerificationGasLimit"},
	{"AA34", codeSignature, "the paymaster does not accept its signature: was the operation changed after it signed?"},
	{"AA35", codePaymaster, "validatePaymasterUserOp must return a context and a number"},
	{"AA36", codePaymaster, "raise paymasterVerificationGasLimit"},
	{"AA37", codeTime, "the paymaster's range of blocks does not hold the next block: ask it for other data"},
	{"AA40", codeRejected, "raise verificationGasLimit"},
	{"AA41", codeRejected, "raise verificationGasLimit: the paymaster needs some of it"},
	{"AA5", codePaymaster, "look at postOp of the paymaster, or raise the limits that pay for it"},
	{"AA94", codeRejected, "limits and fees must be below 2^120"},
	{"AA", codeRejected, "the EntryPoint refuses the operation"},
}
