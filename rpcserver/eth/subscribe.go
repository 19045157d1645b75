// This file serves the pendingLogs stream (contract 1-pendingLogs, 6-pendingLogs) and the other subscriptions of live
// nodes.

package eth

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

// notification is the method of the notifications of all subscriptions.
const notification = "eth_subscription"

type streamKind struct {
	// of is the source of its items.
	of source
	// only is the way of networks that alone have it. Empty: all have.
	only api.Preconf
	// open reads the subscription's option, nil if there is none or it is null.
	open func(r *api.Request, option json.RawMessage) (stream.Items, error)
}

// source is where the items of a subscription come from. Not every network shows each of them (api.Door).
type source int

const (
	blocks source = iota
	pooled
	flashblock
)

var streamKinds = map[string]streamKind{
	"newHeads":                  {of: blocks, open: openHeads},
	"logs":                      {of: blocks, open: openLogs},
	"newPendingTransactions":    {of: pooled, open: hashesOr(stream.PooledHash, stream.PooledTransaction)},
	"transactionReceipts":       {of: blocks, open: openReceipts},
	"syncing":                   {of: blocks, open: withoutOption(nothing)},
	"pendingLogs":               {of: flashblock, open: openPendingLogs},
	"newFlashblocks":            {of: flashblock, open: openFlashblocks},
	"newFlashblockTransactions": {of: flashblock, open: openFlashblockTransactions},
	"miniBlocks":                {of: flashblock, only: api.PreconfMegaETH, open: paced(stream.MiniBlocks)},
	"stateChanges":              {of: flashblock, only: api.PreconfMegaETH, open: openStateChanges},
	"shreds":                    {of: flashblock, only: api.PreconfRise, open: hashesOr(stream.Shreds(false), stream.Shreds(true))},
	"monadNewHeads":             {of: blocks, only: api.PreconfMonad, open: withoutOption(stream.CommittedHeads)},
	"monadLogs":                 {of: blocks, only: api.PreconfMonad, open: openCommittedLogs},
}

// Notifications names the kinds of subscription, sorted, for the faults that spoil them.
var Notifications = map[string][]string{notification: slices.Sorted(maps.Keys(streamKinds))}

// Subscribe serves eth_subscribe: the id of a stream of events from now on.
func Subscribe(r *api.Request, name string, option *json.RawMessage) (any, error) {
	kind, known := streamKinds[name]
	door := r.Door()
	if door.Kinds != nil && !slices.Contains(door.Kinds, name) {
		return nil, api.InvalidParams("Invalid params")
	}
	if !known {
		return nil, api.InvalidParams("unknown subscription %q: want one of %s", api.Excerpt(name), streamNames(r))
	}
	if kind.isElsewhere(r) {
		return nil, kind.only.Elsewhere("subscription " + name)
	}
	if kind.of == flashblock && door.RefuseFlashblocks != nil {
		return nil, door.RefuseFlashblocks(name, streamNames(r))
	}
	var given json.RawMessage
	if option != nil {
		given = *option
	}
	send, err := kind.open(r, given)
	if err != nil {
		return nil, err
	}
	if kind.of == pooled && door.PrivatePool {
		send = nothing
	}
	return r.Caller.Subscribe(notification, name, func(sub *jsonrpc.Subscription) (stop func()) {
		return r.Network.Streams.Add(sub, send)
	})
}

// Unsubscribe serves eth_unsubscribe: whether the subscription was open. No notification follows the answer.
func Unsubscribe(r *api.Request, id string) (any, error) { return r.Caller.Unsubscribe(id) }

// isElsewhere reports whether only networks of another way have the kind.
func (k streamKind) isElsewhere(r *api.Request) bool {
	return k.only != "" && k.only != r.Network.Preconf
}

// streamNames lists the kinds of subscription that are open.
func streamNames(r *api.Request) string {
	var names []string
	for name, kind := range streamKinds {
		if (kind.of != flashblock || r.Door().RefuseFlashblocks == nil) && !kind.isElsewhere(r) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func withoutOption(s stream.Items) func(*api.Request, json.RawMessage) (stream.Items, error) {
	return func(_ *api.Request, option json.RawMessage) (stream.Items, error) {
		if option != nil && string(option) != "{}" {
			return nil, api.InvalidParams("invalid argument 1 (option) of eth_subscribe: have %s, want none", api.Excerpt(option))
		}
		return s, nil
	}
}

// openFlashblocks reports each flashblock. As on live nodes any option is accepted, without effect.
func openFlashblocks(*api.Request, json.RawMessage) (stream.Items, error) {
	return stream.Flashblocks, nil
}

// nothing is the stream of syncing, because the node never synchronises, and of a private pool.
func nothing(*stream.Announcement) []json.RawMessage { return nil }

// openLogs reports the logs of new blocks, and those of blocks that a reorg removed, between the bounds of the filter.
func openLogs(r *api.Request, option json.RawMessage) (stream.Items, error) {
	wanted, object, err := optionalFilter(r, option)
	if err != nil {
		return nil, err
	}
	from, to := object.FromBlock.bound(), object.ToBlock.bound()
	pending, door := from.Tag == filter.Pending || to.Tag == filter.Pending, r.Door()
	if door.LogsAtOnce || pending && door.Newest == api.TagPending {
		return pendingLogs(wanted), nil
	}
	if pending {
		return nil, api.InvalidParams(`the subscription logs brings logs of sealed blocks: a bound of "pending" is for pendingLogs`)
	}
	return func(a *stream.Announcement) []json.RawMessage {
		if a.Kind != preconf.LogsAdded && a.Kind != preconf.LogsRemoved {
			return nil
		}
		if n := a.View.Number(); from.Number > n || to.Below(n) {
			return nil
		}
		return stream.Matching(wanted, a.Logs, stream.Logs(a, a.Logs))
	}, nil
}

// openCommittedLogs reports the logs of blocks in each of their commit states.
func openCommittedLogs(r *api.Request, option json.RawMessage) (stream.Items, error) {
	wanted, _, err := optionalFilter(r, option)
	return func(a *stream.Announcement) []json.RawMessage {
		return stream.Matching(wanted, a.Logs, stream.CommittedLogs(a))
	}, err
}

// openPendingLogs reports the logs of each flashblock. As on live nodes true, false and null mean all of them.
func openPendingLogs(r *api.Request, option json.RawMessage) (stream.Items, error) {
	if text := string(option); text == "true" || text == "false" {
		option = nil
	}
	wanted, object, err := optionalFilter(r, option)
	if err != nil {
		return nil, err
	}
	for _, bound := range []*filterBound{object.FromBlock, object.ToBlock} {
		if bound != nil && bound.Kind != api.TagPending {
			return nil, api.InvalidParams(`the subscription pendingLogs brings pre-confirmed logs: fromBlock and toBlock are "pending", or left out`)
		}
	}
	return pendingLogs(wanted), nil
}

// pendingLogs reports the logs of each flashblock that are wanted.
func pendingLogs(wanted chain.LogFilter) stream.Items {
	return func(a *stream.Announcement) []json.RawMessage {
		logs := a.Logs
		switch a.Kind {
		case preconf.FlashblockAdded:
			logs = a.Flashblock.Logs
		case preconf.LogsRetracted:
		default:
			return nil
		}
		return stream.Matching(wanted, logs, stream.Logs(a, logs))
	}
}

// openHeads reports each new head.
func openHeads(r *api.Request, option json.RawMessage) (stream.Items, error) {
	if heads := r.Network.Preconf.Heads(); heads != nil {
		return paced(heads)(r, option)
	}
	return withoutOption(stream.Heads)(r, option)
}

// paced opens a stream that depends on the distances of blocks and flashblocks.
func paced(items func(stream.Pace) stream.Items) func(*api.Request, json.RawMessage) (stream.Items, error) {
	return func(r *api.Request, option json.RawMessage) (stream.Items, error) {
		pace := stream.Pace{Block: r.Moment().BlockTime(), Flashblock: r.Network.Timeline.Config().FlashblockTime}
		return withoutOption(items(pace))(r, option)
	}
}

// maxWatched is the number of accounts that a subscription to changes of state may name.
const maxWatched = 1024

// openStateChanges reports the accounts that each flashblock changed: those named, or without an option all.
func openStateChanges(r *api.Request, option json.RawMessage) (stream.Items, error) {
	var watched []common.Address
	if err := readOption(r, option, &watched, "accounts", "[address]"); err != nil {
		return nil, err
	}
	if len(watched) > maxWatched {
		return nil, api.InvalidParams("stateChanges names %d accounts, the limit is %d", len(watched), maxWatched)
	}
	return stream.StateChanges(watched), nil
}

// openFlashblockTransactions reports the transactions of each flashblock. An object means false, as on live nodes.
func openFlashblockTransactions(r *api.Request, option json.RawMessage) (stream.Items, error) {
	if option != nil && option[0] == '{' {
		option = nil
	}
	return hashesOr(stream.FlashblockHashes, stream.FlashblockTransactions)(r, option)
}

// hashesOr opens a stream of hashes, or with true of whole items.
func hashesOr(hashes, whole stream.Items) func(*api.Request, json.RawMessage) (stream.Items, error) {
	return func(_ *api.Request, option json.RawMessage) (stream.Items, error) {
		switch {
		case option == nil || string(option) == "false":
			return hashes, nil
		case string(option) == "true":
			return whole, nil
		}
		return nil, api.InvalidParams("invalid argument 1 (option) of eth_subscribe: have %s, want true or false", api.Excerpt(option))
	}
}

// openReceipts reports the receipts of each new block as one array, or only those of the named transactions.
func openReceipts(r *api.Request, option json.RawMessage) (stream.Items, error) {
	var wanted struct {
		TransactionHashes []common.Hash `json:"transactionHashes"`
	}
	if err := readOption(r, option, &wanted, "option", "{transactionHashes: [hash]}"); err != nil {
		return nil, err
	}
	hashes := wanted.TransactionHashes
	if len(hashes) == 0 {
		return stream.Receipts, nil
	}
	return func(a *stream.Announcement) []json.RawMessage {
		if a.Kind != preconf.HeadAdded {
			return nil
		}
		return a.ReceiptsOf(hashes)
	}, nil
}

// optionalFilter reads an option of a filter object, or nothing, that a subscription can honour.
func optionalFilter(r *api.Request, option json.RawMessage) (chain.LogFilter, filterObject, error) {
	var object filterObject
	if err := readOption(r, option, &object, "filter", api.Wanted[filterObject]()); err != nil {
		return chain.LogFilter{}, object, err
	}
	if err := object.upcoming("eth_subscribe"); err != nil {
		return chain.LogFilter{}, object, err
	}
	wanted, err := object.filterFor(&r.Network.Behaviour, r.Network.Provider)
	return wanted, object, err
}

// readOption decodes an option that is not nil into the value at into. name and want describe it in the error.
func readOption[T any](r *api.Request, option json.RawMessage, into *T, name, want string) error {
	if option == nil {
		return nil
	}
	if err := jsonrpc.Decode(option, into, r.Network.Lenient); err != nil {
		return api.InvalidParams("invalid argument 1 (%s) of eth_subscribe: have %s (%s), want %s",
			name, api.Excerpt(option), api.Problem(err), want)
	}
	return nil
}
