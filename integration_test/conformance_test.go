package integration_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// contradictions are the recordings that the contract contradicts (docs/maintainers/conformance.md), and where the
// answer differs. TestContractAnswers has a test of the contract's answer for each.
var contradictions = map[string]string{
	// Contract 7-revert: a revert is -32000.
	"eth_call/call-revert-abi-error": ".error.code is -32000, want 3",
	"eth_call/call-revert-abi-panic": ".error.code is -32000, want 3",
	// Contract 2.2-blockHash: with a blockHash the bounds are ignored.
	"eth_getLogs/filter-error-invalid-blockHash-and-range": ".error is missing",
	// Contract 2.6-error: the error of a failed call is a string.
	"eth_simulateV1/ethSimulate-eth-send-should-not-produce-logs-on-revert":        `.calls[0].error is "execution reverted`,
	"eth_simulateV1/ethSimulate-eth-send-should-produce-no-logs-on-forward-revert": `.calls[0].error is "execution reverted`,
	"eth_simulateV1/ethSimulate-run-out-of-gas-in-block-38015":                     `.calls[1].error is "out of gas`,
	// Contract D-fillers: the result has one block for each entry, whatever number jumps over.
	"eth_simulateV1/ethSimulate-add-more-non-defined-BlockStateCalls-than-fit-but-now-with-fit": ".result[0].calls has 1 elements, want 0",
	"eth_simulateV1/ethSimulate-blockhash-start-before-head":                                    ".result[0].calls has 2 elements, want 0",
	"eth_simulateV1/ethSimulate-fee-recipient-receiving-funds":                                  `.result[0].baseFeePerGas is "0xa"`,
	"eth_simulateV1/ethSimulate-use-as-many-features-as-possible":                               `.result[0].baseFeePerGas is "0x3ef"`,
	// Contract D-unfunded, D-validation: without validation no balance is enforced, with it nonces and balances are, and
	// no base fee is asked for.
	"eth_simulateV1/ethSimulate-blobs":                                          `.result[1].baseFeePerGas is "0x0", want "0xe"`,
	"eth_simulateV1/ethSimulate-check-invalid-nonce":                            ".error.code is -38010, want -38012",
	"eth_simulateV1/ethSimulate-gas-fees-and-value-error-38014":                 ".error is missing",
	"eth_simulateV1/ethSimulate-simple-no-funds-with-validation":                ".error.code is -38014, want -38012",
	"eth_simulateV1/ethSimulate-simple-no-funds-with-validation-without-nonces": ".error.code is -38014, want -38012",
	"eth_simulateV1/ethSimulate-simple-send-from-contract-no-balance":           ".error is missing",
	"eth_simulateV1/ethSimulate-simple-send-from-contract-with-validation":      ".error is missing",
}

// consequences are recordings of methods the contract does not describe, which the contract's profile answers by the
// rules of those it does: a revert is -32000, an unknown block -32001 (docs/maintainers/conformance.md).
// TestContractRulesElsewhere shows them.
var consequences = map[string]string{
	"debug_traceBlockByHash/trace-block-not-found":              ".error.code is -32001, want -32000",
	"eth_estimateGas/estimate-call-abi-error":                   ".error.code is -32000, want 3",
	"eth_estimateGas/estimate-failed-call":                      ".error.code is -32000, want 3",
	"eth_simulateV1/ethSimulate-empty-with-block-num-set-plus1": ".error.code is -32001, want -32000",
	"eth_simulateV1/ethSimulate-make-call-with-future-block":    ".error.code is -32001, want -32000",
}

// additions are recordings of receipts: under the contract's profile they have the block's timestamp, as those of L2
// nodes do (docs/maintainers/conformance.md).
var additions = map[string]string{
	"eth_getBlockReceipts/get-block-receipts-by-hash": ".result[0].blockTimestamp is too much",
	"eth_getBlockReceipts/get-block-receipts-n":       ".result[0].blockTimestamp is too much",
	"eth_getTransactionReceipt/get-access-list":       ".result.blockTimestamp is too much",
	"eth_getTransactionReceipt/get-blob-tx":           ".result.blockTimestamp is too much",
	"eth_getTransactionReceipt/get-legacy-contract":   ".result.blockTimestamp is too much",
	"eth_getTransactionReceipt/get-legacy-receipt":    ".result.blockTimestamp is too much",
}

// outdated are the recordings of an earlier go-ethereum that 1.17.10 answers otherwise: it does not count the logs of
// frames that fail (docs/maintainers/conformance.md).
var outdated = map[string]string{
	"eth_simulateV1/ethSimulate-use-as-many-features-as-possible": `.result[9].calls[6].logs[0].logIndex is "0x0", want "0x6"`,
}

// Ensure the node answers the official tests as go-ethereum does, simulated state roots included.
func TestExecutionAPIs(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	directory := executionAPIs(t)
	failed := replay(t, directory, officialNode(t, directory, fakenode.Geth), outdated, false)
	require.Subset(t, slices.Collect(maps.Keys(outdated)), failed)
}

// Ensure that under the contract's own profile only what the contract contradicts differs from the official tests.
func TestExecutionAPIsUnderContract(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	directory := executionAPIs(t)
	expected := maps.Clone(contradictions)
	maps.Copy(expected, consequences)
	maps.Copy(expected, additions)
	maps.DeleteFunc(expected, func(name, _ string) bool {
		_, err := os.Stat(filepath.Join(directory, name+".io"))
		return err != nil
	})
	failed := replay(t, directory, officialNode(t, directory, fakenode.Spec), expected, true)
	require.ElementsMatch(t, slices.Collect(maps.Keys(expected)), failed)
}

// executionAPIs is the directory of the official tests. Without it the test is skipped, unless FAKENODE_CONFORMANCE
// names a directory that is not there: what was asked for must run.
func executionAPIs(t *testing.T) string {
	t.Helper()
	conformance := cmp.Or(os.Getenv("FAKENODE_CONFORMANCE"), filepath.FromSlash("../shared/conformance"))
	if !filepath.IsAbs(conformance) {
		conformance = filepath.Join("..", conformance) // relative to the project, the test runs one below
	}
	if os.Getenv("FAKENODE_CONFORMANCE") != "" {
		require.DirExists(t, conformance, "FAKENODE_CONFORMANCE")
	}
	directory := filepath.Join(conformance, "execution-apis")
	if _, err := os.Stat(filepath.Join(directory, "chain.rlp")); err != nil {
		t.Skipf("no official tests: FAKENODE_CONFORMANCE must name a directory with execution-apis in it: %v", err)
	}
	return directory
}

// officialNode is a node with the official genesis and chain.
func officialNode(t *testing.T, directory string, profile fakenode.Profile) *fakenode.Node {
	t.Helper()
	genesis := new(fakenode.Genesis)
	raw, err := os.ReadFile(filepath.Join(directory, "genesis.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, genesis))
	chain, err := os.Open(filepath.Join(directory, "chain.rlp"))
	require.NoError(t, err)
	defer chain.Close()
	return fakenode.RunConfigT(t, fakenode.Config{
		Genesis: genesis, Import: chain, Compat: profile, Lags: fakenode.Lags{SafeLag: new(uint64), FinalizedLag: new(uint64)},
	})
}

// replay sends every recorded request over HTTP to one node, in path order, and returns the recordings whose answers
// differ. Differences that are not expected fail their subtest. It logs the counts per method.
func replay(t *testing.T, directory string, node *fakenode.Node, expected map[string]string, withoutRoots bool) []string {
	t.Helper()
	recordings, err := readRecordings(directory)
	require.NoError(t, err)
	require.NotEmpty(t, recordings)
	var failed []string
	total, passed := map[string]int{}, map[string]int{}
	for _, r := range recordings {
		total[r.method]++
		t.Run(r.name, func(t *testing.T) {
			difference := r.play(t, node.URL(), withoutRoots)
			if difference == "" {
				passed[r.method]++
				return
			}
			failed = append(failed, r.name)
			if known, ok := expected[r.name]; !ok || !strings.Contains(difference, known) {
				t.Error(difference)
			}
		})
	}
	sum := 0
	for _, method := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%-42s %3d of %3d", method, passed[method], total[method])
		sum += passed[method]
	}
	t.Logf("%-42s %3d of %3d", "all", sum, len(recordings))
	return failed
}

// play sends the requests of a recording, and describes where the first answer differs from what was recorded.
func (r recording) play(t *testing.T, url string, withoutRoots bool) string {
	t.Helper()
	for _, exchange := range r.exchanges {
		answer, err := http.Post(url, "application/json", bytes.NewReader(exchange.request))
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		difference, err := r.judge(body, exchange.answer, withoutRoots)
		require.NoError(t, err)
		if difference != "" {
			return difference
		}
	}
	return ""
}
