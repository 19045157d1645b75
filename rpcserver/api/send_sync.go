package api

import "slices"

// SendSync names the rules of eth_sendRawTransactionSync: timeouts, codes, what it waits for. Empty: those of the
// profile, SyncSpec or SyncGeth.
type SendSync string

// The values of SendSync.
const (
	SyncSpec      SendSync = "spec"
	SyncGeth      SendSync = "geth"
	SyncEIP       SendSync = "eip7966"
	SyncArbitrum  SendSync = "arbitrum"           // answers a receipt of a block
	SyncAnnounced SendSync = "arbitrum-announced" // as Arbitrum has announced: before there is a block
	SyncPolygon   SendSync = "polygon"
	SyncMegaETH   SendSync = "megaeth"
)

// SendSyncs lists the values of SendSync.
func SendSyncs() []SendSync {
	return []SendSync{SyncSpec, SyncGeth, SyncEIP, SyncArbitrum, SyncAnnounced, SyncPolygon, SyncMegaETH}
}

// Valid reports whether the rules are known or empty.
func (s SendSync) Valid() bool { return s == "" || slices.Contains(SendSyncs(), s) }
