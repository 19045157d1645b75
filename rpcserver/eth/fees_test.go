package eth_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/command"
)

// Ensure there is a base fee from the block before London on, and none two blocks before it, while nothing is
// pre-confirmed, and that a dump has the head's.
func TestBaseFeeBeforeLondon(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("berlin", servertest.ChainID)
	require.NoError(t, err)
	config.LondonBlock = big.NewInt(2)
	genesis := *servertest.Genesis()
	genesis.Config, genesis.BaseFee, genesis.Difficulty = config, nil, big.NewInt(1)
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(servertest.Start, 0), NoPreconf: true})
	require.NoError(t, err)
	n := &servertest.Network{TB: t, Server: rpcserver.New(rpcserver.Config{Main: timeline}), Timeline: timeline}
	defer n.Server.Close()

	dumpedFee := func() (fee uint64) {
		t.Helper()
		var written bytes.Buffer
		require.NoError(t, command.WriteDump(&written, timeline.Moment()))
		dump := struct{ Block struct{ BaseFee *uint64 } }{}
		require.NoError(t, json.Unmarshal(written.Bytes(), &dump))
		return *dump.Block.BaseFee
	}
	require.Nil(t, servertest.Fetch[*string](n, "eth_baseFee"), "block 1 has none")
	require.Zero(t, dumpedFee())
	require.Equal(t, "0x3b9aca00", servertest.Fetch[string](n, "eth_gasPrice"))
	n.Seal(1)
	require.Equal(t, "0x3b9aca00", servertest.Fetch[string](n, "eth_baseFee"), "block 2 begins with a gwei")
	require.Equal(t, "0x77359400", servertest.Fetch[string](n, "eth_gasPrice"))
	n.Seal(1)
	require.EqualValues(t, 1_000_000_000, dumpedFee())
}
