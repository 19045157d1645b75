package rpcserver

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// network is a server with one chain on the manual clock, and a caller of its methods.
type network struct {
	testing.TB
	server   *Server
	timeline *preconf.Timeline
	eth      *ethclient.Client // over HTTP
	nonces   map[common.Address]uint64
}

// newNetwork starts one on a free port. config's Start is filled in, and its Chain if there is none.
func newNetwork(t testing.TB, config preconf.Config, served Config) *network {
	t.Helper()
	var err error
	if config.Chain == nil {
		config.Chain, err = chain.New(networkGenesis(), chain.Options{})
		require.NoError(t, err)
	}
	config.Start = time.Unix(networkStart, 0)
	timeline, err := preconf.New(config)
	require.NoError(t, err)
	keys := make([]*ecdsa.PrivateKey, fixtures.DevAccounts)
	for i := range keys {
		keys[i] = fixtures.Dev(i).Key
	}
	served.Limits.CallTimeout = cmp.Or(served.Limits.CallTimeout, time.Minute) // wall time: a busy machine stretches calls
	if served.Main == nil {
		served.Main = &Network{}
	}
	served.Main.Timeline, served.Main.Keys = timeline, keys
	served.ClientVersion = "fakenode/test"
	n := &network{TB: t, server: listen(t, served, methods), timeline: timeline, nonces: make(map[common.Address]uint64)}
	n.eth, err = ethclient.Dial(n.server.URL())
	require.NoError(t, err)
	t.Cleanup(n.eth.Close)
	return n
}

// try calls a method in process and returns its result or error.
func (n *network) try(method string, params ...any) (json.RawMessage, *jsonrpc.Error) {
	n.Helper()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	require.NoError(n, err)
	var answer struct {
		Result json.RawMessage
		Error  *jsonrpc.Error
	}
	require.NoError(n, json.Unmarshal(n.server.Call(context.Background(), world.Main, body), &answer))
	return answer.Result, answer.Error
}

// fetch is try for what must succeed; the result is decoded into the type asked for.
func fetch[T any](n *network, method string, params ...any) T {
	n.Helper()
	raw, failure := n.try(method, params...)
	if failure != nil {
		require.Fail(n, method+" failed", "%d %s", failure.Code, failure.Message)
	}
	var result T
	require.NoError(n, json.Unmarshal(raw, &result), "%s: %s", method, raw)
	return result
}

// do is fetch without a look at the result.
func (n *network) do(method string, params ...any) {
	n.Helper()
	fetch[json.RawMessage](n, method, params...)
}

// fails is try for what must fail with the code.
func (n *network) fails(code int, method string, params ...any) *jsonrpc.Error {
	n.Helper()
	_, failure := n.try(method, params...)
	require.NotNil(n, failure, "%s%v succeeded", method, params)
	require.Equal(n, code, failure.Code, failure.Message)
	return failure
}

// rejects is fails with a look at the message, which must hold all of the words.
func (n *network) refuses(code int, words []string, method string, params ...any) {
	n.Helper()
	failure := n.fails(code, method, params...)
	for _, word := range words {
		require.Contains(n, failure.Message, word)
	}
}

// transact signs and sends a transaction of account i and returns it. Fees fit any test.
func (n *network) transact(i int, to *common.Address, value *big.Int, data []byte) *types.Transaction {
	n.Helper()
	tx := n.sign(i, to, value, data)
	require.NoError(n, n.timeline.Send(tx))
	return tx
}

// sign returns the account's next transaction.
func (n *network) sign(i int, to *common.Address, value *big.Int, data []byte) *types.Transaction {
	n.Helper()
	from := fixtures.Dev(i)
	nonce, counted := n.nonces[from.Address]
	if !counted {
		nonce = n.timeline.Moment().PoolNonce(from.Address)
	}
	n.nonces[from.Address] = nonce + 1
	gas := uint64(21_000)
	switch {
	case to == nil:
		gas = 8_000_000
	case len(data) > 0:
		gas = 3_000_000
	}
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(big.NewInt(networkChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(networkChainID), Nonce: nonce, GasTipCap: big.NewInt(1_000_000_000), GasFeeCap: big.NewInt(20_000_000_000),
		Gas: gas, To: to, Value: value, Data: data,
	})
	require.NoError(n, err)
	return tx
}

// pay sends wei from account i to account j.
func (n *network) pay(i, j int, wei int64) *types.Transaction {
	n.Helper()
	to := fixtures.Dev(j).Address
	return n.transact(i, &to, big.NewInt(wei), nil)
}

// log makes the logger emit count logs with the topics.
func (n *network) log(i int, topic0, topic1 string, count int64) *types.Transaction {
	n.Helper()
	return n.transact(i, &loggerAddress, new(big.Int), loggerCall(topic0, topic1, count))
}

// send sends from an account by eth_sendTransaction, which fills in what is missing, and returns the hash.
func (n *network) send(from fixtures.Account, to *common.Address, data []byte) common.Hash {
	n.Helper()
	return fetch[common.Hash](n, "eth_sendTransaction", map[string]any{"from": from.Address, "to": to, "data": hexutil.Bytes(data)})
}

// emit makes the emitter emit a log with two topics and some data.
func (n *network) emit(topic0, topic1 byte, data ...byte) common.Hash {
	n.Helper()
	return n.send(alice, &emitter, append(append(topic(topic0).Bytes(), topic(topic1).Bytes()...), data...))
}

func (n *network) preconfirm() {
	n.Helper()
	_, err := n.timeline.Preconfirm()
	require.NoError(n, err)
}

func (n *network) seal(blocks int) []common.Hash {
	n.Helper()
	hashes, err := n.timeline.Seal(blocks)
	require.NoError(n, err)
	return hashes
}

// client connects go-ethereum's client over WebSocket.
func (n *network) client() *rpc.Client {
	n.Helper()
	client, err := rpc.Dial(n.server.WebSocketURL())
	require.NoError(n, err)
	n.Cleanup(client.Close)
	return client
}

// calls waits until a method was called so many times.
func (n *network) calls(method string, times int) {
	n.Helper()
	_, err := n.server.WaitForCalls(n.Context(), world.Main, 0, method, times)
	require.NoError(n, err)
}

// step takes a step of a transcript.
func (n *network) step(step string) error {
	verb, argument, _ := strings.Cut(step, " ")
	var err error
	switch verb {
	case "preconfirm":
		_, err = n.timeline.Preconfirm()
	case "seal":
		blocks := 1
		if argument != "" {
			if blocks, err = strconv.Atoi(argument); err != nil {
				return err
			}
		}
		_, err = n.timeline.Seal(blocks)
	case "reorg":
		var depth int
		if depth, err = strconv.Atoi(argument); err == nil {
			_, err = n.timeline.Reorg(preconf.ReorgOptions{Depth: depth})
		}
	case "advance":
		var d time.Duration
		if d, err = time.ParseDuration(argument); err == nil {
			_, err = n.timeline.Advance(d)
		}
	case "impersonate":
		n.timeline.Impersonate(common.HexToAddress(argument))
	case "pay":
		n.pay(0, 1, 1000)
	case "log":
		n.log(0, argument, "0x1", 1)
	default:
		err = fmt.Errorf("unknown step %q", step)
	}
	return err
}

// signed is a signed transfer of one wei.
func signed(t testing.TB, from fixtures.Account, nonce uint64) *types.Transaction {
	t.Helper()
	tx, err := types.SignNewTx(from.Key, types.LatestSigner(networkGenesis().Config), &types.DynamicFeeTx{
		ChainID: networkGenesis().Config.ChainID, Nonce: nonce, Gas: params.TxGas, GasFeeCap: big.NewInt(3 * params.GWei),
		GasTipCap: big.NewInt(params.GWei), To: &bob.Address, Value: big.NewInt(1),
	})
	require.NoError(t, err)
	return tx
}

// raw is a transaction as it is sent.
func raw(t testing.TB, tx *types.Transaction) []byte {
	t.Helper()
	encoded, err := tx.MarshalBinary()
	require.NoError(t, err)
	return encoded
}

// blockRef is a block parameter as go-ethereum's client spells it.
func blockRef(tag string) rpc.BlockNumberOrHash {
	var ref rpc.BlockNumberOrHash
	if err := ref.UnmarshalJSON([]byte(strconv.Quote(tag))); err != nil {
		panic(err)
	}
	return ref
}
