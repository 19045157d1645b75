package preconf

import (
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Names of package control and pool that users of a Timeline name.
type (
	FlashblockFault = control.FlashblockFault // one fault on command
	FaultKind       = control.FaultKind       // what goes wrong with flashblocks
	ArmedFault      = control.ArmedFault      // a fault in force
	Hold            = control.Hold            // keeps transactions in the pool
	HeldError       = control.HeldError       // the reason of a transaction that a Hold keeps
	Weather         = control.Weather         // the course of a price or limit
	Forecast        = control.Forecast        // a Weather with the blocks that it is for
	Quantity        = control.Quantity        // a price or limit of blocks
	Shape           = control.Shape           // the form of a Weather
	Mode            = control.Mode            // what makes flashblocks and blocks
	Order           = pool.Order              // which ready transaction executes first
	TimeError       = control.TimeError       // a time that the clock or a block cannot come to
)

// The modes, orders, kinds of faults, quantities and shapes, and the limits of times.
const (
	Interval = control.Interval
	Instant  = control.Instant
	Manual   = control.Manual

	FIFO     = pool.FIFO
	Fees     = pool.Fees
	BySender = pool.BySender

	DropFlashblocks     = control.DropFlashblocks
	OmitTransactions    = control.OmitTransactions
	AlterLogs           = control.AlterLogs
	DuplicateFlashblock = control.DuplicateFlashblock
	StallFlashblocks    = control.StallFlashblocks
	LateBlock           = control.LateBlock
	LagContext          = control.LagContext

	OfBaseFee       = control.OfBaseFee
	OfBlobBaseFee   = control.OfBlobBaseFee
	OfGasLimit      = control.OfGasLimit
	OfL1BaseFee     = control.OfL1BaseFee
	OfL1BlobBaseFee = control.OfL1BlobBaseFee

	Spike    = control.Spike
	Ramp     = control.Ramp
	Sawtooth = control.Sawtooth
	List     = control.List
	Calm     = control.Calm

	LatestTime  = control.LatestTime
	LongestTime = control.LongestTime
)
