package integration_test

import (
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"reflect"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/ethclient"
	backend "github.com/ethereum/go-ethereum/ethclient/simulated"
	gethnode "github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// twin is go-ethereum's simulated backend and a fakenode with the same genesis, which get the same transactions. What
// go-ethereum chooses freely, a block's time and prevRandao, fakenode is told, so the two must agree on every block
// hash.
type twin struct {
	t        *testing.T
	backend  *backend.Backend
	timeline *preconf.Timeline
	signer   types.Signer
	nonces   map[common.Address]uint64
	sent     int
	met      map[string]bool // methods whose known difference showed

	reference *rpc.Client // go-ethereum
	node      *rpc.Client // fakenode, over WebSocket
}

// extraData is the extra data of the blocks of both.
const extraData = "twin"

func newTwin(t *testing.T) *twin {
	t.Helper()
	config, err := chain.ForkConfig("osaka", 1337)
	require.NoError(t, err)
	genesis := &fakenode.Genesis{
		Config: config, Alloc: labAlloc(config), GasLimit: ethconfig.Defaults.Miner.GasCeil, Difficulty: new(big.Int),
		BaseFee: big.NewInt(params.GWei), Timestamp: labTime,
	}
	w := &twin{t: t, signer: types.LatestSigner(config), nonces: map[common.Address]uint64{}, met: map[string]bool{}}

	w.backend = backend.NewBackend(nil, func(_ *gethnode.Config, c *ethconfig.Config) {
		c.Genesis = genesis
		c.Miner.ExtraData = []byte(extraData)
	})
	t.Cleanup(func() { require.NoError(t, w.backend.Close()) })
	// Its client is an ethclient.Client in an unexported type, which hides the rpc.Client behind a field's name.
	w.reference = reflect.ValueOf(w.backend.Client()).FieldByName("Client").Interface().(*ethclient.Client).Client()

	sealed, err := chain.New(genesis, chain.Options{})
	require.NoError(t, err)
	w.timeline, err = preconf.New(preconf.Config{Chain: sealed, Behaviour: preconf.Behaviour{ExtraData: []byte(extraData), Lags: preconf.Lags{SafeLag: new(uint64)}}})
	require.NoError(t, err)
	server := rpcserver.New(rpcserver.Config{Main: w.timeline, Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(server.Close)
	w.node, err = rpc.Dial(server.WebSocketURL())
	require.NoError(t, err)
	t.Cleanup(w.node.Close)
	return w
}

// send signs a transaction of a development account, which gets its nonce and a fee lower than that of the one before,
// as both nodes then order by fee and by arrival alike, and sends it to both. It returns the hash.
func (w *twin) send(from fixtures.Account, data types.TxData) common.Hash {
	w.t.Helper()
	w.sent++
	tip := big.NewInt(params.GWei - int64(w.sent)*1000)
	feeCap := big.NewInt(10 * params.GWei)
	nonce := w.nonces[from.Address]
	switch data := data.(type) {
	case *types.LegacyTx:
		data.Nonce, data.GasPrice = nonce, feeCap
	case *types.AccessListTx:
		data.Nonce, data.GasPrice, data.ChainID = nonce, feeCap, w.signer.ChainID()
	case *types.DynamicFeeTx:
		data.Nonce, data.GasTipCap, data.GasFeeCap, data.ChainID = nonce, tip, feeCap, w.signer.ChainID()
	case *types.BlobTx:
		data.Nonce, data.GasTipCap, data.GasFeeCap = nonce, uint256.MustFromBig(tip), uint256.MustFromBig(feeCap)
	case *types.SetCodeTx:
		data.Nonce, data.GasTipCap, data.GasFeeCap = nonce, uint256.MustFromBig(tip), uint256.MustFromBig(feeCap)
	}
	tx := w.sign(from.Key, data)
	raw, err := tx.MarshalBinary()
	require.NoError(w.t, err)
	answer := w.compare("eth_sendRawTransaction", hexutil.Encode(raw))
	require.JSONEq(w.t, `"`+tx.Hash().Hex()+`"`, answer)
	w.nonces[from.Address]++
	return tx.Hash()
}

func (w *twin) sign(key *ecdsa.PrivateKey, data types.TxData) *types.Transaction {
	w.t.Helper()
	tx, err := types.SignNewTx(key, w.signer, data)
	require.NoError(w.t, err)
	return tx
}

// seal makes a block on both, and requires that it is the same.
func (w *twin) seal() common.Hash {
	w.t.Helper()
	// go-ethereum's pool makes a transaction ready some time after it was accepted, and blocks do not wait for that.
	for unready := hexutil.Uint(1); unready > 0; {
		var pool map[string]hexutil.Uint
		require.NoError(w.t, w.reference.CallContext(w.t.Context(), &pool, "txpool_status"))
		unready = pool["queued"]
	}
	hash := w.backend.Commit()
	var header *types.Header
	require.NoError(w.t, w.reference.Call(&header, "eth_getHeaderByHash", hash))
	require.NoError(w.t, w.timeline.Set(preconf.NextBlockTime(header.Time)))
	require.NoError(w.t, w.timeline.Set(preconf.NextPrevRandao(header.MixDigest)))
	sealed, err := w.timeline.Seal(1)
	require.NoError(w.t, err)
	w.compare("eth_getBlockByNumber", "latest", true)
	require.Equal(w.t, hash, sealed[0])
	return hash
}

// compare asks both the same, requires the same answer but for the known differences, and returns fakenode's.
func (w *twin) compare(method string, arguments ...any) string {
	w.t.Helper()
	got, want := outcomeOf(w.node, method, arguments), outcomeOf(w.reference, method, arguments)
	a, err := decodeJSON(got)
	require.NoError(w.t, err)
	b, err := decodeJSON(want)
	require.NoError(w.t, err)
	where := difference("", a, b)
	if known := knownDifferences[method]; where != "" && known.accepts != nil && known.accepts(a, b) {
		w.met[method] = true
		return string(got)
	}
	if where != "" {
		w.t.Errorf("%s%s: answer%s\nfakenode:    %.1000s\ngo-ethereum: %.1000s", method, short(arguments), where, got, want)
	}
	return string(got)
}

// outcomeOf is the result of a call, or {"error": code and data}.
func outcomeOf(client *rpc.Client, method string, arguments []any) []byte {
	var result json.RawMessage
	err := client.Call(&result, method, arguments...)
	if err == nil {
		return result
	}
	failure := map[string]any{"message": err.Error()}
	var code rpc.Error
	if errors.As(err, &code) {
		failure["code"] = code.ErrorCode()
	}
	var data rpc.DataError
	if errors.As(err, &data) && data.ErrorData() != nil {
		failure["data"] = data.ErrorData()
	}
	encoded, err := json.Marshal(map[string]any{"error": failure})
	if err != nil {
		panic(err) // made of strings and numbers
	}
	return encoded
}

// twinStream is the same subscription on both.
type twinStream struct {
	twin            *twin
	node, reference chan json.RawMessage
}

func (w *twin) subscribe(arguments ...any) *twinStream {
	w.t.Helper()
	s := &twinStream{w, make(chan json.RawMessage, 256), make(chan json.RawMessage, 256)}
	for client, channel := range map[*rpc.Client]chan json.RawMessage{w.node: s.node, w.reference: s.reference} {
		_, err := client.EthSubscribe(w.t.Context(), channel, arguments...)
		require.NoError(w.t, err)
	}
	return s
}

// compare requires that the next n notifications are the same. go-ethereum's newHeads have null for fields of forks to
// come, fakenode's leave them out.
func (s *twinStream) compare(n int) {
	s.twin.t.Helper()
	for i := range n {
		want, err := decodeJSON(next(s.twin.t, s.reference))
		require.NoError(s.twin.t, err)
		maps.DeleteFunc(want.(object), func(_ string, value any) bool { return value == nil })
		got, err := decodeJSON(next(s.twin.t, s.node))
		require.NoError(s.twin.t, err)
		require.Empty(s.twin.t, difference("", got, want), "notification %d", i)
	}
}
