package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// restartCourse makes random calls of two nodes, one of which is stopped and started again now and then. It is the same
// whenever it has the same seed and steps.
type restartCourse struct {
	*testing.T
	seed      uint64
	args      []string
	state     string
	kept      *killable // from state
	other     *killable // never stopped
	networks  []*restartNetwork
	methods   []string // of this course besides the ones it calls often
	scenarios []string
	calls     []string // so far
	stalled   func() time.Duration
}

// restartNetwork is a network that both nodes have, and the values for parameters of calls to it.
type restartNetwork struct {
	path      string
	chainID   hexutil.Uint64
	time      uint64               // of the head
	numbers   []any                // of the newest blocks, newest first
	blocks    []any                // hashes of the newest blocks and orphans
	hashes    []any                // of transactions
	batches   []any                // ids of batches
	snapshots [][2]json.RawMessage // ids at the kept node and at the other
}

// drawing draws the parameters of one call.
type drawing struct {
	*rand.Rand
	course *restartCourse
	on     *restartNetwork
}

func (d *drawing) coin() bool                { return d.IntN(2) == 0 }
func (d *drawing) of(words ...string) string { return words[d.IntN(len(words))] }
func (d *drawing) dev() common.Address       { return fixtures.Dev(d.IntN(3)).Address }
func (d *drawing) account() common.Address {
	return []common.Address{d.dev(), whale, emitter}[d.IntN(3)]
}
func (d *drawing) quantity(most uint64) string { return hexutil.EncodeUint64(d.Uint64N(most + 1)) }
func (d *drawing) number() any                 { return d.on.numbers[d.IntN(len(d.on.numbers))] }
func (d *drawing) hash() any {
	if len(d.on.hashes) == 0 {
		return common.Hash{1}
	}
	return d.on.hashes[d.IntN(len(d.on.hashes))]
}

// snapshot returns the snapshot to revert to.
func (d *drawing) snapshot() any { return d.IntN(max(len(d.on.snapshots), 1)) }

var (
	whale = common.Address{0: 0xaa}
	token = common.HexToAddress("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")
	// deployer makes the emitter, with its first transaction.
	deployer = fixtures.Dev(9)
	emitter  = crypto.CreateAddress(deployer.Address, 0)
)

// newRestartCourse starts two nodes.
func newRestartCourse(t *testing.T, seed uint64, args ...string) *restartCourse {
	c := &restartCourse{T: t, seed: seed, state: filepath.Join(t.TempDir(), "state.db"), args: append(args, "--seal", "manual", "--start-time", "1800000000"), stalled: watchStalls(t)}
	c.kept, c.other = c.start("--state", c.state), c.start()
	// A course that calls a few methods often finds bugs that a course with all methods misses.
	const most = 20
	c.methods = slices.Sorted(maps.Keys(commands))
	rand.New(rand.NewPCG(seed, 1<<32)).Shuffle(len(c.methods), func(i, j int) { c.methods[i], c.methods[j] = c.methods[j], c.methods[i] })
	c.methods = c.methods[:most]
	for _, s := range fakenode.Scenarios() {
		c.scenarios = append(c.scenarios, s.Name)
	}
	c.add("")
	for _, on := range c.networks {
		_, err := c.call(on, "eth_sendTransaction", []any{map[string]any{"from": deployer.Address, "data": hexutil.Encode(labcode.Deployment(labcode.Emitter()))}})
		require.NoError(c, err)
		_, err = c.call(on, "fakenode_seal", nil)
		require.NoError(c, err)
	}
	return c
}

func (c *restartCourse) start(more ...string) *killable {
	return startProcess(c.T, slices.Concat(c.args, more)...)
}

// add adds the networks of a world; "" is the node's own.
func (c *restartCourse) add(world string) {
	for _, path := range []string{"", "/testnet", "/l1"} {
		if path == "/l1" && !slices.Contains(c.args, "--l1") {
			continue
		}
		on := &restartNetwork{path: world + path}
		c.ask(on, &on.chainID, "eth_chainId")
		c.networks = append(c.networks, on)
	}
}

// close ends both nodes.
func (c *restartCourse) close() {
	for _, node := range []*killable{c.kept, c.other} {
		_ = node.command.Process.Kill()
		_ = node.command.Wait()
	}
}

var (
	// differing matches values that may differ between two nodes: their port, and the time by the wall clock when a world
	// was made.
	differing = regexp.MustCompile(`(127\.0\.0\.1:|"createdMs":)\d+`)
	anyHash   = regexp.MustCompile(`"0x[0-9a-f]{64}"`)
)

// post sends calls to a node as a batch.
func post(on *killable, path string, calls []map[string]any) (answers []json.RawMessage, err error) {
	body, err := json.Marshal(calls)
	if err != nil {
		return nil, err
	}
	answer, err := http.Post(on.url+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil {
		err = json.Unmarshal(differing.ReplaceAll(text, []byte("${1}0")), &answers)
	}
	if err == nil && len(answers) != len(calls) {
		err = fmt.Errorf("%d answers to %d calls", len(answers), len(calls))
	}
	return answers, err
}

// differs reports a call that two nodes answer differently.
type differs struct {
	path        string
	call        map[string]any
	kept, other json.RawMessage
}

func (d *differs) Error() string {
	params, _ := json.Marshal(d.call["params"])
	return fmt.Sprintf("%s %s %s\nkept:  %s\nother: %s", d.path, d.call["method"], params, d.kept, d.other)
}

// both sends calls to both nodes. The error is the shortest answer that differs.
func (c *restartCourse) both(on *restartNetwork, calls []map[string]any) (answers []json.RawMessage, err error) {
	const most = 500
	var shortest *differs
	for part := range slices.Chunk(calls, most) {
		kept, err := post(c.kept, on.path, part)
		if err != nil {
			return nil, err
		}
		other, err := post(c.other, on.path, part)
		if err != nil {
			return nil, err
		}
		for i := range part {
			if !bytes.Equal(kept[i], other[i]) && (shortest == nil || len(kept[i]) < len(shortest.kept)) {
				shortest = &differs{on.path, part[i], kept[i], other[i]}
			}
		}
		answers = append(answers, other...)
	}
	if shortest != nil {
		return nil, shortest
	}
	return answers, nil
}

// call makes one call of both nodes.
func (c *restartCourse) call(on *restartNetwork, method string, params []any) (json.RawMessage, error) {
	if params == nil {
		params = []any{}
	}
	text, err := json.Marshal(params)
	require.NoError(c, err)
	c.calls = append(c.calls, fmt.Sprintf("%s %s %s", on.path, method, text))
	answers, err := c.both(on, []map[string]any{rpcCall(method, params)})
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

func rpcCall(method string, params []any) map[string]any {
	return map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
}

// ask asks the node that is never stopped.
func (c *restartCourse) ask(on *restartNetwork, result any, method string, params ...any) {
	if params == nil {
		params = []any{}
	}
	answers, err := post(c.other, on.path, []map[string]any{rpcCall(method, params)})
	require.NoError(c, err)
	answer := struct{ Result any }{result}
	require.NoError(c, json.Unmarshal(answers[0], &answer))
}

// look notes the values for parameters of calls to a network, as the node that never stops has them.
func (c *restartCourse) look(on *restartNetwork) {
	type block struct {
		Number, Timestamp hexutil.Uint64
		Hash              *common.Hash
		Transactions      []common.Hash
	}
	var head block
	c.ask(on, &head, "eth_getBlockByNumber", "latest", false)
	on.time = uint64(head.Timestamp)
	on.numbers, on.blocks = nil, nil
	for n := int(head.Number); n >= max(0, int(head.Number)-3); n-- {
		var b block
		c.ask(on, &b, "eth_getBlockByNumber", hexutil.Uint64(n), false)
		on.numbers, on.blocks = append(on.numbers, hexutil.Uint64(n)), append(on.blocks, b.Hash)
		for _, hash := range b.Transactions {
			on.sent(hash)
		}
	}
	var orphans []struct{ Hash common.Hash }
	c.ask(on, &orphans, "fakenode_orphans")
	for _, orphan := range orphans[:min(len(orphans), 3)] {
		on.blocks = append(on.blocks, orphan.Hash)
	}
}

// sent notes a transaction.
func (n *restartNetwork) sent(hash common.Hash) {
	const most = 12
	if !slices.Contains(n.hashes, any(hash)) {
		n.hashes = append(n.hashes, hash)
	}
	n.hashes = n.hashes[max(0, len(n.hashes)-most):]
}

// compare asks both nodes all there is to ask. The error is the first answer that differs.
func (c *restartCourse) compare() error {
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

// combined returns every combination of values of the kinds.
func (c *restartCourse) combined(kinds []string, on *restartNetwork) [][]any {
	rows := [][]any{{}}
	for _, kind := range kinds {
		var longer [][]any
		for _, row := range rows {
			for _, value := range c.values(kind, on) {
				longer = append(longer, append(slices.Clip(row), value))
			}
		}
		rows = longer
	}
	return rows
}

// step makes a random call, or stops a node and starts it again.
func (c *restartCourse) step(i int) error {
	r := rand.New(rand.NewPCG(c.seed, uint64(i)))
	switch n := r.IntN(100); {
	case n < 8:
		return c.restart(syscall.SIGTERM)
	case n < 10:
		return c.restart(syscall.SIGKILL)
	}
	on := c.networks[r.IntN(len(c.networks))]
	if r.IntN(2) == 0 {
		on = c.networks[0]
	}
	c.look(on)
	methods := often
	if r.IntN(2) == 0 {
		methods = c.methods
	}
	method := methods[r.IntN(len(methods))]
	return c.command(on, method, commands[method](&drawing{r, c, on}))
}

// command makes one call that may change the nodes, and learns from its answer.
func (c *restartCourse) command(on *restartNetwork, method string, params []any) error {
	switch {
	case strings.HasSuffix(method, "napshot"):
		return c.snapshot(on, method)
	case strings.HasSuffix(method, "evert"):
		return c.revert(on, method, params)
	}
	answer, err := c.call(on, method, params)
	if err != nil {
		return err
	}
	var result struct{ Result json.RawMessage }
	require.NoError(c, json.Unmarshal(answer, &result))
	switch {
	case method == "fakenode_newWorld" && result.Result != nil:
		c.add("/w/" + params[0].(map[string]any)["name"].(string))
	case method == "fakenode_closeWorld" && result.Result != nil:
		closed := "/w/" + params[0].(string)
		c.networks = slices.DeleteFunc(c.networks, func(n *restartNetwork) bool { return n.path == closed || strings.HasPrefix(n.path, closed+"/") })
	case method == "wallet_sendCalls":
		var batch struct{ ID string }
		if json.Unmarshal(result.Result, &batch) == nil && batch.ID != "" {
			on.batches = append(on.batches, batch.ID)
		}
	default:
		for _, hash := range anyHash.FindAllString(string(result.Result), 4) {
			on.sent(common.HexToHash(strings.Trim(hash, `"`)))
		}
	}
	return nil
}

// snapshot takes a snapshot of both nodes, whose ids may differ.
func (c *restartCourse) snapshot(on *restartNetwork, method string) error {
	c.calls = append(c.calls, on.path+" "+method)
	var ids [2]json.RawMessage
	for i, node := range []*killable{c.kept, c.other} {
		answers, err := post(node, on.path, []map[string]any{rpcCall(method, []any{})})
		if err != nil {
			return err
		}
		var answer struct{ Result json.RawMessage }
		require.NoError(c, json.Unmarshal(answers[0], &answer))
		ids[i] = answer.Result
	}
	on.snapshots = append(on.snapshots, ids)
	return nil
}

// revert reverts both nodes to a snapshot since the start of the kept one.
func (c *restartCourse) revert(on *restartNetwork, method string, params []any) error {
	at, err := strconv.Atoi(fmt.Sprint(params[0])) // in a written line it is a number of JSON
	require.NoError(c, err)
	if at >= len(on.snapshots) {
		return nil
	}
	c.calls = append(c.calls, fmt.Sprintf("%s %s %v", on.path, method, params))
	var results [2][]json.RawMessage
	for i, node := range []*killable{c.kept, c.other} {
		answers, err := post(node, on.path, []map[string]any{rpcCall(method, append([]any{on.snapshots[at][i]}, params[1:]...))})
		if err != nil {
			return err
		}
		results[i] = answers
	}
	if is, other := results[0][0], results[1][0]; bytes.Contains(is, []byte(`"error"`)) != bytes.Contains(other, []byte(`"error"`)) {
		return fmt.Errorf("%s %s: %s, and %s at the other", on.path, method, is, other)
	}
	return nil
}

// restart stops the kept node and starts it again, and compares it with the other.
func (c *restartCourse) restart(by syscall.Signal) error {
	c.calls = append(c.calls, map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", syscall.SIGKILL: "SIGKILL"}[by])
	if by == syscall.SIGKILL {
		time.Sleep(3*durable + 2*c.stalled())
	}
	if err := c.kept.command.Process.Signal(by); err != nil {
		return err
	}
	if err := c.kept.command.Wait(); err != nil && by == syscall.SIGTERM {
		return err
	}
	for _, on := range c.networks {
		on.snapshots = nil
	}
	c.kept = c.start("--state", c.state)
	return c.compare()
}

// playRestarts plays the steps of a seed with these numbers. It returns the calls that it made; the error is the first
// difference.
func playRestarts(t *testing.T, seed uint64, steps []int, args ...string) (calls []string, err error) {
	c := newRestartCourse(t, seed, args...)
	defer c.close()
	for _, i := range steps {
		if err := c.step(i); err != nil {
			return c.calls, err
		}
	}
	err = c.restart(syscall.SIGTERM)
	return c.calls, err
}

// Ensure a node that is stopped and started again answers as one that never was, after calls that need more of it kept
// than most. Each list ends with a restart and a comparison; calls of other networks than the main one begin with a
// path.
func TestRestartsOf(t *testing.T) {
	if raceDetector {
		t.Skip("one client asks programs of their own, one call at a time: the race detector would only make it slow")
	}
	t.Parallel()
	const (
		ofDev, ofFlashblocks, ofL1, ofFlashblocksOnL1 = "--preset dev", "--preset base-flashblocks", "--preset base --l1", "--preset base-flashblocks --l1"
	)
	for _, tt := range []struct{ name, args, calls string }{
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
		{"it was killed", ofFlashblocks, `
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			fakenode_preconfirm []
			eth_sendTransaction [{"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "to": "0xbb00000000000000000000000000000000000000"}]
			SIGKILL
			fakenode_seal []`},
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
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newRestartCourse(t, 0, strings.Fields(tt.args)...)
			defer c.close()
			for line := range strings.Lines(tt.calls + "\nSIGTERM") {
				if line = strings.TrimSpace(line); line != "" {
					require.NoError(t, c.write(line))
				}
			}
		})
	}
}

// write carries out a line: a network's path, a method and its parameters, or a signal.
func (c *restartCourse) write(line string) error {
	switch line {
	case "SIGTERM":
		return c.restart(syscall.SIGTERM)
	case "SIGKILL":
		return c.restart(syscall.SIGKILL)
	}
	path, rest, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(path, "/") {
		path, rest = "", line
	}
	method, text, _ := strings.Cut(rest, " ")
	var params []any
	require.NoError(c, json.Unmarshal([]byte(text), &params))
	return c.command(c.networks[slices.IndexFunc(c.networks, func(n *restartNetwork) bool { return n.path == path })], method, params)
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
				t.Errorf("%s is in none of asked, commands and leftAlone of restart_calls_test.go", found[1])
			}
		}
	}
}

// shortest shortens steps that show a difference, as far as they still show one, for at most a minute.
func shortest(t *testing.T, seed uint64, steps []int, args ...string) (calls []string, err error) {
	calls, err = playRestarts(t, seed, steps, args...)
	end := time.Now().Add(time.Minute)
	for size := (len(steps) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(steps) && time.Now().Before(end); {
			fewer := slices.Delete(slices.Clone(steps), at, min(at+size, len(steps)))
			if c, e := playRestarts(t, seed, fewer, args...); e != nil {
				steps, calls, err = fewer, c, e
			} else {
				at += size
			}
		}
	}
	return calls, err
}

// Ensure a node that is stopped and started again answers as one that never was, after random calls of the methods that
// change a node. The clock is manual, so no answer depends on wall time. FAKENODE_RESTARTS describes how many seeds are
// tried, and FAKENODE_RESTART_SEED which is the first.
func TestRestarts(t *testing.T) {
	if raceDetector {
		t.Skip("one client asks programs of their own, one call at a time: the race detector would only make it slow")
	}
	t.Parallel()
	seeds, first, length := 1, 1, 40
	if testing.Short() {
		length = 15
	}
	if given, err := strconv.Atoi(os.Getenv("FAKENODE_RESTARTS")); err == nil {
		seeds = given
	}
	if given, err := strconv.Atoi(os.Getenv("FAKENODE_RESTART_SEED")); err == nil {
		first = given
	}
	for _, args := range [][]string{
		{"--preset", "dev"}, {"--preset", "base-flashblocks"}, {"--preset", "base", "--l1"}, {"--preset", "base-flashblocks", "--l1"},
	} {
		t.Run(strings.Join(args[1:], " "), func(t *testing.T) {
			t.Parallel()
			for seed := first; seed < first+seeds; seed++ {
				steps := make([]int, length)
				for i := range steps {
					steps[i] = i
				}
				if _, err := playRestarts(t, uint64(seed), steps, args...); err != nil {
					calls, shorter := shortest(t, uint64(seed), steps, args...)
					t.Fatalf("seed %d: %v\nthe shortest calls found that show a difference:\n%s\n%v", seed, err, strings.Join(calls, "\n"), shorter)
				}
			}
		})
	}
}

// raw returns a signed transfer or call.
func (d *drawing) raw() hexutil.Bytes {
	from := fixtures.Dev(d.IntN(3))
	var nonce hexutil.Uint64
	d.course.ask(d.on, &nonce, "eth_getTransactionCount", from.Address, "pending")
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(uint64(d.on.chainID))), &types.LegacyTx{
		Nonce: uint64(nonce) + d.Uint64N(2), GasPrice: big.NewInt(1e9 + d.Int64N(1e10)), Gas: 100_000, To: &emitter, Data: logged(d.IntN(4)),
	})
	require.NoError(d.course, err)
	raw, err := tx.MarshalBinary()
	require.NoError(d.course, err)
	d.on.sent(tx.Hash())
	return raw
}

// transaction returns an object for eth_sendTransaction.
func (d *drawing) transaction() any {
	tx := map[string]any{"from": d.account(), "to": d.account(), "gas": "0x186a0"}
	if d.coin() {
		tx["to"], tx["data"] = emitter, logged(d.IntN(4))
	}
	if d.IntN(4) == 0 {
		tx["value"] = d.quantity(9)
	}
	if d.IntN(6) == 0 {
		tx["to"], tx["data"] = common.Address{0: 0xcc, 19: byte(d.IntN(4))}, hexutil.Bytes{1} // without code
	}
	return tx
}

// dump returns the accounts of the network as the node that is never stopped has them.
func (d *drawing) dump() any {
	var dump hexutil.Bytes
	d.course.ask(d.on, &dump, "anvil_dumpState")
	return dump
}
