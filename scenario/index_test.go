package scenario_test

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// index is an indexer that asks for logs by block, once it has gone back to a block of the chain.
func index(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
	return indexing(ctx, s, q, true, false)
}

// indexers are those with a fault each.
var indexers = map[string]func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error){
	"never goes back": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		return indexing(ctx, s, q, false, false)
	},
	"goes on behind a block that it could not read": func(ctx context.Context, s *till, q scenario.Question) (scenario.Answer, error) {
		return indexing(ctx, s, q, true, true)
	},
}

// indexing reads new blocks, and returns what it has. Blocks that are no more it forgets if it goes back; a block whose
// logs it did not get has none if it goes on.
func indexing(ctx context.Context, s *till, q scenario.Question, back, on bool) (said scenario.Answer, err error) {
	next, parent := *q.FromBlock, common.Hash{}
	for len(s.blocks) > 0 {
		last := s.blocks[len(s.blocks)-1]
		next, parent = last.Number.Uint64()+1, last.Hash()
		now, err := s.HeaderByNumber(ctx, last.Number)
		if err != nil && !errors.Is(err, ethereum.NotFound) {
			return said, err
		}
		if !back || err == nil && now.Hash() == parent {
			break
		}
		s.blocks = s.blocks[:len(s.blocks)-1]
		next, parent = last.Number.Uint64(), last.ParentHash
	}
	for ; ; next++ {
		header, err := s.HeaderByNumber(ctx, new(big.Int).SetUint64(next))
		if errors.Is(err, ethereum.NotFound) || err == nil && back && len(s.blocks) > 0 && header.ParentHash != parent {
			break
		}
		if err != nil {
			return said, err
		}
		hash := header.Hash()
		logs, err := s.FilterLogs(ctx, ethereum.FilterQuery{BlockHash: &hash, Addresses: []common.Address{q.Contract}})
		if logs == nil && !on { // null is no empty list
			return said, err
		}
		s.rows[hash] = nil
		for _, log := range logs {
			if transfer, err := tokencontract.DecodeTransfer(log); err == nil {
				s.rows[hash] = append(s.rows[hash], scenario.Transfer{Transaction: log.TxHash, BlockHash: hash, From: transfer.From, To: transfer.To, Value: *transfer.Value})
			}
		}
		s.blocks, parent = append(s.blocks, header), hash
	}
	said.Transfers = new([]scenario.Transfer)
	for _, block := range s.blocks {
		*said.Transfers = append(*said.Transfers, s.rows[block.Hash()]...)
	}
	return said, nil
}
