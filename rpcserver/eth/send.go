package eth

import (
	"cmp"
	"crypto/ecdsa"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// ErrUnprotected is the error of a transaction that is bound to no chain, where RejectUnprotected is set.
var ErrUnprotected error = api.Errorf(api.CodeServer, "only replay-protected (EIP-155) transactions allowed over RPC")

func SendRawTransaction(r *api.Request, raw hexutil.Bytes) (any, error) { return Send(r, raw) }

// Send puts a signed transaction into the pool.
func Send(r *api.Request, raw []byte) (common.Hash, error) {
	tx, err := r.Decode(raw)
	if err != nil {
		return common.Hash{}, err
	}
	if r.Network.RejectUnprotected && !tx.Protected() {
		return common.Hash{}, ErrUnprotected
	}
	if from, err := types.Sender(r.Signer(), tx); err == nil { // Timeline.Send reports a bad signature
		if err := checkFeeCap(r, from, tx); err != nil {
			return common.Hash{}, err
		}
	}
	if err := r.Network.Timeline.Send(tx); err != nil {
		return common.Hash{}, api.Refused(err)
	}
	warnOfNoCode(r, tx)
	return tx.Hash(), nil
}

// ClassifyTransaction serves anvil_classifyTransaction, whose payment lane only Tempo has.
func ClassifyTransaction(r *api.Request, raw hexutil.Bytes) (any, error) {
	_, err := r.Decode(raw)
	return map[string]any{"lane": "general", "payment": false, "reason": "not_tempo"}, err
}

// checkFeeCap rejects, as geth does, a transaction whose fee could be above Limits.FeeCap: most likely a mistake. The
// node's own accounts are exempt, because their ether has no value.
func checkFeeCap(r *api.Request, from common.Address, tx *types.Transaction) error {
	limit := r.Network.Limits.FeeCap
	if limit == nil || limit.IsZero() || r.Network.Key(from) != nil {
		return nil
	}
	fee := new(big.Int).Mul(tx.GasFeeCap(), new(big.Int).SetUint64(tx.Gas()))
	if fee.Cmp(limit.ToBig()) <= 0 {
		return nil
	}
	return api.Errorf(api.CodeServer, "tx fee (%s wei) exceeds the configured cap (%s wei)", fee, limit.Dec())
}

// TransactionStatus serves base_transactionStatus: whether the transaction is in the pool or pre-confirmed.
func TransactionStatus(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil {
		return nil, err
	}
	if found.Where == preconf.Pooled || found.Where == preconf.Preconfirmed {
		return statusResult{"Known"}, nil
	}
	return statusResult{"Unknown"}, nil
}

type statusResult struct {
	Status string `json:"status"`
}

// SendTransaction serves eth_sendTransaction, from an account of the node or an impersonated one.
func SendTransaction(r *api.Request, object api.CallObject) (any, error) {
	return SendObject(r, &object)
}

// SendObject makes a transaction of an object and puts it into the pool, signed or impersonated.
func SendObject(r *api.Request, object *api.CallObject) (common.Hash, error) {
	from, err := sendingAccount(r, object)
	if err != nil {
		return common.Hash{}, err
	}
	key := r.Network.Key(from)
	if key == nil && !r.Moment().Impersonated(from) {
		return common.Hash{}, unknownAccount(from)
	}
	return sendFilled(r, object, key)
}

// sendingAccount returns the account that a transaction is from, and sets it in the object. Without one it is
// an error, or with FirstAccountSends the node's first account.
func sendingAccount(r *api.Request, object *api.CallObject) (common.Address, error) {
	if object.From == nil {
		if !r.Network.FirstAccountSends || len(r.Network.Accounts) == 0 {
			return common.Address{}, api.InvalidParams("invalid argument 0 (transaction) of %s: from is missing", r.Method)
		}
		object.From = new(r.Network.Accounts[0].Address)
	}
	return *object.From, nil
}

// SendUnsignedTransaction serves eth_sendUnsignedTransaction, from any account, without signature or impersonation.
func SendUnsignedTransaction(r *api.Request, object api.CallObject) (any, error) {
	return sendFilled(r, &object, nil)
}

// sendFilled sends the transaction of an object with its missing fields filled in, signed with the key, or unsigned
// without one. Concurrent calls for one account each get a nonce of their own.
func sendFilled(r *api.Request, object *api.CallObject, key *ecdsa.PrivateKey) (common.Hash, error) {
	from := object.Sender()
	if err := cmp.Or(r.Load(from), r.Fill(object)); err != nil {
		return common.Hash{}, err
	}
	sent, err := r.Network.Timeline.SendAs(from, (*uint64)(object.Nonce), func(nonce uint64) (*types.Transaction, error) {
		tx := r.TransactionWith(object, nonce)
		if err := checkFeeCap(r, from, tx); err != nil || key == nil {
			return tx, err
		}
		return types.SignTx(tx, r.Signer(), key)
	})
	if err != nil {
		return common.Hash{}, api.Refused(err)
	}
	warnOfNoCode(r, sent)
	return sent.Hash(), nil
}

// TransactionResult is the answer to eth_signTransaction and eth_fillTransaction.
type TransactionResult struct {
	Raw hexutil.Bytes      `json:"raw"`
	Tx  *types.Transaction `json:"tx"`
}

func newTransactionResult(tx *types.Transaction) (*TransactionResult, error) {
	raw, err := tx.MarshalBinary()
	return &TransactionResult{raw, tx}, api.Refused(err)
}

// FillTransaction serves eth_fillTransaction: the object as an unsigned transaction with nothing missing.
func FillTransaction(r *api.Request, object api.CallObject) (any, error) {
	if err := cmp.Or(r.Load(object.Sender()), r.Fill(&object)); err != nil {
		return nil, err
	}
	return newTransactionResult(r.Transaction(&object))
}

// SignTransaction serves eth_signTransaction. Missing fields of the object are filled in.
func SignTransaction(r *api.Request, object api.CallObject) (any, error) { return Signed(r, object) }

// Signed returns the answer to eth_signTransaction.
func Signed(r *api.Request, object api.CallObject) (*TransactionResult, error) {
	from, err := sendingAccount(r, &object)
	if err != nil {
		return nil, err
	}
	key := r.Network.Key(from)
	if key == nil {
		return nil, unknownAccount(from)
	}
	if err := cmp.Or(r.Load(object.Sender()), r.Fill(&object)); err != nil {
		return nil, err
	}
	signed, err := types.SignTx(r.Transaction(&object), r.Signer(), key)
	if err != nil {
		return nil, api.Refused(err)
	}
	return newTransactionResult(signed)
}

func unknownAccount(account common.Address) error {
	return api.Refused(&api.UnknownAccountError{Account: account})
}

// warnOfNoCode logs, once for each address, that a transaction with data went to an address without code. Such a
// transaction succeeds and does nothing: a client that settles with a missing contract believes it has paid.
func warnOfNoCode(r *api.Request, tx *types.Transaction) {
	to := tx.To()
	if to == nil || len(tx.Data()) == 0 {
		return
	}
	pending := r.Moment().Pending()
	state, err := pending.State()
	if err != nil || len(state.Code(*to)) > 0 {
		return
	}
	header := pending.Header()
	rules := pending.Chain().Config().Rules(header.Number, true, header.Time)
	if _, precompiled := pending.Chain().Precompiles(rules)[*to]; precompiled || !api.AddCodeless(r.Network.Timeline, *to) {
		return
	}
	r.Network.Log.Warn("a transaction with data went to an address without code: it moves its value and does nothing else",
		"address", to, "transaction", tx.Hash())
}
