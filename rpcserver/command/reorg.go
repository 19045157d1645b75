package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// reorgParams is a reorg as fakenode_reorg takes it; see control.ReorgOptions.
type reorgParams struct {
	api.ControlObject `wanted:"{depth, length?, transactions?, drop?, blocks?, removedOrder?, force?, l2Transactions?}"`

	Depth        count                `json:"depth"`
	Length       *count               `json:"length"`
	Transactions control.Fate         `json:"transactions"`
	Drop         []common.Hash        `json:"drop"`
	Blocks       [][]hexutil.Bytes    `json:"blocks"` // raw transactions
	Above        control.Fate         `json:"l2Transactions"`
	RemovedOrder control.RemovedOrder `json:"removedOrder"`
	Force        bool                 `json:"force"`
}

// maxReplacement is the most blocks that a reorg may add, but a reorg may always add one more than it removes. All of
// them become part of the chain at once, and other writers wait until then.
const maxReplacement = 10_000

// options returns it as control.ReorgOptions.
func (p *reorgParams) options() (control.ReorgOptions, error) {
	options := control.ReorgOptions{
		Depth:        int(p.Depth),
		Transactions: p.Transactions,
		Above:        p.Above,
		Drop:         p.Drop,
		RemovedOrder: p.RemovedOrder,
		Force:        p.Force,
	}
	if p.Depth > maxBlocks {
		return options, api.InvalidParams("depth of the reorg: have %d, the limit is %d", p.Depth, maxBlocks)
	}
	if p.Length != nil {
		if most := max(p.Depth+1, maxReplacement); *p.Length > most {
			return options, api.InvalidParams("length of the reorg: have %d, the limit is %d", *p.Length, most)
		}
		options.Length = new(int(*p.Length))
	}
	for i, block := range p.Blocks {
		transactions := make([]*types.Transaction, len(block))
		for j, raw := range block {
			transactions[j] = new(types.Transaction)
			if err := transactions[j].UnmarshalBinary(raw); err != nil {
				return options, api.InvalidParams("blocks[%d][%d] of the reorg is not a raw transaction: %s", i, j, err)
			}
		}
		options.Blocks = append(options.Blocks, transactions)
	}
	return options, nil
}

// Reorg serves fakenode_reorg: it replaces the newest blocks.
func Reorg(r *api.Request, p reorgParams) (any, error) {
	options, err := p.options()
	if err != nil {
		return nil, err
	}
	result, err := r.Network.Timeline.Reorg(options)
	return reorged(r, result, err)
}

// ReplaceProposal serves fakenode_replaceProposal: an empty block in silence takes the place of the newest.
func ReplaceProposal(r *api.Request, fate *control.Fate) (any, error) {
	result, err := r.Network.Timeline.ReplaceProposal(*cmp.Or(fate, new(control.Fate)))
	return reorged(r, result, err)
}

// reorged answers what a reorg changed.
func reorged(r *api.Request, result control.ReorgResult, err error) (any, error) {
	for _, hashes := range []*[]common.Hash{&result.Removed, &result.Added, &result.Requeued} {
		*hashes = append([]common.Hash{}, *hashes...)
	}
	return result, r.BadInput(err)
}

// rollback removes the newest blocks with their transactions.
func rollback(r *api.Request, depth uint64) error {
	if depth == 0 {
		return nil
	}
	if err := checkDepth(r, r.Moment(), depth); err != nil {
		return err
	}
	_, err := r.Network.Timeline.Reorg(control.ReorgOptions{
		Depth:        int(depth),
		Length:       new(int),
		Transactions: control.Drop,
		Force:        true,
	})
	return r.BadInput(err)
}

// checkDepth rejects a number of blocks that the chain has not.
func checkDepth(r *api.Request, m *preconf.Moment, depth uint64) error {
	if r.Network.Timeline.Config().NoReorgs {
		return r.BadInput(preconf.ErrNoReorgs)
	}
	if own := m.Latest().Number() - m.Chain().Base(); depth > own {
		return api.InvalidParams("%s: depth %d is more than the %d blocks there are above block %d", r.Method, depth, own, m.Chain().Base())
	}
	return nil
}

// SetHead serves debug_setHead: the block of that number becomes the head, and later ones become orphans.
func SetHead(r *api.Request, number api.Number) (any, error) {
	head := r.Moment().Latest().Number()
	if uint64(number) > head {
		return nil, api.InvalidParams("invalid argument 0 (number) of %s: block %d is above the head, %d", r.Method, number, head)
	}
	return nil, rollback(r, head-uint64(number))
}

// reorgTransaction is a transaction of anvil_reorg, [transaction, block offset]: raw, or an object to sign.
type reorgTransaction struct {
	raw    hexutil.Bytes // nil: object
	Object api.CallObject
	offset uint64 // of its block from the first replacement block
}

func (reorgTransaction) Held() any { return api.CallObject{} }

func (t *reorgTransaction) UnmarshalJSON(raw []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 {
		return errors.New("not a pair of a transaction and a block offset")
	}
	var transaction any = &t.Object
	if pair[0][0] == '"' {
		transaction = &t.raw
	}
	if err := json.Unmarshal(pair[0], transaction); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], (*api.Number)(&t.offset))
}

// AnvilReorg serves anvil_reorg: replaces depth blocks by as many, which hold only the given transactions.
func AnvilReorg(r *api.Request, depth api.Number, pairs *[]reorgTransaction) (any, error) {
	if depth == 0 {
		return nil, nil
	}
	return nil, r.Network.Timeline.Atomically(func(timeline *preconf.Timeline) error {
		options, err := reorgOptions(r, uint64(depth), pairs)
		if err != nil {
			return err
		}
		_, err = timeline.Reorg(options)
		return r.BadInput(err)
	})
}

// reorgOptions makes the given transactions for a reorg of the newest blocks.
func reorgOptions(r *api.Request, depth uint64, pairs *[]reorgTransaction) (control.ReorgOptions, error) {
	var options control.ReorgOptions
	m := r.Moment()
	head := m.Latest().Number()
	if err := checkDepth(r, m, depth); err != nil {
		return options, err
	}
	fork, err := m.ByNumber(head - depth)
	if err != nil {
		return options, err
	}
	state, err := fork.State()
	if err != nil {
		return options, err
	}
	options = control.ReorgOptions{
		Depth:        int(depth),
		Length:       new(int(depth)),
		Transactions: control.Drop,
		Blocks:       make([][]*types.Transaction, depth),
		Force:        true,
	}
	if pairs == nil {
		return options, nil
	}
	signer := reorgSigner{r, state, make(map[common.Address]uint64)}
	for i := range *pairs {
		pair := &(*pairs)[i]
		if pair.offset >= depth {
			return options, api.InvalidParams("%s: block offset %d of transaction %d is not below the depth, %d", r.Method, pair.offset, i, depth)
		}
		tx, err := signer.sign(pair)
		if err != nil {
			return options, api.InvalidParams("%s: transaction %d: %s", r.Method, i, err)
		}
		options.Blocks[pair.offset] = append(options.Blocks[pair.offset], tx)
	}
	return options, nil
}

// reorgSigner makes transactions of a new branch.
type reorgSigner struct {
	r     *api.Request
	state *evmstate.State           // state at the beginning of the branch
	count map[common.Address]uint64 // transactions made so far, by sender
}

func (s reorgSigner) sign(t *reorgTransaction) (*types.Transaction, error) {
	if t.raw != nil {
		tx := new(types.Transaction)
		return tx, tx.UnmarshalBinary(t.raw)
	}
	from := t.Object.Sender()
	key := s.r.Network.Key(from)
	if key == nil {
		return nil, errors.New("the node has no key for " + from.Hex() + ": want the transaction signed, as bytes in hex")
	}
	if t.Object.Nonce == nil {
		if err := s.state.Load(from); err != nil {
			return nil, err
		}
		t.Object.Nonce = (*hexutil.Uint64)(new(s.state.Nonce(from) + s.count[from]))
	}
	s.count[from]++
	if err := s.r.Fill(&t.Object); err != nil {
		return nil, err
	}
	return types.SignTx(s.r.Transaction(&t.Object), s.r.Signer(), key)
}

// mostOrphans is the number of blocks that an answer of fakenode_orphans lists.
const mostOrphans = 1000

// orphanObject names a block that a reorg removed, in the answer to fakenode_orphans.
type orphanObject struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
}

// Orphans serves fakenode_orphans: the blocks that reorgs removed, the highest first.
func Orphans(r *api.Request) (any, error) {
	orphans := r.Moment().Chain().Orphans()
	slices.Reverse(orphans)
	return api.Each(orphans[:min(len(orphans), mostOrphans)], func(b *chain.Block) orphanObject { return orphanObject{b.Number(), b.Hash()} }), nil
}

// Snapshot serves fakenode_snapshot and evm_snapshot: it answers the id of a snapshot of the network's whole state.
func Snapshot(r *api.Request) (any, error) { return hexutil.Uint64(r.Network.Timeline.Snapshot()), nil }

// Revert serves fakenode_revert: everything goes back to the snapshot, which stays usable. Subscribers and filters are
// notified of it as of a reorg if announce is true, not at all otherwise.
func Revert(r *api.Request, id api.Number, announce *bool) (any, error) {
	back := r.Network.Timeline.Revert
	if announce != nil && *announce {
		back = r.Network.Timeline.RevertAnnounced
	}
	return true, api.Refused(back(uint64(id)))
}

// EvmRevert serves evm_revert with its usual meaning: the snapshot and later ones can no longer be used, and filters
// continue. It answers false for an unknown one. Subscribers are not notified.
func EvmRevert(r *api.Request, id api.Number) (any, error) {
	return r.Network.Timeline.RevertOnce(uint64(id)) == nil, nil
}
