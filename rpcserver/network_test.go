package rpcserver_test

import (
	"bytes"
	"log/slog"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// requestTo returns a request to the timeline of a network, by these settings.
func requestTo(n *servertest.Network, settings api.Settings) *api.Request {
	n.Helper()
	offer := &api.Offer{Settings: settings, Turns: api.NewTurns(), Limits: api.Limits{}.Filled(), Log: slog.New(slog.DiscardHandler)}
	r, _ := (&api.Network{Offer: offer, Timeline: n.Timeline}).NewRequest()
	r.Ctx, r.Method = n.Context(), "eth_test"
	return r
}

// Ensure the addresses without code are kept in order, each once, up to 1,024.
func TestCodelessAddresses(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	require.Empty(t, api.Codeless(n.Timeline.Moment()))
	for _, last := range []byte{5, 1, 3} {
		require.True(t, api.AddCodeless(n.Timeline, common.Address{0xff, last}))
		require.False(t, api.AddCodeless(n.Timeline, common.Address{0xff, last}))
	}
	require.Equal(t, []common.Address{{0xff, 1}, {0xff, 3}, {0xff, 5}}, api.Codeless(n.Timeline.Moment()))
	for i := range 1021 {
		require.True(t, api.AddCodeless(n.Timeline, common.BigToAddress(big.NewInt(int64(i)))), i)
	}
	require.False(t, api.AddCodeless(n.Timeline, common.Address{0xff, 2}), "no more room")
	require.Len(t, api.Codeless(n.Timeline.Moment()), 1024)
}

// Ensure calls in the block being built see what is pre-confirmed and each other, with the overrides, and that one
// without funds is refused.
func TestSimulatePending(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Preconfirm()
	r := requestTo(n, api.Settings{})
	call := simulate.Call{From: &servertest.Bob.Address, To: &servertest.Counter}
	results, err := r.SimulatePending(nil, call, call)
	require.NoError(t, err)
	require.Len(t, results, 2)
	for i, result := range results {
		require.NoError(t, result.Err)
		require.Equal(t, common.BigToHash(big.NewInt(int64(2+i))).Bytes(), result.ReturnData)
	}
	results, err = r.SimulatePending(simulate.StateOverrides{servertest.Counter: {StateDiff: map[common.Hash]common.Hash{{}: {31: 7}}}}, call)
	require.NoError(t, err)
	require.Equal(t, common.BigToHash(big.NewInt(8)).Bytes(), results[0].ReturnData)
	call.Value, _ = uint256.FromBig(new(big.Int).Lsh(common.Big1, 200))
	_, err = r.SimulatePending(nil, call)
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
	require.Equal(t, -38014, api.ToWire(new(api.Behaviour), err).Code)
	_, err = r.Simulate(simulate.Payload{}, api.BlockTag{Kind: api.TagNumber, Number: 9})
	require.ErrorAs(t, err, new(*preconf.UnknownBlockError))
}

// Ensure fees that are left out are of a gas price before London, where blobs have none.
func TestFilledBeforeLondon(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("berlin", servertest.ChainID)
	require.NoError(t, err)
	genesis := *servertest.Genesis()
	genesis.Config, genesis.BaseFee, genesis.Difficulty = config, nil, big.NewInt(1)
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: c, NoPreconf: true}, rpcserver.Config{})
	m := n.Timeline.Moment()
	require.Nil(t, api.NextBaseFee(m))
	require.Equal(t, m.SuggestedTip(), api.SuggestedPrice(m))
	require.EqualValues(t, 60_000_000, api.MostGas(m))
	fill := func(members map[string]any) (filled struct{ Type, GasPrice, MaxFeePerGas, MaxPriorityFeePerGas string }) {
		members["from"], members["to"] = servertest.Alice.Address, servertest.Bob.Address
		return servertest.Fetch[struct {
			Tx struct{ Type, GasPrice, MaxFeePerGas, MaxPriorityFeePerGas string }
		}](n, "eth_fillTransaction", members).Tx
	}
	require.Equal(t, hexutil.EncodeBig(m.SuggestedTip()), fill(map[string]any{}).GasPrice)
	n.Refuses(api.CodeServer, []string{"blobs need the Cancun fork"}, "eth_fillTransaction", map[string]any{
		"from": servertest.Alice.Address, "to": servertest.Bob.Address, "blobVersionedHashes": []common.Hash{{1}},
	})
	object := api.CallObject{MaxPriorityFeePerGas: (*hexutil.Big)(big.NewInt(5)), To: &common.Address{}, Gas: new(hexutil.Uint64(21_000))}
	require.NoError(t, requestTo(n, api.Settings{}).Fill(&object))
	require.EqualValues(t, 5, object.MaxFeePerGas.ToInt().Int64(), "without a base fee the cap is the tip")
}

// Ensure a client is told by which door it sees what is not in a block yet, an observer by the widest.
func TestDoors(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	for way, want := range map[api.Preconf]api.Door{
		"": {}, api.PreconfFlashblocks: {}, api.PreconfRealtime: {Newest: api.TagPending}, api.PreconfMegaETH: {Newest: api.TagPending},
		api.PreconfRise: {Newest: api.TagPending, LogsAtOnce: true}, api.PreconfPending: {PrivatePool: true},
	} {
		door := *requestTo(n, api.Settings{Behaviour: api.Behaviour{Preconf: way}}).Door()
		require.Equal(t, way == api.PreconfPending, door.RefuseFlashblocks != nil, way)
		require.Equal(t, way == api.PreconfMegaETH, door.Heads != nil, way)
		door.RefuseFlashblocks, door.Heads = nil, nil
		require.Equal(t, want, door, way)
	}
	sealed := servertest.New(t, preconf.Config{NoPreconf: true}, rpcserver.Config{})
	refused := requestTo(sealed, api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfRealtime}}).Door().RefuseFlashblocks("shreds", "logs, newHeads")
	require.Equal(t, "subscription shreds is not available: the node has no pre-confirmation layer; there are logs, newHeads", refused.Message)
	require.Equal(t, api.CodeMethodNotFound, refused.Code)
}

// Ensure the log explains, once for each call, a capture that the token refused for a signature of another message.
func TestLogOfNetwork(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
	domain := tokencontract.Domain{Name: tokencontract.MainnetName, Version: "2", ChainID: servertest.ChainID, VerifyingContract: servertest.Token}
	terms := fixtures.Authorization(servertest.Alice, servertest.Bob, fixtures.USD("25"), time.Unix(servertest.Start, 0))
	capture := func(message tokencontract.Message) map[string]any {
		data := hexutil.Bytes(terms.PackReceive(servertest.Alice.Sign(domain, message)))
		return map[string]any{"from": servertest.Bob.Address, "to": servertest.Token, "data": data}
	}
	const note = "because the payer signed TransferWithAuthorization"
	for i, method := range []string{"eth_call", "eth_estimateGas", "eth_sendTransaction"} {
		n.Do(method, capture(terms.ReceiveMessage()))
		require.Equal(t, i, strings.Count(log.String(), note), method)
		n.Refuses(api.CodeServer, []string{"execution reverted"}, method, capture(terms.TransferMessage()))
		require.Equal(t, i+1, strings.Count(log.String(), note), method)
		require.Contains(t, log.String(), "method="+method)
	}
}

// Ensure simulated blocks go on from the milliseconds of the block below them.
func TestSimulatedMilliseconds(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Chain: servertest.DenimChain(t)}, rpcserver.Config{})
	n.Seal(2)
	r := requestTo(n, api.Settings{})
	blocks, err := r.Simulate(simulate.Payload{Blocks: make([]simulate.Block, 4)}, api.BlockTag{})
	require.NoError(t, err)
	var seconds []uint64
	for _, block := range blocks {
		seconds = append(seconds, block.Block.Time()-servertest.Start)
	}
	require.Equal(t, []uint64{0, 0, 1, 1}, seconds, "of blocks 3 to 6, which are 200 ms apart")
}
