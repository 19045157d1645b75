package command

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// DropTransaction serves anvil_dropTransaction: the hash if the transaction was in the pool, null if not.
func DropTransaction(r *api.Request, hash common.Hash) (any, error) {
	if !r.Network.Timeline.DropTransaction(hash) {
		return nil, nil
	}
	return hash, nil
}

// HardhatDropTransaction serves hardhat_dropTransaction: it answers whether the transaction was in the pool.
func HardhatDropTransaction(r *api.Request, hash common.Hash) (any, error) {
	return r.Network.Timeline.DropTransaction(hash), nil
}

// DropAllTransactions serves anvil_dropAllTransactions: empties the pool.
func DropAllTransactions(r *api.Request) (any, error) {
	r.Network.Timeline.ClearPool()
	return nil, nil
}

// RemovePoolTransactions serves anvil_removePoolTransactions: it removes the transactions of one sender from the pool.
func RemovePoolTransactions(r *api.Request, sender common.Address) (any, error) {
	r.Network.Timeline.DropTransactionsOf(sender)
	return nil, nil
}
