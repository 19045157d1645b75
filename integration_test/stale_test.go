package integration_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure viem and ethers meet at a node that is behind what users of providers report. Each line is the situation of a
// thread, and what the client makes of it; what it should do otherwise is said where it should.
func TestStaleClients(t *testing.T) {
	t.Parallel()
	got := runScript[map[string]json.RawMessage](t, fakenode.RunConfigT(t, fakenode.Config{Replicas: fakenode.Replicas{Count: 2}}), "stale.mjs")
	for situation, want := range map[string]string{
		// 0xPolygon/bor#142, INFURA/infura#41: neither delivers a number below one before. Right.
		"headGoesBack": `{"viem": false, "ethers": false}`,
		// wevm/viem#1056: null is an error or null, as if it had never been there. A caller must not take it
		// for a loss.
		"receiptThenNull": `{"before": {"viem": "success", "ethers": 1}, "viem": "TransactionReceiptNotFoundError", "ethers": null}`,
		// wevm/viem#1378, wevm/wagmi#3151: who waits rides it out. Right.
		"waitedForReceipt": `"success"`,
		// ethereum/go-ethereum#24078, ponder-sh/ponder#2221, ethereum-optimism/op-geth#667: up to the newest block there
		// is nothing, and no error. An indexer must ask by number or by hash, which are errors. So is a call at the
		// number.
		"logsNotYetThere": `{"there": 1, "viem": 0, "ethers": 0, "viemByNumber": "InvalidParamsRpcError", "ethersByNumber": "UNKNOWN_ERROR",
			"viemByHash": "ResourceNotFoundRpcError", "ethersByHash": "UNKNOWN_ERROR", "block": "BlockNotFoundError", "ethersBlock": null,
			"pinned": "ResourceNotFoundRpcError"}`,
		// cowprotocol/services#64: a wallet that asks each time is refused, one that counts is not.
		"nonceFromReplica": `{"ethers": "NONCE_EXPIRED", "counting": "done", "viem": "NonceTooLowError"}`,
		// bnb-chain/bsc#1054, Fantom-foundation/Sonic#399: the block of a head just told is not there, and is there later.
		"headBeforeBlock": `"BlockNotFoundError"`,
		"headThenBlock":   `true`,
		// wevm/viem#923: not known right after it was sent; who waits rides it out. Right.
		"rightAfterSend": `{"viem": "TransactionNotFoundError", "ethers": null, "waited": ["success", 1]}`,
		// A balancer and filters: an error at each replica but one. viem makes a new filter and loses what came between;
		// whoever must lose nothing asks for logs by ranges of blocks.
		"filterElsewhere": `{"viem": "InvalidInputRpcError", "ethers": "UNKNOWN_ERROR", "watched": 1, "lost": true, "errors": ["InvalidInputRpcError"]}`,
	} {
		require.JSONEq(t, want, string(got[situation]), situation)
	}
}
