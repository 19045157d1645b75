package api

import (
	"cmp"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Behaviour holds the choices in which the answers of nodes differ (contract D-profile). The zero value is the
// contract's; what a comment says of false holds there.
type Behaviour struct {
	Forms
	// ClientVersion answers web3_clientVersion. Empty: name, platform and Go version.
	ClientVersion string
	// Preconf selects how clients see transactions that are not in a block yet. Empty: PreconfFlashblocks.
	Preconf Preconf
	// SendSync selects the rules of eth_sendRawTransactionSync. Empty: SyncSpec.
	SendSync SendSync
	// NoSendSync makes eth_sendRawTransactionSync an unknown method, as on some endpoints of Base since Denim. False: it
	// answers.
	NoSendSync bool
	// RejectUnprotected rejects signed transactions that are bound to no chain (before EIP-155). False: they are taken.
	RejectUnprotected bool
	// StandardBlockOverrides takes the block overrides of execution-apis alone. False: second names and block hashes, too.
	StandardBlockOverrides bool
	// AnyObject makes a transaction of an object with both kinds of fees (the gas price counts), with a tip above the fee
	// cap, and with neither to nor data. False: these are errors.
	AnyObject bool
	// WholeSteps sets trace.Config.WholeSteps. False: steps without empty members.
	WholeSteps bool
	// WholeSearch gives the receipts that ots_searchTransactions* finds their logs and bloom. False: without, as Otterscan
	// asks.
	WholeSearch bool
	// CallsOnNext gives calls at the head the gas limit and the fee recipient of the next block. False: the head's.
	CallsOnNext bool
	// LogsAboveHead has no logs in a range that begins above the head. False: EmptyRangeIsError decides.
	LogsAboveHead bool
}

// Forms are the choices that the contract and live clients make differently, all alike.
type Forms struct {
	// Profile is the name of the profile in fakenode_info. Empty: spec.
	Profile string
	// RevertReason gives the error of a revert the code 3 and its reason. False: -32000 execution reverted.
	RevertReason bool
	// HeaderNotFound answers -32000 header not found for an unknown block. False: -32001, and the block is named.
	HeaderNotFound bool
	// FewCodes answers -32000 for a transaction that cannot be decoded, a call that runs too long and overrides that
	// contradict each other. False: they have codes of their own.
	FewCodes bool

	// Lenient ignores unknown members of parameters, except those of objects that are always strict. False: an error.
	Lenient bool
	// StandardOverrides takes the state overrides of execution-apis alone. False: storage, too, which is stateDiff.
	StandardOverrides bool
	// IgnoreType ignores the type of a transaction object. False: the members must fit it.
	IgnoreType bool
	// GasPriceDropsBlobs makes a transaction without blobs of an object with a gas price. False: an error.
	GasPriceDropsBlobs bool

	// FirstAccountSends lets the first account send where a transaction object has no sender. False: an error.
	FirstAccountSends bool

	// EmptyRangeIsError rejects a range of logs that ends before it begins. False: a client may ask for the range from the
	// block after the head.
	EmptyRangeIsError bool
	// HashOrRange rejects bounds of logs beside the hash of a block. False: they are ignored.
	HashOrRange bool

	// SimulateOnLatest simulates on the latest block where none is given. False: it must be given, where blocks have not
	// replaced flashblocks.
	SimulateOnLatest bool
	// Simulate are the rules of eth_simulateV1.
	Simulate simulate.Rules
	// ErrorObjects gives a failed call of a simulation an error object, which has the data of a revert. False: a text, and
	// the data are returnData.
	ErrorObjects bool

	// NullRatios answers null for the ratios of a fee history of no blocks. False: an empty list.
	NullRatios bool
	// ChecksumSenders writes the senders of txpool_content and txpool_inspect with a checksum (EIP-55). False: in lower
	// case.
	ChecksumSenders bool
	// DeclaredReasons shows errors that contracts declare as reasons of reverts in traces. False: Error(string) alone.
	DeclaredReasons bool
	// Receipts selects the members of receipts. Zero: all.
	Receipts shape.ReceiptMembers
}

// ProfileName returns the name of the profile.
func (f *Forms) ProfileName() string { return cmp.Or(f.Profile, "spec") }
