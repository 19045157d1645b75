package command

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// infoObject is the answer to fakenode_info. All numbers are plain.
type infoObject struct {
	Version string `json:"version"`
	ChainID uint64 `json:"chainId"`
	// Config holds the node's settings, with the changes by control methods.
	Config struct {
		Seal             string `json:"seal"`
		Order            string `json:"order"`
		Compat           string `json:"compat"`
		BlockTimeMs      int64  `json:"blockTimeMs"`
		FlashblockTimeMs int64  `json:"flashblockTimeMs"` // 0: they come on command only
		Preconf          bool   `json:"preconf"`
		// Token is the variant of the payment token, absent where there is none or another chain's.
		Token string `json:"token,omitempty"`
		// X402Assets are the tokens that x402 pays with here, its default first; absent if there are none.
		X402Assets []paytoken.Asset `json:"x402Assets,omitempty"`
	} `json:"config"`
	Clock struct {
		Timestamp   int64 `json:"timestamp"`   // Unix seconds
		TimestampMs int64 `json:"timestampMs"` // the same in milliseconds
		// Real reports whether it follows the wall clock; otherwise only commands move it.
		Real bool `json:"real"`
	} `json:"clock"`
	Head struct {
		Number    uint64      `json:"number"`
		Hash      common.Hash `json:"hash"`
		Timestamp uint64      `json:"timestamp"` // Unix seconds
	} `json:"head"`
	Safe      uint64 `json:"safe"`      // block number
	Finalized uint64 `json:"finalized"` // block number
	Pending   struct {
		Number          uint64 `json:"number"`
		Timestamp       uint64 `json:"timestamp"`       // Unix seconds
		FlashblockIndex *int   `json:"flashblockIndex"` // of the newest; null: none yet
		Transactions    int    `json:"transactions"`
	} `json:"pending"`
	// Pool has the numbers of transactions that wait, executable or for an earlier nonce.
	Pool struct {
		Pending int `json:"pending"`
		Queued  int `json:"queued"`
	} `json:"pool"`
	Fork *forkInfo `json:"fork,omitempty"` // absent where the network is no fork
	// Codeless lists addresses without code that transactions with data went to, most likely by mistake; absent if there
	// are none.
	Codeless []common.Address `json:"codeless,omitempty"`
}

func Info(r *api.Request) (any, error) {
	m, config := r.Moment(), r.Network.Timeline.Config()
	head, pending := m.Latest(), m.Pending()
	executable, queued := api.PoolHalves(m)
	o := infoObject{Version: r.Network.ClientVersion, ChainID: r.Network.ChainID(), Fork: forkOf(m), Codeless: api.Codeless(m)}
	o.Config.Seal, o.Config.Order, o.Config.Compat = m.Mode().String(), config.Order.String(), r.Network.ProfileName()
	o.Config.BlockTimeMs = m.BlockTime().Milliseconds()
	o.Config.FlashblockTimeMs = max(config.FlashblockTime, 0).Milliseconds()
	o.Config.Preconf = m.NoFlashblocks() == nil
	if v := payToken(r).Variant(); v != 0 {
		o.Config.Token = v.String()
	}
	o.Config.X402Assets = paytoken.AssetsOf(m.Chain())
	o.Clock.Timestamp, o.Clock.TimestampMs, o.Clock.Real = m.Now().Unix(), m.Now().UnixMilli(), config.Real
	o.Head.Number, o.Head.Hash, o.Head.Timestamp = head.Number(), head.Hash(), head.Time()
	o.Safe, o.Finalized = m.Safe().Number(), m.Finalized().Number()
	o.Pending.Number, o.Pending.Timestamp = pending.Number(), pending.Time()
	o.Pending.FlashblockIndex, o.Pending.Transactions = indexOrNull(pending.FlashblockIndex()), len(pending.Transactions().Signed())
	o.Pool.Pending, o.Pool.Queued = len(executable), len(queued)
	return o, nil
}
