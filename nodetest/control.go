package nodetest

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// Advance moves the clock by whole milliseconds and makes every flashblock and block that is due on the way.
func (n *Network) Advance(d time.Duration) Progress {
	n.t.Helper()
	var p Progress
	n.must(&p, "fakenode_advance", d.Milliseconds())
	return p
}

// Jump moves the clock by whole milliseconds and seals one block there, with no flashblock and no block on the way.
func (n *Network) Jump(d time.Duration) Progress {
	n.t.Helper()
	var p Progress
	n.must(&p, "fakenode_jump", d.Milliseconds())
	return p
}

// Preconfirm makes one flashblock of what is ready in the pool.
func (n *Network) Preconfirm() Flashblock {
	n.t.Helper()
	var f Flashblock
	n.must(&f, "fakenode_preconfirm")
	return f
}

// Seal makes one block of everything pre-confirmed and everything ready, and returns its hash.
func (n *Network) Seal() string {
	n.t.Helper()
	return n.SealBlocks(1)[0]
}

// SealBlocks makes blocks as Seal does, and returns their hashes.
func (n *Network) SealBlocks(count int) []string {
	n.t.Helper()
	var hashes []string
	n.must(&hashes, "fakenode_seal", count)
	return hashes
}

// Reorg replaces the newest blocks.
func (n *Network) Reorg(o ReorgOptions) (ReorgResult, error) {
	return call[ReorgResult](n, "fakenode_reorg", o)
}

// ReplaceProposal replaces the newest block by an empty one in silence, as on Monad. Its transactions wait for the next
// block ("requeue" or ""), or are lost ("drop").
func (n *Network) ReplaceProposal(transactions string) (ReorgResult, error) {
	return call[ReorgResult](n, "fakenode_replaceProposal", transactions)
}

// Snapshot remembers chain, pending block, pool, clock, settings, faults and filters, and returns an id for Revert.
func (n *Network) Snapshot() uint64 {
	n.t.Helper()
	var id quantity
	n.must(&id, "fakenode_snapshot")
	return uint64(id)
}

// Revert restores a snapshot, which can be used again.
func (n *Network) Revert(id uint64) error {
	return n.Call(n.t.Context(), nil, "fakenode_revert", "0x"+strconv.FormatUint(id, 16))
}

// FlashblockFault lets pre-confirmation go wrong: flashblocks lost, transactions left out, logs that change.
func (n *Network) FlashblockFault(f FlashblockFault) (FaultResult, error) {
	return call[FaultResult](n, "fakenode_flashblockFault", f)
}

// FeedFault lets the raw feed go wrong: frames lost, cut short, linked wrongly, out of order, or readers disconnected.
func (n *Network) FeedFault(f FeedFault) error {
	return n.Call(n.t.Context(), nil, "fakenode_feedFault", f)
}

// BundlerFault lets the bundler do something wrong with user operations to come.
func (n *Network) BundlerFault(f BundlerFault) error {
	return n.Call(n.t.Context(), nil, "fakenode_bundlerFault", f)
}

// Fail lets calls of a method, "*" for all but fakenode_*, or notifications, "eth_subscription", go wrong.
func (n *Network) Fail(f Fault) error { return n.Call(n.t.Context(), nil, "fakenode_setFault", f) }

// ClearFaults ends what Fail, FlashblockFault, FeedFault, BundlerFault and Hold began.
func (n *Network) ClearFaults() {
	n.t.Helper()
	n.must(nil, "fakenode_clearFaults")
}

// Faults returns the faults in force, as docs/rpc.md describes them.
func (n *Network) Faults() (json.RawMessage, error) {
	return call[json.RawMessage](n, "fakenode_faults")
}

// Disconnect cuts WebSocket connections and returns how many.
func (n *Network) Disconnect(d Disconnection) (int, error) {
	return call[int](n, "fakenode_disconnect", d)
}

// Subscriptions lists the open subscriptions.
func (n *Network) Subscriptions() ([]Subscription, error) {
	return call[[]Subscription](n, "fakenode_subscriptions")
}

// Hold keeps transactions in the pool, until Release at the latest.
func (n *Network) Hold(h Hold) error { return n.Call(n.t.Context(), nil, "fakenode_hold", h) }

// Release ends all holds and returns how many transactions of the pool they held.
func (n *Network) Release() int {
	n.t.Helper()
	var held int
	n.must(&held, "fakenode_release")
	return held
}

// Calls returns the calls of a method that clients made, of all methods for "", the oldest first.
func (n *Network) Calls(method string) []Call { return n.CallsSince(method, 0) }

// CallsSince leaves out the calls up to the one with a number.
func (n *Network) CallsSince(method string, number uint64) []Call {
	n.t.Helper()
	filter := map[string]any{"since": number}
	if method != "" {
		filter["method"] = method
	}
	var calls []Call
	n.must(&calls, "fakenode_calls", filter)
	return calls
}

// Scenario plays events around one payment and returns what a correct client must conclude.
func (n *Network) Scenario(name string, p ScenarioParams) (Conclusion, error) {
	return call[Conclusion](n, "fakenode_scenario", name, p)
}

// Story begins to play a scenario move by move, in place of one that is not over yet.
func (n *Network) Story(name string, p ScenarioParams) (*Story, error) {
	id, err := call[uint64](n, "fakenode_scenarioStart", name, p)
	return &Story{n, id}, err
}

// Next makes the next move and returns what it did to the payment.
func (s *Story) Next() (StoryMove, error) {
	return call[StoryMove](s.network, "fakenode_scenarioNext", s.id)
}

// SetReplica sets how far behind a replica is, counted from 1. It needs the flag --replicas.
func (n *Network) SetReplica(number int, r Replica) error {
	return n.Call(n.t.Context(), nil, "fakenode_replica", number, r)
}

// ReplicaURL returns the URL of a replica, counted from 1.
func (n *Network) ReplicaURL(number int) string {
	return strings.TrimSuffix(n.url, "/") + "/replica/" + strconv.Itoa(number)
}

// SetSafe sets the block that the tag safe names.
func (n *Network) SetSafe(number uint64) error {
	return n.Call(n.t.Context(), nil, "fakenode_setSafe", number)
}

// SetFinalized sets the block that the tag finalized names.
func (n *Network) SetFinalized(number uint64) error {
	return n.Call(n.t.Context(), nil, "fakenode_setFinalized", number)
}

// SetWeather lets a price or limit of the next blocks follow a schedule, and returns the schedules that are not over.
func (n *Network) SetWeather(w Weather) ([]Forecast, error) {
	return call[[]Forecast](n, "fakenode_weather", w)
}

// MintToken gives an account more token units (6 decimals) and returns its balance.
func (n *Network) MintToken(to any, units *big.Int) (*big.Int, error) {
	text, err := hexText(to)
	if err != nil {
		return nil, err
	}
	balance, err := call[string](n, "fakenode_mintToken", text, units)
	if err != nil {
		return nil, err
	}
	number, _ := new(big.Int).SetString(strings.TrimPrefix(balance, "0x"), 16)
	return number, nil
}

// Delegate lets an account run the code of an implementation (EIP-7702), or none any more for the zero address.
func (n *Network) Delegate(account, implementation any) error {
	return n.about(nil, "fakenode_delegate", account, implementation)
}

// Deposit puts a deposit from L1 at the beginning of the next block that has not begun, under --rules=op, and returns
// its hash.
func (n *Network) Deposit(d Deposit) (string, error) { return call[string](n, "fakenode_deposit", d) }

// SetL1 changes the L1 block that L2 blocks refer to, under --rules=op, and returns all of it.
func (n *Network) SetL1(o L1Options) (L1Block, error) { return call[L1Block](n, "fakenode_setL1", o) }

// Bridge returns deposits, withdrawals and games between the L2 and its L1, under --l1, as docs/rpc.md describes them.
func (n *Network) Bridge() (json.RawMessage, error) {
	return call[json.RawMessage](n, "fakenode_bridge")
}

// Propose makes a game on the L1 about a block of the L2, with its next block. Zero values: the head, and its root.
func (n *Network) Propose(p Proposal) (Proposed, error) {
	return call[Proposed](n, "fakenode_propose", p)
}

// ResolveGame ends a game on the L1 with its next block, for its claim or, with challenger, against it; returns the
// hash of the transaction there.
func (n *Network) ResolveGame(index int, challenger bool) (string, error) {
	status := "defender"
	if challenger {
		status = "challenger"
	}
	return call[string](n, "fakenode_resolveGame", map[string]any{"index": index, "status": status})
}

// BlacklistGame takes a game out of what withdrawals on the L1 may rely on, with its next block; returns the hash
// there.
func (n *Network) BlacklistGame(index int) (string, error) {
	return call[string](n, "fakenode_blacklistGame", index)
}

// PausePortal stops withdrawals on the L1 with its next block, or ends that; returns the hash there.
func (n *Network) PausePortal(paused bool) (string, error) {
	return call[string](n, "fakenode_pausePortal", paused)
}

// SetPaymaster decides what the paymaster service sponsors and what its paymaster has; returns how things are.
func (n *Network) SetPaymaster(p Paymaster) (json.RawMessage, error) {
	return call[json.RawMessage](n, "fakenode_paymaster", p)
}

// Place returns where a transaction is, and why it is not further.
func (n *Network) Place(transaction any) (Place, error) {
	var p Place
	return p, n.about(&p, "fakenode_transaction", transaction)
}

// Operation returns where a user operation is, and which fault struck it.
func (n *Network) Operation(hash any) (OperationPlace, error) {
	var p OperationPlace
	return p, n.about(&p, "fakenode_operation", hash)
}

// Console returns the lines that contracts wrote by console.log in a transaction.
func (n *Network) Console(transaction any) ([]string, error) {
	var lines []string
	return lines, n.about(&lines, "fakenode_console", transaction)
}

// Profile returns gas by function, movements, changes and calls of an executed transaction, as docs/artifacts.md
// describes them.
func (n *Network) Profile(transaction any) (json.RawMessage, error) {
	var p json.RawMessage
	return p, n.about(&p, "fakenode_profile", transaction)
}

// CompareForks executes sealed transactions again under two hard forks and returns what each does under both, as
// docs/amsterdam.md describes it. Options are the members of the method's parameter; nil: all blocks.
func (n *Network) CompareForks(options map[string]any) (json.RawMessage, error) {
	if options == nil {
		options = map[string]any{}
	}
	return call[json.RawMessage](n, "fakenode_compareForks", options)
}

// Orphans returns the blocks that reorgs removed, the highest first.
func (n *Network) Orphans() ([]Orphan, error) { return call[[]Orphan](n, "fakenode_orphans") }

// ForkMisses returns the requests that an offline fork could not answer from its cache file, in words.
func (n *Network) ForkMisses() ([]string, error) { return call[[]string](n, "fakenode_forkMisses") }

// Info returns clock, head and pending block.
func (n *Network) Info() Info {
	n.t.Helper()
	var info Info
	n.must(&info, "fakenode_info")
	return info
}

// NewWorld returns a copy of the chain as it is now, which ends with the test.
func (n *Node) NewWorld() *Node {
	n.t.Helper()
	return n.process.world(n.t, n.Network)
}

// Worlds returns the chains in the node's process, those of other tests as well.
func (n *Network) Worlds() ([]World, error) { return call[[]World](n, "fakenode_worlds") }

// about calls a method whose parameters are addresses or hashes.
func (n *Network) about(result any, method string, values ...any) error {
	params := make([]any, len(values))
	for i, value := range values {
		text, err := hexText(value)
		if err != nil {
			return err
		}
		params[i] = text
	}
	return n.Call(n.t.Context(), result, method, params...)
}
