package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
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
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// course makes random calls of a node that is stopped and started again now and then, and of one beside it that never
// is. It is the same whenever it has the same seed and steps.
type course struct {
	*testing.T
	seed      uint64
	args      []string
	state     string
	kept      *killable // from state
	other     *killable // never stopped; nil: the course has one node
	networks  []*courseNetwork
	methods   []string // of this course besides the ones it calls often
	scenarios []string
	calls     []string       // so far
	touched   *courseNetwork // by the last step; nil: all
	stalled   func() time.Duration
	heard     hash.Hash // of all answers of the leading node
}

// courseNetwork is a network that both nodes have, and the values for parameters of calls to it.
type courseNetwork struct {
	path      string
	chainID   hexutil.Uint64
	time      uint64              // of the head
	numbers   []any               // of the newest blocks, newest first
	blocks    []any               // hashes of the newest blocks and orphans
	hashes    []any               // of transactions
	batches   []any               // ids of batches
	snapshots [][]json.RawMessage // ids at the kept node and at the other
	fixed     bool                // the values name one block and what is in it, whatever comes after it
}

// drawing draws the parameters of one call.
type drawing struct {
	*rand.Rand
	course *course
	on     *courseNetwork
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

// newCourse starts one node or two.
func newCourse(t *testing.T, seed uint64, nodes int, args ...string) *course {
	c := &course{T: t, seed: seed, state: filepath.Join(t.TempDir(), "state.db"), args: append(args, "--seal", "manual", "--start-time", "1800000000"), stalled: watchStalls(t), heard: sha256.New()}
	if c.kept = c.start("--state", c.state); nodes == 2 {
		c.other = c.start()
	}
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

// nodes returns the nodes of the course, the one that is stopped now and then first.
func (c *course) nodes() []*killable {
	if c.other == nil {
		return []*killable{c.kept}
	}
	return []*killable{c.kept, c.other}
}

// lead returns the node from which values are learned.
func (c *course) lead() *killable { return c.nodes()[len(c.nodes())-1] }

func (c *course) start(more ...string) *killable {
	return startProcess(c.T, slices.Concat(c.args, more)...)
}

// add adds the networks of a world; "" is the node's own.
func (c *course) add(world string) {
	for _, path := range []string{"", "/testnet", "/l1"} {
		if path == "/l1" && !slices.Contains(c.args, "--l1") {
			continue
		}
		on := &courseNetwork{path: world + path}
		c.ask(on, &on.chainID, "eth_chainId")
		c.networks = append(c.networks, on)
	}
}

// close ends the nodes.
func (c *course) close() {
	for _, node := range c.nodes() {
		_ = node.command.Process.Kill()
		_ = node.command.Wait()
	}
}

var (
	// differing matches values that may differ between two nodes: their port, the time by the wall clock when a world was
	// made, and the id of a run.
	differing = regexp.MustCompile(`(127\.0\.0\.1:|"createdMs":|"instanceId":)("0x[0-9a-f]+"|\d+)`)
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

// both sends calls to the nodes. The error is the shortest answer that differs.
func (c *course) both(on *courseNetwork, calls []map[string]any) (answers []json.RawMessage, err error) {
	const most = 500
	var shortest *differs
	for part := range slices.Chunk(calls, most) {
		kept, err := post(c.kept, on.path, part)
		if err != nil {
			return nil, err
		}
		answers = append(answers, kept...)
		if c.other == nil {
			continue
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
	}
	if shortest != nil {
		return nil, shortest
	}
	c.hear(answers)
	return answers, nil
}

// hear adds answers to those that were heard.
func (c *course) hear(answers []json.RawMessage) {
	for _, answer := range answers {
		c.heard.Write(answer)
	}
}

// call makes one call of the nodes.
func (c *course) call(on *courseNetwork, method string, params []any) (json.RawMessage, error) {
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

// question is a call of a node, and where its result goes.
type question struct {
	into   any
	method string
	params []any
}

func ask(into any, method string, params ...any) question {
	if params == nil {
		params = []any{}
	}
	return question{into, method, params}
}

// ask asks the leading node.
func (c *course) ask(on *courseNetwork, into any, method string, params ...any) {
	c.askAll(on, []question{ask(into, method, params...)})
}

// askAll asks the leading node in one batch.
func (c *course) askAll(on *courseNetwork, questions []question) {
	calls := make([]map[string]any, len(questions))
	for i, q := range questions {
		calls[i] = rpcCall(q.method, q.params)
	}
	for part := range slices.Chunk(calls, 100) {
		answers, err := post(c.lead(), on.path, part)
		require.NoError(c, err)
		c.hear(answers)
		for i, text := range answers {
			answer := struct{ Result any }{questions[i].into}
			require.NoError(c, json.Unmarshal(text, &answer))
		}
		questions = questions[len(part):]
	}
}

// look notes the values for parameters of calls to a network, as the leading node has them.
func (c *course) look(on *courseNetwork) {
	type block struct {
		Number, Timestamp hexutil.Uint64
		Hash              *common.Hash
		Transactions      []common.Hash
	}
	var head block
	c.ask(on, &head, "eth_getBlockByNumber", "latest", false)
	on.time = uint64(head.Timestamp)
	on.numbers, on.blocks = nil, nil
	newest := make([]block, min(uint64(head.Number), 3)+1)
	var orphans []struct{ Hash common.Hash }
	questions := []question{ask(&orphans, "fakenode_orphans")}
	for i := range newest {
		questions = append(questions, ask(&newest[i], "eth_getBlockByNumber", head.Number-hexutil.Uint64(i), false))
	}
	c.askAll(on, questions)
	for i, b := range newest {
		on.numbers, on.blocks = append(on.numbers, head.Number-hexutil.Uint64(i)), append(on.blocks, b.Hash)
		for _, hash := range b.Transactions {
			on.sent(hash)
		}
	}
	for _, orphan := range orphans[:min(len(orphans), 3)] {
		on.blocks = append(on.blocks, orphan.Hash)
	}
}

// sent notes a transaction.
func (n *courseNetwork) sent(hash common.Hash) {
	const most = 12
	if !slices.Contains(n.hashes, any(hash)) {
		n.hashes = append(n.hashes, hash)
	}
	n.hashes = n.hashes[max(0, len(n.hashes)-most):]
}

// combined returns every combination of values of the kinds.
func (c *course) combined(kinds []string, on *courseNetwork) [][]any {
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
func (c *course) step(i int) error {
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
	c.touched = on
	c.look(on)
	methods := often
	if r.IntN(2) == 0 {
		methods = c.methods
	}
	method := methods[r.IntN(len(methods))]
	return c.command(on, method, commands[method](&drawing{r, c, on}))
}

// command makes one call that may change the nodes, and learns from its answer.
func (c *course) command(on *courseNetwork, method string, params []any) error {
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
		c.networks = slices.DeleteFunc(c.networks, func(n *courseNetwork) bool { return n.path == closed || strings.HasPrefix(n.path, closed+"/") })
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

// snapshot takes a snapshot of the nodes, whose ids may differ.
func (c *course) snapshot(on *courseNetwork, method string) error {
	c.calls = append(c.calls, on.path+" "+method)
	var ids []json.RawMessage
	for _, node := range c.nodes() {
		answers, err := post(node, on.path, []map[string]any{rpcCall(method, []any{})})
		if err != nil {
			return err
		}
		var answer struct{ Result json.RawMessage }
		require.NoError(c, json.Unmarshal(answers[0], &answer))
		ids = append(ids, answer.Result)
	}
	on.snapshots = append(on.snapshots, ids)
	return nil
}

// revert reverts the nodes to a snapshot since the start of the kept one.
func (c *course) revert(on *courseNetwork, method string, params []any) error {
	at, err := strconv.Atoi(fmt.Sprint(params[0])) // in a written line it is a number of JSON
	require.NoError(c, err)
	if at >= len(on.snapshots) {
		return nil
	}
	c.calls = append(c.calls, fmt.Sprintf("%s %s %v", on.path, method, params))
	var results [][]json.RawMessage
	for i, node := range c.nodes() {
		answers, err := post(node, on.path, []map[string]any{rpcCall(method, append([]any{on.snapshots[at][i]}, params[1:]...))})
		if err != nil {
			return err
		}
		results = append(results, answers)
	}
	if is, other := results[0][0], results[len(results)-1][0]; bytes.Contains(is, []byte(`"error"`)) != bytes.Contains(other, []byte(`"error"`)) {
		return fmt.Errorf("%s %s: %s, and %s at the other", on.path, method, is, other)
	}
	return nil
}

// restart stops the kept node and starts it again, and compares it with the other node.
func (c *course) restart(by syscall.Signal) error {
	c.touched = nil
	c.calls = append(c.calls, map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", syscall.SIGKILL: "SIGKILL"}[by])
	if by == syscall.SIGKILL {
		time.Sleep(durable + 2*c.stalled())
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
	if c.other == nil {
		return nil
	}
	return c.compare()
}

// write carries out a line: a network's path, a method and its parameters, or a signal.
func (c *course) write(line string) error {
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
	return c.command(c.networks[slices.IndexFunc(c.networks, func(n *courseNetwork) bool { return n.path == path })], method, params)
}

// player plays the steps of a seed that have these numbers. It returns the calls that it made; the error is the first
// that is not as it should be.
type player func(seed uint64, steps []int) (calls []string, err error)

// shortest shortens steps that show an error, as far as they still show one, for at most a minute.
func (play player) shortest(seed uint64, steps []int) (calls []string, err error) {
	calls, err = play(seed, steps)
	end := time.Now().Add(time.Minute)
	for size := (len(steps) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(steps) && time.Now().Before(end); {
			fewer := slices.Delete(slices.Clone(steps), at, min(at+size, len(steps)))
			if c, e := play(seed, fewer); e != nil {
				steps, calls, err = fewer, c, e
			} else {
				at += size
			}
		}
	}
	return calls, err
}

// try plays courses. The variables <name>S, <name>_SEED and <name>_STEPS are how many seeds are tried, which is the
// first, and of how many steps each course is.
func (play player) try(t *testing.T, name string) {
	seeds, first := number(name+"S", 1), number(name+"_SEED", 1)
	steps := make([]int, number(name+"_STEPS", laboratory.Budget(t, 12, 40)))
	for i := range steps {
		steps[i] = i
	}
	for seed := first; seed < first+seeds; seed++ {
		if _, err := play(uint64(seed), steps); err != nil {
			calls, shorter := play.shortest(uint64(seed), steps)
			t.Fatalf("seed %d: %v\nthe shortest calls found that show an error:\n%s\n%v", seed, err, strings.Join(calls, "\n"), shorter)
		}
	}
}

// number returns the number in a variable, or preset.
func number(variable string, preset int) int {
	if given, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return given
	}
	return preset
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

// dump returns the accounts of the network as the leading node has them.
func (d *drawing) dump() any {
	var dump hexutil.Bytes
	d.course.ask(d.on, &dump, "anvil_dumpState")
	return dump
}
