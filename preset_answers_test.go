package fakenode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// presetAnswers lists a new node's answers under each preset: the chain ids of its networks, what fakenode_info says of
// the order, the profile, the times and the token, the gas limit, base fee, extra data and fee recipient of the first
// block, and the name of the client if it is not our own. The sources of the values of live chains are in
// docs/maintainers/facts.md.
var presetAnswers = map[fakenode.Preset]string{
	fakenode.Dev:             `31337 31338 fifo spec 2000 200 true documented 60000000 875000000 0x 0xFEEF `,
	fakenode.Base:            `8453 84532 fifo spec 200 200 false strict 40000000 999000000 0x01000003e80000000500000000004c4b40 0x4200 `,
	fakenode.BaseFlashblocks: `8453 84532 fifo spec 2000 200 true strict 60000000 996000000 0x01000000fa0000000600000000004c4b40 0x4200 `,
	fakenode.Optimism:        `10 11155420 fifo spec 2000 200 true strict 40000000 996000000 0x01000000fa000000020000000000000000 0x4200 `,
	fakenode.Unichain:        `130 1301 fifo spec 1000 200 true strict 60000000 996000000 0x01000000fa000000060000000000000000 0x4200 `,
	fakenode.MegaETH:         `4326 6343 fifo spec 1000 10 true strict 60000000 875000000 0x 0xFEEF `,
	fakenode.Rise:            `4153 11155931 fifo spec 1000 10 true strict 60000000 875000000 0x 0xFEEF `,
	fakenode.Anvil:           `31337 31338 fees geth 2000 0 true strict 30000000 1000000000 0x 0x0000 anvil/v1.7.1`,
	fakenode.Hardhat: `31337 31338 fees geth 2000 0 true strict 60000000 875000000 0x 0xC014 ` +
		`HardhatNetwork/2.29.1/@nomicfoundation/edr/0.3.8`,
}

func TestPresetsAnswer(t *testing.T) {
	t.Parallel()
	for _, preset := range fakenode.Presets() {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, presetAnswers[preset], answerOf(t, preset))
		})
	}
}

// answerOf returns the row of presetAnswers of a new node with one block.
func answerOf(t *testing.T, preset fakenode.Preset) string {
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
	node.Seal()
	ask := func(url string, result any, method string, params ...any) {
		c, err := rpc.Dial(url)
		require.NoError(t, err)
		defer c.Close()
		require.NoError(t, c.Call(result, method, params...))
	}
	var info struct {
		ChainID uint64
		Config  struct {
			Order, Compat, Token          string
			BlockTimeMs, FlashblockTimeMs int
			Preconf                       bool
		}
	}
	var version string
	var testnet hexutil.Uint64
	var block struct {
		GasLimit, BaseFeePerGas hexutil.Uint64
		ExtraData               hexutil.Bytes
		Miner                   common.Address
	}
	ask(node.URL(), &info, "fakenode_info")
	ask(node.URL(), &version, "web3_clientVersion")
	ask(node.URL(), &block, "eth_getBlockByNumber", "latest", false)
	ask(node.URL()+"/testnet", &testnet, "eth_chainId")
	if strings.HasPrefix(version, "fakenode/") {
		version = ""
	}
	c := info.Config
	return fmt.Sprintf("%d %d %s %s %d %d %v %s %d %d %v %s %s", info.ChainID, uint64(testnet),
		c.Order, c.Compat, c.BlockTimeMs, c.FlashblockTimeMs, c.Preconf, c.Token,
		uint64(block.GasLimit), uint64(block.BaseFeePerGas), block.ExtraData, block.Miner.Hex()[:6], version)
}
