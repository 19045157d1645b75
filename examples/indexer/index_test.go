package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/indexer/index"
	"github.com/fakenode/fakenode/tokencontract"
)

// state holds the answers of the index, or those expected from the chain itself.
type state struct {
	BlockHash common.Hash
	Transfers []transfer // newest first
	Balances  map[common.Address]string
}

type transfer struct {
	From        common.Address `json:"from"`
	To          common.Address `json:"to"`
	Value       string         `json:"value"`
	Transaction common.Hash    `json:"transaction"`
	LogIndex    uint64         `json:"logIndex"`
	BlockNumber uint64         `json:"blockNumber"`
	BlockHash   *common.Hash   `json:"blockHash"`
	Pending     bool           `json:"pending"`
	Memo        string         `json:"memo"`
}

type status struct {
	Version     int64       `json:"version"`
	BlockNumber uint64      `json:"blockNumber"`
	BlockHash   common.Hash `json:"blockHash"`
}

// indexed is a node and an index of it.
type indexed struct {
	t      *testing.T
	node   *fakenode.Node
	config index.Config
	ix     *index.Indexer
	limit  uint64 // blocks that the node lets the test read at once; zero: all
	stale  bool   // faults answer the index from behind: the test reads beside them
}

// newIndexed opens an index, in a file of its own, that does nothing until Sync or Run.
func newIndexed(t *testing.T, node *fakenode.Node) *indexed {
	t.Helper()
	in := &indexed{t: t, node: node, config: index.Config{
		URL: node.URL(), WebSocketURL: node.WebSocketURL(), Token: node.Token().Address(),
		Database: filepath.Join(t.TempDir(), "indexer.db"),
		Poll:     time.Hour, Timeout: time.Minute, // events alone must do
		Logger: slog.New(slog.DiscardHandler),
	}}
	in.open()
	t.Cleanup(in.close)
	return in
}

func (in *indexed) open() {
	in.t.Helper()
	ix, err := index.Open(context.Background(), in.config)
	require.NoError(in.t, err)
	in.ix = ix
}

func (in *indexed) close() {
	if in.ix != nil {
		require.NoError(in.t, in.ix.Close())
		in.ix = nil
	}
}

func (in *indexed) restart() {
	in.t.Helper()
	in.close()
	in.open()
}

// run lets the index follow the node by itself until the test ends.
func (in *indexed) run() {
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- in.ix.Run(ctx) }()
	in.t.Cleanup(func() { // before close
		cancel()
		require.NoError(in.t, <-ran)
	})
}

// get reads a route that must succeed.
func (in *indexed) get(path string, into any) {
	in.t.Helper()
	code, body := in.request(in.t.Context(), path)
	require.Equal(in.t, http.StatusOK, code, "%s: %s", path, body)
	require.NoError(in.t, json.Unmarshal(body, into))
}

func (in *indexed) request(ctx context.Context, path string) (int, []byte) {
	answer := httptest.NewRecorder()
	in.ix.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
	return answer.Code, answer.Body.Bytes()
}

// transfers are the routes' newest 1,000; the tests make fewer.
func (in *indexed) transfers(query string) (found []transfer, at status) {
	in.t.Helper()
	var answer struct {
		Transfers []transfer `json:"transfers"`
		status
	}
	in.get("/transfers?limit=1000"+query, &answer)
	require.Less(in.t, len(answer.Transfers), 1000)
	return answer.Transfers, answer.status
}

// read is the index as a client reads it.
func (in *indexed) read() state {
	in.t.Helper()
	transfers, at := in.transfers("")
	s := state{at.BlockHash, transfers, map[common.Address]string{}}
	for _, account := range in.accounts() {
		var answer struct {
			Balance string `json:"balance"`
			status
		}
		in.get("/balances/"+account.Hex(), &answer)
		s.Balances[account] = answer.Balance
	}
	return s
}

// accounts are the accounts that tests move tokens between, and one that never has any.
func (in *indexed) accounts() []common.Address {
	accounts := []common.Address{{0x99}}
	for i := range 6 {
		accounts = append(accounts, in.node.Account(i).Address)
	}
	return accounts
}

// truth is the same, read from the chain: each log from the node's RPC, each balance from the token's storage.
func (in *indexed) truth() state {
	in.t.Helper()
	url := in.node.URL()
	if in.stale {
		url += "?observer"
	}
	client, err := rpc.Dial(url)
	require.NoError(in.t, err)
	defer client.Close()
	head := in.node.Moment().Latest()
	s := state{head.Hash(), []transfer{}, map[common.Address]string{}}
	step := head.Number() + 1
	if in.limit > 0 {
		step = in.limit
	}
	for from := uint64(0); from <= head.Number(); from += step {
		to := min(from+step-1, head.Number())
		s.Transfers = append(s.Transfers, in.logs(client, hexutil.EncodeUint64(from), hexutil.EncodeUint64(to))...)
	}
	for _, t := range in.logs(client, "pending", "pending") {
		if t.BlockNumber > head.Number() { // a node without pre-confirmations answers with its newest block
			t.Pending, t.BlockHash = true, nil
			s.Transfers = append(s.Transfers, t)
		}
	}
	slices.Reverse(s.Transfers)
	for _, account := range in.accounts() {
		s.Balances[account] = in.node.Token().BalanceOf(account).Dec()
	}
	return s
}

func (in *indexed) logs(client *rpc.Client, from, to string) []transfer {
	in.t.Helper()
	var logs []struct {
		Topics          []common.Hash
		Data            hexutil.Bytes
		TransactionHash common.Hash
		LogIndex        hexutil.Uint64
		BlockNumber     hexutil.Uint64
		BlockHash       *common.Hash
	}
	require.NoError(in.t, client.CallContext(in.t.Context(), &logs, "eth_getLogs", map[string]any{
		"fromBlock": from, "toBlock": to, "address": in.node.Token().Address(), "topics": []any{tokencontract.TransferTopic},
	}))
	var transfers []transfer
	for _, log := range logs {
		transfers = append(transfers, transfer{
			From: common.BytesToAddress(log.Topics[1][:]), To: common.BytesToAddress(log.Topics[2][:]),
			Value: new(big.Int).SetBytes(log.Data).String(), Transaction: log.TransactionHash,
			LogIndex: uint64(log.LogIndex), BlockNumber: uint64(log.BlockNumber), BlockHash: log.BlockHash,
		})
	}
	return transfers
}

// sync brings the index up to date, and checks it against the chain.
func (in *indexed) sync(step ...any) {
	in.t.Helper()
	require.NoError(in.t, in.look(), step...)
	require.Equal(in.t, in.truth(), in.read(), step...)
}

// look lets the index look until it believes what it sees: a chain that is no longer than before is not believed at
// once.
func (in *indexed) look() error {
	in.t.Helper()
	for range 50 {
		if err := in.ix.Sync(in.t.Context()); !errors.Is(err, index.ErrBehind) {
			return err
		}
	}
	return index.ErrBehind
}

// await waits until the running index agrees with the chain. Each look answers when the index changed.
func (in *indexed) await() {
	in.t.Helper()
	ctx, cancel := context.WithTimeout(in.t.Context(), 20*time.Second) // less than a request waits by itself
	defer cancel()
	want := in.truth()
	for {
		var at status
		in.get("/status", &at)
		got := in.read()
		if at.BlockHash == want.BlockHash && slices.EqualFunc(got.Transfers, want.Transfers, sameTransfer) {
			require.Equal(in.t, want, got)
			return
		}
		code, _ := in.request(ctx, fmt.Sprintf("/status?after=%d", at.Version))
		require.Equal(in.t, http.StatusOK, code)
		if ctx.Err() != nil {
			require.Equal(in.t, want, got, "it does not come to that")
		}
	}
}

func sameTransfer(a, b transfer) bool {
	return a.Transaction == b.Transaction && a.LogIndex == b.LogIndex && a.Value == b.Value && a.Pending == b.Pending &&
		(a.Pending || *a.BlockHash == *b.BlockHash)
}

// send puts a transfer of token units into the pool.
func (in *indexed) send(from, to int, units uint64) common.Hash {
	in.t.Helper()
	moment := in.node.Moment()
	payer, token := in.node.Account(from), in.node.Token().Address()
	tx, err := types.SignNewTx(payer.Key, types.LatestSigner(moment.Chain().Config()), &types.LegacyTx{
		Nonce: moment.PoolNonce(payer.Address), GasPrice: big.NewInt(4e9), Gas: 100_000, To: &token,
		Data: tokencontract.PackTransfer(in.node.Account(to).Address, uint256.NewInt(units)),
	})
	require.NoError(in.t, err)
	require.NoError(in.t, in.node.Send(tx))
	return tx.Hash()
}

// seal makes blocks with one transfer each.
func (in *indexed) seal(blocks int) {
	in.t.Helper()
	for i := range blocks {
		in.send(i%3, 3+i%2, uint64(1+i))
		in.node.Seal()
	}
}

func (in *indexed) reorg(o fakenode.ReorgOptions) {
	in.t.Helper()
	o.Force = true
	_, err := in.node.Reorg(o)
	require.NoError(in.t, err)
}

// random returns the randomness of a test that is the same in every run.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
