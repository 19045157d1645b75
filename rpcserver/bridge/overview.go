package bridge

import (
	"cmp"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rollup"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// overviewObject is the answer of fakenode_bridge. Numbers and times are plain, amounts in hex.
type overviewObject struct {
	L1          headObject         `json:"l1"`
	L2          headObject         `json:"l2"`
	Paused      bool               `json:"paused"`
	Deposits    []depositObject    `json:"deposits"`
	Withdrawals []withdrawalObject `json:"withdrawals"`
	Games       []gameObject       `json:"games"`
	Origins     []originObject     `json:"origins"`
}

type headObject struct {
	blockID
	Timestamp uint64 `json:"timestamp"` // Unix seconds
}

func headOf(v *preconf.View) headObject { return headObject{blockID{v.Hash(), v.Number()}, v.Time()} }

// depositObject is a deposit. transactionHash is the L2's.
type depositObject struct {
	L1TransactionHash common.Hash     `json:"l1TransactionHash"`
	L1BlockHash       common.Hash     `json:"l1BlockHash"`
	L1BlockNumber     uint64          `json:"l1BlockNumber"`
	From              common.Address  `json:"from"`
	To                *common.Address `json:"to"` // null creates a contract
	Mint              *hexutil.Big    `json:"mint"`
	Value             *hexutil.Big    `json:"value"`
	TransactionHash   common.Hash     `json:"transactionHash"`
	Derived           bool            `json:"derived"`
	BlockHash         *common.Hash    `json:"blockHash"` // null: not derived yet, or pre-confirmed
	BlockNumber       *uint64         `json:"blockNumber"`
	Succeeded         *bool           `json:"succeeded"` // on the L2; null: not derived yet
}

func depositOf(d rollup.Deposit) depositObject {
	o := depositObject{
		L1TransactionHash: d.Log.TxHash, L1BlockHash: d.Log.BlockHash, L1BlockNumber: d.Log.BlockNumber,
		From: d.From, To: d.To, Mint: (*hexutil.Big)(cmp.Or(d.Mint, new(big.Int))), Value: (*hexutil.Big)(d.Value),
		TransactionHash: d.Hash(), Derived: d.Found.Executed(),
	}
	if o.Derived {
		o.BlockNumber = new(d.Found.View.Number())
		o.Succeeded = new(d.Found.Receipt.Status == types.ReceiptStatusSuccessful)
		if d.Found.Where == preconf.Sealed {
			o.BlockHash = new(d.Found.View.Hash())
		}
	}
	return o
}

type waitObject struct {
	For   rollup.Cause `json:"for"`
	Until *uint64      `json:"until"` // Unix seconds; null: not a matter of time
}

// withdrawalObject is a withdrawal. transactionHash is the L2's, l1TransactionHash its payment's.
type withdrawalObject struct {
	WithdrawalHash    common.Hash     `json:"withdrawalHash"`
	TransactionHash   common.Hash     `json:"transactionHash"`
	BlockHash         common.Hash     `json:"blockHash"`
	BlockNumber       uint64          `json:"blockNumber"`
	Sender            common.Address  `json:"sender"`
	Target            common.Address  `json:"target"`
	Value             *hexutil.Big    `json:"value"`
	Status            rollup.Stage    `json:"status"`
	Waits             []waitObject    `json:"waits"`
	Game              *uint64         `json:"game"`
	ProvenAt          *uint64         `json:"provenAt"` // Unix seconds
	Prover            *common.Address `json:"prover"`
	L1TransactionHash *common.Hash    `json:"l1TransactionHash"`
	Succeeded         *bool           `json:"succeeded"` // of the call of its payment; null: it is not paid
}

func withdrawalOf(w rollup.Withdrawal) withdrawalObject {
	o := withdrawalObject{
		WithdrawalHash: w.Hash, TransactionHash: w.Log.TxHash, BlockHash: w.Log.BlockHash, BlockNumber: w.Log.BlockNumber,
		Sender: w.Sender, Target: w.Target, Value: (*hexutil.Big)(w.Value), Status: w.Stage, Waits: []waitObject{},
	}
	for _, wait := range w.Waits {
		shown := waitObject{For: wait.For}
		if wait.Until > 0 {
			shown.Until = &wait.Until
		}
		o.Waits = append(o.Waits, shown)
	}
	if w.Game != nil {
		o.Game = &w.Game.Index
	}
	if w.Proof != nil {
		o.ProvenAt, o.Prover = &w.Proof.Time, &w.Proof.Submitter
	}
	if w.Payment != nil {
		o.L1TransactionHash, o.Succeeded = &w.Payment.TxHash, new(l1.Succeeded(w.Payment))
	}
	return o
}

// gameObject is a game. blockNumber is the number of the L2 block that it is about.
type gameObject struct {
	Index       uint64         `json:"index"`
	Address     common.Address `json:"address"`
	RootClaim   common.Hash    `json:"rootClaim"`
	BlockNumber uint64         `json:"blockNumber"`
	Status      string         `json:"status"`
	Right       bool           `json:"right"`
	Blacklisted bool           `json:"blacklisted"`
	Retired     bool           `json:"retired"`
	CreatedAt   uint64         `json:"createdAt"`  // Unix seconds
	ResolvedAt  *uint64        `json:"resolvedAt"` // Unix seconds; null: in progress
}

// statuses are the values of gameObject.Status. A game that is over has its winner, as in gameEnd.
var statuses = map[l1.Status]string{l1.InProgress: "inProgress", l1.ChallengerWins: "challenger", l1.DefenderWins: "defender"}

func gameOf(g rollup.Game) gameObject {
	o := gameObject{
		Index: g.Index, Address: g.Address, RootClaim: g.Root, BlockNumber: g.Number, Status: statuses[g.Status],
		Right: g.Right, Blacklisted: g.Blacklisted, Retired: g.Retired, CreatedAt: g.Created,
	}
	if g.Resolved > 0 {
		o.ResolvedAt = &g.Resolved
	}
	return o
}

// originObject is an L1 block with the L2 blocks that refer to it.
type originObject struct {
	blockID
	FirstBlock uint64 `json:"firstBlock"`
	LastBlock  uint64 `json:"lastBlock"`
}

// Overview serves fakenode_bridge: the newest events between the chains, as of the heads of both.
func Overview(b rollup.Bridge, _ *api.Request) (any, error) {
	o, err := b.Overview()
	if err != nil {
		return nil, api.Refused(err)
	}
	return overviewObject{
		L1: headOf(o.L1), L2: headOf(o.L2), Paused: o.Paused,
		Deposits: api.Each(o.Deposits, depositOf), Withdrawals: api.Each(o.Withdrawals, withdrawalOf),
		Games: api.Each(o.Games, gameOf), Origins: api.Each(o.Origins, func(e rollup.Epoch) originObject {
			return originObject{blockID{e.Origin.Hash, e.Origin.Number}, e.First, e.Last}
		}),
	}, nil
}
