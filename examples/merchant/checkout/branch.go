package checkout

import (
	"context"
	"errors"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/examples/internal/behind"
)

const (
	// maxDoubts is how many looks in a row must meet a newest block that is not above the highest before it is believed.
	maxDoubts = 10
	// maxTries is how often something is asked for that an earlier answer named: the node that answers now may be behind.
	maxTries = 8
	// maxBranch is how many blocks a branch goes back. What is older does not change any more.
	maxBranch = 128
)

// errBehind is returned while it is not certain whether a reorg made the chain no longer, or a node answered that is
// behind.
var errBehind = errors.New("the newest block is not above the highest that was seen")

// branch is the chain as its hashes tell it: from the highest newest block that was answered down the parents. A
// provider spreads calls over nodes, and some are behind or on a branch that a reorg removed: what one answer says of a
// block counts if the block is here. Safe for concurrent use. The zero value has no blocks yet.
type branch struct {
	mu     sync.Mutex
	blocks []*types.Header // without gaps, newest last
	doubts int             // looks in a row that ended with errBehind
}

// follow reads the newest block and goes over to its branch. Errors: errBehind.
func (b *branch) follow(ctx context.Context, c *chain) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	head, err := c.header(ctx, latest)
	if err != nil {
		return err
	}
	if len(b.blocks) > 0 {
		switch newest := b.blocks[len(b.blocks)-1]; {
		case head.Hash() == newest.Hash():
			b.doubts = 0
			return nil
		case head.Number.Cmp(newest.Number) <= 0 && b.doubts < maxDoubts:
			b.doubts++
			return errBehind
		case head.Number.Uint64() > newest.Number.Uint64()+maxBranch:
			b.blocks = nil
		}
	}
	added := []*types.Header{head}
	for len(b.blocks) > 0 {
		lowest := added[0]
		if parent := b.at(lowest.Number.Uint64() - 1); parent != nil && parent.Hash() == lowest.ParentHash {
			break
		}
		if lowest.Number.Cmp(b.blocks[0].Number) <= 0 { // another branch altogether
			b.blocks = nil
			break
		}
		if lowest, err = c.parent(ctx, lowest); err != nil {
			return err
		}
		added = append([]*types.Header{lowest}, added...)
	}
	if len(b.blocks) > 0 {
		b.blocks = b.blocks[:added[0].Number.Uint64()-b.blocks[0].Number.Uint64()]
	}
	b.blocks, b.doubts = append(b.blocks, added...), 0
	b.blocks = b.blocks[max(0, len(b.blocks)-maxBranch):]
	return nil
}

// holds reports whether a block is on the branch. One above it is not, yet.
func (b *branch) holds(ctx context.Context, c *chain, number uint64, hash common.Hash) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.blocks) == 0 || number+maxBranch <= b.blocks[len(b.blocks)-1].Number.Uint64() {
		header, err := behind.Again(maxTries, func() (*types.Header, error) { return c.client.HeaderByNumber(ctx, new(big.Int).SetUint64(number)) })
		switch {
		case errors.Is(err, ethereum.NotFound):
			return false, nil
		case err != nil:
			return false, unavailable("read block", err)
		}
		return header.Hash() == hash, nil
	}
	for number < b.blocks[0].Number.Uint64() {
		parent, err := c.parent(ctx, b.blocks[0])
		if err != nil {
			return false, err
		}
		b.blocks = append([]*types.Header{parent}, b.blocks...)
	}
	header := b.at(number)
	return header != nil && header.Hash() == hash, nil
}

// at returns the block of a number, or nil.
func (b *branch) at(number uint64) *types.Header {
	i := int64(number) - b.blocks[0].Number.Int64()
	if i < 0 || i >= int64(len(b.blocks)) {
		return nil
	}
	return b.blocks[i]
}

// parent reads a block's parent.
func (c *chain) parent(ctx context.Context, of *types.Header) (*types.Header, error) {
	header, err := behind.Again(maxTries, func() (*types.Header, error) { return c.client.HeaderByHash(ctx, of.ParentHash) })
	if err != nil {
		return nil, unavailable("read block", err)
	}
	return header, nil
}
