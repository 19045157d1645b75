package flashblocks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
)

// follower builds the pending block of a network from its feed alone. It reconnects and resumes when it lacks a frame.
type follower struct {
	t       testing.TB
	network *fakenode.Network
	reader  *reader
	block   []payload // its flashblocks so far
	resumed int
	all     bytes.Buffer // every frame as it came
}

func follow(t testing.TB, network *fakenode.Network) *follower {
	return &follower{t: t, network: network, reader: listen(t, network, "/flashblocks")}
}

// read takes in all that has happened so far.
func (f *follower) read() {
	f.t.Helper()
	frames, whole := f.reader.unchecked()
	for _, m := range frames {
		f.all.Write(m.data)
		whole = whole && f.take(m, true)
	}
	if !whole {
		f.resume()
	}
}

// leave closes the connection: later frames are missed until resume.
func (f *follower) leave() { _ = f.reader.ws.Close() }

// resume reconnects and takes in the missed frames.
func (f *follower) resume() {
	f.t.Helper()
	f.leave()
	f.resumed++
	query := ""
	if len(f.block) > 0 {
		last := f.block[len(f.block)-1]
		query = fmt.Sprintf("?block_number=%d&flashblock_index=%d", last.Metadata.BlockNumber, last.Index)
	}
	f.reader = listen(f.t, f.network, "/flashblocks"+query)
	for _, m := range f.reader.raw() {
		f.all.Write(m.data)
		f.take(m, false) // or not: it may be one of a build that was given up before the newest frame that is known
	}
}

// take puts a frame in the place of the one with its index and of all after it. It reports false for one that is broken
// or does not continue the known frames.
func (f *follower) take(m message, live bool) bool {
	var p payload
	if json.Unmarshal(m.data, &p) != nil {
		return false
	}
	switch {
	case p.Index > len(f.block):
		return false
	case p.Index > 0:
		if before := f.block[p.Index-1]; p.Metadata.PrevFlashblockID != id(before) || !bytes.Equal(p.PayloadID, before.PayloadID) {
			return false
		}
	case live && len(f.block) > 0:
		last := f.block[len(f.block)-1]
		repeated := p.Diff.BlockHash == last.Diff.BlockHash && p.Metadata.PrevFlashblockID == last.Metadata.PrevFlashblockID
		if p.Metadata.PrevFlashblockID != id(last) && !repeated {
			return false
		}
	}
	known := f.block
	f.block = append(f.block[:p.Index:p.Index], p)
	if f.header().Hash() != p.Diff.BlockHash { // a frame was lost that took the place of one that is known
		f.block = known
		return false
	}
	return true
}

// transactions returns the block's transactions.
func (f *follower) transactions() rawTransactions {
	transactions := rawTransactions{}
	for _, p := range f.block {
		transactions = append(transactions, p.Diff.Transactions...)
	}
	return transactions
}

// rawTransactions is a list of transactions in their typed encoding, deposits among them, for the root of a header.
type rawTransactions []hexutil.Bytes

func (l rawTransactions) Len() int                           { return len(l) }
func (l rawTransactions) EncodeIndex(i int, w *bytes.Buffer) { w.Write(l[i]) }

// header returns the header of the block so far.
func (f *follower) header() *types.Header {
	f.t.Helper()
	base, diff := f.block[0].Base, f.block[len(f.block)-1].Diff
	require.NotNil(f.t, base)
	var excess uint64
	requests := types.EmptyRequestsHash
	return &types.Header{
		ParentHash:       base.ParentHash,
		UncleHash:        types.EmptyUncleHash,
		Coinbase:         base.FeeRecipient,
		Root:             diff.StateRoot,
		TxHash:           types.DeriveSha(f.transactions(), trie.NewStackTrie(nil)),
		ReceiptHash:      diff.ReceiptsRoot,
		Bloom:            diff.LogsBloom,
		Difficulty:       new(big.Int),
		Number:           new(big.Int).SetUint64(uint64(base.BlockNumber)),
		GasLimit:         uint64(base.GasLimit),
		GasUsed:          uint64(diff.GasUsed),
		Time:             uint64(base.Timestamp),
		Extra:            base.ExtraData,
		MixDigest:        base.PrevRandao,
		BaseFee:          base.BaseFeePerGas.ToInt(),
		WithdrawalsHash:  &diff.WithdrawalsRoot,
		BlobGasUsed:      (*uint64)(diff.BlobGasUsed),
		ExcessBlobGas:    &excess,
		ParentBeaconRoot: &base.ParentBeaconBlockRoot,
		RequestsHash:     &requests,
	}
}

// agree asserts that the block is the one that the node answers for pending.
func (f *follower) agree() {
	f.t.Helper()
	var answer json.RawMessage
	require.NoError(f.t, f.network.Client().Client().CallContext(f.t.Context(), &answer, "eth_getBlockByNumber", "pending", false))
	var pending types.Header
	require.NoError(f.t, json.Unmarshal(answer, &pending))
	var body struct{ Transactions []common.Hash }
	require.NoError(f.t, json.Unmarshal(answer, &body))

	require.NotEmpty(f.t, f.block)
	header := f.header()
	require.Equal(f.t, pending.Hash(), header.Hash(), "pending %s\nfollowed %+v", answer, header)
	require.Equal(f.t, header.Hash(), f.block[len(f.block)-1].Diff.BlockHash)
	hashes := []common.Hash{}
	for _, raw := range f.transactions() {
		hashes = append(hashes, crypto.Keccak256Hash(raw))
	}
	require.Equal(f.t, body.Transactions, hashes)
}

// course is a random course of events on a network whose feed is followed.
type course struct {
	*testing.T
	rollup    bool // the rules of the OP stack
	random    *rand.Rand
	node      *fakenode.Node
	follower  *follower
	snapshots []uint64
	known     bool // pending matches the newest frame
	altered   bool // logs of the block may be announced differently
	faulty    bool // a fault struck the block, or may have
	agreed    int
	sealed    int // blocks that were as followed
}

func newCourse(t *testing.T, seed uint64, rules fakenode.Rules) *course {
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Rules: rules})
	return &course{T: t, rollup: rules == fakenode.OptimismRules, random: rand.New(rand.NewPCG(seed, 0)), node: node, follower: follow(t, node.Network)}
}

// step lets something happen, and the follower see it.
func (c *course) step() {
	c.Helper()
	told := false // pending matches the newest frame
	switch p := c.random.IntN(100); {
	case p < 30:
		for range 1 + c.random.IntN(3) {
			if _, err := trySend(c.node, c.random.IntN(19)); err != nil {
				require.ErrorIs(c, err, core.ErrInsufficientFunds)
			}
		}
		c.deposit()
		return
	case p < 60:
		told = c.preconfirm()
	case p < 68:
		c.seal()
		return
	case p < 74:
		before := c.follower.all.Len()
		progress := c.node.Advance(time.Duration(c.random.IntN(20)) * 100 * time.Millisecond)
		c.follower.read()
		told = progress.FlashblockIndex >= 0 && c.follower.all.Len() > before
	case p < 84:
		told = c.fault()
	case p < 89:
		if c.node.BlockNumber() == 0 {
			return
		}
		_, err := c.node.Reorg(fakenode.ReorgOptions{
			Depth:        min(1+c.random.IntN(3), int(c.node.BlockNumber())),
			Transactions: []fakenode.Fate{fakenode.Requeue, fakenode.Drop, fakenode.Reverse}[c.random.IntN(3)],
			Force:        true,
		})
		require.NoError(c, err)
	case p < 91:
		c.snapshots = append(c.snapshots, c.node.Snapshot())
	case p < 92:
		if len(c.snapshots) > 0 {
			require.NoError(c, c.node.Revert(c.snapshots[c.random.IntN(len(c.snapshots))]))
			c.altered, c.faulty = true, true // by a fault of before, perhaps
		}
	case p < 95:
		command(c, c.node, "anvil_setBalance", c.node.Account(c.random.IntN(20)).Address, []string{"0x1", "0xffffffffffffffffffff"}[c.random.IntN(2)])
	case p < 98:
		told = c.feedFault()
	default:
		c.upToDate()
		c.follower.leave()
		for range 1 + c.random.IntN(3) {
			told = c.preconfirm()
		}
		c.follower.resume()
	}
	c.follower.read()
	if c.known = told; told {
		c.follower.agree()
		c.agreed++
	}
}

// preconfirm makes a flashblock and reports whether it was announced.
func (c *course) preconfirm() bool { return !c.node.Preconfirm().Stalled }

// upToDate lets the follower know the whole pending block: after a revert that may be more frames than can be resumed
// from.
func (c *course) upToDate() {
	c.Helper()
	c.node.Timeline().ClearFlashblockFaults()
	c.preconfirm()
	c.follower.read()
}

// deposit sometimes makes a deposit, on an OP-stack chain.
func (c *course) deposit() {
	if c.rollup && c.random.IntN(4) == 0 {
		account := c.node.Account(c.random.IntN(20)).Address
		command(c, c.node, "fakenode_deposit", map[string]any{"from": account, "to": account, "mint": "0x1", "value": c.random.IntN(2)})
	}
}

// seal closes the block. Its transactions are the ones that the follower knows, unless a fault changed them; without
// the rules of the OP stack also where the block has no flashblock or was executed anew since the last.
func (c *course) seal() {
	c.Helper()
	armed := len(c.node.Moment().Control().Faults.Armed()) > 0 || c.node.Moment().Late()
	wrong := c.altered || armed || c.faulty || !c.known && !c.rollup
	c.node.Seal()
	c.follower.read()
	armed = len(c.node.Moment().Control().Faults.Armed()) > 0 || c.node.Moment().Late()
	c.known, c.altered, c.faulty = false, armed, armed
	if wrong {
		return
	}
	sealed := c.node.Moment().Latest().Block()
	followed := c.follower.header()
	require.Equal(c, sealed.Number(), followed.Number.Uint64())
	require.Equal(c, sealed.Header().TxHash, followed.TxHash)
	require.Equal(c, sealed.Header().ReceiptHash, followed.ReceiptHash)
	require.Equal(c, sealed.Header().Bloom, followed.Bloom)
	require.Equal(c, sealed.Header().GasUsed, followed.GasUsed)
	c.sealed++
}

// fault lets pre-confirmation go wrong, and reports whether that announced a flashblock.
func (c *course) fault() (told bool) {
	c.Helper()
	kinds := []fakenode.FaultKind{
		fakenode.DropFlashblocks, fakenode.DuplicateFlashblock, fakenode.StallFlashblocks, fakenode.OmitTransactions,
		fakenode.AlterLogs, fakenode.LateBlock,
	}
	fault := fakenode.FlashblockFault{Kind: kinds[c.random.IntN(len(kinds))], Count: 1 + c.random.IntN(2)}
	fault.Gone = c.random.IntN(2) == 0 && (fault.Kind == fakenode.DropFlashblocks || fault.Kind == fakenode.OmitTransactions)
	c.altered = c.altered || fault.Kind == fakenode.AlterLogs
	_, err := c.node.FlashblockFault(fault)
	if err != nil {
		require.ErrorIs(c, err, preconf.ErrNoFlashblock)
	} else {
		c.faulty = true
	}
	return fault.Kind == fakenode.DuplicateFlashblock && err == nil
}

// feedFault lets a frame or two of the next three go wrong.
func (c *course) feedFault() (told bool) {
	c.Helper()
	c.upToDate()
	kinds := []fakenode.FeedFaultKind{
		fakenode.FeedGap, fakenode.FeedWrongLink, fakenode.FeedTruncate, fakenode.FeedReorder, fakenode.FeedDisconnect,
	}
	require.NoError(c, c.node.FeedFault(fakenode.FeedFault{Kind: kinds[c.random.IntN(len(kinds))], Count: 1 + c.random.IntN(2)}))
	for range 3 {
		told = c.preconfirm()
	}
	c.follower.read()
	c.node.ClearFaults()
	return told
}

// Ensure a follower that reads nothing but the feed has the pending block at every flashblock, whatever goes wrong:
// with pre-confirmation, with the chain, and with the feed.
func TestFollowerAgrees(t *testing.T) {
	t.Parallel()
	steps := laboratory.Budget(t, 400, 5_000)
	for seed, rules := range []fakenode.Rules{fakenode.EthereumRules, fakenode.OptimismRules} {
		t.Run(string(rules), func(t *testing.T) {
			t.Parallel()
			c := newCourse(t, uint64(seed), rules)
			for range steps {
				c.step()
			}
			t.Logf("%d steps: agreed %d times, %d blocks as followed, resumed %d times, %d bytes", steps, c.agreed, c.sealed,
				c.follower.resumed, c.follower.all.Len())
			require.Greater(t, c.agreed, steps/4)
			require.Greater(t, c.sealed, steps/100)
			require.Greater(t, c.follower.resumed, steps/100)
		})
	}
}

// Ensure the same course of events makes the same feed, byte for byte.
func TestFeedIsRepeatable(t *testing.T) {
	t.Parallel()
	var runs [2]string
	for i := range runs {
		c := newCourse(t, 2, fakenode.EthereumRules)
		for range 150 {
			c.step()
		}
		runs[i] = c.follower.all.String()
	}
	require.NotEmpty(t, runs[0])
	require.Equal(t, runs[0], runs[1])
}
