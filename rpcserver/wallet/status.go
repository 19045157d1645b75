package wallet

import (
	"bytes"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Statuses of EIP-5792.
const (
	statusPending   = 100 // some transaction is in the pool or pre-confirmed
	statusConfirmed = 200 // all are in blocks, and succeeded
	statusLost      = 400 // none is in a block, and none will be
	statusReverted  = 500 // all are in blocks, and failed
	statusPartly    = 600 // some succeeded, others failed or are lost
)

type callsStatus struct {
	Version  string         `json:"version"`
	ID       string         `json:"id"`
	ChainID  hexutil.Uint64 `json:"chainId"`
	Status   int            `json:"status"`
	Atomic   bool           `json:"atomic"`
	Receipts []callsReceipt `json:"receipts,omitempty"`
}

// callsReceipt is the receipt of an executed transaction of a batch.
type callsReceipt struct {
	Logs            []callsLog     `json:"logs"`
	Status          hexutil.Uint64 `json:"status"`
	BlockHash       common.Hash    `json:"blockHash"` // zero: pre-confirmed
	BlockNumber     hexutil.Uint64 `json:"blockNumber"`
	GasUsed         hexutil.Uint64 `json:"gasUsed"`
	TransactionHash common.Hash    `json:"transactionHash"`
}

type callsLog struct {
	Address common.Address `json:"address"`
	Data    hexutil.Bytes  `json:"data"`
	Topics  []common.Hash  `json:"topics"`
}

// GetCallsStatus serves wallet_getCallsStatus, by the present places of the transactions: reorgs take some back.
func GetCallsStatus(r *api.Request, id string) (any, error) {
	found, atomic, err := find(r, id)
	if err != nil {
		return nil, err
	}
	status := callsStatus{Version: version, ID: id, ChainID: hexutil.Uint64(r.Network.ChainID()), Status: statusOf(found), Atomic: atomic}
	for _, f := range found {
		if f.Executed() {
			status.Receipts = append(status.Receipts, receiptOf(f))
		}
	}
	return status, nil
}

// ShowCallsStatus serves wallet_showCallsStatus: there is nobody to show it to.
func ShowCallsStatus(r *api.Request, id string) (any, error) {
	_, _, err := find(r, id)
	return nil, err
}

// find returns the transactions of a batch, wherever they are, and whether they execute all calls or none.
func find(r *api.Request, id string) (all []preconf.Found, atomic bool, err error) {
	m := r.Moment()
	s, known := sentAs(m, id)
	_, hasName := named(m, id)
	for _, hash := range s.transactions {
		found, err := m.Find(hash)
		if err != nil {
			return nil, false, err
		}
		known = known && (hasName || found.Where != preconf.Unknown)
		all = append(all, found)
	}
	if !known {
		return nil, false, api.Errorf(codeUnknownBatch, "there is no batch with the id %s", api.Excerpt(id))
	}
	return all, s.atomic, nil
}

func statusOf(all []preconf.Found) int {
	var succeeded, failed, lost int
	for _, found := range all {
		switch {
		case found.Where == preconf.Pooled, found.Where == preconf.Preconfirmed:
			return statusPending
		case found.Where != preconf.Sealed:
			lost++
		case found.Receipt.Status == types.ReceiptStatusSuccessful:
			succeeded++
		default:
			failed++
		}
	}
	switch len(all) {
	case succeeded:
		return statusConfirmed
	case lost:
		return statusLost
	case failed + lost:
		return statusReverted
	}
	return statusPartly
}

func receiptOf(found preconf.Found) callsReceipt {
	return callsReceipt{
		Logs:   api.Each(found.Receipt.Logs, func(log *types.Log) callsLog { return callsLog{log.Address, log.Data, log.Topics} }),
		Status: hexutil.Uint64(found.Receipt.Status), BlockNumber: hexutil.Uint64(found.View.Number()),
		GasUsed: hexutil.Uint64(found.Receipt.GasUsed), TransactionHash: found.Transaction.Hash(), BlockHash: found.View.Hash(),
	}
}

const (
	// maxID is the longest id of a batch, in characters (EIP-5792).
	maxID = 8194
	// maxCalls is the number of calls that a batch may have: the hashes of as many transactions fit into an id.
	maxCalls = 100
)

// The marks end the ids that the wallet makes: no id is a transaction's hash, and it shows how calls are executed.
var (
	atomicMark     = crypto.Keccak256([]byte("fakenode wallet_sendCalls atomic"))
	sequentialMark = crypto.Keccak256([]byte("fakenode wallet_sendCalls sequential"))
)

// sent describes the transactions of a batch of calls.
type sent struct {
	transactions []common.Hash
	atomic       bool // one transaction executes all calls or none
}

// id returns the id of a batch: the hashes of its transactions and a mark.
func (s sent) id() string {
	var id []byte
	for _, hash := range s.transactions {
		id = append(id, hash[:]...)
	}
	if s.atomic {
		return hexutil.Encode(append(id, atomicMark...))
	}
	return hexutil.Encode(append(id, sequentialMark...))
}

// sentAs returns the transactions of the batch with an id, or with a client's name, and whether there is one.
func sentAs(m *preconf.Moment, id string) (s sent, known bool) {
	if of, ok := named(m, id); ok {
		id = of
	}
	if len(id) > maxID {
		return sent{}, false
	}
	decoded, err := hexutil.Decode(strings.ToLower(id))
	if err != nil || len(decoded)%common.HashLength != 0 {
		return sent{}, false
	}
	hashes, atomic := bytes.CutSuffix(decoded, atomicMark)
	if !atomic {
		hashes, known = bytes.CutSuffix(decoded, sequentialMark)
	}
	for ; len(hashes) > 0; hashes = hashes[common.HashLength:] {
		s.transactions = append(s.transactions, common.BytesToHash(hashes[:common.HashLength]))
	}
	s.atomic = atomic
	return s, (atomic || known) && len(s.transactions) > 0
}

// noteOf returns under which name a node notes the id of the batch that a client gave a name to.
func noteOf(name string) string { return "wallet.batch." + name }

// errNameTaken is returned for a name that another batch has.
var errNameTaken = errors.New("there is a batch with this name")

// name lets a client ask for the batch with an id by a name of its own. Nobody else may write to the timeline
// meanwhile. The error is errNameTaken or a *control.BudgetError.
func name(t *preconf.Timeline, name, id string) error {
	if _, taken := named(t.Moment(), name); taken {
		return errNameTaken
	}
	return t.Set(preconf.Note(noteOf(name), []byte(id)))
}

// named returns the id of the batch with a name of a client's, and reports whether there is one.
func named(m *preconf.Moment, name string) (id string, known bool) {
	note := m.Control().Notes[noteOf(name)]
	return string(note), note != nil
}
