package flashblocks_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

var start = time.Unix(1_700_000_000, 0)

func id(f payload) string { return fmt.Sprintf("%d-%d", f.Metadata.BlockNumber, f.Index) }

// send puts a token transfer, which has a log, into the pool and returns its hash.
func send(t testing.TB, node *fakenode.Node, from int) common.Hash {
	t.Helper()
	hash, err := trySend(node, from)
	require.NoError(t, err)
	return hash
}

// trySend is send for a sender who may be too poor.
func trySend(node *fakenode.Node, from int) (common.Hash, error) {
	token := node.Token().Address()
	return node.Transact(node.Account(from), fakenode.Tx{
		To: &token, Data: tokencontract.PackTransfer(node.Account(from+1).Address, fixtures.USD("1")), Gas: 100_000,
	})
}

// command calls a method of the node over the wire.
func command(t testing.TB, node *fakenode.Node, method string, params ...any) {
	t.Helper()
	require.NoError(t, node.Client().Client().CallContext(t.Context(), nil, method, params...))
}

// Ensure a frame has the members of Base's fixtures, in their order, in text and compressed.
func TestFramesHaveTheShapeOfBase(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	text := listen(t, node.Network, "/flashblocks")
	packed := listen(t, node.Network, "/flashblocks?compression=brotli")
	send(t, node, 0)
	node.Preconfirm()
	node.Preconfirm()

	frames, compressed := text.raw(), packed.raw()
	require.Len(t, frames, 2)
	name := regexp.MustCompile(`"[a-z_]+":`)
	for i, want := range []string{
		`payload_id index base parent_beacon_block_root parent_hash fee_recipient prev_randao block_number gas_limit timestamp ` +
			`extra_data base_fee_per_gas diff state_root receipts_root logs_bloom gas_used block_hash transactions withdrawals ` +
			`withdrawals_root blob_gas_used metadata block_number prev_flashblock_id`,
		`payload_id index diff state_root receipts_root logs_bloom gas_used block_hash transactions withdrawals ` +
			`withdrawals_root blob_gas_used metadata block_number prev_flashblock_id`,
	} {
		require.Equal(t, websocket.TextMessage, frames[i].kind)
		require.Equal(t, websocket.BinaryMessage, compressed[i].kind)
		require.Equal(t, string(frames[i].data), string(plain(t, compressed[i])))
		var members []string
		for _, member := range name.FindAllString(string(frames[i].data), -1) {
			members = append(members, strings.Trim(member, `":`))
		}
		require.Equal(t, want, strings.Join(members, " "))
	}
	require.Contains(t, string(frames[1].data), `"index":1,"diff":{"state_root":"0x0000`)
	require.Contains(t, string(frames[1].data), `"transactions":[],"withdrawals":[],`)
	require.Contains(t, string(frames[1].data), `"metadata":{"block_number":1,"prev_flashblock_id":"1-0"}}`)

	first, second := decode(t, frames[0]), decode(t, frames[1])
	require.Len(t, first.PayloadID, 8)
	require.Equal(t, first.PayloadID, second.PayloadID)
	require.Len(t, first.Diff.Transactions, 1)
	require.Equal(t, first.Diff.BlockHash, second.Diff.BlockHash, "nothing was added")
	pending := node.Moment().Pending().Header()
	require.Equal(t, pending.ParentHash, first.Base.ParentHash)
	require.Equal(t, pending.Time, uint64(first.Base.Timestamp))
	require.Equal(t, pending.MixDigest, first.Base.PrevRandao)
	require.Zero(t, pending.BaseFee.Cmp(first.Base.BaseFeePerGas.ToInt()))
	require.Equal(t, *pending.WithdrawalsHash, first.Diff.WithdrawalsRoot)
}

// Ensure the flashblocks of a block hold its transactions, each once and in order, that the last one has the sealed
// block's gas, logs and receipts, and that frames link to each other across blocks. Under the rules of the OP stack the
// deposits are among the transactions.
func TestFramesAddUpToTheBlock(t *testing.T) {
	t.Parallel()
	for _, rules := range []fakenode.Rules{fakenode.EthereumRules, fakenode.OptimismRules} {
		t.Run(string(rules), func(t *testing.T) {
			t.Parallel()
			testFramesAddUp(t, fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Rules: rules}))
		})
	}
}

func testFramesAddUp(t *testing.T, node *fakenode.Node) {
	r := listen(t, node.Network, "/flashblocks")
	for block := range 3 {
		for i := range block + 2 {
			send(t, node, i)
			send(t, node, i+5)
			node.Preconfirm()
		}
		node.Preconfirm() // empty
		send(t, node, 0)
		hash := node.Seal() // announces what is left in the pool

		frames := r.frames()
		require.Len(t, frames, block+4)
		var transactions []hexutil.Bytes
		for i, f := range frames {
			require.Equal(t, i, f.Index)
			require.Equal(t, i == 0, f.Base != nil)
			require.Equal(t, frames[0].PayloadID, f.PayloadID)
			require.NotEqual(t, hash, f.Diff.BlockHash)
			transactions = append(transactions, f.Diff.Transactions...)
		}
		sealed := node.Moment().Latest().Block()
		var want []hexutil.Bytes
		for _, tx := range sealed.Transactions() {
			raw, err := tx.MarshalBinary()
			require.NoError(t, err)
			want = append(want, raw)
		}
		require.Equal(t, want, transactions)
		last := frames[len(frames)-1]
		require.Equal(t, sealed.Header().GasUsed, uint64(last.Diff.GasUsed))
		require.Equal(t, sealed.Header().Bloom, last.Diff.LogsBloom)
		require.Equal(t, sealed.Header().ReceiptHash, last.Diff.ReceiptsRoot)
		require.Equal(t, *sealed.Header().BlobGasUsed, uint64(*last.Diff.BlobGasUsed))
		require.Equal(t, []string{"0-0", "1-3", "2-4"}[block], frames[0].Metadata.PrevFlashblockID)
		require.Equal(t, id(frames[0]), frames[1].Metadata.PrevFlashblockID)
	}
}

// Ensure faults of flashblocks show on the feed as followers of a chain see them.
func TestFaultsOfFlashblocksOnTheFeed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault fakenode.FlashblockFault
		armed bool // before the flashblocks
		want  []string
	}{
		{"never sealed", fakenode.FlashblockFault{Kind: fakenode.DropFlashblocks, Gone: true}, false,
			[]string{"1-0 after 0-0", "1-1 after 1-0", "1-1 after 1-0", "2-0 after 1-1"}},
		{"lost", fakenode.FlashblockFault{Kind: fakenode.StallFlashblocks}, false,
			[]string{"1-0 after 0-0", "1-1 after 1-0", "1-0 after 1-1", "2-0 after 1-0"}},
		{"lost before", fakenode.FlashblockFault{Kind: fakenode.StallFlashblocks}, true,
			[]string{"1-0 after 0-0", "1-1 after 1-0", "2-0 after 1-1"}},
		{"twice", fakenode.FlashblockFault{Kind: fakenode.DuplicateFlashblock, Count: 2}, false,
			[]string{"1-0 after 0-0", "1-1 after 1-0", "1-1 after 1-0", "1-1 after 1-0", "1-2 after 1-1", "2-0 after 1-2"}},
		{"late block", fakenode.FlashblockFault{Kind: fakenode.LateBlock}, true,
			[]string{"1-0 after 0-0", "1-1 after 1-0", "1-2 after 1-1", "2-0 after 1-2"}},
		{"left out", fakenode.FlashblockFault{Kind: fakenode.OmitTransactions}, true,
			[]string{"1-0 after 0-0", "1-1 after 1-0", "1-2 after 1-1", "2-0 after 1-2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
			r := listen(t, node.Network, "/flashblocks")
			fail := func() {
				_, err := node.FlashblockFault(c.fault)
				require.NoError(t, err)
			}
			if c.armed {
				fail()
			}
			send(t, node, 0)
			node.Preconfirm()
			send(t, node, 1)
			node.Preconfirm()
			if !c.armed {
				fail()
			}
			node.Preconfirm()
			node.Seal()
			node.Preconfirm()
			require.Equal(t, c.want, ids(r.frames()))
		})
	}
}

// Ensure a block that a reorg puts on another parent is sent anew from index 0 with its next flashblock, with another
// payload id.
func TestReorgOnTheFeed(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	r := listen(t, node.Network, "/flashblocks")
	node.Seal()
	send(t, node, 0)
	node.Preconfirm()
	send(t, node, 1)
	node.Preconfirm()
	before := r.frames()
	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1})
	require.NoError(t, err)
	require.Empty(t, r.frames(), "a reorg announces no flashblock")
	node.Preconfirm()
	after := r.frames()
	require.Equal(t, []string{"3-0 after 2-1", "3-1 after 3-0", "3-2 after 3-1"}, ids(after))
	require.NotEqual(t, before[0].PayloadID, after[0].PayloadID)
	require.Equal(t, before[0].Diff.Transactions, after[0].Diff.Transactions)
	require.Equal(t, node.Moment().Latest().Hash(), after[0].Base.ParentHash)
}

// Ensure flashblocks that are executed again with the same result are not sent again, and that others are, from there
// on.
func TestExecutedAnew(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	r := listen(t, node.Network, "/flashblocks")
	send(t, node, 0)
	node.Preconfirm()
	send(t, node, 1)
	node.Preconfirm()
	require.Len(t, r.frames(), 2)
	rich := node.Account(7).Address
	command(t, node, "anvil_setBalance", rich, "0x1")
	node.Preconfirm()
	require.Equal(t, []string{"1-2 after 1-1"}, ids(r.frames()))
	// Sender 1 cannot pay any more, so the second flashblock is empty now.
	command(t, node, "anvil_setBalance", node.Account(1).Address, "0x0")
	node.Preconfirm()
	frames := r.frames()
	require.Equal(t, []string{"1-1 after 1-0", "1-2 after 1-1", "1-3 after 1-2"}, ids(frames))
	require.Empty(t, frames[0].Diff.Transactions)
}

// Ensure full metadata holds the receipts and new balances of the flashblock alone.
func TestFullMetadata(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Flashblocks: fakenode.Frames{Metadata: fakenode.FlashblocksFull}})
	r := listen(t, node.Network, "/flashblocks")
	for i := range 2 {
		tx := send(t, node, i)
		node.Preconfirm()
		frames := r.frames()
		require.Len(t, frames, 1)
		m := frames[0].Metadata
		require.Len(t, m.Receipts, 1)
		got, want := m.Receipts[tx], node.Moment().Pending().Receipts()[i]
		require.EqualValues(t, want.Type, got.Type)
		require.EqualValues(t, 1, got.Status)
		require.EqualValues(t, want.CumulativeGasUsed, got.CumulativeGasUsed)
		require.Len(t, got.Logs, 1)
		require.Equal(t, want.Logs[0].Topics, got.Logs[0].Topics)
		require.Equal(t, want.Logs[0].Data, []byte(got.Logs[0].Data))
		state, err := node.Moment().Pending().State()
		require.NoError(t, err)
		payer := node.Account(i).Address
		require.Contains(t, m.Balances, payer)
		for account, balance := range m.Balances {
			require.Zero(t, state.Balance(account).ToBig().Cmp(balance.ToInt()))
		}
	}
	node.Preconfirm()
	m := r.frames()[0].Metadata
	require.NotNil(t, m.Receipts)
	require.Empty(t, m.Receipts)
	require.Empty(t, m.Balances)
}

// Ensure frames of OP Mainnet have zero in place of the hashes that its sequencer does not compute, name no flashblock
// before them, and have the real root of receipts, gas and receipts.
func TestSubblocks(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, StartTime: start})
	r := listen(t, node.Network, "/flashblocks")
	for range 2 {
		node.Preconfirm()
	}
	for i, m := range r.raw() {
		require.NotContains(t, string(m.data), "prev_flashblock_id")
		require.Contains(t, string(m.data), `"withdrawals":[],"withdrawals_root":"0x000`)
		var f payload
		require.NoError(t, json.Unmarshal(m.data, &f))
		require.Equal(t, i, f.Index)
		require.Zero(t, f.Diff.StateRoot)
		require.Zero(t, f.Diff.BlockHash)
		require.Zero(t, f.Diff.WithdrawalsRoot)
		require.NotZero(t, f.Diff.GasUsed)
		require.NotZero(t, f.Diff.ReceiptsRoot)
		require.Len(t, f.Metadata.Receipts, 1-i, "the deposit that describes L1")
	}
}

// Ensure a node in Instant mode sends a flashblock for each of its blocks.
func TestInstantMode(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Mode: fakenode.Instant})
	r := listen(t, node.Network, "/flashblocks")
	send(t, node, 0)
	send(t, node, 1)
	frames := r.frames()
	require.Equal(t, []string{"1-0 after 0-0", "2-0 after 1-0"}, ids(frames))
	require.Equal(t, node.Moment().Latest().Block().Header().ReceiptHash, frames[1].Diff.ReceiptsRoot)
}

// Ensure each network and each world has a feed of its own.
func TestEveryNetworkHasAFeed(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	node.Preconfirm()
	world, err := node.NewWorld(fakenode.WorldOptions{Name: "shop"})
	require.NoError(t, err)
	readers := map[*fakenode.Network]*reader{}
	for _, network := range []*fakenode.Network{node.Network, node.Testnet(), world.Network, world.Testnet()} {
		readers[network] = listen(t, network, "/flashblocks")
	}
	numbered := listen(t, node.Network, "/7/flashblocks/")
	for preconfirmed := range readers {
		preconfirmed.Preconfirm()
		for network, r := range readers {
			frames := r.frames()
			if network != preconfirmed {
				require.Empty(t, frames)
				continue
			}
			want := []string{"1-0 after 0-0"}
			switch network {
			case node.Network:
				want = []string{"1-1 after 1-0"}
			case world.Network: // nobody was told of the first one on this feed
				want = []string{"1-0 after 0-0", "1-1 after 1-0"}
			}
			require.Equal(t, want, ids(frames))
		}
	}
	require.Empty(t, numbered.frames())
	require.NoError(t, world.Close())
	_, err = readers[world.Network].ended()
	require.True(t, websocket.IsCloseError(err, websocket.CloseGoingAway), err)
	require.ErrorContains(t, err, "world shop was closed")
}

// Ensure a node with FlashblocksBrotli sends compressed frames to readers that do not choose, and text to readers that
// ask for it.
func TestCompressionByDefault(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Flashblocks: fakenode.Frames{Brotli: true}})
	packed, text := listen(t, node.Network, "/flashblocks"), listen(t, node.Network, "/flashblocks?compression=none")
	node.Preconfirm()
	require.Equal(t, websocket.BinaryMessage, packed.raw()[0].kind)
	require.Equal(t, websocket.TextMessage, text.raw()[0].kind)
}
