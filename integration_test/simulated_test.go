package integration_test

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf/control"
	_ "github.com/fakenode/fakenode/tracers" // of the nodes in this process
)

// knownDifferences are all in which the answers of a fakenode under the geth profile differ from go-ethereum's here, by
// method. Not asked at all: what pending shows, as fakenode answers from flashblocks and go-ethereum from a block it
// would build now; web3_clientVersion; and debug_trace*, which the simulated backend does not have.
var knownDifferences = map[string]knownDifference{
	"eth_estimateGas": {"fakenode gives the least gas that succeeds, go-ethereum up to 1.5 % more", func(got, want any) bool {
		exact, estimate := quantity(got), quantity(want)
		return exact > 0 && exact <= estimate && estimate <= exact+exact*15/1000+1
	}},
	"eth_maxPriorityFeePerGas":                   {"fakenode suggests a constant tip, go-ethereum a percentile of recent ones", positive},
	"eth_gasPrice":                               {"the same, plus the base fee", positive},
	"eth_getRawTransactionByHash":                nullForNothing,
	"eth_getRawTransactionByBlockNumberAndIndex": nullForNothing,
	"debug_getRawBlock":                          errorForNothing,
	"debug_getRawHeader":                         errorForNothing,
	"debug_getRawReceipts":                       errorForNothing,
}

// knownDifference reports why two answers differ, and which pairs of answers that explains.
type knownDifference struct {
	why     string
	accepts func(got, want any) bool
}

var (
	nullForNothing = knownDifference{"what does not exist is null, as in eth_getTransactionByHash, not an empty transaction", func(got, want any) bool {
		return got == nil && want == "0x"
	}}
	errorForNothing = knownDifference{"an unknown block is an error, as execution-apis records it, not empty bytes", func(got, want any) bool {
		failure, _ := got.(object)["error"].(object)
		return failure["code"] == json.Number("-32000") && (want == "0x" || want == nil)
	}}
)

func positive(got, want any) bool { return quantity(got) > 0 && quantity(want) > 0 }

// quantity is a hex quantity of an answer, 0 if it is none.
func quantity(value any) uint64 {
	text, _ := value.(string)
	n, err := hexutil.DecodeUint64(text)
	if err != nil {
		return 0
	}
	return n
}

// Ensure a chain of every kind of transaction has go-ethereum's block hashes, and that every read answers at every
// block as go-ethereum's simulated backend does.
func TestSimulatedBackend(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	w := newTwin(t)
	transactions := w.history()
	for _, question := range questions(transactions) {
		w.compare(question.method, question.arguments...)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(knownDifferences)), slices.Collect(maps.Keys(w.met)), "differences that are none any more")
}

// Ensure a reorg sends subscribers of logs and heads the messages that go-ethereum sends, in the same order, and leaves
// the same chain, pool and logs.
func TestSimulatedBackendReorg(t *testing.T) {
	t.Parallel()
	w := newTwin(t)
	alice, bob := fixtures.Dev(0), fixtures.Dev(1)
	emit := func(from fixtures.Account, topic byte) common.Hash {
		return w.send(from, &types.DynamicFeeTx{To: &emitter, Gas: 60_000, Data: labcode.EmitterCall(topic, 9)})
	}
	ancestor := w.seal()
	logs, heads := w.subscribe("logs", object{"address": emitter}), w.subscribe("newHeads")

	emit(alice, 1)
	first := w.seal()
	emit(alice, 2)
	emit(bob, 3)
	second := w.seal()
	// Read in between: go-ethereum has removed and new logs in two queues, and no order among them.
	logs.compare(3)
	require.NoError(t, w.backend.Fork(ancestor))
	// A second fork waits for go-ethereum's pool, which takes the transactions back later, and is refused for them.
	require.ErrorContains(t, w.backend.Fork(ancestor), "pending block dirty")
	none := 0
	_, err := w.timeline.Reorg(control.ReorgOptions{Depth: 2, Length: &none, Transactions: control.Requeue})
	require.NoError(t, err)
	logs.compare(3)
	heads.compare(3) // the ancestor is announced again
	for _, method := range []string{"eth_blockNumber", "txpool_status", "txpool_content"} {
		w.compare(method)
	}
	w.seal()
	emit(alice, 4)
	w.seal()
	w.seal()

	logs.compare(4)
	heads.compare(3)
	for _, question := range questions(nil) {
		w.compare(question.method, question.arguments...)
	}
	for _, orphan := range []common.Hash{first, second} {
		w.compare("eth_getBlockByHash", orphan, true)
		w.compare("eth_getHeaderByHash", orphan)
		w.compare("eth_getBalance", alice.Address, object{"blockHash": orphan})
		w.compare("eth_getBalance", alice.Address, object{"blockHash": orphan, "requireCanonical": true})
		w.compare("eth_call", object{"to": observer}, object{"blockHash": orphan})
		w.compare("eth_getBlockReceipts", orphan)
	}
}

// history seals blocks with transactions of every type and outcome on both, and returns their hashes.
func (w *twin) history() []common.Hash {
	alice, bob, carol, dave := fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(2), fixtures.Dev(3)
	dynamic := func(to *common.Address, gas uint64, value int64, data []byte) *types.DynamicFeeTx {
		return &types.DynamicFeeTx{To: to, Gas: gas, Value: big.NewInt(value), Data: data}
	}
	code := labcode.Counter()
	var sent []common.Hash
	block := func(hashes ...common.Hash) {
		w.t.Helper()
		w.seal()
		sent = append(sent, hashes...)
	}
	block()
	block(
		w.send(alice, &types.LegacyTx{To: &bob.Address, Gas: 21_000, Value: big.NewInt(1e18)}),
		w.send(alice, dynamic(&bob.Address, 21_000, 7, nil)),
	)
	block(
		w.send(alice, dynamic(nil, 200_000, 0, labcode.Deployment(code))),
		w.send(bob, dynamic(&counter, 100_000, 0, nil)),
		w.send(bob, dynamic(&emitter, 100_000, 0, labcode.EmitterCall(1, 2, 0xff))),
		w.send(carol, dynamic(&emitter, 100_000, 0, labcode.EmitterCall(3, 2))),
	)
	block(
		w.send(alice, dynamic(&reverter, 100_000, 5, []byte{1, 2, 3, 4})), // reverts
		w.send(alice, dynamic(&burner, 60_000, 0, word(255).Bytes())),
		w.send(alice, dynamic(&burner, 60_000, 0, common.BigToHash(big.NewInt(1e9)).Bytes())), // out of gas
		w.send(bob, dynamic(&cleaner, 60_000, 0, word(0).Bytes())),                            // refund
		w.send(bob, dynamic(&forwarder, 100_000, 9, addressWord(carol.Address))),
	)
	block(
		w.send(alice, &types.AccessListTx{To: &counter, Gas: 100_000, AccessList: types.AccessList{
			{Address: counter, StorageKeys: []common.Hash{word(0), word(1)}}, {Address: bob.Address},
		}}),
		w.send(carol, dynamic(nil, 100_000, 3, []byte{0xfe})), // creation fails
	)
	authorization, err := types.SignSetCode(bob.Key, types.SetCodeAuthorization{
		ChainID: *uint256.MustFromBig(w.signer.ChainID()), Address: counter, Nonce: w.nonces[bob.Address],
	})
	require.NoError(w.t, err)
	delegation := w.send(alice, &types.SetCodeTx{
		ChainID: uint256.MustFromBig(w.signer.ChainID()), To: bob.Address, Gas: 200_000,
		Value:    new(uint256.Int),
		AuthList: []types.SetCodeAuthorization{authorization},
	})
	w.nonces[bob.Address]++
	block(delegation)
	block(w.send(carol, dynamic(&bob.Address, 100_000, 0, nil)), w.send(dave, w.blobTransaction(alice.Address)))
	block()
	block(w.send(alice, dynamic(&bob.Address, 21_000+3000, 0, nil))) // to a delegated account, out of gas
	return sent
}

// blobTransaction carries one empty blob.
func (w *twin) blobTransaction(to common.Address) *types.BlobTx {
	w.t.Helper()
	var blob kzg4844.Blob
	commitment, err := kzg4844.BlobToCommitment(&blob)
	require.NoError(w.t, err)
	proofs, err := kzg4844.ComputeCellProofs(&blob)
	require.NoError(w.t, err)
	sidecar := types.NewBlobTxSidecar(types.BlobSidecarVersion1, []kzg4844.Blob{blob}, []kzg4844.Commitment{commitment}, proofs)
	return &types.BlobTx{
		ChainID: uint256.MustFromBig(w.signer.ChainID()), To: to, Gas: 21_000, Value: uint256.NewInt(1), BlobFeeCap: uint256.NewInt(1e9),
		BlobHashes: sidecar.BlobHashes(), Sidecar: sidecar,
	}
}
