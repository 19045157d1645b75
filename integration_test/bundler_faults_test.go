package integration_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// faultCourses are the answers that viem's bundler client gets with each fault of the bundler. Hashes and numbers of
// blocks are "…".
var faultCourses = map[string]string{
	"never": `{"first": "pool: it is held on command, until released: never", "second": null, "other": true, "armed": 0, "released": [true, true]}`,
	"late": `{"other": true, "waiting": "pool: it is held on command, until block …: late", "second": null, "due": true,
		"place": "preconfirmed: late"}`,
	"lateByTime": `{"waiting": null, "due": true}`,
	"revert": `{"status": "reverted", "success": null, "known": null, "nonce": true, "again": true,
		"place": "dropped: its bundle reverted, because another operation in it failed its validation: revert"}`,
	"replace": `{"success": true, "another": true, "first": {"where": "dropped", "reason": "replaced by …"}, "place": "sealed: replace"}`,
	"twice":   `{"success": true, "in": true, "statuses": ["success", "reverted"], "place": "sealed: twice"}`,
	"forget":  `{"known": null, "place": "dropped: the bundler has forgotten it: forget"}`,
	"lie": `{"told": true, "logs": true, "bundle": null, "known": true, "taken": null, "nonce": true,
		"place": "dropped: it was never sent: the bundler lies about it until block …: lie",
		"after": "dropped: it was never sent: the bundler lied about it: lie"}`,
	"underestimate": `{"success": false, "place": "sealed", "verification": "AA23 reverted (look at validateUserOp of the account, or raise verificationGasLimit)"}`,
	"cheaper": `{"known": "user operation … is already known", "first": null, "second": true,
		"low": "user operation … does not replace …, which has the same sender and nonce: its maxFeePerGas and maxPriorityFeePerGas are 4400000000 and 1099999999, want at least 4400000000 and 1100000000, 10 % more"}`,
}

// Ensure every fault of the bundler strikes the operations it is for and no others, whatever their EntryPoint, as
// viem's client sees it; and that an operation replaces another one only for higher fees.
func TestBundlerFaults(t *testing.T) {
	t.Parallel()
	results := runScript[struct {
		Results map[string]map[string]json.RawMessage
	}](t, fakenode.RunT(t), "bundler_faults.mjs").Results
	require.Len(t, results, 4)
	varying := regexp.MustCompile(`0x[0-9a-f]{64}|block \d+`)
	for version, got := range results {
		require.Len(t, got, len(faultCourses))
		for name, want := range faultCourses {
			is := varying.ReplaceAllStringFunc(string(got[name]), func(found string) string {
				if found[0] == 'b' {
					return "block …"
				}
				return "…"
			})
			require.JSONEq(t, want, is, version+", "+name)
		}
	}
}
