package command

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// infoObject is the answer to fakenode_info. All numbers are plain.
type infoObject struct {
	Version   string      `json:"version"`
	ChainID   uint64      `json:"chainId"`
	Config    configInfo  `json:"config"`
	Clock     clockInfo   `json:"clock"`
	Head      blockInfo   `json:"head"`
	Safe      uint64      `json:"safe"`      // block number
	Finalized uint64      `json:"finalized"` // block number
	Pending   pendingInfo `json:"pending"`
	Pool      poolInfo    `json:"pool"`
	Fork      *forkInfo   `json:"fork,omitempty"` // absent where the network is no fork
	// Codeless lists addresses without code that transactions with data went to, most likely by mistake; absent if there
	// are none.
	Codeless []common.Address `json:"codeless,omitempty"`
}

// configInfo holds the node's settings, with the changes by control methods.
type configInfo struct {
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
}

// clockInfo describes the node's time.
type clockInfo struct {
	Timestamp   int64 `json:"timestamp"`   // Unix seconds
	TimestampMs int64 `json:"timestampMs"` // the same in milliseconds
	// Real reports whether it follows the wall clock; otherwise only commands move it.
	Real bool `json:"real"`
}

// blockInfo describes the newest block.
type blockInfo struct {
	Number    uint64      `json:"number"`
	Hash      common.Hash `json:"hash"`
	Timestamp uint64      `json:"timestamp"` // Unix seconds
}

// pendingInfo describes the pre-confirmed block.
type pendingInfo struct {
	Number          uint64 `json:"number"`
	Timestamp       uint64 `json:"timestamp"`       // Unix seconds
	FlashblockIndex *int   `json:"flashblockIndex"` // of the newest; null: none yet
	Transactions    int    `json:"transactions"`
}

// poolInfo holds the numbers of transactions that wait, executable or for an earlier nonce.
type poolInfo struct {
	Pending int `json:"pending"`
	Queued  int `json:"queued"`
}

func Info(r *api.Request) (any, error) {
	m, config := r.Moment(), r.Network.Timeline.Config()
	head, pending := m.Latest(), m.Pending()
	executable, queued := api.PoolHalves(m)
	var variant string
	if v := payToken(r).Variant(); v != 0 {
		variant = v.String()
	}
	return infoObject{
		Version: r.Network.ClientVersion,
		ChainID: r.Network.ChainID(),
		Config: configInfo{
			Seal:             m.Mode().String(),
			Order:            config.Order.String(),
			Compat:           r.Network.ProfileName(),
			BlockTimeMs:      m.BlockTime().Milliseconds(),
			FlashblockTimeMs: max(config.FlashblockTime, 0).Milliseconds(),
			Preconf:          m.NoFlashblocks() == nil,
			Token:            variant,
			X402Assets:       paytoken.AssetsOf(m.Chain()),
		},
		Clock:     clockInfo{Timestamp: m.Now().Unix(), TimestampMs: m.Now().UnixMilli(), Real: config.Real},
		Head:      blockInfo{head.Number(), head.Hash(), head.Time()},
		Safe:      m.Safe().Number(),
		Finalized: m.Finalized().Number(),
		Pending:   pendingInfo{pending.Number(), pending.Time(), flashblockIndex(pending), len(pending.Transactions().Signed())},
		Pool:      poolInfo{len(executable), len(queued)},
		Fork:      forkOf(m),
		Codeless:  api.Codeless(m),
	}, nil
}

// flashblockIndex is the index of the newest flashblock, null for none.
func flashblockIndex(v *preconf.View) *int { return indexOrNull(v.FlashblockIndex()) }
