package nodetest

import (
	"encoding/json"
	"math/big"
)

// What the methods take and answer. Members have the names and units that they have on the wire, which docs/rpc.md
// describes: hashes and addresses are hex text, zero values are left out.
type (
	// Progress is where the clock and the chain are after Advance or Jump.
	Progress struct {
		Timestamp       uint64 // Unix seconds
		TimestampMs     int64  // Unix milliseconds
		BlockNumber     uint64 // of the newest sealed block
		FlashblockIndex *int   // of the newest flashblock of the pending block, nil before the first
	}

	// Flashblock is one pre-confirmed slice of the block being built. Number and index are nil where a fault swallowed it.
	Flashblock struct {
		BlockNumber  *uint64
		Index        *int
		Transactions []string
	}

	// ReorgOptions says which blocks are replaced, and what becomes of their transactions.
	ReorgOptions struct {
		Depth          int        `json:"depth"`                    // how many blocks are removed
		Length         int        `json:"length,omitempty"`         // how many replace them; 0: depth+1
		Transactions   string     `json:"transactions,omitempty"`   // "requeue", "drop" or "reverse"; "": "requeue"
		Drop           []string   `json:"drop,omitempty"`           // hashes of removed transactions that are lost
		Blocks         [][]string `json:"blocks,omitempty"`         // raw transactions of each new block
		RemovedOrder   string     `json:"removedOrder,omitempty"`   // of removed logs: "forward" or "reverse"; "": "forward"
		Force          bool       `json:"force,omitempty"`          // below the finalized block
		L2Transactions string     `json:"l2Transactions,omitempty"` // on an L1: of the L2's removed blocks; "": "requeue"
	}

	// ReorgResult lists the hashes that a reorg removed and added, the oldest block first.
	ReorgResult struct {
		Removed, Added []string
		Requeued       []string // transactions that wait in the pool for a later block
	}

	// FlashblockFault is how pre-confirmation goes wrong.
	FlashblockFault struct {
		Kind         string   `json:"kind"` // "drop", "omit", "alterLogs", "duplicate", "stall", "lateBlock", "replace" or "lag"
		Count        int      `json:"count,omitempty"`
		Transactions string   `json:"transactions,omitempty"` // "requeue" or "gone"
		Hashes       []string `json:"hashes,omitempty"`
		Retract      bool     `json:"retract,omitempty"`
	}

	// FaultResult lists the changes of a flashblock fault.
	FaultResult struct {
		Transactions []string
		Flashblocks  int
		Armed        bool // the fault waits for the next seal or flashblock
	}

	// FeedFault is how the raw feed of flashblocks goes wrong, for all its readers.
	FeedFault struct {
		Kind  string `json:"kind"` // "gap", "wrongLink", "truncate", "reorder" or "disconnect"
		Nth   int    `json:"nth,omitempty"`
		Count int    `json:"count,omitempty"`
		Bytes int    `json:"bytes,omitempty"`
		Code  int    `json:"code,omitempty"`
	}

	// BundlerFault is how the bundler spoils user operations to come.
	BundlerFault struct {
		Kind         string `json:"kind"`
		Sender       string `json:"sender,omitempty"`
		Count        int    `json:"count,omitempty"`
		Blocks       int    `json:"blocks,omitempty"`
		Milliseconds int    `json:"milliseconds,omitempty"`
		Limit        string `json:"limit,omitempty"` // "callGasLimit" or "verificationGasLimit"
		Percent      int    `json:"percent,omitempty"`
	}

	// Fault is how calls of a method, or notifications, go wrong.
	Fault struct {
		Method          string  `json:"method"`
		Kind            string  `json:"kind,omitempty"`      // of subscriptions, with the method "eth_subscription"
		Nth             int     `json:"nth,omitempty"`       // the first call that is struck, counted from 1; 0: the next
		Times           int     `json:"times,omitempty"`     // how many are; 0: one, -1: all
		Where           string  `json:"where,omitempty"`     // a text that a parameter of the call has; "": any
		LatencyMs       int     `json:"latencyMs,omitempty"` // milliseconds of wall time
		LatencySpreadMs int     `json:"latencySpreadMs,omitempty"`
		Seed            uint64  `json:"seed,omitempty"`
		Error           *Error  `json:"error,omitempty"`
		Null            bool    `json:"null,omitempty"`
		HTTPStatus      int     `json:"httpStatus,omitempty"`
		LoseAnswer      bool    `json:"loseAnswer,omitempty"`
		DropConnection  bool    `json:"dropConnection,omitempty"`
		Truncate        int     `json:"truncate,omitempty"` // bytes
		Silent          bool    `json:"silent,omitempty"`
		Drop            bool    `json:"drop,omitempty"`
		Duplicate       bool    `json:"duplicate,omitempty"`
		Stray           bool    `json:"stray,omitempty"`
		Reorder         bool    `json:"reorder,omitempty"`
		Behind          int     `json:"behind,omitempty"`   // blocks
		BehindMs        int     `json:"behindMs,omitempty"` // milliseconds of the node's clock
		Branch          string  `json:"branch,omitempty"`   // "orphaned"
		Share           float64 `json:"share,omitempty"`    // of the calls that would be struck
	}

	// Disconnection is which WebSocket connections are cut, and how.
	Disconnection struct {
		Code int    `json:"code,omitempty"` // of the close frame; 0: none
		Kind string `json:"kind,omitempty"` // those with such a subscription, or "flashblocks"; "": all
	}

	// Subscription is an open subscription.
	Subscription struct {
		Connection  int
		ID          string
		Kind        string
		Option      json.RawMessage
		UnreadBytes int
		Observer    bool
	}

	// Hold is which transactions stay in the pool: without hashes and senders all of them.
	Hold struct {
		Hashes       []string `json:"hashes,omitempty"`
		Senders      []string `json:"senders,omitempty"`
		Milliseconds int      `json:"milliseconds,omitempty"`
		Blocks       int      `json:"blocks,omitempty"`
	}

	// Call is a call that a client made.
	Call struct {
		Number      uint64 // counts the calls of the network, from 1
		Method      string
		Params      json.RawMessage
		TimestampMs int64 // when it arrived, in Unix milliseconds
		DurationUs  int64 // microseconds
		Error       *Error
		View        string // which replica answered; "": the node as it is
	}

	// ScenarioParams are the accounts, the amount and the lengths of a scenario.
	ScenarioParams struct {
		Payer    *int   `json:"payer,omitempty"`    // development account; nil: 0
		Merchant *int   `json:"merchant,omitempty"` // development account; nil: 1
		Amount   string `json:"amount,omitempty"`   // in dollars; "": "25.00"
		Depth    int    `json:"depth,omitempty"`
		Times    int    `json:"times,omitempty"`
		StepMs   int    `json:"stepMs,omitempty"` // milliseconds of wall time after each move, in which others write
	}

	// Conclusion tells what a correct client must conclude from a scenario once it is over.
	Conclusion struct {
		Scenario    string
		Statement   string
		Settled     bool // whether the transaction is in the chain and moved its money
		Transaction string
		Contract    string // what the payer signed for: the token, or a contract of docs/payments.md
		Payer       string
		Nonce       string
		Merchant    string
		Value       string // the payment in token units
		Received    string // what the merchant got in all, in token units
		BlockHash   string
		BlockNumber uint64
		Orphans     []string
	}

	// Story is a scenario that is played move by move.
	Story struct {
		network *Network
		id      uint64
	}

	// StoryMove is one move of a story.
	StoryMove struct {
		Step       int    // counts the moves from 1
		Did        string // to the payment; at the end, the conclusion's statement
		Done       bool
		Conclusion *Conclusion // nil unless it is done
	}

	// Replica is how far behind a replica of a network is: always, and drawn by seed.
	Replica struct {
		Behind   int    `json:"behind,omitempty"`   // blocks
		BehindMs int    `json:"behindMs,omitempty"` // milliseconds of the node's clock
		Jitter   int    `json:"jitter,omitempty"`   // up to so many blocks more
		JitterMs int    `json:"jitterMs,omitempty"`
		Stuck    int    `json:"stuck,omitempty"`    // blocks for which it stands still now and then
		Orphaned int    `json:"orphaned,omitempty"` // blocks for which it stays on a removed branch
		Seed     uint64 `json:"seed,omitempty"`
	}

	// Weather is the schedule of a price or limit, in wei per gas or in gas.
	Weather struct {
		Of     string     `json:"of"`
		Shape  string     `json:"shape"` // "spike", "ramp", "sawtooth", "list" or "calm"
		From   *big.Int   `json:"from,omitempty"`
		To     *big.Int   `json:"to,omitempty"`
		Blocks int        `json:"blocks,omitempty"`
		Times  int        `json:"times,omitempty"`
		Values []*big.Int `json:"values,omitempty"`
	}

	// Forecast is a schedule that is not over.
	Forecast struct {
		Of, Shape  string
		To         string
		Values     []string
		Blocks     int
		FirstBlock uint64
		LastBlock  *uint64 // nil: until it is replaced
	}

	// Deposit is a deposit from L1, in wei.
	Deposit struct {
		From  string   `json:"from"`
		To    string   `json:"to,omitempty"`   // "": a contract is created
		Mint  *big.Int `json:"mint,omitempty"` // what From gets on L2 before the call, even if that fails
		Value *big.Int `json:"value,omitempty"`
		Gas   uint64   `json:"gas,omitempty"` // 0: 200,000
		Data  string   `json:"data,omitempty"`
	}

	// L1Options are the members of an L1Block that change; nil: they stay.
	L1Options struct {
		Number               *uint64  `json:"number,omitempty"`
		Timestamp            *uint64  `json:"timestamp,omitempty"` // Unix seconds
		BaseFee              *big.Int `json:"baseFee,omitempty"`   // wei per gas
		BlobBaseFee          *big.Int `json:"blobBaseFee,omitempty"`
		BaseFeeScalar        *uint64  `json:"baseFeeScalar,omitempty"`
		BlobBaseFeeScalar    *uint64  `json:"blobBaseFeeScalar,omitempty"`
		OperatorFeeScalar    *uint64  `json:"operatorFeeScalar,omitempty"`
		OperatorFeeConstant  *uint64  `json:"operatorFeeConstant,omitempty"`
		DaFootprintGasScalar *uint64  `json:"daFootprintGasScalar,omitempty"`
		BatcherHash          string   `json:"batcherHash,omitempty"`
	}

	// L1Block is the L1 block that L2 blocks refer to: all members are hex, fees in wei per gas.
	L1Block struct {
		Number, Timestamp, BaseFee, BlobBaseFee, BaseFeeScalar, BlobBaseFeeScalar string
		OperatorFeeScalar, OperatorFeeConstant, DaFootprintGasScalar              string
		BatcherHash, Hash                                                         string
	}

	// Proposal is a claim about the L2's state to be made on the L1.
	Proposal struct {
		Number uint64 `json:"number,omitempty"` // of the L2's block; 0: the head
		Root   string `json:"root,omitempty"`   // "": the right one
	}

	// Proposed is a claim that was sent to the L1.
	Proposed struct {
		Number          string // of the L2's block, as hex
		Root            string
		TransactionHash string // on the L1
	}

	// Paymaster limits the operations that the paymaster service sponsors: nothing given is no limit. Amounts are in wei.
	Paymaster struct {
		Deny         []string `json:"deny,omitempty"` // senders
		MaxCost      *big.Int `json:"maxCost,omitempty"`
		Budget       *big.Int `json:"budget,omitempty"`
		ValidFor     uint64   `json:"validFor,omitempty"`     // seconds
		Signature    string   `json:"signature,omitempty"`    // "valid", "wrong", "expired" or "early"; "": "valid"
		ExchangeRate *big.Int `json:"exchangeRate,omitempty"` // token units an ether
		Deposit      *big.Int `json:"deposit,omitempty"`      // at every EntryPoint
	}

	// Place is where a transaction is, why it is not further, and what it does where its contracts have names.
	Place struct {
		Where     string // "pool", "preconfirmed", "sealed", "orphaned", "dropped" or "unknown"
		Reason    string
		BlockHash string
		Contract  string
		Call      string
		Note      string // why the outcome depends on the variant of the payment token
	}

	// OperationPlace is where a user operation is, why it is not further, and what struck it.
	OperationPlace struct {
		Where           string
		Reason          string
		TransactionHash string // of the bundle
		BlockHash       string
		Fault           string
	}

	// Orphan is a block that a reorg removed.
	Orphan struct {
		Number uint64
		Hash   string
	}

	// Info is the node as it is. What it leaves out of the answer is reached by Call.
	Info struct {
		Version   string
		ChainID   uint64
		Clock     struct{ TimestampMs int64 }
		Head      Head
		Safe      uint64
		Finalized uint64
		Pending   struct {
			Number          uint64
			FlashblockIndex *int
			Transactions    int
		}
		Pool struct{ Pending, Queued int }
	}

	// Head is the newest sealed block.
	Head struct {
		Number    uint64
		Hash      string
		Timestamp uint64 // Unix seconds
	}

	// World is a chain in the node's process.
	World struct {
		Name        string
		BlockNumber uint64
		Clients     int   // open WebSockets
		CreatedMs   int64 // Unix milliseconds
		Owner       string
		TTL         int64 // milliseconds after which it ends when nobody uses it; 0: it stays
	}
)
