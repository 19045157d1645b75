package userop_test

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure no method of operations allocates more than its limit (docs/maintainers/bounds.md), garbage included, whether
// the sender's validation or its execution calls itself as deep as its gas allows, again and again. The test counts all
// memory that is allocated, so it does not run in parallel with others.
func TestCostlyOperations(t *testing.T) {
	versions := laboratory.Budget(t, []string{"0.6", "0.9"}, []string{"0.6", "0.7", "0.8", "0.9"})
	for _, work := range []struct{ name, code, failure string }{
		{"validation", "0x5b5f5f5f5f5f305af1505f56", "AA23 reverted"},
		// Calls itself unless it is called with more than 31 bytes, as for the validation; then it accepts.
		{"execution", "0x36602011600e575f5f5260205ff35b5f5f5f5f5f305af150600e56", "execution reverted: out of gas"},
	} {
		for _, version := range versions {
			r := newRuled(t, version, fakenode.Config{TxGasLimit: math.MaxUint64, Limits: fakenode.Limits{CallTimeout: time.Hour}})
			sender := r.fresh()
			r.SetCode(sender, common.FromHex(work.code))
			op := parts{sender: sender}.fields(version)
			op["callData"], op["callGasLimit"], op["verificationGasLimit"] = "0x01", "0xb71b00", "0xb71b00" // 12,000,000
			before := allocated()
			err := r.client.CallContext(t.Context(), nil, "eth_estimateUserOperationGas", op, r.entryPoint)
			cost := allocated() - before
			t.Logf("%s, EntryPoint %s: the estimate allocates %d bytes: %v", work.name, version, cost, err)
			require.ErrorContains(t, err, work.failure)
			require.Less(t, cost, uint64(maxCost))

			before = allocated()
			err = r.client.CallContext(t.Context(), nil, "eth_sendUserOperation", op, r.entryPoint)
			r.Seal()
			cost = allocated() - before
			t.Logf("%s, EntryPoint %s: sending and mining it allocates %d bytes: %v", work.name, version, cost, err)
			if work.name == "validation" {
				require.ErrorContains(t, err, work.failure)
			} else {
				require.NoError(t, err)
			}
			require.Less(t, cost, uint64(maxCost))
		}
	}
}

// maxCost is the memory, in bytes, that a request may allocate, the garbage included.
const maxCost = 512 << 20

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}
