package pool

// Behaviour holds the choices in which the pools of nodes differ. The zero value is the contract's.
type Behaviour struct {
	// FeeCapBumpOnly lets a transaction replace one in the pool with any higher fee cap, whatever its tip. False: both
	// must be 10 % higher.
	FeeCapBumpOnly bool
	// RejectBelowBaseFee rejects a transaction with a fee cap below the base fee of the next block. False: it waits in the
	// pool.
	RejectBelowBaseFee bool
	// NoBlobs rejects transactions with blobs. False: they are taken where blocks may have them.
	NoBlobs bool
	// RequireTip rejects a transaction without a tip while there is a base fee. False: it may have none.
	RequireTip bool
	// AnnounceReady announces a transaction of the pool once no nonce is missing before it. False: as it comes.
	AnnounceReady bool
	// AnySize takes transactions of any size that the block has gas for. False: up to 128 KiB, blobs not counted.
	AnySize bool
	// StateFirst names of several mistakes a used nonce first, and a fee cap below the base fee before a tip above it.
	// False: what the state decides comes last.
	StateFirst bool
	// MaxAuthorizations is how many delegations (EIP-7702) a transaction may have. Zero: any number.
	MaxAuthorizations int
}
