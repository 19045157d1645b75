package eth

import (
	"bytes"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// blockHashes is the number of ancestors whose hashes a block can ask for.
const blockHashes = 256

// executionWitness is the answer to debug_executionWitness, in reth's form.
type executionWitness struct {
	State   []hexutil.Bytes `json:"state"`   // RLP of the nodes of all tries at the parent
	Codes   []hexutil.Bytes `json:"codes"`   // of all contracts at the parent
	Keys    []hexutil.Bytes `json:"keys"`    // addresses, and slots of storage
	Headers []hexutil.Bytes `json:"headers"` // RLP, from the parent down
}

// ExecutionWitness serves debug_executionWitness: what a client without state needs to execute a block again. It is the
// whole state of the parent, as anvil's.
func ExecutionWitness(r *api.Request, tag api.BlockTag) (any, error) {
	block, err := sealedBlock(r, tag)
	if err != nil {
		return nil, err
	}
	c := r.Moment().Chain()
	if block.Number() == 0 {
		return nil, api.Errorf(api.CodeServer, "the genesis block has no parent, whose state a witness is made of")
	}
	parent, err := c.Parent(block.Header())
	if err != nil {
		return nil, err
	}
	if parent == nil {
		return nil, api.Errorf(api.CodeServer, "the parent of block %d is not known", block.Number())
	}
	state, err := c.StateAt(parent)
	if err != nil {
		return nil, err
	}
	if state.Forked() {
		return nil, api.Errorf(api.CodeServer, "%s is not served on a fork: most of the state is at the other chain's node", r.Method)
	}
	var nodes, codes, keys [][]byte
	for address, account := range state.Alloc() {
		keys = append(keys, address[:])
		if len(account.Code) > 0 {
			codes = append(codes, account.Code)
		}
		proof := state.Proof(address, slices.Collect(maps.Keys(account.Storage)))
		nodes = append(nodes, proof.Proof...)
		for _, slot := range proof.Storage {
			keys, nodes = append(keys, slot.Slot[:]), append(nodes, slot.Proof...)
		}
	}
	result := executionWitness{State: distinct(nodes), Codes: distinct(codes), Keys: distinct(keys)}
	for parent != nil && len(result.Headers) < blockHashes {
		encoded, err := rlp.EncodeToBytes(parent.Header())
		if err != nil {
			return nil, api.Refused(err)
		}
		result.Headers = append(result.Headers, encoded)
		if parent.Number() == 0 {
			break
		}
		if parent, err = c.Parent(parent.Header()); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// distinct returns the items in ascending order, each once.
func distinct(items [][]byte) []hexutil.Bytes {
	slices.SortFunc(items, bytes.Compare)
	return api.Each(slices.CompactFunc(items, bytes.Equal), func(item []byte) hexutil.Bytes { return item })
}
