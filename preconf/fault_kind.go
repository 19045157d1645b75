package preconf

// FaultKind names what goes wrong with flashblocks.
type FaultKind string

const (
	// DropFlashblocks takes back the newest Count flashblocks of the pending block, at once.
	DropFlashblocks FaultKind = "drop"
	// OmitTransactions leaves pre-confirmed transactions out of the next block that would hold them: those with Hashes,
	// or the last Count.
	OmitTransactions FaultKind = "omit"
	// AlterLogs announces other logs than the block will hold, for the transactions with Hashes, or those in the next
	// Count flashblocks that have logs. A log's data differ in the last byte, or where it has none its last topic;
	// address, position and number of logs do not. The sealed block holds the true ones: it is a valid block.
	AlterLogs FaultKind = "alterLogs"
	// DuplicateFlashblock announces the newest flashblock Count times more, at once.
	DuplicateFlashblock FaultKind = "duplicate"
	// StallFlashblocks swallows the next Count flashblocks. Pending falls back to latest at once, or to a block that is
	// late: what was pre-confirmed after it goes back to the pool, to be sealed in time or announced again.
	StallFlashblocks FaultKind = "stall"
	// LateBlock lets the next Count blocks become head one slot late: until the block after is sealed they stay
	// pending, empty or not, announced or not, and there are two pending blocks once a flashblock follows.
	LateBlock FaultKind = "lateBlock"
	// LagContext lets calls at pending see the block context of Count blocks before, with the present state, until
	// ClearFlashblockFaults.
	LagContext FaultKind = "lag"
)

// faultKinds reports which fields beside the count apply to a kind of fault, and what it does: do gets a fault that is
// checked, with a count of at least 1.
var faultKinds = map[FaultKind]struct {
	gone, hashes, retract bool
	do                    func(*change, FlashblockFault) (FaultResult, error)
}{
	DropFlashblocks:     {gone: true, retract: true, do: (*change).dropFlashblocks},
	OmitTransactions:    {gone: true, hashes: true, retract: true, do: (*change).armOmission},
	AlterLogs:           {hashes: true, do: (*change).armAlteration},
	DuplicateFlashblock: {do: (*change).duplicate},
	StallFlashblocks:    {retract: true, do: (*change).stall},
	LateBlock:           {do: (*change).armLateness},
	LagContext:          {do: (*change).setLag},
}
