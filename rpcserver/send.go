package rpcserver

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf"
)

// maxSyncTimeout is the longest that eth_sendRawTransactionSync and eth_sendTransactionSync wait, and how long
// they wait by default.
const maxSyncTimeout = 6 * time.Second

// sendRawTransaction serves eth_sendRawTransaction.
func sendRawTransaction(r *request, raw hexutil.Bytes) (any, error) { return r.send(raw) }

// send puts a signed transaction into the pool.
func (r *request) send(raw []byte) (common.Hash, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return common.Hash{}, undecodablef("invalid argument 0 (transaction) of %s: have %s, want a signed transaction: %s",
			r.method, excerpt(hexutil.Encode(raw)), err)
	}
	if r.network.Profile == Geth && !tx.Protected() {
		return common.Hash{}, errorf(codeServer, "only replay-protected (EIP-155) transactions allowed over RPC")
	}
	if from, err := types.Sender(r.signer(), tx); err == nil { // Timeline.Send reports a bad signature
		if err := r.checkFeeCap(from, tx); err != nil {
			return common.Hash{}, err
		}
	}
	if err := r.network.Timeline.Send(tx); err != nil {
		return common.Hash{}, refused(err)
	}
	r.warnOfNoCode(tx)
	return tx.Hash(), nil
}

// checkFeeCap rejects, as geth does, a transaction whose fee could be above Limits.FeeCap: most likely a mistake. The
// node's own accounts are exempt: their ether is for spending.
func (r *request) checkFeeCap(from common.Address, tx *types.Transaction) error {
	limit := r.feeCap()
	if limit.IsZero() || r.network.key(from) != nil {
		return nil
	}
	fee := new(big.Int).Mul(tx.GasFeeCap(), new(big.Int).SetUint64(tx.Gas()))
	if fee.Cmp(limit.ToBig()) <= 0 {
		return nil
	}
	return errorf(codeServer, "tx fee (%s wei) exceeds the configured cap (%s wei)", fee, limit.Dec())
}

// feeCap returns the most that a transaction's fee may be, in wei; zero for no limit.
func (r *request) feeCap() *uint256.Int {
	switch given := r.served.limits.FeeCap; {
	case given != nil:
		return given
	case r.network.Profile == Geth:
		return uint256.NewInt(params.Ether)
	default:
		return new(uint256.Int)
	}
}

// sendRawTransactionSync serves eth_sendRawTransactionSync (EIP-7966): it waits, in wall time, until the
// transaction is pre-confirmed or sealed and answers its receipt. The timeout is in milliseconds; zero
// does not wait.
func sendRawTransactionSync(r *request, raw hexutil.Bytes, timeout *Number) (any, error) {
	return r.sync(timeout, func() (common.Hash, error) { return r.send(raw) })
}

// sendTransactionSync serves eth_sendTransactionSync: eth_sendTransaction that waits as
// eth_sendRawTransactionSync does.
func sendTransactionSync(r *request, object callObject, timeout *Number) (any, error) {
	return r.sync(timeout, func() (common.Hash, error) { return r.sendObject(&object) })
}

// syncTimeout returns how long to wait for a receipt. As in geth, its profile takes a timeout over the limit for the
// limit, and zero for none given.
func (r *request) syncTimeout(timeout *Number) (time.Duration, error) {
	const limit = Number(maxSyncTimeout / time.Millisecond)
	switch {
	case timeout == nil, r.network.Profile == Geth && (*timeout == 0 || *timeout > limit):
		return maxSyncTimeout, nil
	case *timeout > limit:
		return 0, invalidParams("timeout of %d ms is too long, the limit is %d ms", *timeout, limit)
	}
	return time.Duration(*timeout) * time.Millisecond, nil
}

// sync sends and then waits for the receipt.
func (r *request) sync(timeout *Number, send func() (common.Hash, error)) (any, error) {
	wait, err := r.syncTimeout(timeout)
	if err != nil {
		return nil, err
	}
	hash, err := send()
	if err != nil {
		return nil, err
	}
	r.caller.LetOthersPass()
	ctx, cancel := context.WithTimeout(r.ctx, wait)
	defer cancel()
	found, err := r.network.Timeline.Wait(ctx, hash)
	switch {
	case err == nil:
		return receiptOf(found, r.network.Profile), nil
	case r.ctx.Err() == nil && ctx.Err() != nil:
		timedOut := errorf(codeSyncTimeout, "transaction %s was added to the pool but was not confirmed within %s", hash, wait)
		timedOut.Data = hash
		return nil, timedOut
	}
	return nil, refused(err)
}

// transactionStatus serves base_transactionStatus: whether the sequencer holds the transaction, in its
// pool or pre-confirmed.
func transactionStatus(r *request, hash common.Hash) (any, error) {
	found, err := r.moment().Find(hash)
	if err != nil {
		return nil, err
	}
	if found.Where == preconf.Pooled || found.Where == preconf.Preconfirmed {
		return statusResult{"Known"}, nil
	}
	return statusResult{"Unknown"}, nil
}

// statusResult is the answer to base_transactionStatus.
type statusResult struct {
	Status string `json:"status"`
}

// sendTransaction serves eth_sendTransaction, from an account of the node or an impersonated one.
func sendTransaction(r *request, object callObject) (any, error) { return r.sendObject(&object) }

// sendObject makes a transaction of an object and puts it into the pool, signed or impersonated.
func (r *request) sendObject(object *callObject) (common.Hash, error) {
	from, err := r.sendingAccount(object)
	if err != nil {
		return common.Hash{}, err
	}
	key := r.network.key(from)
	if key == nil && !r.moment().Impersonated(from) {
		return common.Hash{}, unknownAccount(from)
	}
	return r.sendFilled(object, key)
}

// sendingAccount returns the account that a transaction is from, and sets it in the object. Without one the geth
// profile takes the node's first account, as development nodes do.
func (r *request) sendingAccount(object *callObject) (common.Address, error) {
	if object.From == nil {
		if r.network.Profile != Geth || len(r.network.Keys) == 0 {
			return common.Address{}, invalidParams("invalid argument 0 (transaction) of %s: from is missing", r.method)
		}
		object.From = new(crypto.PubkeyToAddress(r.network.Keys[0].PublicKey))
	}
	return *object.From, nil
}

// sendUnsignedTransaction serves eth_sendUnsignedTransaction, from any account: nobody signs, nobody is
// impersonated.
func sendUnsignedTransaction(r *request, object callObject) (any, error) {
	return r.sendFilled(&object, nil)
}

// sendFilled sends the transaction of an object, what it lacks filled in: signed with the key, unsigned without.
// Concurrent calls for one account each get a nonce of their own.
func (r *request) sendFilled(object *callObject, key *ecdsa.PrivateKey) (common.Hash, error) {
	from := object.sender()
	if err := cmp.Or(r.load(from), r.fill(object)); err != nil {
		return common.Hash{}, err
	}
	sent, err := r.network.Timeline.SendAs(from, (*uint64)(object.Nonce), func(nonce uint64) (*types.Transaction, error) {
		tx := r.transactionWith(object, nonce)
		if err := r.checkFeeCap(from, tx); err != nil || key == nil {
			return tx, err
		}
		return types.SignTx(tx, r.signer(), key)
	})
	if err != nil {
		return common.Hash{}, refused(err)
	}
	r.warnOfNoCode(sent)
	return sent.Hash(), nil
}

// transaction returns the unsigned transaction of a filled object, by default with the sender's next
// nonce, the pool counted in.
func (r *request) transaction(object *callObject) *types.Transaction {
	if object.Nonce != nil {
		return r.transactionWith(object, uint64(*object.Nonce))
	}
	return r.transactionWith(object, r.moment().PoolNonce(object.sender()))
}

// transactionWith returns the unsigned transaction of a filled object with a nonce.
func (r *request) transactionWith(object *callObject, nonce uint64) *types.Transaction {
	return object.transaction(object.kind(r.network.Profile), r.moment().Chain().Config().ChainID, nonce)
}

// signer signs for the pending block: what its rules allow.
func (r *request) signer() types.Signer { return r.moment().Signer() }

// transactionResult is the answer to eth_signTransaction and eth_fillTransaction.
type transactionResult struct {
	Raw hexutil.Bytes      `json:"raw"`
	Tx  *types.Transaction `json:"tx"`
}

func newTransactionResult(tx *types.Transaction) (any, error) {
	raw, err := tx.MarshalBinary()
	if err != nil {
		return nil, refused(err)
	}
	return transactionResult{raw, tx}, nil
}

// fillTransaction serves eth_fillTransaction: the object as an unsigned transaction with nothing missing.
func fillTransaction(r *request, object callObject) (any, error) {
	if err := cmp.Or(r.load(object.sender()), r.fill(&object)); err != nil {
		return nil, err
	}
	return newTransactionResult(r.transaction(&object))
}

// signTransaction serves eth_signTransaction. What the object lacks is filled in.
func signTransaction(r *request, object callObject) (any, error) {
	from, err := r.sendingAccount(&object)
	if err != nil {
		return nil, err
	}
	key := r.network.key(from)
	if key == nil {
		return nil, unknownAccount(from)
	}
	if err := cmp.Or(r.load(object.sender()), r.fill(&object)); err != nil {
		return nil, err
	}
	tx := r.transaction(&object)
	signed, err := types.SignTx(tx, r.signer(), key)
	if err != nil {
		return nil, refused(err)
	}
	return newTransactionResult(signed)
}

func unknownAccount(account common.Address) *Error {
	return errorf(codeServer, "unknown account %s: the node has no key for it (to send from it, impersonate it)", account)
}
