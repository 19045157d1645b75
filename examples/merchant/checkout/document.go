package checkout

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/tokencontract"
)

// orderDocument is an order as clients see it. There is no field for the signature.
type orderDocument struct {
	OrderID       string                `json:"orderId"`
	Version       int64                 `json:"version"`
	Path          Path                  `json:"path"`
	Stage         Stage                 `json:"stage"`
	Amount        string                `json:"amount"`
	Received      string                `json:"received"` // in sealed blocks
	PeriodSeconds uint64                `json:"periodSeconds,omitempty"`
	Price         string                `json:"price,omitempty"`   // requests: of each
	Vouched       string                `json:"vouched,omitempty"` // requests: what the payer signed for so far
	Authorization authorizationDocument `json:"authorization"`
	Expired       bool                  `json:"expired"`
	Final         bool                  `json:"final"`
	Settlement    *settlementDocument   `json:"settlement,omitempty"`
	Transactions  []transactionDocument `json:"transactions"`
}

// draftDocument is an order with something to sign.
type draftDocument struct {
	orderDocument
	ToSign
}

// authorizationDocument is the stored record's authorization (contract 2.7-type); numbers are decimal strings, as in
// typed data.
type authorizationDocument struct {
	From        common.Address `json:"from"`
	To          common.Address `json:"to"`
	Value       string         `json:"value"`
	ValidAfter  string         `json:"validAfter"`
	ValidBefore string         `json:"validBefore"`
	Nonce       common.Hash    `json:"nonce"`
}

type settlementDocument struct {
	Outcome     Outcome      `json:"outcome"`
	Transaction common.Hash  `json:"transaction"`
	BlockNumber uint64       `json:"blockNumber"`
	BlockHash   *common.Hash `json:"blockHash"` // null while only pre-confirmed
}

type transactionDocument struct {
	Kind     Kind        `json:"kind"`
	Part     int         `json:"part,omitempty"`
	Amount   string      `json:"amount,omitempty"`
	Nonce    uint64      `json:"nonce"`
	Hash     common.Hash `json:"hash"`
	State    State       `json:"state"`
	Attempts int         `json:"attempts"`
	Refusals int         `json:"refusals"`
	Reason   string      `json:"reason,omitempty"`
	Final    bool        `json:"final"`
}

// document shapes the order that a method returned.
func document(o Order, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return newOrderDocument(o), nil
}

func newOrderDocument(o Order) orderDocument {
	d := orderDocument{
		OrderID: o.ID, Version: o.Version, Path: o.Path, Stage: o.Stage(), Amount: formatAmount(o.Terms.Value),
		Received: formatAmount(o.Received()), PeriodSeconds: o.Period,
		Authorization: authorizationDocument{
			From: o.Terms.From, To: o.Terms.To, Value: o.Terms.Value.Dec(),
			ValidAfter:  strconv.FormatUint(o.Terms.ValidAfter, 10),
			ValidBefore: strconv.FormatUint(o.Terms.ValidBefore, 10),
			Nonce:       o.Terms.Nonce,
		},
		Expired: o.Expired, Final: o.Final, Transactions: []transactionDocument{},
	}
	if o.Path == Requests {
		d.Price, d.Vouched = formatAmount(o.Price), formatAmount(o.Vouched)
	}
	if at := o.Settlement; at != nil {
		d.Settlement = &settlementDocument{Outcome: at.Outcome, Transaction: at.Transaction, BlockNumber: at.BlockNumber}
		if at.Sealed() {
			d.Settlement.BlockHash = &at.BlockHash
		}
	}
	for _, t := range o.Transactions {
		described := transactionDocument{Kind: t.Kind, Nonce: t.Nonce, Hash: t.Hash, State: t.State, Attempts: t.Attempts, Refusals: t.Refusals, Reason: t.Reason, Final: t.Final}
		if t.Kind == KindCapture {
			described.Part, described.Amount = t.Part, formatAmount(t.Amount)
		}
		d.Transactions = append(d.Transactions, described)
	}
	return d
}

// terms reads the document. Problems: Invalid.
func (d authorizationDocument) terms() (tokencontract.Authorization, error) {
	value, err := uint256.FromDecimal(d.Value)
	if err != nil {
		return tokencontract.Authorization{}, problem(Invalid, "authorization: value %q is not a decimal number", d.Value)
	}
	after, err := strconv.ParseUint(d.ValidAfter, 10, 64)
	if err != nil {
		return tokencontract.Authorization{}, problem(Invalid, "authorization: validAfter %q is not in Unix seconds", d.ValidAfter)
	}
	before, err := strconv.ParseUint(d.ValidBefore, 10, 64)
	if err != nil {
		return tokencontract.Authorization{}, problem(Invalid, "authorization: validBefore %q is not in Unix seconds", d.ValidBefore)
	}
	return tokencontract.Authorization{
		From: d.From, To: d.To, Value: value, ValidAfter: after, ValidBefore: before, Nonce: d.Nonce,
	}, nil
}
