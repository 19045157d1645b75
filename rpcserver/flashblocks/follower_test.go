package flashblocks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
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
