package eth

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// poolHalves answers a method: about the executable transactions, and about those that wait for an earlier nonce.
// Pre-confirmed ones are not in the pool.
type poolHalves[T any] struct {
	Pending T `json:"pending"`
	Queued  T `json:"queued"`
}

// halvesOf calls of with each half of the pool.
func halvesOf[T any](r *api.Request, of func([]pool.Listed) T) (any, error) {
	pending, queued := api.PoolHalves(r.Moment())
	return poolHalves[T]{of(pending), of(queued)}, nil
}

// TxpoolStatus serves txpool_status: the number of transactions that wait, executable or for an earlier nonce.
func TxpoolStatus(r *api.Request) (any, error) {
	return halvesOf(r, func(list []pool.Listed) hexutil.Uint64 { return hexutil.Uint64(len(list)) })
}

// bySender serves a method that answers an entry for each transaction, by sender and nonce.
func bySender(r *api.Request, entry func(pool.Listed) any) (any, error) {
	return halvesOf(r, func(list []pool.Listed) map[string]map[uint64]any {
		entries := make(map[string]map[uint64]any)
		for _, tx := range list {
			sender := hexutil.Encode(tx.From[:])
			if r.Network.ChecksumSenders {
				sender = tx.From.Hex()
			}
			if entries[sender] == nil {
				entries[sender] = make(map[uint64]any)
			}
			entries[sender][tx.Tx.Nonce()] = entry(tx)
		}
		return entries
	})
}

func pooledObject(tx pool.Listed) any { return shape.PooledOf(tx.Tx, tx.From) }

// TxpoolContent serves txpool_content: the transactions by sender and nonce.
func TxpoolContent(r *api.Request) (any, error) { return bySender(r, pooledObject) }

// TxpoolContentFrom serves txpool_contentFrom: the transactions of one sender by nonce.
func TxpoolContentFrom(r *api.Request, sender common.Address) (any, error) {
	return halvesOf(r, func(list []pool.Listed) map[uint64]any {
		entries := make(map[uint64]any)
		for _, tx := range list {
			if tx.From == sender {
				entries[tx.Tx.Nonce()] = pooledObject(tx)
			}
		}
		return entries
	})
}

// TxpoolInspect serves txpool_inspect: the transactions by sender and nonce, each as a line of text.
func TxpoolInspect(r *api.Request) (any, error) {
	return bySender(r, func(pooled pool.Listed) any {
		tx, to := pooled.Tx, "contract creation"
		if tx.To() != nil {
			to = tx.To().Hex()
		}
		return fmt.Sprintf("%s: %v wei + %v gas × %v wei", to, tx.Value(), tx.Gas(), tx.GasPrice())
	})
}

// PendingTransactions serves eth_pendingTransactions: the transactions of the pool, in the order of arrival.
func PendingTransactions(r *api.Request) (any, error) {
	pooled := shape.Pooled{}
	for _, listed := range r.Moment().Pool() {
		pooled = append(pooled, listed.Entry)
	}
	return pooled, nil
}
