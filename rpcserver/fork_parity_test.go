package rpcserver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/rpcserver"
)

// otherwise lists the answers of a fork that differ from the chain's under it, by chain and method, with the reason.
var otherwise = map[string]string{
	"osaka eth_capabilities":              "a fork does not know how far back the other node's states reach",
	"op eth_capabilities":                 "a fork does not know how far back the other node's states reach",
	"pow eth_capabilities":                "a fork does not know how far back the other node's states reach",
	"op eth_baseFee":                      "the next block is one of the fork, by Ethereum's rules",
	"op eth_gasPrice":                     "the next block is one of the fork, by Ethereum's rules",
	"op eth_feeHistory":                   "it ends with the next block, which is one of the fork, by Ethereum's rules",
	"op eth_config":                       "the next block is one of the fork, by Ethereum's rules",
	"op eth_maxPriorityFeePerGas":         "it is for the next block, which is one of the fork, by Ethereum's rules",
	"op eth_coinbase":                     "the next block is one of the fork, by Ethereum's rules",
	"op pimlico_getUserOperationGasPrice": "the next block is one of the fork, by Ethereum's rules",
}

// ownKeys gives a fork other development accounts than the chain under it, because a fork gives its accounts money.
const ownKeys = "legal winner thank year wave sausage worth useful legal winner thank yellow"

// Ensure a fork answers every question about blocks at and below the fork block as the chain under it does. A new
// method must be listed in questions or notAsked.
func TestForkAnswersAsTheChainUnderIt(t *testing.T) {
	t.Parallel()
	every := laboratory.Budget(t, 10, 1) // of the calls of a method, one of so many
	for name, start := range chainsToFork {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			under := start(t)
			fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: under.URL()}, Mnemonic: ownKeys})
			asked := subjectOf(t, under)
			for _, method := range rpcserver.ReadMethods() {
				ask, listed := questions[method]
				if _, excused := notAsked[method]; excused || !listed {
					require.True(t, excused, "%s: list its questions", method)
					continue
				}
				calls, differences := ask(asked), 0
				require.NotEmpty(t, calls, method)
				for i, parameters := range calls {
					if i%every != 0 && i != len(calls)-1 {
						continue
					}
					want, got := answerOf(under, method, parameters), answerOf(fork, method, parameters)
					if want == got {
						continue
					}
					if differences++; otherwise[name+" "+method] == "" {
						require.Equal(t, want, got, "%s %v", method, parameters)
					}
				}
				if every == 1 {
					require.Equal(t, otherwise[name+" "+method] != "", differences > 0, "%s: %d answers differ", method, differences)
				}
			}
		})
	}
}

// Ensure a filter over the fork block finds the logs on both sides of it.
func TestForkFilterLogs(t *testing.T) {
	t.Parallel()
	under := osakaChain(t)
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: under.URL()}, Mnemonic: ownKeys})
	filter := map[string]any{"fromBlock": "earliest", "address": under.Token().Address()}
	logs := func(node *fakenode.Node) (found []types.Log) {
		var id hexutil.Uint64
		require.NoError(t, node.Client().Client().Call(&id, "eth_newFilter", filter))
		require.NoError(t, node.Client().Client().Call(&found, "eth_getFilterLogs", id))
		return found
	}
	below := logs(under)
	require.NotEmpty(t, below)
	require.Equal(t, below, logs(fork))
	fork.Token().Mint(common.Address{0xaa}, fixtures.USD("1"))
	fork.Token().Approve(fork.Account(0), common.Address{0xaa}, fixtures.USD("1"))
	both := logs(fork)
	require.Equal(t, below, both[:len(below)])
	require.Greater(t, len(both), len(below))
}

// subjectOf returns the values for parameters of questions about a node's chain.
func subjectOf(t *testing.T, node *fakenode.Node) *subject {
	t.Helper()
	c := node.Moment().Chain()
	s := &subject{
		blocks: []any{"earliest", "latest"}, hashes: []any{common.Hash{1}}, transactions: []any{common.Hash{1}},
		accounts: []any{node.Token().Address(), common.Address{0xaa}, common.Address{0xee}, fixtures.Dev(2).Address},
	}
	for n := range c.Head().Number() + 1 {
		b := c.BlockByNumber(n)
		s.blocks, s.hashes = append(s.blocks, hexutil.Uint64(n)), append(s.hashes, b.Hash())
		raw, err := rlp.EncodeToBytes(b)
		require.NoError(t, err)
		s.raw = append(s.raw, hexutil.Bytes(raw))
		for i, tx := range b.Transactions() {
			s.transactions = append(s.transactions, tx.Hash())
			if tx.To() == nil {
				s.created = append(s.created, b.Receipts()[i].ContractAddress)
			}
		}
	}
	from := fixtures.Dev(2)
	raw, err := types.MustSignNewTx(from.Key, node.Moment().Signer(), &types.LegacyTx{To: &common.Address{0xaa}, Gas: 50_000}).MarshalBinary()
	require.NoError(t, err)
	s.signed = raw
	return s
}

// answerOf returns the answer to a call, or the error, as canonical text.
func answerOf(node *fakenode.Node, method string, parameters []any) string {
	var answer any
	err := node.Client().Client().Call(&answer, method, parameters...)
	var failure rpc.Error
	if errors.As(err, &failure) {
		return fmt.Sprintf("error %d: %s", failure.ErrorCode(), failure)
	}
	if err != nil {
		return err.Error()
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
