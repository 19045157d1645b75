package eth

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

type poolStatus struct {
	Pending hexutil.Uint64 `json:"pending"`
	Queued  hexutil.Uint64 `json:"queued"`
}

// TxpoolStatus serves txpool_status: the number of transactions that wait, executable or for an earlier nonce.
// Pre-confirmed ones are not counted.
func TxpoolStatus(r *api.Request) (any, error) {
	pending, queued := api.PoolHalves(r.Moment())
	return poolStatus{hexutil.Uint64(len(pending)), hexutil.Uint64(len(queued))}, nil
}

// poolContent holds the transactions of the pool by sender and nonce.
type poolContent struct {
	pending, queued []pool.Listed
	// entry appends one transaction.
	entry func(dst []byte, tx pool.Listed) []byte
	// checksummed writes senders as EIP-55 has them, as geth does; false: in lower case, as clients look them up.
	checksummed bool
	// only leaves the level of senders out: there is only one.
	only bool
}

func (c poolContent) AppendJSON(dst []byte) []byte {
	o := shape.Begin(dst)
	o.Key("pending")
	o.Dst = c.appendHalf(o.Dst, c.pending)
	o.Key("queued")
	o.Dst = c.appendHalf(o.Dst, c.queued)
	return o.End()
}

func (c poolContent) appendHalf(dst []byte, transactions []pool.Listed) []byte {
	if c.only {
		return c.appendNonces(dst, transactions)
	}
	o := shape.Begin(dst)
	for len(transactions) > 0 {
		sender := transactions[0].From
		n := slices.IndexFunc(transactions, func(tx pool.Listed) bool { return tx.From != sender })
		if n < 0 {
			n = len(transactions)
		}
		o.Key(c.nameOf(sender))
		o.Dst = c.appendNonces(o.Dst, transactions[:n])
		transactions = transactions[n:]
	}
	return o.End()
}

func (c poolContent) nameOf(sender common.Address) string {
	if c.checksummed {
		return sender.Hex()
	}
	return hexutil.Encode(sender[:])
}

func (c poolContent) appendNonces(dst []byte, transactions []pool.Listed) []byte {
	o := shape.Begin(dst)
	for _, tx := range transactions {
		o.Key(strconv.FormatUint(tx.Tx.Nonce(), 10))
		o.Dst = c.entry(o.Dst, tx)
	}
	return o.End()
}

func appendPooled(dst []byte, tx pool.Listed) []byte {
	return shape.PooledOf(tx.Tx, tx.From).AppendJSON(dst)
}

// appendPooledText appends a transaction of the pool as a line of text.
func appendPooledText(dst []byte, pooled pool.Listed) []byte {
	tx, to := pooled.Tx, "contract creation"
	if tx.To() != nil {
		to = tx.To().Hex()
	}
	return jsonrpc.AppendString(dst, fmt.Sprintf("%s: %v wei + %v gas × %v wei", to, tx.Value(), tx.Gas(), tx.GasPrice()))
}

// TxpoolContent serves txpool_content: the transactions by sender and nonce.
func TxpoolContent(r *api.Request) (any, error) {
	pending, queued := api.PoolHalves(r.Moment())
	return poolContent{pending: pending, queued: queued, entry: appendPooled, checksummed: r.Network.ChecksumSenders}, nil
}

// TxpoolContentFrom serves txpool_contentFrom: the transactions of one sender by nonce.
func TxpoolContentFrom(r *api.Request, sender common.Address) (any, error) {
	pending, queued := api.PoolHalves(r.Moment())
	other := func(tx pool.Listed) bool { return tx.From != sender }
	return poolContent{
		pending: slices.DeleteFunc(pending, other),
		queued:  slices.DeleteFunc(queued, other),
		entry:   appendPooled,
		only:    true,
	}, nil
}

// TxpoolInspect serves txpool_inspect: the transactions by sender and nonce, each as a line of text.
func TxpoolInspect(r *api.Request) (any, error) {
	pending, queued := api.PoolHalves(r.Moment())
	return poolContent{pending: pending, queued: queued, entry: appendPooledText, checksummed: r.Network.ChecksumSenders}, nil
}

// PendingTransactions serves eth_pendingTransactions: the transactions of the pool, in the order of arrival.
func PendingTransactions(r *api.Request) (any, error) {
	var pooled shape.Pooled
	for _, listed := range r.Moment().Pool() {
		pooled = append(pooled, listed.Entry)
	}
	return pooled, nil
}
