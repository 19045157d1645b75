package main

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// compare asks both nodes all there is to ask. The error is the first answer that differs.
func (c *course) compare() error {
	for _, on := range c.networks {
		c.look(on)
		var calls []map[string]any
		for _, method := range slices.Sorted(maps.Keys(asked)) {
			for _, params := range c.combined(asked[method], on) {
				calls = append(calls, rpcCall(method, params))
			}
		}
		if _, err := c.both(on, calls); err != nil {
			return err
		}
	}
	return nil
}

// Ensure a node that is stopped and started again answers as one that never was, after calls that need more of it kept
// than most. Each list ends with a restart and a comparison; calls of other networks than the main one begin with a
// path.
func TestRestartsOf(t *testing.T) {
	if laboratory.Race {
		t.Skip("one client asks programs of their own, one call at a time: the race detector would only make it slow")
	}
	t.Parallel()
	const (
		ofDev, ofFlashblocks, ofL1, ofFlashblocksOnL1 = "--preset dev", "--preset base-flashblocks", "--preset base --l1", "--preset base-flashblocks --l1"
	)
	rows := []struct{ name, args, calls string }{
		{"it was killed", ofFlashblocks, `
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_preconfirm []
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			SIGKILL
			fakenode_seal []`},
		{"a stall is armed", ofFlashblocks, `
			fakenode_preconfirm []
			fakenode_flashblockFault [{"kind": "stall", "count": 1}]
			SIGTERM
			fakenode_seal []`},
		{"a flashblock was dropped", ofFlashblocks, `
			fakenode_preconfirm []
			fakenode_preconfirm []
			fakenode_flashblockFault [{"kind": "drop"}]
			fakenode_flashblockFault [{"kind": "stall", "count": 5}]
			SIGTERM
			fakenode_seal []`},
		{"a flashblock was announced", ofFlashblocks, `
			fakenode_preconfirm []
			SIGTERM
			fakenode_seal []
			fakenode_preconfirm []
			fakenode_advance [300]
			SIGTERM
			fakenode_seal []`},
		{"a block is due", ofL1, `
			fakenode_seal []
			evm_increaseTime [1]`},
		{"the L1 was rolled back", ofFlashblocksOnL1, `
			/l1 anvil_rollback [1]`},
		{"the L1 went on below a pending block", ofFlashblocksOnL1, `
			fakenode_advance [71000]
			fakenode_preconfirm []
			/l1 evm_setAutomine [true]
			/l1 fakenode_seal []`},
		{"data was sent where no code is", ofDev, `
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xcc00000000000000000000000000000000000003", "data": "0x01"}]`},
		{"L1 values come with the block after the next", ofFlashblocks, `
			fakenode_preconfirm []
			fakenode_setL1 [{"baseFee": "0x3b9aca00"}]
			fakenode_deposit [{"from": "0xaa00000000000000000000000000000000000000", "mint": "0x1"}]
			SIGTERM
			fakenode_seal [2]`},
		{"deposits were made", ofFlashblocks, `
			fakenode_deposit [{"from": "0xaa00000000000000000000000000000000000000", "mint": "0x1"}]
			SIGTERM
			fakenode_deposit [{"from": "0xaa00000000000000000000000000000000000000", "mint": "0x1"}]
			fakenode_seal []`},
		{"a reorg left finalized behind", ofDev, `
			fakenode_seal [70]
			fakenode_reorg [{"depth": 20, "length": 0}]`},
		{"a reorg lost a transaction", ofDev, `
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_seal []
			anvil_reorg [1, []]`},
		{"a revert was announced", ofDev, `
			evm_snapshot []
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_seal []
			fakenode_revert [0, true]`},
		{"everybody is impersonated", ofDev, `
			anvil_autoImpersonateAccount [true]
			SIGTERM
			anvil_setBalance ["0xaa00000000000000000000000000000000000000", "0xde0b6b3a7640000"]
			eth_sendTransaction [{"from": "0xaa00000000000000000000000000000000000000", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_seal []`},
		{"transactions wait", ofDev, `
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			SIGTERM
			eth_sendTransaction [{"from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_preconfirm []`},
		{"transactions were given back", ofDev, `
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_preconfirm []
			fakenode_flashblockFault [{"kind": "drop"}]
			fakenode_hold [{"senders": ["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]}]
			SIGTERM
			eth_sendTransaction [{"from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_preconfirm []
			fakenode_flashblockFault [{"kind": "drop"}]
			fakenode_release []
			fakenode_preconfirm []`},
		{"faults are armed", ofFlashblocks, `
			fakenode_flashblockFault [{"kind": "lateBlock", "count": 2}]
			fakenode_flashblockFault [{"kind": "omit", "count": 2, "transactions": "gone", "retract": true}]
			fakenode_flashblockFault [{"kind": "omit", "hashes": ["0xaa00000000000000000000000000000000000000000000000000000000000000"]}]
			fakenode_flashblockFault [{"kind": "alterLogs", "count": 3}]
			fakenode_flashblockFault [{"kind": "alterLogs", "hashes": ["0xaa00000000000000000000000000000000000000000000000000000000000000"]}]
			fakenode_flashblockFault [{"kind": "lag", "count": 2}]`},
		{"the next block is set", ofDev, `
			evm_setNextBlockTimestamp [1800000100]
			anvil_setNextBlockBaseFeePerGas ["0x77359400"]
			anvil_setNextBlockPrevRandao ["0xaa00000000000000000000000000000000000000000000000000000000000000"]
			SIGTERM
			fakenode_seal []`},
		{"all blocks are set", ofDev, `
			anvil_setCoinbase ["0xaa00000000000000000000000000000000000000"]
			evm_setBlockGasLimit [20000000]
			anvil_setBlockTimestampInterval [7]
			SIGTERM
			fakenode_seal []
			evm_setIntervalMining [3]
			SIGTERM
			fakenode_advance [6500]
			evm_setAutomine [true]
			SIGTERM
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]`},
		{"a batch has a name", ofDev, `
			wallet_sendCalls [{"version": "2.0.0", "chainId": "0x7a69", "from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "atomicRequired": false, "id": "batch-1", "calls": [{"to": "0xbb00000000000000000000000000000000000000"}]}]`},
		{"a branch has other blocks", ofDev, `
			fakenode_reorg [{"depth": 1}]
			SIGTERM
			fakenode_seal []
			fakenode_reorg [{"depth": 1}]`},
		{"there are worlds", ofFlashblocksOnL1, `
			fakenode_preconfirm []
			fakenode_newWorld [{"name": "a"}]
			fakenode_newWorld [{"name": "b"}]
			/w/a fakenode_seal [2]
			/w/a/l1 fakenode_seal []
			/w/a/testnet anvil_setBalance ["0xaa00000000000000000000000000000000000000", "0x1"]
			fakenode_closeWorld ["b"]
			SIGTERM
			/w/a fakenode_newWorld [{"name": "b"}]
			/w/b fakenode_weather [{"of": "baseFee", "shape": "ramp", "to": "0x3b9aca00", "blocks": 4}]
			SIGTERM
			/w/b fakenode_seal [2]`},
		{"the bundler fails", ofDev, `
			fakenode_bundlerFault [{"kind": "late", "count": 2, "blocks": 3}]
			fakenode_paymaster [{"deny": ["0xaa00000000000000000000000000000000000000"], "validFor": 9}]`},
		{"flashblocks are due", ofDev, `
			evm_setIntervalMining [2]
			fakenode_advance [700]
			SIGTERM
			fakenode_advance [900]
			evm_increaseTime [3]
			SIGTERM
			fakenode_advance [2000]`},
	}
	for _, tt := range rows[:laboratory.Budget(t, 1, len(rows))] {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCourse(t, 0, 2, strings.Fields(tt.args)...)
			defer c.close()
			for line := range strings.Lines(tt.calls + "\nSIGTERM") {
				if line = strings.TrimSpace(line); line != "" {
					require.NoError(t, c.write(line))
				}
			}
		})
	}
}

// Ensure each method of docs/rpc.md is asked, called, or left alone with a reason.
func TestRestartsKnowEveryMethod(t *testing.T) {
	t.Parallel()
	reference, err := os.ReadFile("../../docs/rpc.md")
	require.NoError(t, err)
	known := make(map[string]bool)
	for _, method := range slices.Concat(slices.Collect(maps.Keys(asked)), slices.Collect(maps.Keys(commands)), slices.Collect(maps.Keys(leftAlone))) {
		known[method] = true
	}
	named := regexp.MustCompile("`([a-z0-9]+_[A-Za-z0-9_]+)`")
	for line := range strings.Lines(string(reference)) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, found := range named.FindAllStringSubmatch(cell, -1) {
			if _, param := map[string]bool{"tx_block_pairs": true}[found[1]]; !param && !known[found[1]] {
				t.Errorf("%s is in none of asked, commands and leftAlone of course_calls_test.go", found[1])
			}
		}
	}
}

// Ensure a node that is stopped and started again answers as one that never was, after random calls of the methods that
// change a node. The clock is manual, so no answer depends on wall time. See player.try for the variables.
func TestRestarts(t *testing.T) {
	if laboratory.Race {
		t.Skip("one client asks programs of their own, one call at a time: the race detector would only make it slow")
	}
	t.Parallel()
	all := [][]string{
		{"--preset", "base-flashblocks"}, {"--preset", "dev"}, {"--preset", "megaeth"}, {"--preset", "rise"}, {"--preset", "base", "--l1"},
		{"--preset", "base-flashblocks", "--l1"},
	}
	for _, args := range all[:laboratory.Budget(t, 1, len(all))] {
		t.Run(strings.Join(args[1:], " "), func(t *testing.T) {
			t.Parallel()
			player(func(seed uint64, steps []int) (calls []string, err error) {
				c := newCourse(t, seed, 2, args...)
				defer c.close()
				for _, i := range steps {
					if err := c.step(i); err != nil {
						return c.calls, err
					}
				}
				err = c.restart(syscall.SIGTERM)
				return c.calls, err
			}).try(t, "FAKENODE_RESTART")
		})
	}
}
