// Package facts compares docs/maintainers/facts.md with what nodes answer.
package facts_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/rollup"
)

// rows returns the rows of docs/maintainers/facts.md: the whole, the preset, the fact, its value and its mark.
func rows(t *testing.T) [][]string {
	text, err := os.ReadFile("../../../docs/maintainers/facts.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| ([a-z-]+) \\| ([^|]+) \\| `([^|]+)` \\| [^|]+ \\| \\d{4}-\\d\\d-\\d\\d \\| (guess|old|ours|–) \\|$")
	facts, _, _ := strings.Cut(string(text), "\n## ")
	found := row.FindAllStringSubmatch(facts, -1)
	require.Len(t, found, strings.Count(facts, "\n| ")-1, "each row has a source, a date, and a mark or –")
	return found
}

// Ensure every value in the table of facts is the one that a node with the preset answers, and that the table has every
// value of a preset that names a live chain.
func TestFacts(t *testing.T) {
	t.Parallel()
	said := map[string]map[string]string{}
	for _, r := range rows(t) {
		preset, fact := r[1], r[2]
		if said[preset] == nil {
			said[preset] = map[string]string{}
		}
		require.NotContains(t, said[preset], fact, "%s: twice", preset)
		said[preset][fact] = r[3]
	}
	live := []fakenode.Preset{fakenode.Base, fakenode.BaseFlashblocks, fakenode.Optimism, fakenode.Unichain}
	realtime := []fakenode.Preset{fakenode.MegaETH, fakenode.Rise}
	require.Len(t, said, len(live)+len(realtime)+2)
	require.Equal(t, said["arc"], answeredArc(t))
	require.Equal(t, said["monad"], answeredMonad(t))
	for _, preset := range realtime {
		require.Equal(t, said[string(preset)], answeredRealtime(t, preset))
	}
	for _, preset := range live {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, said[string(preset)], answered(t, preset))
		})
	}
}

// questions asks a node about its facts.
type questions struct {
	*testing.T
	l1, l2 *rpc.Client
}

// answered returns the facts of a preset as a node answers them.
func answered(t *testing.T, preset fakenode.Preset) map[string]string {
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: &fakenode.L1Config{}})
	dial := func(url string) *rpc.Client {
		c, err := rpc.Dial(url)
		require.NoError(t, err)
		t.Cleanup(c.Close)
		return c
	}
	q := questions{t, dial(node.URL() + "/l1"), dial(node.URL())}
	var info struct {
		ChainID uint64
		Config  struct {
			BlockTimeMs, FlashblockTimeMs int64
			Preconf                       bool
			Token                         string
		}
	}
	q.ask(q.l2, &info, "fakenode_info")
	var main, testnet, below, tip, zero hexutil.Big
	q.ask(q.l2, &main, "eth_chainId")
	q.ask(dial(node.URL()+"/testnet"), &testnet, "eth_chainId")
	q.ask(q.l1, &below, "eth_chainId")
	q.ask(q.l2, &tip, "eth_maxPriorityFeePerGas")
	q.ask(q.l2, &zero, "eth_getBalance", common.Address{}, "earliest")
	var block struct {
		GasLimit  hexutil.Uint64
		ExtraData hexutil.Bytes
	}
	q.ask(q.l2, &block, "eth_getBlockByNumber", "latest", false)
	extra := func(from, to int) string { return new(big.Int).SetBytes(block.ExtraData[from:to]).String() }
	var rollupConfig struct {
		Portal       common.Address `json:"deposit_contract_address"`
		SystemConfig common.Address `json:"l1_system_config_address"`
	}
	q.ask(q.l2, &rollupConfig, "optimism_rollupConfig")
	portal, config := rollupConfig.Portal, rollupConfig.SystemConfig
	factory := q.address(portal, "disputeGameFactory()")
	l1Block := common.HexToAddress("0x4200000000000000000000000000000000000015")
	bridge, err := rollup.Of(node.Timeline())
	require.NoError(t, err)
	facts := map[string]string{
		"chain id": main.ToInt().String(), "chain id of the test network": testnet.ToInt().String(), "upgrade": node.Moment().Chain().Optimism.Upgrade.Name,
		"block time, ms": strconv.FormatInt(info.Config.BlockTimeMs, 10), "flashblock time, ms": "none", "subscriptions": "silent", "frames": "none",
		"gas limit": strconv.FormatUint(uint64(block.GasLimit), 10), "denominator": extra(1, 5), "elasticity": extra(5, 9), "least base fee, wei": extra(9, 17),
		"gas of a footprint byte": q.number(q.l2, l1Block, "daFootprintGasScalar()"), "L1 base fee scalar": q.number(q.l2, l1Block, "baseFeeScalar()"),
		"L1 blob base fee scalar": q.number(q.l2, l1Block, "blobBaseFeeScalar()"), "least tip, wei": tip.ToInt().String(),
		"zero address, ether": new(big.Int).Quo(zero.ToInt(), big.NewInt(1e18)).String(), "token": info.Config.Token, "token's address": node.Token().Address().Hex(), "x402 asset": x402Asset(node),
		"chain id of the L1": below.ToInt().String(), "OptimismPortal": portal.Hex(), "SystemConfig": config.Hex(), "DisputeGameFactory": factory.Hex(),
		"AnchorStateRegistry":    q.address(portal, "anchorStateRegistry()").Hex(),
		"L1CrossDomainMessenger": q.address(config, "l1CrossDomainMessenger()").Hex(),
		"L1StandardBridge":       q.address(config, "l1StandardBridge()").Hex(),
		"SystemConfig's version": strings.TrimRight(string(q.call(q.l1, config, "version()")[64:]), "\x00"),
		"respected game type":    q.number(q.l1, portal, "respectedGameType()"),
		"a game's duration, s":   "", "proof's maturity, s": q.number(q.l1, portal, "proofMaturityDelaySeconds()"),
		"finality of a game, s": q.number(q.l1, portal, "disputeGameFinalityDelaySeconds()"),
		"time between games, s": fmt.Sprint(int64(bridge.Interval) * info.Config.BlockTimeMs / 1000),
	}
	if info.Config.Preconf {
		facts["flashblock time, ms"] = strconv.FormatInt(info.Config.FlashblockTimeMs, 10)
		facts["subscriptions"], facts["frames"] = q.subscriptions(node), q.frames(node)
	}
	q.ask(q.l2, nil, "fakenode_seal")
	q.ask(q.l2, nil, "fakenode_propose")
	q.ask(q.l1, nil, "fakenode_seal")
	game := common.BytesToAddress(q.call(q.l1, factory, "gameAtIndex(uint256)", make([]byte, 32)...)[64:])
	over, _ := strconv.Atoi(q.number(q.l1, game, "expectedResolution()"))
	made, _ := strconv.Atoi(q.number(q.l1, game, "createdAt()"))
	facts["a game's duration, s"] = strconv.Itoa(over - made)
	return facts
}

// answeredRealtime returns the facts of a preset whose latest moves, by the rules of Ethereum, as a node answers them.
func answeredRealtime(t *testing.T, preset fakenode.Preset) map[string]string {
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
	ws, err := rpc.Dial(node.WebSocketURL())
	require.NoError(t, err)
	defer ws.Close()
	var own []string
	for _, kind := range []string{"miniBlocks", "stateChanges", "shreds"} {
		if sub, err := ws.EthSubscribe(t.Context(), make(chan json.RawMessage, 1), kind); err == nil {
			sub.Unsubscribe()
			own = append(own, kind)
		}
	}
	var receipt struct{ BlockHash json.RawMessage }
	transfer := map[string]any{"from": node.Account(0).Address, "to": node.Account(1).Address, "value": "0x1"}
	var hash common.Hash
	require.NoError(t, ws.Call(&hash, "eth_sendTransaction", transfer))
	node.Preconfirm()
	require.NoError(t, ws.Call(&receipt, "eth_getTransactionReceipt", hash))
	node.Seal()
	m := node.Moment()
	head := m.Latest().Header()
	return map[string]string{
		"chain id": strconv.FormatUint(node.ChainID(), 10), "chain id of the test network": strconv.FormatUint(node.Testnet().ChainID(), 10),
		"block time, ms":       strconv.FormatInt(m.BlockTime().Milliseconds(), 10),
		"flashblock time, ms":  strconv.FormatInt(node.Timeline().Config().FlashblockTime.Milliseconds(), 10),
		"subscriptions":        strings.Join(own, ", "),
		"gas limit":            strconv.FormatUint(head.GasLimit, 10),
		"base fee, wei":        map[bool]string{true: head.BaseFee.String(), false: "floats"}[m.NextHeader().BaseFee.Cmp(head.BaseFee) == 0],
		"announced block hash": string(receipt.BlockHash),
		"x402 asset":           x402Asset(node),
	}
}

// answeredArc returns the facts of the preset arc as a node answers them.
func answeredArc(t *testing.T) map[string]string {
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Arc})
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	blocked, other := node.Account(0).Address, node.Account(1).Address
	domain := node.Token().Domain()
	node.Token().Blacklist(blocked)
	code := func(method string, params ...any) string {
		var failure rpc.Error
		require.ErrorAs(t, client.Call(nil, method, params...), &failure)
		return strconv.Itoa(failure.ErrorCode())
	}
	transfer := map[string]any{"from": blocked, "to": other, "value": "0x1", "gas": "0x5208"}
	send := map[string]any{"from": other, "to": other, "gas": "0x5208"}
	waits := map[bool]string{true: "waits", false: "answers at once"}[code("eth_sendTransactionSync", send, "0x1") == "4"]
	var version, pending json.RawMessage
	require.NoError(t, client.Call(&version, "web3_clientVersion"))
	require.NoError(t, client.Call(&pending, "eth_getBlockByNumber", "pending", false))
	m := node.Moment()
	return map[string]string{
		"chain id": strconv.FormatUint(node.ChainID(), 10), "chain id of the test network": strconv.FormatUint(node.Testnet().ChainID(), 10),
		"client version": strings.Trim(string(version), `"`), "pending block": string(pending), "sync send": waits,
		"block time, ms": strconv.FormatInt(m.BlockTime().Milliseconds(), 10), "gas limit": strconv.FormatUint(m.Latest().Header().GasLimit, 10),
		"least base fee, wei": m.NextHeader().BaseFee.String(),
		"token":               node.Token().Variant().String(), "token's address": node.Token().Address().Hex(), "token's domain": domain.Name + " " + domain.Version,
		"code of a blocked sender": code("eth_sendTransaction", transfer), "code of a blocked call": code("eth_call", transfer, "latest"),
		"x402 asset": x402Asset(node),
	}
}

// answeredMonad returns the facts of the preset monad.
func answeredMonad(t *testing.T) map[string]string {
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Monad})
	for range 9 {
		node.Seal()
	}
	feed := node.Timeline().Subscribe()
	defer feed.Close()
	node.Seal()
	m, behind := node.Moment(), map[string]uint64{}
	for len(behind) < 4 { // Proposed among them
		event, err := feed.Next(t.Context())
		require.NoError(t, err)
		if event.Kind == fakenode.HeadCommitted {
			behind[event.State] = m.Latest().Number() - event.View.Number()
		}
	}
	head, options := m.Latest().Header(), m.Chain().Options
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	var version string
	require.NoError(t, client.Call(&version, "web3_clientVersion"))
	return map[string]string{
		"client version": version,
		"chain id":       strconv.FormatUint(node.ChainID(), 10), "chain id of the test network": strconv.FormatUint(node.Testnet().ChainID(), 10),
		"block time, ms": strconv.FormatInt(m.BlockTime().Milliseconds(), 10), "gas limit": strconv.FormatUint(head.GasLimit, 10),
		"base fee, wei": head.BaseFee.String(), "tip, wei": m.SuggestedTip().String(), "gas limit is charged": strconv.FormatBool(options.ChargeGasLimit),
		"gas of a transaction": fmt.Sprint(options.TxGasLimit), "bytes of code": fmt.Sprint(options.CodeLimit), "blocks of eth_getLogs": fmt.Sprint(fakenode.Monad.Chain().Limits.LogsMaxRange),
		"blocks until voted": fmt.Sprint(behind["Voted"]), "blocks until finalized": fmt.Sprint(behind["Finalized"]), "blocks until verified": fmt.Sprint(behind["Verified"]),
		"x402 asset": x402Asset(node),
	}
}

// x402Asset returns the address of x402's default asset, or none.
func x402Asset(node *fakenode.Node) string {
	if assets := node.X402Assets(); len(assets) > 0 {
		return assets[0].Address.Hex()
	}
	return "none"
}

// ask makes a call.
func (q questions) ask(c *rpc.Client, into any, method string, params ...any) {
	q.Helper()
	require.NoError(q, c.Call(into, method, params...), method)
}

// call asks a contract.
func (q questions) call(c *rpc.Client, to common.Address, signature string, arguments ...byte) (answer hexutil.Bytes) {
	q.Helper()
	data := append(crypto.Keccak256([]byte(signature))[:4], arguments...)
	q.ask(c, &answer, "eth_call", map[string]any{"to": to, "data": hexutil.Bytes(data)}, "latest")
	require.NotEmpty(q, answer, signature)
	return answer
}

func (q questions) number(c *rpc.Client, to common.Address, signature string) string {
	return new(big.Int).SetBytes(q.call(c, to, signature)).String()
}

func (q questions) address(of common.Address, signature string) common.Address {
	return common.BytesToAddress(q.call(q.l1, of, signature))
}

// subscriptions tells whether clients may subscribe to flashblocks.
func (q questions) subscriptions(node *fakenode.Node) string {
	ws, err := rpc.Dial(node.WebSocketURL())
	require.NoError(q, err)
	defer ws.Close()
	for _, kind := range []string{"newFlashblocks", "newFlashblockTransactions", "pendingLogs"} {
		sub, err := ws.EthSubscribe(q.Context(), make(chan json.RawMessage, 1), kind)
		if err != nil {
			return strconv.Itoa(err.(rpc.Error).ErrorCode())
		}
		sub.Unsubscribe()
	}
	return "open"
}

// frames tells what a frame of the raw feed holds beside the block, as a value of Config.FlashblocksMetadata.
func (q questions) frames(node *fakenode.Node) string {
	ws, _, err := websocket.DefaultDialer.DialContext(q.Context(), node.WebSocketURL()+"/flashblocks", nil)
	require.NoError(q, err)
	defer ws.Close()
	node.Preconfirm()
	var frame struct {
		Diff struct {
			BlockHash common.Hash `json:"block_hash"`
		}
		Metadata map[string]json.RawMessage
	}
	require.NoError(q, ws.ReadJSON(&frame))
	_, linked := frame.Metadata["prev_flashblock_id"]
	_, full := frame.Metadata["receipts"]
	switch zero := frame.Diff.BlockHash == (common.Hash{}); {
	case !linked && full && zero:
		return "subblocks"
	case linked && full && !zero:
		return "full"
	case linked && !full && !zero:
		return "minimal"
	}
	return "unknown"
}

// Ensure the table of presets for users calls a guess exactly what the table of facts marks as one.
func TestGuessesAreSaid(t *testing.T) {
	t.Parallel()
	guesses := map[string]bool{} // by preset and name
	for _, r := range rows(t) {
		guesses[r[1]+" "+r[2]] = r[4] == "guess"
	}
	page, err := os.ReadFile("../../../docs/optimism.md")
	require.NoError(t, err)
	names := map[string]string{
		"`--chain-id`, test network": "chain id", "`--rules`": "upgrade", "`--block-time`": "block time, ms", "`--flashblock-time`": "flashblock time, ms",
		"`--preconf`": "subscriptions", "`--gas-limit`": "gas limit", "`--fee-elasticity`": "elasticity", "`--fee-denominator`": "denominator",
		"`--min-base-fee`": "least base fee, wei", "footprint scalar": "gas of a footprint byte", "scalars of the L1 fee": "L1 base fee scalar",
		"`--flashblocks-metadata`": "frames", "`--token`": "token",
	}
	var presets []string
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "flag" && len(cells) == 6 {
			presets = cells
		}
		if name := names[cells[0]]; len(presets) == len(cells) && name != "" {
			for i, cell := range cells[2:] {
				preset := strings.Trim(presets[i+2], "`")
				require.Equal(t, guesses[preset+" "+name], strings.Contains(cell, "guess"), "%s of %s: %q", name, preset, cell)
			}
			delete(names, cells[0])
		}
	}
	require.Empty(t, names)
}
