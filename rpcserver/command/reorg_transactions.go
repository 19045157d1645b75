package command

import (
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// reorgTransaction is a transaction of anvil_reorg, [transaction, block offset]: raw, or as an object that an
// account of the node signs.
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

// AnvilReorg serves anvil_reorg: replaces depth blocks by as many others, which hold only the given transactions: the
// removed ones are dropped.
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
func reorgOptions(r *api.Request, depth uint64, pairs *[]reorgTransaction) (preconf.ReorgOptions, error) {
	var options preconf.ReorgOptions
	m := r.Moment()
	head := m.Latest().Number()
	if own := head - m.Chain().Base(); depth > own {
		return options, api.InvalidParams("%s: depth %d is more than the %d blocks there are above block %d", r.Method, depth, own, m.Chain().Base())
	}
	fork, err := m.ByNumber(head - depth)
	if err != nil {
		return options, err
	}
	state, err := fork.State()
	if err != nil {
		return options, err
	}
	options = preconf.ReorgOptions{
		Depth:        int(depth),
		Length:       new(int(depth)),
		Transactions: preconf.Drop,
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
