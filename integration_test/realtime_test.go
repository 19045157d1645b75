package integration_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// realtimeReport holds the report of realtime.mjs.
type realtimeReport struct {
	Chain   uint64
	Receipt struct {
		TransactionHash common.Hash
		BlockHash       *common.Hash
	}
	// Balances are the payee's at latest: before the payment, announced, lost by a fault, sealed, and after the reorg.
	Balances  []string
	Sealed    common.Hash
	Announced struct {
		Transactions []struct{ Hash common.Hash }
		StateChanges []struct {
			Address common.Address
			Balance string
		}
	}
}

// Ensure viem with its own definitions of MegaETH and RISE, and RISE's client of shreds, send, watch and read where
// latest moves, and that a fault and a reorg take a payment back that these chains call final.
func TestViemWhereLatestMoves(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.MegaETH, fakenode.Rise} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: fakenode.Interval})
		got := runScript[realtimeReport](t, node, "realtime.mjs")
		require.Equal(t, node.ChainID(), got.Chain)
		require.Nil(t, got.Receipt.BlockHash)
		require.Equal(t, "0 7 0 7 0", strings.Join(got.Balances, " "), preset)
		require.NotZero(t, got.Sealed)
		require.Equal(t, got.Receipt.TransactionHash, got.Announced.Transactions[0].Hash)
		if preset == fakenode.Rise {
			var paid string
			for _, change := range got.Announced.StateChanges {
				if change.Address == common.HexToAddress("0xaa") {
					paid = change.Balance
				}
			}
			require.Equal(t, "7", paid)
		}
	}
}

// Ensure ethers sees what is announced at latest and pending, and a sealed block by its number, on each chain where
// latest moves. It does not read the receipt of what is announced, which names no block's hash: only a sealed one.
func TestEthersWhereLatestMoves(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.MegaETH, fakenode.Rise} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: fakenode.Interval})
		got := runScript[struct {
			Steps         []string
			Hashes        []*common.Hash
			Unread        []string
			Confirmations int
			Waited, Holds bool
		}](t, node, "realtime_ethers.mjs")
		require.Equal(t, []string{
			"before 0,0,0 0,0,0 0,0,0",
			"announced 7,5,1 7,5,1 0,0,0",
			"lost 0,0,0 0,0,1 0,0,0",
			"sealed 7,5,1 7,5,1 7,5,1",
		}, got.Steps, preset)
		require.Equal(t, []*common.Hash{nil, nil}, got.Hashes)
		require.Equal(t, []string{"BAD_DATA", "BAD_DATA"}, got.Unread)
		require.Equal(t, 1, got.Confirmations)
		require.True(t, got.Waited)
		require.True(t, got.Holds)
	}
}

// syncFailure is an error as viem throws it: the node's code and data, or without them its own name.
type syncFailure struct {
	Name string
	Code int
	Data any
}

// Ensure viem's sendTransactionSync meets each dialect of eth_sendRawTransactionSync: the receipt of a block or of what
// is announced, a wait that ends, a timeout in decimals that some refuse, and a nonce too high.
func TestViemSendsByEachDialect(t *testing.T) {
	t.Parallel()
	timedOut := syncFailure{Name: "WaitForTransactionReceiptTimeoutError"} // what viem makes of code 4
	hexOnly, expired := syncFailure{Code: -32602}, syncFailure{Code: -32000}
	for dialect, want := range map[fakenode.SendSync]struct {
		sealed    bool
		late, gap syncFailure
		queued    int
	}{
		fakenode.SyncSpec:      {late: timedOut, gap: timedOut, queued: 1},
		fakenode.SyncGeth:      {late: timedOut, gap: timedOut, queued: 1},
		fakenode.SyncEIP:       {late: timedOut, gap: syncFailure{Code: 6, Data: "0x2"}},
		fakenode.SyncArbitrum:  {sealed: true, late: hexOnly, gap: hexOnly},
		fakenode.SyncAnnounced: {late: hexOnly, gap: hexOnly},
		fakenode.SyncPolygon:   {sealed: true, late: hexOnly, gap: hexOnly},
		fakenode.SyncMegaETH:   {late: expired, gap: expired, queued: 1},
	} {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Manual, SendSync: dialect})
			var options []string
			if want.sealed {
				options = append(options, "sealed")
			}
			got := runScript[struct {
				BlockHash common.Hash
				Late, Gap syncFailure
				Queued    int
			}](t, node, "send_sync.mjs", options...)
			require.Equal(t, want.sealed, got.BlockHash != common.Hash{})
			require.Equal(t, want.late, got.Late)
			require.Equal(t, want.gap, got.Gap)
			require.Equal(t, want.queued, got.Queued)
		})
	}
}
