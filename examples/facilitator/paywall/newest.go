package paywall

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/examples/internal/behind"
)

// A provider spreads calls over nodes, and some are behind or on a branch that a reorg removed. So state is read at the
// hash of the highest newest block that any answer named, and asked for again of a node that does not have it.

// maxTries is how often something is asked for that the node that answers may not have yet.
const maxTries = 10

// newest returns the highest newest block that was answered. One that is not above it is believed when maxTries answers
// in a row have named it or others as low.
func (f *Facilitator) newest(ctx context.Context) (*types.Header, error) {
	head, err := f.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("read newest block: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.head == nil || head.Number.Cmp(f.head.Number) > 0 || f.doubts >= maxTries:
		f.head, f.doubts = head, 0
	case head.Hash() == f.head.Hash():
		f.doubts = 0
	default:
		f.doubts++
	}
	return f.head, nil
}

// inChain reports whether hashes lead from the newest block down to the block of a receipt. While that is being built,
// some nodes give it no hash, and those of OP Mainnet one that changes with every flashblock.
func (f *Facilitator) inChain(ctx context.Context, receipt *types.Receipt) bool {
	header, err := f.newest(ctx)
	for err == nil && header.Number.Cmp(receipt.BlockNumber) > 0 {
		parent := header.ParentHash
		header, err = behind.Again(maxTries, func() (*types.Header, error) { return f.client.HeaderByHash(ctx, parent) })
	}
	return err == nil && header.Hash() == receipt.BlockHash
}

// nonce returns the account's next nonce, after the newest block. The pool is not asked: on a branch that was removed
// it counts what is gone.
func (f *Facilitator) nonce(ctx context.Context) (uint64, error) {
	head, err := f.newest(ctx)
	if err != nil {
		return 0, err
	}
	return behind.Again(maxTries, func() (uint64, error) { return f.client.NonceAtHash(ctx, f.Address(), head.Hash()) })
}

// gas estimates a call after the newest block, for what a node behind would estimate may be too little; one that needs
// what is only pre-confirmed, after that.
func (f *Facilitator) gas(ctx context.Context, call ethereum.CallMsg) (uint64, error) {
	head, err := f.newest(ctx)
	if err != nil {
		return 0, err
	}
	gas, err := behind.Again(maxTries, func() (uint64, error) { return f.client.EstimateGasAtBlockHash(ctx, call, head.Hash()) })
	if err != nil {
		return behind.Again(maxTries, func() (uint64, error) { return f.client.EstimateGas(ctx, call) })
	}
	return gas, nil
}
