package checkout

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/tokencontract"
)

const (
	// maxLogRange keeps eth_getLogs under the 2,000 blocks that answer reliably (contract 8-range).
	maxLogRange = 1_999
	// maxNonces is how many nonces one filter names.
	maxNonces = 500
)

// errMoved is returned if the chain changed between two reads that belong together.
var errMoved = errors.New("the chain moved while it was read")

// replayKey names an authorization (contract 4.2-store).
type replayKey struct {
	payer common.Address
	nonce common.Hash
}

func (o Order) replayKey() replayKey { return replayKey{o.Terms.From, o.Terms.Nonce} }

// search looks for what consumed the nonces of some orders, or paid them with a memo.
type search struct {
	chain  *chain
	orders map[replayKey]Order
	nonces []common.Hash
	from   uint64 // the earliest block that can hold any of them
	found  map[replayKey]*Settlement
}

// settlements finds what consumed the nonces of orders, up to maxNonces at a time; what is sealed counts before what is
// pre-confirmed. head is a recent block number.
func (c *chain) settlements(ctx context.Context, orders []Order, head uint64) (map[replayKey]*Settlement, error) {
	found := map[replayKey]*Settlement{}
	for len(orders) > 0 {
		some := orders[:min(len(orders), maxNonces)]
		orders = orders[len(some):]
		s := search{chain: c, orders: map[replayKey]Order{}, from: head, found: found}
		for _, o := range some {
			s.orders[o.replayKey()] = o
			s.nonces = append(s.nonces, o.Terms.Nonce)
			s.from = min(s.from, o.fromBlock)
		}
		if err := s.run(ctx, head); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// run reads what is pre-confirmed before what is sealed, so that a block sealed in between is not missed.
func (s *search) run(ctx context.Context, head uint64) error {
	if err := s.read(ctx, pending, pending); err != nil {
		return err
	}
	from := s.from
	for ; from+maxLogRange <= head; from += maxLogRange {
		if err := s.read(ctx, new(big.Int).SetUint64(from), new(big.Int).SetUint64(from+maxLogRange-1)); err != nil {
			return err
		}
	}
	return s.read(ctx, new(big.Int).SetUint64(from), latest)
}

func (s *search) read(ctx context.Context, from, to *big.Int) error {
	logs, err := s.chain.client.FilterLogs(ctx, ethereum.FilterQuery{
		FromBlock: from, ToBlock: to, Addresses: []common.Address{s.chain.token},
		Topics: [][]common.Hash{{tokencontract.AuthorizationUsedTopic, tokencontract.AuthorizationCanceledTopic, memoTopic}, nil, s.nonces},
	})
	if err != nil {
		return unavailable("read logs", err)
	}
	for _, log := range logs {
		log.BlockHash, err = s.chain.sealed(ctx, log.BlockNumber, log.BlockHash)
		switch {
		case err != nil:
			return err
		case from != pending && log.BlockHash == common.Hash{}: // of a node on a branch that was removed
			continue
		}
		if err := s.take(ctx, log); err != nil {
			return err
		}
	}
	return nil
}

// take records the settlement of the order that a log is about. Other payers may have chosen the same nonce.
func (s *search) take(ctx context.Context, log types.Log) error {
	if log.Topics[0] == memoTopic {
		return s.remit(ctx, log)
	}
	settlement := &Settlement{Transaction: log.TxHash, BlockNumber: log.BlockNumber, BlockHash: log.BlockHash}
	if canceled, err := tokencontract.DecodeAuthorizationCanceled(log); err == nil {
		settlement.Outcome = OutcomeCanceled
		s.note(replayKey{canceled.Authorizer, canceled.Nonce}, settlement)
		return nil
	}
	used, err := tokencontract.DecodeAuthorizationUsed(log)
	if err != nil {
		return nil
	}
	key := replayKey{used.Authorizer, used.Nonce}
	order, ours := s.orders[key]
	if !ours {
		return nil
	}
	if known := order.Settlement; known != nil && known.Transaction == log.TxHash && known.BlockHash == log.BlockHash && known.Sealed() {
		s.note(key, known)
		return nil
	}
	if settlement.Outcome, err = s.outcome(ctx, order, log); err != nil {
		return err
	}
	s.note(key, settlement)
	return nil
}

func (s *search) note(key replayKey, settlement *Settlement) {
	if _, ours := s.orders[key]; ours {
		s.found[key] = settlement
	}
}

// outcome reports whether a nonce was used to pay this merchant. AuthorizationUsed does not show it: a payer can sign a
// second authorization with the same nonce, to anybody. The token's next log is the Transfer; where the token is the
// native coin, as on Arc, that has a log of its own in between.
func (s *search) outcome(ctx context.Context, order Order, used types.Log) (Outcome, error) {
	receipt, err := s.chain.receipt(ctx, used.TxHash)
	if err != nil {
		return "", err
	}
	if receipt == nil || receipt.BlockHash != used.BlockHash {
		return "", errMoved
	}
	for _, log := range receipt.Logs {
		if log.Index <= used.Index || log.Address != s.chain.token {
			continue
		}
		transfer, err := tokencontract.DecodeTransfer(*log)
		if err == nil && transfer.From == order.Terms.From && transfer.To == s.chain.merchant && transfer.Value.Eq(order.Terms.Value) {
			return OutcomeCaptured, nil
		}
		break
	}
	return OutcomeDiverted, nil
}
